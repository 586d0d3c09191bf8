// SPDX-License-Identifier: Apache-2.0
#include "redis/readonlyscript.h"

#include "redis/replyerrors.h"

namespace lockkeeper::redis {

// By SHA-1 where the server knows the script and allows EVALSHA_RO: with EVAL_RO the server must hash the whole text on
// each run.
ReadOnlyScript::Attempt ReadOnlyScript::begin(const QByteArrayList& keys, const QByteArrayList& arguments) {
    const ScriptCall call(m_script, keys, arguments);
    return {m_connection.send(m_callsByName ? call.evalShaReadOnly() : call.evalReadOnly()), m_callsByName};
}

Task<Result<RespValue>> ReadOnlyScript::repeat(bool wasByName, Error failure, QByteArrayList keys,
                                               QByteArrayList arguments, std::stop_token stop) {
    const bool isRefused = isRefusalOfCommand(failure);
    if (!wasByName || (!isRefused && failure.reply != ReplyKind::NoScript))
        co_return failure;
    m_callsByName = !isRefused;
    const Completion<RespValue> answer = m_connection.send(ScriptCall(m_script, keys, arguments).evalReadOnly());
    co_return co_await answer.wait(Deadline::never(m_connection.clock()), stop);
}

Task<Result<RespValue>> ReadOnlyScript::run(QByteArrayList keys, QByteArrayList arguments, std::stop_token stop) {
    const Attempt attempt = begin(keys, arguments);
    Result<RespValue> reply = co_await attempt.answer.wait(Deadline::never(m_connection.clock()), stop);
    if (reply)
        co_return reply;
    co_return co_await repeat(attempt.isByName, reply.error(), std::move(keys), std::move(arguments), stop);
}

}  // namespace lockkeeper::redis
