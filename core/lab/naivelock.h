// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "lab/lockplan.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

#include <stop_token>

namespace lockkeeper::lab {

// A lock as people wrote it by hand before there were libraries, with its faults. It wakes no waiters: a waiter tries
// again every 20 ms. For demonstration only. Thread: the connection's.
class LOCKKEEPER_MONITOR_EXPORT NaiveLock {
public:
    // clock: the owner's; its wall clock may be wrong. The connection and the clock must outlive every call.
    NaiveLock(redis::Connection& connection, Clock& clock, LockKind kind, LockName name, QByteArray owner);

    struct Attempt {
        bool acquired = false;
        qint64 tries = 0;
    };
    [[nodiscard]] Task<Result<Attempt>> tryLock(Deadline waitUntil, Milliseconds lease, std::stop_token stop) const;
    // Returns whether a lock was removed, of any owner.
    [[nodiscard]] Task<Result<bool>> unlock(std::stop_token stop) const;

private:
    [[nodiscard]] Task<Result<bool>> tryOnce(Milliseconds lease, std::stop_token stop) const;
    [[nodiscard]] Task<Result<bool>> tryByTime(Milliseconds lease, std::stop_token stop) const;
    [[nodiscard]] Task<Result<redis::RespValue>> send(QByteArrayList command, std::stop_token stop) const;
    [[nodiscard]] QByteArray wallTime(Milliseconds later) const;

    redis::Connection& m_connection;
    Clock& m_clock;
    const LockKind m_kind;
    const LockName m_name;
    const QByteArray m_owner;
};

}  // namespace lockkeeper::lab
