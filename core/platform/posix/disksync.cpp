// SPDX-License-Identifier: Apache-2.0
#include "platform/disksync.h"

#include <QFile>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

namespace lockkeeper::platform {

namespace {

// A device or a pipe cannot be synchronised, and has nothing to lose.
bool syncDescriptor(int descriptor) {
    return ::fsync(descriptor) == 0 || errno == EINVAL;
}

}  // namespace

bool syncFile(QFile& file) {
    return file.flush() && syncDescriptor(file.handle());
}

bool syncFolder(const QString& path) {
    const int folder = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    const bool isDone = syncDescriptor(folder);
    const int reason = errno;
    ::close(folder);
    errno = reason;
    return isDone;
}

}  // namespace lockkeeper::platform
