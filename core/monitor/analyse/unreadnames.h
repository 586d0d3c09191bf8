// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/knownlocks.h"
#include "monitor/model/namemap.h"

namespace lockkeeper::monitor {

// Names that nodes refused to read, because their slot is moving or has moved. Of unknown names it keeps a bounded
// number, and only as long as sweeps come across them. `known` must outlive it. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT UnreadNames {
public:
    explicit UnreadNames(const KnownLocks& known) : m_known(known) {}

    // A read was refused. True if from now on the name is one that cannot be read.
    bool note(const LockName& name);
    // It was read, or forgotten. True if it was one that could not be read.
    bool remove(const LockName& name);
    // All shards have been swept.
    void endSweep();

    // While slots move fast, a single refusal is out of date at once: it takes several in turn.
    [[nodiscard]] bool contains(const LockName& name) const;
    // A refusal came in the first sweep: the lock may be older than all that is known.
    [[nodiscard]] bool mayBeOld(const LockName& name) const;
    // In their order.
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
