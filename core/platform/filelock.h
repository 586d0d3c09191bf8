// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QString>

#include <chrono>
#include <memory>

namespace lockkeeper::platform {

// Excludes other programs, and other objects of this program, from acquire() until this object is destroyed or the
// program ends in any way. The file stays.
// Portable: the file is deleted at the end. A killed program counts as having released it.
class LOCKKEEPER_EXPORT FileLock {
public:
    // path: in a folder that exists. The file is created for its owner alone.
    explicit FileLock(const QString& path);
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

    // Blocks at most for the patience. False: errorString() has the reason.
    [[nodiscard]] bool acquire(std::chrono::milliseconds patience);
    [[nodiscard]] const QString& errorString() const noexcept { return m_error; }

private:
    struct Held;

    const QString m_path;
    QString m_error;
    std::unique_ptr<Held> m_held;
};

}  // namespace lockkeeper::platform
