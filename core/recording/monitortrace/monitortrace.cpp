// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/monitortrace.h"

#include "base/regularfile.h"
#include "recording/monitortrace/tracetextreader.h"
#include "recording/recordcodec.h"

#include <QBuffer>
#include <QStringDecoder>
#include <QTemporaryFile>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

constexpr qsizetype traceChunk = 1024 * 1024;
constexpr qsizetype fullTraceBlock = 256 * 1024;
// A larger recording is written to a file.
constexpr qint64 mostInMemory = 16 * 1024 * 1024;
constexpr qint64 mostInFile = qint64{4} * 1024 * 1024 * 1024;
// A file that has shown nothing in so many bytes and lines is something else.
constexpr qint64 mostBytesInVain = 256 * 1024 * 1024;
constexpr quint64 mostLinesInVain = 1000;
// The beginning that decides whether there are lines of scripts.
constexpr qsizetype sampleSize = 1024 * 1024;

// Keeps a recording while it is made.
class TraceSpool {
public:
    explicit TraceSpool(QString server) : m_server(std::move(server)) {}

    void add(const Record& record, WallTime wall, TraceNotes::Kind kind) {
        if (!m_hasBegun)
            begin(record, wall, kind);
        m_block.add(record, wall);
        if (m_block.size() >= fullTraceBlock)
            append(sealed(m_block.take()));
    }
    [[nodiscard]] bool isFull() const noexcept { return m_size >= mostInFile; }
    [[nodiscard]] bool hasFailed() const noexcept { return m_hasFailed; }
    [[nodiscard]] QString failure() const { return m_device->errorString(); }

    // The whole recording, at its begin.
    [[nodiscard]] std::unique_ptr<QIODevice> take() {
        if (!m_block.isEmpty())
            append(sealed(m_block.take()));
        Block last;
        last.head.kind = BlockKind::End;
        append(sealed(last));
        m_device->seek(0);
        return std::move(m_device);
    }

private:
    void begin(const Record& record, WallTime wall, TraceNotes::Kind kind) {
        m_hasBegun = true;
        m_device = std::make_unique<QBuffer>();
        m_device->open(QIODevice::ReadWrite);
        RecordingInfo info;
        info.server = m_server;
        info.program = kind == TraceNotes::Kind::Monitor ? QStringLiteral("MONITOR") : QStringLiteral("redis-cli");
        info.begun = wall;
        info.begunSteady = record.at;
        append(fileHead() + sealed(infoBlock(info, nullptr)));
    }
    void append(const QByteArray& bytes) {
        if (m_hasFailed)
            return;
        if (!m_isFile && m_size + bytes.size() > mostInMemory)
            moveToFile();
        m_hasFailed = m_hasFailed || !writeWhole(*m_device, bytes);
        m_size += bytes.size();
    }
    void moveToFile() {
        auto file = std::make_unique<QTemporaryFile>();
        m_isFile = true;
        m_device->seek(0);
        m_hasFailed = !file->open() || !writeWhole(*file, m_device->readAll());
        m_device = std::move(file);
    }

    const QString m_server;
    BlockBuilder m_block;
    std::unique_ptr<QIODevice> m_device;
    qint64 m_size = 0;
    bool m_hasBegun = false;
    bool m_isFile = false;
    bool m_hasFailed = false;
};

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
        isFull = spool.isFull();
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
