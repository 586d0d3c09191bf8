// SPDX-License-Identifier: Apache-2.0
#include "platform/guardedcommand.h"

#include "platform/steadytime.h"

#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <csignal>

namespace lockkeeper::platform {

class GuardedCommand::Process {
public:
    explicit Process(GuardedCommand& command) {
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        process.setInputChannelMode(QProcess::ForwardedInputChannel);
        killTimer.setSingleShot(true);
        limitTimer.setSingleShot(true);
        QObject::connect(&limitTimer, &QTimer::timeout, &process, [this, &command] {
            if (!command.isRunning())
                return;
            if (steadyTime() < limitAt)
                return setLimit({limitAt, limitAt});
            Q_EMIT command.limitReached();
            command.end();
        });
        QObject::connect(&killTimer, &QTimer::timeout, &process, &QProcess::kill);
        QObject::connect(&process, &QProcess::finished, &command,
                         [this, &command](int code, QProcess::ExitStatus status) {
                             constexpr int signalled = 128;  // after a crash the code is the signal's number
                             Q_EMIT command.finished(status == QProcess::NormalExit ? code : signalled + code);
                         });
        QObject::connect(&process, &QProcess::errorOccurred, &command, [this, &command](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                Q_EMIT command.failedToStart(StartFailure::NotFound, process.errorString());
        });
    }

    // The limit holds only while this program runs.
    void setLimit(const Limit& limit) {
        using std::chrono::milliseconds;
        constexpr milliseconds longest = std::chrono::hours(24);
        limitAt = limit.endAt;
        limitTimer.start(std::clamp(std::chrono::ceil<milliseconds>(limitAt - steadyTime()), milliseconds(0), longest));
    }

    QProcess process;
    QTimer killTimer;
    QTimer limitTimer;
    std::chrono::steady_clock::time_point limitAt;
    std::chrono::milliseconds grace{};
};

GuardedCommand::GuardedCommand(const QString&) : m_process(std::make_unique<Process>(*this)) {}
GuardedCommand::~GuardedCommand() = default;

QString GuardedCommand::whyNotStartable() const {
    return {};
}

void GuardedCommand::start(const Plan& plan) {
    m_process->grace = plan.grace;
    m_process->process.setProcessEnvironment(plan.environment);
    m_process->process.start(plan.command.first(), plan.command.mid(1));
    m_process->setLimit(plan.limit);
}

bool GuardedCommand::isRunning() const {
    return m_process->process.state() != QProcess::NotRunning;
}

void GuardedCommand::sendSignal(int) {
    m_process->process.terminate();
}

void GuardedCommand::end(int) {
    m_process->process.terminate();
    if (!m_process->killTimer.isActive())
        m_process->killTimer.start(m_process->grace);
}

void GuardedCommand::end() {
    end(SIGTERM);
}

void GuardedCommand::setLimit(const Limit& limit) {
    m_process->setLimit(limit);
}

void GuardedCommand::suspend() {}

void GuardedCommand::halt() {}

void GuardedCommand::resume() {}

}  // namespace lockkeeper::platform

#include "platform/moc_guardedcommand.cpp"
