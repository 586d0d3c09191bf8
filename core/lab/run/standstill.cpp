// SPDX-License-Identifier: Apache-2.0
#include "lab/run/standstill.h"

#include "async/pause.h"
#include "redis/script.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds untilAskedAgain = 20ms;

QByteArrayList evalOf(const redis::Script& script, const QByteArrayList& arguments) {
    return QByteArrayList{"EVAL", script.source(), "0"} + arguments;
}

}  // namespace

void StandStill::stopActors() {
    m_clock.stop();
    for (const auto& actor : m_laboratory.actors())
        actor->line().holdUp(ActorLine::Reason::Stopped);
}

Task<void> StandStill::begin() {
    static const redis::Script script = redis::Script::embedded(QStringLiteral("lab/lua/stop_time.lua"));
    stopActors();
    m_hasStoppedKeys = true;
    for (int number = 0; number < m_laboratory.serverCount(); ++number) {
        const auto server = static_cast<ServerNumber>(number);
        // A replica gets the changes of its master.
        if (!m_laboratory.isAlive(server) || m_laboratory.isFrozen(server) || m_laboratory.isReplica(server))
            continue;
        const QByteArrayList command = evalOf(script, {});
        const Result<redis::RespValue> reply = co_await m_laboratory.ask(server, command);
        if (reply)
            note(server, reply->items);
    }
}

void StandStill::note(ServerNumber server, const std::vector<redis::RespValue>& namesAndLeft) {
    for (size_t at = 0; at + 1 < namesAndLeft.size(); at += 2) {
        const Milliseconds left(namesAndLeft[at + 1].bytes.toLongLong());
        m_stopped.push_back({server, namesAndLeft[at].bytes, m_clock.now() + left});
    }
}

Task<void> StandStill::end() {
    for (int number = 0; number < m_laboratory.serverCount(); ++number)
        co_await giveBack(static_cast<ServerNumber>(number));
    m_hasStoppedKeys = false;
    for (const auto& actor : m_laboratory.actors())
        actor->line().letPass(ActorLine::Reason::Stopped);
    m_clock.resume();
}

Task<void> StandStill::giveBackLater(std::stop_token life) {
    if (m_stopped.empty() || std::exchange(m_isGivingBack, true))
        co_return;
    while (!m_stopped.empty() && !life.stop_requested()) {
        (void)co_await pauseUntil(Deadline::in(m_clock, untilAskedAgain), life);
        for (int number = 0; number < m_laboratory.serverCount() && !isOn(); ++number)
            co_await giveBack(static_cast<ServerNumber>(number));
    }
    m_isGivingBack = false;
}

std::vector<StandStill::Stopped> StandStill::taken(ServerNumber server) {
    const auto isThere = [server](const Stopped& one) { return one.server == server; };
    const auto others = std::partition(m_stopped.begin(), m_stopped.end(), isThere);
    const std::vector<Stopped> taken(m_stopped.begin(), others);
    m_stopped.erase(m_stopped.begin(), others);
    return taken;
}

// Keys that the server refuses to change are kept for later, except if it has become a replica, which gets the keys of
// its master.
Task<void> StandStill::giveBack(ServerNumber server) {
    static const redis::Script script = redis::Script::embedded(QStringLiteral("lab/lua/resume_time.lua"));
    if (!m_laboratory.isAlive(server) || m_laboratory.isFrozen(server))
        co_return;
    const std::vector<Stopped> stopped = taken(server);
    if (stopped.empty())
        co_return;
    QByteArrayList left;
    for (const Stopped& one : stopped) {
        const auto rest = std::chrono::ceil<Milliseconds>(one.end - m_clock.now());
        left += {one.name, QByteArray::number(qint64(std::max(rest, 1ms).count()))};
    }
    const QByteArrayList command = evalOf(script, left);
    const Result<redis::RespValue> reply = co_await m_laboratory.ask(server, command);
    if (reply)
        // Waits, because a partition may follow: a key without a TTL would then stay at the replica.
        co_await m_laboratory.awaitDelivery(server);
    else if (!m_laboratory.isReplica(server))
        m_stopped.insert(m_stopped.end(), stopped.begin(), stopped.end());
}

}  // namespace lockkeeper::lab
