// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/lockprobe.h"

#include "monitor/observe/read/lockdecoder.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using redis::RespValue;

namespace {

// Of all the names together: as many as a single lock may have.
constexpr qint64 fieldsAtOnce = maxLockFields;

// As in probe_locks.lua; any other answer means unknown.
enum Verdict : qint64 { NoLock = 0, MaybeLock = 1, Gone = 2, NotProbed = 3 };

}  // namespace

LockProbe::LockProbe(redis::Connection& connection)
    : m_script(connection, redis::Script::embedded(QStringLiteral("monitor/observe/lua/probe_locks.lua"))) {}

void LockProbe::startOver() {
    m_script.startOver();
    m_isAllowed = true;
}

Task<Result<LockProbe::Answer>> LockProbe::ask(QList<LockName> names, std::stop_token stop) {
    const QByteArrayList arguments{QByteArray::number(maxLockFields), QByteArray::number(maxFieldBytes),
                                   QByteArray::number(fieldsAtOnce)};
    QByteArrayList keys;
    for (const LockName& name : std::as_const(names))
        keys.append(name.bytes());
    const Result<RespValue> reply = co_await m_script.run(keys, arguments, stop);
    if (!reply && redis::isWithoutReply(reply.error()))
        co_return reply.error();
    if (!reply && redis::isRefusalOfCommand(reply.error()))
        m_isAllowed = false;
    Answer answer;
    if (reply && std::ssize(reply->items) == names.size())
        answer = answerOf(names, reply->items);
    else
        answer.unknown = names;
    co_return answer;
}

LockProbe::Answer LockProbe::answerOf(const QList<LockName>& names, const std::vector<RespValue>& verdicts) {
    Answer answer;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const RespValue& verdict = verdicts[size_t(i)];
        if (!verdict.isInteger())
            answer.unknown += names[i];
        else if (verdict.integer == MaybeLock)
            answer.maybeLocks += names[i];
        else if (verdict.integer == NoLock)
            answer.others += names[i];
        else if (verdict.integer == NotProbed)
            answer.notProbed += names[i];
        else if (verdict.integer != Gone)
            answer.unknown += names[i];
    }
    // The first name is always read. If a server answers otherwise, it must not be asked for ever.
    if (answer.notProbed.size() == names.size())
        answer.unknown += std::exchange(answer.notProbed, {});
    return answer;
}

}  // namespace lockkeeper::monitor
