// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/sshquestioncontroller.h"

#include "ui/connections/sshquestiondialog.h"

#include <QApplication>

namespace lockkeeper::ui {

namespace {

// The secret is kept with its question before it: a pass phrase must not be the answer to another question.
QByteArray keptFor(const QString& words, const QByteArray& secret) {
    return words.toUtf8() + '\0' + secret;
}

}  // namespace

SshQuestionController::SshQuestionController(Engine& engine, profile::SecretStore& secrets, MayKeep mayKeep,
                                             QWidget& window)
    : QObject(&window), m_engine(engine), m_secrets(secrets), m_mayKeep(std::move(mayKeep)), m_window(window) {
    m_engine.onReport<topology::SshQuestion>(this, &SshQuestionController::open);
    m_engine.onReport<SshQuestionOver>(this, [this](SessionId session, SshQuestionOver over) {
        close({session, over.question});
    });
    m_engine.onReport<ConnectionStatus>(this, &SshQuestionController::follow);
    m_engine.onReport<SessionClosed>(this, [this](SessionId session, SessionClosed) { closeAllOf(session); });
}

void SshQuestionController::follow(SessionId session, const ConnectionStatus& status) {
    m_profiles[session] = status.profile;
    if (status.phase == ConnectionPhase::Connected)
        m_answered.remove(session);
}

bool SshQuestionController::keepsSecrets(SessionId session) const {
    const auto found = m_profiles.find(session);
    return found != m_profiles.end() && !found->second.isEmpty() && m_mayKeep(found->second);
}

void SshQuestionController::open(SessionId session, const topology::SshQuestion& question) {
    const bool isSecret = question.kind == topology::SshQuestion::Kind::Secret;
    if (!isSecret || !keepsSecrets(session))
        return openDialog(session, question);
    const profile::SecretKey key = profile::SecretKey::sshAnswerOf(m_profiles[session]);
    m_dialogs.emplace(Key(session, question.id), nullptr);
    m_secrets.read(key).then([this, session, question, key](const Result<profile::SecretStore::Secret>& kept) {
        if (m_dialogs.erase({session, question.id}) == 0)
            return;  // the question is over
        const QByteArray prefix = keptFor(question.words, {});
        const bool fits = kept && *kept && (*kept)->startsWith(prefix);
        if (!fits)
            return openDialog(session, question);
        if (m_answered.contains(session)) {
            m_secrets.forget(key);
            return openDialog(session, question);
        }
        m_answered.insert(session);
        m_engine.request(session, AnswerSsh{question.id, (*kept)->sliced(prefix.size())});
    });
}

void SshQuestionController::openDialog(SessionId session, const topology::SshQuestion& question) {
    // The dialog in which the user connects may still be open, and would block the mouse.
    QWidget* front = QApplication::activeModalWidget();
    auto* dialog = new SshQuestionDialog(question, front ? front : &m_window);
    dialog->setObjectName(QStringLiteral("sshQuestionDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->offerToKeep(keepsSecrets(session));
    m_dialogs.emplace(Key(session, question.id), dialog);
    connect(dialog, &SshQuestionDialog::keepWanted, this,
            [this, session, words = question.words](const QByteArray& secret) { keep(session, words, secret); });
    connect(dialog, &SshQuestionDialog::answered, this,
            [this, session, id = question.id](const topology::SshAnswer& given) { answer(session, id, given); });
    dialog->open();
}

void SshQuestionController::answer(SessionId session, topology::SshQuestionId question,
                                   const topology::SshAnswer& answer) {
    m_dialogs.erase({session, question});
    m_engine.request(session, AnswerSsh{question, answer});
}

void SshQuestionController::keep(SessionId session, const QString& words, const QByteArray& secret) {
    m_secrets.store(profile::SecretKey::sshAnswerOf(m_profiles[session]), keptFor(words, secret))
        .then([this](const Result<Done>& stored) {
            if (!stored)
                Q_EMIT keychainFailed(stored.error());
        });
}

void SshQuestionController::close(const Key& key) {
    const auto found = m_dialogs.find(key);
    if (found == m_dialogs.end())
        return;
    const QPointer<SshQuestionDialog> dialog = found->second;
    m_dialogs.erase(found);
    if (dialog)
        dialog->done(QDialog::Rejected);
}

void SshQuestionController::closeAllOf(SessionId session) {
    m_profiles.erase(session);
    m_answered.remove(session);
    auto next = m_dialogs.lower_bound({session, topology::SshQuestionId()});
    while (next != m_dialogs.end() && next->first.first == session) {
        const Key key = next->first;
        ++next;
        close(key);
    }
}

}  // namespace lockkeeper::ui

#include "moc_sshquestioncontroller.cpp"
