// SPDX-License-Identifier: Apache-2.0
#include "blocking/lock.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "blocking/clientthread.h"

#include <algorithm>
#include <atomic>

namespace lockkeeper::blocking {

using locks::LockAttempt;

namespace {

// A longer wait would be beyond the end of the clock and count as over.
constexpr Milliseconds longestWait = std::chrono::hours(24) * 365 * 100;

}  // namespace

LockFailure::LockFailure(const Error& error) : std::runtime_error(error.text.toStdString()), m_error(error) {}

LockFailure::~LockFailure() = default;

ThreadId currentThread() {
    static std::atomic<qint64> last{0};
    thread_local const ThreadId mine{++last};
    return mine;
}

void Lock::lock() {
    (void)takenWithin(std::nullopt);
}

bool Lock::try_lock() {
    return takenWithin(Milliseconds(0));
}

void Lock::unlock() noexcept {
    const Result<locks::ReleaseOutcome> released = release();
    if (!released)
        qCWarning(logLocks) << "released" << boundedName(name()) << "with an error:" << released.error().text;
}

bool Lock::takenWithin(std::optional<Milliseconds> wait) const {
    const Result<LockAttempt> tried = tryLock(wait);
    if (!tried)
        throw LockFailure(tried.error());
    return tried->acquired();
}

// The library's stop tokens work in one thread only, so a stop of the caller's token is handed to the worker.
Result<LockAttempt> Lock::tryLock(std::optional<Milliseconds> wait, std::stop_token stop) const {
    const ThreadId thread = currentThread();
    const auto inner = std::make_shared<std::stop_source>();
    Worker& worker = m_client->worker();
    const std::stop_callback handOver(std::move(stop),
                                      [&worker, inner] { worker.post([inner] { inner->request_stop(); }); });
    return m_client->call<LockAttempt>([this, thread, wait, inner] {
        Clock& clock = m_lock.client().clock();
        const Deadline until =
            wait ? Deadline::in(clock, std::clamp(*wait, Milliseconds(0), longestWait)) : Deadline::never(clock);
        return m_lock.tryLock(thread, until, m_lease, inner->get_token());
    });
}

Result<locks::ReleaseOutcome> Lock::release() const {
    const ThreadId thread = currentThread();
    return m_client->call<locks::ReleaseOutcome>([this, thread] { return m_lock.unlock(thread); });
}

Result<locks::RemainingTime> Lock::remainingTime() const {
    return m_client->call<locks::RemainingTime>([this] { return m_lock.remainingTime(); });
}

bool Lock::isHeld() const {
    const locks::HoldKey key = m_lock.holdKey(currentThread());
    bool isHeld = false;
    m_client->worker().run([this, &key, &isHeld] { isHeld = m_client->client().hold(key).count > 0; });
    return isHeld;
}

Lock Lock::withLease(Milliseconds lease) const {
    Lock leased = *this;
    leased.m_lease = lease;
    return leased;
}

}  // namespace lockkeeper::blocking
