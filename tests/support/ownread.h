// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/lockscripts.h"

namespace lockkeeper::test {

// Whether the only script in these bytes is a client's read of its own holds. The time of that read varies, so losses
// that a test requests do not count it.
inline bool isOwnRead(const QByteArray& sent) {
    static const redis::Script read = lockScript(QStringLiteral("check_holds"));
    return sent.count("\r\nEVAL") == 1 && (sent.contains(read.sha()) || sent.contains(read.source()));
}

}  // namespace lockkeeper::test
