// SPDX-License-Identifier: Apache-2.0
#include "platform/childprocess.h"

#include <QProcess>

#include <sys/prctl.h>
#include <unistd.h>
#include <csignal>

namespace lockkeeper::platform {

void endWithParent(QProcess& child, OrphanEnd end) {
    child.setChildProcessModifier(
        [signal = end == OrphanEnd::Kill ? SIGKILL : SIGTERM] { prctl(PR_SET_PDEATHSIG, signal); });
}

void leadOwnGroup(QProcess& child) {
    child.setChildProcessModifier([] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    });
}

void killGroup(QProcess& child) {
    const auto id = static_cast<pid_t>(child.processId());
    // A child that has just been started may not lead its group yet.
    if (id > 0 && ::kill(-id, SIGKILL) != 0)
        child.kill();
}

void sendSignal(QProcess& child, int signal) {
    const auto id = static_cast<pid_t>(child.processId());
    if (id > 0)
        ::kill(id, signal);
}

}  // namespace lockkeeper::platform
