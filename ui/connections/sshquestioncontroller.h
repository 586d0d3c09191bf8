// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/secretstore.h"

#include <QObject>
#include <QPointer>
#include <QSet>

#include <functional>
#include <map>

namespace lockkeeper::ui {

class SshQuestionDialog;

// Opens a dialog for each question of ssh, of whichever session, and closes it when the question is over. Of a saved
// connection the answer may be kept in the keychain: then it is given once in each attempt to connect, to the same
// question only. If ssh repeats the question, the answer was wrong: it is forgotten, and the user is asked.
class SshQuestionController final : public QObject {
    Q_OBJECT
public:
    using MayKeep = std::function<bool(const profile::ProfileId&)>;

    // mayKeep: whether secrets of that connection are kept. All outlive it; the window owns it.
    SshQuestionController(Engine& engine, profile::SecretStore& secrets, MayKeep mayKeep, QWidget& window);

Q_SIGNALS:
    void keychainFailed(const lockkeeper::Error& error);

private:
    using Key = std::pair<SessionId, topology::SshQuestionId>;

    void follow(SessionId session, const ConnectionStatus& status);
    void open(SessionId session, const topology::SshQuestion& question);
    void openDialog(SessionId session, const topology::SshQuestion& question);
    void answer(SessionId session, topology::SshQuestionId question, const topology::SshAnswer& answer);
    void keep(SessionId session, const QString& words, const QByteArray& secret);
    [[nodiscard]] bool keepsSecrets(SessionId session) const;
    void close(const Key& key);
    void closeAllOf(SessionId session);

    Engine& m_engine;
    profile::SecretStore& m_secrets;
    MayKeep m_mayKeep;
    QWidget& m_window;
    std::map<Key, QPointer<SshQuestionDialog>> m_dialogs;  // null: the keychain is asked first
    std::map<SessionId, profile::ProfileId> m_profiles;
    QSet<SessionId> m_answered;  // from the keychain, in this attempt to connect
};

}  // namespace lockkeeper::ui
