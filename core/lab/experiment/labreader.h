// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "lab/answer.h"
#include "lab/laboratory.h"
#include "lab/lockplan.h"
#include "lab/playeddump.h"
#include "lockkeeper_monitor_export.h"

#include <stop_token>
#include <vector>

namespace lockkeeper::monitor {
struct LockSnapshot;
}

namespace lockkeeper::lab {

// Reads what the servers of a laboratory keep, in the words of its scenario. The laboratory must outlive every call.
class LOCKKEEPER_MONITOR_EXPORT LabReader {
public:
    LabReader(Laboratory& laboratory, Clock& clock, std::stop_token stop)
        : m_laboratory(laboratory), m_clock(clock), m_stop(std::move(stop)) {}

    // See Observe, AwaitFree, AwaitWaiters, AwaitReplicated, FindDeadlock and ReadDump.
    [[nodiscard]] Task<Answer> observe(LockName name, ServerNumber server) const;
    [[nodiscard]] Task<Answer> awaitFree(LockName name, ServerNumber server) const;
    // untilItIsSent: time for the last attempt of a waiter before it sleeps.
    [[nodiscard]] Task<Answer> awaitWaiters(LockPlan lock, qint64 count,
                                            Milliseconds untilItIsSent = Milliseconds(50)) const;
    [[nodiscard]] Task<Answer> awaitReplicated() const;
    [[nodiscard]] Task<Answer> findDeadlock(std::vector<LockPlan> fairLocks) const;
    [[nodiscard]] Task<Answer> readDump(LockPlan::Member lock, DumpedThread does) const;

private:
    [[nodiscard]] Task<Result<redis::RespValue>> ask(ServerNumber server, QByteArrayList command) const;
    [[nodiscard]] Task<Result<qint64>> replicationOffset(ServerNumber server) const;
    [[nodiscard]] Task<Result<qint64>> waitersOf(LockPlan lock) const;
    [[nodiscard]] Task<Result<monitor::LockSnapshot>> read(LockPlan::Member fairLock) const;
    [[nodiscard]] Task<bool> pause(Milliseconds time) const;
    // "a:1" or "a:1 x2", for a writer "a:1 write"; a field that is not a holder is unchanged.
    [[nodiscard]] QByteArray displayed(const QByteArray& field, qint64 count) const;
    [[nodiscard]] QByteArrayList holdersOf(const redis::RespValue& hash) const;

    Laboratory& m_laboratory;
    Clock& m_clock;
    const std::stop_token m_stop;
};

}  // namespace lockkeeper::lab
