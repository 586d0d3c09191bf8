#pragma once

#include "monitor/model/tokenlitter.h"

#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::monitor {

// How many tokens of fenced locks a keyspace holds, by a sample: a sweep asks for hashes, tokens are strings, and a
// second sweep for them would cost as much again. So one call in fifty is repeated for them: its cost is 2 % more.
// A table of keys is in no order, so any part of it is like the rest. Pure. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT TokenSample {
public:
    static constexpr int callsPerLook = 50;
    static constexpr int mostChecked = 20;  // in a sweep, by two commands each
    static constexpr quint64 fewest = 20;   // found: below, nothing is estimated

    void beginSweep();
    // Counts a call of the sweep; true when it is to be repeated for tokens.
    [[nodiscard]] bool isTurn() { return ++m_calls % callsPerLook == callsPerLook / 2; }
    // A repeated call went over this share of the keyspace, and found so many.
    void add(double share, size_t found);
    [[nodiscard]] bool wantsCheck() const { return m_now.checked < mostChecked; }
    void addChecked(bool leftOver);
    // The sweep is whole; keys: in the database, nothing when not known.
    void endSweep(std::optional<qint64> keys, WallTime at);

    // Of the last whole sweep; nothing when it went by without a look, or found next to nothing.
    [[nodiscard]] const std::optional<TokenLitter>& last() const noexcept { return m_last; }
    // What lies between two cursors of SCAN, 0..1; the last one is "0" again.
    [[nodiscard]] static double share(const QByteArray& from, const QByteArray& to);

private:
    int m_calls = 0;
    double m_share = 0;
    TokenLitter m_now;
    std::optional<TokenLitter> m_last;
};

}  // namespace lockkeeper::monitor
