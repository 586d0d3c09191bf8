// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "topology/ssh/askpassclient.h"
#include "topology/ssh/askpassserver.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_askpassserver {

using namespace lockkeeper::topology;

// The path of a question: the program that ssh runs, a socket, the server and back.
class TestAskpassServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_server = std::make_unique<AskpassServer>("/usr/bin/lockkeeper", m_folder->filePath("a"), "me@jump");
        QVERIFY(m_server->isListening());
        QProcessEnvironment environment;
        m_server->addTo(environment);
        QCOMPARE(environment.value("SSH_ASKPASS"), "/usr/bin/lockkeeper");
        QCOMPARE(environment.value("SSH_ASKPASS_REQUIRE"), "force");
        qputenv(askpassSocketVariable, environment.value(askpassSocketVariable).toLatin1());
        qputenv(askpassTokenVariable, environment.value(askpassTokenVariable).toLatin1());
        QVERIFY(AskpassClient::isWanted());
        m_questions.clear();
        m_over.clear();
        connect(m_server.get(), &AskpassServer::asked, this,
                [this](const SshQuestion& question) { m_questions << question; });
        connect(m_server.get(), &AskpassServer::over, this, [this](SshQuestionId id) { m_over << id; });
    }
    void cleanup() {
        for (const char* variable : {askpassSocketVariable, askpassTokenVariable, "SSH_ASKPASS_PROMPT"})
            qunsetenv(variable);
        QVERIFY(!AskpassClient::isWanted());
    }

    void anAnswerComesBackExactly_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("a word") << QByteArray("secret");
        QTest::newRow("nothing") << QByteArray("");
        QTest::newRow("any bytes") << QByteArray(
            "k\xc3\xa4"
            "fer \xff\0 7",
            10);
    }
    void anAnswerComesBackExactly() {
        QFETCH(QByteArray, answer);
        AskpassClient client;
        const QSignalSpy answered(&client, &AskpassClient::answered);
        const QSignalSpy refused(&client, &AskpassClient::refused);
        client.ask("me@jump's password: ");
        QTRY_COMPARE(m_questions.size(), 1);
        QCOMPARE(m_questions.first().words, "me@jump's password: ");
        QCOMPARE(m_questions.first().jumpHost, "me@jump");
        QVERIFY(m_server->hasOpenQuestion());
        m_server->answer(m_questions.first().id, answer);
        QVERIFY(!m_server->hasOpenQuestion());
        QCOMPARE(m_over, QList{m_questions.first().id});
        QTRY_COMPARE(answered.size(), 1);
        QCOMPARE(answered.first().first().toByteArray(), answer);
        QVERIFY(refused.isEmpty());
    }

    void theKindIsWhatSshAsks_data() {
        QTest::addColumn<QByteArray>("hint");
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<SshQuestion::Kind>("kind");
        QTest::newRow("password") << QByteArray() << QByteArray("Password: ") << SshQuestion::Kind::Secret;
        QTest::newRow("unknown host") << QByteArray()
                                      << QByteArray(
                                             "Are you sure you want to continue connecting (yes/no/[fingerprint])? ")
                                      << SshQuestion::Kind::YesNo;
        QTest::newRow("the use of a key") << QByteArray("confirm") << QByteArray("Allow?") << SshQuestion::Kind::YesNo;
        QTest::newRow("a key to touch") << QByteArray("none") << QByteArray("Touch it") << SshQuestion::Kind::Notice;
    }
    void theKindIsWhatSshAsks() {
        QFETCH(QByteArray, hint);
        QFETCH(QByteArray, words);
        qputenv("SSH_ASKPASS_PROMPT", hint);
        AskpassClient client;
        client.ask(words);
        QTRY_COMPARE(m_questions.size(), 1);
        QTEST(m_questions.first().kind, "kind");
    }

    void whatIsNotAnsweredIsRefused() {
        AskpassClient client;
        const QSignalSpy refused(&client, &AskpassClient::refused);
        client.ask("Password: ");
        QTRY_COMPARE(m_questions.size(), 1);
        m_server->closeAll();
        QTRY_COMPARE(refused.size(), 1);
        QCOMPARE(m_over, QList{m_questions.first().id});
    }

    void aQuestionOfNoInterestIsOver() {
        auto client = std::make_unique<AskpassClient>();
        client->ask("Touch it");
        QTRY_COMPARE(m_questions.size(), 1);
        client.reset();
        QTRY_COMPARE(m_over, QList{m_questions.first().id});
        m_server->answer(m_questions.first().id, "too late");
    }

    void anotherProgramIsNotServed() {
        qputenv(askpassTokenVariable, "guessed");
        AskpassClient client;
        const QSignalSpy refused(&client, &AskpassClient::refused);
        client.ask("Password: ");
        QTRY_COMPARE(refused.size(), 1);
        QVERIFY(m_questions.isEmpty());
    }

    void withoutAServerTheQuestionIsRefused() {
        m_server.reset();
        AskpassClient client;
        const QSignalSpy refused(&client, &AskpassClient::refused);
        client.ask("Password: ");
        QTRY_COMPARE(refused.size(), 1);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<AskpassServer> m_server;
    QList<SshQuestion> m_questions;
    QList<SshQuestionId> m_over;
};

LOCKKEEPER_TEST(TestAskpassServer, Guiless)

}  // namespace tst_askpassserver

#include "tst_askpassserver.moc"
