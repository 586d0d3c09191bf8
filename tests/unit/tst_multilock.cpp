// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/multilock.h"
#include "support/fakefleet.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_multilock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::FakeFleet;

namespace {

const QByteArray released = ":1\r\n";
const QByteArray renewed = "*1\r\n:1\r\n";
const QByteArray notRenewed = "*1\r\n:0\r\n";
const QStringList nothing;

// At which stage a call on three members is waiting when something happens to it; from the second stage on the first
// member is taken.
enum class Stage { FirstTry, SecondTry, Asleep, SettingLeases };

using Running = test::Running<Result<LockAttempt>>;

}  // namespace

// Several locks as one, each on its own server.
class TestMultiLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_stop = std::stop_source();
        openFleet(3);
    }
    void cleanup() {
        m_fleet.reset();
        test::turnEventLoop();
    }

    // ---- taking ----

    void takesOneAfterTheOther() {
        const auto call = lock();
        for (size_t member = 0; member < 3; ++member) {
            QVERIFY(!call->has_value());
            QList<QStringList> expected(3);
            expected[static_cast<qsizetype>(member)] = QStringList{"acquire 30000"};
            QCOMPARE(m_fleet->sentToAll(), expected);
            m_fleet->reply(member, FakeFleet::taken);
        }
        QVERIFY((*call)->value().acquired());
        QCOMPARE(holds(), (QList<qint64>{1, 1, 1}));
    }

    // Without a lease each member is renewed.
    void eachMemberIsRenewed() {
        const auto call = lock();
        takeAll("acquire 30000");
        m_clock->advance(10s);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(3, QStringList{"renew 30000"}));
    }

    void aMemberThatIsHeldGivesThoseTakenBack() {
        const auto call = tryLock(0ms);
        takeFirst();
        QCOMPARE(m_fleet->sent(1), QStringList{"acquire 30000"});
        m_fleet->reply(1, test::number(5000));
        QCOMPARE(m_fleet->sentToAll(), (QList<QStringList>{{"release"}, {}, {}}));
        QVERIFY(!call->has_value());  // until the member is released
        m_fleet->reply(0, released);
        QVERIFY(!(*call)->value().acquired());
        QCOMPARE((*call)->value().remaining, 5000ms);
        QCOMPARE(holds(), (QList<qint64>{0, 0, 0}));
    }

    void aMemberThatFailsGivesThoseTakenBack_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("no hash") << QByteArray("-WRONGTYPE Operation against a key\r\n") << ErrorCode::ServerReply;
        QTest::newRow("not permitted") << QByteArray("-NOPERM no\r\n") << ErrorCode::NotPermitted;
        QTest::newRow("nonsense") << QByteArray("+what\r\n") << ErrorCode::Protocol;
    }
    void aMemberThatFailsGivesThoseTakenBack() {
        QFETCH(QByteArray, answer);
        QFETCH(ErrorCode, code);
        const auto call = lock();
        takeFirst();
        QCOMPARE(m_fleet->sent(1), QStringList{"acquire 30000"});
        m_fleet->reply(1, answer);
        QCOMPARE(m_fleet->sentToAll(), (QList<QStringList>{{"release"}, {}, {}}));
        m_fleet->reply(0, released);
        QCOMPARE((*call)->error().code, code);
    }

    // Two callers that take the same locks in different order would block each other for ever.
    void aRoundInVainStartsAgainFromTheFirst_data() {
        QTest::addColumn<size_t>("members");
        QTest::addColumn<Milliseconds>("round");
        QTest::newRow("two") << size_t{2} << Milliseconds(3000);
        QTest::newRow("three") << size_t{3} << Milliseconds(4500);
        QTest::newRow("five") << size_t{5} << Milliseconds(7500);
    }
    void aRoundInVainStartsAgainFromTheFirst() {
        QFETCH(size_t, members);
        QFETCH(Milliseconds, round);
        openFleet(members, 90s);  // these servers do not track, so a lock with a lease is read every third of that
        const auto call = lock(2000ms);
        const QStringList acquire{QStringLiteral("acquire %1").arg(round.count() * 2)};
        for (int rounds = 0; rounds < 3; ++rounds) {
            QCOMPARE(m_fleet->sent(0), acquire);
            m_fleet->reply(0, FakeFleet::taken);
            QCOMPARE(m_fleet->sent(1), acquire);
            m_fleet->reply(1, test::number(60000));
            m_fleet->letWait(1, 60000);
            m_clock->advance(round - 1ms);
            QCOMPARE(m_fleet->sent(0), nothing);
            m_clock->advance(1ms);
            QCOMPARE(m_fleet->sent(0), QStringList{"release"});
            m_fleet->reply(0, released);
            QCOMPARE(m_fleet->held(0), 0);
        }
        QCOMPARE(m_fleet->sent(0), acquire);
        QVERIFY(!call->has_value());
    }

    void whoseTimeIsOverDoesNotStartAgain() {
        const auto call = tryLock(600ms);
        takeFirst();
        QCOMPARE(m_fleet->sent(1), QStringList{"acquire 30000"});
        m_fleet->reply(1, test::number(60000));
        m_fleet->letWait(1, 60000);
        m_clock->advance(600ms);
        QCOMPARE(m_fleet->sent(0), QStringList{"release"});
        m_fleet->reply(0, released);
        QVERIFY(!(*call)->value().acquired());
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(3));
    }

    // ---- leases ----

    void leasesAreSetAtTheEnd_data() {
        QTest::addColumn<Milliseconds>("wait");  // -1: no limit
        QTest::addColumn<QString>("meanwhile");
        QTest::newRow("twice what it may wait") << Milliseconds(600) << "acquire 1200";
        QTest::newRow("twice the base wait") << Milliseconds(-1) << "acquire 9000";
    }
    void leasesAreSetAtTheEnd() {
        QFETCH(Milliseconds, wait);
        QFETCH(QString, meanwhile);
        const auto call = wait < 0ms ? lock(2000ms) : tryLock(wait, 2000ms);
        takeAll(meanwhile);
        for (size_t member = 0; member < 3; ++member) {
            QVERIFY(!call->has_value());
            QCOMPARE(m_fleet->sent(member), QStringList{"renew 2000"});
            m_fleet->reply(member, renewed);
        }
        QVERIFY((*call)->value().acquired());
        m_clock->advance(1999ms);
        QCOMPARE(holds(), (QList<qint64>{1, 1, 1}));
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(3));  // nothing renews it
        m_clock->advance(1ms);
        QCOMPARE(holds(), (QList<qint64>{0, 0, 0}));
    }

    void whoDoesNotWaitTakesThemForTheLeaseAtOnce() {
        const auto call = tryLock(0ms, 2000ms);
        takeAll("acquire 2000");
        QVERIFY((*call)->value().acquired());
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(3));
    }

    void aMemberThatWasLostMeanwhileGivesAllBack_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("it is another's") << notRenewed << ErrorCode::NotHeld;
        QTest::newRow("not permitted") << QByteArray("-NOPERM no\r\n") << ErrorCode::NotPermitted;
    }
    void aMemberThatWasLostMeanwhileGivesAllBack() {
        QFETCH(QByteArray, answer);
        QFETCH(ErrorCode, code);
        const auto call = bring(Stage::SettingLeases);
        m_fleet->reply(1, answer);
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(3, QStringList{"release"}));
        for (size_t member = 0; member < 3; ++member)
            m_fleet->reply(member, released);
        QCOMPARE((*call)->error().code, code);
        QCOMPARE(holds(), (QList<qint64>{0, 0, 0}));
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
        QCOMPARE(m_fleet->sent(0), stage == Stage::FirstTry ? nothing : QStringList{"release"});
        QCOMPARE(m_fleet->sent(2), stage == Stage::SettingLeases ? QStringList{"release"} : nothing);
    }

    void aMemberThatIsTakenTooLateIsGivenBack_data() {
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<size_t>("member");
        QTest::newRow("the first") << Stage::FirstTry << size_t{0};
        QTest::newRow("the second") << Stage::SecondTry << size_t{1};
    }
    void aMemberThatIsTakenTooLateIsGivenBack() {
        QFETCH(Stage, stage);
        QFETCH(size_t, member);
        bring(stage);
        m_stop.request_stop();
        QCOMPARE(m_fleet->sent(member), nothing);
        m_fleet->reply(member, FakeFleet::taken);
        QCOMPARE(m_fleet->sent(member), QStringList{"settle 0"});
        QCOMPARE(m_fleet->held(member), 0);
    }

    void aCallEndsWithTheClientOfAMember_data() { stages(); }
    void aCallEndsWithTheClientOfAMember() {
        QFETCH(Stage, stage);
        const size_t member = stage == Stage::FirstTry ? 0 : 1;
        const auto call = bring(stage);
        m_fleet->removeClient(member);
        if (member == 1) {
            QCOMPARE(m_fleet->sent(0), QStringList{"release"});
            m_fleet->reply(0, released);
        }
        if (stage == Stage::SettingLeases) {
            QCOMPARE(m_fleet->sent(2), QStringList{"release"});
            m_fleet->reply(2, released);
        }
        QVERIFY(call->has_value());
        const ErrorCode code = (*call)->error().code;
        QVERIFY(code == ErrorCode::ConnectionLost || code == ErrorCode::OutcomeUnknown);
    }

    // ---- lost answers ----

    void aLostAnswerIsUnknownToOneWhoDoesNotWait() {
        const auto call = tryLock(0ms);
        takeFirst();
        QCOMPARE(m_fleet->sent(1), QStringList{"acquire 30000"});
        m_fleet->link(1).lose();
        QCOMPARE(m_fleet->sent(0), QStringList{"release"});
        m_fleet->reply(0, released);
        QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
        m_fleet->reconnect(1);
        QCOMPARE(m_fleet->sent(1), QStringList{"settle 0"});
    }

    void aLostAnswerIsSettledAndTriedAnewInTheTimeOfTheRound() {
        const auto call = bring(Stage::SecondTry);
        m_fleet->link(1).lose();
        QCOMPARE(m_fleet->sent(0), nothing);
        m_fleet->reconnect(1);
        QCOMPARE(m_fleet->sent(1), QStringList{"settle 0"});
        m_fleet->reply(1, test::number(0));
        QCOMPARE(m_fleet->sent(1), QStringList{"acquire 1200"});
        m_fleet->reply(1, FakeFleet::taken);
        QCOMPARE(m_fleet->sent(2), QStringList{"acquire 1200"});
        QVERIFY(!call->has_value());
    }

    void whatCannotBeGivenBackIsSettledLater() {
        const auto call = tryLock(0ms);
        takeFirst();
        QCOMPARE(m_fleet->sent(1), QStringList{"acquire 30000"});
        m_fleet->link(0).lose();
        m_fleet->reply(1, test::number(5000));
        QVERIFY(!(*call)->value().acquired());
        QCOMPARE(m_fleet->held(0), 0);
        m_fleet->reconnect(0);
        QCOMPARE(m_fleet->sent(0), QStringList{"settle 0"});
    }

    // ---- release ----

    void givesAllBackAtOnce_data() {
        QTest::addColumn<QByteArray>("answer");  // the second member's answer
        QTest::addColumn<QString>("outcome");
        QTest::newRow("free") << released << "free";
        QTest::newRow("held once more") << QByteArray(":0\r\n") << "still held";
        QTest::newRow("it was not held") << FakeFleet::taken << "NotHeld";
        QTest::newRow("not permitted") << QByteArray("-NOPERM no\r\n") << "NotPermitted";
    }
    void givesAllBackAtOnce() {
        QFETCH(QByteArray, answer);
        QFETCH(QString, outcome);
        const auto call = unlock();
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(3, QStringList{"release"}));
        m_fleet->reply(2, released);
        m_fleet->reply(1, answer);
        QVERIFY(!call->has_value());
        m_fleet->reply(0, released);
        QCOMPARE(test::wordOf(call), outcome);
    }

    void aReleaseWithoutAnAnswerIsUnknown_data() {
        QTest::addColumn<bool>("lost");
        QTest::newRow("lost") << true;
        QTest::newRow("not in time") << false;
    }
    void aReleaseWithoutAnAnswerIsUnknown() {
        QFETCH(bool, lost);
        const auto call = unlock();
        QCOMPARE(m_fleet->sentToAll(), QList<QStringList>(3, QStringList{"release"}));
        m_fleet->reply(0, released);
        m_fleet->reply(2, released);
        if (lost)
            m_fleet->link(1).lose();
        else
            m_clock->advance(m_fleet->client(1).options().commandTimeout);
        QCOMPARE(test::wordOf(call), "OutcomeUnknown");
    }

    void aReleaseWithoutAClientIsUnknown() {
        const MultiLock multi(m_fleet->locks());
        m_fleet->removeClient(1);
        const auto call = test::start(multi.unlock(FakeFleet::owner));
        m_fleet->reply(0, released);
        m_fleet->reply(2, released);
        QCOMPARE(test::wordOf(call), "OutcomeUnknown");
    }

private:
    static void stages() {
        QTest::addColumn<Stage>("stage");
        QTest::newRow("first try") << Stage::FirstTry;
        QTest::newRow("second try") << Stage::SecondTry;
        QTest::newRow("asleep") << Stage::Asleep;
        QTest::newRow("setting leases") << Stage::SettingLeases;
    }

    void openFleet(size_t members, Milliseconds watchdogTimeout = 30s) {
        m_fleet = std::make_unique<FakeFleet>(*m_clock, members, watchdogTimeout);
        m_fleet->open();
    }
    [[nodiscard]] Running tryLock(Milliseconds wait, std::optional<Milliseconds> lease = std::nullopt) {
        return test::start(MultiLock(m_fleet->locks())
                               .tryLock(FakeFleet::owner, Deadline::in(*m_clock, wait), lease, m_stop.get_token()));
    }
    // lock(), with the same type of answer as the other calls.
    [[nodiscard]] Running lock(std::optional<Milliseconds> lease = std::nullopt) {
        return test::start(MultiLock(m_fleet->locks())
                               .tryLock(FakeFleet::owner, Deadline::never(*m_clock), lease, m_stop.get_token()));
    }
    [[nodiscard]] test::Running<Result<ReleaseOutcome>> unlock() {
        return test::start(MultiLock(m_fleet->locks()).unlock(FakeFleet::owner));
    }
    void takeFirst() {
        QVERIFY(m_fleet->sent(0).value(0).startsWith(u"acquire"));
        m_fleet->reply(0, FakeFleet::taken);
    }
    void takeAll(const QString& command) {
        for (size_t member = 0; member < m_fleet->size(); ++member) {
            QCOMPARE(m_fleet->sent(member), QStringList{command});
            m_fleet->reply(member, FakeFleet::taken);
        }
    }

    // A call with a lease that may wait for 600 ms and can be cancelled with m_stop.
    Running bring(Stage stage) {
        const Running call = tryLock(600ms, 2000ms);
        if (stage == Stage::SettingLeases) {
            takeAll("acquire 1200");
            [&] { QCOMPARE(m_fleet->sent(0), QStringList{"renew 2000"}); }();
            m_fleet->reply(0, renewed);
            [&] { QCOMPARE(m_fleet->sent(1), QStringList{"renew 2000"}); }();
            return call;
        }
        [&] { QCOMPARE(m_fleet->sent(0), QStringList{"acquire 1200"}); }();
        if (stage == Stage::FirstTry)
            return call;
        m_fleet->reply(0, FakeFleet::taken);
        [&] { QCOMPARE(m_fleet->sent(1), QStringList{"acquire 1200"}); }();
        if (stage == Stage::Asleep) {
            m_fleet->reply(1, test::number(60000));
            m_fleet->letWait(1, 60000);
        }
        return call;
    }

    [[nodiscard]] QList<qint64> holds() const {
        QList<qint64> counts;
        for (size_t member = 0; member < m_fleet->size(); ++member)
            counts += m_fleet->held(member);
        return counts;
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<FakeFleet> m_fleet;
    std::stop_source m_stop;
};

LOCKKEEPER_TEST(TestMultiLock, Guiless)

}  // namespace tst_multilock

#include "tst_multilock.moc"
