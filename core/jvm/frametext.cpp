// SPDX-License-Identifier: Apache-2.0
#include "jvm/frametext.h"

#include "jvm/dumpreader.h"

#include <array>

namespace lockkeeper::jvm {

namespace {

// The module or class loader before the class. The "/0x" within the name of a hidden class is not such an end.
QStringView withoutModule(QStringView method) {
    const qsizetype slash = method.indexOf(u'/');
    if (slash < 0 || method.sliced(slash + 1).startsWith(u"0x"))
        return method;
    return withoutModule(method.sliced(slash + 1));
}

}  // namespace

std::optional<Frame> frameOf(QStringView text) {
    constexpr qsizetype longest = 1000;
    const qsizetype open = text.indexOf(u'(');
    if (open <= 0 || text.size() > longest || !text.trimmed().endsWith(u')'))
        return std::nullopt;
    const QStringView method = withoutModule(text.first(open).trimmed());
    if (!method.contains(u'.') || method.contains(u' '))
        return std::nullopt;
    QStringView place = text.sliced(open + 1).trimmed().chopped(1);
    place = place.sliced(place.lastIndexOf(u'/') + 1);
    // "X.java:120(Compiled Code)" of OpenJ9.
    const qsizetype note = place.indexOf(u'(');
    place = note < 0 ? place : place.first(note);
    return Frame{method.toString(), place.toString()};
}

void addFrame(JavaThread& thread, std::optional<Frame> frame) {
    if (!frame)
        return;
    if (thread.frames.size() < mostFrames)
        thread.frames.push_back(*std::move(frame));
    else
        thread.areFramesCut = true;
}

ThreadState stateOf(QStringView text) {
    struct Word {
        QStringView word;
        ThreadState state;
    };
    static constexpr std::array words{Word{u"TIMED_WAITING", ThreadState::TimedWaiting},
                                      Word{u"WAITING", ThreadState::Waiting},
                                      Word{u"RUNNABLE", ThreadState::Runnable},
                                      Word{u"BLOCKED", ThreadState::Blocked},
                                      Word{u"NEW", ThreadState::New},
                                      Word{u"TERMINATED", ThreadState::Terminated}};
    for (const Word& word : words)
        if (text.startsWith(word.word))
            return word.state;
    return ThreadState::Unknown;
}

std::optional<int> javaVersionOf(QStringView text) {
    const auto numberAt = [&text](qsizetype at) {
        qsizetype end = at;
        while (end < text.size() && text[end].isDigit())
            ++end;
        bool ok = false;
        const int number = text.sliced(at, end - at).toInt(&ok);
        return ok ? std::optional(number) : std::nullopt;
    };
    const std::optional<int> first = numberAt(0);
    if (first == 1 && text.size() > 2 && text[1] == u'.')  // "1.8" was the eighth
        return numberAt(2);
    return first;
}

QString threadName(QStringView text) {
    constexpr qsizetype longest = 200;
    return text.first(std::min(longest, text.size())).toString();
}

}  // namespace lockkeeper::jvm
