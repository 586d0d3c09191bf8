// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QList>

#include <map>
#include <utility>

namespace lockkeeper::monitor {

// What limits the monitor.
enum class Denied {
    Command,              // the server refuses the command to this user
    SemaphoreCommand,     // the server refuses a command that only semaphores and latches need
    Keys,                 // some keys may not be read
    ReaderTimeouts,       // the keys of the readers' leases may not be read
    Rows,                 // the bound of known locks is reached
    Synchronizers,        // the bound of semaphores and latches is reached
    DiscoveryConnection,  // there is no connection to scan with
    Replica,              // a replica does not answer, or is not one of this master's
    TrackingTable         // the server's table of tracked keys has no room for the locks
};

// What cannot be seen, or what costs more, because of a denial.
enum class Consequence {
    ConnectionMayBeEvicted,  // when clients use too much memory
    ReadsCountAsUse,         // for the server's choice of keys to evict
    FairLocksLookPlain,
    FencedLocksLookPlain,
    ReadsCostMore,
    RecognitionCostsMore,
    ReaderLeasesUnknown,
    LocksUnreadable,
    SomeKeysUnreadable,
    WaitersUnknown,
    OtherMonitorsUnknown,
    ServerFiguresUnknown,
    LocksPolled,
    PrefixesNotTracked,
    NewFieldsNotReceived,
    ReleasesUnknown,
    ReadWriteReleasesUnknown,
    PublishingUnknown,
    KeyChangesNotReceived,
    QueuesSeenLate,
    SynchronizersUnseen,
    LeasedPermitsUnseen,
    SynchronizersLeftOut,
    LocksLeftOut,
    ProgressUnknown,
    LocksNotScanned,
    NoConnectionToScan,
    DeadWaitersNotProven,
    ChangesSeenLate
};

struct Denial {
    Denied what = Denied::Command;
    QString command;  // only for Command and SemaphoreCommand
    Consequence consequence = Consequence::LocksUnreadable;
    Error error;     // only for DiscoveryConnection and Replica
    QString node{};  // "host:port" of the replica, or in a Cluster of the node; empty if it is so on all nodes

    friend bool operator==(const Denial&, const Denial&) = default;
};

// Everything that limits the monitor on one node.
class Denials {
public:
    using Key = std::pair<Denied, QString>;
    [[nodiscard]] static Key keyOf(const Denial& denial) { return {denial.what, denial.command}; }

    void note(const QString& command, Consequence consequence) { note({Denied::Command, command, consequence, {}}); }
    void note(Denied what, Consequence consequence) { note({what, {}, consequence, {}}); }
    void note(const Denial& denial) { m_denials[keyOf(denial)] = denial; }
    // key: one that may not be read.
    void note(Denied what, Consequence consequence, const QByteArray& key) {
        note(what, consequence);
        m_keys[what] = key;
    }
    // The bound that this denial is about is not reached any more.
    void takeBack(Denied what) { m_denials.erase({what, {}}); }
    // After a reconnect the user's rights may have changed: every part of the monitor tries its commands again.
    void clear() {
        m_denials.clear();
        m_keys.clear();
    }
    // A key that caused this denial; empty if none did.
    [[nodiscard]] QByteArray deniedKey(Denied what) const {
        const auto key = m_keys.find(what);
        return key == m_keys.end() ? QByteArray() : key->second;
    }

    // Each denial once, in an order that depends only on the content.
    [[nodiscard]] QList<Denial> list() const {
        QList<Denial> all;
        for (const auto& [key, denial] : m_denials)
            all += denial;
        return all;
    }

private:
    std::map<Key, Denial> m_denials;
    std::map<Denied, QByteArray> m_keys;
};

}  // namespace lockkeeper::monitor
