// SPDX-License-Identifier: Apache-2.0
#include "base/regularfile.h"

#include <QFile>
#include <QFileInfo>

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

}  // namespace lockkeeper
