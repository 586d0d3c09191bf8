// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/beliefs.h"

#include <algorithm>

namespace lockkeeper::lab {

void Beliefs::acquired(const LockId& lock, const Believer& believer) {
    if (m_knownLosses.erase({lock, believer}) > 0)
        m_counts[lock].erase(believer);
    ++m_counts[lock][believer];
    m_most[lock] = std::max(m_most[lock], now(lock));
}

void Beliefs::released(const LockId& lock, const Believer& believer, const QByteArray& code) {
    const auto found = m_counts[lock].find(believer);
    if (found == m_counts[lock].end())
        return;
    if (code == "still-held" && found->second > 1) {
        --found->second;
        return;
    }
    m_counts[lock].erase(found);
    m_knownLosses.erase({lock, believer});
}

void Beliefs::crashed(const ActorName& actor) {
    for (auto& [lock, believers] : m_counts)
        std::erase_if(believers, [&actor](const auto& entry) { return entry.first.actor == actor; });
    std::erase_if(m_knownLosses, [&actor](const auto& loss) { return loss.second.actor == actor; });
}

void Beliefs::noticedLoss(const LockId& lock, const Believer& believer) {
    const auto found = m_counts.find(lock);
    if (found != m_counts.end() && found->second.contains(believer))
        m_knownLosses.emplace(lock, believer);
}

bool Beliefs::knowsLoss(const LockId& lock, const Believer& believer) const {
    return m_knownLosses.contains({lock, believer});
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
