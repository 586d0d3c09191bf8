// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/anylock.h"
#include "support/dice.h"
#include "support/serverobserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_lockfaults {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::Kind;

namespace {

constexpr int steps = 2000;
constexpr int mostSteps = 3 * steps;  // for a busy machine, on which locks are rarely held
constexpr Milliseconds watchdogTimeout{600};
constexpr Milliseconds commandTimeout{100};

// The first server has all kinds except the red lock and loses its data when it crashes. The others have the red lock
// and keep their data: a server that loses its data breaks a red lock, by design.
constexpr size_t servers = 4;

// A thread of a client that takes and releases a lock repeatedly, one call at a time.
struct Actor {
    Kind kind;
    AnyLock lock;
    ThreadId thread;
    // Its hold was removed on the server; it has not been notified yet.
    bool robbed = false;
    std::stop_source stop;
    test::Running<Result<LockAttempt>> taking;
    test::Running<Result<ReleaseOutcome>> releasing;

    Actor(Kind lockKind, AnyLock lockHandle, ThreadId threadId)
        : kind(lockKind), lock(std::move(lockHandle)), thread(threadId) {}

    [[nodiscard]] bool isTaking() const { return taking && !taking->has_value(); }
    [[nodiscard]] bool isReleasing() const { return releasing && !releasing->has_value(); }
    [[nodiscard]] Hold hold(const Lock& member) const { return member.client().hold(member.holdKey(thread)); }
    [[nodiscard]] bool holdsSomething() const {
        return std::ranges::any_of(lock.members(), [this](const Lock& member) { return hold(member).count > 0; });
    }
    [[nodiscard]] bool isConnected() const {
        return std::ranges::all_of(lock.members(),
                                   [](const Lock& member) { return member.client().connections().of({})->isReady(); });
    }
    [[nodiscard]] bool hasCallsUnderWay() const {
        return std::ranges::any_of(lock.members(), [this](const Lock& member) {
            return member.client().hasCallsUnderWay(member.holdKey(thread));
        });
    }
    // A lock made of several may continue its release after the call has ended.
    [[nodiscard]] bool mayBeGivingBack() const {
        const bool isGroup = kind == Kind::Multi || kind == Kind::Red;
        return isReleasing() || (isGroup && hasCallsUnderWay());
    }
};

// The belief of an actor to hold one member of its lock.
struct Belief {
    const Actor* actor;
    const Lock* member;
    qint64 count;
    SteadyTime deadline;
};

}  // namespace

// Thousands of random steps of programs that use locks of every kind, while their connections are killed, and servers
// hang, lose their data, crash, and lose keys. After each step the servers' state must justify what the clients
// believe.
class TestLockFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beliefsAreBorneOut_data() { test::addSeeds(); }
    void beliefsAreBorneOut() {
        QFETCH(uint, seed);
        m_dice = test::Dice(seed);
        setUp();
        for (m_step = 0; goesOn() && !QTest::currentTestFailed(); ++m_step) {
            for (size_t i = m_dice.below(4); i > 0; --i)
                act(m_dice.oneOf(m_actors));
            if (m_dice.oneIn(12))
                harm();
            pause(m_dice.below(4));
            noteWhatHappened();
            check();
        }
        if (QTest::currentTestFailed())
            QFAIL(qPrintable(QStringLiteral("step %1 of seed %2").arg(m_step).arg(seed)));
        for (const Kind kind : test::allKinds())
            QVERIFY2(wasHeldOften(kind), test::wordFor(kind) + " was hardly ever held: this run says nothing");
        giveEverythingBack();
        QVERIFY2(test::becomesTrue([this] { return leftovers().isEmpty(); }), leftovers().join(' '));
    }

private:
    // ---- participants ----

    void setUp() {
        m_actors.clear();
        m_clients.clear();
        m_observers.clear();
        m_servers.clear();
        m_believed.clear();
        for (size_t i = 0; i < servers; ++i) {
            m_servers.push_back(
                std::make_unique<test::RedisServer>(i == 0 ? QStringList() : test::RedisServer::withMemory()));
            QVERIFY(m_servers.back()->start());
            m_observers.push_back(std::make_unique<test::ServerObserver>(*m_servers.back(), m_clock));
        }
        for (int program = 0; program < 3; ++program)
            addProgram();
    }
    void addProgram() {
        LockClientOptions options;
        options.watchdogTimeout = watchdogTimeout;
        options.commandTimeout = commandTimeout;
        // There are no replicas. A call that waits for them may release what it has just taken; tst_replicatedlock
        // tests that.
        options.replicasToWaitFor = 0;
        std::vector<LockClient*> clients;
        for (const auto& server : m_servers) {
            redis::ConnectionOptions connection = server->options();
            connection.firstRetry = 5ms;
            connection.lastRetry = 20ms;
            connection.commandTimeout = 200ms;
            m_clients.push_back(std::make_unique<LockClient>(connection, m_clock, options));
            m_clients.back()->open();
            clients.push_back(m_clients.back().get());
        }
        for (const ThreadId thread : {ThreadId{1}, ThreadId{2}}) {
            for (const Kind kind : {Kind::Reentrant, Kind::Fair, Kind::Fenced, Kind::Spin, Kind::Read, Kind::Write})
                m_actors.emplace_back(kind, AnyLock(kind, clients, nameFor(kind)), thread);
        }
        // Separate threads, because the multi lock's first member is the reentrant lock that others take too.
        for (const ThreadId thread : {ThreadId{3}, ThreadId{4}})
            m_actors.emplace_back(Kind::Multi, AnyLock(Kind::Multi, clients, nameFor(Kind::Multi)), thread);
        clients.erase(clients.begin());
        for (const ThreadId thread : {ThreadId{1}, ThreadId{2}})
            m_actors.emplace_back(Kind::Red, AnyLock(Kind::Red, clients, nameFor(Kind::Red)), thread);
    }
    static LockName nameFor(Kind kind) {
        const bool isReadWrite = kind == Kind::Read || kind == Kind::Write;
        const bool isShared = kind == Kind::Reentrant || kind == Kind::Multi;
        return LockName(isReadWrite ? "W" : isShared ? "L" : test::wordFor(kind));
    }

    // ---- their actions ----

    void act(Actor& actor) {
        if (actor.isReleasing())
            return;
        if (actor.isTaking()) {
            if (m_dice.oneIn(4))
                actor.stop.request_stop();
            return;
        }
        if (actor.holdsSomething() && !m_dice.oneIn(3)) {
            actor.releasing = test::start(actor.lock.unlock(actor.thread));
            return;
        }
        static const std::vector<std::optional<Milliseconds>> leases{std::nullopt, std::nullopt, 30ms, 300ms};
        static const std::vector<Milliseconds> waits{0ms, 20ms, 200ms};
        actor.stop = std::stop_source();
        const Deadline waitUntil = Deadline::in(m_clock, m_dice.oneOf(waits));
        actor.taking =
            test::start(actor.lock.tryLock(actor.thread, waitUntil, m_dice.oneOf(leases), actor.stop.get_token()));
    }

    // ---- faults ----

    void harm() {
        const size_t server = m_dice.below(servers);
        switch (m_dice.below(8)) {
            case 0:
                m_observers[server]->reply(redis::Command("SCRIPT", {"FLUSH"}));
                break;
            case 1:
                m_servers[server]->freeze();
                pause(m_dice.below(250));
                m_servers[server]->thaw();
                break;
            case 2:
                restart(server);
                break;
            case 3:
                m_observers[0]->reply(redis::Command("FLUSHALL"));
                robEverybody();
                break;
            case 4:
                takeAwayAKey();
                break;
            case 5:
                forceOne(m_dice.oneOf(m_actors));
                break;
            default:
                killOne(*m_observers[server]);
        }
    }
    void restart(size_t server) {
        m_servers[server]->kill();
        QVERIFY(m_servers[server]->start());
        if (server == 0)
            robEverybody();
    }
    void takeAwayAKey() {
        const LockName name = nameFor(m_dice.oneOf(robbable));
        if (m_dice.oneIn(2))
            m_observers[0]->reply(redis::Command("DEL", {name.bytes()}));
        else
            m_observers[0]->reply(redis::Command("SET", {name.bytes(), "no lock", "PX", "20"}));
        rob(name);
    }
    void forceOne(const Actor& actor) {
        if (actor.kind == Kind::Red)
            return;
        const Lock lock = actor.lock.members().front();
        const Result<bool> forced = test::waitFor(lock.forceUnlock());
        Q_UNUSED(forced)  // without an answer the command was executed, or will be before the server's next answer
        m_observers[0]->reply(redis::Command("PING"));
        rob(lock.name());
    }
    void killOne(test::ServerObserver& observer) {
        const QByteArrayList ids = observer.connectionIds("lockkeeper");
        if (!ids.isEmpty())
            observer.reply(redis::Command("CLIENT", {"KILL", "ID", m_dice.oneOf(ids)}));
    }

    // Holds of these actors, and acquires in progress, no longer count.
    void rob(const LockName& name) {
        for (Actor& actor : m_actors) {
            const bool wantsIt =
                std::ranges::any_of(actor.lock.members(), [&](const Lock& member) { return member.name() == name; });
            actor.robbed = actor.robbed || (wantsIt && (actor.holdsSomething() || actor.isTaking()));
        }
    }
    void robEverybody() {
        for (const Kind kind : robbable)
            rob(nameFor(kind));
    }

    void noteWhatHappened() {
        for (Actor& actor : m_actors) {
            if (!actor.isTaking() && !actor.isReleasing() && !actor.holdsSomething())
                actor.robbed = false;
        }
    }
    [[nodiscard]] bool wasHeldOften(Kind kind) const { return m_believed[kind] > 100; }
    [[nodiscard]] bool goesOn() const {
        const std::vector<Kind> kinds = test::allKinds();
        const bool saysEnough = std::ranges::all_of(kinds, [this](Kind kind) { return wasHeldOften(kind); });
        return m_step < steps || (!saysEnough && m_step < mostSteps);
    }
    void pause(size_t milliseconds) {
        const Deadline until = Deadline::in(m_clock, Milliseconds(milliseconds));
        (void)test::becomesTrue([&] { return until.hasPassed(); });
    }

    // ---- invariants ----

    void check() {
        for (size_t server = 0; server < servers && !QTest::currentTestFailed(); ++server)
            checkServer(server);
        QCoreApplication::processEvents();  // runs timers that became due while this process was suspended
        for (const Actor& actor : m_actors) {
            for (const Lock& member : actor.lock.members()) {
                const Hold hold = actor.hold(member);
                QVERIFY2(hold.count == 0 || hold.deadline > m_clock.now() - 50ms,
                         "believed to be held after its deadline");
            }
        }
    }

    void checkServer(size_t server) {
        const std::vector<Belief> beliefs = beliefsOn(server);
        const QHash<QByteArray, test::KeyRecord> record = m_observers[server]->record();
        const SteadyTime after = m_clock.now();
        for (auto key = record.cbegin(); key != record.cend(); ++key) {
            QVERIFY2(key->isFairlyShared(), "two holders on record that exclude each other");
            QVERIFY2(key->pttl != -1 || mayStay(key.key()), key.key() + " would stay for ever");
        }
        for (const Belief& belief : beliefs) {
            // A state that changed while the read was in progress is not checked.
            const Hold hold = belief.actor->hold(*belief.member);
            const bool isAsBefore = hold.count >= belief.count && !belief.actor->mayBeGivingBack();
            Belief lasting = belief;
            lasting.deadline = std::min(belief.deadline, hold.deadline);  // a command may have shortened it meanwhile
            if (isAsBefore && lasting.deadline > after)
                checkBelief(lasting, record.value(belief.member->name().bytes()), after);
        }
    }

    void checkBelief(const Belief& belief, const test::KeyRecord& key, SteadyTime after) {
        ++m_believed[belief.actor->kind];
        const QByteArray who =
            test::wordFor(belief.actor->kind) + ' ' + belief.member->holdKey(belief.actor->thread).field();
        const qint64 count = key.count(belief.member->holdKey(belief.actor->thread).field());
        const auto left = std::chrono::duration_cast<std::chrono::microseconds>(belief.deadline - after).count();
        QVERIFY2(count >= belief.count, who + ": held " + QByteArray::number(count) + " times on record, believed " +
                                            QByteArray::number(belief.count) + ", for another " +
                                            QByteArray::number(left) + " us");
        const qint64 beyond = std::chrono::duration_cast<Milliseconds>(belief.deadline - after).count() - key.pttl;
        QVERIFY2(beyond <= 1, who + ": the belief outlives the lease by " + QByteArray::number(beyond) + " ms");
    }

    // The beliefs of the actors that hold a lock on this server and are not releasing it.
    std::vector<Belief> beliefsOn(size_t server) const {
        std::vector<Belief> beliefs;
        for (const Actor& actor : m_actors) {
            if (actor.robbed || actor.mayBeGivingBack())
                continue;
            for (const Lock& member : actor.lock.members()) {
                const Hold hold = actor.hold(member);
                if (hold.count > 0 && isOn(server, member))
                    beliefs.push_back(Belief{&actor, &member, hold.count, hold.deadline});
            }
        }
        return beliefs;
    }
    bool isOn(size_t server, const Lock& member) const {
        return member.client().connections().of({})->options().endpoint.unixPath == m_servers[server]->socketPath();
    }

    // Keys without a TTL by Redisson's design: the last token, and the waiters of a fair lock.
    static bool mayStay(const QByteArray& key) {
        return key.startsWith("redisson_lock_token:") || key.startsWith("redisson_lock_queue:") ||
               key.startsWith("redisson_lock_timeout:");
    }

    // ---- end ----

    void giveEverythingBack() {
        for (Actor& actor : m_actors) {
            actor.stop.request_stop();
            QVERIFY(test::becomesTrue([&actor] { return !actor.isTaking() && !actor.isReleasing(); }));
            while (actor.holdsSomething()) {
                // Without a connection an attempt fails at once, and no event would run that restores the connection.
                QVERIFY(test::becomesTrue([&actor] { return actor.isConnected(); }));
                actor.releasing = test::start(actor.lock.unlock(actor.thread));
                QVERIFY(test::becomesTrue([&actor] { return !actor.isReleasing(); }));
            }
        }
    }
    QByteArrayList leftovers() {
        QByteArrayList keys;
        for (const auto& observer : m_observers)
            keys += observer->record().keys();
        keys.removeAll("redisson_lock_token:{fenced}");
        return keys;
    }

    // On the first server.
    static inline const std::vector<Kind> robbable{Kind::Reentrant, Kind::Fair, Kind::Fenced, Kind::Spin, Kind::Write};

    SystemClock m_clock;
    test::Dice m_dice;
    std::vector<std::unique_ptr<test::RedisServer>> m_servers;
    std::vector<std::unique_ptr<test::ServerObserver>> m_observers;
    std::vector<std::unique_ptr<LockClient>> m_clients;
    std::vector<Actor> m_actors;
    QHash<Kind, int> m_believed;
    int m_step = 0;
};

LOCKKEEPER_TEST(TestLockFaults, Guiless)

}  // namespace tst_lockfaults

#include "tst_lockfaults.moc"
