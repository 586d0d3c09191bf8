// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace lockkeeper::serve {

// What this program reports to the service manager that has started it, by the protocol of sd_notify(3). Without a
// manager all of it does nothing. Thread: the clock's; the watchdog is a sign of life of this thread's event loop.
class Service {
public:
    struct Manager {
        QByteArray socket;                     // empty: none
        std::optional<Milliseconds> watchdog;  // after so long without a sign of life it ends the program
    };

    // Takes them out of the environment, so that no child process reports in the name of this one.
    [[nodiscard]] static Manager takeManager();

    Service(Manager manager, Clock& clock);

    [[nodiscard]] bool isManaged() const noexcept { return !m_manager.socket.isEmpty(); }
    // What the manager shows beside the unit. One line.
    void setStatus(const QString& status);
    // The program does its work. Also ends a reload.
    void ready();
    void reloading();
    void stopping();

private:
    void send(const QByteArray& state) const;
    void beat();

    Manager m_manager;
    Clock& m_clock;
    ClockTimer m_watchdog;
};

}  // namespace lockkeeper::serve
