// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/calls/backoff.h"
#include "locks/calls/unsettled.h"

#include <optional>

namespace lockkeeper::locks {

// A release in the background of what an earlier call may have left. While it lives, the state of the holder is open. If
// the server refuses the release, those who wait for its end get the server's error, and it is tried again, whatever the
// refusal: rights can be granted again, and a server without memory or without replicas recovers. Thread: the client's.
class RefusedRelease {
public:
    // stay: for how long the server may keep it. A server that answers has executed before what was sent before, so
    // what it keeps ends at the latest this time after its first refusal. Of a writer the TTL of the lock counts, because
    // each reentry adds its lease to it. Nothing: it has no end.
    RefusedRelease(LockClient* client, HoldKey key, std::optional<Milliseconds> stay);

    // Of the next attempt.
    [[nodiscard]] const Deadline& end() const noexcept { return m_end; }
    // The answer of an attempt that is not to be repeated.
    void report(const Error& why) const { m_unsettled.refuse(why); }
    // Waits until the time of another attempt; false if there is to be none. Await it at once: it uses this object.
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
