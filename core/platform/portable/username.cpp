// SPDX-License-Identifier: Apache-2.0
#include "platform/username.h"

#include <QDir>
#include <QFileInfo>

namespace lockkeeper::platform {

QString userName() {
    for (const char* variable : {"USERNAME", "USER"}) {
        const QString user = qEnvironmentVariable(variable);
        if (!user.isEmpty())
            return user;
    }
    return QFileInfo(QDir::homePath()).owner();
}

}  // namespace lockkeeper::platform
