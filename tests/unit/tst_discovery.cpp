// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/discovery.h"
#include "monitor/format/watchingwords.h"
#include "support/knownnames.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_discovery {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

QByteArray scanReply(const QByteArray& cursor, const QByteArrayList& keys) {
    return "*2\r\n" + bulk(cursor) + list(keys);
}

}  // namespace

class TestDiscovery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { make(); }
    void cleanup();

    void aSweepFindsLocksAndPassesOverTheRest();
    void neverTracks();
    void hashesThatAreNoLocksAreNotReadAgain();
    void knownLocksAreNotRead();
    void helperKeysAreNeverRows();
    void aFreeFairLockIsFoundByItsQueue();
    void semaphoresAreFoundByTheirLeasesAndByName();
    void aNameMakesALockOfAnotherProgram_data();
    void aNameMakesALockOfAnotherProgram();
    void aSmallKeyspaceIsSweptEveryOneAndAHalfSeconds();
    void aLaterSweepOfASmallKeyspaceHasPauses();
    void aBigKeyspaceIsSweptWithPauses();
    void aSlowAnswerIsNotTakenForADistantServer();
    void takesTheShareOfTheServerThatItIsGiven();
    void theServerLooksForOnePattern();
    void ofSeveralPatternsOneMustMatch();
    void outOfScopeNobodyIsRead();
    void pausedItScansNothingUntilItGoesOn();
    void pausedItStillAsksWhoWaits();
    void aLossInAPauseBreaksTheSweep();
    void showsHowFarItHasCome();
    void oneCallInFiftyAlsoLooksForTokens();
    void veryManyLeasesAreExamined();
    void countsWaitersByLock();
    void countsWaitersDuringALongSweepToo();
    void aFreeLockThatSomebodyWaitsForIsConfirmed();
    void readsAnUnknownNameAtOnce();
    void staysWithinTheBudget();
    void doesWithoutWhatIsRefused_data();
    void doesWithoutWhatIsRefused();
    void doesWithoutTheTypeOfScan();
    void aBrokenSweepIsNotASweep();
    void endsInTheMiddleOfASweep();

private:
    void make(const profile::DiscoverySettings& settings = {});
    // Answers everything up to the first SCAN, which stays unanswered.
    void reachScan(qint64 keys, const QByteArrayList& channels = {}, const QList<int>& clients = {},
                   Milliseconds firstAnswer = {});
    FakeLink& link() { return m_server->lastLink(); }
    [[nodiscard]] QByteArrayList takeReads();

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<ReadBudget> m_budget;
    Denials m_denials;
    std::unique_ptr<Discovery> m_discovery;
    KnownNames m_known;
    NothingTracked m_tracked;
    QByteArrayList m_confirmed;
    QByteArrayList m_unknownNames;
    std::optional<QHash<LockName, Listeners>> m_waiting;
    SteadyTime m_countBegan{};
    std::vector<quint64> m_sweeps;
};

void TestDiscovery::make(const profile::DiscoverySettings& settings) {
    m_discovery.reset();
    m_budget.reset();
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_budget = std::make_unique<ReadBudget>(*m_clock, 100);
    m_denials = Denials();
    m_known.names.clear();
    m_confirmed.clear();
    m_unknownNames.clear();
    m_waiting.reset();
    m_sweeps.clear();
    m_discovery = std::make_unique<Discovery>(redis::ConnectionOptions(), m_server->factory(), *m_clock, *m_budget,
                                              m_denials, settings, m_known, m_tracked);
    connect(m_discovery.get(), &Discovery::confirmed, this, [this](const LockSnapshot& lock) {
        m_confirmed << lock.name.bytes() + (lock.isHeld() ? " held" : " free");
        m_known.names.insert(lock.name);
    });
    connect(m_discovery.get(), &Discovery::unknownNameRead, this,
            [this](const LockName& name, const std::optional<LockSnapshot>& lock) {
                m_unknownNames << name.bytes() + (!lock ? " no lock" : lock->isHeld() ? " held" : " free");
            });
    connect(&m_discovery->waiterCount(), &WaiterCount::counted, this,
            [this](const QHash<LockName, Listeners>& waiting, SteadyTime countBegan) {
                m_waiting = waiting;
                m_countBegan = countBegan;
            });
    connect(m_discovery.get(), &Discovery::swept, this, [this](quint64 keys) { m_sweeps.push_back(keys); });
    m_discovery->open();
    m_discovery->beginSweeps();
    m_server->acceptAll({{"CONFIG", "%0\r\n"}});
}

void TestDiscovery::cleanup() {
    m_discovery.reset();
    turnEventLoop();
    m_budget.reset();
    QVERIFY(!m_clock->hasTimers());
}

void TestDiscovery::reachScan(qint64 keys, const QByteArrayList& channels, const QList<int>& clients,
                              Milliseconds firstAnswer) {
    QCOMPARE(link().takeCommand(), QByteArrayList{"DBSIZE"});
    m_clock->advance(firstAnswer);
    link().reply(number(keys));
    for (int roundTrips = 1; keys >= SweepPace::smallKeyspace && roundTrips < 8; ++roundTrips) {
        QCOMPARE(link().takeCommand(), QByteArrayList{"DBSIZE"});
        link().reply(number(keys));
    }
    QCOMPARE(link().takeCommand(), QByteArrayList({"PUBSUB", "CHANNELS", "redisson_lock__channel:*"}));
    link().reply(list(channels));
    QCOMPARE(link().takeCommand(), QByteArrayList({"PUBSUB", "CHANNELS", "redisson_rwlock:*"}));
    link().reply("*0\r\n");
    if (channels.isEmpty())
        return;
    QCOMPARE(link().takeCommand(), QByteArrayList({"PUBSUB", "NUMSUB"}) + channels);
    QByteArray reply = '*' + QByteArray::number(2 * channels.size()) + "\r\n";
    for (qsizetype i = 0; i < channels.size(); ++i)
        reply += bulk(channels[i]) + number(clients[i]);
    link().reply(reply);
}

QByteArrayList TestDiscovery::takeReads() {
    QByteArrayList names;
    for (const QByteArrayList& command : link().takeCommands())
        names << (command.value(0) == "EVALSHA_RO" ? command.value(3) : command.value(0));
    return names;
}

void TestDiscovery::aSweepFindsLocksAndPassesOverTheRest() {
    reachScan(4);
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "TYPE", "hash", "COUNT", "500"}));
    link().reply(scanReply("0", {"L", "session:1", "gone"}));
    QCOMPARE(takeReads(), QByteArrayList({"L", "session:1", "gone"}));
    QCOMPARE(m_sweeps.size(), size_t{0});
    link().reply(heldReply(alice) + bulk("names") + freeReply());
    QCOMPARE(m_confirmed, QByteArrayList{"L held"});
    QCOMPARE(m_sweeps, std::vector<quint64>{4});
}

void TestDiscovery::neverTracks() {
    reachScan(1);
    for (const QByteArrayList& command : link().takeCommands())
        QVERIFY(command.value(0) != "CLIENT");
}

void TestDiscovery::hashesThatAreNoLocksAreNotReadAgain() {
    QByteArrayList others;
    for (int i = 0; i < 5; ++i)
        others << "session:" + QByteArray::number(i);
    int reads = 0;
    for (int sweep = 0; sweep < 20; ++sweep) {
        reachScan(others.size());
        if (link().takeCommand().value(3) == "list") {
            for (int scan = 0; scan < 2; ++scan) {  // of queues, and of leases
                link().reply(scanReply("0", {}));
                (void)link().takeCommand();
            }
        }
        link().reply(scanReply("0", others));
        const qsizetype now = takeReads().size();
        reads += int(now);
        if (now > 0)
            link().reply(bulk("names").repeated(now));
        QCOMPARE(m_sweeps.size(), size_t(sweep + 1));
        m_clock->advance(1500ms);
    }
    // Each key is read once, and at most once more: fewer than 1 % a sweep are read again.
    QVERIFY2(reads >= 5 && reads <= 10, qPrintable(QString::number(reads)));
}

void TestDiscovery::knownLocksAreNotRead() {
    m_known.names.insert(LockName("L"));
    reachScan(1, {"redisson_lock__channel:{L}"}, {1});
    (void)link().takeCommand();
    link().reply(scanReply("0", {"L"}));
    QCOMPARE(takeReads(), QByteArrayList());
    QCOMPARE(m_sweeps.size(), size_t{1});
}

void TestDiscovery::helperKeysAreNeverRows() {
    reachScan(3);
    (void)link().takeCommand();
    link().reply(scanReply("0", {"redisson_lock_queue:{L}", "redisson_lock_token:{L}",
                                 "redisson_unlock_latch:{L}:0123456789abcdef0123456789abcdef"}));
    QCOMPARE(takeReads(), QByteArrayList());
}

// The lock has no subscriber: its waiters are dead, and they block it until their deadlines.
void TestDiscovery::aFreeFairLockIsFoundByItsQueue() {
    reachScan(1);
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "TYPE", "hash", "COUNT", "500"}));
    link().reply(scanReply("0", {}));
    m_clock->advance(1500ms);
    reachScan(3);
    QCOMPARE(link().takeCommand(),
             QByteArrayList({"SCAN", "0", "TYPE", "list", "MATCH", "redisson_lock_queue:*", "COUNT", "500"}));
    link().reply(scanReply("0", {"redisson_lock_queue:{F}", "redisson_lock_queue:p{G}"}));
    QCOMPARE(takeReads(), QByteArrayList({"F", "p{G}"}));
    link().reply("*8\r\n*0\r\n:-2\r\n" + list({bob.bytes()}) + ":1\r\n" + list({bob.bytes(), "1700000300123"}) +
                 "_\r\n_\r\n*0\r\n" + freeReply());
    QCOMPARE(m_confirmed, QByteArrayList{"F free"});
    QCOMPARE(link().takeCommand().value(3), QByteArray("zset"));
    link().reply(scanReply("0", {}));
    QCOMPARE(link().takeCommand().value(3), QByteArray("hash"));
    QCOMPARE(m_sweeps.size(), size_t{1});
    link().reply(scanReply("0", {}));
    QCOMPARE(m_sweeps.size(), size_t{2});
}

void TestDiscovery::semaphoresAreFoundByTheirLeasesAndByName() {
    profile::DiscoverySettings settings;
    settings.semaphores = {"limit:*"};
    make(settings);
    QList<QByteArrayList> found;
    connect(m_discovery.get(), &Discovery::synchronizersFound, this, [&found](const QList<AwaitedName>& names) {
        QByteArrayList bytes;
        for (const AwaitedName& name : names)
            bytes += name.name.bytes() + (name.by == AwaitedName::By::User ? " by name" : " by leases");
        found += bytes;
    });
    reachScan(1);
    (void)link().takeCommand();
    link().reply(scanReply("0", {}));
    m_clock->advance(1500ms);
    reachScan(5);
    QCOMPARE(link().takeCommand().value(3), QByteArray("list"));
    link().reply(scanReply("0", {}));
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "TYPE", "zset", "MATCH", "*:timeout", "COUNT", "500"}));
    link().reply(scanReply("0", {"{pool}:timeout", "p{G}:timeout", "session:timeout", "{limit:1}:timeout"}));
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "TYPE", "string", "MATCH", "limit:*", "COUNT", "500"}));
    link().reply(scanReply("0", {"limit:1", "limit:2"}));
    QCOMPARE(found, QList<QByteArrayList>{
                        QByteArrayList({"limit:1 by leases", "limit:2 by name", "pool by leases", "p{G} by leases"})});
    QCOMPARE(link().takeCommand().value(3), QByteArray("hash"));
    QCOMPARE(takeReads(), QByteArrayList());
    QCOMPARE(m_confirmed, QByteArrayList());
}

// Hashes of other programs look like locks that another program holds, if no holder has a client's UUID.
void TestDiscovery::aNameMakesALockOfAnotherProgram_data() {
    QTest::addColumn<QByteArrayList>("matches");
    QTest::addColumn<QByteArrayList>("confirmed");
    QTest::newRow("any hash") << QByteArrayList() << QByteArrayList();
    QTest::newRow("any name") << QByteArrayList{"*"} << QByteArrayList();
    QTest::newRow("named by the user") << QByteArrayList{"L*"} << QByteArrayList{"L held"};
}

void TestDiscovery::aNameMakesALockOfAnotherProgram() {
    QFETCH(const QByteArrayList, matches);
    profile::DiscoverySettings settings;
    settings.matches = matches;
    make(settings);
    reachScan(1);
    (void)link().takeCommand();
    link().reply(scanReply("0", {"L"}));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply("*2\r\n" + list({"svc:1", "1"}) + number(30000));
    QTEST(m_confirmed, "confirmed");
    QCOMPARE(m_discovery->isKnownNoLock(LockName("L")), m_confirmed.isEmpty());
}

void TestDiscovery::aSmallKeyspaceIsSweptEveryOneAndAHalfSeconds() {
    reachScan(9999);
    (void)link().takeCommand();
    m_clock->advance(400ms);
    link().reply(scanReply("7", {}));
    QCOMPARE(link().takeCommand().value(1), QByteArray("7"));  // without a pause
    m_clock->advance(400ms);
    link().reply(scanReply("0", {}));
    QCOMPARE(link().takeCommands().size(), 0);
    m_clock->advance(699ms);
    QCOMPARE(link().takeCommands().size(), 0);
    m_clock->advance(1ms);
    QCOMPARE(link().takeCommand(), QByteArrayList{"DBSIZE"});
}

// Nobody waits for a later sweep, so it leaves other commands room.
void TestDiscovery::aLaterSweepOfASmallKeyspaceHasPauses() {
    reachScan(1000);
    (void)link().takeCommand();
    link().reply(scanReply("0", {}));
    m_clock->advance(1500ms);
    reachScan(1000);
    for (const char* const wanted : {"list", "zset", "hash"}) {
        QCOMPARE(link().takeCommand().value(3), QByteArray(wanted));
        link().reply(scanReply("7", {}));
        QCOMPARE(link().takeCommands().size(), 0);
        m_clock->advance(15ms);
        QCOMPARE(link().takeCommand().value(1), QByteArray("7"));
        link().reply(scanReply("0", {}));
    }
    QCOMPARE(m_sweeps.size(), size_t{2});
}

void TestDiscovery::aBigKeyspaceIsSweptWithPauses() {
    reachScan(1'000'000);
    (void)link().takeCommand();
    m_clock->advance(10ms);
    link().reply(scanReply("7", {}));
    m_clock->advance(189ms);
    QCOMPARE(link().takeCommands().size(), 0);
    m_clock->advance(1ms);
    QCOMPARE(link().takeCommand().value(1), QByteArray("7"));
}

// The time of a call beyond a round trip counts as the server's cost. If one slow call counted as distance, all calls
// would seem cheap.
void TestDiscovery::aSlowAnswerIsNotTakenForADistantServer() {
    reachScan(1'000'000, {}, {}, 9ms);
    (void)link().takeCommand();
    m_clock->advance(10ms);
    link().reply(scanReply("7", {}));
    m_clock->advance(189ms);
    QCOMPARE(link().takeCommands().size(), 0);
    m_clock->advance(1ms);
    QCOMPARE(link().takeCommand().value(1), QByteArray("7"));
}

void TestDiscovery::takesTheShareOfTheServerThatItIsGiven() {
    profile::DiscoverySettings settings;
    settings.serverShare = 50;
    make(settings);
    reachScan(1'000'000);
    (void)link().takeCommand();
    m_clock->advance(10ms);
    link().reply(scanReply("7", {}));
    m_clock->advance(9ms);
    QCOMPARE(link().takeCommands().size(), 0);
    m_clock->advance(1ms);
    QCOMPARE(link().takeCommand().value(1), QByteArray("7"));
}

void TestDiscovery::theServerLooksForOnePattern() {
    profile::DiscoverySettings settings;
    settings.matches = {"orders/*"};
    make(settings);
    reachScan(1);
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "TYPE", "hash", "MATCH", "orders/*", "COUNT", "500"}));
    link().reply("-ERR syntax error\r\n");
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "MATCH", "orders/*", "COUNT", "500"}));
}

void TestDiscovery::ofSeveralPatternsOneMustMatch() {
    profile::DiscoverySettings settings;
    settings.matches = {"orders/*", "job?"};
    make(settings);
    reachScan(4);
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "TYPE", "hash", "COUNT", "500"}));
    link().reply(scanReply("0", {"orders/1", "job", "job7", "x/orders/1"}));
    QCOMPARE(takeReads(), QByteArrayList({"orders/1", "job7"}));
}

void TestDiscovery::outOfScopeNobodyIsRead() {
    profile::DiscoverySettings settings;
    settings.matches = {"orders/*"};
    make(settings);
    QVERIFY(m_discovery->isInScope(LockName("orders/1")));
    QVERIFY(!m_discovery->isInScope(LockName("jobs")));
    reachScan(1, {"redisson_lock__channel:{jobs}", "redisson_lock__channel:{orders/1}"}, {1, 1});
    QCOMPARE(takeReads(), QByteArrayList{"orders/1"});
}

void TestDiscovery::pausedItScansNothingUntilItGoesOn() {
    reachScan(1000);
    (void)link().takeCommand();
    m_discovery->setState(DiscoveryState::Paused);
    link().reply(scanReply("7", {"L"}));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    QCOMPARE(m_confirmed, QByteArrayList{"L held"});  // names found before are read
    m_clock->advance(60s);
    for (const QByteArrayList& command : link().takeCommands())
        QVERIFY(command.value(0) != "SCAN");
    QCOMPARE(m_sweeps.size(), size_t{0});
}

void TestDiscovery::pausedItStillAsksWhoWaits() {
    reachScan(1000);
    (void)link().takeCommand();
    m_discovery->setState(DiscoveryState::Paused);
    QCOMPARE(m_discovery->state(), DiscoveryState::Paused);
    link().reply(scanReply("7", {}));
    for (int rounds = 0; rounds < 3; ++rounds) {
        m_waiting.reset();
        QCOMPARE(link().takeCommand(), QByteArrayList({"PUBSUB", "CHANNELS", "redisson_lock__channel:*"}));
        link().reply("*0\r\n");
        (void)link().takeCommand();
        link().reply("*0\r\n");
        QVERIFY(m_waiting);
        QCOMPARE(link().takeCommands().size(), 0);
        m_clock->advance(1500ms);
    }
    (void)link().takeCommand();
    m_discovery->setState(DiscoveryState::Running);
    link().reply("*0\r\n");
    (void)link().takeCommand();
    link().reply("*0\r\n");
    QCOMPARE(link().takeCommand().value(1), QByteArray("7"));  // continues where it stopped
}

void TestDiscovery::aLossInAPauseBreaksTheSweep() {
    reachScan(1000);
    (void)link().takeCommand();
    m_discovery->setState(DiscoveryState::Paused);
    link().reply(scanReply("7", {}));
    (void)link().takeCommands();
    link().lose();
    m_clock->advance(1s);
    m_server->acceptAll({{"CONFIG", "%0\r\n"}});
    m_discovery->setState(DiscoveryState::Running);
    m_clock->advance(1s);
    QCOMPARE(m_sweeps.size(), size_t{0});
    QCOMPARE(link().takeCommand(), QByteArrayList{"DBSIZE"});
}

void TestDiscovery::showsHowFarItHasCome() {
    reachScan(1000);
    QCOMPARE(m_discovery->databaseSize(), 1000);
    (void)link().takeCommand();
    link().reply(scanReply("1", {}));
    QCOMPARE(m_discovery->keysThisSweep(), quint64{500});
    (void)link().takeCommand();
    link().reply(scanReply("3", {}));
    QCOMPARE(m_discovery->keysThisSweep(), quint64{750});
    (void)link().takeCommand();
    link().reply(scanReply("0", {}));
    QCOMPARE(m_sweeps, std::vector<quint64>{1000});
}

void TestDiscovery::oneCallInFiftyAlsoLooksForTokens() {
    reachScan(1'000'000);
    for (int call = 1; call <= 24; ++call) {
        QCOMPARE(link().takeCommand().value(2), QByteArray("TYPE"));
        link().reply(scanReply("1", {}));
    }
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "1", "TYPE", "hash", "COUNT", "500"}));
    link().reply(scanReply("0", {}));
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "1", "MATCH", "redisson_lock_token:*", "COUNT", "500"}));
    QByteArrayList tokens;
    for (int i = 0; i < 40; ++i)
        tokens << "redisson_lock_token:{job" + QByteArray::number(i) + '}';
    link().reply(scanReply("0", tokens));
    for (int i = 0; i < 20; ++i) {  // no more names are read
        QCOMPARE(link().takeCommand(), QByteArrayList({"PTTL", tokens[i]}));
        link().reply(number(-1));
        QCOMPARE(link().takeCommand(), QByteArrayList({"EXISTS", "job" + QByteArray::number(i)}));
        link().reply(number(i < 5 ? 1 : 0));
    }
    turnEventLoop();
    QCOMPARE(m_sweeps.size(), size_t{1});
    const TokenLitter litter = m_discovery->tokenLitter().value();
    QCOMPARE(litter.estimate, quint64{80});  // 40 were found in half of the keyspace
    QCOMPARE(litter.checked, 20);
    QCOMPARE(litter.leftOver, 15);
}

// The first twenty of very many sets are read. Those of other programs have no ids of permits.
void TestDiscovery::veryManyLeasesAreExamined() {
    reachScan(1);
    (void)link().takeCommand();
    link().reply(scanReply("0", {}));
    m_clock->advance(1500ms);
    reachScan(5);
    (void)link().takeCommand();
    link().reply(scanReply("0", {}));
    QCOMPARE(link().takeCommand().value(3), QByteArray("zset"));
    QByteArrayList sets;
    for (int i = 0; i < 20'000; ++i)
        sets << "{pool" + QByteArray::number(i) + "}:timeout";
    link().reply(scanReply("0", sets));
    for (int i = 0; i < 20; ++i) {
        QCOMPARE(link().takeCommand(), QByteArrayList({"ZRANGE", sets[i], "0", "0"}));
        link().reply(list({i < 2 ? QByteArray("a session") : QByteArray(16, 'x')}));
        QCOMPARE(link().takeCommand(), QByteArrayList({"EXISTS", "pool" + QByteArray::number(i)}));
        link().reply(number(i < 5 ? 1 : 0));
    }
    QCOMPARE(link().takeCommand().value(3), QByteArray("hash"));
    QCOMPARE(m_discovery->leaseLitter(), std::optional(LeaseLitter{20'000, 20, 15, m_clock->wallNow()}));
    QCOMPARE(m_discovery->leaseLitter()->estimate(), quint64{15'000});
}

void TestDiscovery::countsWaitersByLock() {
    m_known.names = {LockName("L"), LockName("F"), LockName("empty")};
    reachScan(3,
              {"redisson_lock__channel:{L}", "redisson_lock__channel:{F}:" + alice.bytes(),
               "redisson_lock__channel:{F}:" + bob.bytes(), "redisson_lock__channel:{empty}"},
              {3, 1, 1, 0});
    QCOMPARE(*m_waiting, (QHash<LockName, Listeners>{{LockName("L"), {3, {}}}, {LockName("F"), {2, {alice, bob}}}}));
}

void TestDiscovery::aFreeLockThatSomebodyWaitsForIsConfirmed() {
    reachScan(0, {"redisson_lock__channel:{L}"}, {1});
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QCOMPARE(m_confirmed, QByteArrayList{"L free"});
}

void TestDiscovery::countsWaitersDuringALongSweepToo() {
    reachScan(1'000'000);
    (void)link().takeCommand();
    m_waiting.reset();
    m_clock->advance(100ms);  // a slow SCAN, with a pause of 1.9 s
    link().reply(scanReply("512", {}));
    for (int steps = 0; steps < 50 && link().takeCommands().isEmpty(); ++steps)
        m_clock->advance(100ms);
    link().reply(list({"redisson_lock__channel:{L}"}));  // PUBSUB CHANNELS
    (void)link().takeCommand();
    link().reply("*0\r\n");
    QCOMPARE(link().takeCommand(), QByteArrayList({"PUBSUB", "NUMSUB", "redisson_lock__channel:{L}"}));
    link().reply("*2\r\n" + bulk("redisson_lock__channel:{L}") + number(1));
    QVERIFY(m_waiting && m_waiting->value(LockName("L")).clients == 1);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    QCOMPARE(m_confirmed, QByteArrayList{"L held"});
    QCOMPARE(link().takeCommand().value(0), QByteArray("SCAN"));
}

void TestDiscovery::readsAnUnknownNameAtOnce() {
    reachScan(1'000'000);
    (void)link().takeCommands();
    m_discovery->readUnknownName(LockName("L"));
    m_discovery->readUnknownName(LockName("L"));
    m_discovery->readUnknownName(LockName("M"));
    QCOMPARE(takeReads(), QByteArrayList({"L", "M"}));
    link().reply(scanReply("7", {}));
    link().reply(heldReply(alice) + bulk("type"));
    QCOMPARE(m_unknownNames, QByteArrayList({"L held", "M no lock"}));
}

void TestDiscovery::staysWithinTheBudget() {
    reachScan(300);
    (void)link().takeCommand();
    QByteArrayList keys;
    for (int i = 0; i < 300; ++i)
        keys << "L" + QByteArray::number(i);
    link().reply(scanReply("0", keys));
    const SteadyTime start = m_clock->now();
    qsizetype reads = 0;
    while (m_sweeps.empty()) {
        for (const QByteArray& name : takeReads()) {
            QVERIFY(name.startsWith('L'));
            link().reply(heldReply(alice));
            ++reads;
        }
        m_clock->advance(10ms);
    }
    QCOMPARE(reads, 300);
    QCOMPARE(m_confirmed.size(), 300);
    QVERIFY(m_clock->now() - start >= 3s);
    QVERIFY(m_clock->now() - start < 4s);
}

void TestDiscovery::doesWithoutWhatIsRefused_data() {
    QTest::addColumn<QByteArray>("refused");
    QTest::addColumn<bool>("finds");
    QTest::newRow("DBSIZE") << QByteArray("DBSIZE") << true;
    QTest::newRow("PUBSUB") << QByteArray("PUBSUB") << true;
    QTest::newRow("SCAN") << QByteArray("SCAN") << false;
}

void TestDiscovery::doesWithoutWhatIsRefused() {
    QFETCH(const QByteArray, refused);
    QFETCH(const bool, finds);
    for (int steps = 0; steps < 10 && m_sweeps.empty(); ++steps) {
        for (const QByteArrayList& command : link().takeCommands()) {
            const QByteArray name = command.value(0);
            if (name == refused)
                link().reply(noPermission(name.toLower()));
            else if (name == "DBSIZE")
                link().reply(number(1));
            else if (name == "PUBSUB")
                link().reply("*0\r\n");
            else if (name == "SCAN")
                link().reply(scanReply("0", {"L"}));
            else
                link().reply(heldReply(alice));
        }
    }
    QCOMPARE(m_sweeps.size(), size_t{finds});  // a sweep that the server refused does not count
    QCOMPARE(m_discovery->state(), finds ? DiscoveryState::Running : DiscoveryState::Refused);
    QCOMPARE(m_confirmed.size(), finds ? 1 : 0);
    QCOMPARE(denialLines(m_denials.list()).size(), 1);
    QVERIFY(denialLines(m_denials.list()).first().startsWith(QString::fromLatin1(refused) + ": "));
    QCOMPARE(m_waiting.has_value(), refused != "PUBSUB");
}

void TestDiscovery::doesWithoutTheTypeOfScan() {
    reachScan(1);
    (void)link().takeCommand();
    link().reply("-ERR syntax error\r\n");
    QCOMPARE(link().takeCommand(), QByteArrayList({"SCAN", "0", "COUNT", "500"}));
    link().reply(scanReply("0", {"L", "redisson_lock_queue:{L}"}));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    QCOMPARE(m_sweeps.size(), size_t{1});
}

void TestDiscovery::aBrokenSweepIsNotASweep() {
    reachScan(1000);
    (void)link().takeCommand();
    link().reply(scanReply("7", {"L"}));
    (void)takeReads();
    link().lose();
    m_clock->advance(1s);
    QCOMPARE(m_sweeps.size(), size_t{0});
    QCOMPARE(m_server->linkCount(), size_t{2});
    m_server->acceptAll({{"CONFIG", "%0\r\n"}});
    reachScan(1000);
    (void)link().takeCommand();
    link().reply(scanReply("0", {"L"}));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    QCOMPARE(m_sweeps.size(), size_t{1});
}

void TestDiscovery::endsInTheMiddleOfASweep() {
    reachScan(1000);
    (void)link().takeCommand();
    link().reply(scanReply("7", {"L"}));
    m_discovery->readUnknownName(LockName("M"));
    m_discovery.reset();
    QCOMPARE(m_confirmed.size(), 0);
    QCOMPARE(m_unknownNames.size(), 0);
}

LOCKKEEPER_TEST(TestDiscovery, Guiless)

}  // namespace tst_discovery

#include "tst_discovery.moc"
