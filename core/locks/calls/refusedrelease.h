// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/calls/backoff.h"
#include "locks/calls/unsettled.h"

#include <optional>

namespace lockkeeper::locks {

// A release, in the background, of what an earlier call may have left on the server. While this object lives, the state
// of the holder is open. If the server refuses the release, the waiters for its end get the server's error, and the
// release is tried again. This holds for every refusal: rights can be granted again, and a server without memory or
// without replicas recovers. Thread: the client's.
class RefusedRelease {
public:
    // stay: for how long the server may keep the leftover; nothing: without end. A server that answers has executed all
    // commands sent before, so the leftover expires at the latest this time after the first refusal. For a writer the
    // TTL of the lock counts instead, because each reentry adds its lease to the TTL.
    RefusedRelease(LockClient* client, HoldKey key, std::optional<Milliseconds> stay);

    // The deadline of the next attempt.
    [[nodiscard]] const Deadline& end() const noexcept { return m_end; }
    // Reports the answer of an attempt that is not repeated.
    void report(const Error& why) const { m_unsettled.refuse(why); }
    // Waits until the time of the next attempt; false if there is no next attempt. Await it at once: it uses this
    // object.
    [[nodiscard]] Task<bool> pauseAfter(Error failure);

private:
    [[nodiscard]] Task<Milliseconds> stayOnServer(Milliseconds otherwise);

    LockClient* m_client;
    const HoldKey m_key;
    const Unsettled m_unsettled;
    const std::optional<Milliseconds> m_stay;
    BackOff m_backOff = BackOff::forDenials();
    bool m_isRefused = false;
    Deadline m_end;
};

}  // namespace lockkeeper::locks
