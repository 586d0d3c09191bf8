// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticewatch.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_noticewatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// Each rule fires once an episode, only on live observations, and only if it is switched on.
class TestNoticeWatch : public QObject {
    Q_OBJECT

private:
    void setRules(const NoticeRules& rules, const std::vector<LockRow>& rows = {}) {
        if (!m_watch.setRules(rules))
            return;
        for (const LockRow& row : rows)
            m_watch.follow(row);
    }
    static NoticeRules heldLonger(Milliseconds limit) {
        NoticeRules rules;
        rules.heldLonger = limit;
        return rules;
    }
    static NoticeRules ttlUnder(Milliseconds limit) {
        NoticeRules rules;
        rules.ttlUnder = limit;
        return rules;
    }
    static NoticeRules diagnosed(QList<DiagnosisKind> kinds) {
        NoticeRules rules;
        rules.diagnoses = std::move(kinds);
        return rules;
    }
    // A lock that was read just now; held since the given moment, or since now.
    LockRow held(const char* name, Milliseconds ttl, std::optional<WallTime> since = {}) const {
        LockRow row = heldRow(m_clock, lockName(name), ttl);
        row.hold.peakTtl = std::max(ttl, Milliseconds(30s));
        row.hold.sinceWall = since.value_or(m_clock.wallNow());
        row.hold.since =
            m_clock.now() - std::chrono::duration_cast<SteadyTime::duration>(m_clock.wallNow() - row.hold.sinceWall);
        return row;
    }
    void follow(const LockRow& row) { m_watch.apply(batchOf({row})); }
    void follow(const ClientRow& client) {
        MonitorBatch batch;
        batch.clients = {std::make_shared<const ClientRow>(client)};
        m_watch.apply(batch);
    }
    // A client that renews none of these locks; without locks there is nothing wrong with it.
    static ClientRow silent(const QByteArrayList& locks) {
        ClientRow client;
        client.id = ClientId("worker");
        StoppedLocks stopped;
        stopped.client = client.id;
        stopped.count = locks.size();
        for (const QByteArray& lock : locks)
            stopped.locks += LockName(lock);
        if (!locks.isEmpty())
            client.diagnoses = {{Certainty::Likely, ClientRenewsNothing{stopped, {}}}};
        return client;
    }
    // "+held L, -ttl M": what has started and ended since the last call.
    QString changes() {
        QStringList all;
        for (const auto& [phase, notice] : m_watch.take(m_clock.now())) {
            const QString what = notice.diagnosis                         ? wordFor(notice.diagnosis->kind())
                                 : notice.kind == NoticeKind::HeldLonger  ? QStringLiteral("held")
                                 : notice.kind == NoticeKind::ManyWaiters ? QStringLiteral("waiters")
                                 : notice.kind == NoticeKind::Lost        ? QStringLiteral("lost")
                                                                          : QStringLiteral("ttl");
            const QString who = notice.client ? QString::fromLatin1(notice.client->bytes()) : notice.lock.display();
            all << (phase == NoticeChange::Phase::Begun   ? QStringLiteral("+%1 %2")
                    : phase == NoticeChange::Phase::Ended ? QStringLiteral("-%1 %2")
                                                          : QStringLiteral("!%1 %2"))
                       .arg(what, who);
        }
        all.sort();
        return all.join(QStringLiteral(", "));
    }
    QString changesAfter(Milliseconds time) {
        m_clock.advance(time);
        return changes();
    }

    ManualClock m_clock;
    NoticeWatch m_watch;

private Q_SLOTS:
    void init() { m_watch = NoticeWatch(); }

    void withoutARuleThereIsNothing() {
        LockRow row = held("L", 5s);
        row.diagnoses = {watchdogStopped(m_clock)};
        follow(row);
        QVERIFY(!m_watch.nextDue());
        QCOMPARE(changesAfter(24h), QString());
    }

    void heldLongerIsReportedOnceAHold() {
        setRules(heldLonger(60s));
        const WallTime since = m_clock.wallNow();
        follow(held("L", 30s));
        QCOMPARE(*m_watch.nextDue(), m_clock.now() + 61s);
        QCOMPARE(changesAfter(60s), QString());
        follow(held("L", 30s, since));  // renewed
        QCOMPARE(changesAfter(1s), QStringLiteral("+held L"));
        QVERIFY(!m_watch.nextDue());
        follow(held("L", 30s, since));
        QCOMPARE(changesAfter(1h), QString());
        follow(freeRow(m_clock, lockName("L")));
        QCOMPARE(changes(), QStringLiteral("-held L"));
        follow(held("L", 30s));
        QCOMPARE(changesAfter(61s), QStringLiteral("+held L"));
        // The lock was handed over between two reads: another hold, although no read saw it free.
        follow(held("L", 30s));
        QCOMPARE(changes(), QStringLiteral("-held L"));
        QCOMPARE(changesAfter(61s), QStringLiteral("+held L"));
    }

    void nearMissReleasedInTime() {
        setRules(heldLonger(60s));
        follow(held("L", 30s));
        m_clock.advance(60s);
        follow(freeRow(m_clock, lockName("L")));
        QVERIFY(!m_watch.nextDue());
        QCOMPARE(changesAfter(1h), QString());
    }

    void heldLongSinceBeforeTheRuleIsReportedToo() {
        follow(held("L", 30s));
        setRules(heldLonger(60s), {held("L", 30s, m_clock.wallNow() - 1h)});
        QCOMPARE(changes(), QStringLiteral("+held L"));
    }

    void theWallClockMayJump() {
        setRules(heldLonger(60s));
        const LockRow first = held("L", 30s);
        follow(first);
        m_clock.jumpWall(Milliseconds(10h));
        // The lock is read again: the hold is the same, although the wall clock says ten hours.
        LockRow again = held("L", 30s, first.hold.sinceWall);
        again.hold.since = first.hold.since;
        follow(again);
        QCOMPARE(changesAfter(59s), QString());
        QCOMPARE(changesAfter(2s), QStringLiteral("+held L"));
    }

    void ttlUnderIsReportedWhenNoRenewalCame() {
        setRules(ttlUnder(10s));
        const WallTime since = m_clock.wallNow();
        follow(held("L", 30s, since));
        QCOMPARE(changesAfter(20s), QString());
        QCOMPARE(changesAfter(2s), QStringLiteral("+ttl L"));
        follow(held("L", 30s, since));  // renewed late: the TTL may fall below the limit once more
        QCOMPARE(changes(), QStringLiteral("-ttl L"));
        QCOMPARE(changesAfter(22s), QStringLiteral("+ttl L"));
    }

    void nearMissesOfTtlUnder() {
        setRules(ttlUnder(10s));
        const WallTime since = m_clock.wallNow();
        follow(held("renewed", 30s, since));
        m_clock.advance(15s);
        follow(held("renewed", 30s, since));
        LockRow shortLease = held("short", 5s);
        shortLease.hold.peakTtl = 5s;  // the TTL never was above the limit
        follow(shortLease);
        follow(neverExpiringRow(m_clock, lockName("endless")));
        QCOMPARE(changesAfter(10s), QString());
    }

    void aDiagnosisIsReportedFromItsBeginToItsEnd() {
        setRules(diagnosed({DiagnosisKind::WatchdogStopped, DiagnosisKind::WaitersAsleep}));
        LockRow row = held("L", 12s);
        row.diagnoses = {watchdogStopped(m_clock)};
        follow(row);
        QCOMPARE(changes(), QStringLiteral("+watchdog_stopped L"));
        m_clock.advance(1s);
        row.diagnoses = {watchdogStopped(m_clock)};  // other evidence
        follow(row);
        QCOMPARE(changes(), QString());
        row.diagnoses.clear();
        follow(row);
        QCOMPARE(changes(), QStringLiteral("-watchdog_stopped L"));
        row.diagnoses = {watchdogStopped(m_clock)};
        follow(row);
        QCOMPARE(changes(), QStringLiteral("+watchdog_stopped L"));
        // The rule also applies to a free lock.
        LockRow asleep = freeRow(m_clock, lockName("M"));
        asleep.diagnoses = {{Certainty::Likely, WaitersAsleep{2, m_clock.wallNow()}}};
        follow(asleep);
        QCOMPARE(changes(), QStringLiteral("+waiters_asleep M"));
    }

    void aClientIsReportedOnceWithAllItsLocks() {
        setRules(diagnosed({DiagnosisKind::ClientRenewsNothing, DiagnosisKind::RenewalBroken}));
        follow(silent({"orders:1", "orders:2"}));
        QCOMPARE(changes(), QStringLiteral("+client_renews_nothing worker"));
        follow(silent({"orders:1", "orders:2", "orders:3"}));  // other evidence
        QCOMPARE(changes(), QString());
        ClientRow broken = silent({"orders:1"});
        broken.diagnoses = {{Certainty::Likely, RenewalBroken{*stoppedLocks(broken.diagnoses.first()), {}}}};
        follow(broken);
        QCOMPARE(changes(), QStringLiteral("+renewal_broken worker, -client_renews_nothing worker"));
        follow(silent({}));
        QCOMPARE(changes(), QStringLiteral("-renewal_broken worker"));
        follow(silent({"orders:1"}));
        MonitorBatch gone;
        gone.removedClients = {ClientId("worker")};
        m_watch.apply(gone);
        QCOMPARE(changes(), QStringLiteral("+client_renews_nothing worker, -client_renews_nothing worker"));
    }

    void nearMissesOfAClient_data() {
        QTest::addColumn<QList<DiagnosisKind>>("kinds");
        QTest::addColumn<QList<QByteArray>>("patterns");
        QTest::addColumn<QByteArrayList>("locks");
        QTest::addColumn<QString>("reported");
        const QList<DiagnosisKind> both{DiagnosisKind::ClientRenewsNothing, DiagnosisKind::WatchdogStopped};
        const QString reported = QStringLiteral("+client_renews_nothing worker");
        QTest::newRow("one lock, of which its own diagnosis tells")
            << both << QList<QByteArray>() << QByteArrayList{"a"} << QString();
        QTest::newRow("two locks") << both << QList<QByteArray>() << QByteArrayList{"a", "b"} << reported;
        QTest::newRow("one lock, and nothing else is asked for")
            << both.mid(0, 1) << QList<QByteArray>() << QByteArrayList{"a"} << reported;
        QTest::newRow("not asked for") << both.mid(1) << QList<QByteArray>() << QByteArrayList{"a", "b"} << QString();
        QTest::newRow("one of its locks has such a name")
            << both << QList<QByteArray>{"b*"} << QByteArrayList{"a", "b"} << reported;
        QTest::newRow("none of its locks has such a name")
            << both << QList<QByteArray>{"c*"} << QByteArrayList{"a", "b"} << QString();
    }
    void nearMissesOfAClient() {
        QFETCH(const QList<DiagnosisKind>, kinds);
        QFETCH(const QList<QByteArray>, patterns);
        QFETCH(const QByteArrayList, locks);
        NoticeRules rules = diagnosed(kinds);
        rules.names = patterns;
        setRules(rules);
        follow(silent(locks));
        QTEST(changes(), "reported");
    }

    // A rule that is taken back ends what it has reported.
    void aClientIsNotReportedByAnEarlierRule() {
        setRules(diagnosed({DiagnosisKind::ClientRenewsNothing}));
        follow(silent({"a", "b"}));
        QCOMPARE(changes(), QStringLiteral("+client_renews_nothing worker"));
        setRules(diagnosed({DiagnosisKind::WatchdogStopped}));
        QCOMPARE(changes(), QStringLiteral("-client_renews_nothing worker"));
    }

    void nearMissADiagnosisNotAskedFor() {
        setRules(diagnosed({DiagnosisKind::WaitersAsleep}));
        follow(diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock), fixedLease(m_clock)}));
        QCOMPARE(changes(), QString());
    }

    void onlyLocksOfTheNamesGiven_data() {
        QTest::addColumn<QList<QByteArray>>("patterns");
        QTest::addColumn<bool>("told");
        QTest::newRow("none: all") << QList<QByteArray>() << true;
        QTest::newRow("as it is") << QList<QByteArray>{"orders/{42}"} << true;
        QTest::newRow("one of two") << QList<QByteArray>{"x", "orders/*"} << true;
        QTest::newRow("another") << QList<QByteArray>{"order"} << false;
    }
    void onlyLocksOfTheNamesGiven() {
        QFETCH(const QList<QByteArray>, patterns);
        NoticeRules rules = heldLonger(1s);
        rules.names = patterns;
        setRules(rules);
        follow(held("orders/{42}", 30s));
        const bool told = !changesAfter(10s).isEmpty();
        QTEST(told, "told");
    }

    void onlyWhatIsCertainEnough() {
        NoticeRules rules = diagnosed({DiagnosisKind::WatchdogStopped});
        rules.leastCertain = Certainty::Certain;
        setRules(rules);
        const LockRow row = diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)});  // likely
        follow(row);
        QCOMPARE(changes(), QString());
        rules.leastCertain = Certainty::Likely;
        setRules(rules, {row});
        QCOMPARE(changes(), QStringLiteral("+watchdog_stopped L"));
        rules.leastCertain = Certainty::Certain;
        setRules(rules, {row});
        QCOMPARE(changes(), QStringLiteral("-watchdog_stopped L"));
    }

    void manyWaiters() {
        NoticeRules rules;
        rules.waitersAtLeast = 3;
        setRules(rules);
        const WallTime since = m_clock.wallNow();
        const auto waitedFor = [&](std::optional<int> waiters, int monitors = 0) {
            LockRow row = held("L", 30s, since);
            row.lock.waiters = waiters;
            row.lock.monitorsAmongWaiters = monitors;
            follow(row);
            return changes();
        };
        QCOMPARE(waitedFor(2), QString());
        QCOMPARE(waitedFor(4, 2), QString());  // two of them only watch
        QCOMPARE(waitedFor(3), QStringLiteral("+waiters L"));
        QCOMPARE(waitedFor(5), QString());
        QCOMPARE(waitedFor(std::nullopt), QString());  // not known: neither a begin nor an end
        QCOMPARE(waitedFor(2), QStringLiteral("-waiters L"));
        // Free, and waited for.
        LockRow row = freeRow(m_clock, lockName("M"));
        row.lock.waiters = 3;
        follow(row);
        QCOMPARE(changes(), QStringLiteral("+waiters M"));
        row.lock.waiters = 0;
        follow(row);
        QCOMPARE(changes(), QStringLiteral("-waiters M"));
    }

    void aLossIsOfOneMoment() {
        NoticeRules rules;
        rules.lost = true;
        rules.names = {"L*"};
        setRules(rules);
        MonitorBatch batch;
        batch.events = {eventOf(m_clock, EventType::Expired, held("L", 30s)),
                        eventOf(m_clock, EventType::Released, held("L2", 30s)),
                        eventOf(m_clock, EventType::Gone, held("L3", 30s)),
                        eventOf(m_clock, EventType::Expired, held("M", 30s))};
        m_watch.apply(batch);
        QCOMPARE(changes(), QStringLiteral("!lost L"));
        QCOMPARE(changesAfter(1h), QString());
    }

    // The locks of a lost node are as they were last seen; those of the others go on.
    void aLostNodeBeginsNothing() {
        setRules(heldLonger(60s));
        const NodePointer lost(new Node(topology::ShardId(), QStringLiteral("a:1")));
        LockRow row = held("L", 30s);
        row.lock.node = lost;
        follow(row);
        LockRow other = held("M", 30s);
        other.lock.node = NodePointer(new Node(topology::ShardId(), QStringLiteral("b:1")));
        follow(other);
        m_watch.interrupt({QStringLiteral("a:1")});
        QCOMPARE(changesAfter(1h), QStringLiteral("+held M"));
        row.lock.seenAt = m_clock.now();  // read again: held since then
        follow(row);
        QCOMPARE(changes(), QStringLiteral("+held L"));
    }

    void whatIsOldIsNotReported() {
        setRules(heldLonger(60s));
        follow(held("L", 30s));
        m_clock.advance(50s);
        m_watch.interrupt();
        QVERIFY(!m_watch.nextDue());
        QCOMPARE(changesAfter(1h), QString());
        // The lock is read again, and still held since then: a live observation.
        follow(held("L", 30s, m_clock.wallNow() - 1h));
        QCOMPARE(changes(), QStringLiteral("+held L"));
    }

    // What has begun just before a loss, and was not taken, begins when it is read again.
    void whatNobodyTookBeginsAgain() {
        setRules(diagnosed(
            {DiagnosisKind::WatchdogStopped, DiagnosisKind::RenewalBroken, DiagnosisKind::ClientRenewsNothing}));
        const LockRow row = diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)});
        follow(row);
        follow(silent({"a", "b"}));
        m_watch.interrupt();
        QCOMPARE(changes(), QString());
        follow(row);
        follow(silent({"a", "b"}));
        QCOMPARE(changes(), QStringLiteral("+client_renews_nothing worker, +watchdog_stopped L"));
    }

    void anotherServerBeginsAgain() {
        setRules(heldLonger(60s));
        follow(held("L", 30s));
        MonitorBatch reset;
        reset.reset = true;
        m_watch.apply(reset);
        QVERIFY(!m_watch.nextDue());
        QCOMPARE(changesAfter(1h), QString());
    }

    void aForgottenLockIsForgotten() {
        setRules(heldLonger(60s));
        follow(held("L", 30s));
        MonitorBatch gone;
        gone.removed = {lockName("L")};
        m_watch.apply(gone);
        QVERIFY(!m_watch.nextDue());
    }

    void anotherLimitIsAnotherRule() {
        setRules(heldLonger(10s));
        const LockRow row = held("L", 30s);
        follow(row);
        QCOMPARE(changesAfter(11s), QStringLiteral("+held L"));
        setRules(heldLonger(20s), {row});
        QCOMPARE(changes(), QStringLiteral("-held L"));
        QCOMPARE(changesAfter(10s), QStringLiteral("+held L"));
        setRules({}, {row});
        QCOMPARE(changes(), QStringLiteral("-held L"));
        QVERIFY(!m_watch.nextDue());
    }
};

LOCKKEEPER_TEST(TestNoticeWatch, Guiless)

}  // namespace tst_noticewatch

#include "tst_noticewatch.moc"
