// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/recordcodec.h"
#include "recording/recordingfile.h"
#include "recording/recordingwriter.h"
#include "support/locksnapshots.h"

#include <QFile>
#include <QTest>

namespace lockkeeper::test {

// Records for recordings that tests make by hand.

inline recording::Record readAt(Milliseconds at, const monitor::LockSnapshot& lock, int messages = 0) {
    monitor::LockRead read;
    read.lock = lock;
    read.between.messages = messages;
    return {SteadyTime(std::chrono::hours(1) + at), monitor::StoreInput(read)};
}

inline recording::Record batchAt(Milliseconds at) {
    recording::BatchEnded ended;
    ended.at = WallTime(at);
    return {SteadyTime(std::chrono::hours(1) + at), ended};
}

inline recording::Record deliveredAt(Milliseconds at) {
    return {SteadyTime(std::chrono::hours(1) + at), recording::BatchDelivered()};
}

inline recording::Record linkAt(Milliseconds at, recording::LinkStatus::Phase phase) {
    recording::LinkStatus link;
    link.phase = phase;
    link.server = QStringLiteral("redis.example:6379");
    return {SteadyTime(std::chrono::hours(1) + at), link};
}

inline recording::Record captionAt(Milliseconds at, const QString& text) {
    return {SteadyTime(std::chrono::hours(1) + at), recording::Caption{text}};
}

inline recording::RecordingInfo sampleInfo() {
    recording::RecordingInfo info;
    info.program = QStringLiteral("0.1.0");
    info.server = QStringLiteral("redis.example:6379");
    info.begunSteady = SteadyTime(std::chrono::hours(1));
    info.begun = WallTime(Milliseconds(0));
    return info;
}

enum class SampleEnd { InOrder, Killed };

// One block for each list of records.
inline void writeRecording(const QString& path, const std::vector<std::vector<recording::Record>>& blocks,
                           const recording::Mask* mask = nullptr, SampleEnd end = SampleEnd::InOrder,
                           const recording::RecordingInfo& info = sampleInfo()) {
    recording::RecordingWriter writer(path, std::numeric_limits<qint64>::max());
    Q_ASSERT(writer.open(recording::infoBlock(info, mask)).ok());
    for (const std::vector<recording::Record>& records : blocks) {
        recording::BlockBuilder block(mask);
        for (const recording::Record& record : records)
            block.add(record, WallTime(std::chrono::duration_cast<Milliseconds>(record.at -
                                                                                SteadyTime(std::chrono::hours(1)))));
        Q_ASSERT(writer.write(block.take()).ok());
    }
    if (end == SampleEnd::InOrder)
        Q_ASSERT(writer.end().ok());
}

// The records of a block that the file still has.
inline std::vector<recording::Record> recordsOf(recording::RecordingFile& file, size_t block) {
    std::vector<recording::Record> all;
    recording::RecordingFile::Records records = file.records(block);
    while (std::optional<recording::Record> record = records.next())
        all.push_back(std::move(*record));
    return all;
}

// The records of a block's content; nothing if one of them cannot be read.
inline std::optional<std::vector<recording::Record>> recordsIn(const QByteArray& content) {
    recording::KnownNodes nodes;
    recording::RecordReader reader(content, nodes, recording::formatVersion, recording::roomForValues(content.size()));
    std::vector<recording::Record> records;
    while (std::optional<recording::Record> record = reader.next())
        records.push_back(std::move(*record));
    const bool isWhole = reader.fault() == recording::ArchiveFault::None && !reader.hasSkipped();
    return isWhole ? std::optional(std::move(records)) : std::nullopt;
}

inline QByteArray contentOfFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void putFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

// Damages the last block of data of the recording.
inline void damage(const QString& path) {
    QByteArray content = contentOfFile(path);
    putFile(path, content.replace(content.size() - 150, 6, "damage"));
}

}  // namespace lockkeeper::test
