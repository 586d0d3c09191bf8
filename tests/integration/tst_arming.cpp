// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/readaudit.h"
#include "control/consolecause.h"
#include "engine/threadedengine.h"
#include "platform/filelock.h"
#include "profile/aclline.h"
#include "redis/sockettransport.h"
#include "session/armedconsole.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QDir>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_arming {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

const QString otherHolder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:34");
const QString someHolder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

profile::ConnectionProfile profileFor(const test::RedisServer& server) {
    profile::ConnectionProfile profile;
    profile.endpoint = server.options().endpoint;
    profile.id = profile.addressId();
    return profile;
}

}  // namespace

// A session writes only while it is armed. The list of clients and the command counts of a real server show it.
class TestArming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_engine =
            std::make_unique<ThreadedEngine>(monitor::MonitorOptions(), history::HistoryOptions(), auditFolder());
        m_page = std::make_unique<test::SessionProbe>(*m_engine);
    }
    void cleanup() {
        m_page.reset();
        m_engine.reset();
        m_server.stop();
        QDir(auditFolder()).removeRecursively();
    }

    void aSessionIsReadOnlyUntilItIsArmed() {
        m_server.cli({"HSET", "L", someHolder, "1"});
        QVERIFY(connectTo(profileFor(m_server)));
        QTRY_VERIFY(m_page->holds("L"));
        QCOMPARE(m_page->arming, Arming());
        QCOMPARE(refusalOf(acquire("mine")), control::ConsoleCause::NotArmed);
        QCOMPARE(refusalOf(release("mine")), control::ConsoleCause::NotArmed);
        QCOMPARE(refusalOf(forceRelease("L")), control::ConsoleCause::NotArmed);
        QVERIFY(!hasWritingConnection());
        QCOMPARE(scriptsRun(), 0);
    }

    void armedItWritesUntilItIsDisarmed() {
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QTRY_VERIFY(hasWritingConnection());
        QVERIFY(m_page->arming.until);
        QCOMPARE(outcomeOf(acquire("mine")), control::Outcome::Acquired);
        QCOMPARE(outcomeOf(release("mine")), control::Outcome::Released);
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        QCOMPARE(m_page->arming.ended, ArmingEnd::ByHand);
        QTRY_VERIFY(!hasWritingConnection());
        QCOMPARE(refusalOf(acquire("mine")), control::ConsoleCause::NotArmed);
        QVERIFY(m_page->isConnected());
    }

    void aLockThatIsHeldIsRenewedAndReleasedAfterIt() {
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QCOMPARE(outcomeOf(acquire("mine")), control::Outcome::Acquired);
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::Draining);
        QCOMPARE(refusalOf(acquire("other")), control::ConsoleCause::NotArmed);
        QCOMPARE(refusalOf(acquire("mine")), control::ConsoleCause::NotArmed);  // a reentry takes something, too
        m_server.cli({"PEXPIRE", "mine", "2000"});
        QTRY_VERIFY(m_server.cli({"PTTL", "mine"}).toInt() > 20000);
        QVERIFY(hasWritingConnection());
        QCOMPARE(outcomeOf(release("mine")), control::Outcome::Released);
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        QTRY_VERIFY(!hasWritingConnection());
    }

    // The server may not have answered yet, so what it would refuse is not known.
    void itIsDisarmedAtAnyMoment() {
        QVERIFY(connectTo(profileFor(m_server)));
        QLocalSocket other;
        other.connectToServer(m_server.socketPath());
        for (int i = 0; i < 30; ++i) {
            QVERIFY(arm());
            for (int trip = 0; trip < i; ++trip)  // the connection is made of such round trips
                QVERIFY(roundTrip(other));
            m_page->link.request(Disarm());
            QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        }
        QTRY_VERIFY(!hasWritingConnection());
    }

    void theConnectionEndsAlsoWithALockThatIsLost() {
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QCOMPARE(outcomeOf(acquire("mine")), control::Outcome::Acquired);
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::Draining);
        m_server.cli({"DEL", "mine"});
        QTRY_COMPARE(m_page->lost, QList<LockName>{LockName("mine")});
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        QTRY_VERIFY(!hasWritingConnection());
    }

    // The server holds the acquire up, and executes it later.
    void theConnectionStaysUntilItIsKnownWhatBecameOfEachCommand() {
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QTRY_VERIFY(hasWritingConnection());
        QCOMPARE(m_server.cli({"CLIENT", "PAUSE", "600000", "WRITE"}), "OK");
        const OperationId taking = acquire("mine");
        QTRY_VERIFY(isHeldUp());
        m_page->link.request(Disarm());
        QVERIFY(resultOf(taking).error);
        QCOMPARE(m_page->arming.state, ArmingState::Draining);
        QVERIFY(hasWritingConnection());
        QCOMPARE(m_server.cli({"CLIENT", "UNPAUSE"}), "OK");
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        QTRY_VERIFY(!hasWritingConnection());
        QCOMPARE(m_server.cli({"EXISTS", "mine"}), "0");
    }

    void itCanBeArmedAgainWhileALockIsHeld() {
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QCOMPARE(outcomeOf(acquire("mine")), control::Outcome::Acquired);
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::Draining);
        QVERIFY(arm());
        QCOMPARE(outcomeOf(acquire("mine")), control::Outcome::Acquired);
        QCOMPARE(m_page->own.first().count, 2);
    }

    void aConnectionThatIsLostEndsIt() {
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QCOMPARE(outcomeOf(acquire("mine")), control::Outcome::Acquired);
        killWritingConnections();
        QTRY_COMPARE(m_page->arming.state, ArmingState::Draining);
        QCOMPARE(m_page->arming.ended, ArmingEnd::ConnectionLost);
        QVERIFY(m_page->arming.error);
        QTRY_VERIFY(hasWritingConnection());  // for the lock that is held
        QCOMPARE(outcomeOf(release("mine")), control::Outcome::Released);
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
    }

    void anAcquireThatWaitsGivesUp() {
        m_server.cli({"HSET", "L", someHolder, "1"});
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        control::AcquireRequest request;
        request.name = LockName("L");
        request.wait = 1h;
        const OperationId waiting = m_page->link.request(request);
        QTRY_VERIFY(!m_server.cli({"PUBSUB", "CHANNELS", "redisson_lock__channel:*"}).isEmpty());
        m_page->link.request(Disarm());
        QCOMPARE(refusalOf(waiting), control::ConsoleCause::NotArmed);
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
    }

    // The extension takes the lock once more: it is not the renewal of a watchdog.
    void anExtensionThatIsUnderWayIsTakenBack() {
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QCOMPARE(outcomeOf(acquire("mine")), control::Outcome::Acquired);
        QCOMPARE(m_server.cli({"CLIENT", "PAUSE", "600000", "WRITE"}), "OK");
        control::AcquireRequest request;
        request.name = LockName("mine");
        request.extends = true;
        const OperationId extending = m_page->link.request(request);
        QTRY_VERIFY(isHeldUp());
        const int before = scriptsRun();
        m_page->link.request(Disarm());
        QCOMPARE(refusalOf(extending), control::ConsoleCause::NotArmed);
        QCOMPARE(m_server.cli({"CLIENT", "UNPAUSE"}), "OK");
        QTRY_VERIFY(scriptsRun() >= before + 2);
        QTRY_COMPARE(m_server.cli({"HVALS", "mine"}), "1");
        QCOMPARE(outcomeOf(release("mine")), control::Outcome::Released);
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
    }

    // The intent waits for the disk, so the command is not sent yet.
    void aForceReleaseThatIsNotSentYetIsNotSent() {
        m_server.cli({"HSET", "L", someHolder, "1"});
        QVERIFY(QDir().mkpath(auditFolder()));
        QVERIFY(connectTo(profileFor(m_server)));
        QVERIFY(arm());
        QTRY_VERIFY(m_page->holds("L"));
        QTRY_VERIFY(hasWritingConnection());
        auto disk = std::make_unique<platform::FileLock>(auditFolder() + QStringLiteral("/lock"));
        QVERIFY(disk->acquire(1s));
        const OperationId forced = forceRelease("L");
        QCOMPARE(resultOf(release("other")).error->code,
                 ErrorCode::NotHeld);  // sent after the force on the same connection
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::Draining);
        disk.reset();
        QCOMPARE(refusalOf(forced), control::ConsoleCause::NotArmed);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        const Result<control::AuditReading> audit = control::readAudit(auditFolder());
        QCOMPARE(audit->lines.back().record->outcome, control::AuditOutcome::NotSent);
    }

    void aProfileThatNeverWritesCannotBeArmed() {
        profile::ConnectionProfile never = profileFor(m_server);
        never.access = redis::AccessMode::ReadOnly;
        QVERIFY(connectTo(never));
        m_page->link.request(ArmFor{10min});
        QCOMPARE(refusalOf(acquire("mine")), control::ConsoleCause::NeverArmed);
        QVERIFY(!m_page->arming.isArmed());
        QVERIFY(!hasWritingConnection());
    }

    void itWritesAsItsOwnUser() {
        m_server.cli({"ACL", "SETUSER", "writer", "on", ">secret", "~*", "&*", "+@all"});
        profile::ConnectionProfile two = profileFor(m_server);
        two.writing = {"writer", "secret"};
        QVERIFY(connectTo(two));
        QVERIFY(arm());
        QTRY_VERIFY(hasWritingConnection());
        const QStringList clients = m_server.cli({"CLIENT", "LIST"}).split(u'\n');
        for (const QString& client : clients) {
            if (client.contains(u"name=lockkeeper"))
                QCOMPARE(client.contains(u"user=writer"), client.contains(u"name=lockkeeper-console"));
        }
    }

    void theRightsThatAreNamedAreEnough_data() {
        QTest::addColumn<QByteArrayList>("matches");
        QTest::addColumn<bool>("refusesOthers");
        QTest::newRow("every name") << QByteArrayList() << false;
        QTest::newRow("a pattern") << QByteArrayList{"ours:*"} << true;
        QTest::newRow("names") << QByteArrayList{"ours:L", "ours:{rw}", "ours:mine"} << true;
        QTest::newRow("a pattern that a rule cannot have") << QByteArrayList{"ours:*", "a b*"} << false;
    }
    void theRightsThatAreNamedAreEnough() {
        QFETCH(const QByteArrayList, matches);
        QFETCH(const bool, refusesOthers);
        profile::ConnectionProfile two = profileFor(m_server);
        two.credentials = {"watcher", "first"};
        two.writing = {"writer", "second"};
        two.discovery.matches = matches;
        grantRightsOf(two);
        m_server.cli({"HSET", "ours:L", someHolder, "1"});
        m_server.cli({"RPUSH", "redisson_lock_queue:{ours:L}", otherHolder});
        m_server.cli({"ZADD", "redisson_lock_timeout:{ours:L}", "1700000300123", otherHolder});
        m_server.cli({"HSET", "ours:{rw}", "mode", "read", someHolder, "1"});
        m_server.cli({"SET", "ours:{rw}:" + someHolder + ":rwlock_timeout:1", "1", "PX", "30000"});
        m_server.cli({"HSET", "theirs:L", someHolder, "1"});
        m_server.cli({"SET", "redisson_lock_token:{theirs:L}", "7"});
        QVERIFY(connectTo(two));
        QTRY_VERIFY(m_page->holds("ours:L") && m_page->holds("ours:{rw}"));
        QCOMPARE(m_page->rows.value(LockName("ours:L")).lock.fairQueue.size(), 1);
        QCOMPARE(m_page->rows.value(LockName("ours:{rw}")).lock.readLeases().size(), 1);
        m_server.cli({"PUBLISH", "redisson_lock__channel:{theirs:L}", "0"});
        QVERIFY(arm());
        QCOMPARE(outcomeOf(acquire("ours:mine")), control::Outcome::Acquired);
        QCOMPARE(outcomeOf(release("ours:mine")), control::Outcome::Released);
        QCOMPARE(outcomeOf(forceRelease("ours:L")), control::Outcome::ForceReleased);
        QCOMPARE(outcomeOf(forceRelease("ours:{rw}")), control::Outcome::ForceReleased);
        const QString refused = m_server.cli({"ACL", "LOG"});
        QVERIFY2(!refused.contains(QStringLiteral("writer")) && !refused.contains(QStringLiteral("reason\nkey")),
                 qPrintable(refused));
        QTRY_COMPARE(m_page->holds("theirs:L"), matches.isEmpty());
        QCOMPARE(isRefused("watcher", {"HGETALL", "theirs:L"}), refusesOthers);
        QCOMPARE(isRefused("writer", {"HSET", "theirs:L", someHolder, "1"}), refusesOthers);
        QVERIFY(isRefused("watcher", {"HSET", "ours:L", someHolder, "1"}));
    }

    void theRightsAreThoseOfWhatTheProfileDoes() {
        profile::ConnectionProfile profile = profileFor(m_server);
        const auto lineOf = [&profile] { return profile::aclLines(profile, QStringLiteral("7.0.15")).back().line; };
        QCOMPARE(profile::aclLines(profile, {}).size(), 1);
        QVERIFY(lineOf().contains(QStringLiteral("%RW~*")) &&
                lineOf().startsWith(QStringLiteral("ACL SETUSER lockkeeper on ")));
        QVERIFY(!lineOf().contains(QStringLiteral("no-touch")));
        profile.deployment.cluster = {{QStringLiteral("node-1"), 6379}};
        QVERIFY(lineOf().contains(QStringLiteral("+asking")) && lineOf().contains(QStringLiteral("+cluster|shards")));
        profile.access = redis::AccessMode::ReadOnly;
        QVERIFY(!lineOf().contains(QStringLiteral("%RW~*")) && !lineOf().contains(QStringLiteral("+asking")));
        QVERIFY(profile::aclLines(profile, QStringLiteral("7.2.0"))
                    .front()
                    .line.contains(QStringLiteral("+client|no-touch")));
    }

    void aUserWhoCannotLogInEndsIt() {
        profile::ConnectionProfile two = profileFor(m_server);
        two.writing = {"nobody", "secret"};
        QVERIFY(connectTo(two));
        m_page->link.request(ArmFor{10min});
        QTRY_COMPARE(m_page->arming.ended, ArmingEnd::ConnectionLost);
        QCOMPARE(m_page->arming.error->code, ErrorCode::Auth);
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        QVERIFY(m_page->isConnected());
    }

    void theDemoIsArmedUntilItIsDisarmed() {
        m_page->link.connectToDemo(redis::AccessMode::ReadWrite);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->arming.isArmed(), 10000);
        QVERIFY(!m_page->arming.until);
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
    }

    void itsTimeEndsIt() {
        SystemClock clock;
        const redis::ConnectionOptions options = m_server.options();
        topology::OneShard shard([endpoint = options.endpoint] { return redis::makeSocketTransport(endpoint); });
        ArmedConsole console(
            [&] { return std::make_unique<control::Console>(options, shard, clock, nullptr, control::AuditPlace()); },
            LockName("L"), clock);
        QList<ArmingState> states;
        QObject::connect(&console, &ArmedConsole::armingChanged, [&states](const Arming& arming) {
            if (states.isEmpty() || states.last() != arming.state)
                states << arming.state;
        });
        console.arm(1ms);
        QTRY_COMPARE(console.arming().state, ArmingState::ReadOnly);
        QCOMPARE(console.arming().ended, ArmingEnd::TimeOver);
        QCOMPARE(states, (QList{ArmingState::Armed, ArmingState::Draining, ArmingState::ReadOnly}));
        QTRY_VERIFY(!hasWritingConnection());
    }

private:
    bool connectTo(const profile::ConnectionProfile& profile) {
        m_page->link.connectTo(profile, {});
        return QTest::qWaitFor([this] { return m_page->isConnected(); });
    }
    bool arm() {
        m_page->link.request(ArmFor{10min});
        return QTest::qWaitFor([this] { return m_page->arming.isArmed(); });
    }

    // Blocks this thread only.
    static bool roundTrip(QLocalSocket& socket) {
        socket.write("PING\r\n");
        return socket.waitForReadyRead() && socket.readAll() == "+PONG\r\n";
    }

    // Grants what aclLines() names; the user who writes has another password.
    void grantRightsOf(const profile::ConnectionProfile& profile) {
        const QString version =
            m_server.cli({"INFO", "server"}).section(QStringLiteral("redis_version:"), 1).section(u'\r', 0, 0);
        for (const profile::AclLine& acl : profile::aclLines(profile, version.trimmed())) {
            const bool writes = acl.use == profile::RightsFor::Writing;
            const QString line = QString(acl.line).replace(QStringLiteral("PASSWORD"), writes ? "second" : "first");
            QCOMPARE(m_server.cli(line.split(u' ')), "OK");
        }
    }
    bool isRefused(const QString& user, const QStringList& command) {
        const QStringList asUser{"--no-auth-warning", "--user", user, "--pass", user == u"writer" ? "second" : "first"};
        return m_server.cli(asUser + command).contains(QStringLiteral("NOPERM"));
    }

    OperationId acquire(const char* name) {
        control::AcquireRequest request;
        request.name = LockName(name);
        return m_page->link.request(request);
    }
    OperationId release(const char* name) {
        control::ReleaseRequest request;
        request.name = LockName(name);
        return m_page->link.request(request);
    }
    OperationId forceRelease(const char* name) {
        control::ForceReleaseRequest request;
        request.confirmed = m_page->rows.value(LockName(name)).lock;
        request.reason = QStringLiteral("it hangs");
        return m_page->link.request(request);
    }
    control::OperationResult resultOf(OperationId id) {
        if (!QTest::qWaitFor([this, id] { return m_page->results.contains(id); }, 10000))
            qFatal("an operation was not answered");
        return m_page->results.value(id);
    }
    control::Outcome outcomeOf(OperationId id) { return resultOf(id).outcome; }
    // Cause::None: the request was not refused for want of arming.
    AnyCause refusalOf(OperationId id) {
        const std::optional<Error> error = resultOf(id).error;
        return error && error->code == ErrorCode::NotArmed ? error->cause : AnyCause();
    }

    bool hasWritingConnection() {
        return m_server.cli({"CLIENT", "LIST"}).contains(QStringLiteral("name=lockkeeper-console"));
    }
    // Whether a command of that connection is held up.
    bool isHeldUp() {
        const QStringList clients = m_server.cli({"CLIENT", "LIST"}).split(u'\n');
        return std::any_of(clients.begin(), clients.end(), [](const QString& client) {
            return client.contains(QStringLiteral("name=lockkeeper-console")) &&
                   client.contains(QStringLiteral(" flags=b"));
        });
    }
    void killWritingConnections() {
        for (const QString& client : m_server.cli({"CLIENT", "LIST"}).split(u'\n')) {
            if (client.contains(QStringLiteral("name=lockkeeper-console")))
                m_server.cli({"CLIENT", "KILL", "ID", client.section(u' ', 0, 0).section(u'=', 1)});
        }
    }
    // Scripts that may write: the monitor sends its reads as EVAL_RO.
    int scriptsRun() {
        test::ServerHand hand(m_server);
        return hand.calls(QStringLiteral("eval")) + hand.calls(QStringLiteral("evalsha")) +
               hand.calls(QStringLiteral("publish"));
    }
    QString auditFolder() const { return m_data.filePath(QStringLiteral("audit")); }

    test::RedisServer m_server;
    QTemporaryDir m_data;
    std::unique_ptr<ThreadedEngine> m_engine;
    std::unique_ptr<test::SessionProbe> m_page;
};

LOCKKEEPER_TEST(TestArming, Guiless)

}  // namespace tst_arming

#include "tst_arming.moc"
