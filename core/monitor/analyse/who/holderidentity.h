// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/clientlist.h"

#include <optional>

namespace lockkeeper::monitor {

// What an identity is based on, the most reliable first.
enum class IdentityBasis {
    Monitor,     // certain: a script of this client came from this address
    ClientName,  // a guess: the only connections whose name contains the client's UUID
    OnlyHost,    // a guess: no other host is connected, except Lockkeeper itself
    None         // not known
};

// The process behind a client's UUID, as far as it was found. A field that is not known is empty.
struct HolderIdentity {
    ClientId client;
    IdentityBasis basis = IdentityBasis::None;
    QByteArray address;  // "10.0.0.7:53422"; for a guess with several connections only the host
    QByteArray name;     // CLIENT SETNAME
    QByteArray user;     // ACL
    WallTime at{};
    std::optional<Error> error;  // why MONITOR did not run, or ended early

    friend bool operator==(const HolderIdentity&, const HolderIdentity&) = default;
};

struct HolderSearch {
    LockName lock;  // a lock that the client holds; the server of this lock is asked
    ClientId client;
    Milliseconds limit{10000};  // longest time for MONITOR; see listeningTime()
};

// How long a MONITOR must run to see a renewal: one watchdog interval and a tenth for delays. lease: as learned; zero
// if unknown.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Milliseconds listeningTime(Milliseconds lease);

// The answer if nothing was found, with the reason.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT HolderIdentity unknownIdentity(const ClientId& client, const Error& error);

// Adds the name and the user of the only connection with the identity's address; adds nothing if there are several.
LOCKKEEPER_MONITOR_EXPORT void addNameAndUser(HolderIdentity& identity, const QList<ClientListEntry>& clients);
// Adds what can be guessed from the list alone, and the basis of the guess; adds nothing if there is no basis.
LOCKKEEPER_MONITOR_EXPORT void guess(HolderIdentity& identity, const QList<ClientListEntry>& clients);

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::HolderIdentity)
