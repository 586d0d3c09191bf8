// SPDX-License-Identifier: Apache-2.0
#include "control/forcerelease.h"

#include "control/audit/recordintent.h"
#include "control/foundstate.h"
#include "redis/connection.h"
#include "redis/replyerrors.h"

#include <QUuid>

using namespace std::chrono_literals;

namespace lockkeeper::control {

namespace {

// How long the disk may take, including another program that writes before.
constexpr Milliseconds diskTime = 10s;
// How often a lock is read after an answer was lost: each time it waits for the connection.
constexpr int readsWhenUnknown = 2;

std::optional<monitor::LockSnapshot> snapshotOf(const monitor::LockReading& reading) {
    const auto* lock = std::get_if<monitor::LockSnapshot>(&reading);
    return lock ? std::optional(*lock) : std::nullopt;
}

AuditOutcome outcomeFor(const Result<BreakOutcome>& outcome) {
    if (!outcome)
        return auditOutcomeOf(outcome.error().code);
    switch (*outcome) {
        case BreakOutcome::Broken:
            return AuditOutcome::Done;
        case BreakOutcome::AlreadyFree:
            return AuditOutcome::AlreadyFree;
        case BreakOutcome::Changed:
            return AuditOutcome::OtherHolder;
    }
    return AuditOutcome::Unknown;
}

}  // namespace

ForceRelease::ForceRelease(topology::ShardConnections& connections, Milliseconds commandTimeout, AuditLog* log,
                           AuditPlace place)
    : m_connections(connections), m_commandTimeout(commandTimeout), m_log(log), m_place(std::move(place)) {}

Task<Result<monitor::LockReading>> ForceRelease::readOnce(LockName name, std::stop_token stop) {
    const Completion<Done> ready = m_connections.whenReady(name.bytes());
    const Result<Done> isReady = co_await ready.wait(deadline(m_commandTimeout), stop);
    redis::Connection* connection = isReady ? m_connections.of(name.bytes()) : nullptr;
    if (!isReady && isReady.error().code != ErrorCode::Timeout)
        co_return isReady.error();
    if (!connection)
        co_return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    const Completion<monitor::LockReading> reading = readerAt(*connection).read(name);
    const Result<monitor::LockReading> answer = co_await reading.wait(deadline(m_commandTimeout), stop);
    co_return answer;
}

// A reader does not follow its lock to another node, but any command of these connections makes them find the node.
Task<Result<monitor::LockReading>> ForceRelease::read(LockName name, std::stop_token stop) {
    const Result<monitor::LockReading> first = co_await readOnce(name, stop);
    if (first || !redis::isRefusedByNode(first.error()))
        co_return first;
    const redis::Command exists = redis::Command("EXISTS").arg(name.bytes());
    const Completion<redis::RespValue> sent = m_connections.send(name.bytes(), exists);
    const Result<redis::RespValue> refused = co_await sent.wait(deadline(m_commandTimeout), stop);
    Q_UNUSED(refused)
    const Result<monitor::LockReading> second = co_await readOnce(name, stop);
    co_return second;
}

void ForceRelease::refuse(const Error& refusal) {
    const auto underWay = std::exchange(m_refusal, std::make_shared<std::optional<Error>>());
    *underWay = refusal;
}

Task<ForceReport> ForceRelease::run(ForceReleaseRequest request, std::stop_token stop) {
    const LockName name = request.confirmed.name;
    const std::shared_ptr<const std::optional<Error>> refusal = m_refusal;
    const Result<monitor::LockReading> before = co_await read(name, stop);
    ForceReport report;
    if (!before && !redis::isRefusedByNode(before.error())) {
        report.outcome = before.error();
        co_return report;
    }
    // While a slot moves, the script finds a lock that cannot be read.
    const AuditRecord intent = intentOf(request, before ? snapshotOf(*before) : request.confirmed);
    const Result<Done> recorded = co_await recordIntent(intent, stop);
    if (!recorded) {
        report.outcome = recorded.error();
        co_return report;
    }
    if (*refusal) {
        report.outcome = **refusal;
    } else if (!isStillProven(request)) {
        report.outcome = BreakOutcome::Changed;
    } else {
        const redis::BeforeSendingAgain unlessRefused = [refusal] { return *refusal; };
        report.until = deadline(request.change.time);
        report.outcome = co_await applyChange(&m_connections, request.confirmed, request.change,
                                              deadline(m_commandTimeout), stop, unlessRefused);
        if (outcomeFor(report.outcome) == AuditOutcome::Done)
            Q_EMIT made(request, *report.until);
    }
    const bool isUnknown = outcomeFor(report.outcome) == AuditOutcome::Unknown;
    report.after = co_await stateOf(name, isUnknown ? readsWhenUnknown : 1, stop);
    if (isUnknown)
        report.found = foundAfter(request, report.after);
    const AuditRecord outcome = outcomeOf(intent, report);
    report.notRecorded = co_await recordOutcome(outcome, stop);
    co_return report;
}

bool ForceRelease::isStillProven(const ForceReleaseRequest& request) const {
    const bool isWaiter = request.change.kind == ChangeKind::RemoveWaiter && request.change.waiter;
    return !isWaiter || !m_isDead || m_isDead(request.confirmed.name, request.change.waiter->id);
}

Task<std::optional<monitor::LockSnapshot>> ForceRelease::stateOf(LockName name, int attempts, std::stop_token stop) {
    for (int attempt = 0; attempt < attempts && !stop.stop_requested(); ++attempt) {
        const Result<monitor::LockReading> reading = co_await read(name, stop);
        if (reading)
            co_return snapshotOf(*reading);
    }
    co_return std::nullopt;
}

Task<Result<Done>> ForceRelease::recordIntent(AuditRecord intent, std::stop_token stop) {
    if (!m_log)
        co_return Done();
    const Result<Done> recorded = co_await control::recordIntent(m_log, intent, &m_connections.clock(), stop);
    co_return recorded;
}

Task<std::optional<Error>> ForceRelease::recordOutcome(AuditRecord outcome, std::stop_token stop) {
    if (!m_log)
        co_return std::nullopt;
    const Completion<Done> written = m_log->write(outcome);
    const Result<Done> answer = co_await written.wait(deadline(diskTime), stop);
    if (answer)
        co_return std::nullopt;
    co_return answer.error();
}

AuditRecord ForceRelease::intentOf(const ForceReleaseRequest& request,
                                   const std::optional<monitor::LockSnapshot>& before) const {
    AuditRecord record;
    record.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    record.at = m_connections.clock().wallNow();
    record.place = m_place;
    record.lock = request.confirmed.name;
    record.change = request.change;
    record.state = before;
    record.reason = request.reason;
    return record;
}

AuditRecord ForceRelease::outcomeOf(const AuditRecord& intent, const ForceReport& report) const {
    AuditRecord record = intent;
    record.step = AuditStep::Outcome;
    record.at = m_connections.clock().wallNow();
    record.state = report.after;
    record.reason.clear();
    record.outcome = outcomeFor(report.outcome);
    record.wokeWaiters = record.change.kind == ChangeKind::SetExpiry && report.outcome == BreakOutcome::Broken;
    if (!report.outcome)
        record.error = report.outcome.error().text;
    return record;
}

monitor::LockReader& ForceRelease::readerAt(redis::Connection& connection) {
    std::unique_ptr<monitor::LockReader>& reader = m_readers[&connection];
    if (!reader) {
        reader = std::make_unique<monitor::LockReader>(connection, m_denials);
        connect(&connection, &QObject::destroyed, this, [this, gone = &connection] { m_readers.erase(gone); });
    }
    return *reader;
}

Deadline ForceRelease::deadline(Milliseconds time) const {
    return Deadline::in(m_connections.clock(), time);
}

}  // namespace lockkeeper::control

#include "moc_forcerelease.cpp"
