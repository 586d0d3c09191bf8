// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/lockdialect.h"

namespace lockkeeper::test {

// Whether the only script in these bytes is a client's read of its own holds. It comes at a time of its own, so losses
// that a test wants leave it out.
inline bool isOwnRead(const QByteArray& sent) {
    static const QByteArray sha = [] {
        const locks::HoldKey any(LockName("L"), HolderId(ClientId::random(), ThreadId(1)));
        QByteArray command;
        locks::checkOf({any}, {{}}).evalSha().appendTo(command);
        return command.split('\n').at(4).trimmed();
    }();
    const bool isRead = sent.contains(sha) || sent.contains("answers[1] = redis.call('pttl', lock)");
    return isRead && sent.count("\r\nEVAL") == 1;
}

}  // namespace lockkeeper::test
