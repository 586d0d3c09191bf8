// SPDX-License-Identifier: Apache-2.0
#include "platform/passwordhash.h"

namespace lockkeeper::platform {

HashCheck checkPassword(const QByteArray&, const QByteArray&) {
    return HashCheck::NotPossible;
}

}  // namespace lockkeeper::platform
