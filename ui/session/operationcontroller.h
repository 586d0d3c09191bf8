// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "ui/words/errortext.h"

#include <QHash>
#include <QObject>

namespace lockkeeper::ui {

class InlineMessage;
class MessageBar;

// Passes the operator's requests to the engine and reports the result of each.
class OperationController final : public QObject {
    Q_OBJECT
public:
    // Both outlive the controller.
    OperationController(SessionLink& link, MessageBar& messages, QObject* parent = nullptr);

    void acquire(const control::AcquireRequest& request);
    void release(const LockName& name);
    void forceRelease(const control::ForceReleaseRequest& request);
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
        InlineMessage* waiting;  // null when nobody waits for long
    };

    void finish(OperationId operation, const control::OperationResult& result);

    SessionLink& m_link;
    MessageBar& m_messages;
    QHash<quint64, Pending> m_pending;
};

}  // namespace lockkeeper::ui
