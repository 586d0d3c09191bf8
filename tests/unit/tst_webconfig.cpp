// SPDX-License-Identifier: Apache-2.0
#include "serve/http/webconfig.h"
#include "serve/servecause.h"
#include "support/certificates.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QSslKey>
#include <QTemporaryDir>
#include <QTest>

namespace tst_webconfig {

using namespace lockkeeper;
using namespace lockkeeper::test;
using serve::ServeCause;
using serve::WebConfig;

// A hash of "secret".
const QByteArray hash("$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW");

class TestWebConfig : public QObject {
    Q_OBJECT

private:
    // "at:" is a folder of its own.
    static Result<QString> named(const QString& name) {
        if (name == QLatin1String("at:none"))
            return Error(ErrorCode::InvalidArgument, QStringLiteral("no such credential"));
        return QString(name).remove(QStringLiteral("at:"));
    }
    Result<WebConfig> read(const QByteArray& text) {
        QFile file(m_folder.filePath(QStringLiteral("web.yml")));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return Error(ErrorCode::Storage, file.errorString());
        file.close();
        return serve::readWebConfig(file.fileName(), named);
    }

private Q_SLOTS:
    void initTestCase() {
        for (const QString& name : {QStringLiteral("server"), QStringLiteral("other")}) {
            m_certificates.issue(name, QStringLiteral("IP:127.0.0.1"));
            QVERIFY(QFile::copy(m_certificates.certificate(name), m_folder.filePath(name + QStringLiteral(".crt"))));
            QVERIFY(QFile::copy(m_certificates.key(name), m_folder.filePath(name + QStringLiteral(".key"))));
        }
        QVERIFY(QFile::copy(m_certificates.authority(), m_folder.filePath(QStringLiteral("ca.crt"))));
    }

    void readsBoth() {
        const Result<WebConfig> config = read(
            "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n"
            "basic_auth_users:\n  prometheus: " +
            hash + "\n");
        QVERIFY2(config.ok(), config.ok() ? "" : qPrintable(config.error().text));
        QVERIFY(config->isWhole());
        QCOMPARE(config->users.value("prometheus"), hash);
        QCOMPARE(config->tls->peerVerifyMode(), QSslSocket::VerifyNone);
        QVERIFY(!config->tls->privateKey().isNull());
    }

    void filesMayHaveOtherNames() {
        const Result<WebConfig> config =
            read("tls_server_config:\n  cert_file: at:server.crt\n  key_file: at:server.key\n");
        QVERIFY2(config.ok(), config.ok() ? "" : qPrintable(config.error().text));
        const Result<WebConfig> none = read("tls_server_config:\n  cert_file: at:server.crt\n  key_file: at:none\n");
        QVERIFY(!none.ok());
        QCOMPARE(none.error().text, QStringLiteral("no such credential"));
    }

    // Of each form of a key: with another one of the same length each connection would fail.
    void theKeyIsThatOfTheCertificate_data() {
        QTest::addColumn<QStringList>("algorithm");
        QTest::newRow("RSA") << QStringList{"-newkey", "rsa:2048"};
        for (const char* curve : {"P-256", "P-384", "P-521"})
            QTest::newRow(curve) << QStringList{"-newkey", "ec", "-pkeyopt",
                                                QStringLiteral("ec_paramgen_curve:") + QString::fromLatin1(curve)};
    }
    void theKeyIsThatOfTheCertificate() {
        QFETCH(const QStringList, algorithm);
        for (const QString& name : {QStringLiteral("one"), QStringLiteral("two")})
            QCOMPARE(
                QProcess::execute(QStringLiteral("openssl"), QStringList{"req", "-x509", "-nodes", "-subj", "/CN=a",
                                                                         "-keyout", m_folder.filePath(name + ".key"),
                                                                         "-out", m_folder.filePath(name + ".crt")} +
                                                                 algorithm),
                0);
        QCOMPARE(QProcess::execute(QStringLiteral("openssl"),
                                   {"pkey", "-traditional", "-in", m_folder.filePath(QStringLiteral("one.key")), "-out",
                                    m_folder.filePath(QStringLiteral("old.key"))}),
                 0);
        const auto with = [this](const QByteArray& key) {
            return read("tls_server_config:\n  cert_file: one.crt\n  key_file: " + key + "\n");
        };
        QVERIFY(with("one.key").ok());
        QVERIFY(with("old.key").ok());
        const Result<WebConfig> other = with("two.key");
        QVERIFY(!other.ok());
        QCOMPARE(other.error().cause, AnyCause(ServeCause::KeyOfOther));
    }

    void readsUsersAlone() {
        const Result<WebConfig> config = read("basic_auth_users:\n  a: \"" + hash + "\"\n  b: '" + hash + "'\n");
        QVERIFY(config.ok());
        QCOMPARE(config->users.size(), 2);
        QVERIFY(!config->tls && !config->isWhole());
    }

    void verifiesClients() {
        const Result<WebConfig> config = read(
            "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n  client_auth_type: "
            "RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n  min_version: TLS13\n");
        QVERIFY(config.ok());
        QCOMPARE(config->tls->peerVerifyMode(), QSslSocket::VerifyPeer);
        QCOMPARE(config->tls->caCertificates().size(), 1);
        QCOMPARE(config->tls->protocol(), QSsl::TlsV1_3OrLater);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<ServeCause>("cause");
        const QByteArray tls = "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n";
        const auto row = [](const char* name, const QByteArray& text, ServeCause cause) {
            QTest::addRow("%s", name) << text << cause;
        };
        row("nothing", "# only a comment\n", ServeCause::EmptyFile);
        row("a word", "yes\n", ServeCause::EmptyFile);
        row("no users", "basic_auth_users: {}\n", ServeCause::EmptyFile);
        row("an unknown setting", "http_server_config:\n  http2: true\n", ServeCause::UnknownSetting);
        row("an unknown setting of TLS", tls + "  cipher_suites: x\n", ServeCause::UnknownSetting);
        row("no key", "tls_server_config:\n  cert_file: server.crt\n", ServeCause::CertificateMissing);
        row("a key in place of a certificate", "tls_server_config:\n  cert_file: server.key\n  key_file: server.key\n",
            ServeCause::CertificateUnreadable);
        row("a certificate in place of a key", "tls_server_config:\n  cert_file: server.crt\n  key_file: server.crt\n",
            ServeCause::KeyUnreadable);
        row("a list", "basic_auth_users:\n  - a\n", ServeCause::NotASetting);
        row("a password", "basic_auth_users:\n  a: secret\n", ServeCause::NotAHash);
        row("another hash", "basic_auth_users:\n  a: $6$abc$def\n", ServeCause::NotAHash);
        row("a hash that takes years", "basic_auth_users:\n  a: " + QByteArray(hash).replace("$04$", "$31$") + "\n",
            ServeCause::HashCost);
        row("an unknown check", tls + "  client_auth_type: Perhaps\n", ServeCause::ClientCheckUnknown);
        row("a check without an authority", tls + "  client_auth_type: RequireAndVerifyClientCert\n",
            ServeCause::ClientAuthorityMissing);
        row("an authority without a check", tls + "  client_ca_file: ca.crt\n", ServeCause::ClientAuthorityMissing);
        row("an old version", tls + "  min_version: TLS10\n", ServeCause::TlsVersionUnknown);
    }
    void refuses() {
        QFETCH(QByteArray, text);
        QFETCH(ServeCause, cause);
        const Result<WebConfig> config = read(text);
        QVERIFY(!config.ok());
        QCOMPARE(config.error().cause, AnyCause(cause));
        QVERIFY(!config.error().text.contains(QLatin1String("secret")));
    }

    void aFileThatIsNotThereIsNamed() {
        const Result<WebConfig> config = serve::readWebConfig(m_folder.filePath(QStringLiteral("none.yml")), named);
        QVERIFY(!config.ok());
        QVERIFY(config.error().text.contains(QLatin1String("none.yml")));
    }

    void brokenYamlIsRefused() { QVERIFY(!read("basic_auth_users: [\n").ok()); }

private:
    QTemporaryDir m_folder;
    Certificates m_certificates;
};

LOCKKEEPER_TEST(TestWebConfig, Guiless)

}  // namespace tst_webconfig

#include "tst_webconfig.moc"
