// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"
#include "profile/secretstore.h"

#include <QHash>

namespace lockkeeper::test {

// A keychain whose content and state the test controls.
class FakeSecretStore final : public profile::SecretStore {
public:
    Completion<Secret> read(const profile::SecretKey& key) override {
        if (!isThere)
            return Completion<Secret>::completed(Error(ErrorCode::Keychain, QStringLiteral("no keychain here")));
        const QHash<profile::ProfileId, QByteArray>& ofKind = secrets(key.kind);
        const auto found = ofKind.constFind(key.profile);
        return Completion<Secret>::completed(found == ofKind.cend() ? Secret() : Secret(*found));
    }
    Completion<Done> store(const profile::SecretKey& key, const QByteArray& secret) override {
        if (!isThere)
            return Completion<Done>::completed(Error(ErrorCode::Keychain, QStringLiteral("no keychain here")));
        secrets(key.kind).insert(key.profile, secret);
        return Completion<Done>::completed(Done());
    }
    Completion<Done> forget(const profile::SecretKey& key) override {
        secrets(key.kind).remove(key.profile);
        return Completion<Done>::completed(Done());
    }
    void keep(const QString& url, const QByteArray& password) {
        kept.insert(profile::ConnectionProfile::fromUrl(url)->id, password);
    }
    void keepPassphrase(const QString& url, const QByteArray& passphrase) {
        keptPassphrases.insert(profile::ConnectionProfile::fromUrl(url)->id, passphrase);
    }

    [[nodiscard]] QHash<profile::ProfileId, QByteArray>& secrets(profile::SecretKind kind) {
        switch (kind) {
            case profile::SecretKind::Password:
                return kept;
            case profile::SecretKind::KeyPassphrase:
                return keptPassphrases;
            case profile::SecretKind::SentinelPassword:
                return keptSentinelPasswords;
            case profile::SecretKind::SshAnswer:
                return keptSshAnswers;
            case profile::SecretKind::DumpPassword:
                return keptDumpPasswords;
            case profile::SecretKind::WritingPassword:
                break;
        }
        return keptWritingPasswords;
    }

    bool isThere = true;
    QHash<profile::ProfileId, QByteArray> kept;
    QHash<profile::ProfileId, QByteArray> keptPassphrases;
    QHash<profile::ProfileId, QByteArray> keptSentinelPasswords;
    QHash<profile::ProfileId, QByteArray> keptWritingPasswords;
    QHash<profile::ProfileId, QByteArray> keptDumpPasswords;
    QHash<profile::ProfileId, QByteArray> keptSshAnswers;
};

}  // namespace lockkeeper::test
