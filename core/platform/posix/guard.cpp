// SPDX-License-Identifier: Apache-2.0
#include "platform/guardedcommand.h"
#include "platform/posix/guardmessages.h"
#include "platform/posix/processtree.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

// The process of the guard: without Qt, because it starts while the lock is already held.
namespace lockkeeper::platform {

namespace {

using Time = std::chrono::steady_clock;

// Arguments: --guard SOCKET WAITFOR WITHOUTPARENT GRACE COMMAND ARGUMENT...
enum Argument { Word = 1, Socket, WaitForWhat, Orphaned, Grace, Command };

// Without a controlling terminal nobody but this program can signal the command.
bool hasTerminal() {
    const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0)
        return false;
    ::close(terminal);
    return true;
}

class Guard {
public:
    explicit Guard(char* argv[])
        : m_argv(argv),
          m_socket(std::atoi(argv[Socket])),
          m_waitFor(static_cast<GuardedCommand::WaitFor>(std::atoi(argv[WaitForWhat]))),
          m_withoutParent(static_cast<GuardedCommand::WithoutParent>(std::atoi(argv[Orphaned]))),
          m_grace(std::atoll(argv[Grace])),
          m_leadsGroup(!hasTerminal()) {}

    int run();

private:
    void holdSignals();
    [[nodiscard]] int start();
    [[noreturn]] void becomeCommand(int failure);
    void await();
    void readOrder();
    void follow(const ToGuard& message);
    void end(int signal);
    void killWhatIsLeft();
    void suspend();
    void stopWhatRunsOn();
    void signalAll(int signal);
    void reap();
    [[nodiscard]] bool isOver() const;
    void report(GuardReport what, int value) const;

    char** const m_argv;
    int m_socket;  // -1 when the program that started this one has ended
    const GuardedCommand::WaitFor m_waitFor;
    const GuardedCommand::WithoutParent m_withoutParent;
    const std::chrono::milliseconds m_grace;
    const bool m_leadsGroup;
    sigset_t m_usualSignals{};
    int m_children = -1;  // readable when a child has ended
    pid_t m_command = -1;
    std::optional<int> m_exitCode;
    std::optional<Time::time_point> m_killAt;
    std::optional<Time::time_point> m_stopAt;
};

int Guard::run() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_NAME, "lockkeeper-gd");
    ::fcntl(m_socket, F_SETFD, FD_CLOEXEC);
    holdSignals();
    if (const int failure = start(); failure != 0) {
        report(GuardReport::NotStarted, failure);
        return EXIT_FAILURE;
    }
    while (!isOver()) {
        await();
        reap();
        killWhatIsLeft();
        stopWhatRunsOn();
    }
    report(GuardReport::Ended, *m_exitCode);
    return EXIT_SUCCESS;
}

// What reaches the program's group must not end the guard; the command gets it, too.
void Guard::holdSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &m_usualSignals);
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    m_children = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
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
    // If the guard itself is killed, nobody else would end the command.
    if (m_withoutParent == GuardedCommand::WithoutParent::EndAll)
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
    std::array<pollfd, 2> sources{pollfd{m_children, POLLIN, 0}, pollfd{m_socket, POLLIN, 0}};
    // The end or the stop of a process whose parent lives is not announced here, so it is looked for.
    constexpr int lookAgain = 20;  // milliseconds
    const bool looks = m_killAt || m_stopAt || m_exitCode;
    ::poll(sources.data(), sources.size(), looks ? lookAgain : -1);
    signalfd_siginfo info{};
    while (::read(m_children, &info, sizeof info) == sizeof info) {
    }
    if (sources[1].revents != 0)
        readOrder();
}

void Guard::readOrder() {
    ToGuard message{};
    const ssize_t received = ::recv(m_socket, &message, sizeof message, MSG_DONTWAIT);
    if (received == 0) {
        m_socket = -1;
        if (m_withoutParent == GuardedCommand::WithoutParent::EndAll)
            end(SIGTERM);
    }
    if (received == sizeof message)
        follow(message);
}

void Guard::follow(const ToGuard& message) {
    switch (message.order) {
        case GuardOrder::Signal:
            if (!m_exitCode)
                ::kill(m_leadsGroup ? -m_command : m_command, message.signal);
            break;
        case GuardOrder::End:
            end(message.signal);
            break;
        case GuardOrder::Suspend:
            suspend();
            break;
        case GuardOrder::Resume:
            m_stopAt.reset();
            signalAll(SIGCONT);
    }
}

void Guard::end(int signal) {
    signalAll(signal);
    signalAll(SIGCONT);  // one that is stopped would take no notice
    if (!m_killAt)
        m_killAt = Time::now() + m_grace;
}

void Guard::killWhatIsLeft() {
    if (m_killAt && Time::now() >= *m_killAt)
        signalAll(SIGKILL);
}

// An editor, for one, restores the terminal before it stops.
void Guard::suspend() {
    constexpr std::chrono::milliseconds timeToStop{300};
    if (!m_killAt)
        signalAll(SIGTSTP);
    m_stopAt = Time::now() + timeToStop;
}

void Guard::stopWhatRunsOn() {
    if (!m_stopAt)
        return;
    const bool allStand = std::ranges::all_of(descendants(), &RunningProcess::isStopped);
    if (!allStand && !m_killAt && Time::now() < *m_stopAt)
        return;
    m_stopAt.reset();
    if (!m_killAt)
        signalAll(SIGSTOP);
    report(GuardReport::Suspended, 0);
}

void Guard::signalAll(int signal) {
    for (const RunningProcess& process : descendants())
        ::kill(process.id, signal);
}

// All children of this process are the command, or were left behind by what it has started.
void Guard::reap() {
    int status = 0;
    for (pid_t child = ::waitpid(-1, &status, WNOHANG); child > 0; child = ::waitpid(-1, &status, WNOHANG)) {
        if (child == m_command)
            m_exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

bool Guard::isOver() const {
    if (!m_exitCode)
        return false;
    if (!m_killAt && m_waitFor == GuardedCommand::WaitFor::Command)
        return true;
    const std::vector<RunningProcess> left = descendants();
    if (m_killAt || m_waitFor == GuardedCommand::WaitFor::All)
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

bool isGuard(int argc, char* argv[]) {
    return argc > Command && std::strcmp(argv[Word], guardWord) == 0;
}

int runGuard(int, char* argv[]) {
    return Guard(argv).run();
}

}  // namespace lockkeeper::platform
