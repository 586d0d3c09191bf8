// SPDX-License-Identifier: Apache-2.0
#include "platform/standardoutput.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace lockkeeper::platform {

// In ascending order, because the system assigns the lowest free number.
void reserveStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        const bool isClosed = ::fcntl(stream, F_GETFD) < 0;
        if (isClosed)
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
}

Written writeToStandardOutput(const QByteArray& text, const std::function<bool()>& givesUp) {
    constexpr int askAgain = 100;  // ms
    QByteArrayView rest = text;
    while (!rest.isEmpty()) {
        pollfd output{STDOUT_FILENO, POLLOUT, 0};
        if (::poll(&output, 1, askAgain) < 1) {
            if (givesUp())
                return Written::GivenUp;
            continue;
        }
        // A pipe that can be written to takes this many bytes without blocking.
        const ssize_t written =
            ::write(STDOUT_FILENO, rest.data(), static_cast<size_t>(std::min<qsizetype>(rest.size(), PIPE_BUF)));
        if (written >= 0)
            rest = rest.sliced(written);
        else if (errno != EINTR && errno != EAGAIN)
            return Written::Failed;
    }
    return Written::Whole;
}

}  // namespace lockkeeper::platform
