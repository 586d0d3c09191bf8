#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayView>
#include <QSet>

namespace lockkeeper::monitor {

// The hashes that were read and found to be no locks, so that a sweep does not read them again: 64 bits a name, renewed
// sweep by sweep. A name that a whole sweep did not meet is forgotten; and of those that stay, under 1 % are read again
// in each sweep, so that one which becomes a lock later is found in the end.
class LOCKKEEPER_MONITOR_EXPORT NonLockMemory {
public:
    explicit NonLockMemory(qsizetype capacity = 2'000'000) : m_capacity(capacity) {}

    void remember(QByteArrayView key);
    // True when it was found to be no lock and is not due to be read again; then it is remembered for the next sweep
    // too.
    [[nodiscard]] bool recognizes(QByteArrayView key);
    // The same, without any of that.
    [[nodiscard]] bool contains(QByteArrayView key) const;
    // What neither remember() nor recognizes() met during the sweep that ends is forgotten.
    void endSweep();
    // A sweep that was broken off proves nothing about what it did not meet.
    void abandonSweep();

    [[nodiscard]] qsizetype size() const { return m_met.size() + m_earlier.size(); }

private:
    const qsizetype m_capacity;
    QSet<quint64> m_met;      // in this sweep
    QSet<quint64> m_earlier;  // in the last one, and not yet in this
    quint64 m_sweep = 0;
};

}  // namespace lockkeeper::monitor
