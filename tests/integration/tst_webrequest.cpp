// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"
#include "jvm/fetch/fetchcause.h"
#include "jvm/fetch/webrequest.h"
#include "support/certificates.h"
#include "support/httpserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_webrequest {

using namespace lockkeeper;
using namespace lockkeeper::jvm;
using namespace lockkeeper::test;

namespace {

using Answer = Result<QByteArray>;

constexpr qsizetype limit = 2'000'000;

// A thread of Spring Boot 3, shortened.
const QByteArray actuator(
    R"({"threads":[{"threadName":"report-1","threadId":17,"blockedTime":-1,"blockedCount":0,"waitedTime":-1,"waitedCount":1,)"
    R"("lockOwnerId":-1,"daemon":false,"inNative":false,"suspended":false,"threadState":"TIMED_WAITING","priority":5,)"
    R"("stackTrace":[{"moduleName":"java.base","moduleVersion":"17.0.15","methodName":"sleep","fileName":"Thread.java",)"
    R"("lineNumber":-2,"className":"java.lang.Thread","nativeMethod":true},{"methodName":"report","fileName":"Jobs.java",)"
    R"("lineNumber":7,"className":"com.example.Jobs","nativeMethod":false}],"lockedMonitors":[],"lockedSynchronizers":[]}]})");

Answer get(const QString& url, const redis::Credentials& credentials = {}, const QString& authority = {}) {
    WebRequest request(QUrl(url), credentials, authority, limit);
    std::optional<Answer> answer;
    request.start().then([&answer](const Answer& result) { answer = result; });
    if (!becomesTrue([&answer] { return answer.has_value(); }))
        return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
    return *answer;
}

bool failsWith(const Answer& answer, FetchCause cause, const QString& argument = {}) {
    return !answer && answer.error().cause == AnyCause(cause) && answer.error().arguments.value(0) == argument;
}

}  // namespace

class TestWebRequest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void getsADump() {
        HttpServer server;
        server.answerOk(actuator);
        const Answer body = get(server.url());
        QVERIFY(body.ok());
        const Result<std::vector<ThreadDump>> dumps = threadDumpsIn(*body, QTimeZone::utc());
        QVERIFY(dumps.ok());
        QCOMPARE(dumps->back().thread(17)->name, QStringLiteral("report-1"));
        QCOMPARE(server.requests().size(), 1);
        const QByteArray& request = server.requests().first();
        QVERIFY(request.startsWith("GET /actuator/threaddump HTTP/1.1\r\n"));
        QVERIFY(request.contains("Accept: application/json, text/plain;q=0.9\r\n"));
        QVERIFY(!request.contains("Authorization"));
        QVERIFY(!request.contains("Cookie"));
    }

    void logsIn() {
        HttpServer server;
        server.answerOk(actuator);
        QVERIFY(get(server.url(), {"admin", "s3cret"}).ok());
        QVERIFY(server.requests().first().contains("Authorization: Basic " + QByteArray("admin:s3cret").toBase64() +
                                                   "\r\n"));
    }

    void followsNoRedirect() {
        HttpServer other;
        other.answerOk(actuator);
        HttpServer server;
        server.answer("HTTP/1.1 302 Found\r\nLocation: " + other.url().toLatin1() + "\r\nContent-Length: 0\r\n\r\n");
        QVERIFY(failsWith(get(server.url(), {"admin", "s3cret"}), FetchCause::Redirected, other.url()));
        QVERIFY(other.requests().isEmpty());
    }

    void saysWhyThereIsNone_data() {
        QTest::addColumn<QByteArray>("status");
        QTest::addColumn<FetchCause>("cause");
        QTest::addRow("401") << QByteArray("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"")
                             << FetchCause::LoginRefused;
        QTest::addRow("403") << QByteArray("403 Forbidden") << FetchCause::LoginRefused;
        QTest::addRow("404") << QByteArray("404 Not Found") << FetchCause::NotExposed;
        QTest::addRow("500") << QByteArray("500 Internal Server Error") << FetchCause::BadStatus;
    }
    void saysWhyThereIsNone() {
        QFETCH(QByteArray, status);
        QFETCH(FetchCause, cause);
        HttpServer server;
        server.answer("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
        QVERIFY(failsWith(get(server.url(), {"admin", "s3cret"}), cause, QString::fromLatin1(status.left(3))));
        QCOMPARE(server.requests().size(), 1);
    }

    void endsABodyWithoutEnd() {
        HttpServer server;
        server.answer("HTTP/1.1 200 OK\r\n\r\n" + QByteArray(100'000, '{'), HttpServer::After::GoesOn);
        QVERIFY(failsWith(get(server.url()), FetchCause::TooMuch, QStringLiteral("2")));
    }

    void endsWithoutAnAnswer() {
        HttpServer server;
        server.answer({});
        const Answer answer = get(server.url());
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, ErrorCode::ConnectionLost);
    }

    void isOverWhenItIsDeleted() {
        HttpServer server;
        server.answer("HTTP/1.1 200 OK\r\n\r\n{", HttpServer::After::Waits);
        auto request = std::make_unique<WebRequest>(QUrl(server.url()), redis::Credentials(), QString(), limit);
        bool isDone = false;
        request->start().then([&isDone](const Answer&) { isDone = true; });
        QVERIFY(becomesTrue([&server] { return !server.requests().isEmpty(); }));
        request.reset();
        QVERIFY(!isDone);
    }

    void verifiesTheCertificate() {
        Certificates authority;
        authority.issue("good", "IP:127.0.0.1");
        authority.issue("other", "DNS:other.example");
        HttpServer good(authority.certificate("good"), authority.key("good"));
        good.answerOk(actuator);
        const QString url = QStringLiteral("https://127.0.0.1:%1/threaddump");
        QVERIFY(get(url.arg(good.port()), {}, authority.authority()).ok());

        const Answer untrusted = get(url.arg(good.port()), {"admin", "s3cret"});
        QVERIFY(!untrusted);
        QCOMPARE(untrusted.error().code, ErrorCode::Tls);
        HttpServer other(authority.certificate("other"), authority.key("other"));
        other.answerOk(actuator);
        const Answer wrong = get(url.arg(other.port()), {"admin", "s3cret"}, authority.authority());
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().cause, AnyCause(Cause::CertificateOtherHost));
        QVERIFY(other.requests().isEmpty());
    }

    // The name is resolved first, and the name is what is verified.
    void verifiesTheNameOfTheUrl() {
        Certificates authority;
        authority.issue("named", "DNS:localhost");
        HttpServer server(authority.certificate("named"), authority.key("named"));
        server.answerOk(actuator);
        const Answer answer =
            get(QStringLiteral("https://localhost:%1/").arg(server.port()), {}, authority.authority());
        QVERIFY2(answer.ok(), answer ? "" : qPrintable(answer.error().text));
        QVERIFY(server.requests().first().contains("Host: localhost:"));
    }

    void connectsToNoForbiddenAddress() {
        QVERIFY(failsWith(get("http://169.254.169.254/latest"), FetchCause::ForbiddenAddress, "169.254.169.254"));
        QVERIFY(failsWith(get("http://[fe80::1]/"), FetchCause::ForbiddenAddress, "fe80::1"));
        QVERIFY(failsWith(get("http://0.0.0.0/"), FetchCause::ForbiddenAddress, "0.0.0.0"));
    }
};

LOCKKEEPER_TEST(TestWebRequest, Guiless)

}  // namespace tst_webrequest

#include "tst_webrequest.moc"
