// SPDX-License-Identifier: Apache-2.0
#include "platform/servicesocket.h"

namespace lockkeeper::platform {

bool sendDatagram(const QByteArray&, const QByteArray&) {
    return false;
}

}  // namespace lockkeeper::platform
