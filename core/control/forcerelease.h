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

// What a force-release, or another change, has led to.
struct ForceReport {
    // Errors: those of applyChange(), and that of refuse(); Storage: the intent could not be recorded, so nothing was sent.
    Result<BreakOutcome> outcome = Error();
    std::optional<monitor::LockSnapshot> after;  // the lock as it was read then
    std::optional<Found> found{};                // what it shows, if the answer was lost
    std::optional<Deadline> until;               // the time of a quarantine; nothing: not sent
    std::optional<Error> notRecorded;            // why its outcome is not in the audit yet
};

// Breaks locks as an operator does, or changes them otherwise: reads the lock, records the intent, and only then sends
// the script that compares and changes; afterwards reads the lock again and records the outcome. Thread: that of the connections, which outlive it.
class LOCKKEEPER_MONITOR_EXPORT ForceRelease : public QObject {
    Q_OBJECT
public:
    // log: null for the demo's own server, where nothing is recorded; outlives it. commandTimeout: for each command.
    ForceRelease(topology::ShardConnections& connections, Milliseconds commandTimeout, AuditLog* log, AuditPlace place);

    // Of intents from now on.
    void setPlace(const AuditPlace& place) { m_place = place; }
    // Of those that were requested before and have not been executed: what a node refuses is not sent again.
    void refuse(const Error& refusal);
    // Asked just before a waiter is removed, whose script asks one server alone who is subscribed: false changes nothing.
    // Without it the caller must be sure.
    using Proof = std::function<bool(const LockName& lock, const HolderId& waiter)>;
    void requireProof(Proof isDead) { m_isDead = std::move(isDead); }
    // Waits for the connection. NotALock: the key holds something else, or may not be read.
    [[nodiscard]] Task<Result<monitor::LockReading>> read(LockName name, std::stop_token stop);
    // If it is stopped after the command was sent, the outcome is recorded as unknown.
    [[nodiscard]] Task<ForceReport> run(ForceReleaseRequest request, std::stop_token stop);

Q_SIGNALS:
    // The server has confirmed it; the audit may not know yet. until: the time of a quarantine.
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
    std::shared_ptr<std::optional<Error>> m_refusal = std::make_shared<std::optional<Error>>();  // shared by those under way
    Proof m_isDead;
    monitor::Denials m_denials;
    std::map<const redis::Connection*, std::unique_ptr<monitor::LockReader>> m_readers;  // until their connection ends
};

}  // namespace lockkeeper::control
