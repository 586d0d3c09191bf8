// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/badserver.h"
#include "support/certificates.h"
#include "support/redisserver.h"
#include "support/reservedport.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QSslSocket>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;

namespace {

enum class ClientCertificate { NotAsked, Required };

}  // namespace

// TLS with a real server: which servers are trusted, and that nothing can switch that off.
class TestTls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(QSslSocket::supportsSsl(), "Qt finds no TLS library");
        m_ours.issue(QStringLiteral("server"), QStringLiteral("IP:127.0.0.1"));
        m_ours.issue(QStringLiteral("elsewhere"), QStringLiteral("DNS:redis.example"));
        m_ours.issue(QStringLiteral("client"), QStringLiteral("DNS:client.example"));
        m_others.issue(QStringLiteral("client"), QStringLiteral("DNS:client.example"));
    }
    void cleanup() { m_connection.reset(); }

    void aTrustedServerIsTalkedTo() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::NotAsked);
        connectTo(trusting(m_ours));
        QTRY_VERIFY2(m_connection->isReady(), reason());
        QCOMPARE(m_connection->server().protocol, 3);
    }

    void comesBackAfterARestart() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::NotAsked);
        connectTo(trusting(m_ours));
        QTRY_VERIFY2(m_connection->isReady(), reason());
        server->stop();
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        QVERIFY(server->start());
        QTRY_VERIFY2(m_connection->isReady(), reason());
    }

    void theNameToVerifyMayBeGiven() {
        const auto server = start(QStringLiteral("elsewhere"), ClientCertificate::NotAsked);
        ConnectionOptions options = trusting(m_ours);
        options.endpoint.serverName = QStringLiteral("redis.example");
        connectTo(options);
        QTRY_VERIFY2(m_connection->isReady(), reason());
    }

    void aClientCertificateIsShown() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::Required);
        connectTo(withCertificate(m_ours));
        QTRY_VERIFY2(m_connection->isReady(), reason());
    }

    void aServerThatCannotBeVerifiedIsNotTalkedTo_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("signed by another authority") << "authority";
        QTest::newRow("of the system's authorities none") << "system";
        QTest::newRow("for another host") << "host";
        QTest::newRow("for another name than the one given") << "name";
    }
    void aServerThatCannotBeVerifiedIsNotTalkedTo() {
        QFETCH(QString, what);
        const auto server = start(what == u"host" ? QStringLiteral("elsewhere") : QStringLiteral("server"),
                                  ClientCertificate::NotAsked);
        ConnectionOptions options = trusting(what == u"authority" ? m_others : m_ours);
        if (what == u"system")
            options.endpoint.caFile.clear();
        if (what == u"name")
            options.endpoint.serverName = QStringLiteral("other.example");
        options.credentials.password = "not for everybody";
        connectTo(options);
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        QVERIFY2(m_connection->lastError().code == ErrorCode::Tls, reason());
        QVERIFY(!m_connection->lastError().text.isEmpty());
        QCOMPARE(m_connection->commandsSent(), quint64{0});
    }

    void aClientTheServerDoesNotTrustIsToldSo_data() {
        QTest::addColumn<bool>("showsOne");
        QTest::newRow("without a certificate") << false;
        QTest::newRow("with one that another authority signed") << true;
    }
    void aClientTheServerDoesNotTrustIsToldSo() {
        QFETCH(bool, showsOne);
        const auto server = start(QStringLiteral("server"), ClientCertificate::Required);
        ConnectionOptions options = showsOne ? withCertificate(m_others) : trusting(m_ours);
        options.endpoint.caFile = m_ours.authority();
        connectTo(options);
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        QVERIFY2(m_connection->lastError().code == ErrorCode::Tls, reason());
    }

    void filesThatAreNoCertificatesAreNamed_data() {
        QTest::addColumn<QString>("caFile");
        QTest::addColumn<QString>("certificateFile");
        QTest::addColumn<QString>("words");
        QTest::newRow("no such authority") << "/nowhere/ca.crt"
                                           << ""
                                           << "/nowhere/ca.crt";
        QTest::newRow("no such certificate") << ""
                                             << "/nowhere/client.crt"
                                             << "/nowhere/client.crt";
    }
    void filesThatAreNoCertificatesAreNamed() {
        QFETCH(QString, caFile);
        QFETCH(QString, certificateFile);
        QFETCH(QString, words);
        ConnectionOptions options = trusting(m_ours);
        if (!caFile.isEmpty())
            options.endpoint.caFile = caFile;
        options.endpoint.certificateFile = certificateFile;
        connectTo(options);
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError().code, ErrorCode::Tls);
        QVERIFY2(m_connection->lastError().text.contains(words), reason());
    }

    void aServerWithoutTlsIsNamedInTime_data() {
        QTest::addColumn<bool>("redis");
        QTest::newRow("Redis") << true;
        QTest::newRow("silence") << false;
    }
    void aServerWithoutTlsIsNamedInTime() {
        QFETCH(bool, redis);
        test::RedisServer server;
        QVERIFY(server.start());
        const test::BadServer silent({{}, {}, test::BadServer::Afterwards::KeepSilent});
        ConnectionOptions options = trusting(m_ours);
        options.endpoint.port = redis ? server.port() : silent.port();
        options.openTimeout = 500ms;
        connectTo(options);
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        const ErrorCode code = m_connection->lastError().code;
        QVERIFY2(code == ErrorCode::Tls || code == ErrorCode::Timeout, reason());
    }

    void aServerWithTlsIsNamedToOneWithout() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::NotAsked);
        ConnectionOptions options = trusting(m_ours);
        options.endpoint.security = Security::Plain;
        options.openTimeout = 500ms;
        connectTo(options);
        QTRY_COMPARE(m_connection->state(), State::Waiting);
        QVERIFY2(!m_connection->lastError().text.isEmpty(), reason());
    }

private:
    std::unique_ptr<test::RedisServer> start(const QString& certificate, ClientCertificate client) {
        auto server = std::make_unique<test::RedisServer>(
            QStringList{"--tls-port", QString::number(m_port.number()), "--tls-cert-file", m_ours.certificate(certificate),
                        "--tls-key-file", m_ours.key(certificate), "--tls-ca-cert-file", m_ours.authority(),
                        "--tls-auth-clients", client == ClientCertificate::Required ? "yes" : "no"});
        [&] { QVERIFY(server->start()); }();
        return server;
    }
    [[nodiscard]] ConnectionOptions trusting(const test::Certificates& authority) const {
        ConnectionOptions options;
        options.endpoint.port = m_port.number();
        options.endpoint.security = Security::Tls;
        options.endpoint.caFile = authority.authority();
        return options;
    }
    [[nodiscard]] ConnectionOptions withCertificate(const test::Certificates& authority) const {
        ConnectionOptions options = trusting(authority);
        options.endpoint.certificateFile = authority.certificate(QStringLiteral("client"));
        options.endpoint.privateKeyFile = authority.key(QStringLiteral("client"));
        return options;
    }
    void connectTo(const ConnectionOptions& options) {
        m_connection = std::make_unique<Connection>(
            options, [endpoint = options.endpoint] { return makeSocketTransport(endpoint); }, m_clock);
        m_connection->open();
    }
    [[nodiscard]] QByteArray reasonText() const {
        return wordFor(m_connection->lastError().code).toUtf8() + ": " + m_connection->lastError().text.toUtf8();
    }
    const char* reason() {
        m_reason = reasonText();
        return m_reason.constData();
    }

    test::Certificates m_ours;
    test::Certificates m_others;
    SystemClock m_clock;
    std::unique_ptr<Connection> m_connection;
    test::ReservedPort m_port;
    QByteArray m_reason;
};

LOCKKEEPER_TEST(TestTls, Guiless)
#include "tst_tls.moc"
