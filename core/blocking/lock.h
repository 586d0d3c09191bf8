// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "locks/kinds/lock.h"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <stop_token>

namespace lockkeeper::blocking {

class ClientThread;

// A failure of lock(), tryLock() or another function with a name of the standard library, which cannot return an Error.
class LOCKKEEPER_EXPORT LockFailure : public std::runtime_error {
public:
    explicit LockFailure(const Error& error);
    ~LockFailure() override;

    [[nodiscard]] const Error& error() const noexcept { return m_error; }

private:
    Error m_error;
};

// The ThreadId of the calling thread: the same in all calls of this thread, another one in each other thread.
[[nodiscard]] LOCKKEEPER_EXPORT ThreadId currentThread();

// A lock of any kind for programs without an event loop: each call blocks its thread. The calling thread is the holder,
// so the thread that takes a lock also releases it. A Client makes it and must outlive it. A handle: copies mean the
// same lock. Thread: any, several at the same time.
//
// It works with std::unique_lock, std::lock_guard, std::scoped_lock and std::lock as a std::timed_mutex does. The
// holder of a reentrant kind may also take it again.
class LOCKKEEPER_EXPORT Lock {
public:
    // ---- as the standard library wants it: a failure that is not "held by another" throws LockFailure ----
    void lock();
    [[nodiscard]] bool try_lock();
    template <typename Rep, typename Period>
    [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& wait) {
        return takenWithin(std::chrono::ceil<Milliseconds>(wait));
    }
    template <typename TimeClock, typename Duration>
    [[nodiscard]] bool try_lock_until(const std::chrono::time_point<TimeClock, Duration>& until) {
        return takenWithin(std::chrono::ceil<Milliseconds>(until - TimeClock::now()));
    }
    // As release(), without its result, because guards call it in their destructors. A failure is logged.
    void unlock() noexcept;

    // ---- with results in place of exceptions; see locks::Lock ----
    // wait: the longest wait; nothing: no limit. The stop token may be triggered in any thread.
    [[nodiscard]] Result<locks::LockAttempt> tryLock(std::optional<Milliseconds> wait, std::stop_token stop = {}) const;
    [[nodiscard]] Result<locks::ReleaseOutcome> release() const;
    [[nodiscard]] Result<locks::RemainingTime> remainingTime() const;
    // Whether the client believes that this thread holds the lock. LockClient::lockLost describes how it learns of a
    // loss.
    [[nodiscard]] bool isHeld() const;

    // The same lock, taken with this lease; the watchdog does not renew it.
    [[nodiscard]] Lock withLease(Milliseconds lease) const;
    [[nodiscard]] const LockName& name() const noexcept { return m_lock.name(); }

private:
    friend class Client;

    Lock(ClientThread& client, const locks::Lock& lock) : m_client(&client), m_lock(lock) {}
    [[nodiscard]] bool takenWithin(std::optional<Milliseconds> wait) const;

    ClientThread* m_client;
    locks::Lock m_lock;
    std::optional<Milliseconds> m_lease;
};

}  // namespace lockkeeper::blocking
