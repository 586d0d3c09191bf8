#include "ui/timeline/timelinelanes.h"

#include "ui/timeline/lanegeometry.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct Candidate {
    qsizetype moments;
    LockName name;
};

bool contains(const std::vector<LockName>& names, const LockName& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<LockName> busiest(const TimelineHistory& history, const TimeRange& range,
                              const std::vector<LockName>& except, size_t room) {
    std::vector<Candidate> candidates;
    for (const auto& [name, lane] : history.lanes()) {
        const qsizetype moments = momentsIn(lane, range);
        if ((moments > 0 || !lane.open.isEmpty()) && !contains(except, name))
            candidates.push_back({moments, name});
    }
    const size_t count = std::min(room, candidates.size());
    const auto last = candidates.begin() + static_cast<qsizetype>(count);
    std::partial_sort(candidates.begin(), last, candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.moments != b.moments ? a.moments > b.moments : a.name < b.name;
    });
    std::vector<LockName> names;
    std::transform(candidates.begin(), last, std::back_inserter(names), [](const Candidate& one) { return one.name; });
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

std::vector<LockName> chooseLanes(const TimelineHistory& history, const TimeRange& range,
                                  const std::optional<LockName>& selected, const QList<LockName>& pinned,
                                  size_t room) {
    std::vector<LockName> chosen;
    const auto add = [&](const LockName& name) {
        if (chosen.size() < room && history.lane(name) && !contains(chosen, name))
            chosen.push_back(name);
    };
    if (selected)
        add(*selected);
    for (const LockName& name : pinned)
        add(name);
    const std::vector<LockName> others = busiest(history, range, chosen, room - chosen.size());
    chosen.insert(chosen.end(), others.begin(), others.end());
    return chosen;
}

}  // namespace lockkeeper::ui
