#include "redis/readonlyscript.h"

#include "redis/replyerrors.h"

namespace lockkeeper::redis {

// By SHA-1 where the server knows the script and allows EVALSHA_RO: with EVAL_RO the server must hash the whole text on
// each run.
Task<Result<RespValue>> ReadOnlyScript::run(QByteArrayList keys, QByteArrayList arguments, std::stop_token stop) {
    const ScriptCall call(m_script, keys, arguments);
    const Deadline never = Deadline::never(m_connection.clock());
    if (m_callsByName) {
        const Completion<RespValue> byName = m_connection.send(call.evalShaReadOnly());
        Result<RespValue> reply = co_await byName.wait(never, stop);
        if (reply)
            co_return reply;
        m_callsByName = !isRefusalOfCommand(reply.error());
        if (m_callsByName && reply.error().reply != ReplyKind::NoScript)
            co_return reply;
    }
    const Completion<RespValue> byText = m_connection.send(call.evalReadOnly());
    co_return co_await byText.wait(never, stop);
}

}  // namespace lockkeeper::redis
