// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"
#include "jvm/fetch/fetchcause.h"
#include "support/auditedengine.h"
#include "support/programs.h"
#include "support/redisserver.h"
#include "support/sshserver.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_dumpsession {

using namespace lockkeeper;
using namespace lockkeeper::test;
using topology::SshQuestion;

namespace {

// The login takes a while where the machine is busy.
constexpr int patience = 30000;  // milliseconds

// An engine with the last answers of its sessions.
struct AnsweringEngine {
    AnsweringEngine() {
        engine.setAskpass(places::gui());
        engine.onReport<ProcessesFound>(&engine, [this](SessionId, const ProcessesFound& found) { processes = found; });
        engine.onReport<DumpsTaken>(&engine, [this](SessionId, const DumpsTaken& taken) { dumps = taken; });
        engine.onReport<SshQuestionOver>(&engine, [this](SessionId, SshQuestionOver ended) { over << ended.question; });
        engine.onReport<SshQuestion>(&engine, [this](SessionId session, const SshQuestion& question) {
            questions << question;
            engine.request(session, AnswerSsh{question.id, reply});
        });
    }

    AuditedEngine engine;
    topology::SshAnswer reply;  // nothing: the user does not answer
    QList<SshQuestion> questions;
    QList<topology::SshQuestionId> over;
    std::optional<ProcessesFound> processes;
    std::optional<DumpsTaken> dumps;
};

const jvm::ProcessSearch search{
    *topology::JumpHost::parse(QStringLiteral("jump")), {QHostAddress(QHostAddress::LocalHost), 1}, false};

}  // namespace

// What a session does for a thread dump, in the thread of the engine.
class TestDumpSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClientOfTheDemoHasAPlayedDump() {
        AnsweringEngine answering;
        const SessionId demo = answering.engine.openDemo(redis::AccessMode::ReadWrite);
        const jvm::DumpOrder order{jvm::DemoDump{ClientId::random()}, jvm::DumpCount::Once};
        const OperationId operation = answering.engine.request(demo, order);
        QVERIFY(QTest::qWaitFor([&] { return answering.dumps.has_value(); }, patience));
        QCOMPARE(answering.dumps->operation, operation);
        QVERIFY(answering.dumps->dumps.ok());
        const auto dumps = jvm::threadDumpsIn(answering.dumps->dumps->first(), QTimeZone::systemTimeZone());
        QVERIFY(dumps.ok());
        QVERIFY(dumps->back().isWhole);
        QVERIFY(dumps->back().thread(33));  // every worker of the demo, but that of a client that has died
    }

    void aServerHasNoPlayedDump() {
        RedisServer server;
        QVERIFY(server.start());
        AnsweringEngine answering;
        const SessionId session =
            answering.engine.open(*profile::ConnectionProfile::fromUrl(server.url()), QList<LockName>());
        (void)answering.engine.request(session,
                                       jvm::DumpOrder{jvm::DemoDump{ClientId::random()}, jvm::DumpCount::Once});
        QVERIFY(QTest::qWaitFor([&] { return answering.dumps.has_value(); }, patience));
        QVERIFY(!answering.dumps->dumps.ok());
    }

    void theUserAnswersSsh_data() {
        QTest::addColumn<bool>("answers");
        QTest::newRow("answers") << true;
        QTest::newRow("does not") << false;
    }
    void theUserAnswersSsh() {
        QFETCH(const bool, answers);
        const QString passPhrase = QStringLiteral("correct horse");
        SshServer ssh(passPhrase);
        QVERIFY(ssh.start());
        RedisServer server;
        QVERIFY(server.start());
        AnsweringEngine answering;
        if (answers)
            answering.reply = passPhrase.toUtf8();
        const SessionId session =
            answering.engine.open(*profile::ConnectionProfile::fromUrl(server.url()), QList<LockName>());
        const OperationId operation = answering.engine.request(session, search);
        QVERIFY(QTest::qWaitFor([&] { return answering.processes.has_value(); }, patience));
        QCOMPARE(answering.processes->operation, operation);
        QCOMPARE(answering.questions.size(), 1);
        QCOMPARE(answering.questions.first().kind, SshQuestion::Kind::Secret);
        QCOMPARE(answering.questions.first().jumpHost, QStringLiteral("jump"));
        QVERIFY(QTest::qWaitFor([&] { return answering.over.contains(answering.questions.first().id); }, patience));
        const Error error = answering.processes->processes.error();  // nobody uses port 1
        QCOMPARE(error.cause == AnyCause(jvm::FetchCause::NoSuchPort), answers);
        QCOMPARE(error.code == ErrorCode::Cancelled, !answers);
        QCOMPARE(ssh.logins(), answers ? 1 : 0);
    }
};

LOCKKEEPER_TEST(TestDumpSession, Guiless)

}  // namespace tst_dumpsession

#include "tst_dumpsession.moc"
