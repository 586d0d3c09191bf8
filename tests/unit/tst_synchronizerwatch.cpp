// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/read/sweeppace.h"
#include "monitor/observe/synchronizerwatch.h"
#include "support/keyrefusals.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_synchronizerwatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// A scope of every name but one.
class AllBut final : public NameScope {
public:
    [[nodiscard]] bool isInScope(const LockName& name) const override { return name != excluded; }
    LockName excluded;
};

}  // namespace

// Waiters and keys of semaphores and latches, on a fake server.
class TestSynchronizerWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void asksWhoWaitsAndThenForTheirKeys();
    void whereNobodyWaitsNothingIsAskedOrSaid();
    void saysNothingWhileNothingChanges();
    void freePermitsAreDiagnosedByTheSecondRead();
    void readsOthersThatWereFound();
    void leavesOutWhatIsNoSemaphore();
    void staysWhenItsWaitersLeave();
    void reportsWhenNobodyWaitsAnyMore();
    void twoKindsUnderOneNameAreNoKnownKind();
    void whoHasLeftSinceIsNotSeen();
    void readsUnderTheOtherNameWhereTheLikelierHasNoKey();
    void leavesOutWhatIsOutOfScope();
    void readsAThousandAndSaysThatThereAreMore();
    void staysWithinTheBudget();
    void readsAtThePaceOfSweeps();
    void restsAfterMuchWork();
    void aRefusalSwitchesItOffForAMinute_data();
    void aRefusalSwitchesItOffForAMinute();
    void doesWithoutLeasesThatMayNotBeSeen();
    void aKeyThatMayNotBeReadIsNotTheEnd();
    void afterALossItReadsAgain();
    void endsInTheMiddleOfARead();

private:
    using Clients = QMap<QByteArray, int>;  // by channel

    void readOnce();
    // Answers all commands until no more come.
    void play();
    // Waits this long and answers all commands meanwhile.
    void wait(std::chrono::seconds time);
    void answer(const QByteArrayList& command);
    [[nodiscard]] QByteArray channelsLike(const QByteArray& pattern) const;
    [[nodiscard]] QByteArray counted(const QByteArrayList& channels) const;
    FakeLink& link() { return m_server->lastLink(); }
    const Synchronizer& seen(size_t index = 0) const { return m_reads.back().seen[index]; }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<redis::Connection> m_connection;
    std::unique_ptr<ReadBudget> m_budget;
    Denials m_denials;
    std::unique_ptr<SynchronizerWatch> m_watch;
    AllBut m_scope;
    std::vector<SynchronizerReading> m_reads;
    QList<QByteArrayList> m_asked;

    Clients m_clients;
    QMap<QByteArray, QByteArray> m_values;
    QMap<QByteArray, QByteArray> m_leases;   // the id of the only permit, by the key of the leases
    QMap<QByteArray, QByteArray> m_replies;  // by the command's name; replaces the usual reply
    QSet<QByteArray> m_left;                 // channels still listed, without a subscriber
};

void TestSynchronizerWatch::init() {
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_budget = std::make_unique<ReadBudget>(*m_clock, 100);
    m_denials = Denials();
    m_scope.excluded = {};
    m_reads.clear();
    m_asked.clear();
    m_clients.clear();
    m_values.clear();
    m_leases.clear();
    m_replies.clear();
    m_left.clear();
    redis::ConnectionOptions options;
    options.access = redis::AccessMode::ReadOnly;
    m_connection = std::make_unique<redis::Connection>(options, m_server->factory(), *m_clock);
    m_watch = std::make_unique<SynchronizerWatch>(*m_connection, *m_budget, m_denials, m_scope);
    connect(m_watch.get(), &SynchronizerWatch::changed, this,
            [this](const SynchronizerReading& reading) { m_reads.push_back(reading); });
    m_connection->open();
    m_server->acceptAll();
}

void TestSynchronizerWatch::cleanup() {
    m_watch.reset();
    m_connection.reset();
    turnEventLoop();
    m_budget.reset();
    QVERIFY(!m_clock->hasTimers());
}

void TestSynchronizerWatch::readOnce() {
    m_watch->start();
    m_clock->advance(m_asked.empty() ? 0ms : SweepPace::startToStart);
    play();
}

void TestSynchronizerWatch::play() {
    for (QList<QByteArrayList> commands = link().takeCommands(); !commands.isEmpty();
         commands = link().takeCommands()) {
        for (const QByteArrayList& command : commands)
            answer(command);
    }
}

void TestSynchronizerWatch::wait(std::chrono::seconds time) {
    for (const SteadyTime end = m_clock->now() + time; m_clock->now() < end;) {
        m_clock->advance(1s);
        play();
    }
}

void TestSynchronizerWatch::answer(const QByteArrayList& command) {
    const QByteArray name = command[0];
    const QByteArray key = command.value(1);
    if (name == "PING")
        return link().reply("+PONG\r\n");
    m_asked += command;
    if (m_replies.contains(name))
        link().reply(m_replies[name]);
    else if (name == "PUBSUB" && key == "CHANNELS")
        link().reply(channelsLike(command.value(2)));
    else if (name == "PUBSUB")
        link().reply(counted(command.mid(2)));
    else if (name == "EXISTS")
        link().reply(number(m_values.contains(key) ? 1 : 0));
    else if (name == "GETRANGE")
        link().reply(bulk(m_values.value(key)));
    else if (name == "ZCARD")
        link().reply(number(m_leases.contains(key) ? 1 : 0));
    else if (name == "ZRANGE" && m_leases.contains(key))
        link().reply("*2\r\n" + bulk(m_leases[key]) + bulk("922337203685477"));
    else
        link().reply("*0\r\n");
}

QByteArray TestSynchronizerWatch::channelsLike(const QByteArray& pattern) const {
    QByteArrayList channels;
    for (auto it = m_clients.keyBegin(); it != m_clients.keyEnd(); ++it) {
        if (it->startsWith(pattern.chopped(1)))
            channels << *it;
    }
    return list(channels);
}

QByteArray TestSynchronizerWatch::counted(const QByteArrayList& channels) const {
    QByteArray reply = '*' + QByteArray::number(2 * channels.size()) + "\r\n";
    for (const QByteArray& channel : channels)
        reply += bulk(channel) + number(m_left.contains(channel) ? 0 : m_clients.value(channel));
    return reply;
}

void TestSynchronizerWatch::asksWhoWaitsAndThenForTheirKeys() {
    m_clients = {{"redisson_sc:{pool}", 2}, {"redisson_countdownlatch__channel__{p/{4}}", 1}};
    m_values = {{"pool", "3"}};
    readOnce();
    QCOMPARE(m_asked.value(0), QByteArrayList({"PUBSUB", "CHANNELS", "redisson_sc:*"}));
    QCOMPARE(m_asked.value(1), QByteArrayList({"PUBSUB", "CHANNELS", "redisson_countdownlatch__channel__*"}));
    QCOMPARE(m_asked.value(2),
             QByteArrayList({"PUBSUB", "NUMSUB", "redisson_countdownlatch__channel__{p/{4}}", "redisson_sc:{pool}"}));
    QCOMPARE(m_asked.size(), qsizetype{3 + 2 + 4});
    QCOMPARE(m_reads.size(), size_t{1});
    QCOMPARE(m_reads[0].seen.size(), size_t{2});
    QCOMPARE(seen(0).name, LockName("p/{4}"));
    QCOMPARE(seen(0).kind, SynchronizerKind::CountDownLatch);
    QCOMPARE(seen(0).state, CounterState::Missing);
    QCOMPARE(seen(0).clients, 1);
    QCOMPARE(seen(1).name, LockName("pool"));
    QCOMPARE(seen(1).kind, SynchronizerKind::Semaphore);
    QCOMPARE(seen(1).count, std::optional<qint64>(3));
    QCOMPARE(seen(1).clients, 2);
    QCOMPARE(seen(1).seenAtWall, m_clock->wallNow());
    QVERIFY(!m_reads[0].isCutOff());
    QCOMPARE(denialLines(m_denials.list()), QStringList());
}

void TestSynchronizerWatch::freePermitsAreDiagnosedByTheSecondRead() {
    m_clients = {{"redisson_sc:{pool}", 2}};
    m_values = {{"pool", "3"}};
    readOnce();
    QCOMPARE(seen().diagnoses, QList<Diagnosis>());
    const WallTime first = seen().seenAtWall;
    readOnce();
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(seen().diagnoses, (QList<Diagnosis>{{Certainty::Suspected, PermitsUnclaimed{3, 2, first}}}));
    readOnce();
    QCOMPARE(m_reads.size(), size_t{2});
    m_values["pool"] = "0";
    readOnce();
    QCOMPARE(seen().diagnoses, QList<Diagnosis>());
}

void TestSynchronizerWatch::readsOthersThatWereFound() {
    m_values = {{"pool", "3"}, {"limit", "-2"}};
    m_leases = {{"{pool}:timeout", QByteArray(16, 'a')}, {"{gone}:timeout", QByteArray(16, 'b')}};
    m_watch->noteFound({*AwaitedName::ofLeases("{pool}:timeout"), *AwaitedName::ofLeases("{gone}:timeout"),
                        AwaitedName::ofUser(LockName("limit"))});
    readOnce();
    QCOMPARE(m_reads.back().inAll, 3);
    QCOMPARE(m_reads.back().seen.size(), size_t{3});
    QCOMPARE(seen(0).name, LockName("gone"));
    QVERIFY(seen(0).isLeftOver());
    QCOMPARE(seen(1).name, LockName("limit"));
    QCOMPARE(seen(1).count, std::optional<qint64>(-2));
    QCOMPARE(seen(2).name, LockName("pool"));
    QCOMPARE(seen(2).count, std::optional<qint64>(3));
    QCOMPARE(seen(2).leased, std::optional<qint64>(1));
    QCOMPARE(seen(2).clients, 0);
    QVERIFY(!seen(2).isLeftOver());
    QCOMPARE(seen(2).diagnoses, QList<Diagnosis>());
    // Nobody waits for them, so they are read less often.
    m_asked.clear();
    wait(8s);
    QVERIFY(!m_asked.contains(QByteArrayList({"EXISTS", "pool"})));
    wait(4s);
    QVERIFY(m_asked.contains(QByteArrayList({"EXISTS", "pool"})));
}

void TestSynchronizerWatch::leavesOutWhatIsNoSemaphore() {
    m_values = {{"word", "busy"}, {"other", "3"}, {"pool", "1"}};
    m_leases = {{"{other}:timeout", "a session"}};
    m_watch->noteFound({AwaitedName::ofUser(LockName("word")), *AwaitedName::ofLeases("{other}:timeout"),
                        *AwaitedName::ofLeases("{pool}:timeout")});
    readOnce();
    QCOMPARE(m_reads.size(), size_t{0});
    QVERIFY(!AwaitedName::ofLeases("pool:timeout"));
    QVERIFY(!AwaitedName::ofLeases("{pool}:expiry"));
}

void TestSynchronizerWatch::staysWhenItsWaitersLeave() {
    m_clients = {{"redisson_sc:{pool}", 2}};
    m_values = {{"pool", "0"}};
    m_leases = {{"{pool}:timeout", QByteArray(16, 'a')}};
    m_watch->noteFound({*AwaitedName::ofLeases("{pool}:timeout")});
    readOnce();
    QCOMPARE(m_reads.back().seen.size(), size_t{1});
    QCOMPARE(seen().clients, 2);
    m_clients.clear();
    readOnce();
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(m_reads.back().seen.size(), size_t{1});
    QCOMPARE(seen().clients, 0);
}

void TestSynchronizerWatch::whereNobodyWaitsNothingIsAskedOrSaid() {
    readOnce();
    QCOMPARE(m_asked.size(), qsizetype{2});
    QCOMPARE(m_reads.size(), size_t{0});
}

void TestSynchronizerWatch::saysNothingWhileNothingChanges() {
    m_clients = {{"redisson_sc:{a}", 1}, {"redisson_sc:{b}", 1}};
    m_values = {{"a", "0"}, {"b", "-1"}};
    readOnce();
    const WallTime first = m_clock->wallNow();
    readOnce();
    QCOMPARE(m_reads.size(), size_t{1});
    m_values["b"] = "2";
    readOnce();
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(seen(0).seenAtWall, first);
    QCOMPARE(seen(1).seenAtWall, m_clock->wallNow());
}

void TestSynchronizerWatch::reportsWhenNobodyWaitsAnyMore() {
    m_clients = {{"redisson_sc:{a}", 1}};
    readOnce();
    m_clients.clear();
    readOnce();
    QCOMPARE(m_reads.size(), size_t{2});
    QVERIFY(m_reads[1].seen.empty());
}

void TestSynchronizerWatch::twoKindsUnderOneNameAreNoKnownKind() {
    m_clients = {{"redisson_sc:{a}", 1}, {"redisson_countdownlatch__channel__{a}", 2}};
    readOnce();
    QCOMPARE(m_reads[0].seen.size(), size_t{1});
    QCOMPARE(seen().kind, SynchronizerKind::Unknown);
    QCOMPARE(seen().clients, 3);
}

void TestSynchronizerWatch::whoHasLeftSinceIsNotSeen() {
    m_clients = {{"redisson_sc:{a}", 1}, {"redisson_sc:{b}", 1}};
    m_left = {"redisson_sc:{a}"};
    readOnce();
    QCOMPARE(m_reads[0].seen.size(), size_t{1});
    QCOMPARE(seen().name, LockName("b"));
    QVERIFY(!m_reads[0].isCutOff());
}

void TestSynchronizerWatch::readsUnderTheOtherNameWhereTheLikelierHasNoKey() {
    m_clients = {{"redisson_sc:{a}", 1}, {"redisson_sc:{b}", 1}, {"redisson_sc:{c}", 1}};
    m_values = {{"{a}", "5"}, {"b", "6"}, {"{b}", "7"}};
    readOnce();
    QByteArrayList found;
    for (const Synchronizer& one : m_reads[0].seen)
        found << one.name.bytes() + ' ' + QByteArray::number(one.count.value_or(-1));
    QCOMPARE(found, QByteArrayList({"b 6", "c 0", "{a} 5"}));
}

void TestSynchronizerWatch::leavesOutWhatIsOutOfScope() {
    m_clients = {{"redisson_sc:{a}", 1}, {"redisson_sc:{b}", 1}};
    m_scope.excluded = LockName("a");
    readOnce();
    QCOMPARE(m_reads[0].seen.size(), size_t{1});
    QCOMPARE(seen().name, LockName("b"));
}

void TestSynchronizerWatch::readsAThousandAndSaysThatThereAreMore() {
    for (int i = 0; i < 1005; ++i)
        m_clients.insert("redisson_countdownlatch__channel__{" + QByteArray::number(10'000 + i) + '}', 1);
    for (const QByteArray& name : {"10000", "10999", "11004"})
        m_values.insert(name, "1");
    readOnce();
    wait(100s);  // the budget is 100 a second
    QCOMPARE(m_reads.size(), size_t{1});
    QCOMPARE(m_reads[0].seen.size(), size_t{1000});
    QCOMPARE(m_reads[0].inAll, 1005);
    QVERIFY(m_reads[0].isCutOff());
    QCOMPARE(seen(999).name, LockName("10999"));
    QVERIFY(
        denialLines(m_denials.list()).join('|').contains("semaphores and latches: clients wait for more than 1000"));
    for (const QByteArrayList& command : std::as_const(m_asked))
        QVERIFY(command.size() <= 2 + 100);
}

void TestSynchronizerWatch::staysWithinTheBudget() {
    for (int i = 0; i < 250; ++i) {
        m_clients.insert("redisson_countdownlatch__channel__{" + QByteArray::number(i) + '}', 1);
        m_values.insert(QByteArray::number(i), "1");
    }
    const auto gets = [this] {
        return std::count_if(m_asked.begin(), m_asked.end(),
                             [](const QByteArrayList& command) { return command[0] == "GETRANGE"; });
    };
    readOnce();
    for (int pause = 0; pause < 2; ++pause) {  // the channels are counted in three parts
        m_clock->advance(5ms);
        play();
    }
    const auto atOnce = gets();
    QVERIFY(atOnce > 0 && atOnce <= 100);
    m_clock->advance(500ms);
    play();
    QVERIFY(gets() <= atOnce + 50 + 1);
    m_clock->advance(5s);
    play();
    QCOMPARE(m_reads.size(), size_t{0});  // at most 64 commands are unanswered
    wait(5s);
    QCOMPARE(m_reads.size(), size_t{1});
    QCOMPARE(m_reads[0].seen.size(), size_t{250});
}

void TestSynchronizerWatch::readsAtThePaceOfSweeps() {
    readOnce();
    m_clock->advance(1499ms);
    QCOMPARE(link().takeCommands().size(), qsizetype{0});
    m_clock->advance(1ms);
    QCOMPARE(link().takeCommand(), QByteArrayList({"PUBSUB", "CHANNELS", "redisson_sc:*"}));
}

void TestSynchronizerWatch::restsAfterMuchWork() {
    m_watch->start();
    QCOMPARE(link().takeCommands().size(), qsizetype{1});
    m_clock->advance(200ms);
    link().reply("*0\r\n");
    QCOMPARE(link().takeCommands().size(), qsizetype{1});
    link().reply("*0\r\n");
    m_clock->advance(3999ms);
    QCOMPARE(link().takeCommands().size(), qsizetype{0});
    m_clock->advance(1ms);
    QCOMPARE(link().takeCommands().size(), qsizetype{1});
}

void TestSynchronizerWatch::aRefusalSwitchesItOffForAMinute_data() {
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<QString>("noted");
    QTest::newRow("PUBSUB") << QByteArray("PUBSUB") << noPermission("pubsub|channels") << "PUBSUB for semaphores: ";
    QTest::newRow("EXISTS") << QByteArray("EXISTS") << noPermission("exists") << "EXISTS: ";
    QTest::newRow("GETRANGE") << QByteArray("GETRANGE") << noPermission("getrange") << "GETRANGE: ";
    QTest::newRow("renamed") << QByteArray("GETRANGE") << QByteArray("-ERR unknown command 'GETRANGE'\r\n")
                             << "GETRANGE: ";
}
void TestSynchronizerWatch::aRefusalSwitchesItOffForAMinute() {
    QFETCH(const QByteArray, command);
    QFETCH(const QByteArray, reply);
    QFETCH(const QString, noted);
    m_clients = {{"redisson_sc:{a}", 1}};
    m_values = {{"a", "1"}};
    readOnce();
    m_replies = {{command, reply}};
    readOnce();
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(m_reads[1].sight, SynchronizerReading::Sight::Refused);
    QVERIFY(m_reads[1].seen.empty());
    QCOMPARE(denialLines(m_denials.list()).size(), 1);
    QVERIFY2(denialLines(m_denials.list()).first().startsWith(noted),
             qPrintable(denialLines(m_denials.list()).first()));
    m_replies.clear();
    const qsizetype asked = m_asked.size();
    wait(59s);
    QCOMPARE(m_asked.size(), asked);
    wait(1s);
    QCOMPARE(m_reads.size(), size_t{3});
    QCOMPARE(m_reads[2].sight, SynchronizerReading::Sight::Clear);
    QCOMPARE(m_reads[2].seen.size(), size_t{1});
}

void TestSynchronizerWatch::doesWithoutLeasesThatMayNotBeSeen() {
    m_clients = {{"redisson_sc:{a}", 1}};
    m_values = {{"a", "1"}};
    m_replies = {{"ZRANGE", noPermission("zrange")}};
    readOnce();
    QCOMPARE(seen().count, std::optional<qint64>(1));
    QVERIFY(!seen().leased);
    QCOMPARE(denialLines(m_denials.list()), QStringList{"ZRANGE for semaphores: leased permits are not seen"});
}

void TestSynchronizerWatch::aKeyThatMayNotBeReadIsNotTheEnd() {
    m_clients = {{"redisson_sc:{a}", 1}};
    m_replies = {{"EXISTS", keyDenied}, {"GETRANGE", keyDenied}, {"ZCARD", keyDenied}, {"ZRANGE", wrongType}};
    readOnce();
    QCOMPARE(seen().state, CounterState::NotReadable);
    QCOMPARE(seen().clients, 1);
    QVERIFY(!seen().leased);
    QCOMPARE(denialLines(m_denials.list()), QStringList{"keys: some keys may not be read"});
}

void TestSynchronizerWatch::afterALossItReadsAgain() {
    m_clients = {{"redisson_sc:{a}", 1}};
    m_values = {{"a", "1"}};
    readOnce();
    m_clock->advance(SweepPace::startToStart);
    link().lose();
    QCOMPARE(m_reads.size(), size_t{1});
    m_clock->advance(2s);
    m_server->acceptAll();
    play();
    QCOMPARE(m_reads.size(), size_t{2});  // nothing was observed in between, so the unchanged state is news
    QCOMPARE(seen().seenAtWall, m_clock->wallNow());
    m_clients.clear();
    link().lose();
    m_clock->advance(2s);
    m_server->acceptAll();
    play();
    m_clock->advance(2s);
    play();
    QCOMPARE(m_reads.size(), size_t{3});
    QVERIFY(m_reads[2].seen.empty());
}

void TestSynchronizerWatch::endsInTheMiddleOfARead() {
    m_clients = {{"redisson_sc:{a}", 1}};
    m_watch->start();
    m_watch->stop();
    play();
    QCOMPARE(m_reads.size(), size_t{0});
}

LOCKKEEPER_TEST(TestSynchronizerWatch, Guiless)

}  // namespace tst_synchronizerwatch

#include "tst_synchronizerwatch.moc"
