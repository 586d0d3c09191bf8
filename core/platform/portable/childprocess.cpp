// SPDX-License-Identifier: Apache-2.0
#include "platform/childprocess.h"

#include <QProcess>

namespace lockkeeper::platform {

void endWithParent(QProcess&) {}

void leadOwnGroup(QProcess&) {}

void stayAtTerminal(QProcess&) {}

qintptr startOnSocket(QProcess&, QString& whyNot) {
    whyNot = QStringLiteral("a process on a socket is not possible on this system");
    return -1;
}

void killGroup(QProcess& child) {
    child.kill();
}

}  // namespace lockkeeper::platform
