// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditlog.h"
#include "control/compareandrelease.h"
#include "monitor/observe/read/lockreader.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>

namespace lockkeeper::control {

// The result of a force-release or another change.
struct ForceReport {
    // Errors: those of applyChange(), and the one of refuse(). Storage: the intent could not be recorded, so nothing
    // was sent.
    Result<BreakOutcome> outcome = Error();
    std::optional<monitor::LockSnapshot> after;  // the lock as it was read afterwards
    std::optional<Found> found{};                // what the lock shows, if the answer was lost
    std::optional<Deadline> until;               // the end of a quarantine; nothing: not sent
    std::optional<Error> notRecorded;            // why the outcome is not in the audit yet
};

// Breaks locks of others, or changes them in another way, for an operator. It reads the lock, records the intent, and
// only then sends the script that compares and changes. Afterwards it reads the lock again and records the outcome.
// Thread: that of the connections, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ForceRelease : public QObject {
    Q_OBJECT
public:
    // log: null for the demo's own server, where nothing is recorded; must outlive it. commandTimeout: for each
    // command.
    ForceRelease(topology::ShardConnections& connections, Milliseconds commandTimeout, AuditLog* log, AuditPlace place);

    // place: for intents from now on.
    void setPlace(const AuditPlace& place) { m_place = place; }
    // The answer to requests that were made before and not executed: a command that a node refuses is not sent again.
    void refuse(const Error& refusal);
    // Called just before a waiter is removed, because the script asks only one server for the subscribers. If it
    // returns false, nothing is changed. Without it the caller must be sure.
    using Proof = std::function<bool(const LockName& lock, const HolderId& waiter)>;
    void requireProof(Proof isDead) { m_isDead = std::move(isDead); }
    // Waits for the connection. NotALock: the key holds another value, or may not be read.
    [[nodiscard]] Task<Result<monitor::LockReading>> read(LockName name, std::stop_token stop);
    // If the call is stopped after the command was sent, the outcome is recorded as unknown.
    [[nodiscard]] Task<ForceReport> run(ForceReleaseRequest request, std::stop_token stop);

Q_SIGNALS:
    // The server has confirmed the change; it may not be in the audit yet. until: the end of a quarantine.
    void made(const lockkeeper::control::ForceReleaseRequest& request, lockkeeper::Deadline until);

private:
    [[nodiscard]] Task<Result<monitor::LockReading>> readOnce(LockName name, std::stop_token stop);
    [[nodiscard]] Task<std::optional<monitor::LockSnapshot>> stateOf(LockName name, int attempts, std::stop_token stop);
    [[nodiscard]] Task<Result<Done>> recordIntent(AuditRecord intent, std::stop_token stop);
    [[nodiscard]] Task<std::optional<Error>> recordOutcome(AuditRecord outcome, std::stop_token stop);
    [[nodiscard]] bool isStillProven(const ForceReleaseRequest& request) const;
    [[nodiscard]] AuditRecord intentOf(const ForceReleaseRequest& request,
                                       const std::optional<monitor::LockSnapshot>& before) const;
    [[nodiscard]] AuditRecord outcomeOf(const AuditRecord& intent, const ForceReport& report) const;
    [[nodiscard]] monitor::LockReader& readerAt(redis::Connection& connection);
    [[nodiscard]] Deadline deadline(Milliseconds time) const;

    topology::ShardConnections& m_connections;
    const Milliseconds m_commandTimeout;
    AuditLog* const m_log;
    AuditPlace m_place;
    std::shared_ptr<std::optional<Error>> m_refusal =
        std::make_shared<std::optional<Error>>();  // shared by the running calls
    Proof m_isDead;
    monitor::Denials m_denials;
    std::map<const redis::Connection*, std::unique_ptr<monitor::LockReader>>
        m_readers;  // kept until their connection ends
};

}  // namespace lockkeeper::control
