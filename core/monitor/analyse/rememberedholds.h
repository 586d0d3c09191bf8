// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/hold.h"
#include "monitor/model/lockevent.h"

#include <QHash>

#include <optional>
#include <vector>

namespace lockkeeper::monitor {

// The holds that had not ended when an earlier session of the same connection stopped watching, by its events. The
// first read of a lock may then show for how long its holder was seen before. A value, as large as the events at most.
class LOCKKEEPER_MONITOR_EXPORT RememberedHolds {
public:
    RememberedHolds() = default;
    // events: oldest first. Nothing was watched after the last one.
    explicit RememberedHolds(const std::vector<LockEvent>& events);

    [[nodiscard]] bool isEmpty() const { return m_holds.isEmpty(); }
    // first: the first read of the lock in this session; the lock is then forgotten here. Nothing unless holders,
    // counts, modes and token are those of the last event, and the TTLs allow that the hold has lasted in between.
    [[nodiscard]] std::optional<SeenBefore> take(const LockSnapshot& first);
    void forgetAll() { m_holds.clear(); }

private:
    struct Remembered {
        LockSnapshot last;  // as its last event has it
        WallTime since{};
        WallTime unwatchedFrom{};  // the first gap; valid if there are some
        quint32 gaps = 0;
        bool isWatched = true;
        bool isRenewed = false;
        Milliseconds lease{0};  // the longest TTL seen
    };

    [[nodiscard]] static bool mayLast(const Remembered& hold, const LockSnapshot& now);
    void follow(const LockEvent& event);
    static void endWatching(Remembered& hold, WallTime at);
    void endWatching(WallTime at);

    QHash<LockName, Remembered> m_holds;
};

}  // namespace lockkeeper::monitor
