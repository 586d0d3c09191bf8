// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/lockprobe.h"

#include "monitor/observe/read/lockdecoder.h"
#include "redis/replyerrors.h"
#include "topology/hashslot.h"

#include <QMap>

#include <algorithm>

namespace lockkeeper::monitor {

using redis::RespValue;

namespace {

// The most fields of all names in one command together: as many as a single lock may have.
constexpr qint64 fieldsAtOnce = maxLockFields;

// The most bytes of the names in one command, apart from the first name: a name is copied several times on its way.
constexpr qsizetype bytesAtOnce = 100'000;

// As in probe_locks.lua; any other answer means unknown.
enum Verdict : qint64 { NoLock = 0, MaybeLock = 1, Gone = 2, NotProbed = 3 };

}  // namespace

LockProbe::LockProbe(redis::Connection& connection, const NodeScope& scope, Naming naming)
    : m_scope(scope),
      m_naming(naming),
      m_script(connection, redis::Script::embedded(QStringLiteral("monitor/observe/lua/probe_locks.lua"))) {}

void LockProbe::startOver() {
    m_script.startOver();
    m_isAllowed = true;
}

Task<Result<LockProbe::Answer>> LockProbe::ask(QList<LockName> names, std::stop_token stop) {
    const QByteArrayList arguments{QByteArray::number(maxLockFields), QByteArray::number(maxFieldBytes),
                                   QByteArray::number(fieldsAtOnce), m_naming == Naming::ByUser ? "1" : "0"};
    const QList<LockName> asked = takeShort(names);
    const QList<QList<LockName>> groups = askableTogether(asked);
    std::vector<Task<Result<RespValue>>> replies;
    for (const QList<LockName>& group : groups) {
        QByteArrayList keys;
        for (const LockName& name : group)
            keys.append(name.bytes());
        replies.push_back(m_script.run(keys, arguments, stop));
    }
    Answer all;
    std::optional<Error> lost;
    for (qsizetype i = 0; i < groups.size(); ++i) {
        const Result<RespValue> reply = co_await replies[static_cast<size_t>(i)];
        const Result<Answer> answer = answerTo(groups[i], reply);
        if (answer)
            addTo(all, *answer);
        else
            lost = answer.error();
    }
    if (lost)
        co_return *lost;
    all.notProbed += names;
    co_return all;
}

// Takes as many names as fit into one command, at least one. The others stay in the list.
QList<LockName> LockProbe::takeShort(QList<LockName>& names) {
    qsizetype bytes = 0;
    const auto isTooLong = [&bytes](const LockName& name) { return (bytes += name.bytes().size()) > bytesAtOnce; };
    const auto end = names.isEmpty() ? names.end() : std::find_if(names.begin() + 1, names.end(), isTooLong);
    const QList<LockName> taken(names.begin(), end);
    names.erase(names.begin(), end);
    return taken;
}

QList<QList<LockName>> LockProbe::askableTogether(const QList<LockName>& names) const {
    if (!m_scope.isInCluster())
        return {names};
    QMap<topology::HashSlot, QList<LockName>> bySlot;
    for (const LockName& name : names)
        bySlot[topology::hashSlotOf(name.bytes())] += name;
    return bySlot.values();
}

Result<LockProbe::Answer> LockProbe::answerTo(const QList<LockName>& names, const Result<RespValue>& reply) {
    if (!reply && redis::isWithoutReply(reply.error()))
        return reply.error();
    if (!reply && redis::isRefusalOfCommand(reply.error()))
        m_isAllowed = false;
    if (reply && std::ssize(reply->items) == names.size())
        return answerOf(names, reply->items);
    Answer answer;
    answer.unknown = names;
    return answer;
}

void LockProbe::addTo(Answer& answer, const Answer& part) {
    answer.maybeLocks += part.maybeLocks;
    answer.others += part.others;
    answer.unknown += part.unknown;
    answer.notProbed += part.notProbed;
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
