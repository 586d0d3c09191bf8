// SPDX-License-Identifier: Apache-2.0
#include "serve/service.h"

#include "base/safetext.h"
#include "platform/servicesocket.h"

#include <QCoreApplication>

namespace lockkeeper::serve {

namespace {

QByteArray taken(const char* variable) {
    const QByteArray value = qgetenv(variable);
    qunsetenv(variable);
    return value;
}

}  // namespace

Service::Manager Service::takeManager() {
    Manager manager{taken("NOTIFY_SOCKET"), std::nullopt};
    const QByteArray process = taken("WATCHDOG_PID");
    bool ok = false;
    const qint64 microseconds = taken("WATCHDOG_USEC").toLongLong(&ok);
    const bool isForThis = process.isEmpty() || process.toLongLong() == QCoreApplication::applicationPid();
    const auto time = std::chrono::duration_cast<Milliseconds>(std::chrono::microseconds(ok ? microseconds : 0));
    if (isForThis && time > Milliseconds(0))
        manager.watchdog = time;
    return manager;
}

Service::Service(Manager manager, Clock& clock)
    : m_manager(std::move(manager)), m_clock(clock), m_watchdog(clock, [this] { beat(); }) {}

void Service::setStatus(const QString& status) {
    send("STATUS=" + bounded(safeText(status)).toUtf8());
}

void Service::ready() {
    send("READY=1");
    if (isManaged() && m_manager.watchdog && !m_watchdog.isRunning())
        beat();
}

void Service::reloading() {
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(m_clock.now().time_since_epoch());
    send("RELOADING=1\nMONOTONIC_USEC=" + QByteArray::number(static_cast<qint64>(now.count())));
}

void Service::stopping() {
    send("STOPPING=1");
}

void Service::send(const QByteArray& state) const {
    // There is nobody to report a failure to: the manager itself notices that it receives nothing.
    if (isManaged())
        (void)platform::sendDatagram(m_manager.socket, state);
}

// Twice as often as needed, as sd_watchdog_enabled(3) advises.
void Service::beat() {
    send("WATCHDOG=1");
    m_watchdog.start(*m_manager.watchdog / 2);
}

}  // namespace lockkeeper::serve
