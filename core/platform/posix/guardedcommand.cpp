// SPDX-License-Identifier: Apache-2.0
#include "platform/guardedcommand.h"

#include "platform/posix/guardmessages.h"

#include <QProcess>
#include <QSocketNotifier>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>

namespace lockkeeper::platform {

class GuardedCommand::Process {
public:
    explicit Process(GuardedCommand& command) : m_command(command) {
        m_guard.setProcessChannelMode(QProcess::ForwardedChannels);
        m_guard.setInputChannelMode(QProcess::ForwardedInputChannel);
        QObject::connect(&m_guard, &QProcess::finished, &m_guard, [this] { onFinished(); });
        QObject::connect(&m_guard, &QProcess::errorOccurred, &m_guard, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                Q_EMIT m_command.failedToStart(StartFailure::NotExecutable, m_guard.errorString());
        });
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        if (m_socket >= 0)
            ::close(m_socket);
        m_guard.disconnect(&m_guard);
        m_guard.kill();
        m_guard.waitForFinished();
    }

    void start(const Plan& plan) {
        std::array<int, 2> ends{-1, -1};
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            Q_EMIT m_command.failedToStart(StartFailure::NotExecutable, qt_error_string(errno));
            return;
        }
        m_socket = ends[0];
        m_guard.setProcessEnvironment(plan.environment);
        m_guard.setChildProcessModifier([guardEnd = ends[1]] { ::fcntl(guardEnd, F_SETFD, 0); });
        // The very program that runs, also if its file has been replaced since.
        m_guard.start(QStringLiteral("/proc/self/exe"),
                      QStringList{QLatin1String(guardWord), QString::number(ends[1]),
                                  QString::number(static_cast<int>(plan.waitFor)),
                                  QString::number(static_cast<int>(plan.withoutParent)), QString::number(plan.grace.count())} +
                          plan.command);
        ::close(ends[1]);
    }
    [[nodiscard]] bool isRunning() const { return m_guard.state() != QProcess::NotRunning; }
    void order(GuardOrder order, int signal) const {
        const ToGuard message{order, signal};
        if (m_socket >= 0)
            ::send(m_socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    void awaitSuspension() const {
        constexpr int patience = 1000;  // milliseconds
        pollfd source{m_socket, POLLIN, 0};
        FromGuard message{};
        const bool isSuspended = ::poll(&source, 1, patience) == 1 && read(message, MSG_PEEK) &&
                                 message.report == GuardReport::Suspended;
        if (isSuspended)
            read(message, 0);
    }

private:
    bool read(FromGuard& message, int flags) const {
        return ::recv(m_socket, &message, sizeof message, flags | MSG_DONTWAIT) == sizeof message;
    }

    // Its report is what it wrote before its end; without one it was killed itself.
    void onFinished() {
        FromGuard message{GuardReport::Suspended, 0};
        while (message.report == GuardReport::Suspended) {
            if (!read(message, 0))
                message = {GuardReport::Ended, 128 + SIGKILL};
        }
        if (message.report == GuardReport::Ended) {
            Q_EMIT m_command.finished(message.value);
            return;
        }
        const StartFailure failure = message.value == ENOENT ? StartFailure::NotFound : StartFailure::NotExecutable;
        Q_EMIT m_command.failedToStart(failure, qt_error_string(message.value));
    }

    GuardedCommand& m_command;
    int m_socket = -1;
    QProcess m_guard;
};

GuardedCommand::GuardedCommand() : m_process(std::make_unique<Process>(*this)) {}
GuardedCommand::~GuardedCommand() = default;

void GuardedCommand::start(const Plan& plan) {
    m_process->start(plan);
}

bool GuardedCommand::isRunning() const {
    return m_process->isRunning();
}

void GuardedCommand::sendSignal(int signal) {
    m_process->order(GuardOrder::Signal, signal);
}

void GuardedCommand::end(int signal) {
    m_process->order(GuardOrder::End, signal);
}

void GuardedCommand::end() {
    end(SIGTERM);
}

void GuardedCommand::suspend() {
    m_process->order(GuardOrder::Suspend, 0);
    m_process->awaitSuspension();
}

void GuardedCommand::resume() {
    m_process->order(GuardOrder::Resume, 0);
}

}  // namespace lockkeeper::platform

#include "platform/moc_guardedcommand.cpp"
