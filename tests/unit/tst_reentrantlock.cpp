#include "locks/lockkeys.h"
#include "locks/kinds/reentrantlock.h"
#include "support/fakeserver.h"
#include "support/lockscripts.h"
#include "support/manualclock.h"
#include "support/taskwait.h"

#include <QSignalSpy>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const QByteArray uuid = "5f0a3c8e-0000-4000-8000-000000000001";
const QByteArray channel = "redisson_lock__channel:{L}";
const QByteArray taken = "_\r\n";
const ThreadId owner{7};

// A script's command in words: "acquire 30000 by 7"; any other command as it is.
QString wordsOf(const QByteArrayList& command) {
    static const QHash<QByteArray, QString> names = [] {
        QHash<QByteArray, QString> known;
        for (const QString& name :
             {QStringLiteral("reentrant_acquire"), QStringLiteral("reentrant_release"),
              QStringLiteral("reentrant_settle"), QStringLiteral("reentrant_force"), QStringLiteral("renew")}) {
            const redis::Script script = test::lockScript(name);
            const QString word = name.section(u'_', -1);
            known.insert(script.sha(), word);
            known.insert(script.source(), word + QStringLiteral(" (EVAL)"));
        }
        return known;
    }();
    if (!names.contains(command.value(1)))
        return QString::fromUtf8(command.join(' '));
    const qsizetype keys = command[2].toInt();
    QStringList words{names[command[1]]};
    for (const QByteArray& argument : command.mid(3 + keys))
        words += argument.startsWith(uuid) ? QStringLiteral("by ") + QString::fromUtf8(argument.mid(uuid.size() + 1))
                                           : QString::fromUtf8(argument);
    return words.join(u' ');
}

// Where a call is waiting when something happens to it.
enum class Stage {
    Connecting,    // for the connection to get ready
    FirstTry,      // for the answer to the first try
    Subscribing,   // for the confirmation of the subscription
    SecondTry,     // for the answer to the second try
    Asleep,        // for a message or the TTL
    Reconnecting,  // the second try's answer was lost with the connection
    Settling,      // for the answer to settling that
    Late           // the second try is not answered in time
};
const QList<std::pair<const char*, Stage>> allStages{
    {"connecting", Stage::Connecting}, {"first try", Stage::FirstTry}, {"subscribing", Stage::Subscribing},
    {"second try", Stage::SecondTry},  {"asleep", Stage::Asleep},      {"reconnecting", Stage::Reconnecting},
    {"settling", Stage::Settling},     {"late", Stage::Late}};

}  // namespace

Q_DECLARE_METATYPE(Stage)

class TestReentrantLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_stop = std::stop_source();
        LockClientOptions options;
        options.replicasToWaitFor = 0;  // an INFO more, which tst_replication is about
        options.id = ClientId(uuid);
        m_client = std::make_unique<LockClient>(redis::ConnectionOptions(), m_server->factory(), *m_clock, options);
        m_lost.clear();
        connect(m_client.get(), &LockClient::lockLost, this,
                [this](const HoldKey& key, const QString&) { m_lost += key.name.bytes(); });
    }
    void cleanup() {
        m_client.reset();
        test::turnEventLoop();
    }

    // ---- taking ----

    void takesAFreeLock() {
        open();
        const auto call = tryLock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE(held(), 1);
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void aLeaseIsSentAndNotRenewed() {
        open();
        const auto call = tryLock(std::nullopt, 700ms);
        QCOMPARE(sent(), QStringList{"acquire 700 by 7"});
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
        m_clock->advance(699ms);
        QCOMPARE(sent(), QStringList());
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
        QCOMPARE(m_lost, QByteArrayList{"L"});
    }

    void aLeaseThatMakesNoSenseIsRefused_data() {
        QTest::addColumn<qint64>("lease");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("negative") << qint64{-1} << false;
        QTest::newRow("nothing") << qint64{0} << false;
        QTest::newRow("the shortest") << qint64{1} << true;
        QTest::newRow("100 years") << qint64{1000} * 3600 * 24 * 365 * 100 << true;
        QTest::newRow("longer") << qint64{1000} * 3600 * 24 * 365 * 100 + 1 << false;
        QTest::newRow("for ever") << std::numeric_limits<qint64>::max() << false;
    }
    void aLeaseThatMakesNoSenseIsRefused() {
        QFETCH(qint64, lease);
        QFETCH(bool, accepted);
        open();
        const auto call = tryLock(std::nullopt, Milliseconds(lease));
        QCOMPARE(wordOf(call), accepted ? "running" : "InvalidArgument");
        QCOMPARE(sent().size(), accepted ? 1 : 0);
    }

    void aHeldLockIsTriedOnceAndToldHowLong_data() {
        QTest::addColumn<int>("pttl");
        QTest::newRow("some time") << 1234;
        QTest::newRow("about to go") << 0;
        QTest::newRow("does not expire") << -1;
    }
    void aHeldLockIsTriedOnceAndToldHowLong() {
        QFETCH(int, pttl);
        open();
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().reply(test::number(pttl));
        QCOMPARE((*call)->value().acquired(), false);
        QCOMPARE((*call)->value().remaining, pttl < 0 ? std::nullopt : std::optional(Milliseconds(pttl)));
        QCOMPARE(held(), 0);
        QCOMPARE(sent(), QStringList());
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void reentersByCounting() {
        open();
        take();
        take();
        QCOMPARE(held(), 2);
    }

    void anUnknownScriptIsSentWhole() {
        open();
        const auto call = tryLock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply("-NOSCRIPT No matching script. Please use EVAL.\r\n");
        QCOMPARE(sent(), QStringList{"acquire (EVAL) 30000 by 7"});
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
    }

    void aRefusalIsTold_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QString>("code");
        QTest::newRow("another type of key")
            << QByteArray("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n") << "ServerReply";
        QTest::newRow("not permitted") << QByteArray(
                                              "-NOPERM this user has no permissions to run the 'evalsha' command\r\n")
                                       << "NotPermitted";
        QTest::newRow("an answer of another type") << QByteArray("+what\r\n") << "Protocol";
    }
    void aRefusalIsTold() {
        QFETCH(QByteArray, reply);
        QFETCH(QString, code);
        open();
        const auto call = lock();
        QCOMPARE(sent().size(), 1);
        commands().reply(reply);
        QCOMPARE(wordOf(call), code);
        QCOMPARE(held(), 0);
    }

    void waitsForTheConnectionAsLongAsItMay() {
        m_client->open();
        const auto once = tryLock();
        const auto patient = tryLock(20s);
        const auto withoutEnd = lock();
        m_server->lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE(wordOf(once), "ConnectionLost");
        QVERIFY((*once)->error().text.startsWith(u"not connected"));
        QCOMPARE(wordOf(patient), "running");
        m_clock->advance(15s);
        QCOMPARE(wordOf(patient), "ConnectionLost");
        QCOMPARE(wordOf(withoutEnd), "running");
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    // ---- waiting ----

    void subscribesBeforeTheSecondTry() {
        open();
        const auto call = lock();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(test::number(5000));
        m_server->acceptAll();
        QCOMPARE(sentForWaiting(), QStringList{"SUBSCRIBE " + channel});
        QCOMPARE(sent(), QStringList());
        confirm();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
        QCOMPARE(sentForWaiting(), QStringList{"UNSUBSCRIBE " + channel});
    }

    void aMessageWakes_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("one") << QByteArray("0");
        QTest::newRow("all") << QByteArray("1");
    }
    void aMessageWakes() {
        QFETCH(QByteArray, message);
        const auto call = bring(Stage::Asleep);
        publish(message);
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
    }

    void aMessageThatComesDuringATryIsNotLost() {
        const auto call = bring(Stage::SecondTry);
        publish("0");
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
    }

    void messagesOfOthersDoNotWake() {
        bring(Stage::Asleep);
        waiting().reply(test::pushOf({"message", "redisson_lock__channel:{M}", "0"}));
        waiting().reply(test::pushOf({"pmessage", "*", channel, "0"}));
        QCOMPARE(sent(), QStringList());
    }

    void theTtlWakes() {
        bring(Stage::Asleep);  // told that 5000 ms were left
        m_clock->advance(4999ms);
        QCOMPARE(sent(), QStringList());
        m_clock->advance(1ms);
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    // Five minutes beside a lock that is renewed every 10 s, and so says 30 s each time it is asked: ten tries, no
    // more.
    void doesNotPoll() {
        bring(Stage::Asleep, 30000);
        qsizetype tries = 0;
        for (int second = 0; second < 300; ++second) {
            m_clock->advance(1s);
            for (const QString& command : sent()) {
                tries += command.startsWith(u"acquire") ? 1 : 0;
                commands().reply(command == u"PING" ? QByteArray("+PONG\r\n") : test::number(30000));
            }
            if (sentForWaiting().contains(u"PING"_qs))
                waiting().reply("+PONG\r\n");
        }
        QCOMPARE(tries, 10);
    }

    void aLockWithoutExpiryIsOnlyWaitedForByMessage() {
        bring(Stage::Asleep, -1);
        for (int minute = 0; minute < 60 * 6; ++minute) {
            m_clock->advance(10s);
            for (const QString& command : sent()) {
                QCOMPARE(command, "PING");
                commands().reply("+PONG\r\n");
            }
            if (sentForWaiting().contains(u"PING"_qs))
                waiting().reply("+PONG\r\n");
        }
        publish("0");
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void aTtlOfNothingIsNotAskedWithoutEnd() {
        bring(Stage::Asleep, 0);
        QCOMPARE(sent(), QStringList());
        m_clock->advance(1ms);
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void aDeadlineEndsTheSleep() {
        const auto call = bring(Stage::Asleep, 5000, 2s);
        m_clock->advance(2s);
        QCOMPARE(wordOf(call), "held by other");
        QCOMPARE((*call)->value().remaining, 5000ms);
        QCOMPARE(sentForWaiting(), QStringList{"UNSUBSCRIBE " + channel});
        QCOMPARE(sent(), QStringList());
    }

    void aSubscriptionThatIsNotPermittedIsTold() {
        const auto call = bring(Stage::Subscribing);
        waiting().reply("-NOPERM this user has no permissions to access one of the channels used as arguments\r\n");
        QCOMPARE(wordOf(call), "NotPermitted");
    }

    void aSubscriptionThatWasLostIsAReasonToLookAgain() {
        bring(Stage::Asleep);
        waiting().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sentForWaiting(), QStringList{"SUBSCRIBE " + channel});
        QCOMPARE(sent(), QStringList());
        confirm();
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void waitersOfOneClientShareASubscription() {
        bring(Stage::Asleep);
        const auto second = lock(ThreadId{8});
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        commands().reply(test::number(5000));
        QCOMPARE(sentForWaiting(), QStringList());
        publish("0");
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(test::number(5000));
        publish("1");
        QCOMPARE(sent(), (QStringList{"acquire 30000 by 7", "acquire 30000 by 8"}));
    }

    void theWakeUpOfACancelledWaiterIsPassedOn_data() {
        QTest::addColumn<bool>("duringTheTry");
        QTest::newRow("before it tries") << false;
        QTest::newRow("while it tries") << true;
    }
    void theWakeUpOfACancelledWaiterIsPassedOn() {
        QFETCH(bool, duringTheTry);
        bring(duringTheTry ? Stage::Asleep : Stage::SecondTry);
        const auto second = lock(ThreadId{8});
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        if (!duringTheTry)
            commands().reply(test::number(5000));  // the first one's second try
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 8"});
        commands().reply(test::number(5000));
        publish("0");
        if (duringTheTry)
            QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        m_stop.request_stop();
        QCOMPARE(sent().last(), "acquire 30000 by 8");
    }

    // ---- whatever happens, wherever it waits ----

    void aCallEndsSoonAfterItIsCancelled_data() { stages(); }
    void aCallEndsSoonAfterItIsCancelled() {
        QFETCH(Stage, stage);
        const auto call = bring(stage);
        QCOMPARE(wordOf(call), "running");
        m_stop.request_stop();
        QCOMPARE(wordOf(call), "Cancelled");
        QCOMPARE(held(), 0);
    }

    void aCallEndsWithItsClient_data() { stages(); }
    void aCallEndsWithItsClient() {
        QFETCH(Stage, stage);
        const auto call = bring(stage);
        m_client.reset();
        const bool mayBeTaken =
            QList{Stage::FirstTry, Stage::SecondTry, Stage::Reconnecting, Stage::Settling, Stage::Late}.contains(stage);
        QCOMPARE(wordOf(call), mayBeTaken ? "OutcomeUnknown" : "ConnectionLost");
        QVERIFY2(!m_clock->hasTimers(), "a timer outlives the client");
    }

    void aCallEndsWhenItsTimeIsOver_data() {
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<QString>("word");
        QTest::newRow("connecting") << Stage::Connecting << "ConnectionLost";
        QTest::newRow("first try") << Stage::FirstTry << "OutcomeUnknown";
        QTest::newRow("subscribing") << Stage::Subscribing << "held by other";
        QTest::newRow("second try") << Stage::SecondTry << "OutcomeUnknown";
        QTest::newRow("asleep") << Stage::Asleep << "held by other";
        QTest::newRow("reconnecting") << Stage::Reconnecting << "OutcomeUnknown";
        QTest::newRow("settling") << Stage::Settling << "OutcomeUnknown";
    }
    void aCallEndsWhenItsTimeIsOver() {
        QFETCH(Stage, stage);
        QFETCH(QString, word);
        const auto call = bring(stage, 60000, 1s);
        QCOMPARE(wordOf(call), "running");
        m_clock->advance(1s + m_client->options().commandTimeout);
        QCOMPARE(wordOf(call), word);
        QCOMPARE(held(), 0);
    }

    // The answer comes after the caller has left: a lock that nobody knows of would block the others for a whole lease.
    void whatWasTakenTooLateIsGivenBack_data() {
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("first try, cancelled") << Stage::FirstTry << true;
        QTest::newRow("second try, cancelled") << Stage::SecondTry << true;
        QTest::newRow("first try, out of time") << Stage::FirstTry << false;
        QTest::newRow("second try, out of time") << Stage::SecondTry << false;
    }
    void whatWasTakenTooLateIsGivenBack() {
        QFETCH(Stage, stage);
        QFETCH(bool, cancelled);
        const auto call = bring(stage, 60000, 1s);
        if (cancelled)
            m_stop.request_stop();
        else
            m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE(wordOf(call), cancelled ? "Cancelled" : "OutcomeUnknown");
        QCOMPARE(sent(), QStringList());
        commands().reply(taken);
        const QStringList after = sent();
        QVERIFY(!after.isEmpty());
        for (const QString& command : after)
            QCOMPARE(command, "settle (EVAL) 0 by 7 0");
        QCOMPARE(held(), 0);
    }

    void aLateRefusalChangesNothing() {
        bring(Stage::FirstTry);
        m_stop.request_stop();
        commands().reply(test::number(5000));
        QCOMPARE(sent(), QStringList());
    }

    void aCancelledTryWhoseAnswerIsLostIsSettled() {
        bring(Stage::FirstTry);
        m_stop.request_stop();
        commands().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"});
    }

    void aLostAnswerIsSettledAndThenTriedAnew() {
        const auto call = bring(Stage::Settling);
        commands().reply(test::number(0));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
        commands().reply(taken);
        QCOMPARE(wordOf(call), "acquired");
        QCOMPARE(held(), 1);
    }

    // For one who does not wait, the outcome is unknown; it is settled all the same.
    void aLostAnswerIsUnknownToOneWhoDoesNotWait() {
        open();
        const auto call = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        QCOMPARE(wordOf(call), "OutcomeUnknown");
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"});
        commands().reply(test::number(0));
        QCOMPARE(sent(), QStringList());
    }

    void settlingIsRepeatedUntilItIsAnswered() {
        const auto call = bring(Stage::Settling);
        commands().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"});
        commands().reply(test::number(0));
        QCOMPARE(sent(), QStringList{"acquire 30000 by 7"});
    }

    void settlingKeepsWhatIsHeld() {
        open();
        take();
        const auto again = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        QCOMPARE(wordOf(again), "OutcomeUnknown");
        m_clock->advance(100ms);
        m_server->acceptAll();
        QVERIFY(sent().contains(u"settle (EVAL) 0 by 7 1"_qs));
        QCOMPARE(held(), 1);
    }

    // Otherwise it would take the hold of an acquire under way for one that nobody knows of.
    void settlingWaitsForEveryAnswerOfThisHolder() {
        open();
        const auto abandoned = tryLock(std::nullopt, std::nullopt, m_stop.get_token());
        const auto other = tryLock();
        QCOMPARE(sent().size(), 2);
        m_stop.request_stop();
        commands().reply(taken);
        QCOMPARE(sent(), QStringList());
        commands().reply(taken);
        QCOMPARE(wordOf(other), "acquired");
        QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 1"});
    }

    void aLockFoundGoneBySettlingIsLost() {
        open();
        take();
        const auto again = tryLock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        m_clock->advance(100ms);
        m_server->acceptAll();
        for (const QString& command : sent())
            commands().reply(command.startsWith(u"renew") ? QByteArray("*1\r\n:1\r\n") : test::number(0));
        QCOMPARE(held(), 0);
        QCOMPARE(m_lost, QByteArrayList{"L"});
    }

    // A reentry that may have happened may have set its own, shorter lease.
    void anUnknownReentryShortensTheBelief_data() {
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("cancelled") << true;
        QTest::newRow("lost") << false;
    }
    void anUnknownReentryShortensTheBelief() {
        QFETCH(bool, cancelled);
        open();
        take(10s);
        const auto again = tryLock(std::nullopt, 300ms, m_stop.get_token());
        QCOMPARE(sent().size(), 1);
        if (cancelled)
            m_stop.request_stop();
        else
            commands().lose();
        m_clock->advance(299ms);
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
    }

    // ---- giving back ----

    void givesBack() {
        open();
        take();
        take();
        const auto first = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
        commands().reply(test::number(0));
        QCOMPARE((*first)->value(), ReleaseOutcome::StillHeld);
        QCOMPARE(held(), 1);
        const auto second = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
        commands().reply(test::number(1));
        QCOMPARE((*second)->value(), ReleaseOutcome::Free);
        QCOMPARE(held(), 0);
        QVERIFY(m_lost.isEmpty());
    }

    void givingBackOnceSetsTheLastLease() {
        open();
        take(10s);
        take(2s);
        const auto call = unlock();
        QCOMPARE(sent(), QStringList{"release 0 2000 by 7"});
        commands().reply(test::number(0));
        m_clock->advance(1999ms);
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
    }

    void whatIsNotHeldCannotBeGivenBack() {
        open();
        const auto call = unlock();
        QCOMPARE(sent(), QStringList{"release 0 30000 by 7"});
        commands().reply(taken);
        QCOMPARE((*call)->error(),
                 Error(ErrorCode::NotHeld,
                       QStringLiteral("attempt to unlock lock, not locked by current thread by node id: %1 "
                                      "thread-id: 7")
                           .arg(QString::fromLatin1(uuid))));
    }

    void aReleaseWithoutConnectionChangesNothing() {
        open();
        take();
        commands().lose();
        const auto call = unlock();
        QCOMPARE(wordOf(call), "ConnectionLost");
        QCOMPARE(held(), 1);
    }

    void aLostReleaseIsUnknownAndSettled_data() {
        QTest::addColumn<int>("holds");
        QTest::newRow("the only one") << 1;
        QTest::newRow("one of two") << 2;
    }
    void aLostReleaseIsUnknownAndSettled() {
        QFETCH(int, holds);
        open();
        for (int i = 0; i < holds; ++i)
            take(60s);
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        QCOMPARE(wordOf(call), "OutcomeUnknown");
        QCOMPARE(held(), holds - 1);
        m_clock->advance(100ms);
        m_server->acceptAll();
        QCOMPARE(sent(), QStringList{QStringLiteral("settle (EVAL) 0 by 7 %1").arg(holds - 1)});
        commands().reply(test::number(holds - 1));
        QCOMPARE(held(), holds - 1);
        QVERIFY(m_lost.isEmpty());
    }

    void aLateReleaseIsUnknownAndSettledWhenItDidNotHappen_data() {
        QTest::addColumn<QByteArray>("late");
        QTest::addColumn<QStringList>("sentAfterwards");
        QTest::newRow("it did") << QByteArray(":1\r\n") << QStringList();
        QTest::newRow("it did not") << QByteArray("-OOM command not allowed\r\n")
                                    << QStringList{"settle (EVAL) 0 by 7 0"};
        QTest::newRow("it was not held") << taken << QStringList{"settle (EVAL) 0 by 7 0"};
    }
    void aLateReleaseIsUnknownAndSettledWhenItDidNotHappen() {
        QFETCH(QByteArray, late);
        QFETCH(QStringList, sentAfterwards);
        open();
        take(60s);
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE(wordOf(call), "OutcomeUnknown");
        QCOMPARE(held(), 0);
        QCOMPARE(sent(), QStringList());
        commands().reply(late);
        QCOMPARE(sent(), sentAfterwards);
    }

    // Had it not happened, the lease would run on from the acquire.
    void anUnknownReleaseDoesNotLengthenTheBelief() {
        open();
        take(10s);
        take(10s);
        m_clock->advance(9s);
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        commands().lose();
        m_clock->advance(999ms);
        QCOMPARE(held(), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(), 0);
    }

    void aReleaseEndsWithItsClient() {
        open();
        take();
        const auto call = unlock();
        QCOMPARE(sent().size(), 1);
        m_client.reset();
        QCOMPARE(wordOf(call), "OutcomeUnknown");
    }

    void forces_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QString>("word");
        QTest::newRow("held") << QByteArray(":1\r\n") << "true";
        QTest::newRow("free") << QByteArray(":0\r\n") << "false";
        QTest::newRow("not permitted") << QByteArray("-NOPERM no\r\n") << "NotPermitted";
        QTest::newRow("nonsense") << QByteArray("+what\r\n") << "Protocol";
    }
    void forces() {
        QFETCH(QByteArray, reply);
        QFETCH(QString, word);
        open();
        const auto call = test::start(reentrantLock().forceUnlock());
        QCOMPARE(sent(), QStringList{"force 0"});
        commands().reply(reply);
        QCOMPARE((*call)->ok() ? QVariant((*call)->value()).toString() : wordFor((*call)->error().code), word);
    }

    void anUnansweredForceIsUnknown() {
        open();
        const auto call = test::start(reentrantLock().forceUnlock());
        test::turnEventLoop();
        m_clock->advance(m_client->options().commandTimeout);
        QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
    }

    // ---- asking ----

    void asksTheServer() {
        open();
        const auto locked = test::start(reentrantLock().isLocked());
        const auto mine = test::start(reentrantLock().isHeldBy(reentrantLock().holder(owner)));
        const auto count = test::start(reentrantLock().holdCount(owner));
        const auto remaining = test::start(reentrantLock().remainingTime());
        QCOMPARE(sent(), (QStringList{"EXISTS L", "HEXISTS L " + uuid + ":7", "HGET L " + uuid + ":7", "PTTL L"}));
        commands().reply(":1\r\n:0\r\n$1\r\n3\r\n:1500\r\n");
        QCOMPARE((*locked)->value(), true);
        QCOMPARE((*mine)->value(), false);
        QCOMPARE((*count)->value(), 3);
        QCOMPARE((*remaining)->value(), std::optional(1500ms));
    }

    void nothingIsRemainingOfALockThatIsNotThereOrDoesNotExpire_data() {
        QTest::addColumn<int>("pttl");
        QTest::newRow("not there") << -2;
        QTest::newRow("does not expire") << -1;
    }
    void nothingIsRemainingOfALockThatIsNotThereOrDoesNotExpire() {
        QFETCH(int, pttl);
        open();
        const auto remaining = test::start(reentrantLock().remainingTime());
        test::turnEventLoop();
        commands().reply(test::number(pttl));
        QCOMPARE((*remaining)->value(), std::optional<Milliseconds>());
    }

private:
    using Running = test::Running<Result<LockAttempt>>;

    static void stages() {
        QTest::addColumn<Stage>("stage");
        for (const auto& [name, stage] : allStages)
            QTest::newRow(name) << stage;
    }

    void open() {
        m_client->open();
        m_server->acceptAll();
        QVERIFY(m_client->connection().isReady());
    }
    [[nodiscard]] ReentrantLock reentrantLock() { return m_client->reentrantLock(LockName("L")); }
    [[nodiscard]] Deadline in(std::optional<Milliseconds> wait) { return Deadline::in(*m_clock, wait.value_or(0ms)); }

    [[nodiscard]] Running tryLock(std::optional<Milliseconds> wait = std::nullopt,
                                  std::optional<Milliseconds> lease = std::nullopt, std::stop_token stop = {}) {
        return test::start(reentrantLock().tryLock(owner, in(wait), lease, std::move(stop)));
    }
    // As lock(), with an answer of the same type.
    [[nodiscard]] Running lock(ThreadId who = owner) {
        return test::start(reentrantLock().tryLock(who, Deadline::never(*m_clock)));
    }
    [[nodiscard]] test::Running<Result<ReleaseOutcome>> unlock() { return test::start(reentrantLock().unlock(owner)); }

    void take(std::optional<Milliseconds> lease = std::nullopt) {
        const auto call = tryLock(std::nullopt, lease);
        QCOMPARE(sent().size(), 1);
        commands().reply(taken);
        QVERIFY((*call)->value().acquired());
    }

    // A call that has got as far as this stage, and can be cancelled with m_stop.
    Running bring(Stage stage, int pttl = 5000, std::optional<Milliseconds> wait = std::nullopt) {
        m_client->open();
        const Deadline deadline = wait ? in(wait) : Deadline::never(*m_clock);
        const Running call = test::start(reentrantLock().tryLock(owner, deadline, std::nullopt, m_stop.get_token()));
        if (stage == Stage::Connecting)
            return call;
        m_server->acceptAll();
        [&] { QCOMPARE(sent(), QStringList{"acquire 30000 by 7"}); }();
        if (stage == Stage::FirstTry)
            return call;
        commands().reply(test::number(pttl));
        m_server->acceptAll();
        [&] { QCOMPARE(sentForWaiting(), QStringList{"SUBSCRIBE " + channel}); }();
        if (stage == Stage::Subscribing)
            return call;
        confirm();
        [&] { QCOMPARE(sent(), QStringList{"acquire 30000 by 7"}); }();
        if (stage == Stage::SecondTry)
            return call;
        if (stage == Stage::Asleep)
            commands().reply(test::number(pttl));
        if (stage == Stage::Late)
            m_clock->advance(m_client->options().commandTimeout);
        if (stage == Stage::Reconnecting || stage == Stage::Settling)
            commands().lose();
        if (stage == Stage::Settling) {
            m_clock->advance(100ms);
            m_server->acceptAll();
            [&] { QCOMPARE(sent(), QStringList{"settle (EVAL) 0 by 7 0"}); }();
        }
        return call;
    }

    [[nodiscard]] test::FakeLink& commands() { return m_server->linkOf("lockkeeper"); }
    [[nodiscard]] test::FakeLink& waiting() { return m_server->linkOf("lockkeeper-waiting"); }
    [[nodiscard]] static QStringList wordsOfAll(test::FakeLink& link) {
        QStringList words;
        for (const QByteArrayList& command : link.takeCommands())
            words += wordsOf(command);
        return words;
    }
    [[nodiscard]] QStringList sent() { return wordsOfAll(commands()); }
    [[nodiscard]] QStringList sentForWaiting() { return wordsOfAll(waiting()); }
    void confirm() { waiting().reply(">3\r\n" + test::bulk("subscribe") + test::bulk(channel) + test::number(1)); }
    void publish(const QByteArray& message) { waiting().reply(test::pushOf({"message", channel, message})); }

    [[nodiscard]] qint64 held() const {
        return m_client->held().count(HoldKey(LockName("L"), HolderId(ClientId(uuid), owner)));
    }

    template <typename T>
    [[nodiscard]] static QString wordOf(const test::Running<Result<T>>& call) {
        if (!call->has_value())
            return QStringLiteral("running");
        if (!(*call)->ok())
            return wordFor((*call)->error().code);
        if constexpr (std::is_same_v<T, LockAttempt>)
            return (*call)->value().acquired() ? QStringLiteral("acquired") : QStringLiteral("held by other");
        return QStringLiteral("done");
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<LockClient> m_client;
    std::stop_source m_stop;
    QByteArrayList m_lost;
};

QTEST_GUILESS_MAIN(TestReentrantLock)
#include "tst_reentrantlock.moc"
