// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/synchronizerjson.h"
#include "support/awkwardnames.h"
#include "support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_synchronizerjson {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

using Phase = SynchronizerPhase;

Synchronizer semaphore(const QByteArray& name, qint64 free = 0, int clients = 1) {
    Synchronizer made;
    made.name = LockName(name);
    made.kind = SynchronizerKind::Semaphore;
    made.state = CounterState::Read;
    made.count = free;
    made.leased = 0;
    made.clients = clients;
    return made;
}

SynchronizerReading readingOf(std::vector<Synchronizer> seen, int beyond = 0) {
    SynchronizerReading reading;
    reading.inAll = static_cast<int>(seen.size()) + beyond;
    reading.seen = std::move(seen);
    return reading;
}

QByteArrayList changed(const SynchronizerReading& before, const SynchronizerReading& after) {
    static const QByteArrayList words{"begin ", "change ", "end "};
    QByteArrayList lines;
    for (const SynchronizerChange& change : changesBetween(before, after))
        lines << words[static_cast<int>(change.phase)] + change.synchronizer.name.bytes();
    return lines;
}

}  // namespace

// What `watch` prints about semaphores and latches.
class TestSynchronizerJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deafWaitersComeWithTheirEvidence() {
        Synchronizer deaf = semaphore("pool", 0, 0);
        deaf.deaf = DeafWaiters{2, "10.0.0.7:6379", "10.0.0.8:6379", WallTime(1s)};
        const SynchronizerChange change{Phase::Begun, deaf};
        const QJsonObject json = QJsonDocument::fromJson(toJsonLine(change, WallTime(12s))).object();
        QCOMPARE(json["diagnosis"].toString(), "deaf_waiters");
        QCOMPARE(json["certainty"].toString(), "suspected");
        QCOMPARE(json["evidence"]["clients"].toInt(), 2);
        QVERIFY(toTextLine(change, WallTime(12s)).endsWith("waiters 0  deaf_waiters: suspected"));
    }

    void severalDiagnosesAreAllInTheLine() {
        Synchronizer pool = semaphore("pool", 2, 3);
        pool.diagnoses = {{Certainty::Suspected, PermitsUnclaimed{2, 3, WallTime(1s)}}};
        const SynchronizerChange one{Phase::Changed, pool};
        const QJsonObject single = QJsonDocument::fromJson(toJsonLine(one, WallTime(12s))).object();
        QCOMPARE(single["diagnosis"].toString(), "permits_unclaimed");
        QCOMPARE(single["certainty"].toString(), "suspected");
        QCOMPARE(single["evidence"]["free_permits"].toInt(), 2);
        QVERIFY(!single.contains("diagnoses"));
        pool.diagnoses += Diagnosis{Certainty::Suspected, PermitLeaseOver{"00ff", WallTime(2s), 1, 3}};
        const SynchronizerChange both{Phase::Changed, pool};
        const QJsonObject json = QJsonDocument::fromJson(toJsonLine(both, WallTime(12s))).object();
        QCOMPARE(json["diagnosis"].toString(), "permits_unclaimed");
        QCOMPARE(json["diagnoses"].toArray().size(), 2);
        QCOMPARE(json["diagnoses"][1]["diagnosis"].toString(), "permit_lease_over");
        QCOMPARE(json["diagnoses"][1]["evidence"]["permit"].toString(), "00ff");
        QVERIFY(toTextLine(both, WallTime(12s))
                    .endsWith("waiters 3  permits_unclaimed: suspected  permit_lease_over: suspected"));
    }

    void leasesWithoutASemaphoreAreLeftOver() {
        Synchronizer gone = semaphore("pool", 0, 0);
        gone.state = CounterState::Missing;
        gone.leased = 1;
        gone.leases = {{"A", {}, WallTime(1769860800123ms)}};
        const QJsonObject json =
            QJsonDocument::fromJson(toJsonLine({Phase::Begun, gone}, WallTime(1769860800123ms))).object();
        QVERIFY(json["left_over"].toBool());
        QCOMPARE(json["leases"][0]["since"].toString(), "2026-01-31T12:00:00.123Z");
        gone.leased = 0;
        gone.leases.clear();
        QVERIFY(!QJsonDocument::fromJson(toJsonLine({Phase::Begun, gone}, WallTime())).object().contains("left_over"));
    }

    // The end of a semaphore is that nobody waits for it any more.
    void whatEndsHasNoWaiters_data() {
        QTest::addColumn<int>("sight");
        QTest::addColumn<int>("waiters");
        using Sight = SynchronizerReading::Sight;
        QTest::newRow("nobody waits") << int(Sight::Clear) << 0;
        QTest::newRow("they may wait still, but may not be seen") << int(Sight::Refused) << 2;
    }
    void whatEndsHasNoWaiters() {
        QFETCH(const int, sight);
        Synchronizer pool = semaphore("pool", 1, 2);
        pool.diagnoses = {{Certainty::Suspected, PermitsUnclaimed{1, 2, WallTime(1s)}}};
        SynchronizerReading after = readingOf({});
        after.sight = static_cast<SynchronizerReading::Sight>(sight);
        const std::vector<SynchronizerChange> changes = changesBetween(readingOf({pool}), after);
        QCOMPARE(changes.size(), size_t{1});
        QTEST(changes[0].synchronizer.clients, "waiters");
        QCOMPARE(changes[0].synchronizer.diagnoses, QList<Diagnosis>());
    }

    void tellsWhatBeginsChangesAndEnds() {
        Synchronizer later = semaphore("b");
        later.seenAtWall += 2s;
        later.seenAt += 2s;
        QCOMPARE(changed(readingOf({semaphore("a"), semaphore("b"), semaphore("c")}),
                         readingOf({later, semaphore("c", 1), semaphore("d")})),
                 QByteArrayList({"end a", "change c", "begin d"}));
        QCOMPARE(changed(readingOf({}), readingOf({semaphore("a")})), QByteArrayList{"begin a"});
        QCOMPARE(changed(readingOf({semaphore("a", 0, 1)}), readingOf({semaphore("a", 0, 2)})),
                 QByteArrayList{"change a"});
        QCOMPARE(changed(readingOf({semaphore("a")}), readingOf({})), QByteArrayList{"end a"});
    }

    void whatIsBeyondTheBoundHasNotEnded() {
        QCOMPARE(changed(readingOf({semaphore("b"), semaphore("c"), semaphore("d")}),
                         readingOf({semaphore("a"), semaphore("c")}, 1)),
                 QByteArrayList({"begin a", "end b"}));
    }

    void isAJsonLine_data() {
        QTest::addColumn<int>("phase");
        QTest::addColumn<Synchronizer>("synchronizer");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("semaphore")
            << int(Phase::Begun) << semaphore("pool", 3, 2)
            << QByteArray(R"("event":"synchronizer","free_permits":3,"kind":"semaphore","name":"pool","phase":"begin",)"
                          R"("waiters":2})");
        Synchronizer leased = semaphore("pool");
        leased.leased = 2;
        leased.leases = {{QByteArray::fromHex("00ff"), WallTime(1769860801000ms)}, {"A", {}}};
        QTest::newRow("leases")
            << int(Phase::Changed) << leased
            << QByteArray(
                   R"("event":"synchronizer","free_permits":0,"kind":"semaphore","leased":2,"leases":[{"id":"00ff",)"
                   R"("until":"2026-01-31T12:00:01.000Z"},{"id":"41"}],"name":"pool",)"
                   R"("phase":"change","waiters":1})");
        Synchronizer latch = semaphore("start");
        latch.kind = SynchronizerKind::CountDownLatch;
        latch.state = CounterState::Missing;
        QTest::newRow("an open latch")
            << int(Phase::Ended) << latch
            << QByteArray(R"("count":0,"event":"synchronizer","key":"missing","kind":"count_down_latch",)"
                          R"("name":"start","phase":"end","waiters":1})");
        Synchronizer unknown = semaphore("\xff");
        unknown.kind = SynchronizerKind::Unknown;
        unknown.count.reset();
        unknown.state = CounterState::NoCounter;
        QTest::newRow("no counter")
            << int(Phase::Begun) << unknown
            << QByteArray(R"("event":"synchronizer","key":"no_counter","kind":"unknown","name_base64":"/w==",)"
                          R"("phase":"begin","waiters":1})");
        unknown.name = LockName("x");
        unknown.state = CounterState::NotReadable;
        QTest::newRow("not readable")
            << int(Phase::Begun) << unknown
            << QByteArray(R"("event":"synchronizer","key":"not_readable","kind":"unknown","name":"x",)"
                          R"("phase":"begin","waiters":1})");
        unknown.state = CounterState::Read;
        unknown.count = 4;
        QTest::newRow("of unknown kind")
            << int(Phase::Begun) << unknown
            << QByteArray(R"("event":"synchronizer","kind":"unknown","name":"x","phase":"begin","value":4,)"
                          R"("waiters":1})");
    }
    void isAJsonLine() {
        QFETCH(const int, phase);
        QFETCH(const Synchronizer, synchronizer);
        QFETCH(const QByteArray, line);
        QCOMPARE(toJsonLine({static_cast<Phase>(phase), synchronizer}, WallTime(1769860800123ms)),
                 R"({"at":"2026-01-31T12:00:00.123Z",)" + line);
    }

    void everyNameComesBackAsItWas_data() { test::addAwkwardNames(); }
    void everyNameComesBackAsItWas() {
        QFETCH(const QByteArray, name);
        const QByteArray line = toJsonLine({Phase::Begun, semaphore(name)}, WallTime());
        const QJsonObject json = QJsonDocument::fromJson(line).object();
        const QJsonValue base64 = json["name_base64"];
        QCOMPARE(base64.isUndefined() ? json["name"].toString().toUtf8()
                                      : QByteArray::fromBase64(base64.toString().toLatin1()),
                 name);
    }

    void aLongNameIsCutInALineOfText() {
        const QString line = toTextLine({Phase::Begun, semaphore(QByteArray(1'000'000, 'x'))}, WallTime());
        QVERIFY2(line.size() < 400 && line.contains(QStringLiteral("x (1000000 bytes)")), qPrintable(line.left(400)));
    }

    void isATextLine() {
        Synchronizer leased = semaphore("pool");
        leased.leased = 2;
        const QString text = toTextLine({Phase::Begun, leased}, WallTime(1769860800123ms));
        QVERIFY2(text.endsWith("synchronizer   begin semaphore pool  free_permits 0  leased 2  waiters 1"),
                 qPrintable(text));
        leased.kind = SynchronizerKind::CountDownLatch;
        leased.state = CounterState::Missing;
        leased.leased.reset();
        const QString latch = toTextLine({Phase::Ended, leased}, WallTime(1769860800123ms));
        QVERIFY2(latch.endsWith("end count_down_latch pool  count 0  key missing  waiters 1"), qPrintable(latch));
    }
};

LOCKKEEPER_TEST(TestSynchronizerJson, Appless)

}  // namespace tst_synchronizerjson

#include "tst_synchronizerjson.moc"
