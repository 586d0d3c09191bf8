// SPDX-License-Identifier: Apache-2.0
#include "jvm/threadchange.h"

#include "jvm/threadactivity.h"

namespace lockkeeper::jvm {

namespace {

// FNV-1a.
constexpr quint64 firstNumber = 14695981039346656037U;
constexpr quint64 factor = 1099511628211U;

quint64 with(quint64 number, const QString& text) {
    for (const QChar one : text)
        number = (number ^ one.unicode()) * factor;
    return (number ^ u'\n') * factor;
}

bool mustHave(const ThreadDump& dump, qint64 thread) {
    return dump.hasAllThreads() && thread <= dump.newestId().value_or(0);
}

}  // namespace

quint64 stackNumber(const JavaThread& thread) {
    if (thread.frames.empty())
        return 0;
    quint64 number = firstNumber;
    for (const Frame& frame : thread.frames)
        number = with(with(number, frame.method), frame.place);
    return std::max<quint64>(number, 1);
}

ThreadChange threadChange(const ThreadDump& before, const ThreadDump& after, qint64 thread,
                          const QStringList& application) {
    const JavaThread* earlier = before.thread(thread);
    const JavaThread* later = after.thread(thread);
    if (earlier && !later && mustHave(after, thread))
        return ThreadChange::HasEnded;
    if (!earlier && later && before.newestId() && thread > *before.newestId())
        return ThreadChange::HasBegun;
    if (!earlier || !later || earlier->frames.empty() || later->frames.empty())
        return ThreadChange::Unknown;
    if (earlier->frames == later->frames)
        return ThreadChange::SameStack;
    const std::optional<Frame> code = activityOf(*earlier, application).code;
    return code && code == activityOf(*later, application).code ? ThreadChange::SameCode : ThreadChange::Moved;
}

}  // namespace lockkeeper::jvm
