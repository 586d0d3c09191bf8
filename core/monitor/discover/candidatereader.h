// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/discover/lockprobe.h"
#include "monitor/observe/read/bulkreader.h"
#include "monitor/observe/read/trackedreads.h"

namespace lockkeeper::monitor {

// Reads the keys of a sweep that may be locks. If there is a tracking connection, the other connection only finds out,
// in bulk, which hashes are not locks. The remaining keys are read on the tracking connection, where they will be
// watched, so they need not be read again. Thread: the connection's. Connection, reader, budget and clock must outlive
// it.
class LOCKKEEPER_MONITOR_EXPORT CandidateReader {
public:
    using End = BulkReader::End;
    using Take = std::function<void(const LockName& name, const LockReading& reading, Confirmation confirmation)>;

    // connection and reader: the ones without tracking. take: called for each reading, and for each hash whose field
    // names show that it is not a lock.
    CandidateReader(redis::Connection& connection, LockReader& reader, ReadBudget& budget, Clock& clock,
                    TrackedReads& tracked, Take take, const NodeScope& scope = wholeServer(),
                    LockProbe::Naming naming = LockProbe::Naming::Unknown);

    // Reads all of these names, whatever type their keys have. End::Broken, here and below: the connection without
    // tracking was lost, or stop() was called.
    [[nodiscard]] Task<End> read(QList<LockName> names);

    // For a sweep that continues meanwhile: collects these hashes, and starts a round of reads once there are enough.
    // Completes when there is room for more hashes, with Broken if the previous round ended so.
    [[nodiscard]] Task<End> collect(QList<LockName> hashes);
    // Reads these hashes and the collected ones; completes when all are read.
    [[nodiscard]] Task<End> finish(QList<LockName> hashes);
    // After a reconnect or an aborted sweep: forgets the collected hashes.
    void startOver();
    void stop() { m_tasks.stop(); }

private:
    Task<End> readLocksAmong(QList<LockName> hashes);
    Task<End> sortOutAndRead(QList<LockName> hashes, BulkReader* tracked);
    Task<bool> takeTurns(qsizetype count);
    Task<void> runRound(QList<LockName> hashes, Completion<End> ended);
    Task<End> roundEnds();
    BulkReader::Take takeAs(Confirmation confirmation) const;

    ReadBudget& m_budget;
    Clock& m_clock;
    const NodeScope& m_scope;
    LockProbe m_probe;
    BulkReader m_untracked;
    TrackedReads& m_tracked;
    const Take m_take;
    QList<LockName> m_collected;
    std::optional<Completion<End>> m_round;  // a running round, or the unused result of an ended one
    TaskScope m_tasks;                       // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
