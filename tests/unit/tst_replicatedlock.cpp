// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/fairlock.h"
#include "locks/kinds/reentrantlock.h"
#include "support/fakeserver.h"
#include "support/lockscripts.h"
#include "support/manualclock.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_replicatedlock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const ThreadId owner{7};
const QByteArray info = test::bulk("slave0:ip=10.0.0.1,port=6379,state=online,offset=14,lag=0\r\n");
const QByteArray taken = QByteArrayLiteral("_\r\n");

}  // namespace

// A lock on a server with a replica: what happens if the replica confirms it, or does not.
class TestReplicatedLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_client = std::make_unique<LockClient>(redis::ConnectionOptions(), m_server->factory(), *m_clock);
        m_client->open();
        m_server->lastLink().shakeHands();
    }
    void cleanup() { m_client.reset(); }

    void countsWhenTheReplicaHasIt() {
        const auto call = tryLock(30s);
        waitIsAsked();
        QVERIFY(!call->has_value());
        reply(":1\r\n");
        QVERIFY((*call)->value().acquired());
        QCOMPARE(m_client->heldKeys().size(), size_t{1});
    }

    // Whatever the server answers, the client then does not believe to hold the lock, and does not renew it.
    void isGivenBackWhenItHasItNot_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("released") << QByteArray(":1\r\n");
        QTest::newRow("was not there") << QByteArray("_\r\n");
        QTest::newRow("refused") << QByteArray("-NOREPLICAS Not enough good replicas to write.\r\n");
        QTest::newRow("busy") << QByteArray("-BUSY Redis is busy running a script.\r\n");
    }
    void isGivenBackWhenItHasItNot() {
        QFETCH(QByteArray, answer);
        const auto call = tryLock(std::nullopt);
        waitIsAsked();
        reply(":0\r\n");
        QCOMPARE(take().value(0), "EVALSHA");
        reply(answer);
        QCOMPARE((*call)->error().code, ErrorCode::Timeout);
        QCOMPARE(m_client->heldKeys().size(), size_t{0});
        while (!take().isEmpty())  // including the reconciliation after a refused release
            reply("-NOREPLICAS Not enough good replicas to write.\r\n");
        // A refused release is tried again as a reconciliation; nothing is renewed.
        m_clock->advance(11s);
        QCOMPARE(take().value(0), answer.startsWith('-') ? QByteArray("EVAL") : QByteArray());
        QCOMPARE(take(), QByteArrayList());
    }

    void isTriedAgainAfterAPause() {
        const auto call = tryLock(std::nullopt, 60s);
        isGivenBack();
        QVERIFY(!call->has_value());
        QCOMPARE(take(), QByteArrayList());
        m_clock->advance(1s);
        waitIsAsked();
        reply(":1\r\n");
        QVERIFY((*call)->value().acquired());
        QCOMPARE(m_client->heldKeys().size(), size_t{1});
    }

    void theReasonIsReportedAtTheEndOfTheWait() {
        const auto call = tryLock(std::nullopt, 200ms);
        isGivenBack();
        QVERIFY(!call->has_value());
        m_clock->advance(200ms);
        QCOMPARE((*call)->error().code, ErrorCode::Timeout);
        QCOMPARE((*call)->error().cause, Cause::TooFewReplicas);
        m_clock->advance(10s);
        QCOMPARE(take(), QByteArrayList());
    }

    // A server that itself wants replicas (min-replicas-to-write) refuses the acquire before anything is written.
    void aRefusalForWantOfReplicasIsTriedAgainAfterAPause() {
        const auto call = tryLock(std::nullopt, 60s);
        QCOMPARE(take().value(0), "EVALSHA");
        reply("-NOREPLICAS Not enough good replicas to write.\r\n");
        QCOMPARE(take(), QByteArrayList());
        m_clock->advance(500ms - 1us);
        QCOMPARE(take(), QByteArrayList());
        m_clock->advance(500ms + 1us);
        waitIsAsked();
        reply(":1\r\n");
        QVERIFY((*call)->value().acquired());
    }
    void aRefusalForWantOfReplicasIsTheReasonAtTheEndOfTheWait_data() {
        QTest::addColumn<Milliseconds>("wait");
        QTest::newRow("tries once") << 0ms;
        QTest::newRow("in a pause") << 200ms;
    }
    void aRefusalForWantOfReplicasIsTheReasonAtTheEndOfTheWait() {
        QFETCH(Milliseconds, wait);
        const auto call = tryLock(std::nullopt, wait);
        QCOMPARE(take().value(0), "EVALSHA");
        reply("-NOREPLICAS Not enough good replicas to write.\r\n");
        m_clock->advance(wait);
        QVERIFY(call->has_value());
        QCOMPARE((*call)->error().reply, ReplyKind::NoReplicas);
        QCOMPARE(m_client->heldKeys().size(), size_t{0});
        m_clock->advance(10s);
        QCOMPARE(take(), QByteArrayList());
    }

    void thePauseCanBeCancelled() {
        std::stop_source stop;
        const auto call = tryLock(std::nullopt, 60s, stop.get_token());
        isGivenBack();
        stop.request_stop();
        QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
    }

    // When the replica confirms, the lease has already expired.
    void isNotAcquiredWhenItIsLostMeanwhile() {
        const auto call = tryLock(300ms);
        waitIsAsked();
        m_clock->advance(400ms);
        reply(":1\r\n");
        QCOMPARE((*call)->error().code, ErrorCode::NotHeld);
        QCOMPARE(m_client->heldKeys().size(), size_t{0});
    }

    // The server keeps the place as long as the waiters before it may need, not only as long as the caller waits.
    void aPlaceInTheQueueIsGivenUpHoweverLongTheServerWasAway() {
        const auto call = test::start(m_client->fairLock(LockName("F")).tryLock(owner, Deadline::in(*m_clock, 100ms)));
        QCOMPARE(take().value(0), "EVALSHA");
        reply(":3600000\r\n");
        m_server->link(0).lose();
        m_clock->advance(10s);
        QVERIFY(call->has_value());  // the caller has long stopped waiting
        m_server->acceptAll();
        QByteArrayList sent;
        for (size_t link = 1; link < m_server->linkCount(); ++link) {
            for (const QByteArrayList& command : m_server->link(link).takeCommands())
                sent += command.value(1);
        }
        QVERIFY(sent.contains(test::lockScript(QStringLiteral("fair_leave")).source()));
    }

private:
    [[nodiscard]] test::Running<Result<LockAttempt>> tryLock(std::optional<Milliseconds> lease, Milliseconds wait = 0ms,
                                                             std::stop_token stop = {}) {
        const ReentrantLock lock = m_client->reentrantLock(LockName("L"));
        return test::start(lock.tryLock(owner, Deadline::in(*m_clock, wait), lease, std::move(stop)));
    }
    void isGivenBack() {
        waitIsAsked();
        reply(":0\r\n");
        QCOMPARE(take().value(0), "EVALSHA");
        reply(":1\r\n");
    }
    void waitIsAsked() {
        QCOMPARE(take().value(0), "EVALSHA");
        reply(taken);
        QCOMPARE(take(), (QByteArrayList{"INFO", "replication"}));
        reply(info);
        QCOMPARE(take().value(0), "WAIT");
    }
    QByteArrayList take() { return m_server->lastLink().takeCommand(); }
    void reply(const QByteArray& answer) { m_server->lastLink().reply(answer); }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestReplicatedLock, Guiless)

}  // namespace tst_replicatedlock

#include "tst_replicatedlock.moc"
