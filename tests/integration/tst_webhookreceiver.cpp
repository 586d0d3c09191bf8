// SPDX-License-Identifier: Apache-2.0
#include "serve/commandreceiver.h"
#include "serve/servecause.h"
#include "serve/signature.h"
#include "serve/webhookreceiver.h"
#include "support/certificates.h"
#include "support/manualclock.h"
#include "support/testprogram.h"
#include "support/webreceiver.h"

#include <QJsonDocument>
#include <QSslCertificate>
#include <QTemporaryDir>
#include <QTest>

namespace tst_webhookreceiver {

using namespace lockkeeper;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using Behaviour = WebReceiver::Behaviour;

// One attempt to deliver a message, to receivers that take it and to all kinds that do not. The clock is the test's: a
// time limit is over when the test says so.
class TestWebhookReceiver : public QObject {
    Q_OBJECT

private:
    Message message() const {
        Message message = testMessage(m_clock->wallNow(), QStringLiteral("a test"));
        message.id = "0123456789abcdef0123456789abcdef";
        return message;
    }
    static QString moreText(qint64 more) { return QString::number(more); }
    void deliver(const Webhook& webhook, int attempt = 1) {
        m_end.reset();
        m_receiver = std::make_unique<WebhookReceiver>(webhook, moreText, *m_clock);
        m_receiver->deliver(message(), attempt, [this](const DeliveryEnd& end) { m_end = end; });
    }
    Webhook webhookTo(const WebReceiver& web, const MessageForm& form = MessageForm()) const {
        return {QUrl(web.url()), form};
    }
    static QByteArray headerOf(const WebReceiver::Received& received, const QByteArray& name) {
        for (const QByteArray& line : received.head.split('\n')) {
            if (line.startsWith(name + ": "))
                return line.sliced(name.size() + 2).trimmed();
        }
        return {};
    }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<Receiver> m_receiver;
    std::optional<DeliveryEnd> m_end;

private Q_SLOTS:
    void init() { m_clock = std::make_unique<ManualClock>(); }
    void cleanup() { m_receiver.reset(); }

    void itIsTaken_data() {
        QTest::addColumn<Behaviour>("behaviour");
        QTest::newRow("200") << Behaviour::Takes;
        QTest::newRow("100, then 204") << Behaviour::NoContent;
        QTest::newRow("chunks") << Behaviour::Chunked;
        QTest::newRow("a body without an end") << Behaviour::EndlessBody;  // the status is enough
    }
    void itIsTaken() {
        QFETCH(const Behaviour, behaviour);
        WebReceiver web;
        QVERIFY(web.start());
        web.behave(behaviour);
        deliver(webhookTo(web), 3);
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->kind, DeliveryEnd::Kind::Taken);
        QCOMPARE(web.received().size(), 1);
        const WebReceiver::Received& received = web.received().first();
        QVERIFY(received.head.startsWith("POST /hook/secret-path HTTP/1.1\r\n"));
        QCOMPARE(headerOf(received, "X-Lockkeeper-Id"), message().id);
        QCOMPARE(headerOf(received, "X-Lockkeeper-Attempt"), QByteArray("3"));
        QVERIFY(headerOf(received, "X-Lockkeeper-Signature").isEmpty());  // no secret
        const QJsonObject object = QJsonDocument::fromJson(received.body).object();
        QCOMPARE(object.value(QStringLiteral("schema")).toString(), QStringLiteral("lockkeeper-notify/1"));
        QCOMPARE(object.value(QStringLiteral("attempt")).toInt(), 3);
        QVERIFY(object.value(QStringLiteral("test")).toBool());
    }

    void itIsNotTaken_data() {
        QTest::addColumn<Behaviour>("behaviour");
        QTest::addColumn<ServeCause>("cause");
        QTest::addColumn<bool>("refused");
        QTest::newRow("500") << Behaviour::ServerError << ServeCause::HttpRefused << false;
        QTest::newRow("400") << Behaviour::BadRequest << ServeCause::HttpRefused << true;
        QTest::newRow("302") << Behaviour::Redirect << ServeCause::Redirected << false;
        QTest::newRow("not HTTP") << Behaviour::NotHttp << ServeCause::NotHttp << false;
        QTest::newRow("head without an end") << Behaviour::EndlessHead << ServeCause::AnswerTooLarge << false;
        QTest::newRow("cut head") << Behaviour::CloseInHead << ServeCause::AnswerCutOff << false;
        QTest::newRow("closed without an answer") << Behaviour::CloseAfterRead << ServeCause::AnswerCutOff << false;
    }
    void itIsNotTaken() {
        QFETCH(const Behaviour, behaviour);
        QFETCH(const ServeCause, cause);
        QFETCH(const bool, refused);
        WebReceiver web;
        QVERIFY(web.start());
        web.behave(behaviour);
        deliver(webhookTo(web));
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->kind, refused ? DeliveryEnd::Kind::Refused : DeliveryEnd::Kind::Failed);
        QVERIFY2(m_end->error->cause == cause, qPrintable(m_end->error->text));
        QVERIFY(!m_end->error->text.contains(QStringLiteral("secret-path")));
        // Neither a redirect nor a lost connection makes it send the message again by itself.
        QCOMPARE(web.received().size(), 1);
        QCOMPARE(web.connections(), 1);
    }

    void aReceiverMayHang_data() {
        QTest::addColumn<Behaviour>("behaviour");
        QTest::addColumn<int>("service");
        QTest::newRow("no answer") << Behaviour::Hangs << 0;
        QTest::newRow("no end of the answer") << Behaviour::Hangs << static_cast<int>(ChatService::Feishu);
    }
    void aReceiverMayHang() {
        QFETCH(const Behaviour, behaviour);
        QFETCH(const int, service);
        WebReceiver web;
        QVERIFY(web.start());
        web.behave(behaviour);
        deliver(webhookTo(web, service == 0 ? MessageForm() : MessageForm(static_cast<ChatService>(service))));
        QTRY_COMPARE(web.received().size(), 1);
        QVERIFY(!m_end);
        m_clock->advance(10s);
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->error->code, ErrorCode::Timeout);
    }

    void nobodyIsThere() {
        WebReceiver web;
        QVERIFY(web.start());
        web.stop();
        deliver(webhookTo(web));
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->error->code, ErrorCode::ConnectionRefused);
    }

    // A chat service says in its body whether it has the message.
    void theBodyOfAChatCounts_data() {
        QTest::addColumn<Behaviour>("behaviour");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<bool>("taken");
        QTest::newRow("ok") << Behaviour::Takes << QByteArray(R"({"code":0})") << true;
        QTest::newRow("ok in chunks") << Behaviour::Chunked << QByteArray(R"({"code":0})") << true;
        QTest::newRow("refused") << Behaviour::Takes << QByteArray(R"({"code":9499})") << false;
        QTest::newRow("no end") << Behaviour::EndlessBody << QByteArray() << false;
    }
    void theBodyOfAChatCounts() {
        QFETCH(const Behaviour, behaviour);
        QFETCH(const QByteArray, body);
        QFETCH(const bool, taken);
        WebReceiver web;
        QVERIFY(web.start());
        web.behave(behaviour, body);
        deliver(webhookTo(web, MessageForm(ChatService::Feishu)));
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->kind, taken ? DeliveryEnd::Kind::Taken : DeliveryEnd::Kind::Failed);
    }

    void itIsSigned() {
        WebReceiver web;
        QVERIFY(web.start());
        web.behave(Behaviour::Takes, R"({"code":0,"errcode":0})");
        Webhook webhook = webhookTo(web);
        webhook.secret = "s3cret";
        deliver(webhook);
        QTRY_VERIFY(m_end.has_value());
        const WebReceiver::Received& received = web.received().first();
        QCOMPARE(headerOf(received, "X-Lockkeeper-Timestamp"), signedTime(m_clock->wallNow()));
        QCOMPARE(headerOf(received, "X-Lockkeeper-Signature"),
                 signatureOf(webhook.secret, m_clock->wallNow(), received.body));
        webhook.form = MessageForm(ChatService::Feishu);
        deliver(webhook);
        QTRY_VERIFY(m_end.has_value());
        const QJsonObject object = QJsonDocument::fromJson(web.received().at(1).body).object();
        QCOMPARE(object.value(QStringLiteral("sign")).toString().toLatin1(),
                 feishuSign(webhook.secret, m_clock->wallNow()));
        webhook.form = MessageForm(ChatService::DingTalk);
        webhook.url = QUrl(web.url(QStringLiteral("/robot/send?access_token=abc")));
        deliver(webhook);
        QTRY_VERIFY(m_end.has_value());
        QVERIFY(web.received().at(2).head.startsWith("POST /robot/send?access_token=abc&" +
                                                     dingTalkQuery(webhook.secret, m_clock->wallNow()) + " HTTP/1.1"));
        for (const WebReceiver::Received& one : web.received())
            QVERIFY(!(one.head + one.body).contains("s3cret"));
    }

    void certificatesAreVerified_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isOwnAuthority");
        QTest::addColumn<bool>("taken");
        QTest::newRow("right") << QStringLiteral("right") << true << true;
        QTest::newRow("unknown authority") << QStringLiteral("right") << false << false;
        QTest::newRow("of another host") << QStringLiteral("other") << true << false;
        QTest::newRow("expired") << QStringLiteral("expired") << true << false;
    }
    void certificatesAreVerified() {
        QFETCH(const QString, name);
        QFETCH(const bool, isOwnAuthority);
        QFETCH(const bool, taken);
        Certificates certificates;
        certificates.issue(QStringLiteral("right"), QStringLiteral("IP:127.0.0.1"));
        certificates.issue(QStringLiteral("other"), QStringLiteral("DNS:other.example"));
        certificates.issue(QStringLiteral("expired"), QStringLiteral("IP:127.0.0.1"), -1);
        WebReceiver web(certificates.certificate(name), certificates.key(name));
        QVERIFY(web.start());
        Webhook webhook = webhookTo(web);
        if (isOwnAuthority)
            webhook.authorities = QSslCertificate::fromPath(certificates.authority());
        deliver(webhook);
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->kind, taken ? DeliveryEnd::Kind::Taken : DeliveryEnd::Kind::Failed);
        QCOMPARE(web.received().size(), taken ? 1 : 0);
        if (!taken)
            QCOMPARE(m_end->error->code, ErrorCode::Tls);
    }

    void urls_data() {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<bool>("insecure");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("https") << QByteArray("https://a.example/x?y=z") << false << true;
        QTest::newRow("http") << QByteArray("http://a.example/") << false << false;
        QTest::newRow("http, allowed") << QByteArray("http://a.example/") << true << true;
        QTest::newRow("file") << QByteArray("file:///etc/passwd") << true << false;
        QTest::newRow("no scheme") << QByteArray("a.example/x") << true << false;
        QTest::newRow("a user") << QByteArray("https://u:p@a.example/") << true << false;
        QTest::newRow("line end") << QByteArray("https://a.example/\r\nX: y") << true << false;
        QTest::newRow("empty") << QByteArray() << true << false;
    }
    void urls() {
        QFETCH(const QByteArray, url);
        QFETCH(const bool, insecure);
        QTEST(webhookUrl(url, insecure ? PlainHttp::Allowed : PlainHttp::Refused).ok(), "accepted");
    }

    void aCommandReadsTheMessage() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a $HOME file"));  // no shell reads it
        m_receiver =
            std::make_unique<CommandReceiver>(QStringList{QStringLiteral("tee"), file}, Milliseconds(10s), *m_clock);
        m_receiver->deliver(message(), 2, [this](const DeliveryEnd& end) { m_end = end; });
        m_end.reset();
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->kind, DeliveryEnd::Kind::Taken);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QJsonObject object = QJsonDocument::fromJson(written.readAll()).object();
        QCOMPARE(object.value(QStringLiteral("attempt")).toInt(), 2);
    }

    void commandsThatFail_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<ServeCause>("cause");
        QTest::newRow("exit code") << QStringLiteral("false") << ServeCause::CommandFailed;
        QTest::newRow("no such program") << QStringLiteral("/no/such") << ServeCause::CommandNotStarted;
        QTest::newRow("signal") << QStringLiteral("sh -c \"kill -9 $$\"") << ServeCause::CommandCrashed;
        QTest::newRow("late") << QStringLiteral("sh -c \"yes & sleep 1000\"") << ServeCause::CommandNotInTime;
    }
    void commandsThatFail() {
        QFETCH(const QString, command);
        QFETCH(const ServeCause, cause);
        m_end.reset();
        m_receiver = std::make_unique<CommandReceiver>(commandWords(command), Milliseconds(10s), *m_clock);
        m_receiver->deliver(message(), 1, [this](const DeliveryEnd& end) { m_end = end; });
        if (cause == ServeCause::CommandNotInTime)
            m_clock->advance(10s);
        QTRY_VERIFY(m_end.has_value());
        QCOMPARE(m_end->kind, DeliveryEnd::Kind::Failed);
        QVERIFY2(m_end->error->cause == cause, qPrintable(m_end->error->text));
    }

    void wordsOfACommand() {
        QCOMPARE(commandWords(QStringLiteral("a \"b c\" $D")),
                 (QStringList{QStringLiteral("a"), QStringLiteral("b c"), QStringLiteral("$D")}));
        QVERIFY(commandWords(QStringLiteral("a \"b")).isEmpty());
        QVERIFY(commandWords(QStringLiteral("  ")).isEmpty());
    }
};

LOCKKEEPER_TEST(TestWebhookReceiver, Guiless)

}  // namespace tst_webhookreceiver

#include "tst_webhookreceiver.moc"
