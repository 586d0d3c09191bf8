#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "profile/discoverysettings.h"
#include "redis/connectionoptions.h"

#include <QMetaType>

namespace lockkeeper::profile {

// What the user says about a server: where, as whom, and how careful to be.
struct LOCKKEEPER_MONITOR_EXPORT ConnectionProfile {
    redis::Endpoint endpoint;
    redis::Credentials credentials;
    int database = 0;
    redis::AccessMode access = redis::AccessMode::ReadWrite;
    DiscoverySettings discovery;

    // redis://[user[:password]@]host[:port][/database], rediss:// for TLS, valkey:// and valkeys:// likewise,
    // redis+unix:///path/to.sock[?db=N] or unix://. TLS takes ?ca=FILE&cert=FILE&key=FILE&sni=NAME. "host" and "host:port" alone
    // are taken as redis://. Where to look for locks may follow: ?match=PATTERN&prefix=P&share=PERCENT, the first two more
    // than once. Anything else is InvalidArgument with what is wrong and what would be right, never with the password.
    [[nodiscard]] static Result<ConnectionProfile> fromUrl(const QString& url);

    // What a connection of this profile needs to know; its client name may be set further.
    [[nodiscard]] redis::ConnectionOptions connectionOptions() const;
    // "host:port/database" or the socket's path: for titles and logs, no secrets.
    [[nodiscard]] QString display() const;
    // The URL without its password, to be remembered and shown again.
    [[nodiscard]] QString urlWithoutPassword() const;

    friend bool operator==(const ConnectionProfile&, const ConnectionProfile&) = default;
};

}  // namespace lockkeeper::profile

Q_DECLARE_METATYPE(lockkeeper::profile::ConnectionProfile)
