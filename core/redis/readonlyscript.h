#pragma once

#include "redis/script.h"

namespace lockkeeper::redis {

// A script that only reads, run where nothing else is allowed to: by EVALSHA_RO, and as a whole by EVAL_RO where the
// server does not know it yet or allows only that. Redis 7+. Thread: the connection's, which must outlive it.
class LOCKKEEPER_EXPORT ReadOnlyScript {
public:
    ReadOnlyScript(Connection& connection, Script script) : m_connection(connection), m_script(std::move(script)) {}

    // Errors: the connection's, the script's own, Cancelled; and where neither command is there or allowed, one that
    // isRefusalOfCommand().
    [[nodiscard]] Task<Result<RespValue>> run(QByteArrayList keys, QByteArrayList arguments, std::stop_token stop);
    // After a reconnect, to a server that may be another.
    void startOver() noexcept { m_callsByName = true; }

private:
    Connection& m_connection;
    const Script m_script;
    bool m_callsByName = true;  // EVALSHA_RO
};

}  // namespace lockkeeper::redis
