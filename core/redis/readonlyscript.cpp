// SPDX-License-Identifier: Apache-2.0
#include "redis/readonlyscript.h"

#include "redis/replyerrors.h"

namespace lockkeeper::redis {

Task<Result<RespValue>> ReadOnlyScript::run(const QByteArrayList& keys, const QByteArrayList& arguments,
                                            std::stop_token stop) {
    ScriptCall call(m_script, keys, arguments);
    return m_callsByName ? runByName(std::move(call), std::move(stop)) : runByText(std::move(call), std::move(stop));
}

// By SHA-1 where the server knows the script and allows EVALSHA_RO: with EVAL_RO the server must hash the whole text on
// each run.
Task<Result<RespValue>> ReadOnlyScript::runByName(ScriptCall call, std::stop_token stop) {
    const Completion<RespValue> answer = m_connection.send(call.evalShaReadOnly());
    Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), stop);
    if (reply)
        co_return reply;
    m_callsByName = !isRefusalOfCommand(reply.error());
    if (m_callsByName && reply.error().reply != ReplyKind::NoScript)
        co_return reply;
    co_return co_await runByText(call, stop);
}

Task<Result<RespValue>> ReadOnlyScript::runByText(ScriptCall call, std::stop_token stop) {
    const Completion<RespValue> answer = m_connection.send(call.evalReadOnly());
    co_return co_await answer.wait(Deadline::never(m_connection.clock()), stop);
}

}  // namespace lockkeeper::redis
