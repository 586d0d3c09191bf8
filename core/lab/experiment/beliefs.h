// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lab/answer.h"
#include "lab/labids.h"
#include "lockkeeper_monitor_export.h"

#include <map>
#include <set>

namespace lockkeeper::lab {

// Who believes to hold which lock: an actor's thread that has acquired it, until it releases it or crashes. Redisson
// reports no loss to the program, so a loss does not end a belief; that its client has noticed it is kept beside. Whether the server
// agrees is another question. A value.
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
    // Its client has noticed that the lock is lost.
    void noticedLoss(const LockId& lock, const Believer& believer);

    // How often each believer has acquired each lock, by lock.
    [[nodiscard]] const std::map<LockId, std::map<Believer, int>>& counts() const noexcept { return m_counts; }
    [[nodiscard]] bool knowsLoss(const LockId& lock, const Believer& believer) const;
    [[nodiscard]] qint64 now(const LockId& lock) const;
    // The most at the same time so far.
    [[nodiscard]] qint64 most(const LockId& lock) const;

private:
    std::map<LockId, std::map<Believer, int>> m_counts;
    std::map<LockId, qint64> m_most;
    std::set<std::pair<LockId, Believer>> m_knownLosses;  // of those in m_counts
};

}  // namespace lockkeeper::lab
