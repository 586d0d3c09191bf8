// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "profile/configuration/placeholders.h"
#include "profile/connectionprofile.h"

namespace lockkeeper::profile {

// What Lockkeeper does otherwise than a configuration says, or what its author may not have meant. In brackets: what
// `arguments` holds.
struct RedissonNote {
    enum class Kind {
        NameMapper,         // of a class that cannot be read: names of locks are shown as the server has them
        NatMapper,          // from a class that cannot be read: give the addresses with map=
        KeyStore,           // cannot be read: give PEM files with ca=, cert= and key= [setting]
        Verification,       // weaker in Redisson; Lockkeeper verifies certificates [the setting in the file]
        EncryptedPassword,  // encrypted for the application: give the password [setting]
        Credentials,        // from a class: give user and password
        Twice,              // the last one counts [settings]
        Commented,          // the value is a comment, so there is none [settings]
        Defaults,           // variables have their defaults, because nobody has allowed the environment [variables]
        OtherProfiles,      // profiles of Spring with servers of their own, not used [profiles]
        OutOfRange,         // no such time is possible, so Redisson's default counts [setting]
        NotImported,        // Spring imports it, and it is not read [locations]
        OldAddress,         // an address outside of a group is the one of a single server [setting]
        BundleMissing,      // Spring names a bundle that is not there [setting, bundle]
        FileMissing,        // of a bundle; no such file is beside the configuration [setting]
        NotUsed             // concerns locks or the connection, and is not followed [settings]
    };

    Kind kind = Kind::NotUsed;
    QStringList arguments;

    friend bool operator==(const RedissonNote&, const RedissonNote&) = default;
};

struct RedissonConnection {
    ConnectionProfile profile;  // with the passwords of the file: for the session only, never stored
    QList<RedissonNote> notes;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<QString> environmentVariable(const QString& name);

// The connection of a tree of Redisson's settings; see connectionOf() in configuration.h. variables: those of the file.
class RedissonFile;
[[nodiscard]] Result<RedissonConnection> redissonConnection(const RedissonFile& settings);
// The same for the bytes of one file of any form, without files beside it.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<RedissonConnection> redissonConnection(
    const QByteArray& file, const RedissonVariables& variables);

}  // namespace lockkeeper::profile
