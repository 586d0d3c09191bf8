// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/observer.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_observer {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QByteArray plainPattern = "redisson_lock__channel:*";
const QByteArray readWritePattern = "redisson_rwlock:*";
const QByteArray channelOfL = "redisson_lock__channel:{L}";

QByteArray notifyFlags(const QByteArray& flags) {
    return "%1\r\n" + bulk("notify-keyspace-events") + bulk(flags);
}

QByteArray replicaInfo(const QByteArray& link, int silence) {
    return bulk("# Replication\r\nrole:slave\r\nmaster_host:db\r\nmaster_port:6379\r\nmaster_link_status:" + link +
                "\r\nmaster_last_io_seconds_ago:" + QByteArray::number(silence) + "\r\n");
}

struct Read {
    LockSnapshot lock;
    BetweenReads between;
};

}  // namespace

class TestObserver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void tracksAndSubscribesOnOneConnection();
    void anInvalidationIsAReasonToRead();
    void aHolderThatStaysIsKeptOnce();
    void soIsAnInvalidatedHelperKey();
    void aTouchedNameThatIsNotWatchedIsReportedAndNotRead();
    void knownNamesAreReadOnTheConnectionThatTracks();
    void whatWasConfirmedWhereItIsTrackedNeedsNoOtherRead();
    void itIsReadWhenItsLeaseEnds();
    void withoutTrackingAConfirmedLockNeedsARead();
    void oneReadAnswersAllThatCameBeforeIt();
    void aRequestDuringAReadGetsAnother();
    void theAnswerOfAReadKnowsTheMessagesBeforeIt();
    void anIdleLockIsLeftAloneUntilItsLeaseEnds();
    void aLockWithoutExpiryIsLeftAloneForEver();
    void aHotLockIsReadAgainLaterAndNotLost();
    void aFlushTouchesEveryLock();
    void aMessageIsAboutEveryLockOfItsChannel();
    void theFirstMessageOfAnUnknownNameIsReported();
    void earlierMessagesExplainAChangeAndProveNone_data();
    void earlierMessagesExplainAChangeAndProveNone();
    void anEarlierMessageTellsThatAFreeLockWasReleased();
    void whatIsForgottenIsReportedWhenItIsTouched();
    void evictionsOfTheSameLockLeadToFewReads_data();
    void evictionsOfTheSameLockLeadToFewReads();
    void whatMayBeAHoldBetweenTwoReadsIsReadAtOnce_data();
    void whatMayBeAHoldBetweenTwoReadsIsReadAtOnce();
    void aChangeEndsTheRestAfterEvictions_data();
    void aChangeEndsTheRestAfterEvictions();
    void afterALossEveryLockIsReadAgainWithItsGap();
    void aServerThatComesBackEmptyIsReportedBeforeTheReads_data();
    void aServerThatComesBackEmptyIsReportedBeforeTheReads();
    void aGapBeginsWithTheFirstChangeThatWasNotRead();
    void aGapSaysWhetherTheServerHasAnotherRoleSince_data();
    void aGapSaysWhetherTheServerHasAnotherRoleSince();
    void aReadOfAnEarlierSessionIsIgnored();
    void aFailedReadIsTriedAgain();
    void withoutMessagesItsReceptionIsIncomplete();
    void pollsWhereTrackingIsDenied();
    void receivesKeyspaceEventsWhereTrackingIsDenied();
    void byKeyspaceEventsALeaseEndIsReportedBeforeTheRead();
    void pollsWhereKeyspaceEventsAreRefused();
    void inAnotherDatabaseNothingIsClaimed();
    void overResp2MessagesHaveAConnectionOfTheirOwn();
    void overResp2AChangeWaitsForTheMessagesBeforeIt();
    void overResp2AMessageMayComeBeforeTheLookThatShowsIt();
    void overResp2KeyspaceEventsComeWithTheMessages();
    void whatIsAddedWhileNobodyWatchesHasAGap();
    void whatMayNoLongerBeReadIsNotSaidToBeGone_data();
    void whatMayNoLongerBeReadIsNotSaidToBeGone();
    void anEarlyEndIsReadAgainBehindTheClocksProof_data();
    void anEarlyEndIsReadAgainBehindTheClocksProof();
    void whatIsReportedDuringTheProofIsNotLost();
    void otherChangesNeedNoProof();
    void afterASlowAnswerTheEndOfALeaseIsDoubtful();
    void aReplicaProvesTheEndOfALease_data();
    void aReplicaProvesTheEndOfALease();
    void whatAReplicaReportsAfterTheEndIsItsMasters();
    void aReplicaWhoseMasterIsSilentProvesNothing();
    void endsInTheMiddleOfARead();

private:
    void make(const redis::ConnectionOptions& options);
    // Connects to a replica, up to the point where it watches.
    void beginAtReplica();
    void endLeaseAtReplica(const QByteArray& info);
    void answerRole(const QByteArray& info);
    // Connects, up to the first subscription on the connection for messages; flags: which events the server
    // publishes.
    void openResp2(const QByteArray& flags);
    FakeLink& beginResp2();
    void begin();
    void beginWithoutTracking(const QByteArray& flags, ObservationMode mode);
    // Loses the connection and reconnects, up to the read that follows.
    FakeLink& comeBack(const QByteArray& role = "master");
    FakeLink& link() { return m_server->link(0); }
    [[nodiscard]] QByteArrayList takeReads();
    // After a reconnect: answers the question for the number of keys. Returns the name that is read then.
    static QByteArray readAfterSize(FakeLink& link, const QByteArray& size = number(1));
    // For this time, answers each read and then reports changes of these keys. Returns the number of reads.
    int readsOf(Milliseconds time, const QByteArray& answer, const QByteArrayList& keys);
    void answerFirstRead(const QByteArray& reply = heldReply(alice));
    [[nodiscard]] const Read& last() const { return m_reads.back(); }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<ReadBudget> m_budget;
    Denials m_denials;
    std::unique_ptr<Observer> m_observer;
    std::vector<Read> m_reads;
    QByteArrayList m_unknownNames;
    QByteArrayList m_invalidated;
    QByteArrayList m_confirmed;
    int m_ended = 0;
    // Checks of the server's clock that wait for their answer.
    std::vector<Completion<bool>> m_clockChecks;
};

void TestObserver::init() {
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_budget = std::make_unique<ReadBudget>(*m_clock, 2000);
    m_denials = Denials();
    m_reads.clear();
    m_unknownNames.clear();
    m_invalidated.clear();
    m_confirmed.clear();
    m_ended = 0;
    m_clockChecks.clear();
    make({});
}

void TestObserver::make(const redis::ConnectionOptions& options) {
    m_observer = std::make_unique<Observer>(options, m_server->factory(), *m_clock, *m_budget, m_denials, 1s);
    connect(m_observer.get(), &Observer::lockRead, this, [this](const LockSnapshot& lock, const BetweenReads& between) {
        m_reads.push_back({lock, between});
    });
    connect(m_observer.get(), &Observer::unknownNameReported, this,
            [this](const LockName& name) { m_unknownNames << name.bytes(); });
    connect(m_observer.get(), &Observer::unknownNameInvalidated, this,
            [this](const LockName& name) { m_invalidated << name.bytes(); });
    connect(&m_observer->knownNames(), &NameReads::confirmed, this,
            [this](const LockSnapshot& lock) { m_confirmed << lock.name.bytes(); });
    connect(&m_observer->knownNames(), &NameReads::ended, this, [this] { ++m_ended; });
    m_observer->open();
}

void TestObserver::cleanup() {
    m_observer.reset();
    turnEventLoop();
    m_budget.reset();
    QVERIFY(!m_clock->hasTimers());
}

// Connects, up to the point where it watches; from here on locks may be added.
void TestObserver::begin() {
    m_server->acceptAll();
    QCOMPARE(link().takeCommand(), QByteArrayList({"CLIENT", "TRACKING", "ON"}));
    link().reply("+OK\r\n");
    QCOMPARE(link().takeCommand(), QByteArrayList({"PSUBSCRIBE", plainPattern}));
    link().reply(subscribedReply(plainPattern));
    QCOMPARE(link().takeCommand(), QByteArrayList({"PSUBSCRIBE", readWritePattern}));
    link().reply(subscribedReply(readWritePattern));
}

FakeLink& TestObserver::comeBack(const QByteArray& role) {
    link().lose();
    m_clock->advance(500ms);
    FakeLink& second = m_server->link(1);
    second.shakeHands(role);
    (void)second.takeCommands();
    second.reply("+OK\r\n");
    (void)second.takeCommands();
    second.reply(subscribedReply(plainPattern));
    (void)second.takeCommands();
    second.reply(subscribedReply(readWritePattern));
    return second;
}

// The names that are being read.
QByteArrayList TestObserver::takeReads() {
    QByteArrayList names;
    for (const QByteArrayList& command : link().takeCommands())
        names << (command.value(0) == "EVALSHA_RO" ? command.value(3) : command.value(0));
    std::sort(names.begin(), names.end());
    return names;
}

QByteArray TestObserver::readAfterSize(FakeLink& link, const QByteArray& size) {
    const QList<QByteArrayList> commands = link.takeCommands();
    if (commands.size() != 2 || commands.first() != QByteArrayList{"DBSIZE"})
        return "not DBSIZE and a read";
    link.reply(size);
    return commands.last().value(3);
}

void TestObserver::answerFirstRead(const QByteArray& reply) {
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(reply);
    m_clock->advance(10ms);
}

void TestObserver::tracksAndSubscribesOnOneConnection() {
    begin();
    QCOMPARE(m_observer->mode(), ObservationMode::Tracking);
    QCOMPARE(m_observer->limit(), ObservationLimit());
    QCOMPARE(m_server->linkCount(), size_t{1});
    QCOMPARE(takeReads(), QByteArrayList());
}

void TestObserver::anInvalidationIsAReasonToRead() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    QCOMPARE(last().between.touch, KeyTouch::NotKnown);
    link().reply(invalidation("L"));
    const SteadyTime touchedAt = m_clock->now();
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    m_clock->advance(1ms);
    link().reply(invalidation("L"));  // the first change counts
    m_clock->advance(1ms);
    link().reply(heldReply(alice, 2));
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(last().lock.holders.first().count, 2);
    QCOMPARE(last().between.touch, KeyTouch::Touched);
    QCOMPARE(last().between.touchedAt, touchedAt);
    QCOMPARE(last().between.reception, Reception::Complete);
}

// The holder's id has 36 bytes for each of 100,000 locks, and several parts of the program keep it.
void TestObserver::aHolderThatStaysIsKeptOnce() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    const auto idOfLast = [this] { return last().lock.holders.first().id.client().bytes().constData(); };
    const char* const first = idOfLast();
    for (const int count : {2, 2, 1}) {
        link().reply(invalidation("L"));
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().reply(heldReply(alice, count));
        QCOMPARE(last().lock.holders.first().count, count);
        QVERIFY(idOfLast() == first);
        m_clock->advance(100ms);
    }
}

void TestObserver::soIsAnInvalidatedHelperKey() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    for (const QByteArray& key : {"redisson_lock_queue:{L}", "redisson_lock_timeout:{L}", "redisson_lock_token:{L}"}) {
        m_clock->advance(100ms);
        link().reply(invalidation(key));
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().reply(heldReply(alice));
        QCOMPARE(last().between.touch, KeyTouch::Untouched);
    }
}

// The server only reports changes of keys that were read once. A full table of tracked keys also leads to such reports,
// and a read here would track three keys: the table would evict others, and so on without end. The helper keys of a
// lock are not written without its own key.
void TestObserver::aTouchedNameThatIsNotWatchedIsReportedAndNotRead() {
    begin();
    link().reply(invalidation("K") + invalidation("redisson_lock_queue:{M}") + invalidation("redisson_lock_token:{M}"));
    QCOMPARE(takeReads(), QByteArrayList());
    QCOMPARE(m_invalidated, QByteArrayList{"K"});
}

void TestObserver::knownNamesAreReadOnTheConnectionThatTracks() {
    begin();
    m_observer->knownNames().readAll({LockName("K"), LockName("M"), LockName("session:1")});
    QCOMPARE(takeReads(), QByteArrayList({"K", "M", "session:1"}));
    QCOMPARE(m_ended, 0);
    link().reply(heldReply(alice) + freeReply() + bulk("names"));
    QCOMPARE(m_confirmed, QByteArrayList{"K"});
    QCOMPARE(m_ended, 1);
}

void TestObserver::whatWasConfirmedWhereItIsTrackedNeedsNoOtherRead() {
    begin();
    QVERIFY(m_observer->trackedBulk());
    link().reply(messageOn(channelOfL));  // the message was sent before the read
    m_observer->watch(held(0ms, alice), Confirmation::Tracked);
    QCOMPARE(takeReads(), QByteArrayList());
    m_clock->advance(10ms);
    link().reply(invalidation("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice, 2));
    QCOMPARE(m_reads.size(), size_t{1});
    QCOMPARE(last().between.touch, KeyTouch::Touched);
    QCOMPARE(last().between.messages, 0);
    QCOMPARE(last().between.reception, Reception::Complete);
}

void TestObserver::itIsReadWhenItsLeaseEnds() {
    begin();
    const BulkReader::Take take = [this](const LockName&, const LockReading& reading) {
        m_observer->watch(std::get<LockSnapshot>(reading), Confirmation::Tracked);
    };
    const auto read = start(m_observer->trackedBulk()->read({LockName("L")}, take, {}));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice, 1, 1000));
    QCOMPARE(**read, BulkReader::End::Whole);
    m_clock->advance(900ms);
    QCOMPARE(takeReads(), QByteArrayList());
    m_clock->advance(200ms);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
}

void TestObserver::withoutTrackingAConfirmedLockNeedsARead() {
    beginWithoutTracking(noPermission("config|get"), ObservationMode::Polling);
    QVERIFY(!m_observer->trackedBulk());
    m_observer->watch(held(0ms, alice), Confirmation::Tracked);  // read while tracking was still on
    QCOMPARE(takeReads(), QByteArrayList{"L"});
}

void TestObserver::oneReadAnswersAllThatCameBeforeIt() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    link().reply(invalidation("L") + invalidation("redisson_lock_queue:{L}") + messageOn(channelOfL));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QCOMPARE(takeReads(), QByteArrayList());
    QCOMPARE(last().between.messages, 1);
}

// A change made on another connection may be newer than an answer that is on its way.
void TestObserver::aRequestDuringAReadGetsAnother() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead(heldReply(alice));
    m_observer->readAgain(LockName("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    m_observer->readAgain(LockName("L"));
    QCOMPARE(takeReads(), QByteArrayList());
    link().reply(heldReply(alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QVERIFY(!last().lock.isHeld());
    QCOMPARE(takeReads(), QByteArrayList());
}

void TestObserver::theAnswerOfAReadKnowsTheMessagesBeforeIt() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    link().reply(invalidation("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    // Published before the read was executed, so it is on the wire before its answer; both arrive in the same packet.
    link().reply(messageOn(channelOfL) + messageOn(channelOfL + ':' + bob.bytes()) + freeReply() +
                 messageOn(channelOfL));
    QCOMPARE(m_reads.at(1).between.messages, 2);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QCOMPARE(m_reads.at(2).between.messages, 1);
    QCOMPARE(m_reads.at(2).between.releasesReceived, quint64{3});
    QCOMPARE(m_reads.at(2).between.touch, KeyTouch::Untouched);
}

void TestObserver::anIdleLockIsLeftAloneUntilItsLeaseEnds() {
    begin();
    m_observer->watch(held(0ms, alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice, 1, 10000));
    m_clock->advance(10000ms);
    QCOMPARE(takeReads(), QByteArrayList());
    m_clock->advance(1ms);  // PTTL is rounded down to a whole millisecond
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    m_clock->advance(10s);
    QCOMPARE(takeReads(), QByteArrayList());
}

void TestObserver::aLockWithoutExpiryIsLeftAloneForEver() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead(heldReply(alice, 1, -1));
    m_clock->advance(10s);
    QCOMPARE(takeReads(), QByteArrayList());
}

void TestObserver::aHotLockIsReadAgainLaterAndNotLost() {
    begin();
    m_observer->watch(held(0ms, alice));
    int reads = 0;
    std::deque<SteadyTime> times;
    for (int changes = 0; changes < 3000; ++changes) {
        for (const QByteArray& name : takeReads()) {
            QCOMPARE(name, QByteArray("L"));
            ++reads;
            times.push_back(m_clock->now());
            while (times.front() + 1s <= m_clock->now())
                times.pop_front();
            QVERIFY(times.size() <= 19);
            link().reply(heldReply(alice, changes + 1, -1));
        }
        link().reply(invalidation("L"));
        m_clock->advance(1ms);
    }
    QVERIFY2(reads >= 3 * 15, qPrintable(QString::number(reads)));
    // The last change is still read, but late.
    m_clock->advance(100ms);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(bob, 1, -1));
    QCOMPARE(last().lock.holders.first().id, bob);
    m_clock->advance(1s);
    QCOMPARE(takeReads(), QByteArrayList());
}

void TestObserver::aFlushTouchesEveryLock() {
    begin();
    m_observer->watch(held(0ms, alice));
    m_observer->watch(snapshot(0ms, LockKind::Reentrant, {exclusive(bob)}, 30000ms, "M"));
    QCOMPARE(takeReads(), QByteArrayList({"L", "M"}));
    link().reply(heldReply(alice) + heldReply(bob));
    link().reply(">2\r\n" + bulk("invalidate") + "_\r\n");
    QCOMPARE(takeReads(), QByteArrayList({"L", "M"}));
    link().reply(freeReply() + freeReply());
    QCOMPARE(last().between.touch, KeyTouch::Touched);
}

// `L` and `{L}` share their channels.
void TestObserver::aMessageIsAboutEveryLockOfItsChannel() {
    begin();
    m_observer->watch(held(0ms, alice));
    m_observer->watch(snapshot(0ms, LockKind::Reentrant, {exclusive(bob)}, 30000ms, "{L}"));
    QCOMPARE(takeReads(), QByteArrayList({"L", "{L}"}));
    link().reply(heldReply(alice) + heldReply(bob));
    m_clock->advance(100ms);
    link().reply(messageOn(channelOfL));
    QCOMPARE(takeReads(), QByteArrayList({"L", "{L}"}));
    link().reply(freeReply() + heldReply(bob));
    m_observer->forget(LockName("L"));
    m_clock->advance(100ms);
    link().reply(messageOn(channelOfL));
    QCOMPARE(takeReads(), QByteArrayList{"{L}"});
    QCOMPARE(m_unknownNames, QByteArrayList());
}

void TestObserver::theFirstMessageOfAnUnknownNameIsReported() {
    begin();
    link().reply(messageOn("redisson_lock__channel:{new}") + messageOn("redisson_lock__channel:{new}") +
                 messageOn("news"));
    QCOMPARE(m_unknownNames, QByteArrayList{"new"});
    // A busy channel of a name that is not a lock must not cause a read for each message.
    m_observer->dismissUnknownName(LockName("new"));
    m_clock->advance(999ms);
    link().reply(messageOn("redisson_lock__channel:{new}"));
    QCOMPARE(m_unknownNames, QByteArrayList{"new"});
    m_clock->advance(1ms);
    link().reply(pushOf({"pmessage", readWritePattern, "redisson_rwlock:{new}", "1"}));
    QCOMPARE(m_unknownNames, QByteArrayList({"new", "new"}));
    QCOMPARE(takeReads(), QByteArrayList());
}

void TestObserver::earlierMessagesExplainAChangeAndProveNone_data() {
    QTest::addColumn<QByteArray>("next");
    QTest::addColumn<int>("messages");
    // The read that confirmed the lock may have shown the releases already.
    QTest::newRow("the same holder") << heldReply(alice) << 0;
    QTest::newRow("the same holder once more") << heldReply(alice, 2) << 0;
    QTest::newRow("another holder") << heldReply(bob) << 2;
    QTest::newRow("free") << freeReply() << 2;
}
void TestObserver::earlierMessagesExplainAChangeAndProveNone() {
    QFETCH(const QByteArray, next);
    QFETCH(const int, messages);
    begin();
    link().reply(messageOn(channelOfL) + messageOn(channelOfL));
    QCOMPARE(m_observer->unknownNameMessages(LockName("L")), 2);
    m_observer->watch(held(0ms, alice));
    QCOMPARE(m_observer->unknownNameMessages(LockName("L")), 0);
    answerFirstRead(next);
    QCOMPARE(last().between.messages, messages);
    QCOMPARE(last().between.releasesReceived, quint64{2});
}

// The lock was read free, and it still is, so the message is of a hold in between.
void TestObserver::anEarlierMessageTellsThatAFreeLockWasReleased() {
    begin();
    link().reply(messageOn(channelOfL));
    m_observer->watch(test::free(0ms));
    answerFirstRead(freeReply());
    QCOMPARE(last().between.messages, 1);
}

int TestObserver::readsOf(Milliseconds time, const QByteArray& answer, const QByteArrayList& keys) {
    int reads = 0;
    for (const SteadyTime end = m_clock->now() + time; m_clock->now() < end; m_clock->advance(10ms)) {
        for (const QByteArray& command : takeReads()) {
            if (command == "PING") {
                link().reply("+PONG\r\n");
                continue;
            }
            ++reads;
            link().reply(answer);
            for (const QByteArray& key : keys)
                link().reply(invalidation(key));
        }
    }
    return reads;
}

void TestObserver::evictionsOfTheSameLockLeadToFewReads_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArrayList>("keys");
    const QByteArray queue = "redisson_lock_queue:{L}";
    const QByteArray token = "redisson_lock_token:{L}";
    const QByteArray fenced = heldReply(alice, 1, -1).replace("*0\r\n_\r\n_", "*0\r\n$1\r\n7\r\n_");
    const QByteArray queued =
        heldReply(alice, 1, -1).replace(":-1\r\n*0\r\n:0", ":-1\r\n" + list({bob.bytes()}) + ":1");
    QTest::newRow("held") << heldReply(alice, 1, -1) << QByteArrayList{"L", queue, token};
    QTest::newRow("held, another key first") << heldReply(alice, 1, -1) << QByteArrayList{token, "L", queue};
    QTest::newRow("free") << freeReply() << QByteArrayList{"L", queue, token};
    QTest::newRow("fenced") << fenced << QByteArrayList{"L", queue, token};
    QTest::newRow("fenced, its own key alone") << fenced << QByteArrayList{"L"};
    QTest::newRow("fair, with a queue") << queued << QByteArrayList{queue, "L", token};
}
void TestObserver::evictionsOfTheSameLockLeadToFewReads() {
    QFETCH(const QByteArray, answer);
    QFETCH(const QByteArrayList, keys);
    begin();
    m_observer->watch(held(0ms, alice));
    const int atFirst = readsOf(30s, answer, keys);
    QVERIFY2(atFirst >= 5 && atFirst <= 20, qPrintable(QString::number(atFirst)));
    QVERIFY(m_observer->isTableTooSmall());
    const int later = readsOf(100s, answer, keys);
    QVERIFY2(later >= 9 && later <= 11, qPrintable(QString::number(later)));
}

// A spin lock sends no message. If it is held for a moment again and again, reads find it free.
void TestObserver::whatMayBeAHoldBetweenTwoReadsIsReadAtOnce_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("free") << freeReply();
    QTest::newRow("held") << heldReply(alice, 1, -1);
}
void TestObserver::whatMayBeAHoldBetweenTwoReadsIsReadAtOnce() {
    QFETCH(const QByteArray, answer);
    begin();
    m_observer->watch(held(0ms, alice));
    const int reads = readsOf(10s, answer, {"L"});
    QVERIFY2(reads >= 10 * 15, qPrintable(QString::number(reads)));
    QVERIFY(!m_observer->isTableTooSmall());
}

void TestObserver::aChangeEndsTheRestAfterEvictions_data() {
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<bool>("atOnce");
    QTest::newRow("its key was written") << invalidation("L") << false;
    QTest::newRow("a message") << messageOn(channelOfL) << true;
    QTest::newRow("a flush") << ">2\r\n" + bulk("invalidate") + "_\r\n" << true;
}
void TestObserver::aChangeEndsTheRestAfterEvictions() {
    QFETCH(const QByteArray, reason);
    QFETCH(const bool, atOnce);
    begin();
    m_observer->watch(held(0ms, alice));
    (void)readsOf(60s, heldReply(alice, 1, -1), {"L", "redisson_lock_queue:{L}", "redisson_lock_token:{L}"});
    (void)readsOf(11s, heldReply(alice, 1, -1), {});  // there is room in the table again
    m_observer->readAgain(LockName("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice, 1, -1));
    m_clock->advance(1s);
    link().reply(reason);
    if (!atOnce) {
        QCOMPARE(takeReads(), QByteArrayList());
        m_clock->advance(9s);
    }
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(bob, 1, -1));
    QCOMPARE(last().lock.holders.first().id, bob);
    // From now on a report is read at once again.
    m_clock->advance(1s);
    link().reply(invalidation("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
}

void TestObserver::whatIsForgottenIsReportedWhenItIsTouched() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    m_observer->forget(LockName("L"));
    link().reply(invalidation("L"));
    QCOMPARE(takeReads(), QByteArrayList());
    QCOMPARE(m_invalidated, QByteArrayList{"L"});
    QCOMPARE(m_reads.size(), size_t{1});
    m_clock->advance(60s);
    for (const QByteArrayList& command : link().takeCommands())
        QCOMPARE(command, QByteArrayList{"PING"});
}

void TestObserver::afterALossEveryLockIsReadAgainWithItsGap() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    m_clock->advance(2s);
    FakeLink& second = comeBack();
    QCOMPARE(readAfterSize(second), QByteArray("L"));
    m_clock->advance(5ms);
    second.reply(messageOn(channelOfL) + heldReply(alice));
    // The last bytes arrived 10 ms and 2 s before the loss.
    QCOMPARE(last().between.gap, Milliseconds(10 + 2000 + 500 + 5));
    QCOMPARE(last().between.messages, 0);
    QCOMPARE(last().between.releasesReceived, quint64{1});

    second.reply(invalidation("L"));
    (void)second.takeCommands();
    second.reply(heldReply(alice));
    QCOMPARE(last().between.gap, Milliseconds(0));
}

void TestObserver::aServerThatComesBackEmptyIsReportedBeforeTheReads_data() {
    QTest::addColumn<QByteArray>("size");
    QTest::addColumn<int>("reports");
    QTest::newRow("no key") << number(0) << 1;
    QTest::newRow("a key") << number(1) << 0;
    QTest::newRow("refused") << QByteArray("-NOPERM this user has no permissions to run the 'dbsize' command\r\n") << 0;
}
void TestObserver::aServerThatComesBackEmptyIsReportedBeforeTheReads() {
    QFETCH(const QByteArray, size);
    int reports = 0;
    connect(m_observer.get(), &Observer::cameBackEmpty, this, [&reports] { ++reports; });
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    const size_t reads = m_reads.size();
    FakeLink& second = comeBack();
    QCOMPARE(readAfterSize(second, size), QByteArray("L"));
    QTEST(reports, "reports");
    QCOMPARE(m_reads.size(), reads);
}

void TestObserver::aGapBeginsWithTheFirstChangeThatWasNotRead() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    m_clock->advance(2s);
    link().reply(invalidation("L"));
    m_clock->advance(700ms);
    link().reply(messageOn("redisson_lock__channel:{other}"));  // bytes of another lock come later
    FakeLink& second = comeBack();
    QCOMPARE(readAfterSize(second), QByteArray("L"));
    second.reply(heldReply(alice));
    QCOMPARE(last().between.gap, Milliseconds(700 + 500));
}

void TestObserver::aGapSaysWhetherTheServerHasAnotherRoleSince_data() {
    QTest::addColumn<QByteArray>("role");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("the same") << QByteArray("master") << QByteArray();
    QTest::newRow("another") << QByteArray("replica") << QByteArray("replica");
}

void TestObserver::aGapSaysWhetherTheServerHasAnotherRoleSince() {
    QFETCH(const QByteArray, role);
    QFETCH(const QByteArray, told);
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    FakeLink& second = comeBack(role);
    QCOMPARE(readAfterSize(second), QByteArray("L"));
    second.reply(heldReply(bob));
    QVERIFY(last().between.gap > 0ms);
    QCOMPARE(last().between.newServerRole.value_or(QByteArray()), told);
    second.reply(invalidation("L"));
    (void)second.takeCommands();
    second.reply(heldReply(bob));
    QVERIFY(!last().between.newServerRole);
}

void TestObserver::aReadOfAnEarlierSessionIsIgnored() {
    begin();
    m_observer->watch(held(0ms, alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().lose();
    QCOMPARE(m_reads.size(), size_t{0});
}

void TestObserver::aFailedReadIsTriedAgain() {
    begin();
    m_observer->watch(held(0ms, alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply("-BUSY Redis is busy running a script\r\n");
    QCOMPARE(m_reads.size(), size_t{0});
    m_clock->advance(2s);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    QCOMPARE(m_reads.size(), size_t{1});
}

void TestObserver::withoutMessagesItsReceptionIsIncomplete() {
    m_server->acceptAll();
    (void)link().takeCommand();
    link().reply("+OK\r\n");
    (void)link().takeCommand();
    link().reply("-NOPERM this user has no permissions to access one of the channels used as arguments\r\n");
    (void)link().takeCommand();
    link().reply(subscribedReply(readWritePattern));
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    QCOMPARE(last().between.reception, Reception::Incomplete);
    m_observer->watch(snapshot(0ms, LockKind::ReadWrite, {reader(bob)}, 30000ms, "W"));
    QCOMPARE(takeReads(), QByteArrayList{"W"});
    link().reply(freeReply());
    QCOMPARE(last().between.reception, Reception::Complete);
    QCOMPARE(denialLines(m_denials.list()).size(), 1);
    QCOMPARE(m_observer->mode(), ObservationMode::Tracking);
}

void TestObserver::beginWithoutTracking(const QByteArray& flags, ObservationMode mode) {
    m_server->acceptAll();
    (void)link().takeCommand();
    link().reply(noPermission("client|tracking"));
    (void)link().takeCommand();
    link().reply(subscribedReply(plainPattern));
    (void)link().takeCommand();
    link().reply(subscribedReply(readWritePattern));
    QCOMPARE(link().takeCommand(), QByteArrayList({"CONFIG", "GET", "notify-keyspace-events"}));
    link().reply(flags);
    QCOMPARE(m_observer->mode(), mode);
    QVERIFY(m_observer->limit().kind != ObservationLimit::Kind::None);
}

void TestObserver::pollsWhereTrackingIsDenied() {
    beginWithoutTracking(noPermission("config|get"), ObservationMode::Polling);
    QCOMPARE(denialLines(m_denials.list()).size(), 2);
    m_observer->watch(held(0ms, alice));
    answerFirstRead(heldReply(alice, 1, -1));
    for (int second = 0; second < 3; ++second) {
        m_clock->advance(1s);
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().reply(heldReply(alice, 1, -1));
        QCOMPARE(last().between.touch, KeyTouch::NotKnown);
        QCOMPARE(last().between.reception, Reception::Complete);
    }
}

void TestObserver::receivesKeyspaceEventsWhereTrackingIsDenied() {
    beginWithoutTracking(notifyFlags("Khgx"), ObservationMode::KeyspaceEvents);
    m_observer->watch(held(0ms, alice));
    const QList<QByteArrayList> commands = link().takeCommands();
    QCOMPARE(commands.first(), QByteArrayList({"SUBSCRIBE", "__keyspace@0__:L"}));
    QCOMPARE(commands.last().value(3), QByteArray("L"));
    link().reply(pushOf({"subscribe", "__keyspace@0__:L"}) + heldReply(alice, 1, -1));
    link().reply(pushOf({"message", "__keyspace@0__:L", "hincrby"}) + pushOf({"message", "__keyspace@0__:M", "del"}));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice, 2, -1));
    QCOMPARE(last().between.touch, KeyTouch::Touched);
    // A flush is not published.
    m_clock->advance(9999ms);
    QCOMPARE(takeReads(), QByteArrayList());
    m_clock->advance(1ms);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    m_observer->forget(LockName("L"));
    QCOMPARE(link().takeCommand(), QByteArrayList({"UNSUBSCRIBE", "__keyspace@0__:L"}));
    link().reply(pushOf({"unsubscribe", "__keyspace@0__:L"}));
}

// Current servers report a key that a command finds expired only after the answer to that command, so the read must not
// be what expires it.
void TestObserver::byKeyspaceEventsALeaseEndIsReportedBeforeTheRead() {
    beginWithoutTracking(notifyFlags("Khgx"), ObservationMode::KeyspaceEvents);
    m_observer->watch(held(0ms, alice));
    (void)link().takeCommands();
    link().reply(pushOf({"subscribe", "__keyspace@0__:L"}) + heldReply(alice, 1, 5000));
    m_clock->advance(5001ms);
    const QList<QByteArrayList> commands = link().takeCommands();
    QCOMPARE(commands.size(), 2);
    QCOMPARE(commands.first(), QByteArrayList({"PTTL", "L"}));
    QCOMPARE(commands.last().value(3), QByteArray("L"));
    link().reply(":-2\r\n" + pushOf({"message", "__keyspace@0__:L", "expired"}) + freeReply());
    QCOMPARE(last().between.touch, KeyTouch::Touched);
    QCOMPARE(last().between.touchedAt, last().lock.seenAt);
}

void TestObserver::pollsWhereKeyspaceEventsAreRefused() {
    beginWithoutTracking(notifyFlags("Khgx"), ObservationMode::KeyspaceEvents);
    m_observer->watch(held(0ms, alice));
    (void)link().takeCommands();
    link().reply("-NOPERM this user has no permissions to access one of the channels used as arguments\r\n" +
                 heldReply(alice, 1, -1));
    QCOMPARE(m_observer->mode(), ObservationMode::Polling);
    m_clock->advance(1s);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice, 1, -1));
    QVERIFY(!denialLines(m_denials.list()).filter("SUBSCRIBE __keyspace@0__:*: ").isEmpty());
}

// Invalidations contain no database number: only a read can distinguish the same name in another database.
void TestObserver::inAnotherDatabaseNothingIsClaimed() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead(heldReply(alice, 1, 20000));
    const LockSnapshot before = last().lock;
    m_clock->advance(100ms);
    link().reply(invalidation("L") + messageOn(channelOfL));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice, 1, 20000 - 110));
    QCOMPARE(compareSnapshots(before, last().lock, last().between).events.size(), size_t{0});
}

void TestObserver::openResp2(const QByteArray& flags) {
    const QByteArray noHello = "-ERR unknown command 'HELLO'\r\n";
    const auto shakeHands = [&](FakeLink& fake) {
        fake.transport()->becomeOpen();
        (void)fake.takeCommands();
        fake.reply(noHello);
        (void)fake.takeCommands();
        fake.reply("+PONG\r\n");
        (void)fake.takeCommands();
        fake.reply(bulk("redis_version:5.0.14\r\n"));
        (void)fake.takeCommands();
        fake.reply("+OK\r\n");
        return fake.takeCommands();
    };
    QCOMPARE(shakeHands(link()).last(), QByteArrayList({"CONFIG", "GET", "notify-keyspace-events"}));
    const bool areOn = flags.contains('K');
    link().reply("*2\r\n" + bulk("notify-keyspace-events") + bulk(flags));
    QCOMPARE(m_observer->mode(), areOn ? ObservationMode::KeyspaceEvents : ObservationMode::Polling);
    QCOMPARE(m_server->linkCount(), size_t{2});
    const QList<QByteArrayList> first = shakeHands(m_server->link(1));
    QVERIFY(first.contains(QByteArrayList({"PSUBSCRIBE", plainPattern})));
}

void TestObserver::overResp2MessagesHaveAConnectionOfTheirOwn() {
    openResp2("");
}

FakeLink& TestObserver::beginResp2() {
    openResp2("");
    FakeLink& messages = m_server->link(1);
    const auto confirmation = [](const QByteArray& pattern) {
        return "*3\r\n" + bulk("psubscribe") + bulk(pattern) + number(1);
    };
    messages.reply(confirmation(plainPattern));
    (void)messages.takeCommands();
    messages.reply(confirmation(readWritePattern));
    m_clock->advance(1ms);
    return messages;
}

// The answer was produced before the release, but arrives after its message.
void TestObserver::overResp2AMessageMayComeBeforeTheLookThatShowsIt() {
    FakeLink& messages = beginResp2();
    m_observer->watch(held(0ms, alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    m_clock->advance(1s);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    messages.reply("*4\r\n" + bulk("pmessage") + bulk(plainPattern) + bulk(channelOfL) + bulk("0"));
    link().reply(heldReply(alice, 1, 29000));
    QCOMPARE(last().between.messages, 0);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QCOMPARE(messages.takeCommand(), QByteArrayList{"PING"});
    messages.reply("*2\r\n" + bulk("pong") + bulk(""));
    QCOMPARE(last().between.messages, 1);
}

// Events may arrive before or after a read: each is a reason to read once more, and allows no conclusion.
void TestObserver::overResp2KeyspaceEventsComeWithTheMessages() {
    openResp2("Khgx");
    FakeLink& messages = m_server->link(1);
    m_observer->watch(held(0ms, alice));
    const auto confirmation = [](const QByteArray& kind, const QByteArray& channel, int count) {
        return "*3\r\n" + bulk(kind) + bulk(channel) + number(count);
    };
    const auto event = "*3\r\n" + bulk("message") + bulk("__keyspace@0__:L") + bulk("hincrby");
    QCOMPARE(messages.takeCommand(), QByteArrayList({"SUBSCRIBE", "__keyspace@0__:L"}));
    messages.reply(confirmation("psubscribe", plainPattern, 1) + confirmation("subscribe", "__keyspace@0__:L", 2));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    messages.reply(event);  // before the answer, and perhaps later than the change that it reports
    link().reply(heldReply(alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    QCOMPARE(last().between.touch, KeyTouch::NotKnown);
    QCOMPARE(takeReads(), QByteArrayList());
    m_clock->advance(1s);
    QCOMPARE(takeReads(), QByteArrayList());  // the lock is only polled every ten seconds
    messages.reply(event);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
}

void TestObserver::whatMayNoLongerBeReadIsNotSaidToBeGone_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("lost");
    QTest::newRow("more holders than are read") << bulk("fields") << true;
    QTest::newRow("another type") << bulk("type") << false;
    QTest::newRow("other fields") << bulk("names") << false;
}
void TestObserver::whatMayNoLongerBeReadIsNotSaidToBeGone() {
    QFETCH(const QByteArray, answer);
    QFETCH(const bool, lost);
    QByteArrayList lostSight;
    connect(m_observer.get(), &Observer::lostSightOf, this,
            [&lostSight](const LockName& name) { lostSight << name.bytes(); });
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    link().reply(invalidation("L"));
    const size_t reads = m_reads.size();
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(answer);
    QCOMPARE(lostSight, lost ? QByteArrayList{"L"} : QByteArrayList());
    QCOMPARE(m_reads.size(), lost ? reads : reads + 1);
    m_clock->advance(60s);
    QCOMPARE(takeReads(), QByteArrayList());  // in both cases nothing more expires
}

void TestObserver::whatIsAddedWhileNobodyWatchesHasAGap() {
    m_observer->watch(held(0ms, alice));
    begin();
    QCOMPARE(readAfterSize(link()), QByteArray("L"));
    link().reply(heldReply(alice));
    QVERIFY(last().between.gap > 0ms);
}

void TestObserver::overResp2AChangeWaitsForTheMessagesBeforeIt() {
    FakeLink& messages = beginResp2();
    m_observer->watch(held(0ms, alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(alice));
    QCOMPARE(messages.takeCommands().size(), 0);  // nothing has changed, so no explanation is needed
    m_clock->advance(1s);
    const size_t reads = m_reads.size();
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QCOMPARE(m_reads.size(), reads);  // not yet: the message may still be on its way
    QCOMPARE(messages.takeCommand(), QByteArrayList{"PING"});
    messages.reply("*4\r\n" + bulk("pmessage") + bulk(plainPattern) + bulk(channelOfL) + bulk("0") + "*2\r\n" +
                   bulk("pong") + bulk(""));
    QCOMPARE(m_reads.size(), reads + 1);
    QCOMPARE(last().between.messages, 1);
    QCOMPARE(last().between.reception, Reception::Complete);
}

// ---- how a hold has ended, where only time explains it ----

void TestObserver::anEarlyEndIsReadAgainBehindTheClocksProof_data() {
    QTest::addColumn<bool>("keptPace");
    QTest::addColumn<bool>("isHandedOver");
    for (const bool keptPace : {true, false}) {
        for (const bool isHandedOver : {true, false})
            QTest::addRow("%s, %s", keptPace ? "it kept pace" : "it jumped", isHandedOver ? "handed over" : "gone")
                << keptPace << isHandedOver;
    }
}

void TestObserver::anEarlyEndIsReadAgainBehindTheClocksProof() {
    QFETCH(const bool, keptPace);
    QFETCH(const bool, isHandedOver);
    SteadyTime since;
    m_observer->checkClockBy([this, &since](SteadyTime from, SteadyTime) {
        since = from;
        return m_clockChecks.emplace_back();
    });
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    const SteadyTime lastRead = last().lock.seenAt;
    link().reply(invalidation("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    const QByteArray reply = isHandedOver ? heldReply(bob) : freeReply();
    link().reply(reply);
    QCOMPARE(m_reads.size(), size_t{1});
    QCOMPARE(m_clockChecks.size(), size_t{1});
    QCOMPARE(since, lastRead);
    m_clockChecks.front().complete(keptPace);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(reply);
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(last().between.countdown, keptPace ? Countdown::Even : Countdown::Doubtful);
    QCOMPARE(last().between.touch, KeyTouch::Touched);
    QCOMPARE(takeReads(), QByteArrayList());
}

void TestObserver::whatIsReportedDuringTheProofIsNotLost() {
    m_observer->checkClockBy([this](SteadyTime, SteadyTime) { return m_clockChecks.emplace_back(); });
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    link().reply(invalidation("L"));
    (void)takeReads();
    link().reply(freeReply());
    link().reply(messageOn(channelOfL) + invalidation("L"));
    m_clockChecks.front().complete(true);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(bob));
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(last().lock.holders.first().id, bob);
    QCOMPARE(last().between.messages, 1);
}

void TestObserver::otherChangesNeedNoProof() {
    m_observer->checkClockBy([this](SteadyTime, SteadyTime) { return m_clockChecks.emplace_back(); });
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead();
    link().reply(invalidation("L"));
    (void)takeReads();
    link().reply(heldReply(alice, 2));  // reentered
    m_clock->advance(100ms);
    link().reply(messageOn(channelOfL) + invalidation("L"));
    (void)takeReads();
    link().reply(freeReply());  // released
    m_clock->advance(100ms);
    link().reply(invalidation("L"));
    (void)takeReads();
    link().reply(heldReply(bob, 1, 1000));  // acquired
    m_clock->advance(1100ms);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());  // expired
    QCOMPARE(m_reads.size(), size_t{5});
    QCOMPARE(m_clockChecks.size(), size_t{0});
}

void TestObserver::afterASlowAnswerTheEndOfALeaseIsDoubtful() {
    begin();
    m_observer->watch(held(0ms, alice));
    answerFirstRead(heldReply(alice, 1, 1000));
    m_clock->advance(1100ms);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    m_clock->advance(3s);  // the server stands still
    link().reply(freeReply());
    QCOMPARE(last().between.countdown, Countdown::Doubtful);
    link().reply(invalidation("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(heldReply(bob));
    QCOMPARE(last().between.countdown, Countdown::Even);
}

void TestObserver::beginAtReplica() {
    m_observer.reset();
    m_server = std::make_unique<FakeServer>();
    redis::ConnectionOptions options;
    options.role = redis::WantedRole::Known;
    make(options);
    link().shakeHands("replica",
                      {{"ROLE", "*5\r\n$5\r\nslave\r\n" + bulk("db") + ":6379\r\n" + bulk("connected") + ":42\r\n"}});
    begin();
}

void TestObserver::aReplicaProvesTheEndOfALease_data() {
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<bool>("isUsed");
    QTest::addColumn<bool>("isEven");
    QTest::newRow("its master was heard of after it") << replicaInfo("up", 0) << true << true;
    QTest::newRow("it has lost its master") << replicaInfo("down", -1) << false << false;
    QTest::newRow("it does not say") << noPermission("info") << true << false;
}

// Each second the connection asks for the role, too.
void TestObserver::aReplicaProvesTheEndOfALease() {
    QFETCH(const QByteArray, info);
    QFETCH(const bool, isUsed);
    QFETCH(const bool, isEven);
    beginAtReplica();
    endLeaseAtReplica(info);
    QCOMPARE(m_observer->connection().isReady(), isUsed);
    QCOMPARE(m_reads.size(), size_t{1});
    if (!isUsed)
        return;
    if (isEven) {  // not yet, because the silence is rounded down
        m_clock->advance(500ms);
        answerRole(info);
        m_clock->advance(600ms);
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().reply(freeReply());
        answerRole(info);
    }
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(last().between.countdown, isEven ? Countdown::Even : Countdown::Doubtful);
}

void TestObserver::whatAReplicaReportsAfterTheEndIsItsMasters() {
    beginAtReplica();
    endLeaseAtReplica(replicaInfo("up", 5));
    QCOMPARE(takeReads(), QByteArrayList());
    m_clock->advance(100ms);
    link().reply(invalidation("L"));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    answerRole(replicaInfo("up", 0));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    QCOMPARE(m_reads.size(), size_t{2});
    QCOMPARE(last().between.countdown, Countdown::Even);
}

// A link that is cut without a word counts as "up" for a minute.
void TestObserver::aReplicaWhoseMasterIsSilentProvesNothing() {
    beginAtReplica();
    endLeaseAtReplica(replicaInfo("up", 1));
    int seconds = 1;
    while (m_reads.size() < 2 && seconds < 20) {
        m_clock->advance(1s);
        ++seconds;
        for (QList<QByteArrayList> commands = link().takeCommands(); !commands.isEmpty();
             commands = link().takeCommands()) {
            for (const QByteArrayList& command : commands)
                link().reply(command.first() == "INFO" ? replicaInfo("up", seconds) : freeReply());
        }
    }
    QCOMPARE(last().between.countdown, Countdown::Doubtful);
    QVERIFY2(seconds >= 12 && seconds < 20, "a master without changes speaks every 10 s");
}

// A lease that ends at a replica, up to the answer to the question for its role behind the read.
void TestObserver::endLeaseAtReplica(const QByteArray& info) {
    m_observer->watch(held(0ms, alice));
    answerFirstRead(heldReply(alice, 1, 1500));
    m_clock->advance(1s);
    answerRole(replicaInfo("up", 0));
    m_clock->advance(600ms);
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    link().reply(freeReply());
    answerRole(info);
}

void TestObserver::answerRole(const QByteArray& info) {
    QCOMPARE(takeReads(), QByteArrayList{"INFO"});
    link().reply(info);
}

void TestObserver::endsInTheMiddleOfARead() {
    begin();
    m_observer->watch(held(0ms, alice));
    QCOMPARE(takeReads(), QByteArrayList{"L"});
    m_observer.reset();
    QCOMPARE(m_reads.size(), size_t{0});
}

LOCKKEEPER_TEST(TestObserver, Guiless)

}  // namespace tst_observer

#include "tst_observer.moc"
