// SPDX-License-Identifier: Apache-2.0
#include "soak/lockpast.h"

#include <algorithm>

namespace lockkeeper::soak {

namespace {

using namespace std::chrono_literals;

LockPast::Cause causeOf(Deed deed) {
    switch (deed) {
        case Deed::Release:
            return LockPast::Cause::Released;
        case Deed::Delete:
            return LockPast::Cause::Removed;
        case Deed::Read:
            return LockPast::Cause::Read;
        default:
            return LockPast::Cause::Changed;
    }
}

}  // namespace

void LockPast::add(const LogLine& line) {
    expireUntil(line.when.from);
    const bool wasHeld = !m_states.empty() && m_states.back().isCertain && m_states.back().hold;
    if (line.answer == Answer::Refused || (line.answer == Answer::Done && line.deed == Deed::Acquire && wasHeld))
        expireBefore(line);
    if (line.answer == Answer::Refused)
        return;
    // PTTL is cut to a whole millisecond, and so is the server's clock.
    const Span leaseEnds{line.when.from + line.lease - 1ms, line.when.to + line.lease + 2ms};
    m_states.push_back({line.when, line.after, leaseEnds, causeOf(line.deed), line.answer == Answer::Done});
}

void LockPast::expireBefore(const LogLine& line) {
    if (m_states.empty() || !m_states.back().isCertain)
        return;
    const State& last = m_states.back();
    if (!last.hold || last.leaseEnds.from > line.when.to) {
        ++m_contradictions;
        return;
    }
    const WallTime from = std::max(last.leaseEnds.from, last.began.from);
    m_states.push_back({{from, std::max(from, std::min(last.leaseEnds.to, line.when.to))}, {}, {}, Cause::Expired});
}

void LockPast::remove(Span when) {
    expireUntil(when.from);
    // The lease of the last state may have ended shortly before.
    if (!m_states.empty() && m_states.back().hold)
        when.from = std::max(m_states.back().began.from, std::min(when.from, m_states.back().leaseEnds.from));
    m_states.push_back({when, {}, {}, Cause::Removed});
}

void LockPast::expireUntil(WallTime now) {
    if (m_states.empty() || !m_states.back().isCertain)
        return;
    const State last = m_states.back();
    if (last.hold && last.leaseEnds.to < now)
        m_states.push_back({last.leaseEnds, {}, {}, Cause::Expired});
}

Span LockPast::ended(size_t number) const {
    Span end{WallTime::max(), WallTime::max()};
    for (size_t next = number + 1; next < this->end(); ++next) {
        end.from = std::min(end.from, state(next).began.from);
        if (state(next).isCertain) {
            end.to = state(next).began.to;
            break;
        }
    }
    return end;
}

void LockPast::drop(WallTime endedBefore, size_t keep) {
    while (m_dropped < keep && m_states.size() > 1 && ended(m_dropped).to < endedBefore) {
        m_states.pop_front();
        ++m_dropped;
    }
}

}  // namespace lockkeeper::soak
