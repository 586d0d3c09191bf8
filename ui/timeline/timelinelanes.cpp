// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelanes.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct Candidate {
    qsizetype moments;
    const LockName* name;
};

bool contains(const std::vector<LockName>& names, const LockName& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Where nothing has happened, but somebody holds the lock: the first ones by name.
void addQuietLanes(std::vector<LockName>& names, const TimelineHistory& history, const std::vector<LockName>& except,
                   size_t room) {
    for (auto lane = history.lanes().begin(); lane != history.lanes().end() && names.size() < room; ++lane) {
        if (!lane->second.open.isEmpty() && !contains(except, lane->first) && !contains(names, lane->first))
            names.push_back(lane->first);
    }
}

std::vector<LockName> busiest(const TimelineHistory& history, const TimeRange& range,
                              const std::vector<LockName>& except, size_t room) {
    const QHash<const LockName*, qsizetype> moments = history.momentsBetween(range.from, range.to);
    std::vector<Candidate> candidates;
    candidates.reserve(static_cast<size_t>(moments.size()));
    for (auto lane = moments.begin(); lane != moments.end(); ++lane) {
        if (!contains(except, *lane.key()))
            candidates.push_back({lane.value(), lane.key()});
    }
    const auto last = candidates.begin() + static_cast<qsizetype>(std::min(room, candidates.size()));
    std::partial_sort(candidates.begin(), last, candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.moments != b.moments ? a.moments > b.moments : *a.name < *b.name;
    });
    std::vector<LockName> names;
    std::transform(candidates.begin(), last, std::back_inserter(names), [](const Candidate& one) { return *one.name; });
    addQuietLanes(names, history, except, room);
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

std::vector<LockName> chooseLanes(const TimelineHistory& history, const TimeRange& range,
                                  const std::optional<LockName>& selected, const QList<LockName>& pinned, size_t room) {
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
