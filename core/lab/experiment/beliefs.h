// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lab/answer.h"
#include "lab/labids.h"
#include "lockkeeper_monitor_export.h"

#include <map>
#include <set>

namespace lockkeeper::lab {

// Which threads believe to hold which lock: a thread of an actor that has acquired the lock, until it releases it or
// crashes. Redisson reports no loss to the program, so a loss does not end a belief; the loss that a client has noticed
// is kept separately. The server may disagree with a belief. A value.
class LOCKKEEPER_MONITOR_EXPORT Beliefs {
public:
    struct Believer {
        ActorName actor;
        ThreadId thread{};
        friend auto operator<=>(const Believer&, const Believer&) = default;
    };

    void acquired(const LockId& lock, const Believer& believer);
    // code: the answer to the release.
    void released(const LockId& lock, const Believer& believer, const QByteArray& code);
    void crashed(const ActorName& actor);
    // The believer's client has noticed that the lock is lost.
    void noticedLoss(const LockId& lock, const Believer& believer);

    // How often each believer has acquired each lock, by lock.
    [[nodiscard]] const std::map<LockId, std::map<Believer, int>>& counts() const noexcept { return m_counts; }
    [[nodiscard]] bool knowsLoss(const LockId& lock, const Believer& believer) const;
    [[nodiscard]] qint64 now(const LockId& lock) const;
    // The most believers at the same time so far.
    [[nodiscard]] qint64 most(const LockId& lock) const;

private:
    std::map<LockId, std::map<Believer, int>> m_counts;
    std::map<LockId, qint64> m_most;
    std::set<std::pair<LockId, Believer>> m_knownLosses;  // of believers in m_counts
};

}  // namespace lockkeeper::lab
