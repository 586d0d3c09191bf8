// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "app/tools/notifyplan.h"
#include "app/tools/targetsecrets.h"
#include "base/systemclock.h"
#include "serve/notifier.h"

namespace lockkeeper::app {

// `notify`: a service from its start to SIGTERM. Thread: main.
class NotifyCommand final : public QObject {
    Q_OBJECT
public:
    using ReadAgain = std::function<Result<Arguments>()>;

    // readAgain: the command line with the present content of its file.
    NotifyCommand(const Arguments& arguments, ReadAgain readAgain);
    ~NotifyCommand() override;

    void start();
    // SIGHUP: other settings from now on; those that cannot be read change nothing.
    void reload();
    // SIGTERM.
    void stop();

Q_SIGNALS:
    void finished(int exitCode);

private:
    void startWatching();
    void sendTest();
    void apply(const QList<WatchedTarget>& targets);
    void end(ExitCode code);

    const ReadAgain m_readAgain;
    SystemClock m_clock;
    NotifyRequest m_request;
    NotifyPlan m_plan;
    serve::ServiceLog m_log;
    serve::Service m_service;
    TargetSecrets m_secrets;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<serve::Notifier> m_notifier;
    std::unique_ptr<serve::Receiver> m_testReceiver;
};

}  // namespace lockkeeper::app
