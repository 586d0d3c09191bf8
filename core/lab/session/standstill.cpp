// SPDX-License-Identifier: Apache-2.0
#include "lab/session/standstill.h"

#include "redis/script.h"

namespace lockkeeper::lab {

namespace {

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
    m_stopped.clear();
    for (int number = 0; number < m_laboratory.serverCount(); ++number) {
        const auto server = static_cast<ServerNumber>(number);
        // A replica gets what its master does.
        if (!m_laboratory.isAlive(server) || m_laboratory.isFrozen(server) || m_laboratory.isReplica(server))
            continue;
        const QByteArrayList command = evalOf(script, {});
        const Result<redis::RespValue> reply = co_await m_laboratory.ask(server, command);
        Stopped stopped{server, {}};
        if (reply) {
            for (const redis::RespValue& item : reply->items)
                stopped.left += item.bytes;
        }
        m_stopped.push_back(stopped);
    }
}

Task<void> StandStill::end() {
    static const redis::Script script = redis::Script::embedded(QStringLiteral("lab/lua/resume_time.lua"));
    const std::vector<Stopped> all = std::exchange(m_stopped, {});
    for (const Stopped& stopped : all) {
        const QByteArrayList command = evalOf(script, stopped.left);
        (void)co_await m_laboratory.ask(stopped.server, command);
        // A partition may be next: then a key without an end would stay at the replica.
        co_await m_laboratory.awaitDelivery(stopped.server);
    }
    m_hasStoppedKeys = false;
    for (const auto& actor : m_laboratory.actors())
        actor->line().letPass(ActorLine::Reason::Stopped);
    m_clock.resume();
}

}  // namespace lockkeeper::lab
