// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/knownlocks.h"
#include "monitor/model/namemap.h"

namespace lockkeeper::monitor {

// Names that nodes refused to read, because their slot is moving or has moved. It keeps a bounded number of unknown
// names, and only while sweeps find them. `known` must outlive it. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT UnreadNames {
public:
    explicit UnreadNames(const KnownLocks& known) : m_known(known) {}

    // A read of the name was refused. Returns true if the name counts as unreadable from now on.
    bool note(const LockName& name);
    // The name was read, or forgotten. Returns true if it counted as unreadable.
    bool remove(const LockName& name);
    // All shards have been swept.
    void endSweep();

    // Whether the name counts as unreadable. This takes several refusals in a row, because a single refusal is soon out
    // of date while slots move fast.
    [[nodiscard]] bool contains(const LockName& name) const;
    // Whether the name was refused in the first sweep: the lock may then be older than everything that is known.
    [[nodiscard]] bool mayBeOld(const LockName& name) const;
    // Sorted: the refused names that are unknown, and the known ones for which contains() is true.
    [[nodiscard]] QList<LockName> names() const;

private:
    struct Refusals {
        int count = 0;
        bool areOfThisSweep = true;
        bool areOfFirstSweep = false;
    };

    const KnownLocks& m_known;
    NameMap<Refusals> m_refusals;
    bool m_isFirstSweep = true;
};

}  // namespace lockkeeper::monitor
