// SPDX-License-Identifier: Apache-2.0
#include "platform/childprocess.h"

#include <QProcess>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace lockkeeper::platform {

namespace {

// Runs in the child. The parent may have ended before this call.
void endWith(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(EXIT_FAILURE);
}

}  // namespace

void endWithParent(QProcess& child) {
    child.setChildProcessModifier([parent = ::getpid()] { endWith(parent); });
}

void leadOwnGroup(QProcess& child) {
    child.setChildProcessModifier([parent = ::getpid()] {
        setpgid(0, 0);
        endWith(parent);
    });
}

void stayAtTerminal(QProcess& child) {
    child.setChildProcessModifier([parent = ::getpid()] {
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGHUP, SIG_IGN);
        endWith(parent);
    });
}

qintptr startOnSocket(QProcess& child, QString& whyNot) {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        whyNot = qt_error_string(errno);
        return -1;
    }
    // Qt makes no pipes for these two channels, so nothing replaces the socket.
    child.setInputChannelMode(QProcess::ForwardedInputChannel);
    child.setProcessChannelMode(QProcess::ForwardedOutputChannel);
    child.setChildProcessModifier([childEnd = ends[1], parent = ::getpid()] {
        setpgid(0, 0);
        endWith(parent);
        dup2(childEnd, STDIN_FILENO);
        dup2(childEnd, STDOUT_FILENO);
    });
    child.start();
    ::close(ends[1]);
    return ends[0];
}

void killGroup(QProcess& child) {
    const auto id = static_cast<pid_t>(child.processId());
    // A child that has just been started may not lead its group yet.
    if (id > 0 && ::kill(-id, SIGKILL) != 0)
        child.kill();
}

bool freezeGroup(const QProcess& child) {
    return child.processId() > 0 && ::kill(-static_cast<pid_t>(child.processId()), SIGSTOP) == 0;
}

bool resumeGroup(const QProcess& child) {
    return child.processId() > 0 && ::kill(-static_cast<pid_t>(child.processId()), SIGCONT) == 0;
}

// The shell reads until its input ends; the system closes the input at the end of the program. Servers that end at the
// same time may still write, so the shell tries again.
std::unique_ptr<QProcess> removeFolderAtEnd(const QString& folder) {
    const QString script = QStringLiteral(
        "while read -r line; do :; done; for turn in 1 2 3 4 5 6 7 8; do rm -rf -- \"$1\" && exit; sleep 0.2; done");
    auto keeper = std::make_unique<QProcess>();
    keeper->setStandardOutputFile(QProcess::nullDevice());
    keeper->setStandardErrorFile(QProcess::nullDevice());
    keeper->setChildProcessModifier([] { setsid(); });
    keeper->start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), script, QStringLiteral("sh"), folder});
    return keeper;
}

}  // namespace lockkeeper::platform
