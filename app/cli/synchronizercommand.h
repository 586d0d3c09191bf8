// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/servercommand.h"
#include "locks/synchronizers/countdownlatch.h"
#include "locks/synchronizers/permitsemaphore.h"
#include "locks/synchronizers/semaphore.h"

namespace lockkeeper::app {

// `lockkeeper semaphore` and `lockkeeper latch`: one action, or permits that are held while a command runs.
class SynchronizerCommand : public ServerCommand {
    Q_OBJECT
public:
    explicit SynchronizerCommand(Arguments arguments, QObject* parent = nullptr);
    ~SynchronizerCommand() override;

private:
    Task<void> work() override;
    // Runs one action. False: nothing was changed.
    Task<Result<bool>> act();
    Task<Result<bool>> remove();
    Task<Result<bool>> print(Task<Result<qint64>> task);
    Task<Result<bool>> acquire();
    Task<Result<bool>> acquireExpirable();

    Task<void> runHolding();
    Task<bool> giveBack();
    Task<bool> giveBackPlain();
    Task<bool> giveBackExpirable();
    Task<void> leaveNothing();
    // Releases a permit that was taken for a command and cannot be kept.
    Task<void> endWithoutCommand(Result<bool> kept);
    // False: the permit is gone.
    Task<Result<bool>> prolong();
    Task<Result<Done>> readHold() override;
    [[nodiscard]] SteadyTime heldUntil() const override { return m_leaseEnd; }
    // Prolongs an expirable permit as long as the command runs.
    Task<void> keepPermit();
    void expectEnd(SteadyTime leaseEnd);
    void onLimitReached();
    void complainOfLoss(const QString& why) const override;

    [[nodiscard]] const SynchronizerRequest& request() const { return m_arguments.synchronizer; }
    [[nodiscard]] Milliseconds lease() const;
    [[nodiscard]] Deadline waitUntil();
    [[nodiscard]] QString wordsOf(const Error& error) const;
    [[nodiscard]] QString permitsWords() const;
    [[nodiscard]] QString unchangedWords() const;
    void complainOf(const Error& error);
    void complainOfSilence(const Error& error);
    void complainOfWhatMayBeLeft(const QString& why);

    const locks::Semaphore m_semaphore;
    const locks::PermitSemaphore m_permits;
    const locks::CountDownLatch m_latch;
    locks::PermitId m_permit;
    SteadyTime m_leaseEnd{};
    std::stop_source m_keeping;
    Clock::TimerId m_leaseTimer = Clock::TimerId::None;
};

}  // namespace lockkeeper::app
