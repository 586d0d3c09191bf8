// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/nonlockmemory.h"

namespace lockkeeper::monitor {

namespace {

constexpr quint64 sweepsPerRecheck = 128;

quint64 fingerprint(QByteArrayView key) {
    return qHash(key, QHashSeed::globalSeed());
}

}  // namespace

void NonLockMemory::remember(QByteArrayView key) {
    const quint64 print = fingerprint(key);
    m_earlier.remove(print);
    if (m_met.size() < m_capacity)
        m_met.insert(print);
}

bool NonLockMemory::recognizes(QByteArrayView key) {
    const quint64 print = fingerprint(key);
    if (m_met.contains(print))
        return true;  // SCAN may show a key twice
    if (!m_earlier.remove(print))
        return false;
    if (print % sweepsPerRecheck == m_sweep % sweepsPerRecheck)
        return false;
    m_met.insert(print);
    return true;
}

bool NonLockMemory::contains(QByteArrayView key) const {
    const quint64 print = fingerprint(key);
    return m_met.contains(print) || m_earlier.contains(print);
}

void NonLockMemory::endSweep() {
    m_earlier = std::exchange(m_met, {});
    ++m_sweep;
}

void NonLockMemory::clear() {
    m_met.clear();
    m_earlier.clear();
}

void NonLockMemory::abandonSweep() {
    m_earlier.unite(std::exchange(m_met, {}));
}

}  // namespace lockkeeper::monitor
