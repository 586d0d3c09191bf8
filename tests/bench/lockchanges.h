// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchserver.h"
#include "measuring.h"

#include <deque>

namespace lockkeeper::bench {

// Releases and takes locks in turn, by a client's own scripts, and finds each change again in the lines of
// `lockkeeper watch --json`.
class LockChanges {
public:
    // serverOf: the server that keeps a lock. publish: how releases are published, see test::lockScript().
    using ServerOf = std::function<BenchServer&(const QByteArray& name)>;
    LockChanges(int locks, ServerOf serverOf, const QString& publish = QStringLiteral("publish"));

    // Takes all locks.
    void begin();
    // Makes the next change.
    void make();
    // An event reports its change and those before it that no read observed.
    void see(const QByteArray& line);

    [[nodiscard]] qint64 made() const { return m_made; }
    // Changes that only a later event reported.
    [[nodiscard]] qint64 unseen() const { return m_unseen; }
    // From a change to the line of its event, in microseconds.
    [[nodiscard]] const Figures& latencies() const { return m_latencies; }
    // The latencies since the last call.
    Figures takeLatencies() { return std::exchange(m_latencies, {}); }
    [[nodiscard]] bool allTold() const { return m_told == m_made; }

private:
    struct Change {
        std::chrono::steady_clock::time_point at;
        bool taken;
    };

    static QByteArray nameOf(qint64 lock) { return "hot:" + QByteArray::number(lock); }
    void take(const QByteArray& name);
    void giveBack(const QByteArray& name);

    const ServerOf m_serverOf;
    const redis::Script m_acquire;
    const redis::Script m_release;
    std::vector<std::deque<Change>> m_pending;  // by lock, the oldest first
    Figures m_latencies;
    qint64 m_made = 0;
    qint64 m_told = 0;
    qint64 m_unseen = 0;
};

}  // namespace lockkeeper::bench
