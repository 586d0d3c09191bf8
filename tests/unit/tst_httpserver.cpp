// SPDX-License-Identifier: Apache-2.0
#include "serve/http/httpserver.h"
#include "support/certificates.h"
#include "support/httpclient.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QSslKey>
#include <QTest>

namespace tst_httpserver {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using serve::HttpRequest;
using serve::HttpResponse;
using serve::HttpServer;

class TestHttpServer : public QObject {
    Q_OBJECT

private:
    static constexpr int bodySize = 8 * 1024 * 1024;  // more than the system's buffers

    // Answers with the path, or with a large body.
    [[nodiscard]] std::unique_ptr<HttpServer> makeServer() {
        auto server = std::make_unique<HttpServer>(
            [](const HttpRequest& request, const HttpServer::Answer& answer) {
                HttpResponse response;
                response.body = request.path == "/large" ? QByteArray(bodySize, 'a') : request.path;
                answer(response);
            },
            m_clock);
        return server->listen(QHostAddress(QHostAddress::LocalHost), 0).ok() ? std::move(server) : nullptr;
    }
    [[nodiscard]] static bool areOpen(const HttpServer& server, int count) {
        return QTest::qWaitFor([&server, count] { return server.openConnections() == count; }, 30000);
    }

private Q_SLOTS:
    void answers() {
        const auto server = makeServer();
        HttpClient client(server->port());
        client.send(HttpClient::request("/metrics"));
        const QByteArray answer = client.answer();
        QCOMPARE(statusOf(answer), 200);
        QCOMPARE(bodyOf(answer), QByteArray("/metrics"));
        QVERIFY(answer.contains("\r\nContent-Length: 8\r\n"));
        QVERIFY(answer.contains("\r\nConnection: close\r\n"));
        QCOMPARE(server->answers().at(serve::HttpStatus::Ok), quint64{1});
        QVERIFY(areOpen(*server, 0));
    }

    void headHasNoBody() {
        const auto server = makeServer();
        HttpClient client(server->port());
        client.send(HttpClient::request("/metrics", {}, "HEAD"));
        const QByteArray answer = client.answer();
        QVERIFY(answer.contains("\r\nContent-Length: 8\r\n"));
        QCOMPARE(bodyOf(answer), QByteArray());
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<int>("status");
        QTest::addRow("POST") << HttpClient::request("/metrics", {}, "POST") << 405;
        QTest::addRow("POST with a body")
            << HttpClient::request("/metrics", "Content-Length: 100000\r\n", "POST") + QByteArray(100000, 'a') << 405;
        QTest::addRow("no HTTP") << QByteArray("hello\r\n\r\n") << 400;
        QTest::addRow("a large head") << HttpClient::request("/", "A: " + QByteArray(20000, 'a') + "\r\n") << 431;
    }
    void refuses() {
        QFETCH(QByteArray, request);
        const auto server = makeServer();
        HttpClient client(server->port());
        client.send(request);
        QTEST(statusOf(client.answer()), "status");
    }

    // Further requests of a connection are not read: one answer, and the end.
    void answersOneRequestForEachConnection() {
        const auto server = makeServer();
        HttpClient client(server->port());
        client.send(HttpClient::request("/one") + HttpClient::request("/two"));
        const QByteArray answer = client.answer();
        QCOMPARE(answer.count("HTTP/1.1 "), 1);
        QCOMPARE(bodyOf(answer), QByteArray("/one"));
    }

    void endsHalfARequest() {
        const auto server = makeServer();
        HttpClient client(server->port());
        client.send("GET /met");
        QVERIFY(areOpen(*server, 1));
        m_clock.advance(4900ms);
        QVERIFY(QTest::qWaitFor([&client] { return client.isConnected(); }, 30000));
        QVERIFY(client.isOpen());
        // Its bytes may arrive after the connection: then nothing has been sent, and there is no answer.
        m_clock.advance(200ms);
        const QByteArray answer = client.answer();
        QVERIFY(answer.isEmpty() || statusOf(answer) == 408);
        QVERIFY(areOpen(*server, 0));
    }

    // One byte after the other does not prolong it.
    void endsASlowRequest() {
        const auto server = makeServer();
        HttpClient client(server->port());
        QVERIFY(areOpen(*server, 1));
        for (int i = 0; i < 6 && client.isOpen(); ++i) {
            client.send("A");
            m_clock.advance(1s);
        }
        QVERIFY(client.ends());
    }

    void endsAConnectionThatSendsNothing() {
        const auto server = makeServer();
        HttpClient client(server->port());
        QVERIFY(areOpen(*server, 1));
        m_clock.advance(5s);
        QVERIFY(client.ends());
        QVERIFY(areOpen(*server, 0));
    }

    void endsASlowReader() {
        const auto server = makeServer();
        HttpClient client(server->port());
        client.socket().setReadBufferSize(1024);
        client.send(HttpClient::request("/large"));
        QVERIFY(QTest::qWaitFor([&client] { return client.socket().bytesAvailable() > 0; }, 30000));
        QVERIFY(areOpen(*server, 1));
        m_clock.advance(10s);
        QVERIFY(areOpen(*server, 0));
    }

    void aPatientReaderGetsAll() {
        const auto server = makeServer();
        HttpClient client(server->port());
        client.send(HttpClient::request("/large"));
        QCOMPARE(bodyOf(client.answer()).size(), bodySize);
    }

    // 64 that send nothing, and one more: it is refused, and nobody waits for ever.
    void refusesOneConnectionTooMany() {
        const auto server = makeServer();
        std::vector<std::unique_ptr<HttpClient>> clients;
        for (int i = 0; i < 64; ++i)
            clients.push_back(std::make_unique<HttpClient>(server->port()));
        QVERIFY(areOpen(*server, 64));
        HttpClient more(server->port());
        QVERIFY(more.ends());
        QCOMPARE(server->refusedConnections(), quint64{1});
        m_clock.advance(5s);
        QVERIFY(areOpen(*server, 0));
        HttpClient next(server->port());
        next.send(HttpClient::request("/"));
        QCOMPARE(statusOf(next.answer()), 200);
    }

    // An answer that comes when the client has gone does nothing.
    void aLateAnswerIsDropped() {
        HttpServer::Answer late;
        HttpServer server([&late](const HttpRequest&, const HttpServer::Answer& answer) { late = answer; }, m_clock);
        QVERIFY(server.listen(QHostAddress(QHostAddress::LocalHost), 0).ok());
        {
            HttpClient client(server.port());
            client.send(HttpClient::request("/"));
            QVERIFY(QTest::qWaitFor([&late] { return late != nullptr; }, 30000));
        }
        QVERIFY(areOpen(server, 0));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        late(HttpResponse());
        QVERIFY(server.answers().empty());
    }

    void aTakenPortIsAnError() {
        const auto server = makeServer();
        HttpServer other([](const HttpRequest&, const HttpServer::Answer&) {}, m_clock);
        const Result<Done> taken = other.listen(QHostAddress(QHostAddress::LocalHost), server->port());
        QVERIFY(!taken.ok());
        QVERIFY(!taken.error().text.isEmpty());
        // And the address of a server that has one stays.
        const quint16 before = server->port();
        HttpServer third([](const HttpRequest&, const HttpServer::Answer&) {}, m_clock);
        QVERIFY(third.listen(QHostAddress(QHostAddress::LocalHost), 0).ok());
        QVERIFY(!server->listen(QHostAddress(QHostAddress::LocalHost), third.port()).ok());
        QCOMPARE(server->port(), before);
    }

    void speaksTls() {
        Certificates certificates;
        certificates.issue(QStringLiteral("server"), QStringLiteral("IP:127.0.0.1"));
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setLocalCertificateChain(QSslCertificate::fromPath(certificates.certificate(QStringLiteral("server"))));
        QFile key(certificates.key(QStringLiteral("server")));
        QVERIFY(key.open(QIODevice::ReadOnly));
        tls.setPrivateKey(QSslKey(&key, QSsl::Ec));
        tls.setPeerVerifyMode(QSslSocket::VerifyNone);
        const auto server = makeServer();
        server->setTls(tls);
        QSslConfiguration trusting = QSslConfiguration::defaultConfiguration();
        trusting.setCaCertificates(QSslCertificate::fromPath(certificates.authority()));
        HttpClient client(server->port(), trusting);
        client.send(HttpClient::request("/secure"));
        QCOMPARE(bodyOf(client.answer()), QByteArray("/secure"));
        // Without TLS there is no answer, and with a handshake that stops the connection ends, too.
        HttpClient plain(server->port());
        plain.send(HttpClient::request("/secure"));
        QVERIFY(!plain.answer().contains("/secure"));
        HttpClient silent(server->port());
        QVERIFY(areOpen(*server, 1));
        m_clock.advance(5s);
        QVERIFY(silent.ends());
    }

private:
    ManualClock m_clock;
};

LOCKKEEPER_TEST(TestHttpServer, Guiless)

}  // namespace tst_httpserver

#include "tst_httpserver.moc"
