// SPDX-License-Identifier: Apache-2.0
#include "platform/standardoutput.h"

#include <cstdio>

namespace lockkeeper::platform {

void reserveStandardStreams() {}

Written writeToStandardOutput(const QByteArray& text, const std::function<bool()>& /*givesUp*/) {
    const auto size = static_cast<size_t>(text.size());
    return std::fwrite(text.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0 ? Written::Whole
                                                                                              : Written::Failed;
}

}  // namespace lockkeeper::platform
