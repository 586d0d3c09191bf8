// SPDX-License-Identifier: Apache-2.0
#include "platform/guardedcommand.h"

#include "platform/posix/guardmessages.h"
#include "platform/posix/processtree.h"
#include "platform/steadytime.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QProcess>
#include <QSocketNotifier>
#include <QTimer>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>

namespace lockkeeper::platform {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;

QString nanoseconds(TimePoint time) {
    return QString::number(std::chrono::nanoseconds(time.time_since_epoch()).count());
}

}  // namespace

class GuardedCommand::Process {
public:
    Process(GuardedCommand& command, const QString& guard)
        : m_command(command),
          m_guardPath(guard),
          m_guardFile(::open(QFile::encodeName(guard).constData(), O_PATH | O_CLOEXEC)),
          m_guardError(m_guardFile >= 0 && ::access(QFile::encodeName(guard).constData(), X_OK) == 0 ? 0 : errno) {
        m_guard.setProcessChannelMode(QProcess::ForwardedChannels);
        m_guard.setInputChannelMode(QProcess::ForwardedInputChannel);
        m_patience.setSingleShot(true);
        QObject::connect(&m_patience, &QTimer::timeout, &m_guard, [this] { killIdleGuard(); });
        QObject::connect(&m_guard, &QProcess::errorOccurred, &m_guard, [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart)
                return;
            close();
            Q_EMIT m_command.failedToStart(StartFailure::NotExecutable, m_guard.errorString());
        });
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        close();
        m_guard.disconnect(&m_guard);
        m_guard.kill();
        m_guard.waitForFinished();
        if (m_guardFile >= 0)
            ::close(m_guardFile);
    }

    [[nodiscard]] QString whyNotStartable() const {
        return m_guardError == 0 ? QString() : QStringLiteral("%1: %2").arg(m_guardPath, qt_error_string(m_guardError));
    }
    void start(const Plan& plan) {
        if (const QString why = whyNotStartable(); !why.isEmpty()) {
            Q_EMIT m_command.failedToStart(StartFailure::NotExecutable, why);
            return;
        }
        std::array<int, 2> ends{-1, -1};
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            Q_EMIT m_command.failedToStart(StartFailure::NotExecutable, qt_error_string(errno));
            return;
        }
        m_socket = ends[0];
        m_grace = plan.grace;
        expectEndBy(plan.limit.killAt);
        m_reports = new QSocketNotifier(m_socket, QSocketNotifier::Read, &m_guard);
        QObject::connect(m_reports, &QSocketNotifier::activated, &m_guard, [this] { readReports(); });
        m_guard.setProcessEnvironment(plan.environment);
        m_guard.setChildProcessModifier([guardEnd = ends[1]] { ::fcntl(guardEnd, F_SETFD, 0); });
        // The child closes the descriptor when it becomes the guard.
        m_guard.start(QStringLiteral("/proc/self/fd/%1").arg(m_guardFile),
                      QStringList{QLatin1String(guardWord), QString::number(ends[1]),
                                  QString::number(static_cast<int>(plan.waitFor)), QString::number(plan.grace.count()),
                                  nanoseconds(plan.limit.endAt), nanoseconds(plan.limit.killAt),
                                  nanoseconds(plan.limit.killOrphansAt)} +
                          plan.command);
        ::close(ends[1]);
    }
    [[nodiscard]] bool isRunning() const { return m_socket >= 0; }
    void order(const ToGuard& message) const {
        if (m_socket >= 0)
            ::send(m_socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    void end(int signal) {
        order({GuardOrder::End, signal, {}});
        const TimePoint atLatest = steadyTime() + m_grace + std::chrono::seconds(1);
        if (!std::exchange(m_isEnding, true))
            expectEndBy(std::min(m_endBy, atLatest));
    }
    void setLimit(const Limit& limit) {
        order({GuardOrder::Limit, 0, limit});
        if (!m_isEnding)
            expectEndBy(limit.killAt);
    }
    void awaitSuspension() {
        constexpr std::chrono::milliseconds patience{1000};
        const QDeadlineTimer deadline(patience);
        m_isSuspended = false;
        pollfd source{m_socket, POLLIN, 0};
        while (!m_isSuspended && isRunning() && ::poll(&source, 1, static_cast<int>(deadline.remainingTime())) == 1)
            readReports();
    }

private:
    // At this time the guard has killed everything itself, unless it was stopped.
    void expectEndBy(TimePoint when) {
        constexpr std::chrono::milliseconds longest = std::chrono::hours(24);
        m_endBy = when;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - steadyTime());
        m_patience.start(std::clamp(left, std::chrono::milliseconds(0), longest));
    }
    // Its keeper then kills the other processes. If this program was suspended, the guard may have ended long ago, and
    // another process may have its id.
    void killIdleGuard() {
        readReports();
        if (!isRunning())
            return;
        if (steadyTime() < m_endBy)
            return expectEndBy(m_endBy);
        const auto isGuard = [this](const RunningProcess& process) {
            return process.id == m_guardId && process.parent == m_guard.processId();
        };
        if (std::ranges::any_of(descendants(), isGuard))
            ::kill(m_guardId, SIGKILL);
        if (!m_isEnding)
            Q_EMIT m_command.limitReached();
    }

    // The socket ends with the last process of the guard; no process that is waited for runs then.
    void readReports() {
        if (!isRunning())
            return;
        FromGuard message{};
        ssize_t received = 0;
        // ECONNRESET: the guard has ended without reading every order. Its last reports can be read after that.
        do {
            received = ::recv(m_socket, &message, sizeof message, MSG_DONTWAIT);
            if (received == sizeof message)
                take(message);
        } while (received == sizeof message || (received < 0 && (errno == ECONNRESET || errno == EINTR)));
        const bool comesLater = received < 0 && errno == EAGAIN;
        if (!comesLater)
            finish();
    }
    void take(const FromGuard& message) {
        switch (message.report) {
            case GuardReport::Began:
                m_guardId = message.value;
                break;
            case GuardReport::NotStarted:
            case GuardReport::Ended:
                m_end = m_end.value_or(message);
                break;
            case GuardReport::Suspended:
                m_isSuspended = true;
                break;
            case GuardReport::LimitReached:
                Q_EMIT m_command.limitReached();
        }
    }

    // Without a report, each process of the guard was killed.
    void finish() {
        close();
        const FromGuard end = m_end.value_or(FromGuard{GuardReport::Ended, 128 + SIGKILL});
        if (end.report == GuardReport::Ended) {
            Q_EMIT m_command.finished(end.value);
            return;
        }
        const StartFailure failure = end.value == ENOENT ? StartFailure::NotFound : StartFailure::NotExecutable;
        Q_EMIT m_command.failedToStart(failure, qt_error_string(end.value));
    }

    void close() {
        if (m_socket < 0)
            return;
        m_reports->setEnabled(false);  // before another descriptor gets its number
        ::close(std::exchange(m_socket, -1));
    }

    GuardedCommand& m_command;
    const QString m_guardPath;
    const int m_guardFile;
    const int m_guardError;
    int m_socket = -1;
    QSocketNotifier* m_reports = nullptr;
    std::optional<FromGuard> m_end;
    bool m_isSuspended = false;
    bool m_isEnding = false;
    pid_t m_guardId = 0;
    std::chrono::milliseconds m_grace{};
    TimePoint m_endBy = TimePoint::max();
    QTimer m_patience;
    QProcess m_guard;
};

GuardedCommand::GuardedCommand(const QString& guard) : m_process(std::make_unique<Process>(*this, guard)) {}
GuardedCommand::~GuardedCommand() = default;

QString GuardedCommand::whyNotStartable() const {
    return m_process->whyNotStartable();
}

void GuardedCommand::start(const Plan& plan) {
    m_process->start(plan);
}

bool GuardedCommand::isRunning() const {
    return m_process->isRunning();
}

void GuardedCommand::sendSignal(int signal) {
    m_process->order({GuardOrder::Signal, signal, {}});
}

void GuardedCommand::end(int signal) {
    m_process->end(signal);
}

void GuardedCommand::end() {
    end(SIGTERM);
}

void GuardedCommand::setLimit(const Limit& limit) {
    m_process->setLimit(limit);
}

void GuardedCommand::suspend() {
    m_process->order({GuardOrder::Suspend, 0, {}});
    m_process->awaitSuspension();
}

void GuardedCommand::halt() {
    m_process->order({GuardOrder::Halt, 0, {}});
}

void GuardedCommand::resume() {
    m_process->order({GuardOrder::Resume, 0, {}});
}

}  // namespace lockkeeper::platform

#include "platform/moc_guardedcommand.cpp"
