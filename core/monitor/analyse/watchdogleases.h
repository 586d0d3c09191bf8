// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QCache>

#include <optional>

namespace lockkeeper::monitor {

// How a lease that was seen relates to the watchdog timeout of its client. MayBe: it was read so late after it was set
// that it may be that timeout.
enum class LeaseMatch { NotKnown, Other, MayBe, Watchdog };

// The watchdog timeout (Redisson's lockWatchdogTimeout) of each client, learned from its renewals: a watchdog sets each
// of its locks to the whole timeout. A client has one timeout as long as it lives. Bounded: the clients that were used
// least recently are forgotten. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT WatchdogLeases {
public:
    // configured: the timeout that the user says the clients have; zero: not known. It counts for a client of which
    // nothing was learned yet, and only says which lease is a watchdog's: another one may be that of a client that has
    // other settings.
    WatchdogLeases() = default;
    explicit WatchdogLeases(Milliseconds configured) : m_configured(configured) {}

    static constexpr qsizetype mostClients = 10'000;
    // How long after a renewal its TTL may be read to be learned.
    static constexpr Milliseconds promptly{250};
    // How late after an acquire its lease may be read at most.
    static constexpr Milliseconds late{2000};

    enum class Learned { Yes, No };

    // A renewal as by a watchdog was seen, and the TTL was read promptly after it. Two that agree make the timeout
    // known, because somebody may also set a TTL by hand. Returns Yes if the client's timeout is known since this
    // renewal.
    Learned note(const ClientId& client, Milliseconds ttl);
    // Nothing: not known.
    [[nodiscard]] std::optional<Milliseconds> of(const ClientId& client) const;
    // lease: the TTL at the first read of a hold.
    [[nodiscard]] LeaseMatch match(const ClientId& client, Milliseconds lease) const;

private:
    struct Timeout {
        Milliseconds longest{0};  // of the TTLs that agree
        int agreeing = 0;         // their number, less those that do not agree
    };

    Milliseconds m_configured{0};
    QCache<ClientId, Timeout> m_timeouts{mostClients};
};

}  // namespace lockkeeper::monitor
