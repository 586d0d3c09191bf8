// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/sources/keyspaceevents.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_keyspaceevents {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

class TestKeyspaceEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_played = std::make_unique<PlayedConnection>(3);
        m_denials = Denials();
        m_events = std::make_unique<KeyspaceEvents>(m_played->connection, m_played->connection, m_denials);
        m_touched.clear();
        m_queuesTouched.clear();
        connect(m_events.get(), &KeyspaceEvents::touched, this,
                [this](const LockName& name) { m_touched << name.bytes(); });
        connect(m_events.get(), &KeyspaceEvents::queueTouched, this,
                [this](const LockName& name) { m_queuesTouched << name.bytes(); });
        m_played->open();
    }
    void cleanup() {
        m_events.reset();
        m_played.reset();
    }

    void areOnWhenTheServerPublishesAllThatALockGoesThrough_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<bool>("on");
        QTest::addColumn<int>("noted");
        const auto flags = [](const QByteArray& text) {
            return "%1\r\n" + bulk("notify-keyspace-events") + bulk(text);
        };
        QTest::newRow("off") << flags("") << false << 0;
        QTest::newRow("everything") << flags("AKE") << true << 0;
        QTest::newRow("just what is needed") << flags("xghK") << true << 0;
        QTest::newRow("by event only") << flags("AE") << false << 0;
        QTest::newRow("no hashes") << flags("Kgx") << false << 0;
        QTest::newRow("no deletions") << flags("Khx") << false << 0;
        QTest::newRow("no expiry") << flags("Kgh") << false << 0;
        QTest::newRow("refused") << noPermission("config|get") << false << 1;
        QTest::newRow("renamed or switched off") << QByteArray("-ERR unknown command 'CONFIG'\r\n") << false << 1;
        QTest::newRow("nothing of the kind") << QByteArray("%0\r\n") << false << 0;
    }
    void areOnWhenTheServerPublishesAllThatALockGoesThrough() {
        QFETCH(const QByteArray, answer);
        QFETCH(const bool, on);
        QFETCH(const int, noted);
        const auto areOn = start(m_events->areOn({}));
        QCOMPARE(link().takeCommand(), QByteArrayList({"CONFIG", "GET", "notify-keyspace-events"}));
        link().reply(answer);
        QCOMPARE(**areOn, on);
        QCOMPARE(denialLines(m_denials.list()).size(), noted);
    }

    void isRefusedOnce() {
        turnOn();
        int refusals = 0;
        connect(m_events.get(), &KeyspaceEvents::refused, this, [&refusals] { ++refusals; });
        for (const char* name : {"a", "b"})
            m_events->follow(LockName(name));
        (void)link().takeCommands();
        link().reply(noPermission("subscribe") + noPermission("subscribe"));
        QCOMPARE(refusals, 1);
        m_events->follow(LockName("c"));
        m_events->unfollow(LockName("a"));
        QCOMPARE(link().takeCommands().size(), 0);
    }

    void anotherSessionAsksAgain() {
        turnOn();
        link().lose();
        m_played->comeBack();
        m_events->follow(LockName("a"));
        QCOMPARE(link().takeCommands().size(), 0);
    }

    void receivesWhatHappensInItsDatabase() {
        turnOn();
        m_events->follow(LockName("a:b"));
        QCOMPARE(link().takeCommand(), QByteArrayList({"SUBSCRIBE", "__keyspace@3__:a:b"}));
        link().reply(pushOf({"subscribe", "__keyspace@3__:a:b"}));
        link().reply(pushOf({"message", "__keyspace@3__:a:b", "expire"}) +
                     pushOf({"message", "__keyspace@2__:a:b", "expire"}) + invalidation("a:b") +
                     messageOn("redisson_lock__channel:{a}"));
        QCOMPARE(m_touched, QByteArrayList{"a:b"});
    }

    void receivesTheQueuesOfFairLocksWhereListsArePublished_data() {
        QTest::addColumn<QByteArray>("flags");
        QTest::addColumn<bool>("received");
        QTest::newRow("lists too") << QByteArray("Kghxl") << true;
        QTest::newRow("everything") << QByteArray("AK") << true;
        QTest::newRow("no lists") << QByteArray("Kghx") << false;
    }
    void receivesTheQueuesOfFairLocksWhereListsArePublished() {
        QFETCH(const QByteArray, flags);
        QFETCH(const bool, received);
        const auto areOn = start(m_events->areOn({}));
        (void)link().takeCommand();
        link().reply("%1\r\n" + bulk("notify-keyspace-events") + bulk(flags));
        QCOMPARE(link().takeCommand(), received ? QByteArrayList({"PSUBSCRIBE", queues}) : QByteArrayList());
        if (!received)
            return;
        QVERIFY(!m_events->noticesFairQueues());
        link().reply(subscribedReply(queues));
        QVERIFY(m_events->noticesFairQueues());
        link().reply(pushOf({"pmessage", queues, "__keyspace@3__:redisson_lock_queue:{F}", "rpush"}));
        QCOMPARE(m_queuesTouched, QByteArrayList{"F"});
        QCOMPARE(m_touched, QByteArrayList());
    }

    void withoutTheRightToThemQueuesAreSeenLate() {
        const auto areOn = start(m_events->areOn({}));
        (void)link().takeCommand();
        link().reply("%1\r\n" + bulk("notify-keyspace-events") + bulk("AK"));
        (void)link().takeCommand();
        link().reply(noPermission("psubscribe"));
        QVERIFY(**areOn);
        QVERIFY(!m_events->noticesFairQueues());
        QVERIFY(denialLines(m_denials.list()).value(0).startsWith("PSUBSCRIBE __keyspace@3__:redisson_lock_queue:*: "));
    }

    // RESP2: a subscribed connection accepts no other commands.
    void aListenerOfItsOwnIsFollowedAgainWhenItComesBack() {
        redis::Connection listener(m_played->connection.options(), m_played->server.factory(), m_played->clock);
        m_events = std::make_unique<KeyspaceEvents>(m_played->connection, listener, m_denials);
        connect(m_events.get(), &KeyspaceEvents::touched, this,
                [this](const LockName& name) { m_touched << name.bytes(); });
        int interruptions = 0;
        connect(m_events.get(), &KeyspaceEvents::interrupted, this, [&interruptions] { ++interruptions; });
        const auto areOn = start(m_events->areOn({}));
        (void)link().takeCommand();
        link().reply("%1\r\n" + bulk("notify-keyspace-events") + bulk("AK"));
        QVERIFY(**areOn);
        m_events->follow(LockName("a"));  // there is no connection for events yet
        listener.open();
        m_played->server.acceptAll();
        QCOMPARE(interruptions, 1);
        QCOMPARE(link().takeCommand(), QByteArrayList({"PSUBSCRIBE", queues}));
        link().reply(subscribedReply(queues));
        m_events->follow(LockName("a"));
        QCOMPARE(link().takeCommand(), QByteArrayList({"SUBSCRIBE", "__keyspace@3__:a"}));
        link().reply(pushOf({"subscribe", "__keyspace@3__:a"}) + pushOf({"message", "__keyspace@3__:a", "expire"}));
        QCOMPARE(m_touched, QByteArrayList{"a"});
        QVERIFY(m_events->noticesFairQueues());
        link().lose();
        QVERIFY(!m_events->noticesFairQueues());
        m_played->comeBack();
        QCOMPARE(interruptions, 2);
        m_events.reset();
    }

private:
    void turnOn() {
        const auto areOn = start(m_events->areOn({}));
        (void)link().takeCommands();
        link().reply("%1\r\n" + bulk("notify-keyspace-events") + bulk("Kghx"));
        QVERIFY(**areOn);
    }
    static inline const QByteArray queues = "__keyspace@3__:redisson_lock_queue:*";

    FakeLink& link() { return m_played->link(); }

    std::unique_ptr<PlayedConnection> m_played;
    Denials m_denials;
    std::unique_ptr<KeyspaceEvents> m_events;
    QByteArrayList m_touched;
    QByteArrayList m_queuesTouched;
};

LOCKKEEPER_TEST(TestKeyspaceEvents, Guiless)

}  // namespace tst_keyspaceevents

#include "tst_keyspaceevents.moc"
