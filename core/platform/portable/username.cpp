// SPDX-License-Identifier: Apache-2.0
#include "platform/username.h"

namespace lockkeeper::platform {

QString userName() {
    const QString user = qEnvironmentVariable("USERNAME");
    return user.isEmpty() ? qEnvironmentVariable("USER") : user;
}

}  // namespace lockkeeper::platform
