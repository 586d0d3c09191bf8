// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "redis/connectionoptions.h"
#include "redis/publishing.h"
#include "topology/ssh/jumphost.h"

#include <QHash>
#include <QList>

#include <optional>

namespace lockkeeper::topology {

// A host and a port; 0 is any port. IPv6 without brackets.
struct LOCKKEEPER_EXPORT Address {
    QString host;
    quint16 port = 0;

    // "host", "host:port", "[::1]:port". Nothing if there is no host, or the port is none.
    [[nodiscard]] static std::optional<Address> parse(const QString& text, quint16 usualPort);
    // Any port of a host: "host", "[::1]". Nothing if there is no host, or a port.
    [[nodiscard]] static std::optional<Address> parseHost(const QString& text);
    // "host:port", or "host" for any port.
    [[nodiscard]] QString display() const;

    friend bool operator==(const Address&, const Address&) = default;
    friend size_t qHash(const Address& address, size_t seed = 0) noexcept {
        return qHashMulti(seed, address.host, address.port);
    }
};

// From the address that a server is announced with to the one that reaches it from here: behind NAT, or in containers.
// Redisson calls it natMapper. From any port of a host, the port stays what it is.
using AddressMap = QHash<Address, Address>;

// Nothing if the map does not have the address.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<Address> reachableAddress(const AddressMap& map, const Address& announced);

// A master that Sentinels watch.
struct SentinelGroup {
    QList<Address> sentinels;        // at least one
    QByteArray masterName;           // as the Sentinels call it
    redis::Credentials credentials;  // the Sentinels' own, not those of the data servers
    // The Sentinels' own settings of TLS, or none; host, port and pass phrase do not count. Nothing: those of the data servers.
    std::optional<redis::Endpoint> tls;

    friend bool operator==(const SentinelGroup&, const SentinelGroup&) = default;
};

// Which servers a session is about, unless it is always the same one.
struct Deployment {
    std::optional<SentinelGroup> sentinels;  // know the master
    QList<Address> servers;                  // a master and its replicas; otherwise empty
    QList<Address> cluster;                  // some nodes of a Cluster; otherwise empty
    // In a Cluster of Redis 7 or newer. Sharded: no client of Redisson before 3.22 waits there.
    redis::Publishing publishing = redis::Publishing::PlainAndSharded;
    AddressMap addresses;
    std::optional<JumpHost> ssh;  // every server is reached from there

    friend bool operator==(const Deployment&, const Deployment&) = default;
};

}  // namespace lockkeeper::topology
