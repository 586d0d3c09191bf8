// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/sources/shardedmessages.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_shardedmessages {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

class ClusterNode final : public NodeScope {
public:
    [[nodiscard]] bool isInCluster() const override { return isCluster; }
    [[nodiscard]] bool keeps(const LockName& name) const override { return !moved.contains(name); }
    void noteMovedKeys() const override { ++notes; }
    bool isCluster = true;
    QList<LockName> moved;
    mutable int notes = 0;
};

LockSnapshot lockNamed(const QByteArray& name, bool isHeld, LockKind kind = LockKind::Reentrant) {
    const QList<Holder> holders = isHeld ? QList<Holder>{exclusive(alice)} : QList<Holder>();
    return snapshot(0ms, kind, holders, std::nullopt, name);
}

QByteArray channelOf(const QByteArray& name) {
    return "redisson_lock__channel:{" + name + '}';
}

}  // namespace

class TestShardedMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_node = ClusterNode();
        m_denials = Denials();
        m_received.clear();
        m_played = std::make_unique<PlayedConnection>();
        m_messages = std::make_unique<ShardedMessages>(m_played->connection, m_denials, m_node, 2);
        connect(m_messages.get(), &ShardedMessages::received, this,
                [this](const QList<LockName>& candidates) { m_received += candidates.first().bytes(); });
        m_played->open();
        m_played->clock.advance(1s);
    }
    void cleanup() {
        m_messages.reset();
        m_played.reset();
    }

    void subscribesOnceToTheChannelOfALock() {
        const LockSnapshot lock = lockNamed("L", true);
        follow(lock);
        follow(lock);
        QCOMPARE(m_played->link().takeCommand(), QByteArrayList({"SSUBSCRIBE", channelOf("L")}));
        QVERIFY(!receivesSince(lock));
        confirm("ssubscribe", channelOf("L"));
        QCOMPARE(receivesSince(lock), std::optional(m_played->clock.now()));
        m_played->link().reply(pushOf({"smessage", channelOf("L"), "1"}));  // wakes the waiters, and is no release
        QCOMPARE(m_received, QByteArrayList());
        m_played->link().reply(pushOf({"smessage", channelOf("L"), "0"}) + pushOf({"smessage", channelOf("M"), "0"}));
        QCOMPARE(m_received, QByteArrayList{"L"});
    }

    void withoutAClusterItSendsNothing() {
        m_node.isCluster = false;
        follow(lockNamed("L", true));
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    void aReadWriteLockHasAChannelOfItsOwn() {
        follow(lockNamed("L", true, LockKind::ReadWrite));
        QCOMPARE(m_played->link().takeCommand(), QByteArrayList({"SSUBSCRIBE", "redisson_rwlock:{L}"}));
    }

    // The release of a fair lock may go to the channel of one waiter, to which the monitor is not subscribed.
    void aFairLocksReleaseMayBeMissed() {
        const LockSnapshot lock = lockNamed("L", true, LockKind::Fair);
        subscribe(lock);
        QVERIFY(!receivesSince(lock));
    }

    void aFreeLockMakesRoomForAHeldOne() {
        subscribe(lockNamed("A", true));
        subscribe(lockNamed("B", false));
        follow(lockNamed("C", false));
        QCOMPARE(m_played->link().takeCommands().size(), 0);
        follow(lockNamed("C", true));
        QCOMPARE(m_played->link().takeCommands(),
                 (QList<QByteArrayList>{{"SUNSUBSCRIBE", channelOf("B")}, {"SSUBSCRIBE", channelOf("C")}}));
        confirm("sunsubscribe", channelOf("B"));
        confirm("ssubscribe", channelOf("C"));
        follow(lockNamed("D", true));
        QCOMPARE(m_played->link().takeCommands().size(), 0);  // all locks are held
    }

    void aLockThatIsWaitedForComesFirst() {
        using Demand = ShardedMessages::Demand;
        subscribe(lockNamed("held", true));
        subscribe(lockNamed("free", false));
        follow(lockNamed("A", false), Demand::WaitedFor);
        QCOMPARE(m_played->link().takeCommands(),
                 (QList<QByteArrayList>{{"SUNSUBSCRIBE", channelOf("free")}, {"SSUBSCRIBE", channelOf("A")}}));
        confirm("sunsubscribe", channelOf("free"));
        confirm("ssubscribe", channelOf("A"));
        follow(lockNamed("B", true), Demand::WaitedFor);
        QCOMPARE(m_played->link().takeCommands(),
                 (QList<QByteArrayList>{{"SUNSUBSCRIBE", channelOf("held")}, {"SSUBSCRIBE", channelOf("B")}}));
        confirm("sunsubscribe", channelOf("held"));
        confirm("ssubscribe", channelOf("B"));
        follow(lockNamed("C", true), Demand::WaitedFor);
        QCOMPARE(m_played->link().takeCommands().size(), 0);  // all locks are waited for
        follow(lockNamed("A", false));
        follow(lockNamed("C", true));
        QCOMPARE(m_played->link().takeCommands(),
                 (QList<QByteArrayList>{{"SUNSUBSCRIBE", channelOf("A")}, {"SSUBSCRIBE", channelOf("C")}}));
    }

    void theServerEndsTheSubscriptionsOfASlotThatMoves() {
        subscribe(lockNamed("L", true));
        m_played->link().reply(">3\r\n" + bulk("sunsubscribe") + bulk(channelOf("L")) + number(0));
        QVERIFY(!receivesSince(lockNamed("L", true)));
        QCOMPARE(m_node.notes, 1);
    }

    // The answer could be taken for the answer to another command, because the server has already ended the
    // subscription.
    void aLockThatMovedAwayIsNotUnsubscribed() {
        subscribe(lockNamed("L", true));
        m_node.moved = {LockName("L")};
        m_messages->unfollow(LockName("L"));
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    void theServerCountsASubscriptionUntilItHasEnded() {
        using Counted = ShardedMessages::Counted;
        QCOMPARE(m_messages->isCounted(channelOf("L")), Counted::No);
        follow(lockNamed("L", true));
        QCOMPARE(m_messages->isCounted(channelOf("L")), Counted::Unclear);
        confirm("ssubscribe", m_played->link().takeCommand().value(1));
        QCOMPARE(m_messages->isCounted(channelOf("L")), Counted::Yes);
        m_messages->unfollow(LockName("L"));
        QCOMPARE(m_messages->isCounted(channelOf("L")), Counted::Unclear);
        confirm("sunsubscribe", m_played->link().takeCommand().value(1));
        QCOMPARE(m_messages->isCounted(channelOf("L")), Counted::No);
    }

    void ofASlotThatMovesTheServerEndsIt() {
        using Counted = ShardedMessages::Counted;
        subscribe(lockNamed("L", true));
        m_node.moved = {LockName("L")};
        m_messages->unfollow(LockName("L"));
        QCOMPARE(m_messages->isCounted(channelOf("L")), Counted::Unclear);
        confirm("sunsubscribe", channelOf("L"));
        QCOMPARE(m_messages->isCounted(channelOf("L")), Counted::No);
    }

    void aRefusalIsNoted() {
        follow(lockNamed("L", true));
        (void)m_played->link().takeCommands();
        m_played->link().reply(
            "-NOPERM this user has no permissions to access one of the channels used as arguments\r\n");
        QCOMPARE(denialLines(m_denials.list()),
                 QStringList{"SSUBSCRIBE: a released lock cannot be distinguished from a deleted or expired one"});
        follow(lockNamed("M", true));
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    void aRedirectionIsNoRefusal() {
        follow(lockNamed("L", true));
        (void)m_played->link().takeCommands();
        m_played->link().reply("-MOVED 1 other:6379\r\n");
        QCOMPARE(m_node.notes, 1);
        QVERIFY(m_denials.list().isEmpty());
        follow(lockNamed("L", true));
        QCOMPARE(m_played->link().takeCommands().size(), 1);
    }

private:
    void confirm(const QByteArray& kind, const QByteArray& channel) {
        m_played->link().reply(">3\r\n" + bulk(kind) + bulk(channel) + number(1));
    }
    void follow(const LockSnapshot& lock, ShardedMessages::Demand demand = ShardedMessages::Demand::None) {
        m_messages->follow(lock.name, LastRead(lock), demand);
    }
    [[nodiscard]] std::optional<SteadyTime> receivesSince(const LockSnapshot& lock) const {
        return m_messages->receivesSince(lock.name, LastRead(lock));
    }
    void subscribe(const LockSnapshot& lock) {
        follow(lock);
        confirm("ssubscribe", m_played->link().takeCommand().value(1));
    }

    ClusterNode m_node;
    Denials m_denials;
    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<ShardedMessages> m_messages;
    QByteArrayList m_received;
};

LOCKKEEPER_TEST(TestShardedMessages, Guiless)

}  // namespace tst_shardedmessages

#include "tst_shardedmessages.moc"
