// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>

namespace lockkeeper::test {

// Empty if it cannot be read.
inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace lockkeeper::test
