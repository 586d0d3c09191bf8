// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/monitortrace.h"

#include "recording/monitortrace/tracespool.h"
#include "recording/monitortrace/tracetextreader.h"

#include <QStringDecoder>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

constexpr qsizetype traceChunk = 128 * 1024;  // about a thousand lines: then it asks whether to stop
// The greatest size of what is made of a text.
constexpr qint64 mostRecorded = qint64{4} * 1024 * 1024 * 1024;
// A file that has shown nothing in so many bytes and lines is something else.
constexpr qint64 mostBytesInVain = 256 * 1024 * 1024;
constexpr quint64 mostLinesInVain = 1000;
// The beginning that decides whether there are lines of scripts.
constexpr qsizetype sampleSize = 1024 * 1024;

// Some terminals write UTF-16.
std::optional<QStringConverter::Encoding> wideEncodingOf(const QByteArray& beginning) {
    if (beginning.startsWith("\xff\xfe"))
        return QStringConverter::Utf16LE;
    if (beginning.startsWith("\xfe\xff"))
        return QStringConverter::Utf16BE;
    return std::nullopt;
}

}  // namespace

Result<TraceRecording> recordTrace(QIODevice& text, const QString& server, WallTime stateAt,
                                   const TraceProgress& progress) {
    const QByteArray sample = text.peek(sampleSize);
    const std::optional<QStringConverter::Encoding> wide = wideEncodingOf(sample);
    QStringDecoder decoder(wide.value_or(QStringConverter::Utf8));
    const auto plain = [&](const QByteArray& bytes) { return wide ? QString(decoder.decode(bytes)).toUtf8() : bytes; };
    TraceTextReader::Options options;
    options.server = server;
    options.scripts = scriptsIn(wide ? QString(QStringDecoder(*wide).decode(sample)).toUtf8() : sample);
    options.stateAt = std::chrono::duration_cast<ServerTime>(stateAt.time_since_epoch());
    TraceSpool spool(server);
    const TraceNotes* notes = nullptr;
    TraceTextReader reader(options, [&](const Record& record, WallTime wall) { spool.add(record, wall, notes->kind); });
    notes = &reader.notes();
    bool isFull = false;
    int percent = -1;
    for (qint64 done = 0; !isFull;) {
        if (progress.stop.stop_requested())
            return Error(ErrorCode::Cancelled, Cause::Cancelled);
        const QByteArray chunk = text.read(traceChunk);
        if (chunk.isEmpty())
            break;
        reader.feed(plain(chunk));
        done += chunk.size();
        isFull = spool.size() >= mostRecorded;
        if (done >= mostBytesInVain && reader.linesRead() >= mostLinesInVain && !reader.hasFound())
            break;
        const qint64 whole = std::max<qint64>(text.size(), 1);
        const int now = static_cast<int>(std::min<qint64>(done * 100 / whole, 100));
        if (now > std::exchange(percent, std::max(percent, now)) && progress.progressed)
            progress.progressed(now);
        if (spool.hasFailed())
            return Error(ErrorCode::Storage, Cause::FileNotWritten, {QStringLiteral("temporary"), spool.failure()});
    }
    reader.end();
    TraceRecording made;
    made.notes = reader.notes();
    made.notes.isFull = isFull;
    if (!reader.hasFound())
        return made;
    made.recording = spool.take();
    if (spool.hasFailed())
        return Error(ErrorCode::Storage, Cause::FileNotWritten, {QStringLiteral("temporary"), QString()});
    return made;
}

}  // namespace lockkeeper::recording
