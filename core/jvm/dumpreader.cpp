// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"

#include "jvm/jsondump.h"
#include "jvm/jvmcause.h"
#include "jvm/textdump.h"

#include <QStringConverter>

#include <zlib.h>

namespace lockkeeper::jvm {

namespace {

constexpr qsizetype bytesPerMegabyte = 1'000'000;

Error tooLarge(qsizetype limit) {
    return Error(ErrorCode::InvalidArgument, JvmCause::TooLarge, {QString::number(limit / bytesPerMegabyte)});
}

bool isGzip(const QByteArray& file) {
    return file.startsWith("\x1f\x8b");
}

// A bomb ends at the limit.
Result<QByteArray> unpacked(const QByteArray& file) {
    z_stream stream{};
    constexpr int gzip = 16 + MAX_WBITS;
    if (inflateInit2(&stream, gzip) != Z_OK)
        return Error(ErrorCode::InvalidArgument, JvmCause::NotUnpacked);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file.data()));  // zlib's interface is not const
    stream.avail_in = static_cast<uInt>(file.size());
    QByteArray bytes;
    QByteArray piece(1 << 16, Qt::Uninitialized);
    int state = Z_OK;
    while (state == Z_OK && bytes.size() <= largestDumpFile) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        state = inflate(&stream, Z_NO_FLUSH);
        bytes.append(piece.constData(), piece.size() - static_cast<qsizetype>(stream.avail_out));
        // A file may have several members, one after the other.
        if (state == Z_STREAM_END && stream.avail_in > 0 && inflateReset(&stream) == Z_OK)
            state = Z_OK;
    }
    inflateEnd(&stream);
    // A file that was cut is read as far as it goes, as one that is not packed.
    const bool isCut = (state == Z_BUF_ERROR || state == Z_DATA_ERROR) && !bytes.isEmpty();
    if (state != Z_OK && state != Z_STREAM_END && !isCut)
        return Error(ErrorCode::InvalidArgument, JvmCause::NotUnpacked);
    return bytes;
}

// As the shell of Windows writes an output into a file.
QByteArray asUtf8(const QByteArray& file) {
    const bool isUtf16 = file.startsWith("\xff\xfe") || file.startsWith("\xfe\xff");
    return isUtf16 ? QString(QStringDecoder(QStringDecoder::Utf16)(file)).toUtf8() : file;
}

}  // namespace

Result<std::vector<ThreadDump>> threadDumpsIn(const QByteArray& file, const QTimeZone& zone) {
    if (file.size() > largestDumpFile)
        return tooLarge(largestDumpFile);
    const Result<QByteArray> bytes = isGzip(file) ? unpacked(file) : Result<QByteArray>(asUtf8(file));
    if (!bytes)
        return bytes.error();
    if (bytes->size() > largestDumpFile)
        return tooLarge(largestDumpFile);
    std::vector<ThreadDump> dumps;
    if (looksLikeJson(*bytes)) {
        if (bytes->size() > largestJsonDump)
            return tooLarge(largestJsonDump);
        Result<ThreadDump> dump = jsonDumpIn(*bytes);
        // A log may begin with a line of JSON.
        if (!dump)
            dumps = textDumpsIn(*bytes, zone);
        if (!dump && dumps.empty())
            return dump.error();
        if (dump)
            dumps.push_back(std::move(dump).value());
    } else {
        dumps = textDumpsIn(*bytes, zone);
    }
    for (ThreadDump& dump : dumps)
        std::ranges::stable_sort(dump.threads, {}, &JavaThread::id);
    if (dumps.empty())
        return Error(ErrorCode::InvalidArgument, JvmCause::NoDump);
    return dumps;
}

}  // namespace lockkeeper::jvm
