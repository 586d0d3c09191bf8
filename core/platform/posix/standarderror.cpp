// SPDX-License-Identifier: Apache-2.0
#include "platform/standarderror.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>

namespace lockkeeper::platform {

bool writeToStandardError(const QByteArray& text) {
    // A pipe that can be written to takes this many bytes.
    const QByteArray part = text.size() <= PIPE_BUF ? text : text.left(PIPE_BUF - 1) + '\n';
    pollfd error{STDERR_FILENO, POLLOUT, 0};
    const bool isFree = ::poll(&error, 1, 0) == 1 && error.revents == POLLOUT;
    return isFree && ::write(STDERR_FILENO, part.constData(), static_cast<size_t>(part.size())) == part.size();
}

bool isStandardErrorJournal() {
    struct stat error = {};
    if (::fstat(STDERR_FILENO, &error) != 0)
        return false;
    const QByteArray own = QByteArray::number(static_cast<qulonglong>(error.st_dev)) + ':' +
                           QByteArray::number(static_cast<qulonglong>(error.st_ino));
    return qgetenv("JOURNAL_STREAM") == own;
}

}  // namespace lockkeeper::platform
