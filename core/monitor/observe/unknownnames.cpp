// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/unknownnames.h"

#include "monitor/model/nameweight.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype maxNames = 10000;
constexpr Milliseconds dismissedFor = 1s;

}  // namespace

UnknownNames::Report UnknownNames::count(const LockName& name, SteadyTime now) {
    const bool isKnown = m_names.contains(name);
    const qsizetype weight = isKnown ? 0 : weightOf(name);
    if (m_weight + weight > maxNames)
        forgetOld(now);
    if (!isKnown && m_weight + weight > maxNames)
        return Report::Repeated;
    if (!m_names.contains(name))
        m_weight += weightOf(name);
    Name& unknown = m_names[name];
    if (isForgettable(unknown, now))
        unknown = Name();
    return ++unknown.messages == 1 ? Report::First : Report::Repeated;
}

void UnknownNames::forgetOld(SteadyTime now) {
    m_names.removeIf([this, now](const auto& entry) {
        const bool goes = isForgettable(*entry, now);
        m_weight -= goes ? weightOf(entry.key()) : 0;
        return goes;
    });
}

int UnknownNames::take(const LockName& name) {
    const auto unknown = m_names.constFind(name);
    if (unknown == m_names.cend())
        return 0;
    const int messages = unknown->messages;
    m_weight -= weightOf(name);
    m_names.erase(unknown);
    return messages;
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
