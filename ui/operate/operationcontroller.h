// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "ui/base/inlinemessage.h"
#include "ui/words/errortext.h"

#include <QHash>
#include <QObject>
#include <QPointer>

#include <vector>

namespace lockkeeper::ui {

class LockTableModel;
class MessageBar;

// Passes the operator's requests to the engine and reports the result of each.
class OperationController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. locks: knows which of them are own ones.
    OperationController(SessionLink& link, const LockTableModel& locks, MessageBar& messages, Clock& clock,
                        QObject* parent = nullptr);
    ~OperationController() override;

    void acquire(const control::AcquireRequest& request);
    void release(const LockName& name);
    void forceRelease(const control::ForceReleaseRequest& request);
    // Several changes at once, of which changesChanged() is emitted once.
    void change(const QList<control::ForceReleaseRequest>& requests);
    // Nothing more comes from the session: says of each change that is under way that its outcome is not known.
    void endChanges();
    // A change of this lock has been requested, and its outcome is not known yet.
    [[nodiscard]] bool isChanging(const LockName& name) const;

Q_SIGNALS:
    void acquired(const lockkeeper::LockName& name);
    // isChanging() of some lock.
    void changesChanged();

private:
    struct Pending {
        OperationKind kind;
        LockName name;
        QPointer<InlineMessage> waiting;             // null when nobody waits for long
        bool isLost = false;                         // the lock was lost meanwhile
        Clock::TimerId slow = Clock::TimerId::None;  // of a change: until then an answer counts as usual
    };

    // A message that says that this console holds a lock.
    struct Claim {
        LockName lock;
        QPointer<InlineMessage> message;
    };

    void begin(const control::ForceReleaseRequest& request);
    void showUnderWay(OperationId operation);
    void post(const Pending& pending, const control::OperationResult& result);
    // This console does not hold it any more: nothing may say that it does.
    void noteLoss(const OwnLockLost& loss);
    void finish(const OperationFinished& finished);

    SessionLink& m_link;
    const LockTableModel& m_locks;
    MessageBar& m_messages;
    Clock& m_clock;
    QHash<quint64, Pending> m_pending;
    std::vector<Claim> m_claims;
};

}  // namespace lockkeeper::ui
