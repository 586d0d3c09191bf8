// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>
#include <QHash>

#include <chrono>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lockkeeper::recording {

// A time of the server, since 1970.
using ServerTime = std::chrono::microseconds;

// A key in one database.
struct TraceKey {
    int database = 0;
    QByteArray name;

    friend bool operator==(const TraceKey&, const TraceKey&) = default;
    friend size_t qHash(const TraceKey& key, size_t seed = 0) noexcept {
        return qHashMulti(seed, key.database, key.name);
    }
};

// The keys of locks and semaphores as the commands of a trace have left them. Values of other keys are never kept. The
// number of keys and their sizes are bounded. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT TraceKeys {
public:
    using Pairs = std::vector<std::pair<QByteArray, QByteArray>>;

    struct Content {
        Pairs pairs;  // a hash; members and scores of a sorted set; elements of a list; or one value without a name
        std::optional<ServerTime> end;
        bool isEndKnown = true;  // false: it was set before the trace, or on a condition that is not known

        [[nodiscard]] const QByteArray* value(const QByteArray& field) const;
        void set(const QByteArray& field, const QByteArray& value);
        void remove(const QByteArray& field);
    };

    // Null if the key does not exist, as far as it is known.
    [[nodiscard]] const Content* find(const TraceKey& key) const;
    [[nodiscard]] Content* find(const TraceKey& key);
    // Null if there is no room.
    [[nodiscard]] Content* make(const TraceKey& key);
    void remove(const TraceKey& key);
    // Removes all keys of one database, or of all.
    void clear(std::optional<int> database);

    // Executes a command that writes. Nothing happens for other commands, and for keys that are not of locks. Returns
    // the keys that were written.
    std::vector<TraceKey> execute(int database, const QByteArrayList& command, ServerTime now);

    // The next key that expires not later than this time; nothing if there is none. Removes it.
    struct Expired {
        TraceKey key;
        ServerTime at{0};
    };
    [[nodiscard]] std::optional<Expired> takeExpired(ServerTime now);

    [[nodiscard]] quint64 leftOut() const noexcept { return m_leftOut; }

    static constexpr qsizetype mostKeys = 400'000;
    static constexpr qsizetype mostBytes = 256 * 1024 * 1024;
    static constexpr size_t mostPairs = 2000;  // of one key

private:
    using Changed = std::vector<TraceKey>;

    [[nodiscard]] bool executeOnHash(const QByteArray& name, const TraceKey& key, const QByteArrayList& command);
    [[nodiscard]] bool executeOnList(const QByteArray& name, const TraceKey& key, const QByteArrayList& command);
    [[nodiscard]] bool executeOnSortedSet(const QByteArray& name, const TraceKey& key, const QByteArrayList& command);
    [[nodiscard]] bool executeOnString(const QByteArray& name, const TraceKey& key, const QByteArrayList& command,
                                       ServerTime now);
    [[nodiscard]] bool executeExpiry(const QByteArray& name, const TraceKey& key, const QByteArrayList& command,
                                     ServerTime now);
    Changed transfer(const QByteArray& name, const TraceKey& key, const QByteArrayList& command);
    Changed swap(int one, int other);
    void put(const TraceKey& key, const Content& content);
    void add(const TraceKey& key, const QByteArray& field, const QByteArray& value);
    void addNumber(const TraceKey& key, const QByteArray& field, const QByteArray& increment);
    void erase(const TraceKey& key, const QByteArray& field);
    void setEnd(const TraceKey& key, std::optional<ServerTime> end);
    void unqueue(const TraceKey& key);

    QHash<TraceKey, Content> m_keys;
    std::multimap<ServerTime, TraceKey> m_ends;  // at most one entry for each key; it may be too early
    QHash<TraceKey, ServerTime> m_queued;        // the keys in m_ends
    qsizetype m_bytes = 0;
    quint64 m_leftOut = 0;
};

// Whether a field of a hash may be a lock's: a holder, the mode, or one of a faster multi lock.
[[nodiscard]] bool isLockField(const QByteArray& field, const QByteArray& value);

}  // namespace lockkeeper::recording
