// SPDX-License-Identifier: Apache-2.0
#include "recording/block.h"

#include <QCryptographicHash>
#include <QtEndian>

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

QByteArray sealed(const Block& block) {
    const QByteArray stored = qCompress(block.content);
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

// The first four bytes of qCompress()'s result are the size, and qUncompress() allocates memory for it.
std::optional<QByteArray> contentOf(const BlockHead& head, const QByteArray& stored) {
    if (stored.size() < 4 || qFromBigEndian<quint32>(stored.constData()) != head.size)
        return std::nullopt;
    QByteArray content = qUncompress(stored);
    return content.size() == static_cast<qsizetype>(head.size) ? std::optional(content) : std::nullopt;
}

}  // namespace lockkeeper::recording
