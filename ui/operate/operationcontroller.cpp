// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/operationcontroller.h"

#include "ui/base/messagebar.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds usualAnswer = 1s;

// Whether the console holds the lock after this result.
bool isHolding(const control::OperationResult& result) {
    switch (result.outcome) {
        case control::Outcome::Acquired:
        case control::Outcome::Extended:
        case control::Outcome::ReleasedOnce:
            return true;
        case control::Outcome::ForceReleased:
            return control::isQuarantine(result.change.kind);
        default:
            return false;
    }
}

}  // namespace

OperationController::OperationController(SessionLink& link, const LockTableModel& locks, MessageBar& messages,
                                         Clock& clock, QObject* parent)
    : QObject(parent), m_link(link), m_locks(locks), m_messages(messages), m_clock(clock) {
    m_link.onReport<OperationFinished>(this, &OperationController::finish);
    m_link.onReport<OwnLockLost>(this, &OperationController::noteLoss);
}

OperationController::~OperationController() {
    for (const Pending& pending : m_pending)
        m_clock.cancel(pending.slow);
}

void OperationController::acquire(const control::AcquireRequest& request) {
    const OperationId operation = m_link.request(request);
    InlineMessage* waiting = nullptr;
    if (request.wait > 0ms) {
        const auto message = [name = m_locks.names().shown(request.name, shortName), wait = request.wait] {
            return Message{Tone::Info, tr("Acquiring %1, waiting up to %2 …").arg(name, durationText(wait))};
        };
        waiting = m_messages.postWaiting(message, [this, operation] { m_link.request(CancelOperation{operation}); });
    }
    const OperationKind kind = request.extends ? OperationKind::Extend : OperationKind::Acquire;
    m_pending.insert(static_cast<quint64>(operation), {kind, request.name, waiting});
}

void OperationController::release(const LockName& name) {
    const OperationId operation = m_link.request(control::ReleaseRequest{name});
    m_pending.insert(static_cast<quint64>(operation), {OperationKind::Release, name, nullptr});
}

void OperationController::forceRelease(const control::ForceReleaseRequest& request) {
    change({request});
}

void OperationController::change(const QList<control::ForceReleaseRequest>& requests) {
    for (const control::ForceReleaseRequest& request : requests)
        begin(request);
    Q_EMIT changesChanged();
}

void OperationController::begin(const control::ForceReleaseRequest& request) {
    const OperationId operation = m_link.request(request);
    Pending pending{OperationKind::ForceRelease, request.confirmed.name, nullptr};
    pending.slow = m_clock.schedule(m_clock.now() + usualAnswer, [this, operation] { showUnderWay(operation); });
    m_pending.insert(static_cast<quint64>(operation), pending);
}

void OperationController::showUnderWay(OperationId operation) {
    const auto pending = m_pending.find(static_cast<quint64>(operation));
    pending->slow = Clock::TimerId::None;
    pending->waiting = m_messages.postRevocable([name = m_locks.names().shown(pending->name, shortName)] {
        return Message{Tone::Info, tr("The change of %1 is under way: the server has not answered yet.").arg(name)};
    });
}

bool OperationController::isChanging(const LockName& name) const {
    return std::any_of(m_pending.begin(), m_pending.end(), [&name](const Pending& pending) {
        return pending.kind == OperationKind::ForceRelease && pending.name == name;
    });
}

void OperationController::endChanges() {
    const QHash<quint64, Pending> pending = m_pending;
    const Error unknown(ErrorCode::OutcomeUnknown, Cause::NoAnswerInTime);
    for (auto entry = pending.begin(); entry != pending.end(); ++entry) {
        finish({OperationId{entry.key()}, control::failure(entry->name, unknown)});
    }
}

void OperationController::finish(const OperationFinished& finished) {
    const control::OperationResult& result = finished.result;
    const auto pending = m_pending.constFind(static_cast<quint64>(finished.operation));
    if (pending == m_pending.cend())
        return;
    m_clock.cancel(pending->slow);
    if (pending->waiting)
        m_messages.withdraw(pending->waiting);
    post(*pending, result);
    m_pending.erase(pending);
    if (result.outcome == control::Outcome::Acquired)
        Q_EMIT acquired(result.name);
    Q_EMIT changesChanged();
}

void OperationController::post(const Pending& pending, const control::OperationResult& result) {
    const auto message = [kind = pending.kind, result] { return outcomeMessage(kind, result); };
    if (!isHolding(result))
        return m_messages.post(message);
    if (pending.isLost && m_locks.ownership(result.name) == Ownership::Others)
        return;  // the loss has been reported already
    std::erase_if(m_claims, [](const Claim& claim) { return claim.message.isNull(); });
    m_claims.push_back({result.name, m_messages.postRevocable(message)});
}

void OperationController::noteLoss(const OwnLockLost& loss) {
    for (Pending& pending : m_pending)
        pending.isLost = pending.isLost || pending.name == loss.name;
    for (const Claim& claim : m_claims) {
        if (claim.lock == loss.name && claim.message)
            m_messages.withdraw(claim.message);
    }
    std::erase_if(m_claims, [&loss](const Claim& claim) { return claim.lock == loss.name; });
}

}  // namespace lockkeeper::ui

#include "moc_operationcontroller.cpp"
