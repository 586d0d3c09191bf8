#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/bulkreader.h"
#include "monitor/discover/lockprobe.h"
#include "monitor/observe/proof.h"

namespace lockkeeper::monitor {

// Reads the keys that a sweep meets and that may be locks. Where there is a connection that tracks, the other one only
// sorts out, in bulk, what is no lock; what is left is read where it is to be watched, and need not be read again for
// that. Thread: the connection's, which must outlive it as reader, budget and clock must.
class LOCKKEEPER_MONITOR_EXPORT CandidateReader {
public:
    using End = BulkReader::End;
    using Take = std::function<void(const LockName& name, const LockReading& reading, Proof proof)>;
    // Reads on a connection that tracks what it reads; null while there is none.
    using TrackedBulk = std::function<BulkReader*()>;

    // connection and reader: those that do not track. take: each reading, and what is no lock by its fields' names.
    CandidateReader(redis::Connection& connection, LockReader& reader, ReadBudget& budget, Clock& clock,
                    TrackedBulk tracked, Take take);

    // Reads all of them, whatever stands under their names. Broken, as all that follows, when the connection that does
    // not track is gone, or stop() was called.
    [[nodiscard]] Task<End> read(QList<LockName> names);

    // Of a sweep, which goes on meanwhile: these hashes are read when there are enough for a round. Ends when there is
    // room for more; Broken when the round before was.
    [[nodiscard]] Task<End> collect(QList<LockName> hashes);
    // Reads these and what was collected; ends when all is read.
    [[nodiscard]] Task<End> finish(QList<LockName> hashes);
    // After a reconnect or a sweep that was broken off: forgets what was collected.
    void startOver();
    void stop() { m_tasks.stop(); }

private:
    Task<End> readLocksAmong(QList<LockName> hashes);
    Task<End> sortOutAndRead(QList<LockName> hashes, BulkReader* tracked);
    Task<bool> takeTurns(qsizetype count);
    Task<void> runRound(QList<LockName> hashes, Completion<End> ended);
    Task<End> roundEnds();
    BulkReader::Take takeAs(Proof proof) const;

    ReadBudget& m_budget;
    Clock& m_clock;
    LockProbe m_probe;
    BulkReader m_untracked;
    const TrackedBulk m_tracked;
    const Take m_take;
    QList<LockName> m_collected;
    std::optional<Completion<End>> m_round;  // under way, or ended and not asked for yet
    TaskScope m_tasks;                       // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
