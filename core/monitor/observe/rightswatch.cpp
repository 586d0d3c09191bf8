// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/rightswatch.h"

#include "async/pause.h"

#include <algorithm>

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// The ACL is checked before the key is looked up, so any key will do.
const QByteArray anyKey = QByteArrayLiteral("lockkeeper");

// For commands that only scripts use.
QByteArrayList inScript(const QByteArray& call) {
    return {"EVAL_RO", "return " + call, "1", anyKey};
}

// Commands with the rights of the denied one, by the name in the denial. Several: all of them are needed.
const QHash<QString, std::vector<QByteArrayList>>& questions() {
    static const QByteArrayList notifyFlags{"CONFIG", "GET", "notify-keyspace-events"};
    static const QHash<QString, std::vector<QByteArrayList>> all{
        {QStringLiteral("EVAL_RO"), {{"EVAL_RO", "return 1", "1", anyKey}}},
        {QStringLiteral("MULTI"), {{"MULTI"}, {"EXEC"}}},
        {QStringLiteral("HGETALL"), {{"HGETALL", anyKey}}},
        {QStringLiteral("HGET"), {{"HGET", anyKey, "mode"}}},
        {QStringLiteral("HLEN"), {{"HLEN", anyKey}}},
        {QStringLiteral("HKEYS"), {{"HKEYS", anyKey}}},
        {QStringLiteral("HSTRLEN"), {inScript("redis.call('HSTRLEN', KEYS[1], 'mode')")}},
        {QStringLiteral("HSCAN"), {inScript("redis.call('HSCAN', KEYS[1], '0')")}},
        {QStringLiteral("PTTL"), {{"PTTL", anyKey}}},
        {QStringLiteral("EXISTS"), {{"EXISTS", anyKey}}},
        {QStringLiteral("OBJECT"), {inScript("redis.call('OBJECT', 'ENCODING', KEYS[1])")}},
        {QStringLiteral("LRANGE"), {{"LRANGE", anyKey, "0", "0"}}},
        {QStringLiteral("LLEN"), {{"LLEN", anyKey}}},
        {QStringLiteral("ZRANGE"), {{"ZRANGE", anyKey, "0", "0"}}},
        {QStringLiteral("ZCARD"), {{"ZCARD", anyKey}}},
        {QStringLiteral("GET"), {{"GET", anyKey}}},
        {QStringLiteral("GETRANGE"), {{"GETRANGE", anyKey, "0", "0"}}},
        {QStringLiteral("INFO"), {{"INFO", "server"}}},
        {QStringLiteral("DBSIZE"), {{"DBSIZE"}}},
        {QStringLiteral("SCAN"), {{"SCAN", "0", "COUNT", "1"}}},
        {QStringLiteral("PUBSUB"), {{"PUBSUB", "CHANNELS", anyKey}, {"PUBSUB", "NUMSUB", anyKey}}},
        {QStringLiteral("PUBSUB SHARDCHANNELS"),
         {{"PUBSUB", "SHARDCHANNELS", anyKey}, {"PUBSUB", "SHARDNUMSUB", anyKey}}},
        {QStringLiteral("CONFIG GET"), {notifyFlags}},
        {QStringLiteral("CONFIG GET client-output-buffer-limit"), {notifyFlags}},
        {QStringLiteral("CLIENT LIST"), {{"CLIENT", "LIST", "ID", "1"}}},
        {QStringLiteral("CLIENT NO-EVICT"), {{"CLIENT", "NO-EVICT", "ON"}}},
        {QStringLiteral("CLIENT NO-TOUCH"), {{"CLIENT", "NO-TOUCH", "ON"}}},
        {QStringLiteral("CLIENT TRACKING"), {{"CLIENT", "TRACKING", "OFF"}}},
        {QStringLiteral("CLIENT TRACKING BCAST"), {{"CLIENT", "TRACKING", "OFF"}}},
        {QStringLiteral("SSUBSCRIBE"), {{"SSUBSCRIBE", "redisson_lock__channel:{lockkeeper}"}}}};
    return all;
}

// "PSUBSCRIBE redisson_rwlock:*" is the command itself. So is "SUBSCRIBE __keyspace@0__:*": a channel of that name,
// which no key has.
std::vector<Command> subscriptionIn(const QString& denied) {
    const QByteArrayList words = denied.toLatin1().split(' ');
    const bool isSubscription = words.size() == 2 && words.first().endsWith("SUBSCRIBE");
    return isSubscription ? std::vector<Command>{Command(words.first(), {words.last()})} : std::vector<Command>();
}

// The server has looked for the key, so it allows the command.
bool isAllowed(const Result<RespValue>& answer) {
    if (answer)
        return true;
    switch (answer.error().reply) {
        case ReplyKind::WrongType:
        case ReplyKind::Moved:
        case ReplyKind::Ask:
        case ReplyKind::TryAgain:
        case ReplyKind::ClusterDown:
            return true;
        default:
            return false;
    }
}

}  // namespace

void RightsWatch::start() {
    if (!std::exchange(m_started, true))
        m_tasks.spawn(run());
}

Task<void> RightsWatch::run() {
    const std::stop_token stop = m_tasks.stopToken();
    while (!stop.stop_requested()) {
        (void)co_await pauseUntil(Deadline::in(m_connection.clock(), interval), stop);
        bool areRestored = false;
        for (const Denial& denial : m_denials.list()) {
            areRestored = co_await isRestored(denial);
            if (!areRestored)
                continue;
            noteRestored(denial);
            break;
        }
        if (areRestored && !stop.stop_requested())
            Q_EMIT restored();
    }
}

// All questions are sent together: EXEC must follow MULTI at once.
Task<bool> RightsWatch::isRestored(Denial denial) {
    const auto pause = m_pauses.find(Denials::keyOf(denial));
    if (pause != m_pauses.end() && m_connection.clock().now() < pause->second.until)
        co_return false;
    std::vector<Completion<RespValue>> answers;
    for (const Command& question : questionsFor(denial))
        answers.push_back(m_connection.send(question));
    bool areAllowed = !answers.empty();
    for (const Completion<RespValue>& answer : answers) {
        const Result<RespValue> reply =
            co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
        const bool isKeyDenied = !reply && reply.error().reply == ReplyKind::KeyDenied && denial.command != QString();
        areAllowed = areAllowed && (isKeyDenied || isAllowed(reply));
    }
    co_return areAllowed;
}

std::vector<Command> RightsWatch::questionsFor(const Denial& denial) const {
    if (const QByteArray key = m_denials.deniedKey(denial.what); !key.isEmpty())
        return {Command("PTTL", {key})};
    return questions().contains(denial.command) ? questionsAbout(denial.command) : subscriptionIn(denial.command);
}

std::vector<Command> RightsWatch::questionsAbout(const QString& command) {
    std::vector<Command> commands;
    for (const QByteArrayList& words : questions().value(command))
        commands.push_back(Command(words.first(), words.sliced(1)));
    return commands;
}

void RightsWatch::noteRestored(const Denial& denial) {
    const SteadyTime now = m_connection.clock().now();
    Pause& pause = m_pauses[Denials::keyOf(denial)];
    const bool isLongAgo = pause.length == Milliseconds(0) || now - pause.until > longestPause;
    pause.length = isLongAgo ? 2 * interval : std::min(2 * pause.length, longestPause);
    pause.until = now + pause.length;
}

}  // namespace lockkeeper::monitor

#include "moc_rightswatch.cpp"
