// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/lockkeys.h"
#include "locks/synchronizers/permitsemaphore.h"
#include "support/anylock.h"
#include "support/clustersetup.h"
#include "support/lockprogram.h"
#include "support/owner.h"
#include "support/sleepingcall.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_clusterlocks {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using redis::Publishing;
using test::Kind;
using test::kindsOfOneCluster;
using test::LockProgram;
using test::owner;

namespace {

std::vector<Kind> kindsOfSeveralKeys() {
    return {Kind::Fair, Kind::Read, Kind::Write, Kind::Fenced};
}

// Names of a lock on each of the masters; each test gets other names.
QByteArrayList namesOnEachMaster(test::ClusterSetup& cluster) {
    QByteArrayList names;
    for (int i = 0; static_cast<size_t>(names.size()) < cluster.masterCount(); ++i) {
        const QByteArray name =
            QByteArray(QTest::currentTestFunction()) + ' ' + QTest::currentDataTag() + ' ' + QByteArray::number(i);
        if (cluster.firstOwnerOf(name) == static_cast<size_t>(names.size()))
            names += name;
    }
    return names;
}

}  // namespace

// Locks in a real Redis Cluster: taken on the node that keeps them, and kept when slots and masters change.
class TestClusterLocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_other.reset();
        m_mine.reset();
        if (m_isChanged)
            m_cluster.reset();
    }

    void everyKindOnEveryMaster_data() { test::addKinds(kindsOfOneCluster()); }
    void everyKindOnEveryMaster() {
        QFETCH(Kind, kind);
        begin(2);
        for (const QByteArray& name : namesOnEachMaster(*m_cluster)) {
            const test::AnyLock mine = m_mine->lock(kind, name);
            const test::AnyLock other = m_other->lock(rivalOf(kind), name);
            QVERIFY(takes(mine));
            QVERIFY(!takes(other));
            const auto waiting = test::start(other.tryLock(owner, Deadline::in(m_clock, 10s)));
            QVERIFY(test::isAnswered(m_other->client(), name));
            QVERIFY(!waiting->has_value());
            QCOMPARE(test::waitFor(mine.unlock(owner)).value(), ReleaseOutcome::Free);
            QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }));
            QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
            QCOMPARE(test::waitFor(other.unlock(owner)).value(), ReleaseOutcome::Free);
        }
    }

    // Clients of Redisson 3.22 and later wait on the shard's channel, earlier ones on the plain one.
    void aReleaseReachesClientsOfTheseVersions_data() {
        QTest::addColumn<Publishing>("publishing");
        QTest::addColumn<QByteArrayList>("messages");
        QTest::newRow("all") << Publishing::PlainAndSharded << QByteArrayList{"smessage 0", "message 0"};
        QTest::newRow("since 3.22") << Publishing::Sharded << QByteArrayList{"smessage 0"};
    }
    void aReleaseReachesClientsOfTheseVersions() {
        QFETCH(Publishing, publishing);
        QFETCH(QByteArrayList, messages);
        begin(2, 30s, 0, publishing);
        const QByteArray channel = LockKeys(LockName("L")).channel();
        redis::Connection& listener = *m_other->client().connections().of("L");
        QByteArrayList received;
        QObject::connect(&listener, &redis::Connection::pushReceived, [&received](const redis::RespValue& push) {
            received += push.items[0].bytes + ' ' + push.items[2].bytes;
        });
        for (const char* command : {"SUBSCRIBE", "SSUBSCRIBE"}) {
            const auto subscribed = listener.send(redis::Command(command).arg(channel));
            QTRY_VERIFY(subscribed.isCompleted());
        }
        QVERIFY(takes(m_mine->lock(Kind::Reentrant, "L")));
        QCOMPARE(test::waitFor(m_mine->lock(Kind::Reentrant, "L").unlock(owner)).value(), ReleaseOutcome::Free);
        // Messages of a server arrive in order, so all that the release has sent has arrived by then.
        m_cluster->master(m_cluster->firstOwnerOf("L")).cli({"SPUBLISH", QString::fromLatin1(channel), "end"});
        QTRY_VERIFY(received.contains("smessage end"));
        received.removeAll("smessage end");
        QCOMPARE(received, messages);
    }

    // Each client waits for one of the two ways of publishing only.
    void aMessageOfAnyVersionWakes_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("before 3.22") << "PUBLISH";
        QTest::newRow("since 3.22") << "SPUBLISH";
    }
    void aMessageOfAnyVersionWakes() {
        QFETCH(QString, command);
        begin(2);
        test::RedisServer& server = m_cluster->master(m_cluster->firstOwnerOf("L"));
        server.cli({"HSET", "L", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        server.cli({"PEXPIRE", "L", "60000"});
        const auto waiting = test::start(m_mine->lock(Kind::Reentrant, "L").tryLock(owner, Deadline::in(m_clock, 30s)));
        const QString channel = QString::fromLatin1(LockKeys(LockName("L")).channel());
        QTRY_COMPARE(server.cli({"PUBSUB", "SHARDNUMSUB", channel}), channel + "\n1");
        QTRY_COMPARE(server.cli({"PUBSUB", "NUMSUB", channel}), channel + "\n1");
        server.cli({"DEL", "L"});
        server.cli({command, channel, "0"});
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }));
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
    }

    // The real client does not receive the release here: it sleeps until the lease is over.
    void aWaiterHearsAReleaseAfterItsSlotHasMoved_data() { test::addKinds(kindsOfOneCluster()); }
    void aWaiterHearsAReleaseAfterItsSlotHasMoved() {
        QFETCH(Kind, kind);
        begin(2);
        const QByteArray name = namesOnEachMaster(*m_cluster).first();
        const test::AnyLock held = m_other->lock(rivalOf(kind), name);
        QVERIFY(takes(held, 60s));
        const test::AnyLock mine = m_mine->lock(kind, name);
        const auto waiting = test::start(mine.tryLock(owner, Deadline::in(m_clock, 50s)));
        QVERIFY(test::fallsAsleep(kind, m_cluster->master(0), m_mine->client(), name));
        const auto attempts = [this] { return test::ServerHand(m_cluster->master(1)).calls("exists"); };
        const int before = attempts();
        for (const LockName& member : namesOf(mine))
            QVERIFY(m_cluster->moveSlot(topology::hashSlotOf(member.bytes()), m_cluster->firstOwnerOf(member.bytes()),
                                        1 - m_cluster->firstOwnerOf(member.bytes())));
        QTRY_VERIFY(attempts() > before);
        QVERIFY(!waiting->has_value());
        QCOMPARE(test::waitFor(held.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }, 5000));
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
        QCOMPARE(test::waitFor(mine.unlock(owner)).value(), ReleaseOutcome::Free);
    }

    // While a slot moves, its keys are in one node or the other; a lock is never taken twice.
    void whileASlotMoves_data() { test::addKinds(kindsOfOneCluster()); }
    void whileASlotMoves() {
        QFETCH(Kind, kind);
        begin(2, 900ms);
        const QByteArray name = namesOnEachMaster(*m_cluster).first();
        const topology::HashSlot slot = topology::hashSlotOf(name);
        const test::AnyLock mine = m_mine->lock(kind, name);
        const test::AnyLock rival = m_other->lock(rivalOf(kind), name);
        QVERIFY(takes(mine));
        QVERIFY(m_cluster->beginMove(slot, 0, 1));
        QVERIFY(!takes(rival));
        QVERIFY(m_cluster->moveKeys(slot, 0, 1));
        QVERIFY(!takes(rival));
        const qint64 lease = leaseEndAtNewNode(name);
        QTRY_VERIFY2(leaseEndAtNewNode(name) > lease, "it is renewed at the node that has the key");
        QCOMPARE(m_mine->lostNames(), QList<LockName>());
        QVERIFY(!takes(rival));
        QVERIFY(m_cluster->endMove(slot, 1));
        QVERIFY(!takes(rival));
        QCOMPARE(test::waitFor(mine.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(takes(rival));
        QCOMPARE(test::waitFor(rival.unlock(owner)).value(), ReleaseOutcome::Free);
    }

    // The channel of its messages is no key, so the servers do not refuse the release.
    void aPlainLockIsHandedOverWhileItsSlotMoves_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<bool>("hasMoved");
        QTest::addColumn<Publishing>("publishing");
        const Publishing both = Publishing::PlainAndSharded;
        QTest::newRow("reentrant, its key has not moved yet") << Kind::Reentrant << false << both;
        QTest::newRow("reentrant, its key has moved") << Kind::Reentrant << true << both;
        QTest::newRow("spin, its key has moved") << Kind::Spin << true << both;
        QTest::newRow("not for old clients, its key has moved") << Kind::Reentrant << true << Publishing::Sharded;
    }
    void aPlainLockIsHandedOverWhileItsSlotMoves() {
        QFETCH(Kind, kind);
        QFETCH(bool, hasMoved);
        QFETCH(Publishing, publishing);
        begin(2, 30s, 0, publishing);
        const QByteArray name = namesOnEachMaster(*m_cluster).first();
        const topology::HashSlot slot = topology::hashSlotOf(name);
        const test::AnyLock mine = m_mine->lock(kind, name);
        QVERIFY(takes(mine, 60s));
        const test::AnyLock other = m_other->lock(kind, name);
        const auto waiting = test::start(other.tryLock(owner, Deadline::in(m_clock, 50s)));
        QVERIFY(test::fallsAsleep(kind, m_cluster->master(0), m_other->client(), name));
        QVERIFY(m_cluster->beginMove(slot, 0, 1));
        QVERIFY(!hasMoved || m_cluster->moveKeys(slot, 0, 1));
        QVERIFY(!waiting->has_value());
        QCOMPARE(test::waitFor(mine.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }, 5000));
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
        QCOMPARE(test::waitFor(other.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(m_cluster->endMove(slot, 1));
    }

    // Servers refuse a command about several keys while their slot moves, if one of them is missing.
    void aLockOfSeveralKeysIsTakenWhenItsSlotHasMoved_data() { test::addKinds(kindsOfSeveralKeys()); }
    void aLockOfSeveralKeysIsTakenWhenItsSlotHasMoved() {
        QFETCH(Kind, kind);
        begin(2);
        const QByteArray name = namesOnEachMaster(*m_cluster).first();
        const topology::HashSlot slot = topology::hashSlotOf(name);
        const test::AnyLock mine = m_mine->lock(kind, name);
        QVERIFY(m_cluster->beginMove(slot, 0, 1));
        const auto waiting = test::start(mine.tryLock(owner, Deadline::in(m_clock, 30s)));
        // A call that does not wait ends with the time limit of its command. It has begun later.
        const auto once = test::waitFor(m_other->lock(kind, name).tryLock(owner, Deadline::in(m_clock, 0ms)));
        QVERIFY(!once);
        QCOMPARE(once.error().reply, ReplyKind::TryAgain);
        QVERIFY(!waiting->has_value());
        QVERIFY(m_cluster->endMove(slot, 1));
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }, 5000));
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
        QCOMPARE(test::waitFor(mine.unlock(owner)).value(), ReleaseOutcome::Free);
    }

    // The failure is not "perhaps taken": no node has executed the command.
    void anAcquireThatWasRefusedToTheEndIsKnownToHaveFailed_data() { test::addKinds(kindsOfSeveralKeys()); }
    void anAcquireThatWasRefusedToTheEndIsKnownToHaveFailed() {
        QFETCH(Kind, kind);
        begin(2);
        const QByteArray name = namesOnEachMaster(*m_cluster).first();
        const topology::HashSlot slot = topology::hashSlotOf(name);
        const test::AnyLock mine = m_mine->lock(kind, name);
        QVERIFY(m_cluster->beginMove(slot, 0, 1));
        const Result<LockAttempt> tried = test::waitFor(mine.tryLock(owner, Deadline::in(m_clock, 2s)));
        QVERIFY(!tried);
        QCOMPARE(tried.error().reply, ReplyKind::TryAgain);
        QVERIFY(m_cluster->endMove(slot, 1));
        QTRY_VERIFY(takes(m_other->lock(kind, name)));
    }

    void aRefusedAcquireEndsWithTheLimitOfItsCaller_data() {
        QTest::addColumn<bool>("ofPermits");
        QTest::newRow("of a lock") << false;
        QTest::newRow("of a permit") << true;
    }
    void aRefusedAcquireEndsWithTheLimitOfItsCaller() {
        QFETCH(const bool, ofPermits);
        begin(2);
        const QByteArray name = namesOnEachMaster(*m_cluster).first();
        const topology::HashSlot slot = topology::hashSlotOf(name);
        LockClientOptions options;
        options.commandTimeout = 60s;
        LockProgram patient(m_cluster->address(0), m_clock, options, LockProgram::connectionOptions());
        const auto ready = patient.client().connections().whenReady(name);
        QTRY_VERIFY(ready.isCompleted());
        QVERIFY(m_cluster->beginMove(slot, 0, 1));
        const Deadline limit = Deadline::in(m_clock, 300ms);
        std::optional<Error> refusal;
        if (ofPermits) {
            const auto tried = test::waitFor(patient.client().permitSemaphore(LockName(name)).tryAcquire(limit));
            refusal = tried ? std::nullopt : std::optional(tried.error());
        } else {
            const auto tried = test::waitFor(patient.lock(Kind::Fair, name).tryLock(owner, limit));
            refusal = tried ? std::nullopt : std::optional(tried.error());
        }
        QVERIFY(refusal);
        QCOMPARE(refusal->reply, ReplyKind::TryAgain);
        QVERIFY(m_cluster->endMove(slot, 1));
    }

    void aFailoverKeepsHoldsAndWaiters_data() {
        QTest::addColumn<bool>("killed");
        QTest::newRow("in order") << false;
        QTest::newRow("the master is killed") << true;
    }
    void aFailoverKeepsHoldsAndWaiters() {
        QFETCH(bool, killed);
        begin(3, 30s, 1);
        const QByteArray name = namesOnEachMaster(*m_cluster).first();
        const test::AnyLock mine = m_mine->lock(Kind::Reentrant, name);
        QVERIFY(takes(mine));
        const test::AnyLock other = m_other->lock(Kind::Reentrant, name);
        const auto waiting = test::start(other.tryLock(owner, Deadline::in(m_clock, 60s)));
        QVERIFY(test::fallsAsleep(Kind::Reentrant, m_cluster->master(0), m_other->client(), name));
        if (killed) {
            m_cluster->master(0).kill();
            QVERIFY(m_cluster->replicaBecomesMaster(0));
        } else {
            QVERIFY(m_cluster->failOver(0));
        }
        // Takes another lock of the same node, as soon as that is possible.
        QTRY_VERIFY_WITH_TIMEOUT(takes(m_mine->lock(Kind::Reentrant, "{" + name + "}:2")), 15000);
        QVERIFY(!waiting->has_value());
        QCOMPARE(m_mine->lostNames(), QList<LockName>());
        QCOMPARE(test::waitFor(mine.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }, 10000));
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
    }

    // One call for each slot: a script over two slots is refused, even on one node.
    void manyLocksAreRenewedOnAllMasters() {
        begin(2, 3s);
        constexpr int locks = 200;
        for (int i = 0; i < locks; ++i)
            QVERIFY(takes(m_mine->lock(Kind::Reentrant, "many:" + QByteArray::number(i))));
        for (size_t i = 0; i < m_cluster->masterCount(); ++i)
            m_cluster->master(i).cli({"SCRIPT", "FLUSH"});
        const std::vector<qint64> ends = leaseEnds("many:", locks);
        QTRY_VERIFY(std::ranges::equal(leaseEnds("many:", locks), ends, std::greater()));
        QCOMPARE(m_mine->lostNames(), QList<LockName>());
        QCOMPARE(m_mine->client().heldKeys().size(), size_t{locks});
    }

private:
    // The Cluster of the test before is used again if it has the same form and its first masters.
    void begin(int masters, Milliseconds watchdogTimeout = 30s, int replicas = 0,
               Publishing publishing = Publishing::PlainAndSharded) {
        m_isChanged = replicas > 0;
        if (!m_cluster || m_isChanged || m_cluster->masterCount() != static_cast<size_t>(masters)) {
            m_cluster = std::make_unique<test::ClusterSetup>(masters, replicas);
            QVERIFY(m_cluster->start());
        }
        LockClientOptions options;
        options.commandTimeout = 1s;
        options.watchdogTimeout = watchdogTimeout;
        LockClientOptions otherOptions;
        otherOptions.commandTimeout = 1s;
        const redis::ConnectionOptions connections = LockProgram::connectionOptions();
        m_mine = std::make_unique<LockProgram>(m_cluster->address(0), m_clock, options, connections, publishing);
        m_other = std::make_unique<LockProgram>(m_cluster->address(static_cast<size_t>(masters) - 1), m_clock,
                                                otherOptions, connections, publishing);
        for (const QByteArray& name : namesOnEachMaster(*m_cluster)) {
            for (LockProgram* program : {m_mine.get(), m_other.get()}) {
                const auto ready = program->client().connections().whenReady(name);
                QTRY_VERIFY(ready.isCompleted());
            }
        }
    }
    // A kind that excludes it and is excluded by it.
    static Kind rivalOf(Kind kind) { return kind == Kind::Read ? Kind::Write : kind; }
    static QList<LockName> namesOf(const test::AnyLock& lock) {
        QList<LockName> names;
        for (const Lock& member : lock.members())
            names += member.name();
        return names;
    }
    // See ServerHand::leaseEnd(), of a key that has moved to the second master, whose slot has not.
    qint64 leaseEndAtNewNode(const QByteArray& name) {
        const QString answers = m_cluster->master(1).cli({}, "ASKING\nPEXPIRETIME \"" + name + "\"\n");
        return answers.section(u'\n', 1).toLongLong();
    }
    // Of the locks with these numbers behind the prefix, in any order that stays.
    std::vector<qint64> leaseEnds(const QByteArray& prefix, int locks) {
        std::vector<QByteArray> commands(m_cluster->masterCount());
        for (int i = 0; i < locks; ++i) {
            const QByteArray name = prefix + QByteArray::number(i);
            commands[m_cluster->firstOwnerOf(name)] += "PEXPIRETIME " + name + '\n';
        }
        std::vector<qint64> ends;
        for (size_t master = 0; master < commands.size(); ++master) {
            for (const QString& end : m_cluster->master(master).cli({}, commands[master]).split(u'\n'))
                ends.push_back(end.toLongLong());
        }
        return ends;
    }
    bool takes(const test::AnyLock& lock, std::optional<Milliseconds> lease = std::nullopt) {
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms), lease));
        if (!taken)
            qInfo("not taken: %s", qPrintable(taken.error().text));
        return taken && taken->acquired();
    }

    SystemClock m_clock;
    std::unique_ptr<test::ClusterSetup> m_cluster;
    bool m_isChanged = false;  // the next test cannot use the Cluster
    std::unique_ptr<LockProgram> m_mine;
    std::unique_ptr<LockProgram> m_other;
};

LOCKKEEPER_TEST(TestClusterLocks, Guiless)

}  // namespace tst_clusterlocks

#include "tst_clusterlocks.moc"
