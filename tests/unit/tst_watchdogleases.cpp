// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/watchdogleases.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_watchdogleases {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

using Ttls = QList<Milliseconds>;

// What the renewals of a client show about its watchdog.
class TestWatchdogLeases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void learnsTheTimeout_data() {
        QTest::addColumn<Ttls>("renewals");
        QTest::addColumn<qint64>("timeout");
        const auto row = [](const char* name, const Ttls& renewals, Milliseconds timeout) {
            QTest::newRow(name) << renewals << qint64{timeout.count()};
        };
        row("two renewals that agree", {29990ms, 29999ms}, 29999ms);
        row("one may have been made by hand", {30s}, 0ms);
        row("two that do not agree", {30s, 20s}, 0ms);
        row("a TTL set by hand before", {3600s, 30s, 30s, 30s}, 30s);
        row("a TTL set by hand since", {30s, 30s, 30s, 3600s}, 30s);
        row("never the same twice", {30s, 40s, 50s, 60s, 70s}, 0ms);
    }
    void learnsTheTimeout() {
        QFETCH(Ttls, renewals);
        WatchdogLeases watchdogs;
        for (const Milliseconds ttl : renewals)
            (void)watchdogs.note(alice.client(), ttl);
        QTEST(qint64{watchdogs.of(alice.client()).value_or(0ms).count()}, "timeout");
        QVERIFY(!watchdogs.of(bob.client()));
    }

    void saysOnceThatItIsKnown() {
        WatchdogLeases watchdogs;
        using Learned = WatchdogLeases::Learned;
        QCOMPARE(watchdogs.note(alice.client(), 30s), Learned::No);
        QCOMPARE(watchdogs.note(alice.client(), 30s), Learned::Yes);
        QCOMPARE(watchdogs.note(alice.client(), 30s), Learned::No);
    }

    // Another lease may be that of a client that has other settings.
    void whatTheUserSaysCountsUntilMoreIsLearned() {
        WatchdogLeases watchdogs(20s);
        QCOMPARE(watchdogs.match(alice.client(), 20s), LeaseMatch::Watchdog);
        QCOMPARE(watchdogs.match(alice.client(), 19s), LeaseMatch::MayBe);
        QCOMPARE(watchdogs.match(alice.client(), 30s), LeaseMatch::NotKnown);
        QVERIFY(!watchdogs.of(alice.client()));
        (void)watchdogs.note(alice.client(), 30s);
        (void)watchdogs.note(alice.client(), 30s);
        QCOMPARE(watchdogs.match(alice.client(), 20s), LeaseMatch::Other);
        QCOMPARE(watchdogs.match(bob.client(), 20s), LeaseMatch::Watchdog);
    }

    void comparesALeaseWithIt_data() {
        QTest::addColumn<qint64>("lease");
        QTest::addColumn<LeaseMatch>("match");
        QTest::newRow("the timeout") << qint64{30000} << LeaseMatch::Watchdog;
        QTest::newRow("read promptly") << qint64{29750} << LeaseMatch::Watchdog;
        QTest::newRow("read late") << qint64{29749} << LeaseMatch::MayBe;
        QTest::newRow("read as late as a begin may be seen") << qint64{28000} << LeaseMatch::MayBe;
        QTest::newRow("shorter") << qint64{27999} << LeaseMatch::Other;
        QTest::newRow("longer") << qint64{30251} << LeaseMatch::Other;
    }
    void comparesALeaseWithIt() {
        QFETCH(qint64, lease);
        WatchdogLeases watchdogs;
        QCOMPARE(watchdogs.match(alice.client(), Milliseconds(lease)), LeaseMatch::NotKnown);
        (void)watchdogs.note(alice.client(), 30s);
        (void)watchdogs.note(alice.client(), 30s);
        QTEST(watchdogs.match(alice.client(), Milliseconds(lease)), "match");
    }
};

LOCKKEEPER_TEST(TestWatchdogLeases, Appless)

}  // namespace tst_watchdogleases

#include "tst_watchdogleases.moc"
