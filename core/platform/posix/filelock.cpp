// SPDX-License-Identifier: Apache-2.0
#include "platform/filelock.h"

#include <QDeadlineTimer>
#include <QFile>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <thread>

namespace lockkeeper::platform {

struct FileLock::Held {
    explicit Held(int openDescriptor) : descriptor(openDescriptor) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    // Closing it releases the lock.
    ~Held() { ::close(descriptor); }

    const int descriptor;
};

FileLock::FileLock(const QString& path) : m_path(path) {}

FileLock::~FileLock() = default;

bool FileLock::acquire(std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds pause{10};
    const int descriptor =
        ::open(QFile::encodeName(m_path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        m_error = qt_error_string(errno);
        return false;
    }
    auto held = std::make_unique<Held>(descriptor);
    const QDeadlineTimer deadline(patience);
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const bool isTaken = errno == EWOULDBLOCK || errno == EINTR;
        if (!isTaken || deadline.hasExpired()) {
            m_error = isTaken ? QStringLiteral("another program uses it") : qt_error_string(errno);
            return false;
        }
        std::this_thread::sleep_for(pause);
    }
    m_held = std::move(held);
    return true;
}

}  // namespace lockkeeper::platform
