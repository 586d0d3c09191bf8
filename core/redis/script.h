#pragma once

#include "async/task.h"
#include "redis/connection.h"

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

private:
    QByteArray m_source;
    QByteArray m_sha;
};

// One run of a script, with its keys and arguments.
class LOCKKEEPER_EXPORT ScriptCall {
public:
    ScriptCall(Script script, Arguments keys, const Arguments& arguments);

    [[nodiscard]] Command evalSha() const;
    [[nodiscard]] Command eval() const;
    // Redis 7+: refuse to write, and are counted as reads.
    [[nodiscard]] Command evalShaReadOnly() const;
    [[nodiscard]] Command evalReadOnly() const;

private:
    [[nodiscard]] Command command(QByteArrayView name, const QByteArray& script) const;

    Script m_script;
    int m_keyCount;
    Arguments m_keysAndArguments;
};

// Runs a script by EVALSHA, by EVAL after NOSCRIPT. The completion belongs to the caller; an answer that comes after its waiter has
// left reaches whenAbandoned() as with any other command. A NOSCRIPT that does so is that answer: nothing ran, and nothing will, as
// what the caller has sent since would be overtaken by it.
// onSentAgain: called when it goes out as EVAL, behind whatever was sent since the EVALSHA.
[[nodiscard]] LOCKKEEPER_EXPORT Completion<RespValue> runScript(Connection& connection, ScriptCall call,
                                                                std::function<void()> onSentAgain = {});

}  // namespace lockkeeper::redis
