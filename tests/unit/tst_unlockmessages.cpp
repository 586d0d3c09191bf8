// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/sources/unlockmessages.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_unlockmessages {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QByteArray plainPattern = "redisson_lock__channel:*";
const QByteArray readWritePattern = "redisson_rwlock:*";

}  // namespace

class TestUnlockMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<FakeServer>();
        m_connection = std::make_unique<redis::Connection>(redis::ConnectionOptions(), m_server->factory(), m_clock);
        m_denials = Denials();
        m_messages = std::make_unique<UnlockMessages>(*m_connection, m_denials);
        m_received.clear();
        connect(m_messages.get(), &UnlockMessages::received, this, [this](const QList<LockName>& candidates) {
            for (const LockName& name : candidates)
                m_received << name.bytes();
        });
        m_connection->open();
        m_server->acceptAll();
        m_clock.advance(1s);
    }
    void cleanup() {
        m_messages.reset();
        m_connection.reset();
    }

    void receivesBothKindsOnceSubscribed() {
        QVERIFY(!m_messages->receivesSince(LockKind::Reentrant));
        const Completion<Done> done = m_messages->subscribe();
        QCOMPARE(link().takeCommand(), QByteArrayList({"PSUBSCRIBE", plainPattern}));
        link().reply(subscribedReply(plainPattern));
        QCOMPARE(m_messages->receivesSince(LockKind::Fair), std::optional(m_clock.now()));
        QVERIFY(!m_messages->receivesSince(LockKind::ReadWrite));
        QCOMPARE(link().takeCommand(), QByteArrayList({"PSUBSCRIBE", readWritePattern}));
        link().reply(subscribedReply(readWritePattern));
        QCOMPARE(m_messages->receivesSince(LockKind::ReadWrite), std::optional(m_clock.now()));
        QVERIFY(done.isCompleted());
        QVERIFY(denialLines(m_denials.list()).isEmpty());
    }

    void saysWhichLocksAMessageMayBeAbout_data() {
        QTest::addColumn<QByteArray>("push");
        QTest::addColumn<QByteArrayList>("received");
        QTest::newRow("a plain lock") << pushOf({"pmessage", plainPattern, "redisson_lock__channel:{L}", "0"})
                                      << QByteArrayList({"L", "{L}"});
        QTest::newRow("a fair lock's waiter")
            << pushOf({"pmessage", plainPattern, "redisson_lock__channel:{L}:" + bob.bytes(), "0"})
            << QByteArrayList({"L", "{L}", "{L}:" + bob.bytes()});
        QTest::newRow("a plain lock: it only wakes the waiters")
            << pushOf({"pmessage", plainPattern, "redisson_lock__channel:{L}", "1"}) << QByteArrayList();
        QTest::newRow("a read/write lock")
            << pushOf({"pmessage", readWritePattern, "redisson_rwlock:{L}", "1"}) << QByteArrayList({"L", "{L}"});
        QTest::newRow("another channel") << pushOf({"pmessage", "*", "news", "0"}) << QByteArrayList();
        QTest::newRow("not by a pattern") << pushOf({"message", "redisson_lock__channel:{L}", "0"}) << QByteArrayList();
        QTest::newRow("an invalidation") << invalidation("redisson_lock__channel:{L}") << QByteArrayList();
        QTest::newRow("a short one") << pushOf({"pmessage", plainPattern}) << QByteArrayList();
    }
    void saysWhichLocksAMessageMayBeAbout() {
        QFETCH(const QByteArray, push);
        QFETCH(const QByteArrayList, received);
        receivesBothKindsOnceSubscribed();
        link().reply(push);
        QCOMPARE(m_received, received);
    }

    void aRefusedPatternIsNotedAndTheOtherStillReceived() {
        const Completion<Done> done = m_messages->subscribe();
        (void)link().takeCommand();
        link().reply(noPermission("psubscribe"));
        (void)link().takeCommand();
        link().reply(subscribedReply(readWritePattern));
        QVERIFY(done.isCompleted());
        QVERIFY(!m_messages->receivesSince(LockKind::Reentrant));
        QVERIFY(m_messages->receivesSince(LockKind::ReadWrite));
        QCOMPARE(denialLines(m_denials.list()).size(), 1);
        QVERIFY(denialLines(m_denials.list()).first().startsWith("PSUBSCRIBE redisson_lock__channel:*: "));
    }

    void aLostConnectionEndsTheReception() {
        receivesBothKindsOnceSubscribed();
        link().lose();
        QVERIFY(!m_messages->receivesSince(LockKind::Reentrant));
        QVERIFY(!m_messages->receivesSince(LockKind::ReadWrite));
    }

    void catchingUpIsARoundTrip() {
        const auto caughtUp = start(m_messages->catchUp({}));
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        QVERIFY(!caughtUp->has_value());
        link().reply("+PONG\r\n");
        QCOMPARE(**caughtUp, true);
    }

    void withoutAConnectionThereIsNoCatchingUp() {
        const auto inTime = start(m_messages->catchUp({}));
        link().lose();
        QCOMPARE(**inTime, false);
        const auto later = start(m_messages->catchUp({}));
        QCOMPARE(**later, false);
    }

private:
    FakeLink& link() { return m_server->lastLink(); }

    ManualClock m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<redis::Connection> m_connection;
    Denials m_denials;
    std::unique_ptr<UnlockMessages> m_messages;
    QByteArrayList m_received;
};

LOCKKEEPER_TEST(TestUnlockMessages, Guiless)

}  // namespace tst_unlockmessages

#include "tst_unlockmessages.moc"
