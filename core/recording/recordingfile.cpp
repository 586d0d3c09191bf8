// SPDX-License-Identifier: Apache-2.0
#include "recording/recordingfile.h"

#include "base/regularfile.h"
#include "recording/clienttrace.h"

#include <QBuffer>
#include <QFile>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

constexpr qint64 longestTrace = 16 * 1024 * 1024;

OpenProblem problemOf(const Error& notOpened) {
    if (notOpened.cause == Cause::NotAFile)
        return {OpenProblem::Kind::NotAFile, {}};
    return {OpenProblem::Kind::NotReadable, notOpened.arguments.value(1)};
}

}  // namespace

RecordingFile::RecordingFile(std::unique_ptr<QIODevice> file, quint32 version, RecordingInfo info)
    : m_file(std::move(file)), m_version(version), m_info(std::move(info)) {}

RecordingFile::Opened RecordingFile::open(const QString& path) {
    auto file = std::make_unique<QFile>(path);
    if (const Result<Done> opened = openRegularFile(*file); !opened)
        return {nullptr, problemOf(opened.error())};
    return file->peek(1) == "{" ? readTrace(*file) : read(std::move(file));
}

RecordingFile::Opened RecordingFile::readTrace(QIODevice& file) {
    const std::optional<ClientTrace> trace = clientTraceIn(file.read(longestTrace));
    if (!trace)
        return {nullptr, {OpenProblem::Kind::NotRecording, {}}};
    auto recording = std::make_unique<QBuffer>();
    recording->setData(recordingOf(*trace));
    recording->open(QIODevice::ReadOnly);
    return read(std::move(recording));
}

RecordingFile::Opened RecordingFile::read(std::unique_ptr<QIODevice> file) {
    const std::optional<quint32> version = versionIn(file->read(fileHeadSize));
    if (version && *version > formatVersion)
        return {nullptr, {OpenProblem::Kind::Newer, QString::number(*version)}};
    const std::optional<BlockHead> head = headIn(file->read(blockHeadSize));
    if (!version || !head || head->kind != BlockKind::Info)
        return {nullptr, {OpenProblem::Kind::NotRecording, {}}};
    const QByteArray stored = file->read(head->storedSize);
    const std::optional<QByteArray> content = isIntact(*head, stored) ? contentOf(*head, stored) : std::nullopt;
    const std::optional<RecordingInfo> info = content ? infoIn(*content, *version) : std::nullopt;
    if (!info)
        return {nullptr, {OpenProblem::Kind::NotRecording, {}}};
    const qint64 offset = file->pos();
    std::unique_ptr<RecordingFile> opened(new RecordingFile(std::move(file), *version, *info));
    opened->readHeads(offset);
    return {std::move(opened)};
}

void RecordingFile::readHeads(qint64 offset) {
    FileEnd::Kind kind = FileEnd::Kind::CutOff;
    for (;;) {
        const size_t before = m_blocks.size();
        kind = readHead(offset);
        if (m_blocks.size() == before)
            break;
    }
    m_end = {kind, offset, wallAt(last())};
}

// Adds the block at the offset if it has data and is intact. Otherwise returns how the file ends there.
FileEnd::Kind RecordingFile::readHead(qint64& offset) {
    const QByteArray bytes = m_file->seek(offset) ? m_file->read(blockHeadSize) : QByteArray();
    if (bytes.size() < blockHeadSize)
        return FileEnd::Kind::CutOff;
    const std::optional<BlockHead> head = headIn(bytes);
    if (!head)
        return FileEnd::Kind::Damaged;
    const QByteArray stored = m_file->read(head->storedSize);
    if (stored.size() < static_cast<qsizetype>(head->storedSize))
        return FileEnd::Kind::CutOff;
    if (!isIntact(*head, stored) || head->kind == BlockKind::Info)
        return FileEnd::Kind::Damaged;
    if (head->kind == BlockKind::Data) {
        m_blocks.push_back(*head);
        m_offsets.push_back(offset + blockHeadSize);
    }
    offset += blockHeadSize + head->storedSize;
    return FileEnd::Kind::Whole;
}

SteadyTime RecordingFile::first() const {
    return m_blocks.empty() ? m_info.begunSteady : m_blocks.front().first;
}

SteadyTime RecordingFile::last() const {
    return m_blocks.empty() ? m_info.begunSteady : m_blocks.back().last;
}

// The wall clock may have been set meanwhile, so each block has its own relation between the two clocks.
WallTime RecordingFile::wallAt(SteadyTime time) const {
    const auto after = std::ranges::upper_bound(m_blocks, time, {}, &BlockHead::first);
    const bool isBefore = after == m_blocks.begin();
    const SteadyTime steady = isBefore ? m_info.begunSteady : std::prev(after)->first;
    const WallTime wall = isBefore ? m_info.begun : std::prev(after)->firstWall;
    return wall + std::chrono::duration_cast<WallTime::duration>(time - steady);
}

std::vector<Record> RecordingFile::records(size_t block) {
    if (block >= m_blocks.size())
        return {};
    const BlockHead head = m_blocks[block];
    const QByteArray stored = m_file->seek(m_offsets[block]) ? m_file->read(head.storedSize) : QByteArray();
    const std::optional<QByteArray> content = isIntact(head, stored) ? contentOf(head, stored) : std::nullopt;
    std::optional<std::vector<Record>> records = content ? recordsIn(*content, m_nodes, m_version) : std::nullopt;
    if (records)
        return std::move(*records);
    const qint64 offset = m_offsets[block] - blockHeadSize;
    m_blocks.resize(block);
    m_offsets.resize(block);
    m_end = {FileEnd::Kind::Damaged, offset, wallAt(last())};
    return {};
}

}  // namespace lockkeeper::recording
