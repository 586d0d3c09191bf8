// SPDX-License-Identifier: Apache-2.0
#include "app/tools/dumpfile.h"

#include "base/regularfile.h"
#include "jvm/dumpreader.h"

#include <QFile>

namespace lockkeeper::app {

Result<std::vector<jvm::ThreadDump>> threadDumpsOf(const QString& path, const QTimeZone& zone, bool isZoneCertain) {
    QFile file(path);
    const Result<Done> opened = openRegularFile(file);
    if (!opened)
        return opened.error();
    // One byte more than the limit, so that a larger file is noticed.
    Result<std::vector<jvm::ThreadDump>> dumps = jvm::threadDumpsIn(file.read(jvm::largestDumpFile + 1), zone);
    if (!dumps || !isZoneCertain)
        return dumps;
    for (jvm::ThreadDump& dump : dumps.value())
        dump.isZoneGiven = true;
    return dumps;
}

}  // namespace lockkeeper::app
