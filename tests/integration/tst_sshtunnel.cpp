// SPDX-License-Identifier: Apache-2.0
#include "support/auditedengine.h"
#include "support/badserver.h"
#include "support/certificates.h"
#include "support/manualclock.h"
#include "support/places.h"
#include "support/programrun.h"
#include "support/programs.h"
#include "support/sentinelsetup.h"
#include "support/sessionprobe.h"
#include "support/sshserver.h"
#include "support/steppedsession.h"
#include "support/testprogram.h"
#include "support/tool.h"
#include "topology/ssh/sshtunnel.h"

#include <QDir>
#include <QProcess>
#include <QTest>

#include <unistd.h>
#include <csignal>

namespace tst_sshtunnel {

using namespace lockkeeper;
using namespace std::chrono_literals;
using test::SshServer;
using topology::SshQuestion;

namespace {

// The login takes a while where the machine is busy.
constexpr int patience = 20000;  // milliseconds

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

// An engine whose questions of ssh the test answers.
class AskedEngine {
public:
    AskedEngine() {
        engine.setAskpass(test::places::gui());
        engine.onReport<SshQuestion>(&engine, [this](SessionId session, const SshQuestion& question) {
            questions << question;
            if (reply)
                engine.request(session, AnswerSsh{question.id, *reply});
        });
        engine.onReport<SshQuestionOver>(&engine, [this](SessionId, SshQuestionOver ended) { over << ended.question; });
    }

    test::AuditedEngine engine;
    std::optional<topology::SshAnswer> reply;  // to every question; nothing: none is answered
    QList<SshQuestion> questions;
    QList<topology::SshQuestionId> over;
};

// A Redis that also accepts TLS, with a certificate for this name.
class TlsServer {
public:
    explicit TlsServer(const QString& name)
        : server({"--tls-port", QString::number(m_port.number()), "--tls-cert-file", m_authority.certificate(name),
                  "--tls-key-file", m_authority.key(name), "--tls-ca-cert-file", m_authority.authority(),
                  "--tls-auth-clients", "no"}) {
        m_authority.issue(name, QStringLiteral("DNS:") + name);
    }
    [[nodiscard]] QString url() const {
        return QStringLiteral("rediss://localhost:%1?ca=%2&ssh=jump").arg(m_port.number()).arg(m_authority.authority());
    }

private:
    test::Certificates m_authority;
    const lab::ReservedPort m_port;

public:
    test::RedisServer server;
};

// Runs the program itself, without a terminal at which ssh could ask.
test::ProgramRun run(const QStringList& arguments) {
    QProcess program;
    program.setChildProcessModifier([] { setsid(); });
    program.start(test::places::program(), arguments);
    return test::endOf(program);
}

// Inodes of the TCP sockets that listen on this machine.
QSet<QByteArray> listeningSockets() {
    QSet<QByteArray> inodes;
    for (const QString& table : {QStringLiteral("/proc/net/tcp"), QStringLiteral("/proc/net/tcp6")}) {
        QFile file(table);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (const QByteArray& line : file.readAll().split('\n')) {
            const QByteArrayList fields = line.simplified().split(' ');
            if (fields.value(3) == "0A")
                inodes << fields.value(9);
        }
    }
    return inodes;
}

bool listens(qint64 process, const QSet<QByteArray>& listening) {
    const QDir files(QStringLiteral("/proc/%1/fd").arg(process));
    const QStringList entries = files.entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System);
    return std::any_of(entries.begin(), entries.end(), [&](const QString& entry) {
        QByteArray target(64, '\0');
        const QByteArray path = QFile::encodeName(files.filePath(entry));
        target.truncate(std::max<qsizetype>(0, readlink(path.constData(), target.data(), 64)));
        return target.startsWith("socket:[") && listening.contains(target.mid(8).chopped(1));
    });
}

}  // namespace

// Sessions through a real sshd, with the user's own ssh: what works through it, what ssh asks, and what fails.
class TestSshTunnel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void cleanup() { m_redis.cli({"FLUSHALL"}); }

    void seesLocksAndTakesOne_data() {
        QTest::addColumn<bool>("tls");
        QTest::newRow("TCP") << false;
        QTest::newRow("TLS") << true;
    }
    void seesLocksAndTakesOne() {
        QFETCH(bool, tls);
        SshServer jump;
        QVERIFY(jump.start());
        TlsServer tlsServer(QStringLiteral("localhost"));
        test::RedisServer& server = tlsServer.server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(tls ? tlsServer.url() : QStringLiteral("redis://localhost:%1?ssh=jump").arg(server.port()));
        QTRY_VERIFY2_WITH_TIMEOUT(page.holds("L"), reason(page), patience);
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        QCOMPARE(server.cli({"EXISTS", "mine"}), "1");
        server.cli({"HSET", "later", holder, "1"});
        QTRY_VERIFY(page.holds("later"));
        QCOMPARE(jump.logins(), 1);
        QVERIFY(asked.questions.isEmpty());
    }

    // From its first session on sshd sends small packets at once; before that, answers may come 40 ms late.
    void beginsOneSessionForTheSakeOfSpeed_data() {
        QTest::addColumn<bool>("allowed");
        QTest::newRow("allowed") << true;
        QTest::newRow("a host that only forwards") << false;
    }
    void beginsOneSessionForTheSakeOfSpeed() {
        QFETCH(bool, allowed);
        SshServer jump;
        if (!allowed)
            jump.forbidSessions();
        QVERIFY(jump.start());
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(QStringLiteral("redis://localhost:%1?ssh=jump").arg(server.port()));
        QTRY_VERIFY2_WITH_TIMEOUT(page.holds("L"), reason(page), patience);
        QTRY_COMPARE(jump.sessions(), allowed ? 1 : 0);
        QCOMPARE(jump.logins(), 1);
    }

    void verifiesTheServersNameThroughTheTunnel() {
        SshServer jump;
        QVERIFY(jump.start());
        TlsServer tlsServer(QStringLiteral("redis.example"));
        QVERIFY(tlsServer.server.start());
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(tlsServer.url());
        QTRY_COMPARE_WITH_TIMEOUT(page.status.phase, ConnectionPhase::Failed, patience);
        QVERIFY2(page.status.error->code == ErrorCode::Tls, reason(page));
    }

    void findsTheMasterOfSentinels() {
        SshServer jump;
        QVERIFY(jump.start());
        test::SentinelSetup setup(1);
        QVERIFY(setup.start());
        setup.first().cli({"HSET", "L", holder, "1"});
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(setup.url() + QStringLiteral("?ssh=jump"));
        QTRY_VERIFY2_WITH_TIMEOUT(page.holds("L"), reason(page), patience);
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        // As many logins as sessions, whatever the number of connections.
        QCOMPARE(jump.logins(), 1);
        QVERIFY(setup.failOver());
        setup.second().cli({"HSET", "on the new master", holder, "1"});
        QTRY_VERIFY_WITH_TIMEOUT(page.holds("on the new master"), patience);
        QCOMPARE(jump.logins(), 1);
    }

    void opensNoPort() {
        SshServer jump;
        const lab::ReservedPort forwarded;
        jump.configure("LocalForward " + QByteArray::number(forwarded.number()) + " localhost:1");
        jump.configure("RemoteCommand echo not for this");
        QVERIFY(jump.start());
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(url());
        QTRY_VERIFY2_WITH_TIMEOUT(page.isConnected(), reason(page), patience);
        const QSet<QByteArray> listening = listeningSockets();
        QVERIFY(!listening.isEmpty());
        const QList<qint64> processes = jump.processes(SshServer::Role::Any);
        QVERIFY(processes.size() >= 2);
        for (const qint64 process : processes)
            QVERIFY(!listens(process, listening));
        QVERIFY(!listens(QCoreApplication::applicationPid(), listening));
    }

    void comesBackWhenTheTunnelIsKilled() {
        SshServer jump;
        QVERIFY(jump.start());
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(url());
        QTRY_VERIFY2_WITH_TIMEOUT(page.isConnected(), reason(page), patience);
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        const QList<qint64> masters = jump.processes(SshServer::Role::Master);
        QCOMPARE(masters.size(), 1);
        ::kill(static_cast<pid_t>(masters.first()), SIGKILL);
        QTRY_COMPARE(page.status.phase, ConnectionPhase::Reconnecting);
        m_redis.cli({"HSET", "meanwhile", holder, "1"});
        QTRY_VERIFY2_WITH_TIMEOUT(page.holds("meanwhile"), reason(page), patience);
        QCOMPARE(jump.logins(), 2);
        QVERIFY(page.lost.isEmpty());
        QCOMPARE(m_redis.cli({"EXISTS", "mine"}), "1");
    }

    void aJumpHostThatIsGoneIsNotStormed() {
        SshServer jump;
        QVERIFY(jump.start());
        test::SteppedSession page(url(), test::places::gui());
        QTRY_VERIFY2_WITH_TIMEOUT(page.isConnected(), reason(page), patience);
        jump.forgetUser();
        ::kill(static_cast<pid_t>(jump.processes(SshServer::Role::Master).first()), SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(jump.refusals(), 1, patience);
        // After 1 s, and again after 2 s.
        const SteadyTime begin = page.now();
        QTRY_COMPARE_WITH_TIMEOUT(jump.refusals(), 3, patience);
        QVERIFY(page.now() > begin + 2500ms);
        QVERIFY2(page.status.error->text.contains("Permission denied"), reason(page));
    }

    void saysWhyInSshsWords_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("words");
        QTest::newRow("the jump host refuses") << "stopped"
                                               << "Connection refused";
        QTest::newRow("it does not know the user") << "unknown user"
                                                   << "Permission denied (publickey)";
        QTest::newRow("its key has changed") << "host key"
                                             << "REMOTE HOST IDENTIFICATION HAS CHANGED";
        QTest::newRow("the server behind it refuses") << "no server"
                                                      << "Connection refused";
        QTest::newRow("no name of a host") << "no host"
                                           << "nowhere.invalid";
    }
    void saysWhyInSshsWords() {
        QFETCH(QString, fault);
        QFETCH(QString, words);
        SshServer jump;
        QVERIFY(jump.start());
        const lab::ReservedPort nobody;
        if (fault == u"stopped")
            jump.stop();
        if (fault == u"unknown user")
            jump.forgetUser();
        if (fault == u"host key")
            jump.setHostKey(SshServer::HostKey::Changed);
        AskedEngine asked;
        asked.reply = "yes";
        test::SessionProbe page(asked.engine);
        page.connectTo(fault == u"no server" ? QStringLiteral("redis://127.0.0.1:%1?ssh=jump").arg(nobody.number())
                       : fault == u"no host" ? url().replace("ssh=jump", "ssh=nowhere.invalid")
                                             : url());
        QTRY_COMPARE_WITH_TIMEOUT(page.status.phase, ConnectionPhase::Failed, patience);
        QCOMPARE(page.status.error->code, ErrorCode::Ssh);
        QCOMPARE(page.status.error->cause, Cause::SshEnded);
        QVERIFY2(page.status.error->text.contains(words), reason(page));
        QVERIFY(asked.questions.isEmpty());
        if (fault == u"host key")
            QCOMPARE(jump.logins(), 0);
    }

    void anUnknownHostIsTheUsersDecision_data() {
        QTest::addColumn<topology::SshAnswer>("reply");
        QTest::addColumn<bool>("connects");
        QTest::addColumn<Cause>("cause");
        QTest::newRow("yes") << topology::SshAnswer("yes") << true << Cause::None;
        QTest::newRow("no") << topology::SshAnswer("no") << false << Cause::SshEnded;
        QTest::newRow("cancelled") << topology::SshAnswer() << false << Cause::SshQuestionCancelled;
    }
    void anUnknownHostIsTheUsersDecision() {
        QFETCH(topology::SshAnswer, reply);
        QFETCH(bool, connects);
        QFETCH(Cause, cause);
        SshServer jump;
        jump.setHostKey(SshServer::HostKey::Unknown);
        QVERIFY(jump.start());
        AskedEngine asked;
        asked.reply = reply;
        test::SessionProbe page(asked.engine);
        page.connectTo(url());
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected() || page.status.phase == ConnectionPhase::Failed, patience);
        QCOMPARE(asked.questions.size(), 1);
        QCOMPARE(asked.questions.first().kind, SshQuestion::Kind::YesNo);
        QCOMPARE(asked.questions.first().jumpHost, "jump");
        QVERIFY2(asked.questions.first().words.contains("authenticity of host"),
                 qPrintable(asked.questions.first().words));
        QCOMPARE(asked.over, QList{asked.questions.first().id});
        QVERIFY2(page.isConnected() == connects, reason(page));
        QCOMPARE(jump.isKnown(), connects);
        if (!connects)
            QCOMPARE(page.status.error->cause, cause);
    }

    void asksForAPassPhrase() {
        SshServer jump(QStringLiteral("käfer 7"));
        QVERIFY(jump.start());
        AskedEngine asked;
        asked.reply = "käfer 7";
        test::SessionProbe page(asked.engine);
        page.connectTo(url());
        QTRY_VERIFY2_WITH_TIMEOUT(page.isConnected(), reason(page), patience);
        QCOMPARE(asked.questions.size(), 1);
        QCOMPARE(asked.questions.first().kind, SshQuestion::Kind::Secret);
    }

    void aQuestionEndsWithItsSession() {
        SshServer jump;
        jump.setHostKey(SshServer::HostKey::Unknown);
        QVERIFY(jump.start());
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(url());
        QTRY_COMPARE_WITH_TIMEOUT(asked.questions.size(), 1, patience);
        QCOMPARE(page.status.phase, ConnectionPhase::Connecting);
        page.link.disconnectFromServer();
        QTRY_VERIFY(!page.link.isOpen());
        QCOMPARE(asked.over, QList{asked.questions.first().id});
        QVERIFY(jump.processes(SshServer::Role::Any).isEmpty());
    }

    void allProcessesEndWithTheSession() {
        SshServer jump;
        QVERIFY(jump.start());
        AskedEngine asked;
        test::SessionProbe page(asked.engine);
        page.connectTo(url());
        QTRY_VERIFY2_WITH_TIMEOUT(page.isConnected(), reason(page), patience);
        QVERIFY(!jump.processes(SshServer::Role::Any).isEmpty());
        page.link.disconnectFromServer();
        QTRY_VERIFY(!page.link.isOpen());
        QVERIFY(jump.processes(SshServer::Role::Any).isEmpty());
    }

    // ---- time ----

    void aSilentJumpHostIsGivenUpInTime() {
        const SshServer ssh;
        const test::BadServer silent({{}, {}, test::BadServer::Afterwards::KeepSilent});
        test::ManualClock clock;
        topology::SshTunnel tunnel({{}, QStringLiteral("127.0.0.1"), silent.port()}, test::places::gui(), clock);
        std::optional<Result<Done>> opened;
        tunnel.open().then([&opened](const Result<Done>& result) { opened = result; });
        QTRY_VERIFY(!ssh.processes(SshServer::Role::Master).isEmpty());
        clock.advance(14s);
        QVERIFY(!opened);
        clock.advance(2s);
        QTRY_VERIFY(opened);
        QCOMPARE(opened->error(), Error(ErrorCode::Ssh, Cause::SshNotInTime, {QStringLiteral("15")}));
        QVERIFY(ssh.processes(SshServer::Role::Any).isEmpty());
    }

    void theTimeForAnAnswerDoesNotCount_data() {
        QTest::addColumn<bool>("answers");
        QTest::newRow("answered") << true;
        QTest::newRow("cancelled") << false;
    }
    void theTimeForAnAnswerDoesNotCount() {
        QFETCH(bool, answers);
        SshServer jump;
        jump.setHostKey(SshServer::HostKey::Unknown);
        QVERIFY(jump.start());
        test::ManualClock clock;
        topology::SshTunnel tunnel({{}, QStringLiteral("jump"), 0}, test::places::gui(), clock);
        QList<SshQuestion> questions;
        connect(&tunnel, &topology::SshTunnel::asked, this,
                [&](const SshQuestion& question) { questions << question; });
        std::optional<Result<Done>> opened;
        tunnel.open().then([&opened](const Result<Done>& result) { opened = result; });
        QTRY_COMPARE_WITH_TIMEOUT(questions.size(), 1, patience);
        clock.advance(1h);
        QVERIFY(!opened);
        tunnel.answer(questions.first().id, answers ? topology::SshAnswer("yes") : topology::SshAnswer());
        QTRY_VERIFY_WITH_TIMEOUT(opened, patience);
        QCOMPARE(opened->ok(), answers);
        if (answers)
            return;
        // The user was asked, and is not asked again.
        clock.advance(1h);
        opened.reset();
        tunnel.open().then([&opened](const Result<Done>& result) { opened = result; });
        QVERIFY(opened);
        QCOMPARE(opened->error().cause, Cause::SshQuestionCancelled);
    }

    // ---- the program itself ----

    void listsTheLocks() {
        SshServer jump;
        QVERIFY(jump.start());
        m_redis.cli({"HSET", "L", holder, "1"});
        const test::ProgramRun list = run({"list", url()});
        QCOMPARE(list.exitCode, 0);
        QVERIFY2(list.out.contains("L"), list.out);
        QCOMPARE(list.err, "");
        QVERIFY(jump.processes(SshServer::Role::Any).isEmpty());
    }

    void holdsALockWhileACommandRuns() {
        SshServer jump;
        QVERIFY(jump.start());
        const test::ProgramRun lock =
            run({"lock", url(), "L", "--", "redis-cli", "-s", m_redis.socketPath(), "EXISTS", "L"});
        QCOMPARE(lock.exitCode, 0);
        QCOMPARE(lock.out.trimmed(), "1");
        QCOMPARE(lock.err, "");
        QCOMPARE(m_redis.cli({"EXISTS", "L"}), "0");
    }

    void atATerminalSshAsksThere_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("yes") << QByteArray("yes\n") << 0;
        QTest::newRow("no") << QByteArray("no\n") << 3;
    }
    void atATerminalSshAsksThere() {
        QFETCH(QByteArray, typed);
        QFETCH(int, exitCode);
        SshServer jump;
        jump.setHostKey(SshServer::HostKey::Unknown);
        QVERIFY(jump.start());
        QProcess terminal;
        const QString command = QStringLiteral("'%1' list '%2'").arg(test::places::program(), url());
        terminal.start(test::tool("script", "bsdutils"), {"-qec", command, "/dev/null"});
        QByteArray shown;
        QTRY_VERIFY2_WITH_TIMEOUT((shown += terminal.readAll()).contains("fingerprint])?"), shown, patience);
        terminal.write(typed);
        QTRY_COMPARE_WITH_TIMEOUT(terminal.state(), QProcess::NotRunning, patience);
        QCOMPARE(terminal.exitCode(), exitCode);
        QCOMPARE(jump.isKnown(), exitCode == 0);
    }

    void withoutATerminalNothingCanBeAsked() {
        SshServer jump;
        jump.setHostKey(SshServer::HostKey::Unknown);
        QVERIFY(jump.start());
        const test::ProgramRun list = run({"list", url()});
        QCOMPARE(list.exitCode, 3);
        QVERIFY2(list.err.contains("Host key verification failed"), list.err);
        QVERIFY(!jump.isKnown());
    }

    void everyProcessEndsWhenTheProgramCrashes() {
        SshServer jump;
        QVERIFY(jump.start());
        QProcess program;
        program.start(test::places::program(), {"watch", url()});
        QTRY_VERIFY_WITH_TIMEOUT(jump.processes(SshServer::Role::Any).size() >= 2, patience);
        program.kill();
        QTRY_COMPARE(program.state(), QProcess::NotRunning);
        QTRY_VERIFY(jump.processes(SshServer::Role::Any).isEmpty());
    }

private:
    [[nodiscard]] QString url() const { return QStringLiteral("redis://127.0.0.1:%1?ssh=jump").arg(m_redis.port()); }
    template <typename Page>
    const char* reason(const Page& page) {
        m_reason = page.status.error ? page.status.error->text.toUtf8() : QByteArray("no error");
        return m_reason.constData();
    }

    test::RedisServer m_redis;
    QByteArray m_reason;
};

LOCKKEEPER_TEST(TestSshTunnel, Guiless)

}  // namespace tst_sshtunnel

#include "tst_sshtunnel.moc"
