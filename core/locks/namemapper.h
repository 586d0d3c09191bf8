// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::locks {

// Redisson's NameMapper: each name of the program, with a prefix and a suffix, is a name on the server.
struct NameMapper {
    // The queue of a fair lock. Redisson before 3.52 keeps it under the name that the program uses.
    enum class FairQueue { Mapped, NotMapped };

    QByteArray prefix;
    QByteArray suffix;
    FairQueue fairQueue = FairQueue::Mapped;

    [[nodiscard]] LockName onServer(const LockName& name) const {
        return prefix.isEmpty() && suffix.isEmpty() ? name : LockName(prefix + name.bytes() + suffix);
    }
    // The reverse of onServer(). A name that it cannot have made stays as it is.
    [[nodiscard]] LockName inProgram(const LockName& name) const {
        const QByteArray& bytes = name.bytes();
        const qsizetype length = bytes.size() - prefix.size() - suffix.size();
        const bool isMapped = length >= 0 && bytes.startsWith(prefix) && bytes.endsWith(suffix);
        return isMapped ? LockName(bytes.mid(prefix.size(), length)) : name;
    }
};

}  // namespace lockkeeper::locks
