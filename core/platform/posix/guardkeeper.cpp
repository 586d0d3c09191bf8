// SPDX-License-Identifier: Apache-2.0
#include "platform/posix/guardkeeper.h"

#include "platform/posix/guardmessages.h"
#include "platform/posix/processtree.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace lockkeeper::platform {

namespace {

void reportTo(int socket, const FromGuard& message) {
    ::send(socket, &message, sizeof message, MSG_NOSIGNAL);
}

int endOf(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// Processes started by a killed process may start more, so they are killed until there are none.
void killDescendants() {
    constexpr useconds_t pause = 5000;
    for (std::vector<RunningProcess> left = descendants(); !left.empty(); left = descendants()) {
        for (const RunningProcess& process : left)
            ::kill(process.id, SIGKILL);
        ::usleep(pause);
        for (const RunningProcess& process : left)
            ::waitpid(process.id, nullptr, WNOHANG);  // fails for processes that are not children
    }
}

}  // namespace

int runKept(int socket, const std::function<int()>& guard) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGCHLD);
        ::_exit(guard());
    }
    if (child < 0) {
        reportTo(socket, {GuardReport::NotStarted, errno});
        return EXIT_FAILURE;
    }
    const int status = endOf(child);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    killDescendants();
    reportTo(socket, {GuardReport::Ended, 128 + SIGKILL});
    return EXIT_FAILURE;
}

}  // namespace lockkeeper::platform
