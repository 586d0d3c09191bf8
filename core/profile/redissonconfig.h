// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "profile/connectionprofile.h"

#include <functional>

namespace lockkeeper::profile {

// A setting of a Redisson configuration that Lockkeeper does not follow. In brackets: what `arguments` holds.
struct RedissonNote {
    enum class Kind {
        NameMapper,         // names of locks are shown as the server has them
        NatMapper,          // from a class that cannot be read: give the addresses with map=
        KeyStore,           // Java's: give PEM files with ca=, cert= and key= [setting]
        Verification,       // weaker in Redisson; Lockkeeper verifies certificates [the setting in the file]
        EncryptedPassword,  // encrypted with Redisson's own key: give the password [setting]
        Credentials,        // from a class: give user and password
        NotUsed             // not relevant for a monitor [settings]
    };

    Kind kind = Kind::NotUsed;
    QStringList arguments;

    friend bool operator==(const RedissonNote&, const RedissonNote&) = default;
};

struct RedissonConnection {
    ConnectionProfile profile;  // with the passwords of the file: for the session only, never stored
    QList<RedissonNote> notes;
};

// The value of a variable ${NAME} of the file; nothing if it has no value, so that its default is used.
using RedissonVariables = std::function<std::optional<QString>(const QString& name)>;
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<QString> environmentVariable(const QString& name);

constexpr qsizetype largestRedissonFile = 1 << 18;  // bytes
// Errors: Storage; InvalidArgument if it is too large.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<QByteArray> readRedissonFile(const QString& path);

// file: YAML or JSON as Redisson's Config.fromYAML() accepts it. Variables are resolved only in the settings that are
// used. Aliases are not expanded, so the file's size bounds the time.
// Errors: InvalidArgument with a cause Redisson...; RedissonVariables names the variables to ask for.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<RedissonConnection> redissonConnection(
    const QByteArray& file, const RedissonVariables& variables);

}  // namespace lockkeeper::profile
