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

private:
    struct Pending {
        OperationKind kind;
        InlineMessage* waiting;  // null when nobody waits for long
    };

    void finish(OperationId operation, const control::OperationResult& result);

    SessionLink& m_link;
    MessageBar& m_messages;
    QHash<quint64, Pending> m_pending;
};

}  // namespace lockkeeper::ui
