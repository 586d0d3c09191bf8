// SPDX-License-Identifier: Apache-2.0
#include "platform/standarderror.h"

#include <cstdio>

namespace lockkeeper::platform {

bool writeToStandardError(const QByteArray& text) {
    return std::fwrite(text.constData(), 1, static_cast<size_t>(text.size()), stderr) ==
           static_cast<size_t>(text.size());
}

bool isStandardErrorJournal() {
    return false;
}

}  // namespace lockkeeper::platform
