// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "profile/connectionprofile.h"

#include <functional>

namespace lockkeeper::profile {

// What a Redisson configuration says and Lockkeeper does not do. In brackets: what `arguments` holds.
struct RedissonNote {
    enum class Kind {
        NameMapper,         // names of locks are shown as the server has them
        NatMapper,          // of a class that cannot be read: give the addresses with map=
        KeyStore,           // Java's: give PEM files with ca=, cert= and key= [setting]
        Verification,       // weaker in Redisson; here certificates are verified [what the file has]
        EncryptedPassword,  // with Redisson's own key: give the password [setting]
        Credentials,        // come from a class: give user and password
        NotUsed             // no matter for a monitor [settings]
    };

    Kind kind = Kind::NotUsed;
    QStringList arguments;

    friend bool operator==(const RedissonNote&, const RedissonNote&) = default;
};

struct RedissonConnection {
    ConnectionProfile profile;  // with the passwords of the file: for the session, not to be stored
    QList<RedissonNote> notes;
};

// The value of a variable ${NAME} of the file. Nothing: it has none, so its default counts.
using RedissonVariables = std::function<std::optional<QString>(const QString& name)>;
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<QString> environmentVariable(const QString& name);

constexpr qsizetype largestRedissonFile = 1 << 18;  // bytes
// Errors: Storage; InvalidArgument if it is too large.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<QByteArray> readRedissonFile(const QString& path);

// file: YAML or JSON as Redisson's Config.fromYAML() takes it. Variables are resolved only in what is used. Does not
// expand aliases, so its time is bounded by the file's size.
// Errors: InvalidArgument with a cause Redisson...; of them RedissonVariables names the variables to ask for.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<RedissonConnection> redissonConnection(
    const QByteArray& file, const RedissonVariables& variables);

}  // namespace lockkeeper::profile
