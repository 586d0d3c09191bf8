#include "monitor/read/lockprobe.h"

#include "monitor/read/lockdecoder.h"

namespace lockkeeper::monitor {

using redis::RespValue;

namespace {

// Of all the names together; beyond it the next command goes on.
constexpr qint64 fieldsAtOnce = 2 * maxLockFields;

// As probe_locks.lua says it.
enum Verdict : qint64 { NoLock = 0, MaybeLock = 1, Gone = 2, NotLookedAt = 3 };

}  // namespace

LockProbe::LockProbe(redis::Connection& connection)
    : m_script(connection, redis::Script::embedded(QStringLiteral("monitor/lua/probe_locks.lua"))) {}

void LockProbe::startOver() {
    m_script.startOver();
    m_isAllowed = true;
}

Task<Result<LockProbe::Answer>> LockProbe::ask(QList<LockName> names, std::stop_token stop) {
    const QByteArrayList arguments{QByteArray::number(maxLockFields), QByteArray::number(maxFieldBytes),
                                   QByteArray::number(fieldsAtOnce)};
    Answer answer;
    while (!names.isEmpty()) {
        QByteArrayList keys;
        for (const LockName& name : std::as_const(names))
            keys.append(name.bytes());
        const Result<RespValue> reply = co_await m_script.run(keys, arguments, stop);
        const bool isAnswered = reply && std::ssize(reply->items) == names.size();
        if (!reply && (reply.error().code == ErrorCode::ConnectionLost || reply.error().code == ErrorCode::Cancelled))
            co_return reply.error();
        if (!reply && redis::ReadOnlyScript::isRefused(reply.error()))
            m_isAllowed = false;
        if (!isAnswered) {
            answer.maybeLocks += names;
            co_return answer;
        }
        QList<LockName> rest;
        for (qsizetype i = 0; i < names.size(); ++i) {
            const qint64 verdict = reply->items[size_t(i)].integer;
            if (verdict == NotLookedAt)
                rest += names[i];
            else if (verdict == NoLock)
                answer.others += names[i];
            else if (verdict != Gone)
                answer.maybeLocks += names[i];
        }
        // The first is always looked at; whoever says otherwise would be asked for ever.
        if (rest.size() == names.size())
            answer.maybeLocks += std::exchange(rest, {});
        names = rest;
    }
    co_return answer;
}

}  // namespace lockkeeper::monitor
