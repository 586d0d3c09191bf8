// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "monitor/model/lockrow.h"
#include "profile/profilelabel.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/locktext.h"
#include "ui/words/viewtime.h"

#include <QHash>
#include <QPointer>

class QWidget;

namespace lockkeeper::ui {

class ForceReleaseDialog;
class GiveBackDialog;
class RemovePlacesDialog;
struct DeadPlace;

// The dialogs of a session that change a lock: one acquires it, one breaks or changes what others hold.
class LockDialogs final : public QObject {
    Q_OBJECT
public:
    // time and clock outlive it.
    LockDialogs(const ViewTime& time, Clock& clock, QWidget& page);

    // Where the locks are.
    void setConnection(const profile::ProfileLabel& label, const QString& server);
    // row: of the selected lock; may be null.
    void openAcquire(const monitor::LockRow* row, const QList<control::OwnLock>& ownLocks);
    // Does nothing while such a dialog is open. wanted: what the reader wants to do, chosen at the begin.
    void openForceRelease(const monitor::LockRow& row, const control::LockChange& wanted = {});
    // refusal: as for followForced().
    void openGiveBack(const monitor::Synchronizer& semaphore, const QString& refusal);
    // The semaphore that the open dialog is about; nothing if none is open.
    [[nodiscard]] std::optional<LockName> givenBack() const;
    void followGiveBack(const QString& refusal);
    // now: givenBack() as it was read last; null: no permit of it has a lease any more.
    void followGivenBack(const monitor::Synchronizer* now);
    // The lock that the open dialog is about; nothing if none is open.
    [[nodiscard]] std::optional<LockName> forcedLock() const;
    // row: of forcedLock(); null: it is not known any more. refusal: why it may not be changed; empty: it may.
    void followForced(const monitor::LockRow* row, Ownership ownership, const QString& refusal);
    // Does nothing while such a dialog is open, or if there are no places.
    void openRemoval(const ClientId& client, const QList<DeadPlace>& places);
    // The client that the open dialog is about; nothing if none is open.
    [[nodiscard]] std::optional<ClientId> removedClient() const;
    // places: of removedClient() now.
    void followRemoval(const QList<DeadPlace>& places, const QString& refusal);
    void setKnowledge(const HolderKnowledge& knowledge);
    // result: of an operation of the session.
    void noteResult(const control::OperationResult& result);
    // To be called for another server: the reasons were typed for locks of the former one.
    void forgetReasons() { m_reasons.clear(); }

Q_SIGNALS:
    void acquireWanted(const lockkeeper::control::AcquireRequest& request);
    void forceReleaseWanted(const lockkeeper::control::ForceReleaseRequest& request);
    void removalWanted(const QList<lockkeeper::control::ForceReleaseRequest>& requests);
    void identityWanted(const lockkeeper::ClientId& client, const lockkeeper::monitor::LockRow& lock);
    // A dialog was opened; followForced() or followRemoval() is to be called for it from now on.
    void forceReleaseOpened();

private:
    void keepReason(const ForceReleaseDialog& dialog);

    const ViewTime& m_time;
    Clock& m_clock;
    QWidget& m_page;
    profile::ProfileLabel m_label;
    QString m_server;
    HolderKnowledge m_knowledge;
    QPointer<ForceReleaseDialog> m_force;
    QPointer<RemovePlacesDialog> m_removal;
    QPointer<GiveBackDialog> m_giveBack;
    QHash<LockName, QString> m_reasons;  // typed into dialogs, for changes that were not made
};

}  // namespace lockkeeper::ui
