// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QString>

#include <chrono>
#include <memory>

namespace lockkeeper::platform {

// Keeps other programs out, and other objects of this one, from acquire() until it is destroyed or the program ends,
// however it ends. The file stays.
// Portable: the file is deleted at the end. That of a program that was killed counts as released.
class LOCKKEEPER_EXPORT FileLock {
public:
    // The folder exists. The file is created for its owner alone.
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
