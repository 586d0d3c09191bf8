// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/readaudit.h"
#include "control/consolecause.h"
#include "control/forcerelease.h"
#include "control/plannedcommands.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockkeys.h"
#include "support/clusterclient.h"
#include "support/clustersetup.h"
#include "support/serverhand.h"
#include "support/sleepingcall.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_forcerelease {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace std::chrono_literals;

// A force-release in a Cluster whose slots move: it finds the lock, and records what it did.
class TestForceRelease : public QObject {
    Q_OBJECT

private:
    QByteArray name() const { return m_cluster->keyOn(0, "lock"); }
    topology::HashSlot slot() const { return topology::hashSlotOf(name()); }
    void hold(size_t master) const {
        m_cluster->master(master).cli({"HSET", QString::fromLatin1(name()), test::alice.display(), "1"});
    }
    ForceReleaseRequest request() const {
        ForceReleaseRequest made;
        made.confirmed = test::held(0ms, test::alice);
        made.confirmed.name = LockName(name());
        made.reason = QStringLiteral("it hangs");
        return made;
    }
    // How often a node has refused a script because not all of its keys were there.
    int refusedByMovingSlot() const {
        const QString errors = m_cluster->master(1).cli({"INFO", "errorstats"});
        return errors.section(QStringLiteral("errorstat_TRYAGAIN:count="), 1).section(u'\r', 0, 0).toInt();
    }
    ForceReport force() { return test::waitFor(m_force->run(request(), {})); }
    std::vector<AuditLine> lines() const { return readAudit(m_directory->filePath(QStringLiteral("audit")))->lines; }

    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<test::ClusterSetup> m_cluster;
    std::unique_ptr<test::ClusterClient> m_client;
    std::unique_ptr<AuditLog> m_log;
    std::unique_ptr<ForceRelease> m_force;

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_cluster = std::make_unique<test::ClusterSetup>(3);
        QVERIFY(m_cluster->start());
        m_client = std::make_unique<test::ClusterClient>(m_cluster->address(0), m_clock);
        m_log = std::make_unique<AuditLog>(m_directory->filePath(QStringLiteral("audit")), m_clock);
        topology::ShardConnections& connections = m_client->client().connections();
        m_force = std::make_unique<ForceRelease>(connections, 5s, m_log.get(), AuditPlace());
        for (size_t master = 0; master < m_cluster->masterCount(); ++master)
            QTRY_VERIFY(connections.isReady(m_cluster->keyOn(master, "any")));
    }
    void cleanup() {
        m_force.reset();
        m_log.reset();
        m_client.reset();
        m_cluster.reset();
    }

    void breaksALockOfAnyMaster() {
        hold(0);
        QCOMPARE(force().outcome.value(), BreakOutcome::Broken);
        QCOMPARE(lines().size(), size_t{2});
    }

    void findsALockWhoseSlotHasMoved() {
        QVERIFY(m_cluster->moveSlot(slot(), 0, 1));
        hold(1);
        const ForceReport report = force();
        QVERIFY2(report.outcome.ok(), report.outcome ? "" : qPrintable(report.outcome.error().text));
        QCOMPARE(*report.outcome, BreakOutcome::Broken);
        QVERIFY(report.after && !report.after->isHeld());
        QCOMPARE(lines()[0].record->state->holders.first().id, test::alice);
        QCOMPARE(lines()[1].record->outcome, AuditOutcome::Done);
    }

    // As Redisson 3.22 to 3.51 with a NameMapper: the queue has another name, the channel of its waiter belongs to the
    // shard.
    void wakesAWaiterOfAnotherQueueOnTheChannelOfItsShard() {
        hold(0);
        redis::Connection& waiter = *m_client->client().connections().of(name());
        QByteArrayList received;
        connect(&waiter, &redis::Connection::pushReceived, this, [&received](const redis::RespValue& push) {
            received << push.items[0].bytes + ' ' + push.items[2].bytes;
        });
        const QByteArray channel = locks::LockKeys(LockName(name())).fairWaiterChannel(test::bob);
        const auto subscribed = waiter.send(redis::Command("SSUBSCRIBE").arg(channel));
        QTRY_VERIFY(subscribed.isCompleted());
        received.clear();
        QCOMPARE(force().outcome.value(), BreakOutcome::Broken);
        QTRY_COMPARE(received, QByteArrayList{"smessage 0"});
    }

    // A client that has read that the lock has no TTL sleeps until a message comes.
    void aTtlThatIsSetWakesAWaitingClient() {
        hold(0);
        locks::LockClient& client = m_client->client();
        const auto waiting = test::start(client.reentrantLock(LockName(name())).lock(ThreadId{7}));
        QVERIFY(test::fallsAsleep(test::Kind::Reentrant, m_cluster->master(0), client, name()));
        ForceReleaseRequest expiry = request();
        expiry.confirmed.ttl.reset();
        expiry.confirmed.expiry.reset();
        expiry.change.kind = ChangeKind::SetExpiry;
        expiry.change.time = 500ms;
        QCOMPARE(test::waitFor(m_force->run(expiry, {})).outcome.value(), BreakOutcome::Broken);
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
        QVERIFY(lines()[1].record->wokeWaiters);
    }

    // The script asks only one server who is subscribed.
    void aWaiterThatIsNotProvenDeadAnyMoreStays() {
        const QString queue = QString::fromLatin1(locks::LockKeys(LockName(name())).fairQueue());
        m_cluster->master(0).cli({"RPUSH", queue, test::alice.display()});
        ForceReleaseRequest removal = request();
        removal.confirmed.holders.clear();
        removal.confirmed.fairQueue = {{test::alice, std::nullopt}};
        removal.change.kind = ChangeKind::RemoveWaiter;
        removal.change.waiter = removal.confirmed.fairQueue.first();
        bool isDead = false;
        m_force->requireProof([&](const LockName& lock, const HolderId& waiter) {
            return isDead && lock == removal.confirmed.name && waiter == test::alice;
        });
        QCOMPARE(test::waitFor(m_force->run(removal, {})).outcome.value(), BreakOutcome::Changed);
        QCOMPARE(lines()[1].record->outcome, AuditOutcome::OtherHolder);
        QCOMPARE(m_cluster->master(0).cli({"LLEN", queue}), "1");
        isDead = true;
        QCOMPARE(test::waitFor(m_force->run(removal, {})).outcome.value(), BreakOutcome::Broken);
        QCOMPARE(m_cluster->master(0).cli({"LLEN", queue}), "0");
    }

    // In a Cluster, Redisson waits on the shard's channel, and its versions before 3.22 on the plain one.
    void publishesAsPlanned_data() {
        QTest::addColumn<redis::Publishing>("publishing");
        QTest::addColumn<int>("sharded");
        QTest::addColumn<int>("plain");
        // To the channels of both kinds of locks.
        QTest::newRow("to both") << redis::Publishing::PlainAndSharded << 2 << 2;
        QTest::newRow("to the shard") << redis::Publishing::Sharded << 2 << 0;
    }
    void publishesAsPlanned() {
        QFETCH(const redis::Publishing, publishing);
        topology::ShardConnections& connections = m_client->client().connections();
        topology::Shards& shards = connections.shards();
        shards.setPublishing(publishing);
        ForceReleaseRequest wake = request();
        wake.confirmed.holders.clear();
        wake.confirmed.node = monitor::NodePointer(new monitor::Node(
            *shards.shardOfKey(name()), m_cluster->address(0), shards.publishingOn(connections.of(name())->server())));
        wake.change.kind = ChangeKind::WakeWaiters;
        const std::optional<PlannedCall> call = plannedCall(wake.confirmed, wake.change, m_clock.wallNow());
        QCOMPARE(test::waitFor(m_force->run(wake, {})).outcome.value(), BreakOutcome::Broken);
        const auto planned = [&call](const QByteArray& word) {
            const auto isIt = [&word](const QByteArrayList& command) { return command.first() == word; };
            return static_cast<int>(std::ranges::count_if(call->commands, isIt));
        };
        test::ServerHand server(m_cluster->master(0));
        QTEST(server.calls(QStringLiteral("spublish")), "sharded");
        QTEST(server.calls(QStringLiteral("publish")), "plain");
        QCOMPARE(planned("SPUBLISH"), server.calls(QStringLiteral("spublish")));
        QCOMPARE(planned("PUBLISH"), server.calls(QStringLiteral("publish")));
        QCOMPARE(m_cluster->master(0).cli({"SCRIPT", "EXISTS", QString::fromLatin1(call->sha)}), "1");
    }

    // Neither master can read the lock then, and the script is sent again until the slot has moved.
    void recordsWhatWasConfirmedWhileItsSlotMoves() {
        hold(0);
        QVERIFY(m_cluster->beginMove(slot(), 0, 1));
        QVERIFY(m_cluster->moveKeys(slot(), 0, 1));
        const test::Running<ForceReport> running = test::start(m_force->run(request(), {}));
        QTRY_COMPARE(lines().size(), size_t{1});
        QVERIFY(m_cluster->endMove(slot(), 1));
        QTRY_VERIFY_WITH_TIMEOUT(running->has_value(), 10000);
        const ForceReport report = **running;
        QVERIFY2(report.outcome.ok(), report.outcome ? "" : qPrintable(report.outcome.error().text));
        QCOMPARE(*report.outcome, BreakOutcome::Broken);
        QCOMPARE(lines()[0].record->state->holders.first().id, test::alice);
        QCOMPARE(lines()[1].record->outcome, AuditOutcome::Done);
    }

    // As if the session was disarmed meanwhile.
    void whatWaitsForAMovingSlotIsNotSentAnyMoreOnceItIsRefused() {
        hold(0);
        QVERIFY(m_cluster->beginMove(slot(), 0, 1));
        QVERIFY(m_cluster->moveKeys(slot(), 0, 1));
        const test::Running<ForceReport> running = test::start(m_force->run(request(), {}));
        QTRY_COMPARE(lines().size(), size_t{1});
        const int refusedBefore = refusedByMovingSlot();
        QTRY_VERIFY(refusedByMovingSlot() > refusedBefore);
        m_force->refuse(Error(ErrorCode::NotArmed, ConsoleCause::NotArmed));
        QVERIFY(m_cluster->endMove(slot(), 1));
        QTRY_VERIFY(running->has_value());
        QVERIFY(!(*running)->outcome.ok());
        QCOMPARE((*running)->outcome.error().code, ErrorCode::NotArmed);
        QCOMPARE(m_cluster->master(1).cli({"HLEN", QString::fromLatin1(name())}), "1");
        QCOMPARE(lines()[1].record->outcome, AuditOutcome::NotSent);
        QCOMPARE(force().outcome.value(), BreakOutcome::Broken);  // a force that begins later
    }
};

LOCKKEEPER_TEST(TestForceRelease, Guiless)

}  // namespace tst_forcerelease

#include "tst_forcerelease.moc"
