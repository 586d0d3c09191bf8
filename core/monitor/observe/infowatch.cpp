// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/infowatch.h"

#include "async/pause.h"
#include "redis/infofield.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds restAfterRefusal = 1min;
// A replica reports to its master once a second, and a client that waits for it gives up after a second.
constexpr int silentAfter = 3;
constexpr int mostListed = 64;

// The number after `first`, such as "count=", in the line of this name. 0 if the section exists without this line: no
// such call since the server's start. Nothing without the section.
std::optional<quint64> countedIn(QByteArrayView section, QByteArrayView name, QByteArrayView first,
                                 QByteArrayView info) {
    const std::optional<QByteArrayView> value = redis::infoField(name, info);
    if (value && value->startsWith(first)) {
        const QByteArrayView digits = value->sliced(first.size());
        const qsizetype end = digits.indexOf(',');
        return (end < 0 ? digits : digits.first(end)).toULongLong();
    }
    return info.contains(section) ? std::optional<quint64>(0) : std::nullopt;
}

// The seconds since the last report of the replica, of a line such as
// "ip=10.0.0.2,port=6379,state=online,offset=14,lag=1".
bool isSilent(QByteArrayView replica) {
    for (const QByteArray& part : replica.toByteArray().split(',')) {
        if (part.startsWith("lag="))
            return part.sliced(4).toInt() >= silentAfter;
    }
    return false;
}

int countSilent(int replicas, QByteArrayView info) {
    int silent = 0;
    for (int i = 0; i < std::min(replicas, mostListed); ++i) {
        const auto replica = redis::infoField("slave" + QByteArray::number(i), info);
        silent += int{replica && isSilent(*replica)};
    }
    return silent;
}

}  // namespace

ServerFigures parseServerFigures(QByteArrayView info) {
    ServerFigures figures;
    figures.noScriptErrors = countedIn("# Errorstats", "errorstat_NOSCRIPT", "count=", info);
    figures.swaps = countedIn("# Commandstats", "cmdstat_swapdb", "calls=", info);
    const std::optional<QByteArrayView> replicas = redis::infoField("connected_slaves", info);
    if (replicas && redis::infoField("role", info) == QByteArrayView("master"))
        figures.replicas = replicas->toInt();
    figures.silentReplicas = countSilent(figures.replicas.value_or(0), info);
    if (const std::optional<QByteArrayView> rate = redis::infoField("instantaneous_ops_per_sec", info))
        figures.commandsPerSecond = rate->toLongLong();
    return figures;
}

InfoWatch::InfoWatch(redis::Connection& connection, Denials& denials, const NodeScope& scope)
    : m_connection(connection), m_clock(connection.clock()), m_denials(denials), m_scope(scope) {
    connect(&m_connection, &redis::Connection::stateChanged, this, &InfoWatch::onStateChanged);
}

void InfoWatch::onStateChanged() {
    m_before.reset();
    m_swaps.reset();
    m_areReplicasKnown = false;
    m_commandsPerSecond.reset();
}

void InfoWatch::start() {
    if (!std::exchange(m_started, true))
        m_tasks.spawn(run());
}

Task<void> InfoWatch::run() {
    const std::stop_token stop = m_tasks.stopToken();
    while (!stop.stop_requested()) {
        const Completion<Done> ready = m_connection.whenReady();
        const Result<Done> isReady = co_await ready.wait(Deadline::never(m_clock), stop);
        if (!isReady)
            co_return;
        const SteadyTime askedAt = m_clock.now();
        const Completion<redis::RespValue> answer = m_connection.send(redis::Command("INFO", {"all"}));
        const Result<redis::RespValue> info = co_await answer.wait(Deadline::never(m_clock), stop);
        if (stop.stop_requested())
            co_return;
        const bool isRefused = !info && redis::isRefusal(info.error());
        if (isRefused) {
            m_commandsPerSecond.reset();
            m_showsClock = false;
            m_denials.note(QStringLiteral("INFO"), Consequence::ServerFiguresUnknown);
        }
        if (info) {
            noteClock(info->bytes, askedAt);
            noteFigures(parseServerFigures(info->bytes));
        }
        if (info || isRefused)
            Q_EMIT loadRead();
        (void)co_await pauseUntil(Deadline::in(m_clock, isRefused ? restAfterRefusal : interval), stop);
    }
}

void InfoWatch::noteFigures(const ServerFigures& figures) {
    if (figures.noScriptErrors)
        noteErrors(*figures.noScriptErrors);
    if (figures.replicas)
        noteReplicas(*figures.replicas, figures.silentReplicas);
    m_areReplicasKnown = figures.replicas.has_value();
    m_commandsPerSecond = figures.commandsPerSecond;
    if (figures.swaps)
        noteSwaps(*figures.swaps);
}

void InfoWatch::noteErrors(quint64 errors) {
    const SteadyTime now = m_clock.now();
    const std::optional<Count> before = std::exchange(m_before, Count{errors, now});
    const std::optional<ScriptStorm> shown = m_storm;
    if (m_storm && now - m_stormAt > memory)
        m_storm.reset();
    const qint64 passed = before ? std::chrono::duration_cast<Milliseconds>(now - before->at).count() : 0;
    // CONFIG RESETSTAT begins from zero.
    const quint64 more = passed > 0 && errors > before->errors ? errors - before->errors : 0;
    const qint64 perSecond = passed > 0 ? static_cast<qint64>(more) * 1000 / passed : 0;
    if (perSecond >= ScriptStorm::least) {
        const WallTime wall = m_clock.wallNow();
        if (!m_storm)
            m_storm = ScriptStorm{m_scope.master(), 0, 0, wall - Milliseconds(passed), wall};
        m_storm->errors += more;
        m_storm->mostPerSecond = std::max(m_storm->mostPerSecond, perSecond);
        m_storm->last = wall;
        m_stormAt = now;
    }
    if (m_storm != shown)
        Q_EMIT stormChanged();
}

void InfoWatch::noteReplicas(int connected, int silent) {
    const Replicas before = m_replicas;
    const SteadyTime now = m_clock.now();
    m_replicas.connected = connected;
    m_replicas.silent = silent;
    if (connected >= m_replicas.mostSeen || now - m_completeAt > memory)
        m_replicas.mostSeen = connected;
    if (!m_replicas.areMissing())
        m_completeAt = now;
    if (m_replicas != before)
        Q_EMIT replicasChanged();
}

void InfoWatch::noteSwaps(quint64 swaps) {
    const std::optional<quint64> before = std::exchange(m_swaps, swaps);
    if (before && swaps > *before)
        Q_EMIT databasesSwapped();
}

// ---- the server's clock ----

void InfoWatch::noteClock(QByteArrayView info, SteadyTime askedAt) {
    const std::optional<ServerTime> time = parseServerTime(info);
    m_showsClock = time.has_value();
    if (time)
        m_serverClock.note(*time, askedAt, m_clock.now());
}

// One reading at a time answers all checks that were requested before it.
Completion<bool> InfoWatch::checkClock(SteadyTime since, SteadyTime ended) {
    if (!m_showsClock)
        return Completion<bool>::completed(true);
    if (m_serverClock.readAt() >= ended)
        return Completion<bool>::completed(m_serverClock.hasKeptPaceSince(since));
    const ClockCheck& check = m_clockChecks.emplace_back(ClockCheck{since, ended, {}});
    const Completion<bool> answer = check.answer;
    if (!std::exchange(m_isReadingClock, true))
        m_tasks.spawn(readClock());
    return answer;
}

Task<void> InfoWatch::readClock() {
    const std::stop_token stop = m_tasks.stopToken();
    while (!m_clockChecks.empty() && !stop.stop_requested()) {
        const SteadyTime askedAt = m_clock.now();
        const Completion<redis::RespValue> answer = m_connection.send(redis::Command("INFO", {"server"}));
        const Result<redis::RespValue> info = co_await answer.wait(Deadline::never(m_clock), stop);
        if (info)
            noteClock(info->bytes, askedAt);
        answerClockChecks(info ? Result<Done>(Done()) : Result<Done>(info.error()), askedAt);
    }
    m_isReadingClock = false;
}

// A check that came after the reading was asked for waits for the next one.
void InfoWatch::answerClockChecks(const Result<Done>& read, SteadyTime askedAt) {
    std::vector<ClockCheck> answered;
    std::erase_if(m_clockChecks, [&](const ClockCheck& check) {
        if (read && check.ended > askedAt)
            return false;
        answered.push_back(check);
        return true;
    });
    for (const ClockCheck& check : answered)
        check.answer.complete(read ? Result<bool>(m_serverClock.hasKeptPaceSince(check.since))
                                   : Result<bool>(read.error()));
}

}  // namespace lockkeeper::monitor

#include "moc_infowatch.cpp"
