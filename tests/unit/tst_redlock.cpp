// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/redlock.h"
#include "support/fakefleet.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_redlock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::FakeFleet;

namespace {

const QByteArray released = ":1\r\n";
const QByteArray held = ":60000\r\n";
const QStringList asked{"acquire 30000"};
const QStringList givenBack{"release"};
const QStringList nothing;
constexpr Milliseconds answerTimeout{200};  // RedLock's default
constexpr Milliseconds grace{10};           // the minimum time for further servers to grant it
constexpr Milliseconds longestPause{50};    // between two rounds

// At which stage a call on five servers is waiting when something happens to it.
enum class Stage {
    Asked,        // no answer yet
    SomeAnswers,  // two have granted it
    Grace,        // three have granted it, which is enough
    GivingBack,   // two had granted it, the others refused
    Pausing       // until the next round
};

using Running = test::Running<Result<RedLockAttempt>>;

}  // namespace

// One lock on several fake servers.
class TestRedLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_stop = std::stop_source();
        openFleet(5);
    }
    void cleanup() {
        m_stop.request_stop();  // for a call that pauses between two rounds
        m_fleet.reset();
        test::turnEventLoop();
    }

    // ---- the quorum ----

    void asksAllAtOnce() {
        const auto call = tryLock(0ms);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, asked));
    }

    void needsMoreThanHalf_data() {
        QTest::addColumn<size_t>("servers");
        QTest::addColumn<size_t>("quorum");
        QTest::newRow("1") << size_t{1} << size_t{1};
        QTest::newRow("2") << size_t{2} << size_t{2};
        QTest::newRow("3") << size_t{3} << size_t{2};
        QTest::newRow("4") << size_t{4} << size_t{3};
        QTest::newRow("5") << size_t{5} << size_t{3};
        QTest::newRow("6") << size_t{6} << size_t{4};
    }
    void needsMoreThanHalf() {
        QFETCH(size_t, servers);
        QFETCH(size_t, quorum);
        openFleet(servers);
        const auto enough = tryLock(0ms);
        answer(quorum, servers - quorum);
        QVERIFY((*enough)->value().acquired());
        QCOMPARE((*enough)->value().servers, quorum);

        openFleet(servers);
        const auto tooFew = tryLock(0ms);
        answer(quorum - 1, servers - quorum + 1);
        for (size_t server = 0; server < quorum - 1; ++server) {
            QVERIFY(!tooFew->has_value());
            QCOMPARE(m_fleet->sent(server), givenBack);
            m_fleet->reply(server, released);
        }
        QVERIFY((*tooFew)->ok() && !(*tooFew)->value().acquired());
    }

    void tooManyRefusalsNeedNoMoreAnswers() {
        const auto call = tryLock(0ms);
        answer(1, 3);
        QCOMPARE(m_fleet->sent(0), givenBack);
        m_fleet->reply(0, released);
        QVERIFY((*call)->ok() && !(*call)->value().acquired());
        QCOMPARE(m_fleet->sent(4), nothing);
        m_fleet->reply(4, FakeFleet::taken);  // the answer of the last server, too late
        QCOMPARE(m_fleet->sent(4), QStringList{"settle 0"});
    }

    // A server that is down must not delay the others.
    void theOthersMaySayYesALittleLonger() {
        const auto call = tryLock(0ms);
        answer(3, 0);
        QVERIFY(!call->has_value());
        m_fleet->reply(3, FakeFleet::taken);
        QVERIFY(!call->has_value());
        m_clock->advance(grace);
        QVERIFY((*call)->value().acquired());
        QCOMPARE((*call)->value().servers, size_t{4});
        m_fleet->reply(4, FakeFleet::taken);
        QCOMPARE(m_fleet->sent(4), QStringList{"settle 0"});
    }

    void silenceIsNo() {
        const auto call = tryLock(0ms);
        answer(2, 0);
        m_clock->advance(answerTimeout - 1ms);
        QCOMPARE(m_fleet->sent(0), nothing);
        m_clock->advance(1ms);
        for (const size_t server : {0U, 1U}) {
            QCOMPARE(m_fleet->sent(server), givenBack);
            m_fleet->reply(server, released);
        }
        QCOMPARE((*call)->error().code, ErrorCode::ConnectionLost);
        for (const size_t server : {2U, 3U, 4U}) {
            m_fleet->reply(server, FakeFleet::taken);
            QCOMPARE(m_fleet->sent(server), QStringList{"settle 0"});
        }
    }

    void aRefusalSaysMoreThanAFailure() {
        const auto call = tryLock(0ms);
        answer(0, 1);
        for (const size_t server : {1U, 2U, 3U, 4U})
            m_fleet->reply(server, "-NOPERM no\r\n");
        QVERIFY((*call)->ok() && !(*call)->value().acquired());
    }

    void whyItFailedIsTold() {
        const auto call = tryLock(0ms);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, asked));
        for (size_t server = 0; server < 5; ++server)
            m_fleet->reply(server, "-NOPERM no\r\n");
        QCOMPARE((*call)->error().code, ErrorCode::NotPermitted);
    }

    // ---- time ----

    // A fair lock's command contains how long its place is kept.
    void eachServerMayWaitForAnNth_data() {
        QTest::addColumn<size_t>("servers");
        QTest::addColumn<Milliseconds>("wait");
        QTest::addColumn<QByteArray>("each");
        QTest::newRow("a fifth") << size_t{5} << Milliseconds(1000) << QByteArray("200");
        QTest::newRow("a third") << size_t{3} << Milliseconds(1000) << QByteArray("333");
        QTest::newRow("at least 1 ms") << size_t{5} << Milliseconds(3) << QByteArray("1");
        QTest::newRow("at most 1500 ms") << size_t{5} << Milliseconds(3600000) << QByteArray("1500");
        QTest::newRow("does not wait") << size_t{5} << Milliseconds(0) << QByteArray();
    }
    void eachServerMayWaitForAnNth() {
        QFETCH(size_t, servers);
        QFETCH(Milliseconds, wait);
        QFETCH(QByteArray, each);
        openFleet(servers);
        const RedLock lock(m_fleet->locks(test::Kind::Fair));
        const auto call =
            test::start(lock.tryLock(FakeFleet::owner, Deadline::in(*m_clock, wait), std::nullopt, m_stop.get_token()));
        for (size_t server = 0; server < servers; ++server)
            QCOMPARE(m_fleet->link(server).takeCommand().last(), each);
    }

    void isValidForTheLeaseLessTheDrift_data() {
        QTest::addColumn<std::optional<Milliseconds>>("lease");
        QTest::addColumn<Milliseconds>("valid");
        QTest::newRow("10 s") << std::optional(Milliseconds(10000)) << Milliseconds(10000 - 102);
        QTest::newRow("1 s") << std::optional(Milliseconds(1000)) << Milliseconds(1000 - 12);
        QTest::newRow("the watchdog's") << std::optional<Milliseconds>() << Milliseconds(30000 - 302);
    }
    void isValidForTheLeaseLessTheDrift() {
        QFETCH(std::optional<Milliseconds>, lease);
        QFETCH(Milliseconds, valid);
        const SteadyTime start = m_clock->now();
        const auto call = tryLock(0ms, lease);
        m_clock->advance(150ms);  // the time counts from before the command was sent
        for (size_t server = 0; server < 5; ++server)
            m_fleet->reply(server, FakeFleet::taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE((*call)->value().validUntil - start, std::chrono::nanoseconds(valid));
    }

    void whatIsNotValidAnyMoreIsGivenBack_data() {
        QTest::addColumn<Milliseconds>("used");
        QTest::addColumn<bool>("isHeld");
        QTest::newRow("just in time") << Milliseconds(96) << true;
        QTest::newRow("too late") << Milliseconds(97) << false;
    }
    void whatIsNotValidAnyMoreIsGivenBack() {
        QFETCH(Milliseconds, used);
        QFETCH(bool, isHeld);
        const auto call = tryLock(0ms, 100ms);
        m_clock->advance(used);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, QStringList{"acquire 100"}));
        for (size_t server = 0; server < 5; ++server)
            m_fleet->reply(server, FakeFleet::taken);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, isHeld ? nothing : givenBack));
        for (size_t server = 0; server < 5 && !isHeld; ++server)
            m_fleet->reply(server, released);
        QCOMPARE((*call)->ok() && (*call)->value().acquired(), isHeld);
    }

    void whatAskingAgainDoesNotChangeIsNotAskedAgain() {
        const auto call = tryLock(10s);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, asked));
        for (size_t server = 0; server < 5; ++server)
            m_fleet->reply(server, "-NOPERM no\r\n");
        QCOMPARE((*call)->error().code, ErrorCode::NotPermitted);
    }

    // Callers that lost the same round retry at different times.
    void aLostRoundIsFollowedByAnother() {
        const auto call = bring(Stage::Pausing);
        m_clock->advance(longestPause / 2 - 1ms);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5));
        m_clock->advance(longestPause / 2 + 1ms);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, asked));
        for (size_t server = 0; server < 5; ++server)
            m_fleet->reply(server, FakeFleet::taken);
        QVERIFY((*call)->value().acquired());
    }

    void waitsWithoutEndOnRequest() {
        const auto call = test::start(RedLock(m_fleet->locks()).lock(FakeFleet::owner, 5s, m_stop.get_token()));
        loseRound();
        QVERIFY(!call->has_value());
        m_clock->advance(longestPause);
        answer(5, 0);
        QVERIFY((*call)->value().acquired());
    }

    // ---- events at each stage ----

    void aCallEndsAtOnceWhenItIsCancelled_data() { stages(); }
    void aCallEndsAtOnceWhenItIsCancelled() {
        QFETCH(Stage, stage);
        const auto call = bring(stage);
        QVERIFY(!call->has_value());
        m_stop.request_stop();
        QVERIFY(call->has_value());
        QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
        const bool gives = stage == Stage::SomeAnswers || stage == Stage::Grace;
        QCOMPARE(m_fleet->sent(0), gives ? givenBack : nothing);
    }

    void whatWasTakenTooLateIsGivenBack_data() {
        QTest::addColumn<Stage>("stage");
        QTest::newRow("asked") << Stage::Asked;
        QTest::newRow("some answers") << Stage::SomeAnswers;
        QTest::newRow("grace") << Stage::Grace;
    }
    void whatWasTakenTooLateIsGivenBack() {
        QFETCH(Stage, stage);
        bring(stage);
        m_stop.request_stop();
        QCOMPARE(m_fleet->sent(4), nothing);
        m_fleet->reply(4, FakeFleet::taken);
        QCOMPARE(m_fleet->sent(4), QStringList{"settle 0"});
        QCOMPARE(m_fleet->held(4), 0);
    }

    void aCallEndsWithItsClients_data() { stages(); }
    void aCallEndsWithItsClients() {
        QFETCH(Stage, stage);
        const auto call = bring(stage);
        for (size_t server = 0; server < 5; ++server)
            m_fleet->removeClient(server);
        m_clock->advance(answerTimeout * 10);
        QVERIFY(call->has_value());
        QVERIFY(!(*call)->ok() || !(*call)->value().acquired() || stage == Stage::Grace);
    }

    void oneClientMayGo() {
        const auto call = tryLock(0ms);
        answer(3, 0);
        m_fleet->removeClient(4);
        m_clock->advance(grace);
        QVERIFY((*call)->value().acquired());
    }

    // ---- lost answers ----

    void aLostAnswerIsNoAndIsSettled() {
        const auto call = tryLock(0ms);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, asked));
        m_fleet->link(4).lose();
        for (size_t server = 0; server < 4; ++server)
            m_fleet->reply(server, FakeFleet::taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE((*call)->value().servers, size_t{4});
        m_fleet->reconnect(4);
        QCOMPARE(m_fleet->sent(4), QStringList{"settle 0"});
    }

    void whatCannotBeGivenBackIsSettledLater() {
        const auto call = bring(Stage::SomeAnswers);
        m_fleet->link(0).lose();
        for (const size_t server : {2U, 3U, 4U})
            m_fleet->reply(server, "-NOPERM no\r\n");
        QCOMPARE(m_fleet->held(0), 0);
        m_fleet->reconnect(0);
        QCOMPARE(m_fleet->sent(0).first(), "settle 0");
    }

    // ---- release ----

    void givesBackOnAllServers_data() {
        QTest::addColumn<QByteArrayList>("answers");
        QTest::addColumn<QString>("outcome");
        const QByteArray notHeld = FakeFleet::taken;  // nil
        const QByteArray once = ":0\r\n";
        const QByteArray refused = "-NOPERM no\r\n";
        QTest::newRow("free") << QByteArrayList(5, released) << "free";
        QTest::newRow("most had it") << QByteArrayList{released, released, released, notHeld, notHeld} << "free";
        QTest::newRow("held once more on one")
            << QByteArrayList{released, once, released, released, released} << "still held";
        QTest::newRow("none had it") << QByteArrayList(5, notHeld) << "NotHeld";
        QTest::newRow("most did not have it")
            << QByteArrayList{notHeld, refused, notHeld, notHeld, refused} << "NotHeld";
        QTest::newRow("most did not say")
            << QByteArrayList{notHeld, refused, refused, notHeld, refused} << "NotPermitted";
    }
    void givesBackOnAllServers() {
        QFETCH(QByteArrayList, answers);
        QFETCH(QString, outcome);
        const auto call = unlock();
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, givenBack));
        for (qsizetype server = 0; server < 5; ++server)
            m_fleet->reply(static_cast<size_t>(server), answers[server]);
        QCOMPARE(test::wordOf(call), outcome);
    }

    // The other servers may still have the lock.
    void tooFewThatDidNotHaveItProveNothing() {
        const auto call = unlock();
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, givenBack));
        for (const size_t server : {0U, 1U})
            m_fleet->reply(server, FakeFleet::taken);
        m_clock->advance(answerTimeout);
        QCOMPARE(test::wordOf(call), "OutcomeUnknown");
    }

    // Also at servers that have not answered: what they may have granted is released with the others.
    void givesBackWhereNobodyHadAnswered() {
        const auto taken = tryLock(0ms);
        answer(3, 0);
        m_clock->advance(grace);
        QVERIFY((*taken)->value().acquired());
        const auto call = unlock();
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, givenBack));
    }

    void aSilentServerDoesNotHoldUpGivingBack() {
        const auto call = unlock();
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, givenBack));
        for (size_t server = 0; server < 4; ++server)
            m_fleet->reply(server, released);
        m_clock->advance(answerTimeout - 1ms);
        QCOMPARE(test::wordOf(call), "running");
        m_clock->advance(1ms);
        QCOMPARE(test::wordOf(call), "free");
    }

    void withoutAnyAnswerGivingBackIsUnknown_data() {
        QTest::addColumn<bool>("lost");
        QTest::newRow("lost") << true;
        QTest::newRow("not in time") << false;
    }
    void withoutAnyAnswerGivingBackIsUnknown() {
        QFETCH(bool, lost);
        const auto call = unlock();
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(5, givenBack));
        for (size_t server = 0; server < 5 && lost; ++server)
            m_fleet->link(server).lose();
        if (!lost)
            m_clock->advance(answerTimeout);
        QCOMPARE(test::wordOf(call), "OutcomeUnknown");
    }

private:
    static void stages() {
        QTest::addColumn<Stage>("stage");
        QTest::newRow("asked") << Stage::Asked;
        QTest::newRow("some answers") << Stage::SomeAnswers;
        QTest::newRow("grace") << Stage::Grace;
        QTest::newRow("releasing") << Stage::GivingBack;
        QTest::newRow("pausing") << Stage::Pausing;
    }

    void openFleet(size_t servers) {
        m_fleet = std::make_unique<FakeFleet>(*m_clock, servers);
        m_fleet->open();
    }
    [[nodiscard]] Running tryLock(Milliseconds wait, std::optional<Milliseconds> lease = std::nullopt) {
        return test::start(RedLock(m_fleet->locks())
                               .tryLock(FakeFleet::owner, Deadline::in(*m_clock, wait), lease, m_stop.get_token()));
    }
    [[nodiscard]] test::Running<Result<ReleaseOutcome>> unlock() {
        return test::start(RedLock(m_fleet->locks()).unlock(FakeFleet::owner));
    }
    // Of all servers, the first ones grant it and the next ones refuse.
    void answer(size_t yes, size_t no) {
        for (size_t server = 0; server < m_fleet->size(); ++server) {
            QVERIFY(m_fleet->sent(server).value(0).startsWith(u"acquire"));
            if (server < yes + no)
                m_fleet->reply(server, server < yes ? FakeFleet::taken : held);
        }
    }
    // Every server refuses at once.
    void loseRound() {
        answer(0, 5);
        for (size_t server = 0; server < 5; ++server)
            m_fleet->letWait(server, 60000);
        m_clock->advance(1500ms);
    }
    // A call that has reached this stage and can be cancelled with m_stop.
    Running bring(Stage stage) {
        const Running call = tryLock(stage == Stage::Pausing ? 10s : 0s);
        if (stage == Stage::Pausing) {
            loseRound();
            return call;
        }
        const size_t yes = stage == Stage::Asked ? 0 : stage == Stage::Grace ? 3 : 2;
        answer(yes, stage == Stage::GivingBack ? 3 : 0);
        if (stage == Stage::GivingBack)
            [&] { QCOMPARE(m_fleet->sent(0), givenBack); }();
        return call;
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<FakeFleet> m_fleet;
    std::stop_source m_stop;
};

LOCKKEEPER_TEST(TestRedLock, Guiless)

}  // namespace tst_redlock

#include "tst_redlock.moc"
