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

    // Reads "host", "host:port" or "[::1]:port". Nothing if there is no host, or the port is not valid.
    [[nodiscard]] static std::optional<Address> parse(const QString& text, quint16 usualPort);
    // Reads "host" or "[::1]" as any port of this host. Nothing if there is no host, or if there is a port.
    [[nodiscard]] static std::optional<Address> parseHost(const QString& text);
    // "host:port", or "host" for any port.
    [[nodiscard]] QString display() const;

    friend bool operator==(const Address&, const Address&) = default;
    friend size_t qHash(const Address& address, size_t seed = 0) noexcept {
        return qHashMulti(seed, address.host, address.port);
    }
};

// Maps the address that a server is announced with to the address that reaches it from here, for servers behind NAT or
// in containers. Redisson calls it natMapper. An entry for any port of a host keeps the port.
using AddressMap = QHash<Address, Address>;

// The mapped address; nothing if the map does not have the announced one.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<Address> reachableAddress(const AddressMap& map,
                                                                        const Address& announced);

// A master that Sentinels watch.
struct SentinelGroup {
    QList<Address> sentinels;        // at least one
    QByteArray masterName;           // as the Sentinels call it
    redis::Credentials credentials;  // the Sentinels' own, not those of the data servers
    // The Sentinels' own settings of TLS, which may be Security::Plain; host, port and pass phrase are not used.
    // Nothing: the settings of the data servers.
    std::optional<redis::Endpoint> tls;

    friend bool operator==(const SentinelGroup&, const SentinelGroup&) = default;
};

// The servers of a session. Without sentinels, servers and cluster, it is always the same server.
struct Deployment {
    std::optional<SentinelGroup> sentinels;  // Sentinels that know the master
    QList<Address> servers;                  // a master and its replicas; otherwise empty
    QList<Address> cluster;                  // some nodes of a Cluster; otherwise empty
    // To which channels locks are published in a Cluster of Redis 7 or newer. Sharded: no client of Redisson before
    // 3.22 may wait there.
    redis::Publishing publishing = redis::Publishing::PlainAndSharded;
    AddressMap addresses;
    std::optional<JumpHost> ssh;  // the machine from which every server is reached

    friend bool operator==(const Deployment&, const Deployment&) = default;
};

}  // namespace lockkeeper::topology
