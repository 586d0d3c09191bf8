// SPDX-License-Identifier: Apache-2.0
#include "support/auditedengine.h"
#include "support/redisserver.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTest>

namespace tst_sessions {

using namespace lockkeeper;
using namespace std::chrono_literals;
using Page = test::SessionProbe;

namespace {

profile::ConnectionProfile profileOf(const test::RedisServer& server, int database = 0) {
    profile::ConnectionProfile profile;
    profile.endpoint = server.options().endpoint;
    profile.database = database;
    profile.id = profile.addressId();
    return profile;
}

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

}  // namespace

// Several sessions in one engine, on real servers: each reports its own server, and none disturbs another.
class TestSessions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_one.start());
        QVERIFY(m_other.start());
    }
    void cleanup() {
        m_one.stop();
        m_other.stop();
    }

    void eachShowsItsOwnServerAndDatabase() {
        m_one.cli({"HSET", "on one", holder, "1"});
        m_other.cli({"HSET", "on other", holder, "1"});
        m_one.cli({"-n", "3", "HSET", "in database 3", holder, "1"});
        test::AuditedEngine engine;
        Page one(engine);
        Page other(engine);
        Page database(engine);
        one.link.connectTo(profileOf(m_one), {});
        other.link.connectTo(profileOf(m_other), {});
        database.link.connectTo(profileOf(m_one, 3), {});
        QTRY_VERIFY(one.holds("on one") && other.holds("on other") && database.holds("in database 3"));
        QCOMPARE(one.rows.size(), 1);
        QCOMPARE(other.rows.size(), 1);
        QCOMPARE(database.rows.size(), 1);
    }

    void ownLocksAreTheSessions() {
        test::AuditedEngine engine;
        Page one(engine);
        Page other(engine);
        QVERIFY(connectBoth(one, other));
        one.acquire("mine");
        QTRY_COMPARE(one.own.size(), 1);
        QCOMPARE(other.own.size(), 0);
        QVERIFY(other.results.isEmpty());
        QCOMPARE(m_other.cli({"EXISTS", "mine"}), "0");
    }

    // The console knows that it does not renew them. Of another client's lock the TTL is all there is.
    void nothingIsGuessedAboutTheLeasesOfTheConsole() {
        const auto hold = [this](const char* name) {
            m_one.cli({"EVAL", "redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 4000)", "1",
                       name, holder});
        };
        test::AuditedEngine engine;
        Page page(engine);
        hold("mine");
        hold("theirs");
        page.link.connectTo(profileOf(m_one), {});
        QTRY_VERIFY(page.holds("mine") && page.holds("theirs"));
        m_one.cli({"DEL", "mine", "theirs"});
        QTRY_VERIFY(!page.holds("mine") && !page.holds("theirs"));
        // Both are known by now, so the next holds are seen to begin.
        page.link.request(ArmFor{10min});
        control::AcquireRequest request;
        request.name = LockName("mine");
        request.lease = 4s;
        page.link.request(request);
        QTRY_VERIFY(page.own.size() == 1 && page.holds("mine"));
        hold("theirs");
        QTRY_VERIFY_WITH_TIMEOUT(page.count(monitor::EventType::Diagnosed, "theirs") > 0, 10000);
        QTRY_VERIFY_WITH_TIMEOUT(!page.holds("mine") && !page.holds("theirs"), 10000);
        QCOMPARE(page.count(monitor::EventType::Diagnosed, "mine"), 0);
    }

    void closingOneReleasesItsLocksAndLeavesTheOthers() {
        test::AuditedEngine engine;
        Page one(engine);
        Page other(engine);
        QVERIFY(connectBoth(one, other));
        one.acquire("mine");
        other.acquire("kept");
        QTRY_VERIFY(one.own.size() == 1 && other.own.size() == 1);
        one.link.disconnectFromServer();
        QTRY_COMPARE(one.closed, 1);
        QCOMPARE(one.status.phase, ConnectionPhase::Disconnected);
        QVERIFY(!one.status.server.isEmpty());
        QCOMPARE(m_one.cli({"EXISTS", "mine"}), "0");
        QCOMPARE(m_other.cli({"EXISTS", "kept"}), "1");
        m_other.cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY(other.holds("L"));
    }

    void aSessionThatFailsIsNoNewsForAnother() {
        test::AuditedEngine engine;
        Page one(engine);
        Page failing(engine);
        one.link.connectTo(profileOf(m_one), {});
        QTRY_VERIFY(one.isConnected());
        profile::ConnectionProfile nowhere = profileOf(m_one);
        nowhere.endpoint.unixPath += QStringLiteral(".not-there");
        failing.link.connectTo(nowhere, {});
        QTRY_COMPARE(failing.status.phase, ConnectionPhase::Failed);
        QVERIFY(one.isConnected());
    }

    void aCallThatNamesNoOpenSessionIsAnswered() {
        test::AuditedEngine engine;
        std::vector<OperationFinished> answers;
        engine.onReport<OperationFinished>(&engine, [&answers](SessionId session, const OperationFinished& answer) {
            QCOMPARE(session, SessionId(77));
            answers.push_back(answer);
        });
        control::AcquireRequest request;
        request.name = LockName("L");
        const OperationId id = engine.request(SessionId(77), request);
        QTRY_COMPARE(answers.size(), size_t{1});
        QCOMPARE(answers.front().operation, id);
        QCOMPARE(answers.front().result.error->code, ErrorCode::ConnectionLost);
    }

    // Closes it also while it is still connecting, and while the demo's server starts.
    void closesWhereverItIs_data() {
        QTest::addColumn<bool>("demo");
        QTest::newRow("a server that does not answer") << false;
        QTest::newRow("the demo that starts") << true;
    }
    void closesWhereverItIs() {
        QFETCH(bool, demo);
        m_one.freeze();
        test::AuditedEngine engine;
        Page page(engine);
        demo ? page.link.connectToDemo(redis::AccessMode::ReadWrite) : page.link.connectTo(profileOf(m_one), {});
        page.link.disconnectFromServer();
        QTRY_COMPARE(page.closed, 1);
        QCOMPARE(page.status.phase, ConnectionPhase::Disconnected);
        m_one.thaw();
    }

    void shuttingDownEndsAllOfThem() {
        test::AuditedEngine engine;
        Page one(engine);
        Page other(engine);
        QVERIFY(connectBoth(one, other));
        one.acquire("mine");
        other.acquire("mine");
        QTRY_VERIFY(one.own.size() == 1 && other.own.size() == 1);
        QSignalSpy ended(&engine, &Engine::shutDownFinished);
        engine.shutDown(control::OwnLocksAtExit::Release);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(m_one.cli({"EXISTS", "mine"}), "0");
        QCOMPARE(m_other.cli({"EXISTS", "mine"}), "0");
    }

    // One server does not answer, one changes as fast as it can: the third session's events come, and its lock is
    // renewed.
    void neitherAFrozenNorAFloodedSessionDisturbsAThird() {
        test::RedisServer third;
        QVERIFY(third.start());
        test::AuditedEngine engine;
        Page frozen(engine);
        Page flooded(engine);
        Page calm(engine);
        frozen.link.connectTo(profileOf(m_one), {});
        flooded.link.connectTo(profileOf(m_other), {});
        calm.link.connectTo(profileOf(third), {});
        QTRY_VERIFY(frozen.isConnected() && flooded.isConnected() && calm.isConnected());
        calm.acquire("mine");
        QTRY_COMPARE(calm.own.size(), 1);
        m_one.freeze();
        QProcess flood;
        // Locks taken, deleted and announced, pipelined. Ends with its server, should this test crash.
        flood.start(test::tool("redis-benchmark", "redis-tools"),
                    {QStringLiteral("-s"), m_other.socketPath(), QStringLiteral("-n"), QStringLiteral("10000000"),
                     QStringLiteral("-P"), QStringLiteral("32"), QStringLiteral("-r"), QStringLiteral("100"),
                     QStringLiteral("-q"), QStringLiteral("EVAL"),
                     QStringLiteral("redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('del', KEYS[1]) "
                                    "redis.call('publish', 'redisson_lock__channel:{' .. KEYS[1] .. '}', '0')"),
                     QStringLiteral("1"), QStringLiteral("hot:__rand_int__"), holder});
        QVERIFY(flood.waitForStarted());
        third.cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY(calm.holds("L"));
        for (int i = 0; i < 50; ++i) {
            third.cli({"DEL", "L"});
            QTRY_VERIFY(!calm.holds("L"));
            third.cli({"HSET", "L", holder, "1"});
            QTRY_VERIFY(calm.holds("L"));
        }
        QCOMPARE(calm.count(monitor::EventType::Acquired, "L"), 51);
        QVERIFY(calm.lost.isEmpty());
        QVERIFY2(flood.state() == QProcess::Running, "the flood ended before the events did: it says nothing");
        flood.kill();
        QVERIFY(flood.waitForFinished());
        m_one.thaw();
    }

private:
    bool connectBoth(Page& one, Page& other) const {
        one.link.connectTo(profileOf(m_one), {});
        other.link.connectTo(profileOf(m_other), {});
        return QTest::qWaitFor([&] { return one.isConnected() && other.isConnected(); });
    }

    test::RedisServer m_one;
    test::RedisServer m_other;
};

LOCKKEEPER_TEST(TestSessions, Guiless)

}  // namespace tst_sessions

#include "tst_sessions.moc"
