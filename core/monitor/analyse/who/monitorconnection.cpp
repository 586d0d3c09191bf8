// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/monitorconnection.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::Connection;
using redis::RespValue;

namespace {

redis::ConnectionOptions optionsToListen(redis::ConnectionOptions options) {
    if (!options.clientName.isEmpty())
        options.clientName += "-who";
    options.limits.longLines = redis::RespLimits::LongLines::Cut;
    return options;
}

Error lostWith(Error error) {
    error.code = ErrorCode::ConnectionLost;
    return error;
}

// A time-out of the server. The end of the search's own time is not an error.
Error noAnswer(const Error& error) {
    return error.code == ErrorCode::Timeout ? Error(ErrorCode::ConnectionLost, Cause::NoAnswerInTime) : error;
}

}  // namespace

MonitorConnection::MonitorConnection(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport,
                                     Clock& clock)
    : m_clock(clock), m_connection(optionsToListen(std::move(options)), makeTransport, clock) {
    connect(&m_connection, &Connection::stateChanged, this, [this](Connection::State state) {
        if (state == Connection::State::Waiting)
            m_connection.close();
    });
}

Task<Result<Done>> MonitorConnection::open(std::stop_token stop) {
    m_connection.open();
    const Completion<Done> ready = m_connection.whenReady();
    const Result<Done> answer = co_await ready.wait(Deadline::never(m_clock), stop);
    const bool refused =
        !answer && answer.error().code == ErrorCode::ConnectionLost && !m_connection.lastError().text.isEmpty();
    co_return refused ? Result<Done>(noAnswer(m_connection.lastError())) : answer;
}

void MonitorConnection::listen(Line line, Lost lost) {
    connect(&m_connection, &Connection::pushReceived, this,
            [line = std::move(line)](const RespValue& push) { line(push.bytes); });
    connect(&m_connection, &Connection::stateChanged, this, [this, lost = std::move(lost)] {
        if (!m_connection.isReady())
            lost(lostWith(m_connection.lastError()));
    });
}

Task<Result<Done>> MonitorConnection::begin(std::stop_token stop) {
    const Completion<RespValue> begun = m_connection.send(Command("MONITOR"));
    const Result<RespValue> answer = co_await begun.wait(Deadline::never(m_clock), stop);
    co_return answer ? Result<Done>(Done()) : Result<Done>(answer.error());
}

}  // namespace lockkeeper::monitor
