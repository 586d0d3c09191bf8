// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "redis/beforesendingagain.h"
#include "redis/connection.h"
#include "redis/publishing.h"

#include <memory>

namespace lockkeeper::redis {

// A Lua script from the folder of its caller, e.g. locks/lua/NAME.lua. It is sent as EVALSHA, and once as EVAL if the
// server does not know it yet (NOSCRIPT: nothing was executed).
class LOCKKEEPER_EXPORT Script {
public:
    // Reads the embedded file, e.g. "locks/lua/reentrant_acquire.lua". A missing file is an error of the build and
    // aborts the program.
    [[nodiscard]] static Script embedded(const QString& path);
    // One script made of several files; shared functions come first.
    [[nodiscard]] static Script joined(const QStringList& paths);
    explicit Script(QByteArray source);
    // The other forms of this script, which publishes to plain channels.
    void setForms(Script plainAndSharded, Script sharded);
    // The form for these channels; this script itself if it has no other forms.
    [[nodiscard]] const Script& formFor(Publishing publishing) const noexcept;

    [[nodiscard]] const QByteArray& source() const noexcept { return m_source; }
    // SHA-1 in lower-case hex, as EVALSHA takes it.
    [[nodiscard]] const QByteArray& sha() const noexcept { return m_sha; }

private:
    QByteArray m_source;
    QByteArray m_sha;
    struct Forms;
    std::shared_ptr<const Forms> m_forms;
};

// One call of a script, with its keys and arguments.
class LOCKKEEPER_EXPORT ScriptCall {
public:
    ScriptCall(Script script, Arguments keys, const Arguments& arguments);

    // This call with the script's form for these channels.
    [[nodiscard]] ScriptCall formFor(Publishing publishing) const;

    [[nodiscard]] Command evalSha() const;
    [[nodiscard]] Command eval() const;
    // The script is sent after CLIENT CACHING YES. A server on which this connection has CLIENT TRACKING OPTIN then
    // reports the next change of the keys that the script reads.
    void setTracked(bool tracked) noexcept { m_isTracked = tracked; }
    [[nodiscard]] bool isTracked() const noexcept { return m_isTracked; }

    // Redis 7 or newer. The server refuses writes in such a call, and it counts as a read.
    [[nodiscard]] Command evalShaReadOnly() const;
    [[nodiscard]] Command evalReadOnly() const;

private:
    [[nodiscard]] Command command(QByteArrayView name, const QByteArray& script) const;

    Script m_script;
    int m_keyCount;
    Arguments m_keysAndArguments;
    bool m_isTracked = false;
};

// Sends a form of this call, e.g. evalSha(), once.
[[nodiscard]] LOCKKEEPER_EXPORT Completion<RespValue> sendScript(Connection& connection, const ScriptCall& call,
                                                                 const Command& form);

// Runs a script by EVALSHA, and by EVAL after NOSCRIPT. The completion belongs to the caller. An answer that comes
// after the waiter stopped waiting reaches whenAbandoned(), as with any other command. If that late answer is NOSCRIPT,
// the script is not sent again: nothing was executed, and commands sent since then would be overtaken.
[[nodiscard]] LOCKKEEPER_EXPORT Completion<RespValue> runScript(Connection& connection, ScriptCall call,
                                                                BeforeSendingAgain beforeAgain = {});

}  // namespace lockkeeper::redis
