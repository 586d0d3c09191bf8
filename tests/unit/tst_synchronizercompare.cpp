// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/synchronizercompare.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_synchronizercompare {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

const WallTime start{Milliseconds(1'700'000'000'000)};

Synchronizer semaphore(std::optional<qint64> free, int clients, std::vector<PermitLease> leases = {}) {
    Synchronizer made;
    made.name = LockName("pool");
    made.kind = SynchronizerKind::Semaphore;
    made.state = free ? CounterState::Read : CounterState::Missing;
    made.count = free.value_or(0);
    made.leased = static_cast<qint64>(leases.size());
    made.leases = std::move(leases);
    made.clients = clients;
    made.seenAtWall = start;
    return made;
}

PermitLease permit(char id, std::optional<Milliseconds> end) {
    return {QByteArray(16, id), end ? std::optional(start + *end) : std::nullopt};
}

Synchronizer ofKind(SynchronizerKind kind, Synchronizer one) {
    one.kind = kind;
    return one;
}

// The second of two reads, the second one this much later.
Synchronizer read(const std::optional<Synchronizer>& before, Synchronizer now, Milliseconds later = 1500ms) {
    std::optional<Synchronizer> first = before;
    if (first)
        compareWithEarlier(*first, nullptr, start);
    compareWithEarlier(now, first ? &*first : nullptr, start + later);
    return now;
}

}  // namespace

// What two reads of a semaphore show together.
class TestSynchronizerCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void freePermitsThatNobodyTakes() {
        const Synchronizer now = read(semaphore(2, 3), semaphore(2, 3));
        QCOMPARE(now.diagnoses, (QList<Diagnosis>{{Certainty::Suspected, PermitsUnclaimed{2, 3, start}}}));
        // It began with the first read, also when the number of clients changes.
        Synchronizer later = semaphore(2, 1);
        later.seenAtWall = start + 3s;
        compareWithEarlier(later, &now, start + 3s);
        QCOMPARE(later.diagnoses, (QList<Diagnosis>{{Certainty::Suspected, PermitsUnclaimed{2, 1, start}}}));
    }

    void nothingIsSaidOfPermitsThatAreTaken_data() {
        QTest::addColumn<std::optional<Synchronizer>>("before");
        QTest::addColumn<Synchronizer>("now");
        const auto row = [](const char* name, const std::optional<Synchronizer>& before, const Synchronizer& now) {
            QTest::newRow(name) << before << now;
        };
        row("the first read: they may be about to take them", std::nullopt, semaphore(2, 3));
        row("other numbers: somebody takes them", semaphore(3, 3), semaphore(2, 3));
        row("none is free", semaphore(0, 3), semaphore(0, 3));
        row("more are taken than there are", semaphore(-1, 3), semaphore(-1, 3));
        row("nobody waits any more", semaphore(2, 3), semaphore(2, 0));
        row("nobody waited before", semaphore(2, 0), semaphore(2, 3));
        row("a latch has a count", ofKind(SynchronizerKind::CountDownLatch, semaphore(2, 3)),
            ofKind(SynchronizerKind::CountDownLatch, semaphore(2, 3)));
        row("of an unknown kind", ofKind(SynchronizerKind::Unknown, semaphore(2, 3)),
            ofKind(SynchronizerKind::Unknown, semaphore(2, 3)));
        row("no key", semaphore(std::nullopt, 3), semaphore(std::nullopt, 3));
    }
    void nothingIsSaidOfPermitsThatAreTaken() {
        QFETCH(const std::optional<Synchronizer>, before);
        QFETCH(const Synchronizer, now);
        QCOMPARE(read(before, now).diagnoses, QList<Diagnosis>());
    }

    void aLeaseThatIsOver_data() {
        QTest::addColumn<Synchronizer>("now");
        QTest::addColumn<QList<Diagnosis>>("diagnoses");
        const QByteArray a = QByteArray(16, 'a').toHex();
        QTest::newRow("over") << semaphore(0, 2, {permit('a', -10s), permit('b', 20s)})
                              << QList<Diagnosis>{{Certainty::Suspected, PermitLeaseOver{a, start - 10s, 1, 2}}};
        QTest::newRow("nobody waits: the next one gets it all the same")
            << semaphore(0, 0, {permit('a', -1h), permit('b', -1min), permit('c', std::nullopt)})
            << QList<Diagnosis>{{Certainty::Suspected, PermitLeaseOver{a, start - 1h, 2, 0}}};
        QTest::newRow("over by less than clocks differ")
            << semaphore(0, 2, {permit('a', -9999ms)}) << QList<Diagnosis>();
        QTest::newRow("not over") << semaphore(0, 2, {permit('a', 1s)}) << QList<Diagnosis>();
        QTest::newRow("without an end") << semaphore(0, 2, {permit('a', std::nullopt)}) << QList<Diagnosis>();
        QTest::newRow("left over: there is no semaphore")
            << semaphore(std::nullopt, 2, {permit('a', -1h)}) << QList<Diagnosis>();
        QTest::newRow("no leases") << semaphore(0, 2) << QList<Diagnosis>();
    }
    void aLeaseThatIsOver() {
        QFETCH(const Synchronizer, now);
        QTEST(read(std::nullopt, now, 0ms).diagnoses, "diagnoses");
    }

    void sinceWhenAPermitIsLeased() {
        const Synchronizer first = read(std::nullopt, semaphore(2, 0, {permit('a', 1min)}), 0ms);
        QVERIFY(!first.leases[0].since);  // it may be old
        Synchronizer now = semaphore(1, 0, {permit('a', 1min), permit('b', 2min)});
        compareWithEarlier(now, &first, start + 2s);
        QVERIFY(!now.leases[0].since);
        QCOMPARE(now.leases[1].since, std::optional(start + 2s));
        Synchronizer later = semaphore(2, 0, {permit('b', 3min)});
        compareWithEarlier(later, &now, start + 4s);
        QCOMPARE(later.leases[0].since, std::optional(start + 2s));  // a prolonged lease is the same permit
    }

    void sinceIsNotKnownIfNotAllWereRead() {
        Synchronizer first = semaphore(2, 0, {permit('a', 1min)});
        first.leased = 200;
        Synchronizer now = semaphore(2, 0, {permit('b', 2min)});
        compareWithEarlier(now, &first, start + 2s);
        QVERIFY(!now.leases[0].since);
    }
};

LOCKKEEPER_TEST(TestSynchronizerCompare, Guiless)

}  // namespace tst_synchronizercompare

#include "tst_synchronizercompare.moc"
