// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "ui/locks/clients/holderknowledge.h"

#include <QObject>
#include <QPointer>
#include <QSet>

class QWidget;

namespace lockkeeper::ui {

class ClientNames;
class IdentifyDialog;
class LockTableModel;
class MessageBar;
class ViewTime;
class WaitDialog;

// Finds out and remembers who clients are: asks before each MONITOR, keeps the user's names for clients, and announces
// what is known.
class HolderController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. The window owns its dialogs.
    HolderController(SessionLink& link, Clock& clock, ClientNames& names, MessageBar& messages, QWidget& window);

    // The clients of this console are named as such.
    [[nodiscard]] const HolderKnowledge& knowledge() const noexcept { return m_shown; }
    // Clients of this console, beside earlier ones, in this session or another one of the window.
    void addOwn(const QSet<ClientId>& clients);
    // Opens the dialog; nothing is sent unless the user agrees. lock: one that the client holds.
    void askToIdentify(const ClientId& client, const monitor::LockRow& lock);
    void stopListening();
    // Of the connection that is opened.
    void setNames(const ProgramNames& names);
    void askForAlias(const ClientId& client);
    void openWaits(const LockTableModel& locks, const ViewTime& time);
    // To be called after a change of language: some of the names are words of this program.
    void retranslate() { announce(); }
    // To be called for another server, where identities mean nothing. Aliases and the console's own clients stay.
    void forgetClients();

Q_SIGNALS:
    void knowledgeChanged();
    void lockChosen(const lockkeeper::LockName& name);

private:
    void listen(const monitor::HolderSearch& search);
    void finish(const HolderIdentified& identified);
    void keep(const monitor::HolderIdentity& identity);
    void report(const monitor::HolderIdentity& identity);
    void takeNames();
    void showHosts();
    void announce();

    SessionLink& m_link;
    Clock& m_clock;
    ClientNames& m_names;
    MessageBar& m_messages;
    QWidget& m_window;
    HolderKnowledge m_knowledge;  // without the own clients
    HolderKnowledge m_shown;      // with them
    QSet<ClientId> m_own;
    std::optional<OperationId> m_search;
    QPointer<IdentifyDialog> m_dialog;
    QPointer<WaitDialog> m_waits;
};

}  // namespace lockkeeper::ui
