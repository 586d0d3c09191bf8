// SPDX-License-Identifier: Apache-2.0
#include "base/regularfile.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace lockkeeper {

Result<Done> openRegularFile(QFile& file) {
    const QFileInfo info(file.fileName());
    if (info.exists() && !info.isFile())
        return Error(ErrorCode::Storage, Cause::NotAFile, {file.fileName()});
    if (!file.open(QIODevice::ReadOnly))
        return Error(ErrorCode::Storage, Cause::FileNotRead, {file.fileName(), file.errorString()});
    return Done();
}

bool writeWhole(QIODevice& file, const QByteArray& bytes) {
    qint64 written = 0;
    while (written < bytes.size()) {
        const qint64 part = file.write(bytes.constData() + written, bytes.size() - written);
        if (part <= 0)
            return false;
        written += part;
    }
    return true;
}

QString writeFailure(QFileDevice& file) {
    if (file.isOpen())
        (void)file.flush();
    return file.errorString();
}

Result<Done> saveFile(const QString& path, const std::function<bool(QIODevice& file)>& content) {
    QSaveFile file(path);
    // flush(): before Qt 6.5 commit() does not notice that the last bytes could not be written.
    if (file.open(QIODevice::WriteOnly) && content(file) && file.flush() && file.commit())
        return Done();
    return Error(ErrorCode::Storage, writeFailure(file));
}

}  // namespace lockkeeper
