// SPDX-License-Identifier: Apache-2.0
#include "soak/reading.h"

namespace lockkeeper::soak {

std::optional<Reading> ReadingLines::add(const monitor::LockEvent& event, WallTime arrived) {
    Reading next;
    next.lock = event.lock.name;
    next.at = event.at;
    if (event.lock.isHeld())
        next.hold = Hold{event.lock.holders.first().id, event.lock.holders.first().count};
    next.ttl = event.lock.ttl;
    next.arrived = arrived;
    next.isDiagnosis = event.type == monitor::EventType::Diagnosed;
    std::optional<Reading> whole;
    // A release that is not of a holder, but of a message alone, is always the first event of its read.
    const bool beginsRead = event.type == monitor::EventType::Released && !event.holder;
    const bool isSame = m_open && !beginsRead && m_open->lock == next.lock && m_open->at == next.at &&
                        m_open->hold == next.hold && m_open->ttl == next.ttl && m_open->isDiagnosis == next.isDiagnosis;
    if (!isSame)
        whole = takeLast();
    if (!m_open)
        m_open = std::move(next);
    const std::optional<HolderId> holder = event.holder ? std::optional(event.holder->id) : std::nullopt;
    const bool isAnnounced = event.releaseSign == monitor::ReleaseSign::Message;
    m_open->events.push_back({event.type, holder, event.suspect, isAnnounced});
    m_open->gap = std::max(m_open->gap, event.gap);
    if (event.throughput)
        m_open->throughput = event.throughput;
    return whole;
}

}  // namespace lockkeeper::soak
