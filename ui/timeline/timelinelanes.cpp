// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelanes.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

// The names as keys of the history, which are cheap to compare.
template <typename Names>
QSet<const LockName*> keysOf(const Names& names, const TimelineHistory::Lanes& lanes) {
    QSet<const LockName*> keys;
    for (const LockName& name : names) {
        if (const auto lane = lanes.find(name); lane != lanes.end())
            keys.insert(&lane->first);
    }
    return keys;
}

class LaneChoice {
public:
    LaneChoice(const TimelineHistory& history, const PresentLanes& present, size_t most)
        : m_history(history), m_present(present.names), m_most(most) {
        for (size_t i = 0; i < present.names.size(); ++i)
            m_placeBefore.insert(present.names[i], static_cast<qsizetype>(i));
    }

    void add(const LockName& name) {
        if (m_chosen.size() >= m_most || m_isChosen.contains(name) || !m_history.knows(name))
            return;
        m_isChosen.insert(name);
        m_chosen.push_back(name);
    }
    // Names that have lanes already come first, in their order; then the new ones by name.
    void addGroup(std::vector<LockName> names) {
        std::ranges::sort(names, [this](const LockName& a, const LockName& b) {
            const qsizetype last = m_placeBefore.size();
            const qsizetype one = m_placeBefore.value(a, last);
            const qsizetype other = m_placeBefore.value(b, last);
            return one != other ? one < other : a < b;
        });
        for (const LockName& name : names)
            add(name);
    }
    // Most of 100,000 locks get no lane, so their names are neither sorted nor copied.
    void addBusy(const TimeRange& range, size_t inSight) {
        std::vector<Candidate> candidates = candidatesIn(range);
        const auto byWeight = [](const Candidate& a, const Candidate& b) {
            return a.weight != b.weight ? a.weight > b.weight : *a.name < *b.name;
        };
        const auto presentFirst = [&byWeight](const Candidate& a, const Candidate& b) {
            return a.isPresent != b.isPresent ? a.isPresent : byWeight(a, b);
        };
        const size_t room = std::min(inSight, m_most);
        const auto behindSight = addFirst(candidates.begin(), candidates.end(), room, byWeight);
        addFirst(behindSight, candidates.end(), m_most, presentFirst);
    }
    // Adds lanes in which nothing has happened, but somebody holds the lock, or it was found in that time.
    void addQuiet(const TimeRange& range) {
        const Lanes& lanes = m_history.lanes();
        const auto isFound = [&range](const Lane& lane) {
            const std::optional<WallTime> first = lane.first();
            return first && *first >= range.from && *first < range.to;
        };
        // While locks are being found, the new ones must not push the present lanes down.
        for (const LockName& name : m_present) {
            if (const auto lane = lanes.find(name); lane != lanes.end() && isFound(lane->second))
                add(name);
        }
        for (auto lane = lanes.begin(); lane != lanes.end() && m_chosen.size() < m_most; ++lane) {
            if (lane->second.isOpen() || isFound(lane->second))
                add(lane->first);
        }
    }

    [[nodiscard]] std::vector<LockName> take() { return std::move(m_chosen); }

private:
    struct Candidate {
        qsizetype weight;
        bool isPresent;
        const LockName* name;
    };
    using Candidates = std::vector<Candidate>;

    [[nodiscard]] Candidates candidatesIn(const TimeRange& range) const {
        const QHash<const LockName*, qsizetype> moments = m_history.momentsBetween(range.from, range.to);
        Candidates candidates;
        candidates.reserve(static_cast<size_t>(moments.size()));
        const QSet<const LockName*> present = keysOf(m_placeBefore.keys(), m_history.lanes());
        const QSet<const LockName*> chosen = keysOf(m_isChosen, m_history.lanes());
        for (auto lane = moments.begin(); lane != moments.end(); ++lane) {
            const bool isPresent = present.contains(lane.key());
            // Half as busy again is clearly busier.
            if (!chosen.contains(lane.key()))
                candidates.push_back({(isPresent ? 3 : 2) * lane.value(), isPresent, lane.key()});
        }
        return candidates;
    }
    // Chooses the first ones of an order as one group, until `total` are chosen. Returns where the others begin.
    template <typename Order>
    Candidates::iterator addFirst(Candidates::iterator from, Candidates::iterator to, size_t total, Order order) {
        const size_t room = total > m_chosen.size() ? total - m_chosen.size() : 0;
        const auto end = from + std::min(static_cast<std::ptrdiff_t>(room), to - from);
        std::ranges::partial_sort(from, end, to, order);
        std::vector<LockName> names;
        std::transform(from, end, std::back_inserter(names), [](const Candidate& one) { return *one.name; });
        addGroup(std::move(names));
        return end;
    }

    using Lanes = TimelineHistory::Lanes;

    const TimelineHistory& m_history;
    const std::vector<LockName>& m_present;  // in their present order
    size_t m_most;
    QHash<LockName, qsizetype> m_placeBefore;
    QSet<LockName> m_isChosen;
    std::vector<LockName> m_chosen;
};

}  // namespace

std::vector<LockName> chooseLanes(const TimelineHistory& history, const TimeRange& range, const LaneRequests& requests,
                                  const PresentLanes& present, size_t inSight, size_t most) {
    LaneChoice choice(history, present, most);
    const auto addPresentIf = [&](PresentLanes::Order order) {
        for (const LockName& name : present.order == order ? present.names : std::vector<LockName>())
            choice.add(name);
    };
    addPresentIf(PresentLanes::Order::InPlace);
    for (const LockName& name : requests.pinned)
        choice.add(name);
    if (requests.selected)
        choice.add(*requests.selected);
    choice.addGroup({requests.diagnosed.begin(), requests.diagnosed.end()});
    addPresentIf(PresentLanes::Order::Lasting);
    choice.addGroup({requests.contended.begin(), requests.contended.end()});
    choice.addBusy(range, inSight);
    choice.addQuiet(range);
    return choice.take();
}

}  // namespace lockkeeper::ui
