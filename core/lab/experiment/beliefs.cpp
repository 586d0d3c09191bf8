// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/beliefs.h"

#include <algorithm>

namespace lockkeeper::lab {

void Beliefs::acquired(const LockId& lock, const Believer& believer) {
    ++m_counts[lock][believer];
    m_most[lock] = std::max(m_most[lock], now(lock));
}

void Beliefs::released(const LockId& lock, const Believer& believer, const QByteArray& code) {
    const auto found = m_counts[lock].find(believer);
    if (found == m_counts[lock].end())
        return;
    if (code == "still-held" && found->second > 1)
        --found->second;
    else
        m_counts[lock].erase(found);
}

void Beliefs::crashed(const ActorName& actor) {
    for (auto& [lock, believers] : m_counts)
        std::erase_if(believers, [&actor](const auto& entry) { return entry.first.actor == actor; });
}

qint64 Beliefs::now(const LockId& lock) const {
    const auto found = m_counts.find(lock);
    return found == m_counts.end() ? 0 : static_cast<qint64>(found->second.size());
}

qint64 Beliefs::most(const LockId& lock) const {
    const auto found = m_most.find(lock);
    return found == m_most.end() ? 0 : found->second;
}

}  // namespace lockkeeper::lab
