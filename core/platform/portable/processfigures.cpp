// SPDX-License-Identifier: Apache-2.0
#include "platform/processfigures.h"

#include <ctime>

namespace lockkeeper::platform {

ProcessFigures processFigures() {
    ProcessFigures figures;
    figures.processorTime = std::chrono::duration<double>(static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    return figures;
}

}  // namespace lockkeeper::platform
