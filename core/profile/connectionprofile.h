// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "profile/discoverysettings.h"
#include "profile/profileid.h"
#include "redis/connectionoptions.h"
#include "topology/deployment.h"

#include <QMetaType>

namespace lockkeeper::profile {

// The user's settings for a server: address, user, and whether it is read-only.
struct LOCKKEEPER_MONITOR_EXPORT ConnectionProfile {
    ProfileId id;  // of a bare URL: made of host, port, database and user
    redis::Endpoint endpoint;         // where the deployment names servers, only its TLS settings count
    topology::Deployment deployment;
    redis::Credentials credentials;
    redis::Credentials writing;  // of the connection that writes; without a user: as `credentials`
    int database = 0;
    redis::AccessMode access = redis::AccessMode::ReadWrite;
    DiscoverySettings discovery;

    // redis://[user[:password]@]host[:port][/database], rediss:// for TLS, valkey:// and valkeys:// likewise,
    // redis+unix:///path/to.sock[?db=N] or unix://. "host" and "host:port" alone mean redis://. Several hosts,
    // redis://host,host, are a master and its replicas. redis-sentinel://[user[:password]@]host[:port],host/MASTER[/database]
    // means servers behind Sentinels, rediss-sentinel:// with TLS; it takes ?sentinel-user=NAME, sentinel-tls=yes|no, and
    // the options of TLS with "sentinel-" before them where they are not those of the servers.
    // redis-cluster://[user[:password]@]host[:port],host means a Cluster, rediss-cluster:// with TLS; it takes
    // ?publish=sharded. Where the servers are found by others, map=HOST:PORT=HOST:PORT names an announced address and
    // the one to use instead. TLS takes ?ca=FILE&cert=FILE&key=FILE&sni=NAME&tls-min=1.2|1.3&pin=SHA256; pin may be repeated. ssh=user@host[:port] leads
    // to all servers through that host. Settings of discovery may follow: ?match=PATTERN&prefix=P&share=PERCENT; map,
    // match and prefix may be repeated. Anything else is InvalidArgument with what is wrong and what would be right,
    // never with the password.
    [[nodiscard]] static Result<ConnectionProfile> fromUrl(const QString& url);

    // The id of a profile that the user has not saved: two that reach the same data as the same user have the same.
    [[nodiscard]] ProfileId addressId() const;
    // The same for another server, "host:port", with the same user and the same way there. Nothing if that is no
    // address.
    [[nodiscard]] std::optional<ConnectionProfile> atServer(const QString& address) const;
    // The whole Cluster that its one server is a node of, as the same user and the same way there. Nothing if it is not
    // about one server with an address.
    [[nodiscard]] std::optional<ConnectionProfile> asCluster() const;
    // Of a client certificate, for the servers or the Sentinels: its pass phrase may be needed.
    [[nodiscard]] bool namesPrivateKey() const;
    // The certificate of a server or of a Sentinel is pinned, not verified.
    [[nodiscard]] bool pinsCertificate() const;
    // The connection options of this profile; the caller may change the client name.
    [[nodiscard]] redis::ConnectionOptions connectionOptions() const;
    // "host:port/database", "sentinel:port,sentinel:port/master/database" or the path of the socket, then the jump host: for titles and logs;
    // contains no secrets.
    [[nodiscard]] QString display() const;
    // The URL without its password, for storing and display.
    [[nodiscard]] QString urlWithoutPassword() const;
    // Without passwords and pass phrases.
    [[nodiscard]] ConnectionProfile withoutSecrets() const;

    friend bool operator==(const ConnectionProfile&, const ConnectionProfile&) = default;
};

}  // namespace lockkeeper::profile

Q_DECLARE_METATYPE(lockkeeper::profile::ConnectionProfile)
