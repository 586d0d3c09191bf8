// SPDX-License-Identifier: Apache-2.0
#include "base/safetext.h"
#include "serve/messageform.h"
#include "serve/servecause.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QJsonDocument>
#include <QTest>

namespace tst_messageform {

using namespace lockkeeper;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;

// Each form of a message with names that try to become more than text.
class TestMessageForm : public QObject {
    Q_OBJECT

private:
    static constexpr char32_t joiner = 0x2060;

    static CaseEvent held(const QByteArray& name, const ManualClock& clock) {
        CaseEvent event;
        monitor::NoticeFacts notice;
        notice.kind = monitor::NoticeKind::HeldLonger;
        notice.lock = LockName(name);
        event.subject = {QStringLiteral("redis-a"), notice, {}, clock.wallNow()};
        event.at = clock.wallNow();
        return event;
    }
    static MessageWords words() {
        return {[](const CaseEvent& event) { return QStringLiteral("%1: held").arg(boundedNameOf(event)); },
                [](const Message&) { return QStringLiteral("Lockkeeper: a summary"); },
                [](qint64 more) { return QStringLiteral("and %1 more").arg(more); }};
    }
    static QString boundedNameOf(const CaseEvent& event) { return boundedName(event.subject.notice->lock); }
    static Message messageWith(const QByteArrayList& names) {
        const ManualClock clock;
        Gathered gathered;
        for (const QByteArray& name : names)
            gathered.named.push_back(held(name, clock));
        return messageOf(gathered, clock.wallNow(), 0, words());
    }
    static QByteArray bytesOf(const QJsonObject& object) {
        return QJsonDocument(object).toJson(QJsonDocument::Compact);
    }
    static QByteArray written(const MessageForm& form, const Message& message) {
        return bytesOf(form.write(message, 1, words().more));
    }
    static MessageForm ownForm() {
        return *MessageForm::fromTemplate(
            R"({"a":"${text}","b":["x ${markdown}"],"n":1,"c":{"d":"${begun}/${ended}"}})");
    }
    // All texts of the JSON in one, as a reader of the chat gets them.
    static QString textsOf(const QJsonValue& value) {
        QString texts = value.toString();
        const QJsonArray array = value.toArray();
        for (const QJsonValue& one : array)
            texts += u'\n' + textsOf(one);
        const QJsonObject object = value.toObject();
        for (auto one = object.begin(); one != object.end(); ++one) {
            if (one.key() != QLatin1String("$schema"))  // a link of ours, which nobody is shown
                texts += u'\n' + textsOf(*one);
        }
        return texts;
    }

private Q_SLOTS:
    void hostileNames_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("active");  // what must not be anywhere in a text
        const auto row = [](const char* name, const char* active) {
            QTest::newRow(name) << QByteArray(name) << QString::fromUtf8(active);
        };
        row("@all", "@all");
        row("<!channel>", "<!");
        row("<!here|x>", "<!");
        row("<@U012345>", "<@");
        row("<at user_id=\"all\">all</at>", "<at");
        row("<at>John</at>", "<at");
        row("https://evil.example/x", "https://");
        row("see evil.example", "evil.example");
        row("mailto:a@b.example", "a@b");
        row("[click](https://evil.example)", "://");
        row("<https://evil.example|click>", "<h");
        row("<script>alert(1)</script>", "<script");
        row("#general", "#general");
        row(":tada:", ":tada:");
        row("/invite @all", "/invite");
        row("\xef\xbc\xa0"
            "all",
            "＠all");
        row("&lt;!channel&gt;", "&lt;");
        row("line\nbreak @x", "line\nbreak");
        row("\xe2\x80\xae"
            "abc",
            "\u202e");  // right to left
        row("a\x1b[31mb", "\x1b");
    }
    void hostileNames() {
        QFETCH(const QByteArray, name);
        QFETCH(const QString, active);
        const Message message = messageWith({name});
        for (const MessageForm& form :
             {MessageForm(ChatService::Slack), MessageForm(ChatService::Teams), MessageForm(ChatService::DingTalk),
              MessageForm(ChatService::Feishu), ownForm()}) {
            const QJsonObject object = form.write(message, 1, words().more);
            const QString texts = textsOf(object);
            QVERIFY2(!texts.contains(active), qPrintable(texts));
            // The name is there, with nothing but invisible signs in between.
            QString plain = texts;
            QVERIFY(plain.remove(QString::fromUcs4(&joiner, 1)).contains(LockName(name).display()));
        }
    }

    // As plain JSON the name is exactly what it is: no chat reads it.
    void theJsonHasTheExactName_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("text") << QByteArray("orders/{42} \"@all\" \\ \n \xe4\xbd\xa0");
        QTest::newRow("no UTF-8") << QByteArray("\xff\xfe a");
        QTest::newRow("zero") << QByteArray("a\0b", 3);
    }
    void theJsonHasTheExactName() {
        QFETCH(const QByteArray, name);
        const QJsonObject event = messageWith({name}).events.first().toObject();
        const QByteArray base64 = event.value(QStringLiteral("lock_base64")).toString().toLatin1();
        const QByteArray text = event.value(QStringLiteral("lock")).toString().toUtf8();
        QCOMPARE(base64.isEmpty() ? text : QByteArray::fromBase64(base64), name);
    }

    void markdownIsText_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("markdown");
        QTest::newRow("bold") << QStringLiteral("**a**") << QStringLiteral("\\*\\*a\\*\\*");
        QTest::newRow("code") << QStringLiteral("`a`") << QStringLiteral("\\`a\\`");
        QTest::newRow("escape") << QStringLiteral("\\*") << QStringLiteral("\\\\\\*");
        QTest::newRow("link") << QStringLiteral("[a](b)") << QStringLiteral("\\[a\\]\\(b\\)");
        QTest::newRow("HTML") << QStringLiteral("<b") << QStringLiteral("\\<\u2060b");
    }
    void markdownIsText() {
        QFETCH(const QString, text);
        QTEST(markdownText(text), "markdown");
    }

    void atMost4kB_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("many") << 5000 << QByteArray("orders/{42}");
        QTest::newRow("long") << 20 << QByteArray(1'000'000, 'x');
        QTest::newRow("long and escaped") << 20 << QByteArray(1'000'000, '\x01');
        QTest::newRow("joiners") << 20 << QByteArray(199, '@');
        QTest::newRow("quotes") << 20 << QByteArray(199, '"');
        QTest::newRow("Chinese") << 20 << QByteArray("\xe4\xbd\xa0").repeated(60);
    }
    void atMost4kB() {
        QFETCH(const int, count);
        QFETCH(const QByteArray, name);
        const ManualClock clock;
        Gathering gathering;
        for (int i = 0; i < count; ++i)
            gathering.add(held(name, clock), clock.now());
        const Message message = messageOf(*gathering.takeAll(), clock.wallNow(), 3, words());
        QCOMPARE(message.events.size() + message.moreBegun, count);
        for (const MessageForm& form :
             {MessageForm(), MessageForm(ChatService::Slack), MessageForm(ChatService::Teams),
              MessageForm(ChatService::DingTalk), MessageForm(ChatService::Feishu), ownForm()}) {
            const QByteArray bytes = written(form, message);
            QVERIFY2(bytes.size() <= largestMessage,
                     qPrintable(wordFor(form.service()) + QString::number(bytes.size())));
        }
        // What a chat does not name is counted there.
        const QString texts = textsOf(MessageForm(ChatService::DingTalk).write(message, 1, words().more));
        QVERIFY(count == texts.count(QStringLiteral("held")) || texts.contains(QStringLiteral(" more")));
    }

    void aTemplateIsFilled() {
        const QJsonObject object = ownForm().write(messageWith({"a\"b", "${id}"}), 1, words().more);
        QCOMPARE(object.value(QStringLiteral("n")).toInt(), 1);
        QCOMPARE(object.value(QStringLiteral("c")).toObject().value(QStringLiteral("d")).toString(),
                 QStringLiteral("2/0"));
        const QString text = object.value(QStringLiteral("a")).toString();
        QVERIFY(text.contains(QStringLiteral("a\"b")));
        QVERIFY(text.contains(QStringLiteral("${id}")));  // a name is no placeholder
    }

    void badTemplates_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<ServeCause>("cause");
        QTest::newRow("empty") << QByteArray() << ServeCause::TemplateNotJson;
        QTest::newRow("array") << QByteArray("[\"${text}\"]") << ServeCause::TemplateNotJson;
        QTest::newRow("placeholder outside a text") << QByteArray("{\"a\":${text}}") << ServeCause::TemplateNotJson;
        QTest::newRow("unknown") << QByteArray("{\"a\":[{\"b\":\"${tekst}\"}]}") << ServeCause::TemplatePlaceholder;
        QTest::newRow("large") << QByteArray(70'000, ' ') << ServeCause::TemplateTooLarge;
    }
    void badTemplates() {
        QFETCH(const QByteArray, json);
        QFETCH(const ServeCause, cause);
        const Result<MessageForm> form = MessageForm::fromTemplate(json);
        QVERIFY(!form.ok());
        QVERIFY(form.error().cause == cause);
    }

    void answersOfChats_data() {
        QTest::addColumn<int>("service");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<bool>("taken");
        const int dingTalk = static_cast<int>(ChatService::DingTalk);
        const int feishu = static_cast<int>(ChatService::Feishu);
        QTest::newRow("DingTalk") << dingTalk << QByteArray(R"({"errcode":0,"errmsg":"ok"})") << true;
        QTest::newRow("DingTalk refuses") << dingTalk << QByteArray(R"({"errcode":310000,"errmsg":"sign"})") << false;
        QTest::newRow("Feishu") << feishu << QByteArray(R"({"code":0,"msg":"success"})") << true;
        QTest::newRow("Feishu, as before") << feishu << QByteArray(R"({"StatusCode":0})") << true;
        QTest::newRow("Feishu refuses") << feishu << QByteArray(R"({"code":19021,"msg":"sign"})") << false;
        QTest::newRow("no JSON") << feishu << QByteArray("ok") << false;
        QTest::newRow("nothing") << dingTalk << QByteArray() << false;
    }
    void answersOfChats() {
        QFETCH(const int, service);
        QFETCH(const QByteArray, body);
        const std::optional<Result<Done>> answer = answerOf(static_cast<ChatService>(service), body);
        QVERIFY(answer.has_value());
        QTEST(answer->ok(), "taken");
        QVERIFY(!answerOf(ChatService::Slack, body));
    }
};

LOCKKEEPER_TEST(TestMessageForm, Appless)

}  // namespace tst_messageform

#include "tst_messageform.moc"
