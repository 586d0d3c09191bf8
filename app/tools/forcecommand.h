// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/servercommand.h"
#include "control/forcerelease.h"

#include <QSocketNotifier>

#include <memory>

namespace lockkeeper::monitor {
class Monitor;
}

namespace lockkeeper::app {

// `lockkeeper force-release`, `set-ttl` and `wake`: change one lock if it is as the command line says, in the same
// way as the window.
class ForceCommand : public ServerCommand {
    Q_OBJECT
public:
    explicit ForceCommand(Arguments arguments, QObject* parent = nullptr);
    ~ForceCommand() override;

    // Whether the command line has confirmed it, or somebody at a terminal can.
    [[nodiscard]] static bool canBeConfirmed(const Arguments& arguments);

private:
    Task<void> work() override;
    // Sets the exit code unless the lock is held as it should be.
    [[nodiscard]] bool isAsNamed(const monitor::LockReading& reading);
    Task<bool> isConfirmed();
    void readAnswer();
    Task<void> force(monitor::LockSnapshot confirmed);
    void report(const control::ForceReport& report);
    void reportFailure(const Error& error);
    void reportUnknown(const control::ForceReport& report, const Error& error);
    // Watches the lock until the waiter is proven dead, as the window does before it offers to remove it. Returns the
    // lock as it was then; otherwise sets the exit code.
    Task<std::optional<monitor::LockSnapshot>> withDeadWaiter();
    [[nodiscard]] std::optional<monitor::FairWaiter> waiterNamedIn(const QList<monitor::FairWaiter>& waiters) const;
    // Whether a free lock, a queue, or a held lock is as the command line says.
    [[nodiscard]] bool isFreeAsNamed(const monitor::LockSnapshot& lock);
    [[nodiscard]] bool isQueuedAsNamed(const monitor::LockSnapshot& lock);
    [[nodiscard]] bool isHeldAsNamed(const monitor::LockSnapshot& lock);
    [[nodiscard]] control::ChangeKind kindFor(const monitor::LockSnapshot& lock) const;
    [[nodiscard]] control::LockChange changeOf(const monitor::LockSnapshot& lock) const;
    [[nodiscard]] QString doneText() const;
    [[nodiscard]] QString alreadyText() const;
    Task<void> giveBackPermit();
    void reportUnread(const Error& error);
    [[nodiscard]] QString name() const;

    control::AuditLog m_log;
    control::ForceRelease m_force;
    QSocketNotifier m_input;
    Completion<QByteArray> m_answer;
    control::LockChange m_change;                  // valid once it is sent
    std::unique_ptr<monitor::Monitor> m_watching;  // while a dead waiter is removed
};

}  // namespace lockkeeper::app
