// SPDX-License-Identifier: Apache-2.0
#include "locks/watchdog.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_watchdog {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const ClientId client("5f0a3c8e-0000-4000-8000-000000000001");
constexpr Milliseconds timeout = 30s;

HoldKey keyOf(const QByteArray& name, qint64 thread = 1) {
    return {LockName(name), HolderId(client, ThreadId{thread})};
}

QByteArray answers(const QList<int>& each) {
    QByteArray reply = '*' + QByteArray::number(each.size()) + "\r\n";
    for (const int answer : each)
        reply += test::number(answer);
    return reply;
}

}  // namespace

class TestWatchdog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        redis::ConnectionOptions options;
        options.commandTimeout = 1h;
        options.keepaliveInterval = 24h;
        m_shards = std::make_unique<topology::OneShard>(m_server->factory());
        m_connections = std::make_unique<topology::ShardConnections>(options, *m_shards, *m_clock);
        m_connections->open();
        link().shakeHands();
        m_held = HeldLocks();
        m_watchdog = std::make_unique<Watchdog>(*m_connections, m_held, timeout);
        m_lost.clear();
        connect(m_watchdog.get(), &Watchdog::lost, this, [this](const HoldKey& key, LossReason why) {
            m_lost += QString::fromUtf8(key.name.bytes()) +
                      (why == LossReason::LeaseExpired ? u": lease expired"_qs : u": taken away"_qs);
        });
    }
    void cleanup() {
        m_watchdog.reset();
        m_connections.reset();
        test::turnEventLoop();
    }

    void renewsEveryThirdOfTheTimeout() {
        acquire("L");
        const QSignalSpy renewed(m_watchdog.get(), &Watchdog::renewed);
        for (int tick = 0; tick < 5; ++tick) {
            m_clock->advance(timeout / 3 - 1ms);
            QCOMPARE(link().takeCommands().size(), 0);
            m_clock->advance(1ms);
            const QByteArrayList command = link().takeCommand();
            QCOMPARE(command.mid(2), (QByteArrayList{"1", "L", "30000", client.bytes() + ":1", ""}));
            link().reply(answers({1}));
            QCOMPARE(m_held.find(keyOf("L"))->deadline, m_clock->now() + timeout);
            QCOMPARE(renewed.size(), tick + 1);
        }
        QVERIFY(m_lost.isEmpty());
    }

    void oneCommandRenewsAHundred_data() {
        QTest::addColumn<int>("locks");
        QTest::addColumn<QList<int>>("keysOfCommands");
        QTest::newRow("1") << 1 << QList<int>{1};
        QTest::newRow("100") << 100 << QList<int>{100};
        QTest::newRow("101") << 101 << QList<int>{100, 1};
        QTest::newRow("250") << 250 << QList<int>{100, 100, 50};
    }
    void oneCommandRenewsAHundred() {
        QFETCH(int, locks);
        QFETCH(QList<int>, keysOfCommands);
        for (int i = 0; i < locks; ++i)
            acquire("L" + QByteArray::number(i));
        m_clock->advance(timeout / 3);
        QList<int> sent;
        for (const QByteArrayList& command : link().takeCommands())
            sent += command[2].toInt();
        QCOMPARE(sent, keysOfCommands);
    }

    void aFixedLeaseIsNotRenewedAndEnds() {
        acquire("L", 5s, Renewal::FixedLease);
        m_clock->advance(4999ms);
        QVERIFY(m_held.find(keyOf("L")) && m_lost.isEmpty());
        m_clock->advance(1ms);
        QVERIFY(link().takeCommands().isEmpty());
        QCOMPARE(m_lost, QStringList{"L: lease expired"});
        QCOMPARE(m_held.size(), 0);
    }

    // The slot runs an event loop, as a dialog about the loss does.
    void aSlotThatHearsOfALossMayRunAnEventLoop() {
        acquire("ends", 5s, Renewal::FixedLease);
        acquire("L");
        int renewals = 0;
        connect(m_watchdog.get(), &Watchdog::lost, this, [&] {
            m_clock->advance(timeout / 3);
            renewals = static_cast<int>(link().takeCommands().size());
        });
        m_clock->advance(5s);
        QCOMPARE(m_lost, QStringList{"ends: lease expired"});
        QCOMPARE(renewals, 1);
    }

    void nothingHeldCostsNothing() {
        acquire("L");
        m_held.remove(keyOf("L"));
        m_clock->advance(10 * timeout);
        QVERIFY(link().takeCommands().isEmpty());
        QVERIFY(m_lost.isEmpty());
    }

    void aHolderThatIsGoneIsTold() {
        acquire("L");
        acquire("M");
        m_clock->advance(timeout / 3);
        const QByteArrayList renewal = link().takeCommand();  // of both, in any order
        QVERIFY(renewal.contains("L") && renewal.contains("M"));
        link().reply(renewal.indexOf("L") < renewal.indexOf("M") ? answers({0, 1}) : answers({1, 0}));
        QCOMPARE(m_lost, QStringList{"L: taken away"});
        QVERIFY(!m_held.find(keyOf("L")) && m_held.find(keyOf("M")));
    }

    void whatWasGivenBackMeanwhileIsNotLost() {
        acquire("L");
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommands().size(), 1);
        m_held.remove(keyOf("L"));
        link().reply(answers({0}));
        QVERIFY(m_lost.isEmpty());
    }

    void aFailedRenewalIsTriedAgainAtTheNextTick_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("an error") << QByteArray("-OOM command not allowed\r\n");
        QTest::newRow("an answer of another length") << QByteArray("*0\r\n");
        QTest::newRow("an answer of another type") << QByteArray("+OK\r\n");
    }
    void aFailedRenewalIsTriedAgainAtTheNextTick() {
        QFETCH(QByteArray, reply);
        acquire("L");
        const SteadyTime deadline = m_held.find(keyOf("L"))->deadline;
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommands().size(), 1);
        link().reply(reply);
        QCOMPARE(m_held.find(keyOf("L"))->deadline, deadline);
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommands().size(), 1);
        link().reply(reply);
        m_clock->advance(timeout / 3);
        QCOMPARE(m_lost, QStringList{"L: lease expired"});
    }

    void anUnansweredRenewalDoesNotKeepTheBeliefAlive() {
        acquire("L");
        m_clock->advance(timeout);
        QCOMPARE(m_lost, QStringList{"L: lease expired"});
    }

    void renewsAtOnceWhenTheConnectionIsBack() {
        acquire("L");
        link().lose();
        m_clock->advance(5s);
        link().shakeHands();
        QCOMPARE(link().takeCommand().mid(2, 2), (QByteArrayList{"1", "L"}));
        link().reply(answers({1}));
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommands().size(), 1);
    }

    void aLostConnectionEndsTheBeliefInTime() {
        acquire("L");
        link().lose();
        m_clock->advance(timeout - 1ms);
        QVERIFY(m_lost.isEmpty());
        m_clock->advance(1ms);
        QCOMPARE(m_lost, QStringList{"L: lease expired"});
    }

    // A reentry with a short lease under a renewed hold: the hold is renewed to the full timeout before it expires.
    void aShorterLeaseBringsTheTickForward() {
        acquire("L");
        m_clock->advance(1s);
        acquire("L", 300ms, Renewal::FixedLease);
        m_clock->advance(100ms);
        QCOMPARE(link().takeCommands().size(), 1);
        link().reply(answers({1}));
        QCOMPARE(m_held.find(keyOf("L"))->deadline, m_clock->now() + timeout);
    }

    // The renewal is answered while a later command that may have shortened the lease is unanswered.
    void aRenewalDoesNotOutliveALaterLease() {
        acquire("L");
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommands().size(), 1);
        const LeaseTicket unknown = m_held.leaseSent(keyOf("L"), m_clock->now() + 50ms, LeaseCause::Acquire);
        Q_UNUSED(unknown)
        link().reply(answers({1}));
        QCOMPARE(m_held.find(keyOf("L"))->deadline, m_clock->now() + 50ms);
    }

    // A renewal that is sent again is executed after the commands sent since, and shortens a longer lease.
    void aRenewalThatIsSentAnewRunsAfterALaterLease() {
        acquire("L");
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommands().size(), 1);
        const SteadyTime longEnd = m_clock->now() + 2 * timeout;
        const LeaseTicket later = m_held.leaseSent(keyOf("L"), longEnd, LeaseCause::Acquire);
        link().reply("-NOSCRIPT No matching script.\r\n");
        m_held.leaseSet(keyOf("L"), later, longEnd, LeaseCause::Acquire);
        QCOMPARE(m_held.find(keyOf("L"))->deadline, m_clock->now() + timeout);
        link().reply(answers({1}));
        QCOMPARE(m_held.find(keyOf("L"))->deadline, m_clock->now() + timeout);
    }

    // The next holder's lock must not be renewed by this client, whatever its lease.
    void whatWasGivenBackMeanwhileIsNotSentAnew_data() {
        QTest::addColumn<QByteArrayList>("kept");
        QTest::newRow("one of two") << QByteArrayList{"M"};
        QTest::newRow("both") << QByteArrayList();
    }
    void whatWasGivenBackMeanwhileIsNotSentAnew() {
        QFETCH(const QByteArrayList, kept);
        acquire("L");
        acquire("M");
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommands().size(), 1);
        for (const QByteArray& name : {QByteArray("L"), QByteArray("M")}) {
            if (!kept.contains(name))
                m_held.remove(keyOf(name));
        }
        link().reply("-NOSCRIPT No matching script.\r\n");
        const QByteArrayList anew = link().takeCommand();
        QCOMPARE(anew.mid(3, kept.size()), kept);
        QCOMPARE(anew.value(0), kept.isEmpty() ? QByteArray() : QByteArray("EVAL"));
        QCOMPARE(anew.value(2), kept.isEmpty() ? QByteArray() : QByteArray::number(kept.size()));
    }

    void scriptsMayBeUnknown() {
        acquire("L");
        m_clock->advance(timeout / 3);
        QCOMPARE(link().takeCommand().value(0), "EVALSHA");
        link().reply("-NOSCRIPT No matching script.\r\n");
        QCOMPARE(link().takeCommand().value(0), "EVAL");
        link().reply(answers({1}));
        QCOMPARE(m_held.find(keyOf("L"))->deadline, m_clock->now() + timeout);
    }

    void whoeverIsToldOfALossMayEndTheWatchdog() {
        acquire("L", 5s, Renewal::FixedLease);
        acquire("M", 5s, Renewal::FixedLease);
        connect(m_watchdog.get(), &Watchdog::lost, this, [this] { m_watchdog.reset(); });
        m_clock->advance(5s);
        QVERIFY(!m_watchdog);
        QCOMPARE(m_lost.size(), 1);
    }

    void aTimeoutTooShortToBeDividedDoesNotSpin() {
        m_watchdog = std::make_unique<Watchdog>(*m_connections, m_held, 2ms);
        acquire("L", 2ms);
        m_clock->advance(1ms);
        QVERIFY(link().takeCommands().size() <= 2);
    }

private:
    void acquire(const QByteArray& name, Milliseconds lease = timeout, Renewal renewal = Renewal::Watchdog) {
        const SteadyTime deadline = m_clock->now() + lease;
        m_held.acquired(keyOf(name), m_held.leaseSent(keyOf(name), deadline, LeaseCause::Acquire), deadline, lease,
                        renewal);
        m_watchdog->watch(keyOf(name));
    }
    [[nodiscard]] test::FakeLink& link() { return m_server->lastLink(); }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<topology::OneShard> m_shards;
    std::unique_ptr<topology::ShardConnections> m_connections;
    HeldLocks m_held;
    std::unique_ptr<Watchdog> m_watchdog;
    QStringList m_lost;
};

LOCKKEEPER_TEST(TestWatchdog, Guiless)

}  // namespace tst_watchdog

#include "tst_watchdog.moc"
