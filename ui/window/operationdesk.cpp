#include "ui/window/operationdesk.h"

#include "ui/message/messagebar.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

using namespace std::chrono_literals;

namespace lockkeeper::ui {

OperationDesk::OperationDesk(Engine& engine, MessageBar& messages, QObject* parent)
    : QObject(parent), m_engine(engine), m_messages(messages) {
    connect(&m_engine, &Engine::operationFinished, this, &OperationDesk::finish);
}

void OperationDesk::acquire(const control::AcquireRequest& request) {
    const OperationId operation = m_engine.acquire(request);
    InlineMessage* waiting = nullptr;
    if (request.wait > 0ms) {
        const QString text =
            tr("Acquiring %1, waiting up to %2 …").arg(plainName(request.name, shortName), durationText(request.wait));
        waiting = m_messages.postWaiting(text, [this, operation] { m_engine.cancel(operation); });
    }
    m_pending.insert(static_cast<quint64>(operation), {OperationKind::Acquire, waiting});
}

void OperationDesk::release(const LockName& name) {
    control::ReleaseRequest request;
    request.name = name;
    m_pending.insert(static_cast<quint64>(m_engine.release(request)), {OperationKind::Release, nullptr});
}

void OperationDesk::forceRelease(const control::ForceReleaseRequest& request) {
    m_pending.insert(static_cast<quint64>(m_engine.forceRelease(request)), {OperationKind::ForceRelease, nullptr});
}

void OperationDesk::finish(OperationId operation, const control::OperationResult& result) {
    const auto pending = m_pending.constFind(static_cast<quint64>(operation));
    if (pending == m_pending.cend())
        return;
    if (pending->waiting)
        m_messages.withdraw(pending->waiting);
    m_messages.post(outcomeMessage(pending->kind, result));
    m_pending.erase(pending);
}

}  // namespace lockkeeper::ui

#include "moc_operationdesk.cpp"
