// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/tokenlitter.h"

#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::monitor {

// Estimates the number of tokens of fenced locks by a sample. A sweep scans for hashes, but tokens are strings, and a
// second sweep would double the cost. So one call in fifty is repeated for tokens, which costs 2 % more. Redis orders
// its key table by hash values, so any part of it is representative. Pure. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT TokenSample {
public:
    static constexpr int callsPerSample = 50;
    static constexpr int mostChecked = 20;  // in one sweep, by two commands each
    static constexpr quint64 fewest = 20;   // tokens found: with fewer, nothing is estimated

    void beginSweep();
    // Counts a call of the sweep; true if it must be repeated for tokens.
    [[nodiscard]] bool isTurn() { return ++m_calls % callsPerSample == callsPerSample / 2; }
    // A repeated call scanned this share of the keyspace and found this many tokens.
    void add(double share, size_t found);
    [[nodiscard]] bool wantsCheck() const { return m_now.checked < mostChecked; }
    void addChecked(bool leftOver);
    // The sweep is complete. keys: the number of keys in the database, nothing if not known.
    void endSweep(std::optional<qint64> keys, WallTime at);

    // The estimate of the last whole sweep; nothing if it had no sample, or found fewer than `fewest` tokens.
    [[nodiscard]] const std::optional<TokenLitter>& last() const noexcept { return m_last; }
    // The share of the keyspace between two cursors of SCAN, 0..1; the end of a scan is "0" again.
    [[nodiscard]] static double share(const QByteArray& from, const QByteArray& to);

private:
    int m_calls = 0;
    double m_share = 0;
    TokenLitter m_now;
    std::optional<TokenLitter> m_last;
};

}  // namespace lockkeeper::monitor
