// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelanes.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

class LaneChoice {
public:
    LaneChoice(const TimelineHistory& history, const PresentLanes& present, size_t most)
        : m_history(history), m_most(most) {
        for (size_t i = 0; i < present.names.size(); ++i)
            m_placeBefore.insert(present.names[i], static_cast<qsizetype>(i));
    }

    void add(const LockName& name) {
        if (m_chosen.size() >= m_most || m_isChosen.contains(name) || !m_history.lane(name))
            return;
        m_isChosen.insert(name);
        m_chosen.push_back(name);
    }
    // Those that are there already first, as they stand; then the new ones by name.
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
    void addBusy(const TimeRange& range, size_t inSight) {
        std::vector<Candidate> candidates;
        const QHash<const LockName*, qsizetype> moments = m_history.momentsBetween(range.from, range.to);
        for (auto lane = moments.begin(); lane != moments.end(); ++lane) {
            if (!m_isChosen.contains(*lane.key()))
                candidates.push_back({weight(*lane.key(), lane.value()), lane.key()});
        }
        std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
            return a.weight != b.weight ? a.weight > b.weight : *a.name < *b.name;
        });
        const size_t room = inSight > m_chosen.size() ? inSight - m_chosen.size() : 0;
        const auto behindSight = candidates.begin() + static_cast<qsizetype>(std::min(room, candidates.size()));
        addGroup(namesOf(candidates.begin(), behindSight));
        addGroup(namesOf(behindSight, candidates.end()));
    }
    // Where nothing has happened, but somebody holds the lock.
    void addHeld() {
        for (auto lane = m_history.lanes().begin(); lane != m_history.lanes().end() && m_chosen.size() < m_most; ++lane) {
            if (!lane->second.open.isEmpty())
                add(lane->first);
        }
    }

    [[nodiscard]] std::vector<LockName> take() { return std::move(m_chosen); }

private:
    struct Candidate {
        qsizetype weight;
        const LockName* name;
    };

    // Half as busy again is clearly busier.
    [[nodiscard]] qsizetype weight(const LockName& name, qsizetype moments) const {
        return m_placeBefore.contains(name) ? 3 * moments : 2 * moments;
    }
    static std::vector<LockName> namesOf(std::vector<Candidate>::iterator from, std::vector<Candidate>::iterator to) {
        std::vector<LockName> names;
        std::transform(from, to, std::back_inserter(names), [](const Candidate& one) { return *one.name; });
        return names;
    }

    const TimelineHistory& m_history;
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
    choice.addHeld();
    return choice.take();
}

}  // namespace lockkeeper::ui
