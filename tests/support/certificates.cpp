// SPDX-License-Identifier: Apache-2.0
#include "support/certificates.h"

#include "support/ownport.h"
#include "support/tool.h"

#include <QFile>
#include <QProcess>
#include <QSslCertificate>

namespace lockkeeper::test {

Certificates::Certificates() {
    openssl(
        u"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"_qs,
        {u"-subj"_qs, u"/CN=an authority of a test"_qs, u"-keyout"_qs, path(u"ca.key"_qs), u"-out"_qs, authority()});
}

void Certificates::issue(const QString& name, const QString& subjectAltName, int days) {
    QFile extensions(path(name + u".ext"_qs));
    if (!extensions.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(extensions.fileName()));
    extensions.write("subjectAltName=" + subjectAltName.toUtf8() + "\n");
    extensions.close();
    const QString request = path(name + u".csr"_qs);
    openssl(u"req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"_qs,
            {u"-subj"_qs, u"/CN="_qs + name, u"-keyout"_qs, key(name), u"-out"_qs, request});
    openssl(u"x509 -req -CAcreateserial"_qs,
            {u"-days"_qs, QString::number(days), u"-in"_qs, request, u"-CA"_qs, authority(), u"-CAkey"_qs,
             path(u"ca.key"_qs), u"-extfile"_qs, extensions.fileName(), u"-out"_qs, certificate(name)});
}

QStringList Certificates::onlyTls(const QString& name) const {
    return {u"--port"_qs,
            u"0"_qs,
            u"--tls-port"_qs,
            ownPort(),
            u"--tls-cert-file"_qs,
            certificate(name),
            u"--tls-key-file"_qs,
            key(name),
            u"--tls-ca-cert-file"_qs,
            authority(),
            u"--tls-auth-clients"_qs,
            u"no"_qs,
            u"--tls-replication"_qs,
            u"yes"_qs};
}

QString Certificates::encryptedKey(const QString& name, const QString& passphrase, KeyForm form) {
    const QString encrypted = path(name + u".encrypted.key"_qs);
    const QString command = form == KeyForm::Pkcs8 ? u"pkey"_qs : u"ec"_qs;
    openssl(command + u" -aes256"_qs,
            {u"-in"_qs, key(name), u"-out"_qs, encrypted, u"-passout"_qs, u"pass:"_qs + passphrase});
    return encrypted;
}

QString Certificates::keyStore(const QString& name, const QString& passphrase) {
    const QString store = path(name + u".p12"_qs);
    openssl(u"pkcs12 -export"_qs, {u"-in"_qs, certificate(name), u"-inkey"_qs, key(name), u"-out"_qs, store,
                                   u"-passout"_qs, u"pass:"_qs + passphrase});
    return store;
}

QByteArray Certificates::fingerprint(const QString& name) const {
    return QSslCertificate::fromPath(certificate(name)).value(0).digest(QCryptographicHash::Sha256);
}

void Certificates::openssl(const QString& words, const QStringList& rest) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(tool(QStringLiteral("openssl"), QStringLiteral("openssl")), words.split(u' ') + rest);
    if (!process.waitForFinished(10000) || process.exitCode() != 0)
        qFatal("openssl %s: %s", qPrintable(words), process.readAll().constData());
}

}  // namespace lockkeeper::test
