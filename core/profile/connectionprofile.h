// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "profile/discoverysettings.h"
#include "profile/dumpsettings.h"
#include "profile/locksettings.h"
#include "profile/profileid.h"
#include "redis/connectionoptions.h"
#include "topology/deployment.h"

#include <QMetaType>

namespace lockkeeper::profile {

// The user's settings for a server: address, user, and whether it is read-only.
struct LOCKKEEPER_MONITOR_EXPORT ConnectionProfile {
    ProfileId id;              // for a bare URL: made of host, port, database and user
    redis::Endpoint endpoint;  // if the deployment names servers, only its TLS settings are used
    topology::Deployment deployment;
    redis::Credentials credentials;
    redis::Credentials writing;  // for the connection that writes; without a user: as `credentials`
    int database = 0;
    redis::AccessMode access = redis::AccessMode::ReadWrite;
    DiscoverySettings discovery;
    LockSettings locks;
    DumpSettings dumps;

    // Reads a URL. "host" and "host:port" alone mean redis://.
    // - redis://[user[:password]@]host[:port][/database]; rediss:// with TLS; valkey:// and valkeys:// likewise.
    // - redis+unix:///path/to.sock[?db=N] or unix://: a Unix socket.
    // - redis://host,host: a master and its replicas.
    // - redis-sentinel://[user[:password]@]host[:port],host/MASTER[/database]: servers behind Sentinels;
    //   rediss-sentinel:// with TLS. It takes ?sentinel-user=NAME, sentinel-tls=yes|no, and the options of TLS with
    //   "sentinel-" before them if the Sentinels' options differ from those of the servers.
    // - redis-cluster://[user[:password]@]host[:port],host[/database]: a Cluster, which has several databases since
    //   Valkey 9; rediss-cluster:// with TLS. It takes ?publish=sharded.
    //
    // Options of TLS: ?ca=FILE&cert=FILE&key=FILE&sni=NAME&tls-min=1.2|1.3&pin=SHA256. ssh=user@host[:port] leads to
    // all servers through that host. Where Sentinels, replicas or nodes announce the servers, map=HOST:PORT=HOST:PORT
    // names an announced address and the address to use instead. Settings of discovery:
    // ?match=PATTERN&prefix=P&share=PERCENT. pin, map, match and prefix may be repeated. What the Java clients have
    // set: ?watchdog=SECONDS&fair-wait=SECONDS&name-prefix=P&name-suffix=S&redisson=VERSION&await-replicas=yes|no
    // &replica-timeout=SECONDS.
    //
    // Any other text is InvalidArgument with what is wrong and what would be right, never with the password.
    [[nodiscard]] static Result<ConnectionProfile> fromUrl(const QString& url);

    // The id of a profile that the user has not saved. Two profiles have the same one if they reach the same data as
    // the same user.
    [[nodiscard]] ProfileId addressId() const;
    // This profile for another server, "host:port", with the same user and the same way to it. Nothing if the text is
    // not an address.
    [[nodiscard]] std::optional<ConnectionProfile> atServer(const QString& address) const;
    // The profile of the whole Cluster that the single server of this profile is a node of, with the same user and the
    // same way to it. Nothing if this profile is not for a single server with an address.
    [[nodiscard]] std::optional<ConnectionProfile> asCluster() const;
    // Whether there is a client certificate, for the servers or the Sentinels, whose private key may need a pass
    // phrase.
    [[nodiscard]] bool namesPrivateKey() const;
    // Whether the certificate of a server or of a Sentinel is pinned, and not verified.
    [[nodiscard]] bool pinsCertificate() const;
    // The connection options of this profile; the caller may change the client name.
    [[nodiscard]] redis::ConnectionOptions connectionOptions() const;
    // "host:port/database", "sentinel:port,sentinel:port/master/database" or the path of the socket, then the jump
    // host. For titles and logs; contains no secrets.
    [[nodiscard]] QString display() const;
    // The URL without its password, for storing and display.
    [[nodiscard]] QString urlWithoutPassword() const;
    // This profile without passwords and pass phrases.
    [[nodiscard]] ConnectionProfile withoutSecrets() const;

    friend bool operator==(const ConnectionProfile&, const ConnectionProfile&) = default;
};

}  // namespace lockkeeper::profile

Q_DECLARE_METATYPE(lockkeeper::profile::ConnectionProfile)
