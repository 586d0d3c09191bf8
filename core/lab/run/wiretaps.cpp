// SPDX-License-Identifier: Apache-2.0
#include "lab/run/wiretaps.h"

#include "redis/respparser.h"
#include "redis/sockettransport.h"

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds tapPatience = 5s;

QByteArrayList wordsOf(const redis::RespValue& command) {
    QByteArrayList words;
    for (const redis::RespValue& item : command.items)
        words += item.bytes;
    return words;
}

}  // namespace

WireTaps::WireTaps(Laboratory& laboratory, WireLog& log, Clock& clock)
    : m_laboratory(laboratory), m_log(log), m_clock(clock) {}

Task<Result<Done>> WireTaps::begin(std::stop_token stop) {
    for (int number = 0; number < m_laboratory.serverCount(); ++number)
        listen(ServerNumber(number));
    for (const auto& actor : m_laboratory.actors())
        follow(*actor, actor->line());
    for (const Completion<Done>& begun : std::vector(m_begun)) {
        const Result<Done> answer = co_await begun.wait(Deadline::in(m_clock, tapPatience), stop);
        if (!answer)
            co_return answer;
    }
    co_return Done();
}

void WireTaps::follow(const Actor& actor, ActorLine& line) {
    const ActorName name = actor.plan().name;
    connect(&line, &ActorLine::sent, this, [this, name](const QByteArray& bytes) {
        redis::RespParser parser;
        parser.feed(bytes);
        for (auto command = parser.take(); command && *command; command = parser.take())
            m_log.sent(name, wordsOf(**command));
    });
}

void WireTaps::listen(ServerNumber server) {
    redis::ConnectionOptions options = m_laboratory.serverOptions(server);
    options.clientName = "laboratory-monitor";
    options.firstRetry = 20ms;
    options.lastRetry = 200ms;
    options.limits.longLines = redis::RespLimits::LongLines::Cut;
    m_monitors.push_back(std::make_unique<redis::Connection>(
        options, [path = options.endpoint] { return redis::makeSocketTransport(path); }, m_clock));
    redis::Connection* monitor = m_monitors.back().get();
    const Completion<Done> begun;
    m_begun.push_back(begun);
    connect(monitor, &redis::Connection::pushReceived, this,
            [this, server](const redis::RespValue& push) { m_log.ran(server, push.bytes); });
    connect(monitor, &redis::Connection::stateChanged, this, [monitor, begun](redis::Connection::State state) {
        if (state == redis::Connection::State::Ready)
            monitor->send(redis::Command("MONITOR")).then([begun](const auto&) { begun.complete(Done()); });
    });
    monitor->open();
}

}  // namespace lockkeeper::lab

#include "moc_wiretaps.cpp"
