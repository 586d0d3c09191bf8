// SPDX-License-Identifier: Apache-2.0
#include "ui/words/tracetext.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace lockkeeper::ui {

namespace {

struct TraceText {
    Q_DECLARE_TR_FUNCTIONS(TraceText)
};

int shownNumber(quint64 number) {
    return static_cast<int>(std::min<quint64>(number, std::numeric_limits<int>::max()));
}

QStringList stateNotes(const recording::TraceNotes& notes) {
    QStringList lines{
        notes.isPasted
            ? TraceText::tr(
                  "this is one state, as redis-cli has shown it: it has the time at which it was pasted, and nothing is "
                  "known of the time before and after it, of messages, and of clients that wait")
            : TraceText::tr(
                  "this is one state, as redis-cli has shown it: it has the time of the file, and nothing is known of "
                  "the time before and after it, of messages, and of clients that wait")};
    if (notes.databases.empty())
        lines << TraceText::tr(
            "no answer in it shows a lock: the hash of a lock that is held has a field UUID:THREAD with a number. HGETALL "
            "of its name shows it, and PTTL its time");
    if (notes.withoutTtl > 0)
        lines << TraceText::tr("the TTL of %Ln lock(s) is not in the text, so the end of the lease is not known",
                               nullptr, shownNumber(notes.withoutTtl));
    return lines;
}

QStringList monitorNotes(const recording::TraceNotes& notes) {
    QStringList lines;
    if (notes.databases.empty() && notes.unknownScripts == 0)
        lines << TraceText::tr("this trace shows no lock");
    if (notes.unknownScripts > 0)
        lines << TraceText::tr(
            "the effects of %Ln script(s) about locks are not known: the trace has neither their text nor the lines "
            "marked \"lua\". Take it without a filter",
            nullptr, shownNumber(notes.unknownScripts));
    if (notes.assumedAcquired > 0)
        lines << TraceText::tr(
            "%Ln lock(s) are taken as acquired by the first script about them, because a trace has no answers and "
            "nothing contradicts it",
            nullptr, shownNumber(notes.assumedAcquired));
    if (notes.reckonedEnds > 0)
        lines << TraceText::tr(
            "%Ln lease(s) ended by the reckoning from their last renewal: a trace does not show that a key expires",
            nullptr, shownNumber(notes.reckonedEnds));
    if (notes.cutLines > 0)
        lines << TraceText::tr("%Ln line(s) are cut off or too long, and were left out", nullptr,
                               shownNumber(notes.cutLines));
    if (notes.outOfOrder > 0)
        lines << TraceText::tr("%Ln line(s) are a little older than a line before, and have the time of that line",
                               nullptr, shownNumber(notes.outOfOrder));
    if (notes.clockJumps > 0)
        lines << TraceText::tr(
            "the times jump %Ln time(s), because the clock was set or the lines are of another server: what follows has "
            "times that go on from the line before",
            nullptr, shownNumber(notes.clockJumps));
    lines << TraceText::tr(
        "a trace does not show locks that nothing has touched, clients whose connection was lost, and replicas");
    return lines;
}

}  // namespace

QStringList traceNotes(const recording::TraceNotes& notes) {
    QStringList lines = notes.kind == recording::TraceNotes::Kind::State ? stateNotes(notes) : monitorNotes(notes);
    if (notes.databases.size() > 1)
        lines << TraceText::tr("locks of other databases than %1 have the number of their database behind their name")
                     .arg(notes.databases.front());
    if (notes.leftOut > 0)
        lines << TraceText::tr("%Ln key(s) are beyond the limit of what is kept, and were left out", nullptr,
                               shownNumber(notes.leftOut));
    if (notes.isFull)
        lines << TraceText::tr("the recording has its greatest size, and the rest of the text was not read");
    return lines;
}

QString traceNotesText(const recording::TraceNotes& notes) {
    QStringList sentences = traceNotes(notes);
    for (QString& sentence : sentences)
        sentence = sentence.left(1).toUpper() + sentence.mid(1) + u'.';
    return sentences.join(u' ');
}

}  // namespace lockkeeper::ui
