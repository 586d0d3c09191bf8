// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/watchdogleases.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

LeaseMatch matchOf(Milliseconds timeout, Milliseconds lease) {
    if (std::chrono::abs(timeout - lease) <= WatchdogLeases::promptly)
        return LeaseMatch::Watchdog;
    return lease < timeout && timeout - lease <= WatchdogLeases::late ? LeaseMatch::MayBe : LeaseMatch::Other;
}

constexpr int enoughToKnow = 2;
constexpr int mostAgreeing = 10;  // so that a wrong timeout does not outlive many renewals

}  // namespace

WatchdogLeases::Learned WatchdogLeases::note(const ClientId& client, Milliseconds ttl) {
    Timeout* known = m_timeouts.object(client);
    if (!known || known->agreeing == 0) {
        m_timeouts.insert(client, new Timeout{ttl, 1});
        return Learned::No;
    }
    if (std::chrono::abs(known->longest - ttl) > promptly) {
        --known->agreeing;
        return Learned::No;
    }
    known->longest = std::max(known->longest, ttl);
    known->agreeing = std::min(known->agreeing + 1, mostAgreeing);
    return known->agreeing == enoughToKnow ? Learned::Yes : Learned::No;
}

std::optional<Milliseconds> WatchdogLeases::of(const ClientId& client) const {
    const Timeout* known = m_timeouts.object(client);
    return known && known->agreeing >= enoughToKnow ? std::optional(known->longest) : std::nullopt;
}

LeaseMatch WatchdogLeases::match(const ClientId& client, Milliseconds lease) const {
    if (const std::optional<Milliseconds> learned = of(client))
        return matchOf(*learned, lease);
    const LeaseMatch match = m_configured > Milliseconds(0) ? matchOf(m_configured, lease) : LeaseMatch::NotKnown;
    return match == LeaseMatch::Other ? LeaseMatch::NotKnown : match;
}

}  // namespace lockkeeper::monitor
