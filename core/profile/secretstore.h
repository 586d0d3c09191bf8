// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "lockkeeper_monitor_export.h"
#include "profile/profileid.h"

#include <QObject>

namespace lockkeeper::profile {

struct ConnectionProfile;

// The kinds of secrets that a profile may have.
enum class SecretKind { Password, KeyPassphrase, SentinelPassword, WritingPassword, SshAnswer, DumpPassword };

// Identifies a secret of a profile.
struct LOCKKEEPER_MONITOR_EXPORT SecretKey {
    ProfileId profile;
    SecretKind kind = SecretKind::Password;
    // The name of its entry in versions of Lockkeeper before profiles had ids; empty if there was none.
    QString formerEntry;

    [[nodiscard]] static SecretKey passwordOf(const ConnectionProfile& profile);
    // The pass phrase of the client certificate's key.
    [[nodiscard]] static SecretKey keyPassphraseOf(const ConnectionProfile& profile);
    // The password of the Sentinels.
    [[nodiscard]] static SecretKey sentinelPasswordOf(const ConnectionProfile& profile);
    // The password of the user for the connection that writes.
    [[nodiscard]] static SecretKey writingPasswordOf(const ConnectionProfile& profile);
    // The password for Spring Boot's Actuator, which gives thread dumps.
    [[nodiscard]] static SecretKey dumpPasswordOf(const ConnectionProfile& profile);
    // The last question of ssh, and its answer.
    [[nodiscard]] static SecretKey sshAnswerOf(const ProfileId& profile);
};

// Secrets of profiles, only in the operating system's keychain (Secret Service or KWallet on Linux). Without a keychain
// its calls fail, and the user is asked for the secret each time. It never uses a file instead.
// Each call moves a secret from its former entry to that of the profile's id, or removes the former entry.
// Thread: one with an event loop, usually the GUI's; no call blocks. Errors: Keychain, with the system's text.
class LOCKKEEPER_MONITOR_EXPORT SecretStore : public QObject {
    Q_OBJECT
public:
    using Secret = std::optional<QByteArray>;

    // service: the name under which the keychain lists the entries.
    explicit SecretStore(QString service = QStringLiteral("lockkeeper"), QObject* parent = nullptr);

    // Nothing if none was stored.
    // Virtual, so that tests can replace it.
    [[nodiscard]] virtual Completion<Secret> read(const SecretKey& key);
    virtual Completion<Done> store(const SecretKey& key, const QByteArray& secret);
    // Also succeeds if there is no such secret.
    virtual Completion<Done> forget(const SecretKey& key);

private:
    [[nodiscard]] Completion<Secret> readEntry(const QString& entry);
    [[nodiscard]] Completion<Secret> takeFormer(const SecretKey& key);
    [[nodiscard]] Completion<Done> writeEntry(const QString& entry, const QByteArray& secret);
    [[nodiscard]] Completion<Done> deleteEntry(const QString& entry);
    [[nodiscard]] Completion<Done> thenDeleteFormer(const Completion<Done>& first, const SecretKey& key);

    QString m_service;
};

}  // namespace lockkeeper::profile

Q_DECLARE_METATYPE(lockkeeper::profile::SecretKey)
