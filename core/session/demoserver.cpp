// SPDX-License-Identifier: Apache-2.0
#include "session/demoserver.h"

#include "async/completion.h"
#include "base/logging.h"

namespace lockkeeper {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds longestStart = 10s;
constexpr Milliseconds longestKill = 1s;

}  // namespace

Task<Result<redis::Endpoint>> DemoServer::start(std::stop_token stop) {
    lab::ServerSetup setup;
    setup.extra = QStringList{QStringLiteral("--maxmemory"), QStringLiteral("64mb")};
    m_server = std::make_unique<lab::PrivateServer>(setup);
    const Completion<Done> started;
    const QObject context;
    QObject::connect(m_server.get(), &lab::PrivateServer::started, &context, [started] { started.complete(Done()); });
    QObject::connect(m_server.get(), &lab::PrivateServer::failed, &context,
                     [started](const Error& error) { started.complete(error); });
    m_server->start();
    const Result<Done> up = co_await started.wait(Deadline::in(m_clock, longestStart), stop);
    if (!up) {
        m_server->kill();
        co_return up.error();
    }
    m_fleet = std::make_unique<lab::SimulatedFleet>(m_server->options(), m_clock);
    m_fleet->start();
    co_return m_server->options().endpoint;
}

Task<void> DemoServer::stop(Deadline deadline, std::stop_token stop) {
    m_fleet.reset();
    if (!m_server)
        co_return;
    const Completion<Done> stopped;
    const QObject context;
    QObject::connect(m_server.get(), &lab::PrivateServer::stopped, &context, [stopped] { stopped.complete(Done()); });
    m_server->stop();
    const Result<Done> ended = co_await stopped.wait(deadline, stop);
    if (!ended) {
        qCWarning(logEngine) << "the demo's server does not end:" << ended.error().text;
        m_server->kill();
        (void)co_await stopped.wait(Deadline::in(m_clock, longestKill), stop);
    }
    m_server.reset();
}

}  // namespace lockkeeper
