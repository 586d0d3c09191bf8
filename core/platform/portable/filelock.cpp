// SPDX-License-Identifier: Apache-2.0
#include "platform/filelock.h"

#include <QLockFile>

namespace lockkeeper::platform {

struct FileLock::Held {
    explicit Held(const QString& path) : file(path) {}

    QLockFile file;
};

FileLock::FileLock(const QString& path) : m_path(path) {}

FileLock::~FileLock() = default;

bool FileLock::acquire(std::chrono::milliseconds patience) {
    auto held = std::make_unique<Held>(m_path);
    held->file.setStaleLockTime(0);
    if (!held->file.tryLock(static_cast<int>(patience.count()))) {
        m_error = held->file.error() == QLockFile::LockFailedError ? QStringLiteral("another program uses it")
                                                                   : QStringLiteral("it cannot be created");
        return false;
    }
    m_held = std::move(held);
    return true;
}

}  // namespace lockkeeper::platform
