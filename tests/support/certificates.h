// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <QTemporaryDir>

namespace lockkeeper::test {

// A certificate authority of the test, which writes certificates into a directory that is deleted with the object. Uses
// the openssl program.
class Certificates {
public:
    Certificates();

    // Writes NAME.crt and NAME.key, valid only for this host name ("IP:127.0.0.1", "DNS:redis.example"). days: from now
    // on; below 0: expired.
    void issue(const QString& name, const QString& subjectAltName, int days = 2);
    // Arguments for RedisServer: it accepts only TLS, with the certificate of NAME, and replicates by TLS.
    [[nodiscard]] QStringList onlyTls(const QString& name) const;
    // Writes the key of NAME as one that needs a pass phrase: in the present form of PEM, or in that of OpenSSL
    // before 1.0.
    enum class KeyForm { Pkcs8, Traditional };
    [[nodiscard]] QString encryptedKey(const QString& name, const QString& passphrase, KeyForm form);
    // Writes the certificate of NAME and its key as a key store in PKCS #12.
    [[nodiscard]] QString keyStore(const QString& name, const QString& passphrase);
    // SHA-256 of the certificate, 32 bytes.
    [[nodiscard]] QByteArray fingerprint(const QString& name) const;

    [[nodiscard]] QString authority() const { return path(QStringLiteral("ca.crt")); }
    [[nodiscard]] QString certificate(const QString& name) const { return path(name + QStringLiteral(".crt")); }
    [[nodiscard]] QString key(const QString& name) const { return path(name + QStringLiteral(".key")); }

private:
    [[nodiscard]] QString path(const QString& file) const { return m_directory.filePath(file); }
    void openssl(const QString& words, const QStringList& rest);

    QTemporaryDir m_directory;
};

}  // namespace lockkeeper::test
