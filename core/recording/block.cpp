// SPDX-License-Identifier: Apache-2.0
#include "recording/block.h"

#include <QCryptographicHash>
#include <QScopeGuard>
#include <QtEndian>

#define ZLIB_CONST  // the bytes to be decompressed are not changed
#include <zlib.h>

namespace lockkeeper::recording {

namespace {

using Nanoseconds = std::chrono::nanoseconds;

const QByteArray magic = QByteArrayLiteral("LKREC\r\n\x1a");
constexpr qsizetype checksumSize = 8;

template <typename T>
void put(QByteArray& bytes, T number) {
    const T little = qToLittleEndian(number);
    bytes.append(reinterpret_cast<const char*>(&little), sizeof little);
}

template <typename T>
T take(const char*& from) {
    const T number = qFromLittleEndian<T>(from);
    from += sizeof(T);
    return number;
}

template <typename Time>
qint64 number(Time time) {
    return std::chrono::duration_cast<Nanoseconds>(time.time_since_epoch()).count();
}

template <typename Time>
Time timeOf(qint64 nanoseconds) {
    return Time(std::chrono::duration_cast<typename Time::duration>(Nanoseconds(nanoseconds)));
}

// The bytes of the head without the checksum.
QByteArray bytesOf(const BlockHead& head) {
    QByteArray bytes;
    put(bytes, static_cast<quint8>(head.kind));
    put(bytes, number(head.first));
    put(bytes, number(head.last));
    put(bytes, number(head.firstWall));
    put(bytes, head.size);
    put(bytes, head.storedSize);
    return bytes;
}

quint64 checksumOf(const BlockHead& head, const QByteArray& stored) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(bytesOf(head));
    hash.addData(stored);
    return qFromLittleEndian<quint64>(hash.result().constData());
}

// In front of the compressed bytes, as qCompress() writes it: the size of the content.
constexpr qsizetype sizeBefore = 4;

// Decompresses in steps and stops behind `size` bytes, so that memory is allocated for bytes that are there. Nothing if
// these are not exactly the content.
std::optional<QByteArray> inflated(const QByteArray& stored, qsizetype size) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return std::nullopt;
    const auto ended = qScopeGuard([&stream] { inflateEnd(&stream); });
    stream.next_in = reinterpret_cast<const Bytef*>(stored.constData()) + sizeBefore;
    stream.avail_in = static_cast<uInt>(stored.size() - sizeBefore);
    constexpr qsizetype step = 256 * 1024;
    QByteArray content;
    int result = Z_OK;
    while (result == Z_OK && content.size() <= size) {
        const qsizetype before = content.size();
        content.resize(before + std::min(step, size + 1 - before));
        stream.next_out = reinterpret_cast<Bytef*>(content.data()) + before;
        stream.avail_out = static_cast<uInt>(content.size() - before);
        result = inflate(&stream, Z_NO_FLUSH);
        content.chop(stream.avail_out);
    }
    return result == Z_STREAM_END && content.size() == size ? std::optional(content) : std::nullopt;
}

bool isKind(quint8 kind) {
    return kind == static_cast<quint8>(BlockKind::Info) || kind == static_cast<quint8>(BlockKind::Data) ||
           kind == static_cast<quint8>(BlockKind::End);
}

}  // namespace

QByteArray fileHead() {
    QByteArray bytes = magic;
    put(bytes, formatVersion);
    return bytes;
}

std::optional<quint32> versionIn(const QByteArray& fileHead) {
    if (fileHead.size() < fileHeadSize || !fileHead.startsWith(magic))
        return std::nullopt;
    return qFromLittleEndian<quint32>(fileHead.constData() + magic.size());
}

// Content that can be compressed very much is written as it is, because a reader refuses it otherwise.
QByteArray sealed(const Block& block) {
    QByteArray stored = qCompress(block.content);
    if (block.content.size() > mostCompressed * stored.size())
        stored = qCompress(block.content, 0);
    BlockHead head = block.head;
    head.size = static_cast<quint32>(block.content.size());
    head.storedSize = static_cast<quint32>(stored.size());
    QByteArray bytes = bytesOf(head);
    put(bytes, checksumOf(head, stored));
    return bytes + stored;
}

std::optional<BlockHead> headIn(const QByteArray& bytes) {
    static_assert(blockHeadSize == 1 + 3 * 8 + 2 * 4 + checksumSize);
    if (bytes.size() < blockHeadSize)
        return std::nullopt;
    const char* from = bytes.constData();
    const auto kind = take<quint8>(from);
    BlockHead head;
    head.kind = static_cast<BlockKind>(kind);
    head.first = timeOf<SteadyTime>(take<qint64>(from));
    head.last = timeOf<SteadyTime>(take<qint64>(from));
    head.firstWall = timeOf<WallTime>(take<qint64>(from));
    head.size = take<quint32>(from);
    head.storedSize = take<quint32>(from);
    head.checksum = take<quint64>(from);
    const bool fits = head.size <= largestBlock && head.storedSize <= largestBlock;
    return isKind(kind) && fits ? std::optional(head) : std::nullopt;
}

bool isIntact(const BlockHead& head, const QByteArray& stored) {
    return stored.size() == static_cast<qsizetype>(head.storedSize) && checksumOf(head, stored) == head.checksum;
}

std::optional<QByteArray> contentOf(const BlockHead& head, const QByteArray& stored) {
    if (stored.size() < sizeBefore || qFromBigEndian<quint32>(stored.constData()) != head.size)
        return std::nullopt;
    return inflated(stored, head.size);
}

}  // namespace lockkeeper::recording
