// SPDX-License-Identifier: Apache-2.0
#include "locks/heldlocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_heldlocks {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const ClientId client("5f0a3c8e-0000-4000-8000-000000000001");

HoldKey keyOf(const char* name, qint64 thread = 1) {
    return {LockName(name), HolderId(client, ThreadId{thread})};
}

SteadyTime at(Milliseconds time) {
    return SteadyTime(time);
}

}  // namespace

class TestHeldLocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_held = HeldLocks(); }

    void countsHolds() {
        const HoldKey key = keyOf("L");
        QCOMPARE(m_held.count(key), 0);
        QVERIFY(!m_held.find(key));
        acquire(key, 100ms, Renewal::FixedLease);
        acquire(key, 200ms, Renewal::FixedLease);
        QCOMPARE(m_held.count(key), 2);
        QCOMPARE(m_held.size(), 1);
        QCOMPARE(m_held.find(key)->deadline, at(200ms));
        m_held.setCount(key, 1);
        QCOMPARE(m_held.count(key), 1);
        m_held.setCount(key, 0);
        QCOMPARE(m_held.size(), 0);
    }

    void holdersOfOneLockAreKeptApart() {
        acquire(keyOf("L", 1), 100ms, Renewal::FixedLease);
        acquire(keyOf("L", 2), 200ms, Renewal::FixedLease);
        acquire(keyOf("M", 1), 300ms, Renewal::FixedLease);
        m_held.remove(keyOf("L", 1));
        QVERIFY(!m_held.find(keyOf("L", 1)) && m_held.find(keyOf("L", 2)) && m_held.find(keyOf("M", 1)));
        QVERIFY(!m_held.find({LockName("L"), HolderId(ClientId("another"), ThreadId{2})}));
    }

    void knowsTheEarliestDeadline() {
        QVERIFY(!m_held.earliestDeadline());
        acquire(keyOf("L"), 300ms, Renewal::FixedLease);
        acquire(keyOf("M"), 100ms, Renewal::FixedLease);
        acquire(keyOf("N"), 200ms, Renewal::FixedLease);
        QCOMPARE(m_held.earliestDeadline(), at(100ms));
        QCOMPARE(namesOf(m_held.keys()), "MNL");
        m_held.remove(keyOf("M"));
        QCOMPARE(m_held.earliestDeadline(), at(200ms));
    }

    void givesOutWhatHasExpired() {
        acquire(keyOf("L"), 300ms, Renewal::FixedLease);
        acquire(keyOf("M"), 100ms, Renewal::Watchdog);
        QVERIFY(!m_held.takeExpired(at(99ms)));
        QCOMPARE(m_held.takeExpired(at(100ms)), keyOf("M"));
        QVERIFY(!m_held.takeExpired(at(100ms)));
        QVERIFY(!m_held.hasRenewed());
        QCOMPARE(m_held.size(), 1);
    }

    void knowsWhatTheWatchdogRenews() {
        QVERIFY(!m_held.hasRenewed());
        acquire(keyOf("L"), 300ms, Renewal::Watchdog);
        acquire(keyOf("M"), 100ms, Renewal::FixedLease);
        acquire(keyOf("N"), 200ms, Renewal::Watchdog);
        QCOMPARE(namesOf(m_held.renewedKeys()), "NL");
        m_held.remove(keyOf("N"));
        m_held.remove(keyOf("N"));
        QCOMPARE(namesOf(m_held.renewedKeys()), "L");
        m_held.setCount(keyOf("L"), 0);
        QVERIFY(!m_held.hasRenewed());
    }

    void aHoldIsRenewedOnceAnyOfItsAcquiresIs_data() {
        QTest::addColumn<Renewal>("first");
        QTest::addColumn<Renewal>("second");
        QTest::addColumn<bool>("renewed");
        QTest::newRow("leased under the watchdog") << Renewal::Watchdog << Renewal::FixedLease << true;
        QTest::newRow("watchdog over a lease") << Renewal::FixedLease << Renewal::Watchdog << true;
        QTest::newRow("both leased") << Renewal::FixedLease << Renewal::FixedLease << false;
        QTest::newRow("both by the watchdog") << Renewal::Watchdog << Renewal::Watchdog << true;
    }
    void aHoldIsRenewedOnceAnyOfItsAcquiresIs() {
        QFETCH(Renewal, first);
        QFETCH(Renewal, second);
        QFETCH(bool, renewed);
        acquire(keyOf("L"), 100ms, first);
        acquire(keyOf("L"), 200ms, second);
        QCOMPARE(m_held.hasRenewed(), renewed);
        m_held.remove(keyOf("L"));
        QVERIFY(!m_held.hasRenewed());
    }

    void theLastLeaseIsKeptForPartialReleases() {
        acquire(keyOf("L"), 100ms, Renewal::FixedLease);
        acquire(keyOf("L"), 50ms, Renewal::FixedLease);
        QCOMPARE(m_held.find(keyOf("L"))->lease, 50ms);
    }

    // ---- leases that may have been set ----

    void aLeaseOnItsWayMayShortenButNotLengthenTheBelief() {
        acquire(keyOf("L"), 100ms, Renewal::FixedLease);
        const LeaseTicket longer = m_held.leaseSent(keyOf("L"), at(500ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(100ms));
        m_held.leaseSet(keyOf("L"), longer, at(500ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(500ms));
        const LeaseTicket shorter = m_held.leaseSent(keyOf("L"), at(50ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(50ms));
        m_held.leaseSet(keyOf("L"), shorter, at(50ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(50ms));
        QCOMPARE(m_held.earliestDeadline(), at(50ms));
    }

    void aLeaseThatWasNotSetIsForgotten() {
        acquire(keyOf("L"), 100ms, Renewal::FixedLease);
        const LeaseTicket refused = m_held.leaseSent(keyOf("L"), at(50ms), LeaseCause::Renewal);
        m_held.leaseNotSet(keyOf("L"), refused);
        QCOMPARE(deadline(), at(100ms));
    }

    // A renewal, then a reentry with a short lease that is cancelled; then the renewal is answered. The server has the
    // short lease.
    void theAnswerToAnEarlierCommandDoesNotUndoALaterOne() {
        acquire(keyOf("L"), 100ms, Renewal::Watchdog);
        const LeaseTicket renewal = m_held.leaseSent(keyOf("L"), at(900ms), LeaseCause::Renewal);
        const LeaseTicket cancelled = m_held.leaseSent(keyOf("L"), at(60ms), LeaseCause::Acquire);
        m_held.leaseSet(keyOf("L"), renewal, at(900ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(60ms));
        const LeaseTicket next = m_held.leaseSent(keyOf("L"), at(1200ms), LeaseCause::Renewal);
        QVERIFY(next > cancelled);
        m_held.leaseSet(keyOf("L"), next, at(1200ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(1200ms));
    }

    void severalUnknownOnesCountWithTheEarliest() {
        acquire(keyOf("L"), 100ms, Renewal::FixedLease);
        const LeaseTicket first = m_held.leaseSent(keyOf("L"), at(40ms), LeaseCause::Renewal);
        const LeaseTicket second = m_held.leaseSent(keyOf("L"), at(70ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(40ms));
        m_held.leaseNotSet(keyOf("L"), first);
        QCOMPARE(deadline(), at(70ms));
        m_held.leaseNotSet(keyOf("L"), second);
        QCOMPARE(deadline(), at(100ms));
    }

    // The server did not know the script of the first command, and executed it after the second.
    void whatIsSentAgainRunsLast() {
        acquire(keyOf("L"), 100ms, Renewal::FixedLease);
        const LeaseTicket first = m_held.leaseSent(keyOf("L"), at(40ms), LeaseCause::Renewal);
        const LeaseTicket second = m_held.leaseSent(keyOf("L"), at(70ms), LeaseCause::Renewal);
        m_held.leaseSentAgain(keyOf("L"), first);
        m_held.leaseSet(keyOf("L"), second, at(70ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(40ms));
        m_held.leaseSet(keyOf("L"), first, at(40ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(40ms));
    }

    // Only a command that cannot shorten the TTL on the server does not count before its answer.
    void aCommandOnItsWayCountsIfItMayShortenTheTtl_data() {
        QTest::addColumn<HoldMode>("mode");
        QTest::addColumn<LeaseCause>("cause");
        QTest::addColumn<bool>("mayShorten");
        QTest::newRow("acquire") << HoldMode::Exclusive << LeaseCause::Acquire << true;
        QTest::newRow("a writer's acquire") << HoldMode::Write << LeaseCause::Acquire << false;
        QTest::newRow("a writer's renewal") << HoldMode::Write << LeaseCause::Renewal << true;
        QTest::newRow("a writer's release") << HoldMode::Write << LeaseCause::Release << true;
        QTest::newRow("a reader's renewal") << HoldMode::Read << LeaseCause::Renewal << false;
    }
    void aCommandOnItsWayCountsIfItMayShortenTheTtl() {
        QFETCH(HoldMode, mode);
        QFETCH(LeaseCause, cause);
        QFETCH(bool, mayShorten);
        const HoldKey key(LockName("L"), HolderId(client, ThreadId{1}), mode);
        acquire(key, 100ms, Renewal::FixedLease);
        const LeaseTicket sent = m_held.leaseSent(key, at(50ms), cause);
        const SteadyTime expected = mayShorten ? at(50ms) : at(100ms);
        QCOMPARE(m_held.find(key)->deadline, expected);
        m_held.leaseSet(key, sent, at(50ms), cause);
        QCOMPARE(m_held.find(key)->deadline, expected);
    }

    // The server adds the reentry's lease to whatever TTL the renewal leaves.
    void aWritersReentryAfterARenewalCountsAsTheLonger() {
        const HoldKey key(LockName("L"), HolderId(client, ThreadId{1}), HoldMode::Write);
        acquire(key, 900ms, Renewal::FixedLease);
        const LeaseTicket renewal = m_held.leaseSent(key, at(100ms), LeaseCause::Renewal);
        acquire(key, 300ms, Renewal::FixedLease);
        QCOMPARE(m_held.find(key)->deadline, at(300ms));
        m_held.leaseSet(key, renewal, at(100ms), LeaseCause::Renewal);
        QVERIFY(m_held.find(key)->deadline <= at(300ms));
    }

    void whatIsNotHeldIsNotTouched() {
        const LeaseTicket ticket = m_held.leaseSent(keyOf("L"), at(50ms), LeaseCause::Renewal);
        m_held.leaseSet(keyOf("L"), ticket, at(50ms), LeaseCause::Renewal);
        m_held.leaseNotSet(keyOf("L"), ticket);
        m_held.leaseSentAgain(keyOf("L"), ticket);
        m_held.setCount(keyOf("L"), 3);
        m_held.remove(keyOf("L"));
        QCOMPARE(m_held.size(), 0);
        QVERIFY(!m_held.earliestDeadline());
    }

    void aShorterTtlIsBelievedAndALongerOneIsNot() {
        acquire(keyOf("L"), 100ms, Renewal::FixedLease);
        QVERIFY(!m_held.leaseSeen(keyOf("L"), at(200ms)));
        QCOMPARE(deadline(), at(100ms));
        QVERIFY(m_held.leaseSeen(keyOf("L"), at(30ms)));
        QCOMPARE(deadline(), at(30ms));
        const LeaseTicket renewal = m_held.leaseSent(keyOf("L"), at(400ms), LeaseCause::Renewal);
        m_held.leaseSet(keyOf("L"), renewal, at(400ms), LeaseCause::Renewal);
        QCOMPARE(deadline(), at(400ms));
    }

    void aShorterTtlEndsEachHoldOfAReader() {
        const HoldKey reader(LockName("L"), keyOf("L").holder, HoldMode::Read);
        acquire(reader, 50ms, Renewal::FixedLease);
        acquire(reader, 100ms, Renewal::FixedLease);
        QVERIFY(m_held.leaseSeen(reader, at(70ms)));
        QCOMPARE(m_held.readDeadlines(reader), (std::vector<SteadyTime>{at(50ms), at(70ms)}));
        QCOMPARE(m_held.find(reader)->deadline, at(70ms));
    }

    void aNameIsHeldSinceItsOldestHold() {
        const LockName name("L");
        const HoldKey first = keyOf("L", 1);
        const HoldKey second = keyOf("L", 2);
        QVERIFY(!m_held.heldSince(name));
        m_held.acquired(first, LeaseTicket{1}, at(40s), 30s, Renewal::Watchdog);
        m_held.acquired(second, LeaseTicket{2}, at(45s), 30s, Renewal::Watchdog);
        m_held.acquired(first, LeaseTicket{3}, at(50s), 30s, Renewal::Watchdog);
        QVERIFY(m_held.heldSince(name) == at(10s));
        QVERIFY(m_held.remove(first));
        QVERIFY(!m_held.remove(first));
        QVERIFY(m_held.heldSince(name) == at(15s));
    }

    void holdsAreFoundByName() {
        const HoldKey reader(LockName("L"), keyOf("L").holder, HoldMode::Read);
        for (const HoldKey& key : {keyOf("L"), reader, keyOf("M")})
            acquire(key, 100ms, Renewal::FixedLease);
        QCOMPARE(m_held.holdersOf(LockName("L")), 2);
        m_held.remove(keyOf("L"));
        QVERIFY(m_held.holdsOf(LockName("L")) == std::vector<HoldKey>{reader});
        m_held.remove(reader);
        QVERIFY(m_held.holdsOf(LockName("L")).empty());
    }

private:
    void acquire(const HoldKey& key, Milliseconds deadline, Renewal renewal) {
        m_held.acquired(key, m_held.leaseSent(key, at(deadline), LeaseCause::Acquire), at(deadline), deadline, renewal);
    }
    [[nodiscard]] SteadyTime deadline() const { return m_held.find(keyOf("L"))->deadline; }
    static QByteArray namesOf(const std::vector<HoldKey>& keys) {
        QByteArray names;
        for (const HoldKey& key : keys)
            names += key.name.bytes();
        return names;
    }

    HeldLocks m_held;
};

LOCKKEEPER_TEST(TestHeldLocks, Guiless)

}  // namespace tst_heldlocks

#include "tst_heldlocks.moc"
