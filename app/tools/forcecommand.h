// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/servercommand.h"
#include "control/forcerelease.h"
#include "monitor/model/monitorbatch.h"

#include <QSocketNotifier>

#include <functional>
#include <map>
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
    // Watches until isProven() or the end of the time, as the window does before it offers to remove a dead waiter.
    // False: it failed or was stopped, and the exit code is set.
    Task<bool> watchUntil(std::function<bool()> isProven, monitor::DiscoveryState discovery, Milliseconds longest);
    // The lock as it was when the waiter was proven dead; otherwise sets the exit code.
    Task<std::optional<monitor::LockSnapshot>> withDeadWaiter();
    // Releases the lock together with its dead waiters.
    Task<void> forceWithDeadWaiters(monitor::LockSnapshot lock);
    // Removes the places of a client.
    Task<void> removePlaces();
    void noteRows(const monitor::MonitorBatch& batch);
    [[nodiscard]] bool areAllPlacesDead() const;
    [[nodiscard]] std::vector<control::ForceReleaseRequest> removalsOf(const monitor::LockRow& row) const;
    // Each is a change of its own.
    Task<void> runEach(std::vector<control::ForceReleaseRequest> requests);
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
    [[nodiscard]] QString changedName() const;

    control::AuditLog m_log;
    control::ForceRelease m_force;
    QSocketNotifier m_input;
    Completion<QByteArray> m_answer;
    control::LockChange m_change;                     // valid once it is sent
    LockName m_changed;                               // the lock of m_change
    std::unique_ptr<monitor::Monitor> m_watching;     // while a dead waiter is removed
    std::map<QByteArray, monitor::SharedRow> m_rows;  // while places of a client are removed: the known locks
    qsizetype m_sweeps = 0;                           // since the last reset; see sweepsForAll
};

}  // namespace lockkeeper::app
