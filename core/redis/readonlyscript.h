// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/script.h"

namespace lockkeeper::redis {

// A script that only reads, for users who may not run EVAL. It is sent as EVALSHA_RO, or as EVAL_RO if the server does
// not know the script yet or allows only EVAL_RO. Redis 7 or newer. Thread: the connection's. The connection must
// outlive it.
class LOCKKEEPER_EXPORT ReadOnlyScript {
public:
    ReadOnlyScript(Connection& connection, Script script) : m_connection(connection), m_script(std::move(script)) {}

    // Errors: those of the connection and the script, Cancelled, and one for which isRefusalOfCommand() is true if
    // neither command exists or is allowed.
    [[nodiscard]] Task<Result<RespValue>> run(QByteArrayList keys, QByteArrayList arguments, std::stop_token stop);

    // run() in two steps, for who calls it very often: the second one is rare, and only needs a coroutine then.
    struct Attempt {
        Completion<RespValue> answer;
        bool isByName;
    };
    [[nodiscard]] Attempt begin(const QByteArrayList& keys, const QByteArrayList& arguments);
    // After this error of an attempt. Returns it if there is no other way.
    [[nodiscard]] Task<Result<RespValue>> repeat(bool wasByName, Error failure, QByteArrayList keys,
                                                 QByteArrayList arguments, std::stop_token stop);

    // Call after a reconnect: the next command may go to another server.
    void startOver() noexcept { m_callsByName = true; }

private:
    Connection& m_connection;
    const Script m_script;
    bool m_callsByName = true;  // use EVALSHA_RO
};

}  // namespace lockkeeper::redis
