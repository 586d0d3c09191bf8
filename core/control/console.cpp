// SPDX-License-Identifier: Apache-2.0
#include "control/console.h"

#include "control/consolecause.h"
#include "control/rightsquestion.h"
#include "redis/replyerrors.h"
#include "topology/shardconnections.h"

namespace lockkeeper::control {

namespace {

redis::ConnectionOptions namedForConsole(redis::ConnectionOptions options) {
    if (!options.clientName.isEmpty())
        options.clientName += "-console";
    return options;
}

// The lock as it was confirmed, with only those holders that have lost it.
monitor::LockSnapshot brokenBy(const ForceReleaseRequest& request) {
    const LockChange& change = request.change;
    monitor::LockSnapshot broken = request.confirmed;
    if (change.kind == ChangeKind::ReleaseReader)
        broken.holders = {*change.reader};
    if (change.kind == ChangeKind::ReleaseHolder || change.kind == ChangeKind::QuarantineHolder)
        broken.holders.removeIf([&change](const monitor::Holder& holder) { return holder.id != *change.holder; });
    return broken;
}

// Stops for the first of two reasons.
class EitherStop {
public:
    EitherStop(std::stop_token one, std::stop_token other)
        : m_byOne(std::move(one), Request{m_source}), m_byOther(std::move(other), Request{m_source}) {}
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    struct Request {
        std::stop_source source;
        void operator()() { source.request_stop(); }
    };

    std::stop_source m_source;
    const std::stop_callback<Request> m_byOne;
    const std::stop_callback<Request> m_byOther;
};

}  // namespace

Console::Console(const redis::ConnectionOptions& options, topology::Shards& shards, Clock& clock, AuditLog* log,
                 const AuditPlace& place, const locks::LockClientOptions& clientOptions, QObject* parent)
    : QObject(parent),
      m_access(options.access),
      m_client(namedForConsole(options), shards, clock, clientOptions),
      m_force(m_client.connections(), m_client.options().commandTimeout, log, place),
      m_audit(log, place, clock),
      m_own(m_client),
      m_acquire(m_client, m_own, m_audit, m_force, [this] { Q_EMIT ownLocksChanged(ownLocks()); }),
      m_quarantine(m_client, m_audit) {
    connect(&m_client, &locks::LockClient::heldChanged, this, [this] { Q_EMIT ownLocksChanged(ownLocks()); });
    connect(&m_client, &locks::LockClient::heldChanged, this, &Console::becameIdle);
    connect(&m_client.connections(), &topology::ShardConnections::stateChanged, this,
            [this](const redis::Connection* connection, redis::Connection::State state) {
                if (state == redis::Connection::State::Waiting)
                    Q_EMIT connectionLost(connection->lastError());
            });
    connect(&m_client.connections(), &topology::ShardConnections::denied, this, &Console::noteDenial);
    // Handled at once, because the next step waits for the disk while the lease runs.
    connect(&m_force, &ForceRelease::made, this, &Console::noteChange);
    connect(&m_client, &locks::LockClient::lockLost, this, [this](const locks::HoldKey& key, locks::LossReason why) {
        if (key.holder.thread() == OwnLocks::thread)
            noteLost(key, why);
    });
    connect(&m_quarantine, &Quarantine::changed, this, [this] { Q_EMIT ownLocksChanged(ownLocks()); });
    connect(&m_quarantine, &Quarantine::changed, this, &Console::becameIdle);
    connect(&m_quarantine, &Quarantine::lost, this, &Console::noteLost);
    connect(&m_quarantine, &Quarantine::releaseRefused, this, &Console::releaseRefused);
}

Console::~Console() {
    m_client.close();  // a release takes no stop token: it ends with the connection
    m_quarantine.stop();
    m_scope.stop();
}

void Console::setPlace(const AuditPlace& place) {
    m_force.setPlace(place);
    m_audit.setPlace(place);
}

void Console::open() {
    m_replicaRefusal.reset();
    if (m_access == redis::AccessMode::ReadWrite)
        m_client.open();
}

void Console::refuseOnReplica(const QString& master) {
    QStringList arguments{QStringLiteral("slave")};
    if (!master.isEmpty())
        arguments += master;
    m_replicaRefusal = Error(ErrorCode::NotPermitted, Cause::NotMaster, arguments);
}

void Console::setWriting(Writing writing) {
    m_writing = writing;
    m_acquire.refuse(notArmed());
    if (writing == Writing::Allowed)
        return;
    m_force.refuse(*notArmed());
    cancelWaiting();
    std::exchange(m_extending, std::stop_source()).request_stop();
}

std::optional<Error> Console::notArmed() const {
    if (m_writing == Writing::Allowed)
        return std::nullopt;
    return Error(ErrorCode::NotArmed, ConsoleCause::NotArmed);
}

bool Console::isIdle() const {
    return m_underWay == 0 && m_client.heldKeys().empty() && m_quarantine.isEmpty();
}

void Console::execute(OperationId id, const Operation& operation) {
    std::visit([this, id](const auto& request) { begin(id, request); }, operation);
}

// A name as the program of the Java clients has it becomes that on the server; one from the table is that already.
AcquireRequest Console::onServer(AcquireRequest request) const {
    const locks::NameMapper& names = m_client.options().nameMapper;
    request.name = names.onServer(names.inProgram(request.name));
    return request;
}

void Console::begin(OperationId id, const AcquireRequest& asked) {
    const AcquireRequest request = onServer(asked);
    if (newRefused(id, request.name))
        return;
    ++m_underWay;
    if (request.extends) {
        m_scope.spawn(runExtend(id, request));
        return;
    }
    std::stop_source source;
    m_waiting.insert(id, source);
    m_scope.spawn(runAcquire(id, request, source.get_token()));
}

void Console::begin(OperationId id, const ReleaseRequest& request) {
    if (refused(id, request.name))
        return;
    ++m_underWay;
    m_scope.spawn(runRelease(id, request.name));
}

void Console::begin(OperationId id, const ForceReleaseRequest& request) {
    if (newRefused(id, request.confirmed.name))
        return;
    if (isQuarantine(request.change.kind) && m_quarantine.contains(request.confirmed.name))
        return finish(id,
                      failure(request.confirmed.name, Error(ErrorCode::InvalidArgument, ConsoleCause::InQuarantine)));
    ++m_underWay;
    m_scope.spawn(runForceRelease(id, request));
}

void Console::cancel(OperationId id) {
    const auto waiting = m_waiting.constFind(id);
    if (waiting != m_waiting.cend()) {
        std::stop_source source = *waiting;  // a copy: the acquire removes its own entry when it ends
        source.request_stop();
    }
}

void Console::cancelWaiting() {
    const QHash<OperationId, std::stop_source> waiting = m_waiting;  // each removes its own entry
    for (const std::stop_source& source : waiting)
        source.request_stop();
}

QList<OwnLock> Console::ownLocks() const {
    return m_own.list() + m_quarantine.ownLocks();
}

void Console::checkOwnLocks() {
    for (const locks::HoldKey& key : m_client.heldKeys())
        m_client.checkHolds(key.name);
}

Task<void> Console::releaseAll(Deadline deadline) {
    ++m_underWay;  // so that the console is not closed in between
    for (const OwnLock& lock : ownLocks()) {
        if (lock.isQuarantine) {
            const Result<BreakOutcome> ended = co_await m_quarantine.end(lock.name, deadline);
            Q_UNUSED(ended)
            continue;
        }
        for (qint64 hold = 0; hold < lock.count && !deadline.hasPassed(); ++hold) {
            const locks::Lock held = m_own.lockOf(lock.kind, lock.name);
            const Result<locks::ReleaseOutcome> released = co_await held.unlock(OwnLocks::thread);
            m_audit.released(held.holdKey(OwnLocks::thread), resultOf(lock.name, released));
            if (!released)
                break;  // a lock that cannot be released now expires
        }
    }
    --m_underWay;
    Q_EMIT becameIdle();
}

Task<void> Console::runAcquire(OperationId id, AcquireRequest request, std::stop_token stop) {
    const EitherStop either(std::move(stop), m_scope.stopToken());
    const OperationResult result = co_await m_acquire.run(request, either.token(), m_scope.stopToken());
    m_waiting.remove(id);
    finish(id, notCancelled(result));
    co_await settle(m_own.keyOf(request.kind, request.name));
}

Task<void> Console::runExtend(OperationId id, AcquireRequest request) {
    const locks::HoldKey key = m_own.keyOf(request.kind, request.name);
    const EitherStop either(m_extending.get_token(), m_scope.stopToken());
    const OperationResult result = co_await m_acquire.extend(request, key, either.token(), m_scope.stopToken());
    finish(id, notCancelled(result));
    co_await settle(key);
}

OperationResult Console::notCancelled(OperationResult result) const {
    const bool isCancelled = result.error && result.error->code == ErrorCode::Cancelled;
    if (isCancelled && m_writing == Writing::Refused)
        result.error = notArmed();
    return result;
}

// Waits, so that an operation just after the start or during a reconnect does not fail.
Task<Result<Done>> Console::whenReady(LockName name) {
    const Completion<Done> ready = m_client.connections().whenReady(name.bytes());
    const Result<Done> answer = co_await ready.wait(commandDeadline(), m_scope.stopToken());
    if (!answer && answer.error().code == ErrorCode::Timeout)
        co_return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    co_return answer;
}

Task<OperationResult> Console::releaseOnce(LockName name) {
    const Result<Done> ready = co_await whenReady(name);
    if (!ready)
        co_return failure(name, ready.error());
    if (m_quarantine.contains(name)) {
        const Result<BreakOutcome> ended = co_await m_quarantine.end(name, commandDeadline());
        if (ended && *ended == BreakOutcome::Broken)
            co_return resultOf(name, Outcome::Released);
        co_return failure(name, ended ? m_own.notHeld() : ended.error());
    }
    const locks::Lock lock = m_own.lockOf(m_own.kindOf(name), name);
    const Result<locks::ReleaseOutcome> released = co_await lock.unlock(OwnLocks::thread);
    const OperationResult result = resultOf(name, released);
    m_audit.released(lock.holdKey(OwnLocks::thread), result);
    co_return result;
}

Task<void> Console::runRelease(OperationId id, LockName name) {
    const locks::HoldKey key = m_own.keyOf(m_own.kindOf(name), name);
    const OperationResult result = co_await releaseOnce(name);
    finish(id, result);
    co_await settle(key);
}

Task<void> Console::settle(locks::HoldKey key) {
    const Completion<Done> settled = m_client.whenSettled(key);
    const bool wasOpen = !settled.isCompleted();
    const Result<Done> end = co_await settled.wait(Deadline::never(m_client.clock()), m_scope.stopToken());
    if (!end)
        noteUnsettled(key, end.error());
    else if (wasOpen)
        m_audit.takenBack(key);
    else
        m_audit.notTakenBack(key);  // nothing was sent, or nothing was left to release
    --m_underWay;
    Q_EMIT becameIdle();
}

void Console::noteUnsettled(const locks::HoldKey& key, const Error& why) {
    m_audit.notTakenBack(key);
    if (redis::isWithoutReply(why))
        return;
    if (why.code != ErrorCode::NotHeld)
        return noteRefusal(key, why);
    noteLost(key, locks::LossReason::TakenAway);
}

void Console::noteRefusal(const locks::HoldKey& key, const Error& why) {
    noteDenial(why);
    m_audit.released(key, failure(key.name, why));
    Q_EMIT releaseRefused(key.name, why);
}

void Console::noteDenial(const Error& error) {
    if (m_denials.note(error))
        Q_EMIT deniedChanged();
}

void Console::askRights(const LockName& sample) {
    if (m_access == redis::AccessMode::ReadWrite && !m_replicaRefusal)
        m_scope.spawn(runRightsQuestion(sample));
}

Task<void> Console::runRightsQuestion(LockName sample) {
    const Result<Done> ready = co_await whenReady(sample);
    const redis::Connection* connection = ready ? m_client.connections().of(sample.bytes()) : nullptr;
    if (!connection)
        co_return;
    if (!RightsQuestion::isKnownTo(connection->server())) {
        m_rightsInAdvance = RightsInAdvance::NotOffered;
        Q_EMIT deniedChanged();
        co_return;
    }
    const RightsQuestion question(sample, m_client.connections().isSharded(*connection));
    const Completion<redis::RespValue> sent = m_client.connections().send(sample.bytes(), question.command());
    const Result<redis::RespValue> answer = co_await sent.wait(commandDeadline(), m_scope.stopToken());
    if (!answer && redis::isWithoutReply(answer.error()))
        co_return;  // the console may be ending: no callbacks any more
    const AnsweredRights rights = question.rightsIn(answer);
    m_rightsInAdvance = rights.inAdvance;
    for (const WritingDenial& denial : rights.denied)
        (void)m_denials.note(denial);
    Q_EMIT deniedChanged();
}

void Console::noteLost(const locks::HoldKey& key, locks::LossReason why) {
    m_audit.lost(key, why);
    Q_EMIT ownLockLost(key.name, why);
}

// ---- locks of others ----

Task<void> Console::runForceRelease(OperationId id, ForceReleaseRequest request) {
    const LockName name = request.confirmed.name;
    if (isQuarantine(request.change.kind))
        request.change.newHolder = HolderId(m_client.id(), Quarantine::thread);
    const ForceReport report = co_await m_force.run(request, m_scope.stopToken());
    m_client.checkHolds(name);
    if (isQuarantine(request.change.kind) && report.found == Found::Done)
        m_quarantine.begin(request, *report.until);
    const Result<BreakOutcome>& broken = report.outcome;
    OperationResult result = broken ? resultOf(name, outcomeOf(*broken)) : failure(name, broken.error());
    if (result.outcome == Outcome::HolderChanged)
        result.error = Error(ErrorCode::HolderChanged, ConsoleCause::ChangedSinceConfirmed);
    if (result.outcome == Outcome::HolderChanged || report.found)
        result.now = report.after;
    result.change = request.change;
    result.found = report.found;
    result.notRecorded = report.notRecorded;
    finish(id, result);
    co_await settle(m_own.keyOf(OwnLockKind::Reentrant, name));
}

void Console::noteChange(const ForceReleaseRequest& request, Deadline until) {
    const monitor::LockSnapshot broken = brokenBy(request);
    switch (request.change.kind) {
        case ChangeKind::ReleaseReader:
        case ChangeKind::ReleaseHolder:
        case ChangeKind::ReleaseLock:
            m_quarantine.noteBroken(broken);
            Q_EMIT forceReleased(broken);
            break;
        case ChangeKind::Quarantine:
        case ChangeKind::QuarantineHolder:
            m_quarantine.begin(request, until);
            Q_EMIT forceReleased(broken);
            break;
        case ChangeKind::RemoveWaiter:
        case ChangeKind::WakeWaiters:
        case ChangeKind::SetExpiry:
        case ChangeKind::GiveBackPermit:
            break;
    }
}

void Console::finish(OperationId id, OperationResult result) {
    if (result.error)
        noteDenial(*result.error);  // also for what a script or another connection was refused
    Q_EMIT operationFinished(id, result);
}

bool Console::refused(OperationId id, const LockName& name) {
    if (m_access == redis::AccessMode::ReadOnly)
        finish(id, failure(name, Error(ErrorCode::NotPermitted, Cause::ReadOnlyConnection)));
    else if (m_replicaRefusal)
        finish(id, failure(name, *m_replicaRefusal));
    return m_access == redis::AccessMode::ReadOnly || m_replicaRefusal;
}

bool Console::newRefused(OperationId id, const LockName& name) {
    if (refused(id, name))
        return true;
    if (m_writing == Writing::Refused)
        finish(id, failure(name, *notArmed()));
    return m_writing == Writing::Refused;
}

Deadline Console::commandDeadline() const {
    return Deadline::in(m_client.clock(), m_client.options().commandTimeout);
}

}  // namespace lockkeeper::control

#include "moc_console.cpp"
