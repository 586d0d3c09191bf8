// SPDX-License-Identifier: Apache-2.0
#include "platform/terminalinput.h"

namespace lockkeeper::platform {

bool isInputTerminal() {
    return false;
}

}  // namespace lockkeeper::platform
