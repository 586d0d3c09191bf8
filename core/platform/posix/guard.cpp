// SPDX-License-Identifier: Apache-2.0
#include "platform/posix/guardkeeper.h"
#include "platform/posix/guardmessages.h"
#include "platform/posix/processtree.h"
#include "platform/steadytime.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

// The program lockkeeper-guard: without Qt, because it starts while the lock is already held.
namespace lockkeeper::platform {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;

// Arguments: --guard SOCKET WAITFOR GRACE ENDAT KILLAT KILLORPHANSAT COMMAND ARGUMENT...
enum Argument { Word = 1, Socket, WaitForWhat, Grace, EndAt, KillAt, KillOrphansAt, Command };

TimePoint timeOf(const char* nanoseconds) {
    return TimePoint(std::chrono::nanoseconds(std::atoll(nanoseconds)));
}

// Without a controlling terminal only this program can signal the command.
bool hasTerminal() {
    const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0)
        return false;
    ::close(terminal);
    return true;
}

class Guard {
public:
    Guard(char* argv[], const sigset_t& usualSignals, pid_t keeper)
        : m_argv(argv),
          m_socket(std::atoi(argv[Socket])),
          m_waitFor(static_cast<WaitFor>(std::atoi(argv[WaitForWhat]))),
          m_grace(std::atoll(argv[Grace])),
          m_leadsGroup(!hasTerminal()),
          m_usualSignals(usualSignals),
          m_keeper(keeper),
          m_limit{timeOf(argv[EndAt]), timeOf(argv[KillAt]), timeOf(argv[KillOrphansAt])} {}

    int run();

private:
    void openSources();
    [[nodiscard]] int start();
    [[noreturn]] void becomeCommand(int failure);
    void await();
    void readOrders();
    void follow(const ToGuard& message);
    void setLimit(const CommandLimit& limit);
    [[nodiscard]] bool isLimitReached() const { return steadyTime() >= m_limit.endAt; }
    void endAtLimit();
    [[nodiscard]] bool hasKeeper() const { return ::getppid() == m_keeper; }
    void endWithoutKeeper();
    void end(int signal);
    void killWhatIsLeft();
    void suspend();
    void stopWhatRunsOn();
    void stopAll();
    void stopWhatWasContinued();
    void signalAll(int signal);
    void reap();
    [[nodiscard]] bool isOver() const;
    void report(GuardReport what, int value) const;

    char** const m_argv;
    int m_socket;  // -1 when the program that started this one has ended
    const WaitFor m_waitFor;
    const std::chrono::milliseconds m_grace;
    const bool m_leadsGroup;
    const sigset_t m_usualSignals;
    const pid_t m_keeper;
    CommandLimit m_limit;
    int m_children = -1;  // readable when a child has ended
    int m_timer = -1;     // readable when the limit is reached
    pid_t m_command = -1;
    std::optional<int> m_exitCode;
    std::optional<TimePoint> m_killAt;
    std::optional<TimePoint> m_stopAt;
    bool m_isStopped = false;  // until it is to be resumed
};

int Guard::run() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    report(GuardReport::Began, ::getpid());
    openSources();
    setLimit(m_limit);
    if (isLimitReached()) {
        report(GuardReport::LimitReached, 0);
        report(GuardReport::Ended, 128 + SIGTERM);
        return EXIT_SUCCESS;
    }
    if (const int failure = start(); failure != 0) {
        report(GuardReport::NotStarted, failure);
        return EXIT_FAILURE;
    }
    while (!isOver()) {
        await();
        reap();
        endWithoutKeeper();
        endAtLimit();
        killWhatIsLeft();
        stopWhatRunsOn();
        stopWhatWasContinued();
    }
    report(GuardReport::Ended, hasKeeper() ? *m_exitCode : 128 + SIGKILL);
    return EXIT_SUCCESS;
}

void Guard::openSources() {
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    m_children = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    // This clock continues while the machine is suspended, as the server's clock does.
    m_timer = ::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

// Returns 0, or the errno.
int Guard::start() {
    std::array<int, 2> failure{-1, -1};
    if (::pipe2(failure.data(), O_CLOEXEC) != 0)
        return errno;
    m_command = ::fork();
    if (m_command == 0)
        becomeCommand(failure[1]);
    const int forkError = m_command < 0 ? errno : 0;
    ::close(failure[1]);
    int error = 0;
    const bool failed = ::read(failure[0], &error, sizeof error) == sizeof error;
    ::close(failure[0]);
    return failed ? error : forkError;
}

void Guard::becomeCommand(int failure) {
    // If both the guard and its keeper are killed, no other process would end the command.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (m_leadsGroup)
        ::setpgid(0, 0);
    ::sigprocmask(SIG_SETMASK, &m_usualSignals, nullptr);
    ::execvp(m_argv[Command], m_argv + Command);
    const int error = errno;
    const ssize_t written = ::write(failure, &error, sizeof error);
    static_cast<void>(written);
    ::_exit(EXIT_FAILURE);
}

void Guard::await() {
    std::array<pollfd, 3> sources{pollfd{m_children, POLLIN, 0}, pollfd{m_socket, POLLIN, 0},
                                  pollfd{m_timer, POLLIN, 0}};
    // The end or the stop of a process whose parent lives is not reported here, so the processes are checked.
    constexpr int lookAgain = 20;  // milliseconds
    const bool looks = m_killAt || m_stopAt || m_exitCode;
    ::poll(sources.data(), sources.size(), looks ? lookAgain : -1);
    signalfd_siginfo info{};
    while (::read(m_children, &info, sizeof info) == sizeof info) {
    }
    std::uint64_t expirations = 0;
    const ssize_t taken = ::read(m_timer, &expirations, sizeof expirations);
    static_cast<void>(taken);
    if (sources[1].revents != 0)
        readOrders();
}

void Guard::readOrders() {
    ToGuard message{};
    ssize_t received = 0;
    while ((received = ::recv(m_socket, &message, sizeof message, MSG_DONTWAIT)) == sizeof message)
        follow(message);
    if (received != 0)
        return;
    m_socket = -1;
    end(SIGTERM);
}

void Guard::follow(const ToGuard& message) {
    switch (message.order) {
        case GuardOrder::Signal:
            if (!m_exitCode)
                ::kill(m_command, message.signal);
            break;
        case GuardOrder::End:
            end(message.signal);
            break;
        case GuardOrder::Limit:
            setLimit(message.limit);
            break;
        case GuardOrder::Suspend:
            suspend();
            break;
        case GuardOrder::Halt:
            stopAll();
            break;
        case GuardOrder::Resume:
            m_stopAt.reset();
            m_isStopped = false;
            signalAll(SIGCONT);
    }
}

void Guard::setLimit(const CommandLimit& limit) {
    m_limit = limit;
    const auto sinceStart = limit.endAt.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(sinceStart);
    itimerspec when{};
    when.it_value.tv_sec = seconds.count();
    when.it_value.tv_nsec = std::chrono::nanoseconds(sinceStart - seconds).count();
    ::timerfd_settime(m_timer, TFD_TIMER_ABSTIME, &when, nullptr);
}

void Guard::endAtLimit() {
    if (!isLimitReached())
        return;
    if (!m_killAt) {
        report(GuardReport::LimitReached, 0);
        end(SIGTERM);
    }
    m_killAt = std::min(*m_killAt, m_limit.killAt);
}

// If this process were killed, too, no process would end the command.
void Guard::endWithoutKeeper() {
    if (!hasKeeper() && !m_killAt)
        end(SIGTERM);
}

void Guard::end(int signal) {
    signalAll(signal);
    signalAll(SIGCONT);  // a stopped process would not react
    if (!m_killAt)
        m_killAt = steadyTime() + m_grace;
}

void Guard::killWhatIsLeft() {
    if (!m_killAt)
        return;
    const bool areOrphans = m_socket < 0 || !hasKeeper();
    const TimePoint killAt = areOrphans ? std::min(*m_killAt, m_limit.killOrphansAt) : *m_killAt;
    if (steadyTime() >= killAt)
        signalAll(SIGKILL);
}

// SIGTSTP first, because an editor, for example, restores the terminal before it stops.
void Guard::suspend() {
    constexpr std::chrono::milliseconds timeToStop{300};
    if (!m_killAt)
        signalAll(SIGTSTP);
    m_stopAt = steadyTime() + timeToStop;
}

void Guard::stopWhatRunsOn() {
    if (!m_stopAt)
        return;
    const bool allStand = std::ranges::all_of(descendants(), &RunningProcess::isStopped);
    if (!allStand && !m_killAt && steadyTime() < *m_stopAt)
        return;
    stopAll();
    report(GuardReport::Suspended, 0);
}

void Guard::stopAll() {
    m_stopAt.reset();
    m_isStopped = true;
    if (!m_killAt)
        signalAll(SIGSTOP);
}

// A shell's fg continues the whole group. The command is a child of this process, so its continuation is reported here.
void Guard::stopWhatWasContinued() {
    if (m_isStopped && !m_killAt)
        signalAll(SIGSTOP);
}

void Guard::signalAll(int signal) {
    for (const RunningProcess& process : descendants())
        ::kill(process.id, signal);
}

// Each child of this process is the command, or was left behind by a process that the command has started.
void Guard::reap() {
    siginfo_t ended{};
    while (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) {
        int status = 0;
        ::waitpid(ended.si_pid, &status, 0);
        if (ended.si_pid == m_command)
            m_exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        ended = {};
    }
}

bool Guard::isOver() const {
    if (!m_exitCode)
        return false;
    if (!m_killAt && m_waitFor == WaitFor::Command)
        return true;
    const std::vector<RunningProcess> left = descendants();
    if (m_killAt || m_waitFor == WaitFor::All)
        return left.empty();
    const pid_t session = ::getsid(0);
    return std::ranges::none_of(left, [session](const RunningProcess& process) { return process.session == session; });
}

void Guard::report(GuardReport what, int value) const {
    const FromGuard message{what, value};
    if (m_socket >= 0)
        ::send(m_socket, &message, sizeof message, MSG_NOSIGNAL);
}

}  // namespace

}  // namespace lockkeeper::platform

using namespace lockkeeper::platform;

int main(int argc, char* argv[]) {
    if (argc <= Command || std::strcmp(argv[Word], guardWord) != 0) {
        std::fputs("lockkeeper-guard: only lockkeeper starts this program\n", stderr);
        return 2;
    }
    ::prctl(PR_SET_NAME, "lockkeeper-gd");
    const int socket = std::atoi(argv[Socket]);
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    // Signals to the program's group must not end the guard; the command gets them, too.
    sigset_t all;
    sigset_t usual;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &usual);
    return runKept(socket, [argv, &usual, keeper = ::getpid()] { return Guard(argv, usual, keeper).run(); });
}
