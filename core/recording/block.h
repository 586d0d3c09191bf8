// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <algorithm>
#include <optional>

// The file of a recording: fileHead, then blocks until its end. Each block has a head of a fixed size with a checksum,
// and compressed content. A block can be read without the blocks before it.
namespace lockkeeper::recording {

// 2: captions. 3: lab sessions. 4: in a lab, clients that are cut off, and changes by hand. 5: whether the times were
// stretched. 6: in a lab, that a client knows of its loss. 7: in a lab, which keys are old. 8: entries with their size,
// texts before them; why a lock was not watched, and whether its lease was counted down evenly. 9: locks of other
// programs, since when the permits of semaphores have their leases, fair waiters without a
// deadline, silent replicas, and that a server came back empty. 10: what the clients have set for their locks. 11: what
// is not known where a recording was made of a trace; what thread dumps have shown of holders.
constexpr quint32 formatVersion = 11;
constexpr quint32 firstFramedVersion = 8;
// Magic bytes and the version. The magic bytes reveal a file that was changed as if it were text.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray fileHead();
constexpr qsizetype fileHeadSize = 12;
// The version in the first bytes of a file; nothing if the file is not a recording.
[[nodiscard]] std::optional<quint32> versionIn(const QByteArray& fileHead);

enum class BlockKind : quint8 {
    Info = 'I',  // about the whole recording; the first block
    Data = 'D',
    End = 'E'  // the last block of a whole recording; empty
};

struct BlockHead {
    BlockKind kind = BlockKind::Data;
    SteadyTime first{};  // time of its first record
    SteadyTime last{};
    WallTime firstWall{};
    quint32 size = 0;        // of the content before compression
    quint32 storedSize = 0;  // of the content after compression
    quint64 checksum = 0;    // of the whole head and the stored content
};

constexpr qsizetype blockHeadSize = 41;
// No block is larger, before or after compression.
constexpr qsizetype largestBlock = 64 * 1024 * 1024;
// The content of a block is at most so many times as large as it is in the file. Real recordings are compressed to a
// fifth at best. A forged one can be compressed to a thousandth, and would take so much more memory than its size
// promises.
constexpr qint64 mostCompressed = 32;
// The memory that the texts of a block may take, and the values of each of its entries.
[[nodiscard]] constexpr qsizetype roomForValues(qsizetype storedSize) {
    constexpr qsizetype least = 16 * 1024 * 1024;
    constexpr qsizetype most = 256 * 1024 * 1024;
    constexpr qsizetype forEachByte = 256;
    return std::min(most, least + forEachByte * storedSize);
}

struct Block {
    BlockHead head;
    QByteArray content;
};

// The bytes of a block in the file. Computes the sizes and the checksum of its head.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray sealed(const Block& block);
// Reads the head of a block; nothing if the bytes cannot be one.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<BlockHead> headIn(const QByteArray& bytes);
[[nodiscard]] bool isIntact(const BlockHead& head, const QByteArray& stored);
// The decompressed content; nothing if it cannot be decompressed, or does not have the size that its head has.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<QByteArray> contentOf(const BlockHead& head,
                                                                            const QByteArray& stored);

}  // namespace lockkeeper::recording
