// SPDX-License-Identifier: Apache-2.0
#include "ui/ssh/sshquestioncontroller.h"

#include "ui/ssh/sshquestiondialog.h"

#include <QApplication>

namespace lockkeeper::ui {

SshQuestionController::SshQuestionController(Engine& engine, QWidget& window)
    : QObject(&window), m_engine(engine), m_window(window) {
    connect(&m_engine, &Engine::sshAsked, this, &SshQuestionController::open);
    connect(&m_engine, &Engine::sshQuestionOver, this, [this](SessionId session, topology::SshQuestionId question) {
        close({session, question});
    });
    connect(&m_engine, &Engine::sessionClosed, this, &SshQuestionController::closeAllOf);
}

void SshQuestionController::open(SessionId session, const topology::SshQuestion& question) {
    // The dialog in which the user connects may still be open, and would keep the mouse away.
    QWidget* front = QApplication::activeModalWidget();
    auto* dialog = new SshQuestionDialog(question, front ? front : &m_window);
    dialog->setObjectName(QStringLiteral("sshQuestionDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialogs.emplace(Key(session, question.id), dialog);
    connect(dialog, &SshQuestionDialog::answered, this,
            [this, session, id = question.id](const topology::SshAnswer& answer) {
                m_dialogs.erase({session, id});
                m_engine.answerSsh(session, id, answer);
            });
    dialog->open();
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
    auto next = m_dialogs.lower_bound({session, topology::SshQuestionId()});
    while (next != m_dialogs.end() && next->first.first == session) {
        const Key key = next->first;
        ++next;
        close(key);
    }
}

}  // namespace lockkeeper::ui

#include "moc_sshquestioncontroller.cpp"
