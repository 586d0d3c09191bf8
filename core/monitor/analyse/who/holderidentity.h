#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/clientlist.h"

#include <optional>

namespace lockkeeper::monitor {

// What an identity stands on, the firmest first.
enum class IdentityBasis {
    Monitor,     // certain: a script of this client was seen to come from this address
    ClientName,  // a guess: the only connections whose name contains the client's UUID
    OnlyHost,    // a guess: no other host is connected, but for Lockkeeper itself
    None         // not known
};

// Who is behind a client's UUID, as far as it was found out. What is not known is empty.
struct HolderIdentity {
    ClientId client;
    IdentityBasis basis = IdentityBasis::None;
    QByteArray address;  // "10.0.0.7:53422"; of a guess the host alone where its connections are several
    QByteArray name;     // CLIENT SETNAME
    QByteArray user;     // ACL
    WallTime at{};
    std::optional<Error> error;  // why MONITOR did not run, or ended before its time

    friend bool operator==(const HolderIdentity&, const HolderIdentity&) = default;
};

// Adds name and user of the one connection with the identity's address; of several, none.
LOCKKEEPER_MONITOR_EXPORT void addNameAndUser(HolderIdentity& identity, const QList<ClientListEntry>& clients);
// Adds what the list alone lets one guess, and says on what ground; nothing without one.
LOCKKEEPER_MONITOR_EXPORT void guess(HolderIdentity& identity, const QList<ClientListEntry>& clients);

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::HolderIdentity)
