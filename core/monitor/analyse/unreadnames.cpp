// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/unreadnames.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::monitor {

namespace {

constexpr int refusalsShown = 3;
constexpr qsizetype mostUnread = 1000;

}  // namespace

bool UnreadNames::note(const LockName& name) {
    if (!m_known.knows(name) && !m_refusals.contains(name) && m_refusals.size() >= mostUnread)
        return false;
    Refusals& refusals = m_refusals[name];
    refusals.areOfThisSweep = true;
    refusals.areOfFirstSweep = refusals.areOfFirstSweep || m_isFirstSweep;
    return ++refusals.count == refusalsShown;
}

bool UnreadNames::remove(const LockName& name) {
    const bool wasUnread = contains(name);
    m_refusals.remove(name);
    return wasUnread;
}

// Known locks stay until a read is answered. Other names are dropped after a whole sweep without a refusal.
void UnreadNames::endSweep() {
    m_isFirstSweep = false;
    for (const LockName& name : m_refusals.names()) {
        Refusals& refusals = m_refusals[name];
        if (!std::exchange(refusals.areOfThisSweep, false) && !m_known.knows(name))
            m_refusals.remove(name);
    }
}

bool UnreadNames::contains(const LockName& name) const {
    const Refusals* refusals = m_refusals.find(name);
    return refusals && refusals->count >= refusalsShown;
}

bool UnreadNames::mayBeOld(const LockName& name) const {
    const Refusals* refusals = m_refusals.find(name);
    return refusals && refusals->areOfFirstSweep;
}

QList<LockName> UnreadNames::names() const {
    QList<LockName> names;
    for (const LockName& name : m_refusals.names()) {
        if (!m_known.knows(name) || contains(name))
            names += name;
    }
    std::ranges::sort(names, {}, &LockName::bytes);
    return names;
}

}  // namespace lockkeeper::monitor
