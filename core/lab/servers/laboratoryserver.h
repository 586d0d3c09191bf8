// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "lab/privateserver.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

#include <memory>
#include <stop_token>

namespace lockkeeper::lab {

// One server of a laboratory, or its Sentinel, with a connection of the laboratory. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT LaboratoryServer {
public:
    // password: required by the server; empty: none. life: every wait here ends with it.
    LaboratoryServer(const ServerSetup& setup, QByteArray password, Clock& clock, std::stop_token life);

    // Returns when the server answers; at once if it does already. After kill() it can be started again.
    [[nodiscard]] Task<Result<Done>> start();
    // As a crash. Without persistence its data are lost. Returns at once if it is not running.
    [[nodiscard]] Task<Result<Done>> kill();
    // As kill(), for the end of the laboratory: completes when the process has ended.
    [[nodiscard]] Completion<Done> end();
    // False if this is not possible on this system.
    [[nodiscard]] bool freeze();
    [[nodiscard]] bool resume();

    // Error replies are errors.
    [[nodiscard]] Task<Result<redis::RespValue>> ask(QByteArrayList command);
    [[nodiscard]] Task<Result<Done>> order(QByteArrayList command);

    [[nodiscard]] bool isAlive() const { return m_process->isReady(); }
    [[nodiscard]] bool isFrozen() const noexcept { return m_isFrozen; }
    [[nodiscard]] QString socketPath() const { return m_process->socketPath(); }
    // Options for its Unix socket.
    [[nodiscard]] redis::ConnectionOptions options() const;

private:
    [[nodiscard]] Task<Result<Done>> connect();

    const QByteArray m_password;
    Clock& m_clock;
    const std::stop_token m_life;
    std::unique_ptr<PrivateServer> m_process;
    std::unique_ptr<redis::Connection> m_hand;
    bool m_isFrozen = false;
};

}  // namespace lockkeeper::lab
