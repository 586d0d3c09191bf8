// SPDX-License-Identifier: Apache-2.0
#include "app/tools/dumpfile.h"

#include "base/regularfile.h"
#include "jvm/dumpreader.h"

#include <QFile>

namespace lockkeeper::app {

Result<std::vector<jvm::ThreadDump>> threadDumpsOf(const QString& path) {
    QFile file(path);
    const Result<Done> opened = openRegularFile(file);
    if (!opened)
        return opened.error();
    // One byte more than the limit, so that a larger file is noticed.
    return jvm::threadDumpsIn(file.read(jvm::largestDumpFile + 1), QTimeZone::systemTimeZone());
}

}  // namespace lockkeeper::app
