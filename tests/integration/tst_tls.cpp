// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "lab/servers/reservedport.h"
#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/badserver.h"
#include "support/certificates.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDataStream>
#include <QDateTime>
#include <QFile>
#include <QSslCertificate>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_tls {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;

namespace {

enum class ClientCertificate { NotAsked, Required };

}  // namespace

// TLS with a real server: which servers are trusted, and that nothing can switch the check off.
class TestTls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(QSslSocket::supportsSsl(), "Qt finds no TLS library");
        m_ours.issue(QStringLiteral("server"), QStringLiteral("IP:127.0.0.1"));
        m_ours.issue(QStringLiteral("elsewhere"), QStringLiteral("DNS:redis.example"));
        m_ours.issue(QStringLiteral("expired"), QStringLiteral("IP:127.0.0.1"), -1);
        m_ours.issue(QStringLiteral("anywhere"), QStringLiteral("DNS:*.redis.example"));
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

    void aKeyIsOpenedByItsPassphrase_data() {
        QTest::addColumn<test::Certificates::KeyForm>("form");
        QTest::addColumn<QByteArray>("passphrase");
        QTest::addColumn<Cause>("cause");
        QTest::newRow("right") << test::Certificates::KeyForm::Pkcs8 << QByteArray("open sesame") << Cause::None;
        QTest::newRow("right, in the old form")
            << test::Certificates::KeyForm::Traditional << QByteArray("open sesame") << Cause::None;
        QTest::newRow("wrong") << test::Certificates::KeyForm::Pkcs8 << QByteArray("guess")
                               << Cause::KeyPassphraseWrong;
        QTest::newRow("wrong, in the old form")
            << test::Certificates::KeyForm::Traditional << QByteArray("guess") << Cause::KeyPassphraseWrong;
        QTest::newRow("none") << test::Certificates::KeyForm::Pkcs8 << QByteArray() << Cause::KeyPassphraseMissing;
    }
    void aKeyIsOpenedByItsPassphrase() {
        QFETCH(test::Certificates::KeyForm, form);
        const auto server = start(QStringLiteral("server"), ClientCertificate::Required);
        ConnectionOptions options = withCertificate(m_ours);
        options.endpoint.privateKeyFile =
            m_ours.encryptedKey(QStringLiteral("client"), QStringLiteral("open sesame"), form);
        QFETCH(QByteArray, passphrase);
        options.endpoint.keyPassphrase = passphrase;
        connectTo(options);
        QFETCH(Cause, cause);
        expect(cause);
    }

    void aKeyStoreHasBoth_data() {
        QTest::addColumn<QByteArray>("passphrase");
        QTest::addColumn<Cause>("cause");
        QTest::newRow("right") << QByteArray("open sesame") << Cause::None;
        QTest::newRow("wrong") << QByteArray("guess") << Cause::KeyPassphraseWrong;
        QTest::newRow("none") << QByteArray() << Cause::KeyPassphraseMissing;
    }
    void aKeyStoreHasBoth() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::Required);
        ConnectionOptions options = withCertificate(m_ours);
        options.endpoint.certificateFile = m_ours.keyStore(QStringLiteral("client"), QStringLiteral("open sesame"));
        options.endpoint.privateKeyFile = options.endpoint.certificateFile;
        QFETCH(QByteArray, passphrase);
        options.endpoint.keyPassphrase = passphrase;
        connectTo(options);
        QFETCH(Cause, cause);
        expect(cause);
    }

    void theAuthoritiesMayBeInAKeyStoreOfJava_data() {
        QTest::addColumn<qsizetype>("missing");
        QTest::addColumn<Cause>("cause");
        QTest::newRow("whole") << qsizetype{0} << Cause::None;
        QTest::newRow("cut off") << qsizetype{30} << Cause::NoCertificateAuthority;
    }
    void theAuthoritiesMayBeInAKeyStoreOfJava() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::Required);
        ConnectionOptions options = withCertificate(m_ours);
        // A store of version 2 with one trusted certificate, and the digest that seals it.
        QByteArray store;
        QDataStream stream(&store, QIODevice::WriteOnly);
        stream << quint32{0xfeedfeed} << quint32{2} << quint32{1} << quint32{2};
        for (const QByteArray& text : {QByteArray("redis"), QByteArray("X.509")}) {
            stream << static_cast<quint16>(text.size());
            stream.writeRawData(text.constData(), static_cast<int>(text.size()));
            if (text == "redis")
                stream << qint64{1'700'000'000'000};
        }
        stream << QSslCertificate::fromPath(m_ours.authority()).value(0).toDer();
        QFETCH(const qsizetype, missing);
        const QTemporaryDir folder;
        options.endpoint.caFile = folder.filePath(QStringLiteral("trust.jks"));
        QFile file(options.endpoint.caFile);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(missing > 0 ? store.chopped(missing) : store + QByteArray(20, '\x11'));
        file.close();
        connectTo(options);
        QFETCH(Cause, cause);
        expect(cause);
    }

    void aKeyThatDoesNotOpenHarmsNoOtherConnection() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::Required);
        connectTo(withCertificate(m_ours));
        expect(Cause::None);
        const std::unique_ptr<Connection> other = std::move(m_connection);
        ConnectionOptions options = withCertificate(m_ours);
        options.endpoint.privateKeyFile = m_ours.encryptedKey(QStringLiteral("client"), QStringLiteral("open sesame"),
                                                              test::Certificates::KeyForm::Pkcs8);
        options.endpoint.keyPassphrase = "guess";
        connectTo(options);
        expect(Cause::KeyPassphraseWrong);
        const Completion<RespValue> answer = other->send(Command("PING"));
        QTRY_VERIFY(answer.isCompleted());
        QVERIFY2(other->isReady(), qPrintable(other->lastError().text));
    }

    void eachNodeIsVerifiedByItsOwnNames_data() {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QStringList>("announced");
        QTest::addColumn<QString>("serverName");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("its host name") << "elsewhere" << QStringList{"redis.example", "127.0.0.1"} << "" << true;
        QTest::newRow("a wildcard") << "anywhere" << QStringList{"n1.redis.example"} << "" << true;
        QTest::newRow("a wildcard for one label only")
            << "anywhere" << QStringList{"a.n1.redis.example"} << "" << false;
        QTest::newRow("no wildcard for the name itself") << "anywhere" << QStringList{"redis.example"} << "" << false;
        QTest::newRow("in capitals") << "elsewhere" << QStringList{"127.0.0.1", "REDIS.Example"} << "" << true;
        QTest::newRow("its address") << "server" << QStringList{"n1.example", "127.0.0.1"} << "" << true;
        QTest::newRow("the one name of all") << "elsewhere" << QStringList{"10.0.0.5"} << "redis.example" << true;
        QTest::newRow("its address, beside the name of all")
            << "server" << QStringList{"127.0.0.1"} << "redis.example" << true;
        QTest::newRow("none of them") << "elsewhere" << QStringList{"10.0.0.5", "n1.example"} << "other.example"
                                      << false;
        QTest::newRow("only where it was reached") << "server" << QStringList{"10.0.0.5"} << "" << false;
    }
    void eachNodeIsVerifiedByItsOwnNames() {
        QFETCH(QString, certificate);
        QFETCH(QStringList, announced);
        QFETCH(QString, serverName);
        QFETCH(bool, accepted);
        const auto server = start(certificate, ClientCertificate::NotAsked);
        ConnectionOptions options = trusting(m_ours);
        options.endpoint.announcedNames = announced;
        options.endpoint.serverName = serverName;
        connectTo(options);
        expect(accepted ? Cause::None : Cause::CertificateOtherHost);
    }

    void namesDoNotMakeUpForTrust() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::NotAsked);
        ConnectionOptions options = trusting(m_others);
        options.endpoint.announcedNames = QStringList{"n1.example", "127.0.0.1"};
        connectTo(options);
        expect(Cause::CertificateNotTrusted);
    }

    void onlyThePinnedCertificateIsAccepted_data() {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("pinned");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("whatever its name") << "elsewhere"
                                           << "elsewhere" << true;
        QTest::newRow("whatever its dates") << "expired"
                                            << "expired" << true;
        QTest::newRow("another name's, though both are trusted") << "server"
                                                                 << "elsewhere" << false;
        QTest::newRow("another one") << "elsewhere"
                                     << "server" << false;
    }
    void onlyThePinnedCertificateIsAccepted() {
        QFETCH(QString, certificate);
        QFETCH(QString, pinned);
        QFETCH(bool, accepted);
        const auto server = start(certificate, ClientCertificate::NotAsked);
        for (const test::Certificates* authority : {&m_ours, &m_others}) {
            ConnectionOptions options = trusting(*authority);
            options.endpoint.pinned = {QByteArray(32, '\0'), m_ours.fingerprint(pinned)};
            options.credentials.password = accepted ? "" : "not for everybody";
            connectTo(options);
            expect(accepted ? Cause::None : Cause::CertificateNotPinned);
            if (!accepted) {
                QCOMPARE(m_connection->commandsSent(), quint64{0});
                QCOMPARE(m_connection->lastError().arguments,
                         QStringList{QString::fromLatin1(m_ours.fingerprint(certificate).toHex())});
            }
        }
    }

    void theLowestVersionIsKept_data() {
        QTest::addColumn<QString>("serverHas");
        QTest::addColumn<TlsVersion>("least");
        QTest::addColumn<Cause>("cause");
        QTest::newRow("1.2 is enough") << "TLSv1.2" << TlsVersion::Tls12 << Cause::None;
        QTest::newRow("1.3 is there") << "TLSv1.3" << TlsVersion::Tls13 << Cause::None;
        QTest::newRow("1.3 is more than 1.2") << "TLSv1.3" << TlsVersion::Tls12 << Cause::None;
        QTest::newRow("1.2 is too old") << "TLSv1.2" << TlsVersion::Tls13 << Cause::TlsVersionRefused;
    }
    void theLowestVersionIsKept() {
        QFETCH(QString, serverHas);
        QFETCH(TlsVersion, least);
        const auto server =
            start(QStringLiteral("server"), ClientCertificate::NotAsked, {"--tls-protocols", serverHas});
        ConnectionOptions options = trusting(m_ours);
        options.endpoint.leastTls = least;
        connectTo(options);
        QFETCH(Cause, cause);
        expect(cause);
    }

    void anExpiredCertificateIsNamedWithItsDate() {
        const auto server = start(QStringLiteral("expired"), ClientCertificate::NotAsked);
        connectTo(trusting(m_ours));
        expect(Cause::CertificateExpired);
        const QString yesterday = QDateTime::currentDateTimeUtc().addDays(-1).date().toString(Qt::ISODate);
        QCOMPARE(m_connection->lastError().arguments.first().left(8), yesterday.left(8));
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
        const bool isName = what == u"host" || what == u"name";
        QVERIFY2(
            m_connection->lastError().cause == (isName ? Cause::CertificateOtherHost : Cause::CertificateNotTrusted),
            reason());
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
        expect(showsOne ? Cause::ClientCertificateRefused : Cause::ClientCertificateMissing);
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
        QTest::newRow("an authority without end") << "/dev/zero"
                                                  << ""
                                                  << "'/dev/zero' is no PEM file";
        QTest::newRow("a certificate without end") << ""
                                                   << "/dev/zero"
                                                   << "'/dev/zero' is no PEM file";
        QTest::newRow("an authority of 2 MB")
            << tooLong() << "" << QStringLiteral("'%1' is no PEM file").arg(tooLong());
        QTest::newRow("a certificate of 2 MB")
            << "" << tooLong() << QStringLiteral("'%1' is no PEM file").arg(tooLong());
        QTest::newRow("a folder") << "/"
                                  << ""
                                  << "'/' is no PEM file";
    }
    void filesThatAreNoCertificatesAreNamed() {
        QVERIFY(QFile::copy(m_ours.authority(), tooLong()) || QFile::exists(tooLong()));
        QVERIFY(QFile::resize(tooLong(), 2 * 1024 * 1024));
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
        expect(Cause::NoTlsAnswer);
    }

    void aServerWithTlsIsNamedToOneWithout() {
        const auto server = start(QStringLiteral("server"), ClientCertificate::NotAsked);
        ConnectionOptions options = trusting(m_ours);
        options.endpoint.security = Security::Plain;
        options.openTimeout = 500ms;
        connectTo(options);
        expect(Cause::ClosedUnanswered);
    }

private:
    // A file with a real certificate, and more after it.
    [[nodiscard]] QString tooLong() const { return m_ours.authority() + ".long"; }
    // None: the connection is ready.
    void expect(Cause cause) {
        QTRY_VERIFY2(m_connection->isReady() || m_connection->state() == State::Waiting, reason());
        QVERIFY2(m_connection->isReady() == (cause == Cause::None), reason());
        if (cause != Cause::None)
            QVERIFY2(m_connection->lastError().cause == cause, reason());
    }
    std::unique_ptr<test::RedisServer> start(const QString& certificate, ClientCertificate client,
                                             const QStringList& more = {}) {
        auto server = std::make_unique<test::RedisServer>(
            QStringList{"--tls-port", QString::number(m_port.number()), "--tls-cert-file",
                        m_ours.certificate(certificate), "--tls-key-file", m_ours.key(certificate),
                        "--tls-ca-cert-file", m_ours.authority(), "--tls-auth-clients",
                        client == ClientCertificate::Required ? "yes" : "no"} +
            more);
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
    lab::ReservedPort m_port;
    QByteArray m_reason;
};

LOCKKEEPER_TEST(TestTls, Guiless)

}  // namespace tst_tls

#include "tst_tls.moc"
