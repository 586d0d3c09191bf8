// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/servercommand.h"
#include "locks/kinds/lock.h"

namespace lockkeeper::app {

// `lockkeeper lock`: holds a lock while a command runs, as flock(1) does. Ends with the command's exit code, or one of
// ExitCode.
class LockCommand : public ServerCommand {
    Q_OBJECT
public:
    explicit LockCommand(Arguments arguments, QObject* parent = nullptr);
    ~LockCommand() override;

private:
    enum class GivenBack { Yes, No, WasLost };

    Task<void> work() override;
    Task<bool> takeLock();
    Task<int> runCommand();
    Task<GivenBack> giveBack();
    // Nothing if the lock may still be held. Prints a message if the waiters were not woken.
    [[nodiscard]] std::optional<GivenBack> endOf(const Result<locks::ReleaseOutcome>& released) const;
    Task<void> leaveNothing();
    Task<Result<Done>> readHold() override;
    [[nodiscard]] SteadyTime heldUntil() const override;
    [[nodiscard]] platform::GuardedCommand::Limit limit() const;
    void onHeldChanged();
    void onLimitReached();
    void complainOfLoss(const QString& why) const override;
    void onLossDetectionChanged();
    void onPostponed(const Error& why);
    void complainOfOthers() const;
    void complainOfWhatMayBeLeft(const Error& why);

    const locks::Lock m_lock;
    QString m_token;  // of a fenced lock
    bool m_isLateSaid = false;
    bool m_isPostponementSaid = false;
};

}  // namespace lockkeeper::app
