#pragma once

#include "async/completion.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

namespace lockkeeper::profile {

// Passwords of remembered servers, in the operating system's keychain (Secret Service or KWallet on Linux) and nowhere else: where
// there is no keychain it says so, and the password is asked for each time. Never falls back to a file.
// Keyed by the profile's URL without its password. Thread: one with an event loop, usually the GUI's; nothing blocks.
// Errors: Keychain, with the system's words.
class LOCKKEEPER_MONITOR_EXPORT SecretStore : public QObject {
    Q_OBJECT
public:
    // service: the name under which the keychain lists the entries.
    explicit SecretStore(QString service = QStringLiteral("lockkeeper"), QObject* parent = nullptr);

    // Nothing when none was stored.
    // Virtual for the tests of those who use it.
    [[nodiscard]] virtual Completion<std::optional<QByteArray>> password(const QString& url);
    virtual Completion<Done> store(const QString& url, const QByteArray& password);
    // Fine when there is none.
    virtual Completion<Done> forget(const QString& url);

private:
    QString m_service;
};

}  // namespace lockkeeper::profile
