// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"
#include "jvm/threadactivity.h"

#include <cstdint>
#include <cstdlib>

// Files that may be thread dumps. What is read obeys the limits.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace lockkeeper::jvm;
    const QByteArray file(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    const auto dumps = threadDumpsIn(file, QTimeZone::utc());
    if (!dumps)
        return 0;
    for (const ThreadDump& dump : *dumps) {
        for (const JavaThread& thread : dump.threads) {
            const ThreadActivity found = activityOf(thread);
            const bool isInFrames = !found.code || std::ranges::find(thread.frames, *found.code) != thread.frames.end();
            if (!isInFrames || thread.frames.size() > mostFrames)
                std::abort();
        }
    }
    return 0;
}
