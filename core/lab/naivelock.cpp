// SPDX-License-Identifier: Apache-2.0
#include "lab/naivelock.h"

#include "async/pause.h"

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds pauseBetweenTries = 20ms;

bool isTaken(const redis::RespValue& reply) {
    return reply.isInteger() ? reply.integer == 1 : reply.bytes == "OK";
}

}  // namespace

NaiveLock::NaiveLock(redis::Connection& connection, Clock& clock, LockKind kind, LockName name, QByteArray owner)
    : m_connection(connection), m_clock(clock), m_kind(kind), m_name(std::move(name)), m_owner(std::move(owner)) {}

Task<Result<NaiveLock::Attempt>> NaiveLock::tryLock(Deadline waitUntil, Milliseconds lease,
                                                    std::stop_token stop) const {
    Attempt attempt;
    while (true) {
        const Result<bool> taken = co_await tryOnce(lease, stop);
        if (!taken)
            co_return taken.error();
        ++attempt.tries;
        attempt.acquired = *taken;
        if (attempt.acquired || waitUntil.hasPassed())
            co_return attempt;
        const bool goesOn = co_await pauseUntil(Deadline::in(m_clock, pauseBetweenTries), stop);
        if (!goesOn)
            co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
    }
}

Task<Result<bool>> NaiveLock::unlock(std::stop_token stop) const {
    QByteArrayList command{"DEL", m_name.bytes()};
    if (m_kind == LockKind::NaiveOwner) {
        const QByteArray script =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
        command = {"EVAL", script, "1", m_name.bytes(), m_owner};
    }
    const Result<redis::RespValue> reply = co_await send(command, stop);
    if (!reply)
        co_return reply.error();
    co_return reply->integer == 1;
}

Task<Result<bool>> NaiveLock::tryOnce(Milliseconds lease, std::stop_token stop) const {
    if (m_kind == LockKind::NaiveTime) {
        const Result<bool> taken = co_await tryByTime(lease, stop);
        co_return taken;
    }
    QByteArrayList command{"SETNX", m_name.bytes(), m_owner};
    if (m_kind != LockKind::NaiveSetnx)
        command = {"SET", m_name.bytes(), m_owner, "NX", "PX", QByteArray::number(qint64{lease.count()})};
    const Result<redis::RespValue> reply = co_await send(command, stop);
    if (!reply)
        co_return reply.error();
    co_return isTaken(*reply);
}

// The value is the time at which the lock ends, by the clock of the writer. The reader compares it with its own clock.
Task<Result<bool>> NaiveLock::tryByTime(Milliseconds lease, std::stop_token stop) const {
    const QByteArrayList first{"SETNX", m_name.bytes(), wallTime(lease)};
    const Result<redis::RespValue> set = co_await send(first, stop);
    if (!set)
        co_return set.error();
    if (isTaken(*set))
        co_return true;
    const QByteArrayList second{"GET", m_name.bytes()};
    const Result<redis::RespValue> read = co_await send(second, stop);
    if (!read)
        co_return read.error();
    if (read->bytes.toLongLong() > wallTime(0ms).toLongLong())
        co_return false;
    const QByteArrayList third{"GETSET", m_name.bytes(), wallTime(lease)};
    const Result<redis::RespValue> replaced = co_await send(third, stop);
    if (!replaced)
        co_return replaced.error();
    co_return replaced->bytes == read->bytes;
}

Task<Result<redis::RespValue>> NaiveLock::send(QByteArrayList command, std::stop_token stop) const {
    constexpr Milliseconds patience = 5s;
    redis::Command sent(command.takeFirst());
    for (const QByteArray& argument : std::as_const(command))
        sent.arg(argument);
    const Completion<redis::RespValue> answered = m_connection.send(sent);
    const Result<redis::RespValue> reply = co_await answered.wait(Deadline::in(m_clock, patience), stop);
    co_return reply;
}

QByteArray NaiveLock::wallTime(Milliseconds later) const {
    const auto time = std::chrono::duration_cast<Milliseconds>(m_clock.wallNow().time_since_epoch()) + later;
    return QByteArray::number(qint64{time.count()});
}

}  // namespace lockkeeper::lab
