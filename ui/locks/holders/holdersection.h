// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/viewtime.h"

#include <QWidget>

class QAction;
class QComboBox;
class QToolButton;

namespace lockkeeper::ui {

class WrappedText;

// Who the clients that hold the selected lock are: what is known, and the buttons to find out and to name them.
class HolderSection final : public QWidget {
    Q_OBJECT
public:
    // time outlives the section.
    explicit HolderSection(const ViewTime& time, QWidget* parent = nullptr);

    // Hidden without a lock; its buttons are disabled while nobody holds it. If the lock has many holders, the client
    // that was chosen stays chosen.
    void setLock(const std::optional<monitor::LockRow>& lock);
    void setKnowledge(const HolderKnowledge& knowledge);
    // To find out who the chosen client is, to stop that, to get a thread dump of it, to name it, to show its other
    // locks, and to show it among all clients; for menus, too.
    [[nodiscard]] QList<QAction*> clientActions() const {
        return {m_findAction, m_stopAction, m_dumpAction, m_aliasAction, m_locksAction, m_clientAction};
    }
    // To be called also when the connection has come or gone.
    void refresh();

Q_SIGNALS:
    // lock: one that the client holds.
    void identityWanted(const lockkeeper::ClientId& client, const lockkeeper::monitor::LockRow& lock);
    void stopWanted();
    void dumpWanted(const lockkeeper::ClientId& client);
    void aliasWanted(const lockkeeper::ClientId& client);
    void locksWanted(const lockkeeper::ClientId& client);
    // Among all clients.
    void clientWanted(const lockkeeper::ClientId& client);

private:
    void retranslate();
    void makeLayout();
    [[nodiscard]] QToolButton* makeButton(const QString& objectName);
    [[nodiscard]] QAction* makeAction(QToolButton& button, const QString& iconName = QString());
    void fillClients();
    [[nodiscard]] ClientId client() const;
    [[nodiscard]] QString findRefusal() const;

    const ViewTime& m_time;
    std::optional<monitor::LockRow> m_lock;
    QList<ClientId> m_clients;  // that hold it, each once
    HolderKnowledge m_knowledge;
    QComboBox* m_choice;
    QToolButton* m_find;
    QToolButton* m_stop;
    QAction* m_findAction;
    QAction* m_stopAction;
    QToolButton* m_dump;
    QAction* m_dumpAction;
    QToolButton* m_alias;
    QAction* m_aliasAction;
    QToolButton* m_locks;
    QAction* m_locksAction;
    QAction* m_clientAction;
    WrappedText* m_identity;
};

}  // namespace lockkeeper::ui
