// SPDX-License-Identifier: Apache-2.0
#include "app/gui/privatefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace lockkeeper::app {

bool keepPrivate(const QString& path) {
    constexpr QFile::Permissions ownersOnly = QFile::ReadOwner | QFile::WriteOwner;
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    return file.open(QIODevice::NewOnly, ownersOnly) || file.setPermissions(ownersOnly);
}

}  // namespace lockkeeper::app
