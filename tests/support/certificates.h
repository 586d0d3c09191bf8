#pragma once

#include <QString>
#include <QTemporaryDir>

namespace lockkeeper::test {

// An authority of a test's own, which signs certificates into a directory that ends with the object. Uses the openssl
// program.
class Certificates {
public:
    Certificates();

    // Writes NAME.crt and NAME.key, valid for this host name alone ("IP:127.0.0.1", "DNS:redis.example").
    void issue(const QString& name, const QString& subjectAltName);

    [[nodiscard]] QString authority() const { return path(QStringLiteral("ca.crt")); }
    [[nodiscard]] QString certificate(const QString& name) const { return path(name + QStringLiteral(".crt")); }
    [[nodiscard]] QString key(const QString& name) const { return path(name + QStringLiteral(".key")); }

private:
    [[nodiscard]] QString path(const QString& file) const { return m_directory.filePath(file); }
    void openssl(const QString& words, const QStringList& rest);

    QTemporaryDir m_directory;
};

}  // namespace lockkeeper::test
