// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/synchronizers/countdownlatch.h"
#include "locks/synchronizers/permitsemaphore.h"
#include "locks/synchronizers/semaphore.h"
#include "support/clusterclient.h"
#include "support/clustersetup.h"
#include "support/leastrights.h"
#include "support/lossyline.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_semaphores {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::LossyLine;

namespace {

enum class Kind { Semaphore, Permits, Latch };

const LockName name{"S"};
const QString clientName = QStringLiteral("mine");

QByteArray wordFor(Kind kind) {
    return kind == Kind::Semaphore ? "semaphore" : kind == Kind::Permits ? "permits with leases" : "latch";
}

QList<Kind> allKinds() {
    return {Kind::Semaphore, Kind::Permits, Kind::Latch};
}

Task<Result<bool>> isTaken(Task<Result<std::optional<PermitId>>> task) {
    const Result<std::optional<PermitId>> permit = co_await task;
    if (!permit)
        co_return permit.error();
    co_return permit->has_value();
}

Task<Result<bool>> isDone(Task<Result<qint64>> task) {
    const Result<qint64> answer = co_await task;
    if (!answer)
        co_return answer.error();
    co_return true;
}

Task<Result<bool>> isOver(Task<Result<Done>> task) {
    const Result<Done> answer = co_await task;
    if (!answer)
        co_return answer.error();
    co_return true;
}

}  // namespace

// Semaphores and latches as objects of the library, on real servers.
class TestSemaphores : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_mine.reset();
        m_other.reset();
        m_line.reset();
        m_server.reset();
    }

    void aWaiterIsWoken_data() { kinds(); }
    void aWaiterIsWoken() {
        QFETCH(Kind, kind);
        begin();
        close(kind);
        const auto waiting = startWaiting(kind, 30s);
        QVERIFY(!waiting->has_value());
        QVERIFY(openByOther(kind));
        QVERIFY(succeeds(waiting));
        // The waiter sleeps until the message: it tries once before it subscribes, once after that, and once when it
        // is woken.
        QVERIFY2(reads() <= 3 * readsOfAttempt(kind) + 1, qPrintable(QString::number(reads())));
        QTRY_COMPARE(m_server->cli({"PUBSUB", "CHANNELS"}), QString());
    }

    void aWaiterGivesUpInTime_data() { kinds(); }
    void aWaiterGivesUpInTime() {
        QFETCH(Kind, kind);
        begin();
        close(kind);
        const Result<bool> answer = test::waitFor(wait(*m_mine, kind, Deadline::in(m_clock, 300ms)));
        QVERIFY(answer.ok() && !*answer);
        QCOMPARE(reads(), 2 * readsOfAttempt(kind));  // the waiter does not poll
        QCOMPARE(m_server->cli({"GET", "S"}), kind == Kind::Latch ? "1" : "0");
    }

    void openingALatchWakesAll() {
        begin();
        close(Kind::Latch);
        std::vector<test::Running<Result<bool>>> waiters;
        for (int i = 0; i < 5; ++i) {
            waiters.push_back(startWaiting(Kind::Latch, 30s));
            waiters.push_back(test::start(wait(*m_other, Kind::Latch, Deadline::in(m_clock, 30s))));
        }
        QTRY_COMPARE(m_server->cli({"PUBSUB", "NUMSUB", "redisson_countdownlatch__channel__{S}"}).section(u'\n', 1),
                     "2");
        QVERIFY(openByOther(Kind::Latch));
        for (const auto& waiter : waiters)
            QVERIFY(succeeds(waiter));
    }

    // No more waiters are woken than permits are free. A waiter that wants many does not stop those that want few.
    void aReleaseWakesThoseForWhomItIsEnough() {
        begin();
        close(Kind::Semaphore);
        const Deadline soon = Deadline::in(m_clock, 30s);
        const Semaphore semaphore = m_mine->semaphore(name);
        const auto wantsFour = test::start(semaphore.tryAcquire(4, soon));
        std::vector<test::Running<Result<bool>>> wantOne;
        for (int i = 0; i < 3; ++i)
            wantOne.push_back(test::start(semaphore.tryAcquire(1, soon)));
        QVERIFY(isSubscribed());
        QTRY_COMPARE(reads(), 2 * 4);  // each waiter has tried twice
        QVERIFY(test::waitFor(m_other->semaphore(name).release(2)).ok());
        const auto inTime = [&] {
            return std::ranges::count_if(wantOne, [](const auto& one) { return one->has_value(); });
        };
        QTRY_COMPARE(inTime(), 2);
        QCOMPARE(reads(), 2 * 4 + 2);
        QCOMPARE(m_server->cli({"GET", "S"}), "0");
        QVERIFY(test::waitFor(m_other->semaphore(name).release(5)).ok());
        QTRY_COMPARE(inTime(), 3);
        QVERIFY(succeeds(wantsFour));
        QCOMPARE(m_server->cli({"GET", "S"}), "0");
    }

    // Another program was faster: too few permits are left for the waiter that was woken, but enough for the other
    // one.
    void whatIsTooLittleForOneIsOfferedToAnother() {
        begin();
        close(Kind::Semaphore);
        const Deadline soon = Deadline::in(m_clock, 30s);
        const Semaphore semaphore = m_mine->semaphore(name);
        const auto wantsFour = test::start(semaphore.tryAcquire(4, soon));
        const auto wantsOne = test::start(semaphore.tryAcquire(1, soon));
        QVERIFY(isSubscribed());
        QTRY_COMPARE(reads(), 2 * 2);
        m_server->cli({"SET", "S", "3"});
        m_server->cli({"PUBLISH", "redisson_sc:{S}", "4"});
        QVERIFY(succeeds(wantsOne));
        QVERIFY(!wantsFour->has_value());
        QCOMPARE(m_server->cli({"GET", "S"}), "2");
    }

    void theEndOfTheClientEndsItsCalls_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<bool>("asleep");
        for (const Kind kind : allKinds()) {
            QTest::newRow(wordFor(kind) + ", asleep") << kind << true;
            QTest::newRow(wordFor(kind) + ", during an attempt") << kind << false;
        }
    }
    void theEndOfTheClientEndsItsCalls() {
        QFETCH(Kind, kind);
        QFETCH(bool, asleep);
        begin();
        close(kind);
        m_line->lateness = 10s;
        if (!asleep)
            m_line->lose(LossyLine::Loss::LateAnswer);
        const auto waiting = test::start(wait(*m_mine, kind, Deadline::in(m_clock, 30s)));
        QTRY_COMPARE(reads(), readsOfAttempt(kind) * (asleep ? 2 : 1));
        QVERIFY(!waiting->has_value());
        m_mine.reset();
        QVERIFY(waiting->has_value() && !(*waiting)->ok());
    }

    // The attempt of the cancelled waiter was under way: its permit goes to the other waiter.
    void whatACancelledWaiterHasTakenGoesToAnother() {
        begin();
        close(Kind::Semaphore);
        std::stop_source stop;
        const Semaphore semaphore = m_mine->semaphore(name);
        const Deadline soon = Deadline::in(m_clock, 30s);
        const auto first = test::start(semaphore.tryAcquire(1, soon, stop.get_token()));
        const auto second = test::start(semaphore.tryAcquire(1, soon));
        QVERIFY(isSubscribed());
        QTRY_COMPARE(reads(), 2 * 2);
        QVERIFY(test::waitFor(semaphore.availablePermits()).ok());  // the answers before this one have arrived, too
        m_line->lateness = 2s;
        m_line->lose(LossyLine::Loss::LateAnswer);  // the answer to the attempt that the message starts
        QVERIFY(test::waitFor(m_other->semaphore(name).release(1)).ok());
        QTRY_COMPARE(m_server->cli({"GET", "S"}), "0");
        QVERIFY(!first->has_value() && !second->has_value());
        stop.request_stop();
        QVERIFY(succeeds(second));
        QCOMPARE((*first)->error().code, ErrorCode::Cancelled);
        QCOMPARE(m_server->cli({"GET", "S"}), "0");
    }

    void permitsWhoseLeaseHasEndedAreCollected() {
        begin();
        const PermitSemaphore semaphore = m_mine->permitSemaphore(name);
        QVERIFY(*test::waitFor(semaphore.trySetPermits(1)));
        const auto permit = test::waitFor(semaphore.tryAcquire(Deadline::in(m_clock, 0ms), 300ms));
        QVERIFY(permit.ok() && permit->has_value());
        // Its deadline is later than the end of this wait for it.
        const auto waiting = test::start(wait(*m_other, Kind::Permits, Deadline::in(m_clock, 10min)));
        QVERIFY(succeeds(waiting));
        const Result<bool> late = test::waitFor(semaphore.release(**permit));
        QVERIFY(late.ok() && !*late);
        const Result<bool> prolonged = test::waitFor(semaphore.updateLease(**permit, 10s));
        QVERIFY(prolonged.ok() && !*prolonged);
        QCOMPARE(m_server->cli({"ZCARD", "{S}:timeout"}), "1");
        QCOMPARE(*test::waitFor(semaphore.availablePermits()), 0);
    }

    void aLeaseOutOfRangeIsRefused() {
        begin();
        const PermitSemaphore semaphore = m_mine->permitSemaphore(name);
        const auto permit = test::waitFor(semaphore.tryAcquire(Deadline::in(m_clock, 0ms), 0ms));
        QCOMPARE(permit.error().cause, Cause::LeaseOutOfRange);
        QCOMPARE(test::waitFor(semaphore.updateLease(PermitId::random(), -1ms)).error().code,
                 ErrorCode::InvalidArgument);
    }

    void afterLostConnectionsAWaiterIsWoken_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QStringList>("connections");
        for (const Kind kind : allKinds()) {
            QTest::newRow(wordFor(kind) + ", for commands") << kind << QStringList{clientName};
            QTest::newRow(wordFor(kind) + ", for messages") << kind << QStringList{clientName + "-waiting"};
            QTest::newRow(wordFor(kind) + ", both") << kind << QStringList{clientName, clientName + "-waiting"};
        }
    }
    void afterLostConnectionsAWaiterIsWoken() {
        QFETCH(Kind, kind);
        QFETCH(QStringList, connections);
        begin();
        close(kind);
        const auto waiting = startWaiting(kind, 30s);
        for (const QString& each : connections)
            QVERIFY(kill(each));
        QVERIFY(!waiting->has_value());
        QVERIFY(openByOther(kind));
        QVERIFY(succeeds(waiting));
    }

    // The latch is opened while the message cannot arrive.
    void whatWasMissedWhileDisconnectedIsRead_data() { kinds(); }
    void whatWasMissedWhileDisconnectedIsRead() {
        QFETCH(Kind, kind);
        begin();
        close(kind);
        const auto waiting = startWaiting(kind, 30s);
        m_server->kill();
        QVERIFY(m_server->start());
        for (const QString& key : {u"S"_qs, u"{S}:timeout"_qs})
            m_server->cli({"DEL", key});
        if (kind != Kind::Latch)
            m_server->cli({"SET", "S", "1"});
        QVERIFY(succeeds(waiting));
    }

    void aRestartedServerIsWaitedAt_data() { kinds(); }
    void aRestartedServerIsWaitedAt() {
        QFETCH(Kind, kind);
        begin(test::RedisServer::withMemory());
        close(kind);
        const auto waiting = startWaiting(kind, 30s);
        m_server->kill();
        QVERIFY(m_server->start());
        QVERIFY(isSubscribed());
        QVERIFY(!waiting->has_value());
        QVERIFY(openByOther(kind));
        QVERIFY(succeeds(waiting));
    }

    void aValueThatIsNoNumberIsAnError_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QStringList>("written");
        QTest::addColumn<ReplyKind>("refusal");
        for (const Kind kind : allKinds()) {
            const QByteArray word = wordFor(kind);
            QTest::newRow(word + ", text") << kind << QStringList{"SET", "S", "abc"} << ReplyKind::Other;
            QTest::newRow(word + ", fraction") << kind << QStringList{"SET", "S", "1.5"} << ReplyKind::Other;
            QTest::newRow(word + ", empty") << kind << QStringList{"SET", "S", ""} << ReplyKind::Other;
            QTest::newRow(word + ", hash") << kind << QStringList{"HSET", "S", "f", "1"} << ReplyKind::WrongType;
        }
    }
    void aValueThatIsNoNumberIsAnError() {
        QFETCH(Kind, kind);
        QFETCH(QStringList, written);
        QFETCH(ReplyKind, refusal);
        begin();
        m_server->cli(written);
        const QString before = m_server->cli({"DUMP", "S"});
        const Result<bool> waited = test::waitFor(wait(*m_mine, kind, Deadline::in(m_clock, 30s)));
        QVERIFY(!waited.ok());
        QCOMPARE(waited.error().code, ErrorCode::ServerReply);
        QCOMPARE(waited.error().reply, refusal);
        const Result<bool> opened = test::waitFor(open(*m_mine, kind));
        QVERIFY(kind == Kind::Permits || !opened.ok());  // a permit that was never taken does not exist
        QVERIFY(!test::waitFor(count(kind)).ok());
        QCOMPARE(m_server->cli({"DUMP", "S"}), before);
        QCOMPARE(m_server->cli({"DBSIZE"}), "1");
    }

    void whatIsRemovedLeavesNothing_data() { kinds(); }
    void whatIsRemovedLeavesNothing() {
        QFETCH(Kind, kind);
        begin();
        m_server->cli({"SET", "S", "2"});
        if (kind == Kind::Permits)
            QVERIFY(test::waitFor(m_mine->permitSemaphore(name).tryAcquire(Deadline::in(m_clock, 0ms), 60s)).ok());
        QVERIFY(*test::waitFor(remove(*m_mine, kind)));
        QCOMPARE(m_server->cli({"DBSIZE"}), "0");
        QVERIFY(!*test::waitFor(remove(*m_mine, kind)));
        m_server->cli({"HSET", "S", "field", "1"});
        QCOMPARE(test::waitFor(remove(*m_mine, kind)).error().reply, ReplyKind::WrongType);
        QCOMPARE(m_server->cli({"DBSIZE"}), "1");
    }

    void aLatchThatIsRemovedIsOpen() {
        begin();
        close(Kind::Latch);
        const auto waiting = test::start(wait(*m_mine, Kind::Latch, Deadline::in(m_clock, 30s)));
        QVERIFY(isSubscribed());
        QVERIFY(*test::waitFor(remove(*m_mine, Kind::Latch)));
        QVERIFY(succeeds(waiting));
    }

    void whoMayNotPublishIsTold_data() { kinds(); }
    void whoMayNotPublishIsTold() {
        QFETCH(Kind, kind);
        begin();
        close(kind);
        m_server->cli({"ACL", "SETUSER", "quiet", "on", ">pw", "~*", "resetchannels", "+@all"});
        redis::ConnectionOptions options = m_server->options();
        options.credentials = {"quiet", "pw"};
        LockClient quiet(options, m_clock);
        quiet.open();
        QCOMPARE(test::waitFor(open(quiet, kind)).error().code, ErrorCode::NotAnnounced);
        const Result<bool> tried = test::waitFor(wait(*m_mine, kind, Deadline::in(m_clock, 0ms)));
        QVERIFY2(tried.ok() && *tried, "it is open all the same");
    }

    // resources/manual/connecting.md, "Rights".
    void theLeastRightsAreEnough_data() { kinds(); }
    void theLeastRightsAreEnough() {
        QFETCH(Kind, kind);
        begin();
        const QStringList further{
            "&redisson_sc:*", "&redisson_countdownlatch__channel__*", "+incrby", "+decrby", "+decr", "+zcount",
            "+zrangebyscore"};
        const QString user = m_server->cli(QStringList{"ACL", "SETUSER", "least"} + test::leastRights(*m_server) +
                                           test::rightsToLock() + further);
        QCOMPARE(user, "OK");
        redis::ConnectionOptions options = m_server->options();
        options.credentials = {"least", "pw"};
        LockClient least(options, m_clock);
        least.open();
        if (kind == Kind::Latch)
            QVERIFY(*test::waitFor(least.countDownLatch(name).trySetCount(1)));
        else
            QVERIFY(*test::waitFor(least.semaphore(name).trySetPermits(0)));
        const auto waiting = test::start(wait(least, kind, Deadline::in(m_clock, 30s)));
        QVERIFY(isSubscribed());
        QVERIFY(openByOther(kind));
        QVERIFY(succeeds(waiting));
        if (kind == Kind::Permits) {
            const auto permit = test::waitFor(least.permitSemaphore(name).tryAcquire(Deadline::in(m_clock, 0ms), 1s));
            QVERIFY(permit.ok() && !permit->has_value());
            QVERIFY(test::waitFor(least.permitSemaphore(name).setPermits(5)).ok());
            QCOMPARE(*test::waitFor(least.permitSemaphore(name).availablePermits()), 4);
        } else if (kind == Kind::Semaphore) {
            QCOMPARE(*test::waitFor(least.semaphore(name).drain()), 0);
            QVERIFY(test::waitFor(least.semaphore(name).addPermits(2)).ok());
        }
        QVERIFY(test::waitFor(open(least, kind)).ok());
    }

    // Nobody knows whether the permits were taken: this is reported, and nothing is sent again.
    void theUnknownOutcomeOfASemaphoreIsReported_data() {
        QTest::addColumn<LossyLine::Loss>("loss");
        QTest::addColumn<QString>("left");
        QTest::newRow("the command is lost") << LossyLine::Loss::Command << "3";
        QTest::newRow("the answer is lost") << LossyLine::Loss::Answer << "2";
    }
    void theUnknownOutcomeOfASemaphoreIsReported() {
        QFETCH(LossyLine::Loss, loss);
        QFETCH(QString, left);
        begin();
        teachScripts(Kind::Semaphore);
        m_server->cli({"SET", "S", "3"});
        m_line->lose(loss);
        const Semaphore semaphore = m_mine->semaphore(name);
        const auto taken = test::waitFor(semaphore.tryAcquire(1, Deadline::in(m_clock, 10s)));
        QVERIFY(!taken.ok());
        QCOMPARE(taken.error().code, ErrorCode::OutcomeUnknown);
        QCOMPARE(*test::waitFor(semaphore.availablePermits()), left.toLongLong());
        m_line->lose(loss);
        QCOMPARE(test::waitFor(semaphore.release(1)).error().code, ErrorCode::OutcomeUnknown);
        // The number is right by chance: the release was executed if and only if the acquire was.
        QCOMPARE(*test::waitFor(semaphore.availablePermits()), 3);
    }

    void aPermitOfUnknownOutcomeIsTakenBack_data() {
        QTest::addColumn<LossyLine::Loss>("loss");
        QTest::newRow("the command is lost") << LossyLine::Loss::Command;
        QTest::newRow("the command is held up") << LossyLine::Loss::HeldUpCommand;
        QTest::newRow("the answer is lost") << LossyLine::Loss::Answer;
    }
    void aPermitOfUnknownOutcomeIsTakenBack() {
        QFETCH(LossyLine::Loss, loss);
        begin();
        teachScripts(Kind::Permits);
        m_server->cli({"SET", "S", "1"});
        const PermitSemaphore semaphore = m_mine->permitSemaphore(name);
        m_line->lose(loss);
        const auto once = test::waitFor(semaphore.tryAcquire(Deadline::in(m_clock, 0ms)));
        QCOMPARE(once.error().code, ErrorCode::OutcomeUnknown);
        QVERIFY(settles(semaphore));
        QCOMPARE(state(), "1 0");
        m_line->lose(loss);
        const auto taken = test::waitFor(semaphore.tryAcquire(Deadline::in(m_clock, 10s)));
        QVERIFY(taken.ok() && taken->has_value());
        QCOMPARE(state(), "0 1");
        m_line->deliverHeldUp();
        QVERIFY(test::becomesTrue([this] { return m_line->heldUpHaveEnded(); }));
        QCOMPARE(state(), "0 1");
        QVERIFY(*test::waitFor(semaphore.release(**taken)));
        QCOMPARE(state(), "1 0");
    }

    void aLatchIsReadAgain() {
        begin();
        teachScripts(Kind::Latch);
        m_line->lose(LossyLine::Loss::Answer);
        const Result<bool> isOpen = test::waitFor(wait(*m_mine, Kind::Latch, Deadline::in(m_clock, 10s)));
        QVERIFY(isOpen.ok() && *isOpen);
        close(Kind::Latch);
        m_line->lose(LossyLine::Loss::Answer);
        QCOMPARE(test::waitFor(m_mine->countDownLatch(name).countDown()).error().code, ErrorCode::OutcomeUnknown);
    }

    void whatALateAnswerHasTakenIsReleased_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<bool>("cancelled");
        for (const Kind kind : {Kind::Semaphore, Kind::Permits}) {
            QTest::newRow(wordFor(kind) + ", after the time limit") << kind << false;
            QTest::newRow(wordFor(kind) + ", after a cancellation") << kind << true;
        }
    }
    void whatALateAnswerHasTakenIsReleased() {
        QFETCH(Kind, kind);
        QFETCH(bool, cancelled);
        begin({}, 2s);
        teachScripts(kind);
        m_server->cli({"SET", "S", "1"});
        m_line->lateness = 3s;
        m_line->lose(LossyLine::Loss::LateAnswer);
        std::stop_source stop;
        const auto taking = test::start(wait(*m_mine, kind, Deadline::in(m_clock, 0ms), stop.get_token()));
        QTRY_COMPARE(m_server->cli({"GET", "S"}), "0");
        if (cancelled)
            stop.request_stop();
        QVERIFY(test::becomesTrue([&] { return taking->has_value(); }));
        QCOMPARE((*taking)->error().code, cancelled ? ErrorCode::Cancelled : ErrorCode::OutcomeUnknown);
        QVERIFY(settles(m_mine->permitSemaphore(name)));
        QCOMPARE(state(), "1 0");
    }

    void aRefusedReleaseIsReportedAndTriedAgain_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QStringList>("fault");
        QTest::addColumn<QStringList>("repair");
        const QStringList right{"ACL", "SETUSER", "default"};
        const QStringList replicas{"CONFIG", "SET", "min-replicas-to-write"};
        const QStringList memory{"CONFIG", "SET", "maxmemory"};
        for (const Kind kind : {Kind::Semaphore, Kind::Permits}) {
            QTest::newRow(wordFor(kind) + ", no right")
                << kind << right + QStringList{"-eval"} << right + QStringList{"+eval"};
            QTest::newRow(wordFor(kind) + ", no replica")
                << kind << replicas + QStringList{"1"} << replicas + QStringList{"0"};
        }
        QTest::newRow("semaphore, no memory")
            << Kind::Semaphore << memory + QStringList{"1"} << memory + QStringList{"0"};
    }
    void aRefusedReleaseIsReportedAndTriedAgain() {
        QFETCH(Kind, kind);
        QFETCH(QStringList, fault);
        QFETCH(QStringList, repair);
        begin();
        teachScripts(kind);
        takeTooLate(kind, fault);
        QVERIFY(!outcomeOf(settled(kind)).ok());
        QCOMPARE(m_server->cli({"GET", "S"}), "0");
        m_server->cli(repair);
        QTRY_COMPARE(state(), "1 0");
        QTRY_VERIFY(outcomeOf(settled(kind)).ok());
    }

    // The next question for the free permits collects the expired permit.
    void aRefusedReleaseOfAPermitEndsWithItsLease() {
        begin();
        teachScripts(Kind::Permits);
        takeTooLate(Kind::Permits, {"ACL", "SETUSER", "default", "-eval"}, 2s);
        QCOMPARE(outcomeOf(settled(Kind::Permits)).error().code, ErrorCode::NotPermitted);
        QTRY_VERIFY(outcomeOf(settled(Kind::Permits)).ok());
        QCOMPARE(m_server->cli({"GET", "S"}), "0");
        m_server->cli({"ACL", "SETUSER", "default", "+eval"});
        QCOMPARE(test::waitFor(count(Kind::Permits)).value(), 1);
    }

    void inACluster_data() { kinds(); }
    void inACluster() {
        QFETCH(Kind, kind);
        test::ClusterSetup cluster(2);
        QVERIFY(cluster.start());
        test::ClusterClient mine(cluster.address(0), m_clock);
        test::ClusterClient other(cluster.address(1), m_clock);
        for (size_t master = 0; master < 2; ++master) {
            const LockName here(cluster.keyOn(master, wordFor(kind)));
            cluster.master(master).cli({"SET", QString::fromUtf8(here.bytes()), kind == Kind::Latch ? "1" : "0"});
            const auto waiting = test::start(wait(mine.client(), kind, Deadline::in(m_clock, 30s), {}, here));
            QTRY_VERIFY(!cluster.master(master).cli({"PUBSUB", "SHARDCHANNELS"}).isEmpty());
            const topology::HashSlot slot = topology::hashSlotOf(here.bytes());
            if (master == 1)  // the waiter must subscribe again at the other node
                QVERIFY(cluster.moveSlot(slot, 1, 0));
            QTRY_VERIFY(!cluster.master(0).cli({"PUBSUB", "SHARDCHANNELS"}).isEmpty());
            QVERIFY(!waiting->has_value());
            QVERIFY(test::waitFor(openAs(other.client(), kind, here)).ok());
            QVERIFY(succeeds(waiting));
        }
    }

    void idsAreShownAsRedissonShowsThem() {
        const PermitId permit = PermitId::random();
        QCOMPARE(permit.bytes().size(), 16);
        QCOMPARE(permit.hex().size(), 32);
        QCOMPARE(PermitId::fromHex(permit.hex()), permit);
        QVERIFY(permit != PermitId::random());
        for (const char* text : {"", "00", "0123456789abcdef0123456789abcdeg", "0123456789abcdef0123456789abcdef00",
                                 "01234567 9abcdef0123456789abcdef"})
            QVERIFY2(!PermitId::fromHex(text), text);
    }

private:
    static void kinds() {
        QTest::addColumn<Kind>("kind");
        for (const Kind kind : allKinds())
            QTest::newRow(wordFor(kind)) << kind;
    }

    // Two programs; answers to the first one can be lost.
    void begin(const QStringList& extra = {}, Milliseconds commandTimeout = 30s) {
        m_server = std::make_unique<test::RedisServer>(extra);
        QVERIFY(m_server->start());
        redis::ConnectionOptions options = m_server->options();
        options.clientName = clientName.toLatin1();
        m_line = std::make_unique<LossyLine>(options.endpoint);
        LockClientOptions clientOptions;
        clientOptions.commandTimeout = commandTimeout;
        m_mine = std::make_unique<LockClient>(options, m_line->factory(), m_clock, clientOptions);
        m_mine->open();
        m_other = std::make_unique<LockClient>(m_server->options(), m_clock);
        m_other->open();
        QTRY_VERIFY(m_mine->connections().isReady("S") && m_other->connections().isReady("S"));
    }
    // Closes the latch or takes all permits, so that there is something to wait for.
    void close(Kind kind) { m_server->cli({"SET", "S", kind == Kind::Latch ? "1" : "0"}); }
    // A script that the server does not know yet is sent twice.
    void teachScripts(Kind kind) {
        m_server->cli({"SET", "S", "1"});
        QVERIFY(test::waitFor(wait(*m_mine, kind, Deadline::in(m_clock, 0ms))).ok());
        QVERIFY(test::waitFor(open(*m_mine, kind)).ok());
        for (const QString& key : {u"S"_qs, u"{S}:timeout"_qs})
            m_server->cli({"DEL", key});
    }

    Task<Result<bool>> wait(LockClient& client, Kind kind, Deadline waitUntil, std::stop_token stop = {},
                            const LockName& whose = name) {
        switch (kind) {
            case Kind::Semaphore:
                return client.semaphore(whose).tryAcquire(1, waitUntil, std::move(stop));
            case Kind::Permits:
                return isTaken(client.permitSemaphore(whose).tryAcquire(waitUntil, std::nullopt, std::move(stop)));
            case Kind::Latch:
                break;
        }
        return client.countDownLatch(whose).await(waitUntil, std::move(stop));
    }
    static Task<Result<bool>> openAs(LockClient& client, Kind kind, const LockName& whose) {
        switch (kind) {
            case Kind::Semaphore:
                return isOver(client.semaphore(whose).release());
            case Kind::Permits:
                return isOver(client.permitSemaphore(whose).addPermits(1));
            case Kind::Latch:
                break;
        }
        return isDone(client.countDownLatch(whose).countDown());
    }
    Task<Result<bool>> open(LockClient& client, Kind kind) { return openAs(client, kind, name); }
    static Task<Result<bool>> remove(LockClient& client, Kind kind) {
        if (kind == Kind::Latch)
            return client.countDownLatch(name).remove();
        return kind == Kind::Permits ? client.permitSemaphore(name).remove() : client.semaphore(name).remove();
    }
    bool openByOther(Kind kind) { return test::waitFor(open(*m_other, kind)).ok(); }
    Task<Result<qint64>> count(Kind kind) {
        if (kind == Kind::Latch)
            return m_mine->countDownLatch(name).count();
        return kind == Kind::Permits ? m_mine->permitSemaphore(name).availablePermits()
                                     : m_mine->semaphore(name).availablePermits();
    }

    test::Running<Result<bool>> startWaiting(Kind kind, Milliseconds time) {
        const auto waiting = test::start(wait(*m_mine, kind, Deadline::in(m_clock, time)));
        [this] { QVERIFY(isSubscribed()); }();
        return waiting;
    }
    bool isSubscribed() {
        return test::becomesTrue([this] { return !m_server->cli({"PUBSUB", "CHANNELS"}).isEmpty(); }, 15000);
    }
    static bool succeeds(const test::Running<Result<bool>>& call) {
        return test::becomesTrue([&] { return call->has_value(); }, 15000) && (*call)->ok() && (*call)->value();
    }
    bool settles(const PermitSemaphore& semaphore) {
        const Completion<Done> settled = semaphore.whenSettled();
        return test::becomesTrue([&] { return settled.isCompleted(); }, 15000);
    }
    // Takes a permit by a call that is cancelled before its answer arrives; the server then has the fault.
    void takeTooLate(Kind kind, const QStringList& fault, std::optional<Milliseconds> lease = std::nullopt) {
        m_server->cli({"SET", "S", "1"});
        m_line->lateness = 1s;
        m_line->lose(LossyLine::Loss::LateAnswer);
        std::stop_source stop;
        const auto taking = lease ? test::start(isTaken(m_mine->permitSemaphore(name).tryAcquire(
                                        Deadline::in(m_clock, 0ms), lease, stop.get_token())))
                                  : test::start(wait(*m_mine, kind, Deadline::in(m_clock, 0ms), stop.get_token()));
        QTRY_COMPARE(m_server->cli({"GET", "S"}), "0");
        m_server->cli(fault);
        stop.request_stop();
        QVERIFY(taking->has_value());
        QCOMPARE((*taking)->error().code, ErrorCode::Cancelled);
    }
    Completion<Done> settled(Kind kind) {
        return kind == Kind::Permits ? m_mine->permitSemaphore(name).whenSettled()
                                     : m_mine->semaphore(name).whenSettled();
    }
    Result<Done> outcomeOf(const Completion<Done>& settled) {
        return test::waitFor(ended(settled, Deadline::in(m_clock, 15s)));
    }
    static Task<Result<Done>> ended(Completion<Done> completion, Deadline deadline) {
        co_return co_await completion.wait(deadline);
    }
    // "free taken"
    QString state() { return m_server->cli({"GET", "S"}) + u' ' + m_server->cli({"ZCARD", "{S}:timeout"}); }

    // Reads of the number of permits or of the count, by all clients.
    qint64 reads() {
        const QString calls = m_server->cli({"INFO", "commandstats"}).section(QLatin1String("cmdstat_get:calls="), 1);
        return calls.section(u',', 0, 0).toLongLong();
    }
    // The script of a semaphore with leases reads the number again after it has collected expired permits.
    static int readsOfAttempt(Kind kind) { return kind == Kind::Permits ? 2 : 1; }
    // Ends the connection, and waits until it is restored.
    bool kill(const QString& connection) {
        const auto ids = [&] {
            QStringList found;
            for (const QString& line :
                 m_server->cli({"CLIENT", "LIST"}).split(u'\n').filter(" name=" + connection + ' '))
                found += line.section(u' ', 0, 0).section(u'=', 1);
            return found;
        };
        const QStringList before = ids();
        for (const QString& id : before)
            m_server->cli({"CLIENT", "KILL", "ID", id});
        return !before.isEmpty() && test::becomesTrue([&] {
            const QStringList now = ids();
            return !now.isEmpty() && now != before;
        });
    }

    SystemClock m_clock;
    std::unique_ptr<test::RedisServer> m_server;
    std::unique_ptr<LossyLine> m_line;
    std::unique_ptr<LockClient> m_mine;
    std::unique_ptr<LockClient> m_other;
};

LOCKKEEPER_TEST(TestSemaphores, Guiless)

}  // namespace tst_semaphores

#include "tst_semaphores.moc"
