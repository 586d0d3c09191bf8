// SPDX-License-Identifier: Apache-2.0
#include "platform/disksync.h"

#include <QFile>

namespace lockkeeper::platform {

bool syncFile(QFile& file) {
    return file.flush();
}

bool syncFolder(const QString& /*path*/) {
    return true;
}

}  // namespace lockkeeper::platform
