// SPDX-License-Identifier: Apache-2.0
#include "profile/wholefile.h"

#include "base/regularfile.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace lockkeeper::profile {

Result<std::optional<QByteArray>> readWholeFile(const QString& path, qsizetype largest) {
    QFile file(path);
    if (!file.exists())
        return std::optional<QByteArray>();
    if (const Result<Done> opened = openRegularFile(file); !opened)
        return opened.error();
    const QByteArray bytes = file.read(largest + 1);
    if (file.error() == QFileDevice::NoError)
        return std::optional(bytes);
    return Error(ErrorCode::Storage, Cause::FileNotRead, {path, file.errorString()});
}

Result<Done> writeWholeFile(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    // flush(): before Qt 6.5 commit() does not notice that the last bytes could not be written.
    // Permissions before the content: without this, the file would have the permissions of the one that it replaces.
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                         writeWhole(file, bytes) && file.flush() && file.commit();
    if (written)
        return Done();
    return Error(ErrorCode::Storage, Cause::FileNotWritten, {path, writeFailure(file)});
}

}  // namespace lockkeeper::profile
