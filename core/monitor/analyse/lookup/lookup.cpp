// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lookup/lookup.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// If other threads hold more locks than this, an error that names no lock does not identify one.
constexpr size_t mostSuspects = 3;
// Our clock and that of the machine that wrote the error may differ by this much.
constexpr std::chrono::seconds clocksDiffer{5};

bool isOfClient(const PastHold& hold, const std::optional<ClientId>& client) {
    return hold.holder.id.client() == client;
}

class Lookup {
public:
    Lookup(const LookupSubject& subject, const LookupSources& sources) : m_subject(subject), m_sources(sources) {
        m_report.subject = subject;
        m_report.now = sources.now;
        m_report.knownFrom = sources.eventsReachTo;
    }

    LookupReport run() {
        collectStays();
        findGaps();
        m_report.isTimeKnown = !m_subject.at || isKnown(*m_subject.at);
        splitStays();
        findLostLease();
        findOtherThread();
        std::ranges::reverse(m_report.holds);
        m_report.holdsLeftOut = m_report.holds.size() - std::min(m_report.holds.size(), mostHoldsInReport);
        m_report.holds.resize(m_report.holds.size() - m_report.holdsLeftOut);
        return std::move(m_report);
    }

private:
    bool concerns(const PastHold& hold) const {
        if (const LockName* name = std::get_if<LockName>(&m_subject.whom))
            return hold.lock == *name;
        return isOfClient(hold, m_subject.client());
    }

    bool isOwn(const PastHold& hold) const {
        const HolderId* holder = m_subject.holder();
        return !holder || hold.holder.id == *holder;
    }

    void collectStays() {
        m_stays = holdStory(m_sources.events, [this](const PastHold& hold) { return concerns(hold); });
        for (const LockRow& row : m_sources.rows)
            followPresent(row);
        std::ranges::stable_sort(m_stays, {}, &PastHold::from);
    }

    // The rows may be newer than the events, or show holds that began before the first event.
    void followPresent(const LockRow& row) {
        for (PastHold& hold : m_stays) {
            const bool isThere = row.lock.isCut() || row.lock.isHeldBy(hold.holder.id);
            if (hold.isOpen() && hold.lock == row.lock.name && !isThere) {
                hold.to = std::max(hold.from, row.lock.seenAtWall);
                hold.end = HoldEnd::Gone;
            }
        }
        for (const Holder& holder : row.lock.holders) {
            PastHold present{row.lock.name, holder, row.hold.sinceWall, row.hold.begin};
            present.renewals = row.hold.renewals;
            present.lease = row.lock.ttl ? std::optional(row.hold.peakTtl) : std::nullopt;
            const auto isThis = [&](const PastHold& hold) {
                return hold.isOpen() && hold.lock == present.lock && hold.holder.id == holder.id;
            };
            if (concerns(present) && std::ranges::none_of(m_stays, isThis))
                m_stays.push_back(present);
        }
    }

    void findGaps() {
        for (const LockEvent& event : m_sources.events) {
            if (event.type == EventType::NotWatched && event.gap > Milliseconds(0))
                addGap({event.at - event.gap, event.at});
        }
        std::ranges::reverse(m_report.gaps);
    }

    // A lost connection is reported for each lock, so gaps that overlap become one gap.
    void addGap(const UnwatchedTime& gap) {
        if (!m_report.gaps.empty() && gap.from <= m_report.gaps.back().to) {
            m_report.gaps.back().to = std::max(gap.to, m_report.gaps.back().to);
            m_report.gaps.back().from = std::min(gap.from, m_report.gaps.back().from);
        } else {
            m_report.gaps.push_back(gap);
        }
    }

    bool isKnown(WallTime moment) const {
        const auto inside = [moment](const UnwatchedTime& gap) { return gap.from <= moment && moment < gap.to; };
        return m_sources.eventsReachTo && *m_sources.eventsReachTo <= moment &&
               moment <= m_sources.now + clocksDiffer && std::ranges::none_of(m_report.gaps, inside);
    }

    [[nodiscard]] WallTime moment() const { return m_subject.at.value_or(m_sources.now); }

    void splitStays() {
        for (const PastHold& hold : m_stays) {
            if (isOwn(hold))
                m_report.holds.push_back(hold);
            else if (hold.isOpen() || (m_subject.at && hold.covers(moment())))
                m_report.ofOthers.push_back(hold);
        }
    }

    bool hasFailed() const { return m_subject.holder() && m_subject.occasion == LookupOccasion::UnlockFailed; }

    // The last hold of the caller before the failure; later holds do not explain it.
    const PastHold* lastBefore() const {
        const auto& holds = m_report.holds;
        const auto found =
            std::find_if(holds.rbegin(), holds.rend(), [this](const PastHold& hold) { return hold.from <= moment(); });
        return found == holds.rend() ? nullptr : &*found;
    }

    bool wasLost(const PastHold& hold) const {
        if (hold.isOpen() || hold.to > moment() + clocksDiffer)
            return false;
        return hold.end == HoldEnd::Expired || hold.end == HoldEnd::Deleted || hold.end == HoldEnd::TakenOver;
    }

    void findLostLease() {
        const PastHold* last = hasFailed() && m_report.isTimeKnown ? lastBefore() : nullptr;
        if (!last || !wasLost(*last) || last->end != HoldEnd::Expired || last->begin != HoldBegin::Seen ||
            last->renewals > 0 || !last->lease)
            return;
        // If the time of the failure is not known, the error may be about another lock at a much later time.
        const Certainty certainty = m_subject.at ? Certainty::Likely : Certainty::Suspected;
        m_report.diagnoses.append(
            {last->lock, {certainty, LeaseRanOut{last->holder.id, *last->lease, last->from, last->to}}});
    }

    // If the caller lost a lock, this explains the error better than a lock that another thread rightfully holds.
    void findOtherThread() {
        if (!hasFailed() || !m_report.isTimeKnown)
            return;
        const PastHold* last = lastBefore();
        if (last && wasLost(*last))
            return;
        std::vector<PastHold> suspects = m_report.ofOthers;
        std::erase_if(suspects, [this](const PastHold& hold) { return !hold.covers(moment()) || isShared(hold.lock); });
        if (suspects.size() > mostSuspects)
            return;
        for (const PastHold& hold : suspects) {
            const std::optional<WallTime> until = hold.isOpen() ? std::nullopt : std::optional(hold.to);
            m_report.diagnoses.append({hold.lock,
                                       {Certainty::Suspected, UnlockFromOtherThread{*m_subject.holder(), hold.holder.id,
                                                                                    hold.from, until, m_subject.at}}});
        }
    }

    // Whether the caller also held the lock, as readers do: its unlock would then not have failed.
    bool isShared(const LockName& lock) const {
        return std::ranges::any_of(m_report.holds,
                                   [&](const PastHold& hold) { return hold.lock == lock && hold.covers(moment()); });
    }

    const LookupSubject& m_subject;
    const LookupSources& m_sources;
    std::vector<PastHold> m_stays;
    LookupReport m_report;
};

}  // namespace

LookupReport lookUp(const LookupSubject& subject, const LookupSources& sources) {
    return Lookup(subject, sources).run();
}

}  // namespace lockkeeper::monitor
