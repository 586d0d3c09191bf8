// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayView>
#include <QSet>

namespace lockkeeper::monitor {

// Remembers the hashes that are not locks, so that a sweep does not read them again. It keeps 64 bits for each name,
// renewed in each sweep. A name that a whole sweep did not find is forgotten. Of the others, under 1 % are read again
// in each sweep, so that a name that becomes a lock later is found in the end.
class LOCKKEEPER_MONITOR_EXPORT NonLockMemory {
public:
    explicit NonLockMemory(qsizetype capacity = 2'000'000) : m_capacity(capacity) {}

    void remember(QByteArrayView key);
    // Whether the hash was found to be no lock and need not be read again now. If so, it is remembered for the next
    // sweep, too.
    [[nodiscard]] bool recognizes(QByteArrayView key);
    // Look-up only; does not refresh the entry's age.
    [[nodiscard]] bool contains(QByteArrayView key) const;
    // Forgets the names for which neither remember() nor recognizes() was called during this sweep.
    void endSweep();
    // All names may be locks again.
    void clear();
    // Ends an aborted sweep, which proves nothing about the names that it did not reach.
    void abandonSweep();

    [[nodiscard]] qsizetype size() const { return m_met.size() + m_earlier.size(); }

private:
    const qsizetype m_capacity;
    QSet<quint64> m_met;      // seen in this sweep
    QSet<quint64> m_earlier;  // seen in the last sweep, but not yet in this one
    quint64 m_sweep = 0;
};

}  // namespace lockkeeper::monitor
