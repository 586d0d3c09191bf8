// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/acceptcounter.h"
#include "support/auditedengine.h"
#include "support/lockprogram.h"
#include "support/monitorprobe.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/slotmover.h"
#include "support/steppedsession.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_clusterfaults {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const ThreadId worker{7};

// A session has four connections to each node: two that watch, one with commands, one that waits. Each tries at most
// twice a second after the first attempts.
constexpr int connectionsOfASession = 4;
constexpr int attemptsAtOnce = 5;

int mostAttempts(int connections, Milliseconds time) {
    return connections * (attemptsAtOnce + static_cast<int>(2 * time / 1s));
}

}  // namespace

// What goes wrong with a real Cluster, and what must not follow from it.
class TestClusterFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_probe.reset();
        m_program.reset();
        m_shards.reset();
        m_cluster.reset();
    }

    void aPartitionInventsNothing();
    void aDeadMasterIsNotStormed_data();
    void aDeadMasterIsNotStormed();
    void aForgottenNodeIsDropped();
    void addressesBehindNatAreNamedThenMapped();
    void aPasswordThatOneNodeRefuses_data();
    void aPasswordThatOneNodeRefuses();

private:
    void start(int masters) {
        m_cluster = std::make_unique<ClusterSetup>(masters);
        QVERIFY(m_cluster->start());
    }
    void watchFrom(size_t master, const redis::ConnectionOptions& options) {
        m_shards = std::make_unique<topology::ClusterSource>(
            QList<topology::Address>{{QStringLiteral("127.0.0.1"), m_cluster->master(master).port()}}, options,
            topology::Dialer(), m_clock);
        m_probe = std::make_unique<MonitorProbe>(*m_shards, options);
    }
    // A silent server is noticed within a second.
    [[nodiscard]] static redis::ConnectionOptions impatient() {
        redis::ConnectionOptions options = LockProgram::connectionOptions();
        options.openTimeout = 1s;
        options.commandTimeout = 1s;
        options.keepaliveInterval = 500ms;
        return options;
    }
    [[nodiscard]] ServerHand hand(size_t master) { return ServerHand(m_cluster->master(master)); }
    bool takes(const QByteArray& name, std::optional<Milliseconds> lease) {
        const Result<locks::LockAttempt> taken =
            test::waitFor(m_program->lock(Kind::Reentrant, name).tryLock(worker, Deadline::in(m_clock, 5s), lease));
        if (!taken)
            qInfo("%s: %s", name.constData(), qPrintable(taken.error().text));
        return taken && taken->acquired();
    }
    [[nodiscard]] NodeStatus node(const QString& address) const {
        const QList<NodeStatus>& nodes = m_probe->stats.nodes;
        const auto found = std::ranges::find(nodes, address, &NodeStatus::address);
        return found == nodes.end() ? NodeStatus() : *found;
    }
    [[nodiscard]] NodeStatus node(size_t master) const { return node(m_cluster->address(master)); }
    [[nodiscard]] QByteArrayList eventsOf(const QByteArray& name) const {
        std::vector<LockEvent> ofLock;
        std::ranges::copy_if(m_probe->events, std::back_inserter(ofLock),
                             [&name](const LockEvent& event) { return event.lock.name == LockName(name); });
        return described(ofLock);
    }
    [[nodiscard]] qint64 countOf(const QByteArray& name, EventType type) const {
        return std::ranges::count_if(m_probe->events, [&](const LockEvent& event) {
            return event.lock.name == LockName(name) && event.type == type;
        });
    }
    [[nodiscard]] bool hasOnly(const QByteArray& name, std::initializer_list<EventType> types) const {
        const bool has = std::ranges::all_of(m_probe->events, [&](const LockEvent& event) {
            return event.lock.name != LockName(name) || std::ranges::count(types, event.type) > 0;
        });
        if (!has)
            qInfo() << name << eventsOf(name);
        return has;
    }
    [[nodiscard]] bool isHeldIn(const QByteArray& name, const QString& address) const {
        const LockRow* row = m_probe->row(name);
        return row && row->lock.isHeld() && row->lock.node && row->lock.node->address == address;
    }

    SystemClock m_clock;
    std::unique_ptr<ClusterSetup> m_cluster;
    std::unique_ptr<topology::ClusterSource> m_shards;
    std::unique_ptr<LockProgram> m_program;
    std::unique_ptr<MonitorProbe> m_probe;
};

// Two of three masters are silent, so the third one does not serve either.
void TestClusterFaults::aPartitionInventsNothing() {
    constexpr Milliseconds watchdogTimeout = 3s;
    start(3);
    locks::LockClientOptions options;
    options.commandTimeout = 1s;
    options.watchdogTimeout = watchdogTimeout;
    m_program = std::make_unique<LockProgram>(m_cluster->address(2), m_clock, options, impatient());
    QByteArrayList leased;
    QByteArrayList renewed;
    for (size_t master = 0; master < 3; ++master) {
        leased += m_cluster->keyOn(master, "leased:");
        renewed += m_cluster->keyOn(master, "renewed:");
        QVERIFY(takes(leased.last(), 60s));
        QVERIFY(takes(renewed.last(), std::nullopt));
    }
    watchFrom(2, impatient());
    QTRY_COMPARE(m_probe->rows.size(), 6);
    m_probe->events.clear();

    const SteadyTime frozenAt = m_clock.now();
    m_cluster->master(0).freeze();
    m_cluster->master(1).freeze();
    QTRY_COMPARE(node(0).phase, NodePhase::Reconnecting);
    QTRY_COMPARE(node(1).phase, NodePhase::Reconnecting);
    QVERIFY(node(0).lastHeard > WallTime{});
    QVERIFY(m_program->losses.empty());
    QTRY_VERIFY(m_program->losses.size() >= 2);
    for (const LockProgram::Loss& loss : m_program->losses) {
        QCOMPARE(loss.why, locks::LossReason::LeaseExpired);
        QVERIFY(loss.at - frozenAt >= watchdogTimeout * 2 / 3 - 100ms);
        QVERIFY(renewed.contains(loss.name.bytes()));
    }
    for (const QByteArray& name : leased)
        QVERIFY(m_probe->row(name)->lock.isHeld());

    m_cluster->master(0).thaw();
    m_cluster->master(1).thaw();
    for (size_t master = 0; master < 3; ++master)
        QTRY_COMPARE_WITH_TIMEOUT(node(master).phase, NodePhase::Watching, 15000);
    for (qsizetype i = 0; i < leased.size(); ++i) {
        QVERIFY(becomesTrue([&] { return takes(leased[i], 60s); }, 15000));
        const size_t master = static_cast<size_t>(i);
        const qint64 count = m_cluster->master(master).cli({"HVALS", QString::fromLatin1(leased[i])}).toLongLong();
        QTRY_COMPARE(m_probe->row(leased[i])->lock.holders.value(0).count, count);
        const qint64 reported = countOf(leased[i], EventType::Reentered);
        QVERIFY(reported >= 1 && reported < count);
        QVERIFY(isHeldIn(leased[i], m_cluster->address(master)));
        QVERIFY(hasOnly(leased[i], {EventType::NotWatched, EventType::Reentered}));
        QVERIFY(hasOnly(renewed[i], {EventType::Renewed, EventType::NotWatched, EventType::Gone, EventType::Expired}));
    }
}

void TestClusterFaults::aDeadMasterIsNotStormed_data() {
    QTest::addColumn<QString>("fullCoverage");
    QTest::newRow("the others serve on") << "no";
    QTest::newRow("the whole Cluster is down") << "yes";
}

// If slots can move, they move meanwhile, so that the Cluster always has news.
void TestClusterFaults::aDeadMasterIsNotStormed() {
    constexpr Milliseconds measured = 4s;
    QFETCH(QString, fullCoverage);
    start(3);
    QVERIFY(m_cluster->tellAll({"CONFIG", "SET", "cluster-require-full-coverage", fullCoverage}));
    SlotMover mover(*m_cluster, m_clock);
    QVERIFY(mover.connect());
    SteppedSession page(m_cluster->url());
    QTRY_VERIFY(page.isConnected());
    for (size_t master = 0; master < 3; ++master)
        page.acquire(m_cluster->keyOn(master, "L"));
    QTRY_COMPARE(page.own.size(), 3);
    QByteArrayList moving;
    for (int i = 0; i < 20; ++i) {
        moving += m_cluster->keyOn(1, "moving " + QByteArray::number(i) + ':');
        hand(1).take(moving.last(), alice, 60000);
        QTRY_VERIFY(page.holds(moving.last()));
    }

    m_cluster->master(0).kill();
    const AcceptCounter dead(m_cluster->master(0).port());
    const int before = ServerHand(m_cluster->master(1)).connectionsReceived();
    const SteadyTime begin = page.now();
    for (qsizetype moves = 0; page.now() < begin + measured; ++moves) {
        const QByteArray& name = moving[moves % moving.size()];
        const bool isAway = moves / moving.size() % 2 == 1;
        if (fullCoverage == "no")
            QVERIFY(mover.move({topology::hashSlotOf(name)}, {name}, isAway ? 2 : 1, isAway ? 1 : 2));
        QVERIFY(page.runFor(20ms));
    }
    const int atOther = ServerHand(m_cluster->master(1)).connectionsReceived() - before - 1;
    const auto time = std::chrono::duration_cast<Milliseconds>(page.now() - begin);
    qInfo("attempts: %d at the dead master, %d at another one", dead.accepted(), atOther);
    QVERIFY(dead.accepted() > 0);
    // One more connection asks for the nodes.
    QVERIFY(dead.accepted() <= mostAttempts(connectionsOfASession + 1, time));
    // A Cluster that is down is asked at one node after another, each time on a new connection.
    QVERIFY(atOther <= mostAttempts(1, time) + attemptsAtOnce);
}

// The monitor knew only this node at the beginning.
void TestClusterFaults::aForgottenNodeIsDropped() {
    start(2);
    QVERIFY(m_cluster->addMaster());
    // Otherwise a master that has lost its last slot becomes a replica.
    QVERIFY(m_cluster->tellAll({"CONFIG", "SET", "cluster-allow-replica-migration", "no"}));
    const QByteArray name = m_cluster->keyOn(0, "L");
    const topology::HashSlot slot = topology::hashSlotOf(name);
    QVERIFY(m_cluster->moveSlot(slot, 0, 2));
    hand(2).take(name, alice, 60000);
    watchFrom(2, LockProgram::connectionOptions());
    const QString forgotten = m_cluster->address(2);
    QTRY_VERIFY(isHeldIn(name, forgotten));
    QTRY_COMPARE(m_probe->stats.nodes.size(), 3);
    QVERIFY(m_probe->waitForSweep());
    m_probe->events.clear();

    QVERIFY(m_cluster->moveSlot(slot, 2, 1));
    QVERIFY(m_cluster->forgetLastMaster());
    QTRY_COMPARE(m_probe->stats.nodes.size(), 2);
    QCOMPARE(node(forgotten).address, QString());
    QTRY_VERIFY(isHeldIn(name, m_cluster->address(1)));
    QTRY_COMPARE(eventsOf(name), QByteArrayList{"not_watched"});
    hand(1).take(name, alice, 60000);
    QTRY_COMPARE(eventsOf(name), QByteArrayList({"not_watched", "reentered alice"}));

    // The view of the forgotten node no longer counts.
    QVERIFY(m_cluster->moveSlot(slot, 1, 0));
    QTRY_VERIFY(isHeldIn(name, m_cluster->address(0)));
    QVERIFY(hasOnly(name, {EventType::NotWatched, EventType::Reentered}));
    QCOMPARE(m_probe->statuses.back().phase, MonitorPhase::Watching);
}

void TestClusterFaults::addressesBehindNatAreNamedThenMapped() {
    start(3);
    std::vector<lab::ReservedPort> nobody(3);
    QString url = QStringLiteral("redis-cluster://") + m_cluster->address(0);
    QStringList maps;
    for (size_t i = 0; i < 3; ++i) {
        const QString port = QString::number(nobody[i].number());
        QCOMPARE(m_cluster->master(i).cli({"CONFIG", "SET", "cluster-announce-port", port}), "OK");
        maps += QStringLiteral("map=127.0.0.1:%1=%2").arg(port, m_cluster->address(i));
        hand(i).take(m_cluster->keyOn(i, "L"), alice, 60000);
    }
    // The nodes learn of the change from each other.
    QTRY_VERIFY(std::ranges::all_of(nobody, [this](const lab::ReservedPort& port) {
        return m_cluster->master(0).cli({"CLUSTER", "NODES"}).contains(u':' + QString::number(port.number()) + u'@');
    }));
    test::AuditedEngine engine;
    SessionProbe page(engine);
    page.connectTo(url);
    QTRY_COMPARE_WITH_TIMEOUT(page.status.phase, ConnectionPhase::Failed, 10000);
    QCOMPARE(page.status.error->code, ErrorCode::ConnectionRefused);
    QVERIFY2(std::ranges::any_of(nobody,
                                 [&page](const lab::ReservedPort& port) {
                                     return page.status.error->text.contains(
                                         QStringLiteral("127.0.0.1:%1").arg(port.number()));
                                 }),
             qPrintable(page.status.error->text));

    SessionProbe mapped(engine);
    mapped.connectTo(url + u'?' + maps.join(u'&'));
    const auto isAt = [&mapped](const QByteArray& name, const lab::ReservedPort& port) {
        const LockSnapshot lock = mapped.rows.value(LockName(name)).lock;
        return lock.isHeld() && lock.node->address == QStringLiteral("127.0.0.1:%1").arg(port.number());
    };
    for (size_t i = 0; i < 3; ++i) {
        QTRY_VERIFY(isAt(m_cluster->keyOn(i, "L"), nobody[i]));
        mapped.acquire(m_cluster->keyOn(i, "mine").constData());
        QTRY_COMPARE(mapped.own.size(), static_cast<qsizetype>(i) + 1);
    }
    // MOVED names the address that is announced.
    const QByteArray moving = m_cluster->keyOn(0, "mine");
    QVERIFY(m_cluster->moveSlot(topology::hashSlotOf(moving), 0, 1));
    mapped.acquire(moving.constData());
    QTRY_COMPARE(m_cluster->master(1).cli({"HVALS", QString::fromLatin1(moving)}), "2");
    QTRY_VERIFY(isAt(moving, nobody[1]));
    QVERIFY(mapped.lost.isEmpty());
}

void TestClusterFaults::aPasswordThatOneNodeRefuses_data() {
    QTest::addColumn<bool>("hasPassword");
    QTest::addColumn<QByteArray>("refuse");
    QTest::addColumn<ReplyKind>("reason");
    QTest::addColumn<QStringList>("accept");
    QTest::newRow("another one") << true << QByteArray("ACL SETUSER watcher resetpass >new\nCLIENT KILL USER watcher\n")
                                 << ReplyKind::WrongPass
                                 << QStringList{"ACL", "SETUSER", "watcher", "resetpass", ">pw"};
    QTest::newRow("where none was needed")
        << false << QByteArray("CONFIG SET requirepass new\nCLIENT KILL TYPE normal\nCLIENT KILL TYPE pubsub\n")
        << ReplyKind::NoAuth << QStringList{"-a", "new", "CONFIG", "SET", "requirepass", ""};
}
void TestClusterFaults::aPasswordThatOneNodeRefuses() {
    QFETCH(bool, hasPassword);
    QFETCH(QByteArray, refuse);
    QFETCH(ReplyKind, reason);
    QFETCH(QStringList, accept);
    start(3);
    QVERIFY(m_cluster->tellAll({"ACL", "SETUSER", "watcher", "on", ">pw", "~*", "&*", "+@all"}));
    QByteArrayList names;
    for (size_t i = 0; i < 3; ++i) {
        names += m_cluster->keyOn(i, "L");
        hand(i).take(names.last(), alice, 60000);
    }
    redis::ConnectionOptions options = LockProgram::connectionOptions();
    if (hasPassword)
        options.credentials = {"watcher", "pw"};
    watchFrom(1, options);
    QTRY_COMPARE(m_probe->rows.size(), 3);
    QVERIFY(m_probe->waitForSweep());
    m_probe->events.clear();

    m_cluster->master(1).cli({}, refuse);
    QTRY_COMPARE(node(1).phase, NodePhase::Reconnecting);
    QTRY_VERIFY(node(1).error && node(1).error->reply == reason);
    QCOMPARE(node(1).error->code, ErrorCode::Auth);
    for (const size_t other : {size_t{0}, size_t{2}}) {
        const QByteArray& name = names[static_cast<qsizetype>(other)];
        QCOMPARE(node(other).phase, NodePhase::Watching);
        hand(other).take(name, alice, 60000);
        QTRY_COMPARE(eventsOf(name), QByteArrayList{"reentered alice"});
    }
    QCOMPARE(m_probe->statuses.back().phase, MonitorPhase::Watching);
    QCOMPARE(m_cluster->master(1).cli(accept), "OK");
    QTRY_COMPARE(node(1).phase, NodePhase::Watching);
    QTRY_COMPARE(eventsOf(names[1]), QByteArrayList{"not_watched"});
    hand(1).take(names[1], alice, 60000);
    QTRY_COMPARE(eventsOf(names[1]), QByteArrayList({"not_watched", "reentered alice"}));
}

LOCKKEEPER_TEST(TestClusterFaults, Guiless)

}  // namespace tst_clusterfaults

#include "tst_clusterfaults.moc"
