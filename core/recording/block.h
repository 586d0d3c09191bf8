// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QByteArray>

#include <optional>

// The file of a recording: fileHead, then blocks until its end. Each block has a head of a fixed size with a checksum,
// and compressed content; it can be read without the ones before.
namespace lockkeeper::recording {

// 2: captions. 3: lab sessions. 4: in a lab, who is cut off, and changes by hand. 5: whether its times were
// stretched. 6: in a lab, that a client knows of its loss. 7: in a lab, which keys are old.
constexpr quint32 formatVersion = 7;
// Magic bytes and the version. The magic bytes show a file that was changed as if it were text.
[[nodiscard]] QByteArray fileHead();
constexpr qsizetype fileHeadSize = 12;
// The version that these first bytes name; nothing if it is no recording.
[[nodiscard]] std::optional<quint32> versionIn(const QByteArray& fileHead);

enum class BlockKind : quint8 {
    Info = 'I',  // what the recording is of; the first block
    Data = 'D',
    End = 'E'  // the last block of a whole recording; empty
};

struct BlockHead {
    BlockKind kind = BlockKind::Data;
    SteadyTime first{};  // of its first record
    SteadyTime last{};
    WallTime firstWall{};
    quint32 size = 0;        // of the content before compression
    quint32 storedSize = 0;  // after it
    quint64 checksum = 0;    // of all this and the stored content
};

constexpr qsizetype blockHeadSize = 41;
// No block is larger, before or after compression.
constexpr qsizetype largestBlock = 64 * 1024 * 1024;

struct Block {
    BlockHead head;
    QByteArray content;
};

// The bytes of a block in the file. Sizes and checksum of its head are computed here.
[[nodiscard]] QByteArray sealed(const Block& block);
// Nothing if the bytes cannot be the head of a block.
[[nodiscard]] std::optional<BlockHead> headIn(const QByteArray& bytes);
[[nodiscard]] bool isIntact(const BlockHead& head, const QByteArray& stored);
// Nothing if it cannot be decompressed.
[[nodiscard]] std::optional<QByteArray> contentOf(const BlockHead& head, const QByteArray& stored);

}  // namespace lockkeeper::recording
