// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/statsjson.h"
#include "monitor/format/watchingwords.h"
#include "support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_statsjson {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

class TestStatsJson : public QObject {
    Q_OBJECT

private:
    static QJsonObject objectOf(const QByteArray& line) { return QJsonDocument::fromJson(line).object(); }
    const WallTime m_at{std::chrono::milliseconds(1'769'860'800'123)};

private Q_SLOTS:
    void tellsTheSourceAndWhatItDoesNotSee_data() {
        QTest::addColumn<ObservationMode>("source");
        QTest::addColumn<QByteArray>("line");
        const QByteArray begin = R"({"at":"2026-01-31T12:00:00.123Z","blind_spots":[)";
        QTest::newRow("none") << ObservationMode::None << begin + R"(],"denied":[],"event":"source","source":"none"})";
        QTest::newRow("tracking")
            << ObservationMode::Tracking
            << begin + R"("fast_changes","unknown_names"],"denied":[],"event":"source","source":"tracking"})";
        QTest::newRow("keyspace events")
            << ObservationMode::KeyspaceEvents
            << begin + R"("fast_changes","fair_queues","unknown_names"],"denied":[],"event":"source",)" +
                   R"("source":"keyspace_events"})";
        QTest::newRow("polling")
            << ObservationMode::Polling
            << begin + R"("between_polls","unknown_names"],"denied":[],"event":"source","source":"polling"})";
    }
    void tellsTheSourceAndWhatItDoesNotSee() {
        QFETCH(const ObservationMode, source);
        MonitorStats stats;
        stats.observation = source;
        stats.noticesFairQueues = source == ObservationMode::Tracking;
        QTEST(sourceToJsonLine(stats, m_at), "line");
    }

    void withoutASourceItSaysWhy() {
        MonitorStats stats;
        stats.master.emplace();
        QVERIFY(!objectOf(sourceToJsonLine(stats, m_at)).contains("reason"));
        stats.master->error = Error(ErrorCode::ConnectionLost, QStringLiteral("gone"));
        QCOMPARE(objectOf(sourceToJsonLine(stats, m_at))["reason"].toString(), "gone");
        QVERIFY(sourceToTextLine(stats, m_at).contains("none (gone)"));
        stats.observation = ObservationMode::Tracking;
        QVERIFY(!objectOf(sourceToJsonLine(stats, m_at)).contains("reason"));
    }

    void aNodeHasALineWhenItsStateChanges() {
        NodeStatus node;
        node.address = QStringLiteral("n1:6379");
        QVERIFY(changedNodes({}, {node}).isEmpty());
        NodeStatus watched = node;
        watched.phase = NodePhase::Watching;
        watched.serverVersion = "7.0.15";
        watched.replicas = QList<redis::Replica>{{QStringLiteral("n4:6379"), 14}};
        const QJsonArray replicas = objectOf(nodeToJsonLine(watched, m_at))["replicas"].toArray();
        QCOMPARE(replicas, (QJsonArray{QJsonObject{{"node", "n4:6379"}, {"behind_bytes", 14}}}));
        QCOMPARE(changedNodes({node}, {watched}).size(), 1);
        QCOMPARE(nodeToTextLine(watched, m_at).section(u"node "_qs, -1).trimmed(), "n1:6379 watching");
        NodeStatus busy = watched;
        busy.readsPerSecond = 7;
        QVERIFY(changedNodes({watched}, {busy}).isEmpty());
        NodeStatus lost = watched;
        lost.phase = NodePhase::Reconnecting;
        lost.replicas.reset();
        lost.error = Error(ErrorCode::ConnectionLost, QStringLiteral("gone"));
        lost.lastHeard = m_at;
        const QJsonObject json = objectOf(nodeToJsonLine(changedNodes({watched}, {lost}).value(0), m_at));
        QCOMPARE(json["event"].toString(), "node");
        QCOMPARE(json["node"].toString(), "n1:6379");
        QCOMPARE(json["role"].toString(), "master");
        QVERIFY(!json.contains("replicas"));
        QCOMPARE(json["state"].toString(), "not_watched");
        QCOMPARE(json["reason"].toString(), "gone");
        QVERIFY(json.contains("last_seen"));
        QVERIFY(nodeToTextLine(lost, m_at).endsWith("n1:6379 not_watched: gone"));
    }

    void aSilenceBeginsAndEndsWithAnAnswer() {
        MonitorStats answers;
        answers.master = NodeStatus();
        answers.master->address = QStringLiteral("n1:6379");
        answers.master->phase = NodePhase::Watching;
        MonitorStats silent = answers;
        silent.master->silence = Milliseconds(4000);
        MonitorStats longer = silent;
        longer.master->silence = Milliseconds(6000);
        MonitorStats lost = answers;
        lost.master->phase = NodePhase::Reconnecting;
        QVERIFY(changedSilences(answers, answers).isEmpty());
        QVERIFY(changedSilences(silent, longer).isEmpty());
        QVERIFY(changedSilences(longer, lost).isEmpty());
        const SilenceChange begun = changedSilences(answers, silent).value(0);
        QVERIFY2(
            silenceToTextLine(begun, m_at).endsWith("n1:6379 has not answered for 4 s: nothing counts as lost yet"),
            qPrintable(silenceToTextLine(begun, m_at)));
        const QJsonObject json = objectOf(silenceToJsonLine(begun, m_at));
        QCOMPARE(json["event"].toString(), "silent");
        QCOMPARE(json["node"].toString(), "n1:6379");
        QCOMPARE(json["phase"].toString(), "begin");
        QCOMPARE(json["silent_ms"].toInt(), 4000);
        const SilenceChange ended = changedSilences(longer, answers).value(0);
        QVERIFY(silenceToTextLine(ended, m_at).endsWith("n1:6379 answers again"));
        QCOMPARE(objectOf(silenceToJsonLine(ended, m_at))["phase"].toString(), "end");
    }

    void aNodeThatServesNoKeysIsNotWatched() {
        NodeStatus node;
        node.address = QStringLiteral("n1:6379");
        node.phase = NodePhase::NotServing;
        node.error = Error(ErrorCode::ServerReply, ReplyKind::ClusterDown, QStringLiteral("CLUSTERDOWN"));
        const QJsonObject json = objectOf(nodeToJsonLine(node, m_at));
        QCOMPARE(json["state"].toString(), "not_watched");
        QCOMPARE(json["reason"].toString(), "CLUSTERDOWN");
    }

    void aNodeThatIsGoneHasALine() {
        NodeStatus node;
        node.address = QStringLiteral("n1:6379");
        node.phase = NodePhase::Watching;
        NodeStatus other = node;
        other.address = QStringLiteral("n2:6379");
        QVERIFY(goneNodes({node, other}, {other, node}).isEmpty());
        const QList<NodeStatus> gone = goneNodes({node, other}, {other});
        QCOMPARE(gone.size(), 1);
        const QJsonObject json = objectOf(goneNodeToJsonLine(gone.first(), m_at));
        QCOMPARE(json["event"].toString(), "node");
        QCOMPARE(json["node"].toString(), "n1:6379");
        QCOMPARE(json["state"].toString(), "gone");
        QVERIFY(goneNodeToTextLine(gone.first(), m_at).endsWith("n1:6379 gone"));
    }

    void gapsOfAClusterHaveALine() {
        MonitorStats stats;
        const MonitorStats none;
        QVERIFY(hasSameGaps(none, stats));
        stats.unservedSlots = {{0, 5460}, {7000, 7000}};
        stats.notRead = {LockName("L")};
        QVERIFY(!hasSameGaps(none, stats));
        const QJsonObject json = objectOf(gapsToJsonLine(stats, m_at));
        QCOMPARE(json["event"].toString(), "gaps");
        QCOMPARE(json["slots_not_served"].toString(), "0-5460, 7000");
        QCOMPARE(json["names_not_read"].toInt(), 1);
        QCOMPARE(json["names"].toArray(), QJsonArray{"L"});
        QVERIFY(gapsToTextLine(stats, m_at).endsWith("slots not served: 0-5460, 7000  names not read: 1 (L)"));
        QVERIFY(gapsToTextLine(none, m_at).endsWith("slots not served: none  names not read: 0"));
    }

    void whatIsDeniedOnOneNodeNamesIt() {
        Denial denial{Denied::Command, QStringLiteral("PUBSUB"), Consequence::WaitersUnknown, {}};
        const QString everywhere = denialLines({denial}).value(0);
        denial.node = QStringLiteral("n1:6379");
        QCOMPARE(denialLines({denial}).value(0), everywhere + " (on n1:6379)");
    }

    void saysNothingIsSeenLateThatIsReceived() {
        MonitorStats stats;
        stats.observation = ObservationMode::KeyspaceEvents;
        stats.noticesFairQueues = true;
        const MonitorStats before = stats;
        stats.noticesNewNames = true;
        QVERIFY(!isSameSource(before, stats));
        const QJsonObject json = objectOf(sourceToJsonLine(stats, m_at));
        QCOMPARE(json["blind_spots"].toArray(), QJsonArray({"fast_changes", "short_new_locks"}));
        QVERIFY(json["subkey_notifications"].toBool());
        QVERIFY(!json.contains("write_reports"));
        QVERIFY(sourceToTextLine(stats, m_at)
                    .endsWith("keyspace_events, subkey notifications  not seen: fast_changes, short_new_locks"));
    }

    void tellsWhetherEachWriteIsReported_data() {
        QTest::addColumn<WriteReports>("reports");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("spot");
        const auto add = [](WriteReports reports, const char* word, const char* spot = "unknown_names") {
            QTest::newRow(word) << reports << QString(word) << QString(spot);
        };
        add(WriteReports::On, "on", "short_new_locks");
        add(WriteReports::Paused, "paused");
        add(WriteReports::Busy, "busy");
        add(WriteReports::LoadUnknown, "load_unknown");
        add(WriteReports::Refused, "refused");
        add(WriteReports::LimitUnknown, "limit_unknown");
        add(WriteReports::Unlimited, "unlimited");
        add(WriteReports::NoResp3, "no_resp3");
    }
    void tellsWhetherEachWriteIsReported() {
        QFETCH(const WriteReports, reports);
        QFETCH(const QString, word);
        QFETCH(const QString, spot);
        MonitorStats stats;
        stats.observation = ObservationMode::Tracking;
        stats.noticesFairQueues = true;
        const MonitorStats before = stats;
        stats.writeReports = reports;
        QVERIFY(!isSameSource(before, stats));
        const QJsonObject json = objectOf(sourceToJsonLine(stats, m_at));
        QCOMPARE(json["write_reports"].toString(), word);
        QCOMPARE(json["blind_spots"].toArray(), QJsonArray({"fast_changes", spot}));
        QVERIFY(sourceToTextLine(stats, m_at)
                    .endsWith("tracking, write reports: " + word + "  not seen: fast_changes, " + spot));
    }

    void tellsWhyItIsNotTheBest() {
        MonitorStats stats;
        stats.observation = ObservationMode::Polling;
        stats.observationLimit.kind = ObservationLimit::Kind::NoResp3;
        stats.denied = {{Denied::Command, QStringLiteral("SCAN"), Consequence::LocksNotScanned, {}}};
        const QJsonObject json = objectOf(sourceToJsonLine(stats, m_at));
        QCOMPARE(json["reason"].toString(), "this server has no RESP3, so it sends no push messages");
        QCOMPARE(json["denied"].toArray().at(0).toString(),
                 "SCAN: a lock is only found when a client waits for it or releases it, or by a reported write");
        const QString text = sourceToTextLine(stats, m_at);
        QVERIFY2(
            text.endsWith("source         polling (this server has no RESP3, so it sends no push messages)"
                          "  not seen: between_polls, unknown_names"
                          "  denied: SCAN: a lock is only found when a client waits for it or releases it, or by a "
                          "reported write"),
            qPrintable(text));
    }

    // The words are documented in resources/manual/json.md: programs may compare them.
    void whatLimitsWatchingIsSortedByCommand() {
        Denials denials;
        denials.note(Denied::Synchronizers, Consequence::SynchronizersLeftOut);
        denials.note(Denied::ReaderTimeouts, Consequence::ReaderLeasesUnknown);
        denials.note(Denied::Rows, Consequence::LocksLeftOut);
        denials.note(Denied::Keys, Consequence::SomeKeysUnreadable);
        denials.note({Denied::SemaphoreCommand, QStringLiteral("ZRANGE"), Consequence::LeasedPermitsUnseen, {}});
        denials.note(QStringLiteral("ZRANGE"), Consequence::FairLocksLookPlain);
        denials.note(QStringLiteral("CLIENT TRACKING BCAST"), Consequence::PrefixesNotTracked);
        denials.note(QStringLiteral("CLIENT TRACKING"), Consequence::LocksPolled);
        QList<Denial> all = denials.list();
        all << Denial{Denied::DiscoveryConnection,
                      {},
                      Consequence::NoConnectionToScan,
                      Error(ErrorCode::ConnectionLost, QStringLiteral("Connection refused"))};
        all << Denial{Denied::Replica,
                      {},
                      Consequence::DeadWaitersNotProven,
                      Error(ErrorCode::ConnectionLost, QStringLiteral("Connection refused")),
                      QStringLiteral("10.0.0.2:7002")};
        all << Denial{Denied::TrackingTable, {}, Consequence::ChangesSeenLate, {}};
        const QStringList lines{
            "CLIENT TRACKING: locks are polled, changes between two reads are not seen",
            "CLIENT TRACKING BCAST: new locks under the given prefixes are found as all others are",
            "ZRANGE: fair locks are shown as plain ones, without their queue",
            "ZRANGE for semaphores: leased permits are not seen",
            "keys: some keys may not be read",
            "replica: is not asked who waits, so no waiter of a fair lock is proven dead: Connection refused (on 10.0.0.2:7002)",
            "rows: there are more locks than are kept in memory",
            "rwlock_timeout: the leases of single readers are not known",
            "semaphores and latches: clients wait for more than 1000; the others are not read",
            "tracking-table-max-keys: the server tracks too few keys, changes of locks may be seen late",
            "SCAN: no connection to find locks with: Connection refused"};
        QCOMPARE(denialLines(all), lines);
    }

    void aCommandIsDeniedOnce() {
        Denials denials;
        denials.note(QStringLiteral("GET"), Consequence::LocksUnreadable);
        denials.note(QStringLiteral("GET"), Consequence::FencedLocksLookPlain);
        QCOMPARE(denialLines(denials.list()),
                 QStringList{"GET: fenced locks are shown as plain ones, without their token"});
        denials.clear();
        QVERIFY(denials.list().isEmpty());
    }

    void tellsHowFarTheSweepHasCome() {
        MonitorStats stats;
        stats.keysThisSweep = 410;
        QVERIFY(!objectOf(progressToJsonLine(stats, m_at)).contains("database_keys"));
        QVERIFY(progressToTextLine(stats, m_at).endsWith("progress       410 keys scanned"));
        stats.databaseSize = 1000;
        QCOMPARE(progressToJsonLine(stats, m_at),
                 QByteArray(R"({"at":"2026-01-31T12:00:00.123Z","database_keys":1000,"event":"progress","keys":410})"));
        QVERIFY(progressToTextLine(stats, m_at).endsWith("410 of 1000 keys scanned"));
    }

    void tellsOfTokenLitter() {
        MonitorStats stats;
        QVERIFY(!hasLitter(stats));
        stats.tokenLitter = TokenLitter{100'000, 2'000, 100'000, 20, 19, m_at};
        QVERIFY(hasLitter(stats));
        QCOMPARE(litterToJsonLine(*stats.tokenLitter, DiagnosisPhase::Begun, m_at),
                 QByteArray(R"({"at":"2026-01-31T12:00:00.123Z","certainty":"likely","diagnosis":"token_litter",)"
                            R"("event":"diagnosis","evidence":{"checked":20,"keys_sampled":100000,"left_over":19,)"
                            R"("tokens_estimated":100000,"tokens_found":2000},"issues":[6510],"phase":"begin"})"));
        const QString text = litterToTextLine(*stats.tokenLitter, DiagnosisPhase::Ended, m_at);
        QVERIFY2(text.endsWith("end token_litter: likely  about 100000 tokens of fenced locks without a TTL (2000 in a "
                               "sample of 100000 keys)"),
                 qPrintable(text));
        stats.tokenLitter->leftOver = 3;
        QVERIFY(!hasLitter(stats));
    }

    void tellsOfLeaseLitter() {
        MonitorStats stats;
        QVERIFY(!hasLeaseLitter(stats));
        stats.leaseLitter = LeaseLitter{40'000, 20, 15, m_at};
        QVERIFY(hasLeaseLitter(stats));
        QCOMPARE(leaseLitterToJsonLine(*stats.leaseLitter, DiagnosisPhase::Begun, m_at),
                 QByteArray(R"({"at":"2026-01-31T12:00:00.123Z","certainty":"likely","diagnosis":"lease_litter",)"
                            R"("event":"diagnosis","evidence":{"checked":20,"lease_sets":40000,"left_over":15,)"
                            R"("left_over_estimated":30000},"issues":[],"phase":"begin"})"));
        QVERIFY(
            leaseLitterToTextLine(*stats.leaseLitter, DiagnosisPhase::Ended, m_at)
                .endsWith("end lease_litter: likely  about 30000 of 40000 sets of permit leases have no semaphore"));
        stats.leaseLitter->leftOver = 4;  // 8,000 are not that many
        QVERIFY(!hasLeaseLitter(stats));
        stats.leaseLitter->checked = 0;
        QVERIFY(!hasLeaseLitter(stats));
    }

    void tellsOfAScriptStorm() {
        const ScriptStorm storm{"10.0.0.7:7000", 13'500, 1'350, m_at, m_at};
        QCOMPARE(
            stormToJsonLine(storm, DiagnosisPhase::Begun, m_at),
            QByteArray(R"({"at":"2026-01-31T12:00:00.123Z","certainty":"likely","diagnosis":"script_storm",)"
                       R"("event":"diagnosis","evidence":{"last":"2026-01-31T12:00:00.123Z","most_per_second":1350,)"
                       R"("noscript_errors":13500,"since":"2026-01-31T12:00:00.123Z"},"issues":[],)"
                       R"("node":"10.0.0.7:7000","phase":"begin"})"));
        const QString text = stormToTextLine(storm, DiagnosisPhase::Ended, m_at);
        QVERIFY2(
            text.endsWith("end script_storm: likely  13500 answers NOSCRIPT, up to 1350 a second, on 10.0.0.7:7000"),
            qPrintable(text));
        ScriptStorm weaker{{}, 2'000, 200, m_at, m_at};
        QCOMPARE(weaker.certainty(), Certainty::Suspected);
        QVERIFY(!objectOf(stormToJsonLine(weaker, DiagnosisPhase::Begun, m_at)).contains("node"));
    }

    void aStormIsReportedWhenItBeginsAndWhenItEnds() {
        const ScriptStorm storm{"10.0.0.7:7000", 13'500, 1'350, m_at, m_at};
        ScriptStorm stronger = storm;
        stronger.errors *= 2;
        QCOMPARE(changedStorms({storm}, {stronger}).size(), 0);
        QCOMPARE(changedStorms({}, {storm}).value(0).phase, DiagnosisPhase::Begun);
        QCOMPARE(changedStorms({storm}, {}).value(0).phase, DiagnosisPhase::Ended);
        ScriptStorm later = storm;
        later.since += std::chrono::hours(1);
        QCOMPARE(changedStorms({storm}, {later}).size(), 2);
    }

    void aSourceIsAnotherWhenItsLineIs() {
        MonitorStats stats;
        MonitorStats other = stats;
        other.readsPerSecond = 7;
        QVERIFY(isSameSource(stats, other));
        other.observation = ObservationMode::Polling;
        QVERIFY(!isSameSource(stats, other));
        other = stats;
        other.observationLimit.kind = ObservationLimit::Kind::TrackingRefused;
        QVERIFY(!isSameSource(stats, other));
        other = stats;
        other.denied = {{Denied::Command, QStringLiteral("GET"), Consequence::FencedLocksLookPlain, {}}};
        QVERIFY(!isSameSource(stats, other));
    }
};

LOCKKEEPER_TEST(TestStatsJson, Appless)

}  // namespace tst_statsjson

#include "tst_statsjson.moc"
