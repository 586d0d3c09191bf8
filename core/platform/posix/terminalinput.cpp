// SPDX-License-Identifier: Apache-2.0
#include "platform/terminalinput.h"

#include <unistd.h>

namespace lockkeeper::platform {

bool isInputTerminal() {
    return ::isatty(STDIN_FILENO) == 1;
}

}  // namespace lockkeeper::platform
