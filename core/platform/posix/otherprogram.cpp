// SPDX-License-Identifier: Apache-2.0
#include "platform/otherprogram.h"

#include <QFileInfo>

#include <unistd.h>

namespace lockkeeper::platform {

QString programFolder() {
    return QFileInfo(QFile::symLinkTarget(QStringLiteral("/proc/self/exe"))).path();
}

std::optional<int> becomeProgram(const QString& path, char* const argv[]) {
    ::execv(QFile::encodeName(path).constData(), argv);
    return std::nullopt;
}

}  // namespace lockkeeper::platform
