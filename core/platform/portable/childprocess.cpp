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

bool freezeGroup(const QProcess&) {
    return false;
}

bool resumeGroup(const QProcess&) {
    return false;
}

std::unique_ptr<QProcess> removeFolderAtEnd(const QString&) {
    return nullptr;
}

}  // namespace lockkeeper::platform
