// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "lockkeeper_monitor_export.h"
#include "profile/profileid.h"

#include <QObject>

namespace lockkeeper::profile {

struct ConnectionProfile;

// What a profile may have that is kept secret.
enum class SecretKind { Password, KeyPassphrase, SentinelPassword, WritingPassword, SshAnswer };

// Which secret of which profile.
struct LOCKKEEPER_MONITOR_EXPORT SecretKey {
    ProfileId profile;
    SecretKind kind = SecretKind::Password;
    // The name of its entry in versions of Lockkeeper before profiles had ids; empty if there was none.
    QString formerEntry;

    [[nodiscard]] static SecretKey passwordOf(const ConnectionProfile& profile);
    // Of the key of the client certificate.
    [[nodiscard]] static SecretKey keyPassphraseOf(const ConnectionProfile& profile);
    // The Sentinels' own.
    [[nodiscard]] static SecretKey sentinelPasswordOf(const ConnectionProfile& profile);
    // Of the user of the connection that writes.
    [[nodiscard]] static SecretKey writingPasswordOf(const ConnectionProfile& profile);
    // What ssh asked last, and the answer.
    [[nodiscard]] static SecretKey sshAnswerOf(const ProfileId& profile);
};

// Secrets of profiles, only in the operating system's keychain (Secret Service or KWallet on Linux). Without a keychain
// it fails, and the secret is asked for each time. It never uses a file instead.
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
    // Succeeds also if there is none.
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
