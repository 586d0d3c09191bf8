#pragma once

#include "async/completion.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

namespace lockkeeper::profile {

// Passwords of remembered servers, only in the operating system's keychain (Secret Service or KWallet on Linux).
// Without a keychain it fails, and the password is asked for each time. It never uses a file instead.
// The key is the profile's URL without its password. Thread: one with an event loop, usually the GUI's; no call blocks.
// Errors: Keychain, with the system's text.
class LOCKKEEPER_MONITOR_EXPORT SecretStore : public QObject {
    Q_OBJECT
public:
    // service: the name under which the keychain lists the entries.
    explicit SecretStore(QString service = QStringLiteral("lockkeeper"), QObject* parent = nullptr);

    // Nothing if none was stored.
    // Virtual, so that tests can replace it.
    [[nodiscard]] virtual Completion<std::optional<QByteArray>> password(const QString& url);
    virtual Completion<Done> store(const QString& url, const QByteArray& password);
    // Succeeds also if there is none.
    virtual Completion<Done> forget(const QString& url);

private:
    QString m_service;
};

}  // namespace lockkeeper::profile
