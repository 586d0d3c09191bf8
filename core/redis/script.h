#pragma once

#include "async/task.h"
#include "redis/connection.h"

#include <QByteArrayList>

namespace lockkeeper::redis {

// A Lua script that lives beside its caller as locks/lua/NAME.lua; sent as EVALSHA, and once as EVAL where the server does not
// know it yet (NOSCRIPT, which promises that nothing ran).
class LOCKKEEPER_EXPORT Script {
public:
    // Reads the embedded file, e.g. "locks/lua/reentrant_acquire.lua"; a missing one ends the program: it is part of the build.
    [[nodiscard]] static Script embedded(const QString& path);
    // One script of several files: what it shares with others stands first.
    [[nodiscard]] static Script joined(const QStringList& paths);
    explicit Script(QByteArray source);

    [[nodiscard]] const QByteArray& source() const noexcept { return m_source; }
    // Lower-case hex SHA-1, as EVALSHA takes it.
    [[nodiscard]] const QByteArray& sha() const noexcept { return m_sha; }

    [[nodiscard]] Command evalSha(const QByteArrayList& keys, const QByteArrayList& arguments) const;
    [[nodiscard]] Command eval(const QByteArrayList& keys, const QByteArrayList& arguments) const;
    // Redis 7+: refuses to write, and is counted as a read.
    [[nodiscard]] Command evalReadOnly(const QByteArrayList& keys, const QByteArrayList& arguments) const;

private:
    QByteArray m_source;
    QByteArray m_sha;
};

// Runs a script by EVALSHA, by EVAL after NOSCRIPT. The completion belongs to the caller; an answer that comes after its waiter has
// left reaches whenAbandoned() as with any other command.
[[nodiscard]] LOCKKEEPER_EXPORT Completion<RespValue> runScript(Connection& connection, const Script& script, QByteArrayList keys,
                                                               QByteArrayList arguments);

}  // namespace lockkeeper::redis
