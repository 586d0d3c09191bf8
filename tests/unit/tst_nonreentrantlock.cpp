// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindtest.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_nonreentrantlock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::LockShape;

namespace {

const LockShape plain{"not reentrant",
                      test::Kind::NonReentrant,
                      u"reentrant_once_acquire"_qs,
                      u"reentrant_release"_qs,
                      u"reentrant_settle"_qs,
                      u"reentrant_force"_qs,
                      "_\r\n",
                      "redisson_lock__channel:{L}",
                      HoldMode::Exclusive};
const LockShape fair{"not reentrant, fair",
                     test::Kind::NonReentrantFair,
                     u"fair_once_acquire"_qs,
                     u"fair_release"_qs,
                     u"fair_settle"_qs,
                     u"fair_force"_qs,
                     "_\r\n",
                     "redisson_lock__channel:{L}:5f0a3c8e-0000-4000-8000-000000000001:7",
                     HoldMode::Exclusive};
// The scripts' answer to the holder itself.
const QByteArray heldByYou = QByteArrayLiteral("*0\r\n");
constexpr Milliseconds firstLease = 4s;
const QByteArray noRight = "-NOPERM this user has no permissions to run the 'eval' command\r\n";

}  // namespace

// The locks that their holder may not take again.
class TestNonReentrantLock : public test::LockKindTest {
    Q_OBJECT

public:
    TestNonReentrantLock() : LockKindTest({plain, fair}) {}

private Q_SLOTS:
    void aSecondLockOfTheSameThreadIsRefusedAtOnce_data() { kinds(); }
    void aSecondLockOfTheSameThreadIsRefusedAtOnce() {
        QFETCH(LockShape, shape);
        open();
        take(shape);
        const auto again = test::start(lockOf(shape).lock(owner));
        QCOMPARE(sent(), QStringList{shape.acquire});
        commands().reply(heldByYou);
        QCOMPARE((*again)->error(),
                 Error(ErrorCode::InvalidArgument, Cause::AlreadyHeld, {QStringLiteral("L"), QStringLiteral("7")}));
        QCOMPARE(sent(), QStringList());  // the waiter has not queued
        QCOMPARE(held(shape), 1);
        QCOMPARE(release(shape, ":1\r\n"), ReleaseOutcome::Free);
        QCOMPARE(held(shape), 0);
    }

    // The first call's answer has not arrived yet, and will say that the lock was taken.
    void aCallAfterACancelledOneIsNotRefusedForWhatThatOneTakes_data() { kinds(); }
    void aCallAfterACancelledOneIsNotRefusedForWhatThatOneTakes() {
        QFETCH(LockShape, shape);
        open();
        const Running first =
            test::start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms), std::nullopt, m_stop.get_token()));
        QCOMPARE(sent(), QStringList{shape.acquire});
        m_stop.request_stop();
        QCOMPARE((*first)->error().code, ErrorCode::Cancelled);
        const Running second = test::start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms)));
        QCOMPARE(sent(), QStringList());
        commands().reply(shape.taken);
        QCOMPARE(sent(), QStringList{shape.settle});
        commands().reply(":0\r\n");
        QCOMPARE(sent(), QStringList{shape.acquire});
        commands().reply(shape.taken);
        QVERIFY((*second)->value().acquired());
        QCOMPARE(held(shape), 1);
    }

    // The server does not release what the first call has taken. Only a call without a limit waits until that lease
    // ends.
    void aCallAfterARefusedReleaseKnowsTheRefusal_data() {
        QTest::addColumn<LockShape>("shape");
        QTest::addColumn<bool>("isLimited");
        for (const LockShape& shape : {plain, fair}) {
            QTest::addRow("%s, limited", shape.name) << shape << true;
            QTest::addRow("%s, without a limit", shape.name) << shape << false;
        }
    }
    void aCallAfterARefusedReleaseKnowsTheRefusal() {
        QFETCH(LockShape, shape);
        QFETCH(bool, isLimited);
        open();
        leaveTheFirst(shape);
        commands().reply(noRight);
        const Deadline until = isLimited ? Deadline::in(*m_clock, 60s) : Deadline::never(*m_clock);
        const Running second = test::start(lockOf(shape).tryLock(owner, until));
        QCOMPARE(second->has_value(), isLimited);
        if (isLimited)
            QCOMPARE((*second)->error().code, ErrorCode::NotPermitted);
        QCOMPARE(sent(), QStringList());
    }

    // No other answer shows that the server has executed what was sent before.
    void onlyARefusalOfTheServerBeginsTheLastLease_data() { kinds(); }
    void onlyARefusalOfTheServerBeginsTheLastLease() {
        QFETCH(LockShape, shape);
        open();
        leaveTheFirst(shape);
        for (int times = 0; times < 2; ++times) {
            commands().reply("+what?\r\n");  // of a proxy
            m_clock->advance(firstLease);
            QCOMPARE(sent(), QStringList{shape.settle});
        }
        commands().reply(noRight);
        m_clock->advance(firstLease);
        QCOMPARE(sent(), QStringList{shape.settle});
        m_clock->advance(firstLease);
        QCOMPARE(sent(), QStringList());
    }

    void aCallAfterACancelledOneThatIsNeverAnsweredEnds_data() { kinds(); }
    void aCallAfterACancelledOneThatIsNeverAnsweredEnds() {
        QFETCH(LockShape, shape);
        open();
        const Running first =
            test::start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms), std::nullopt, m_stop.get_token()));
        m_stop.request_stop();
        const Running second = test::start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms)));
        m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE((*second)->error().code, ErrorCode::Timeout);
        QCOMPARE(held(shape), 0);
    }

private:
    // What the first call takes after its caller has stopped waiting is being released.
    void leaveTheFirst(const LockShape& shape) {
        const Running first =
            test::start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms), firstLease, m_stop.get_token()));
        QCOMPARE(sent(), QStringList{shape.acquire});
        m_stop.request_stop();
        commands().reply(shape.taken);
        QCOMPARE(sent(), QStringList{shape.settle});
    }
};

LOCKKEEPER_TEST(TestNonReentrantLock, Guiless)

}  // namespace tst_nonreentrantlock

#include "tst_nonreentrantlock.moc"
