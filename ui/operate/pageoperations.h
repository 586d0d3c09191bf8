// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "ui/operate/actionrefusals.h"

#include <QObject>
#include <QPointer>
#include <QSet>

#include <optional>

class QWidget;

namespace lockkeeper::ui {

class ArmingDialogs;
class InlineMessage;
class LockDialogs;
class LockTableModel;
class LocksPage;
class MessageBar;
class OperationController;
class PageConnection;
class ViewTime;
struct DeadPlace;
struct HolderKnowledge;

// What an operator does in a session: arms it, takes locks, releases and changes them. Its dialogs follow what is known
// of the session and of the locks. Thread: the GUI's.
class PageOperations final : public QObject {
    Q_OBJECT
public:
    // All of it outlives the operations.
    struct Context {
        SessionLink& link;
        Clock& clock;
        const PageConnection& connection;
        const LockTableModel& locks;
        const ViewTime& time;
        const ConnectionStatus& status;
        LocksPage& page;
        MessageBar& messages;
    };

    // parent: of the dialogs, too.
    PageOperations(const Context& context, QWidget& parent);

    [[nodiscard]] const Arming& arming() const noexcept { return m_arming; }
    [[nodiscard]] const QList<control::OwnLock>& ownLocks() const noexcept { return m_ownLocks; }
    [[nodiscard]] QSet<ClientId> ownClients() const;
    // Why an action cannot be done now.
    [[nodiscard]] ActionRefusals refusals() const;

    // ---- what is known ----
    void setStats(const std::optional<monitor::MonitorStats>& stats);
    void setOwnLocks(const QList<control::OwnLock>& locks);
    void setKnowledge(const HolderKnowledge& knowledge);
    void setSynchronizers(const monitor::SynchronizerReading& reading);
    // The server is another one, or the saved connection has another name, color or environment.
    void refreshPlace();
    // The status, locks or the language may have changed.
    void update();
    // For another server: what was typed for locks of the former one is forgotten.
    void startOver();
    // Nothing more comes from the session.
    void endChanges();

    // ---- what the window's actions do ----
    void openArm();
    void openRights();
    void openCheck();
    void disarm();
    void openAcquire();
    void openForceRelease();
    // Opens the dialog for changes of a lock of others, with this one chosen.
    void openChange(const LockName& lock, const control::LockChange& wanted);
    // To remove this dead waiter from the queue of the lock.
    void openWaiterRemoval(const LockName& lock, const HolderId& waiter);
    // Asks whether to remove this client's places in queues whose waiters are proven dead.
    void openClientRemoval(const ClientId& client);
    void releaseCurrent();
    void openGiveBack(const monitor::Synchronizer& semaphore);

Q_SIGNALS:
    void armingChanged();
    void identityWanted(const lockkeeper::ClientId& client, const lockkeeper::monitor::LockRow& lock);

private:
    void showArming(const Arming& arming);
    void updateDialogs();
    // Why no change of this lock may be requested.
    // Own: nobody else holds it.
    [[nodiscard]] Ownership ownershipOf(const LockName& name) const;
    [[nodiscard]] QString changeRefusal(const LockName& name) const;
    [[nodiscard]] QList<DeadPlace> deadPlaces(const ClientId& client) const;
    void selectAcquired();

    Context m_context;
    Arming m_arming;
    QList<control::OwnLock> m_ownLocks;
    ArmingDialogs* m_armingDialogs;
    LockDialogs* m_lockDialogs;
    OperationController* m_controller;
    QPointer<InlineMessage> m_armingEnd;  // about the end of the last arming, while it is shown
    std::optional<LockName> m_acquired;   // to be selected when it has a row
};

}  // namespace lockkeeper::ui
