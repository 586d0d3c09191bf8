// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/archive.h"
#include "recording/block.h"
#include "recording/recordcodec.h"
#include "support/recordingsample.h"

#include <QCryptographicHash>
#include <QtEndian>

namespace lockkeeper::test {

// Parts of recordings that no program writes, with right checksums.

// A block with a head that has this size of the content, whatever the stored bytes are. storedSize: theirs, if not
// given.
inline QByteArray forgedBlock(recording::BlockKind kind, quint32 size, const QByteArray& stored,
                              std::optional<quint32> storedSize = std::nullopt) {
    QByteArray head(33, '\0');
    head[0] = static_cast<char>(kind);
    qToLittleEndian(size, head.data() + 25);
    qToLittleEndian(storedSize.value_or(static_cast<quint32>(stored.size())), head.data() + 29);
    const QByteArray hash = QCryptographicHash::hash(head + stored, QCryptographicHash::Sha256);
    return head + hash.first(8) + stored;
}

inline QByteArray compressedBlock(recording::BlockKind kind, const QByteArray& content) {
    return forgedBlock(kind, static_cast<quint32>(content.size()), qCompress(content, 9));
}

// The head of a file and its first block.
inline QByteArray recordingBegin() {
    return recording::fileHead() + recording::sealed(recording::infoBlock(sampleInfo(), nullptr));
}

// The content of a block: its texts, and the values of entries of one kind.
inline QByteArray forgedContent(const QByteArrayList& texts, quint64 kind, const QByteArrayList& entries) {
    recording::ArchiveWriter all;
    all.unsignedNumber(static_cast<quint64>(texts.size()));
    for (const QByteArray& text : texts)
        all.raw(text);
    all.number(0);  // the wall clock before the steady one
    for (const QByteArray& entry : entries) {
        all.unsignedNumber(kind);
        all.time(SteadyTime());
        all.raw(entry);
    }
    return all.bytes();
}

}  // namespace lockkeeper::test
