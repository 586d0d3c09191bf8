// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/unknownnames.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype maxNames = 10000;
constexpr Milliseconds dismissedFor = 1s;

}  // namespace

UnknownNames::Report UnknownNames::count(const LockName& name, SteadyTime now) {
    if (m_names.size() >= maxNames)
        m_names.removeIf([now](const auto& entry) { return isForgettable(*entry, now); });
    if (m_names.size() >= maxNames && !m_names.contains(name))
        return Report::Repeated;
    Name& unknown = m_names[name];
    if (isForgettable(unknown, now))
        unknown = Name();
    return ++unknown.messages == 1 ? Report::First : Report::Repeated;
}

void UnknownNames::dismiss(const LockName& name, SteadyTime now) {
    const auto unknown = m_names.find(name);
    if (unknown != m_names.end())
        unknown->dismissedAt = now;
}

bool UnknownNames::isForgettable(const Name& unknown, SteadyTime now) {
    return unknown.dismissedAt && *unknown.dismissedAt + dismissedFor <= now;
}

}  // namespace lockkeeper::monitor
