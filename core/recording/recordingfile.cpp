// SPDX-License-Identifier: Apache-2.0
#include "recording/recordingfile.h"

#include "base/regularfile.h"
#include "recording/clienttrace.h"

#include <QBuffer>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

constexpr qint64 longestTrace = 4 * 1024 * 1024;

OpenProblem problemOf(const Error& notOpened) {
    if (notOpened.cause == Cause::NotAFile)
        return {OpenProblem::Kind::NotAFile, {}};
    return {OpenProblem::Kind::NotReadable, notOpened.arguments.value(1)};
}

}  // namespace

RecordingFile::RecordingFile(std::unique_ptr<QIODevice> file, quint32 version)
    : m_file(std::move(file)), m_version(version) {}

RecordingFile::Opened RecordingFile::open(const RecordingSource& source, const TraceProgress& progress) {
    if (!source.text)
        return openFile(source.path, progress);
    auto buffer = std::make_unique<QBuffer>();
    buffer->setData(*source.text);
    buffer->open(QIODevice::ReadOnly);
    if (source.trace)
        return read(std::move(buffer), source.trace);
    Opened pasted = readText(*buffer, source.path, source.pastedAt, progress);
    if (pasted.file)
        pasted.file->m_trace->isPasted = true;
    return pasted;
}

RecordingFile::Opened RecordingFile::openFile(const QString& path, const TraceProgress& progress) {
    auto file = std::make_unique<QFile>(path);
    if (const Result<Done> opened = openRegularFile(*file); !opened)
        return {nullptr, problemOf(opened.error())};
    if (file->peek(1) == "{")
        return readScenario(*file);
    if (versionIn(file->peek(fileHeadSize)))
        return read(std::move(file));
    const QFileInfo info(path);
    const WallTime changed(Milliseconds(info.lastModified().toMSecsSinceEpoch()));
    return readText(*file, info.fileName(), changed, progress);
}

RecordingFile::Opened RecordingFile::readText(QIODevice& text, const QString& name, WallTime at,
                                              const TraceProgress& progress) {
    Result<TraceRecording> made = recordTrace(text, name, at, progress);
    if (!made && made.error().code == ErrorCode::Cancelled)
        return {nullptr, {OpenProblem::Kind::Stopped, {}}};
    if (!made)
        return {nullptr, {OpenProblem::Kind::NotReadable, made.error().arguments.value(1)}};
    if (!made->recording)
        return {nullptr, {OpenProblem::Kind::NotRecording, {}}};
    TraceRecording trace = std::move(made).value();
    return read(std::move(trace.recording), trace.notes);
}

RecordingFile::Opened RecordingFile::readScenario(QIODevice& file) {
    const std::optional<ClientTrace> trace = clientTraceIn(file.read(longestTrace));
    if (!trace)
        return {nullptr, {OpenProblem::Kind::NotRecording, {}}};
    auto recording = std::make_unique<QBuffer>();
    recording->setData(recordingOf(*trace));
    recording->open(QIODevice::ReadOnly);
    return read(std::move(recording));
}

RecordingFile::Opened RecordingFile::read(std::unique_ptr<QIODevice> file, std::optional<TraceNotes> trace) {
    const std::optional<quint32> version = versionIn(file->read(fileHeadSize));
    if (version && *version > formatVersion)
        return {nullptr, {OpenProblem::Kind::Newer, QString::number(*version)}};
    if (!version)
        return {nullptr, {OpenProblem::Kind::NotRecording, {}}};
    std::unique_ptr<RecordingFile> opened(new RecordingFile(std::move(file), *version));
    opened->m_trace = std::move(trace);
    if (const std::optional<OpenProblem> problem = opened->readInfo())
        return {nullptr, *problem};
    opened->readHeads();
    return {std::move(opened)};
}

std::optional<OpenProblem> RecordingFile::readInfo() {
    const OpenProblem noRecording{OpenProblem::Kind::NotRecording, {}};
    const std::optional<BlockHead> head = headIn(m_file->read(blockHeadSize));
    if (!head || head->kind != BlockKind::Info)
        return noRecording;
    const QByteArray stored = storedAt(m_file->pos(), *head);
    if (!isIntact(*head, stored))
        return noRecording;
    if (!count(*head, m_file->pos()))
        return OpenProblem{OpenProblem::Kind::TooLarge, {}};
    const std::optional<QByteArray> content = contentOf(*head, stored);
    if (!content)
        return noRecording;
    const InfoRead read = infoIn(*content, m_version);
    m_info = read.info;
    switch (read.fault) {
        case ArchiveFault::None:
            return std::nullopt;
        case ArchiveFault::Unknown:
            return OpenProblem{OpenProblem::Kind::Newer, QString::number(m_version)};
        case ArchiveFault::TooLarge:
            return OpenProblem{OpenProblem::Kind::TooLarge, {}};
        case ArchiveFault::Damaged:
            break;
    }
    return noRecording;
}

QByteArray RecordingFile::storedAt(qint64 offset, const BlockHead& head) const {
    const qint64 size = std::min<qint64>(head.storedSize, m_file->size() - offset);
    return size > 0 && m_file->seek(offset) ? m_file->read(size) : QByteArray();
}

bool RecordingFile::count(const BlockHead& head, qint64 end) {
    constexpr qint64 alwaysAllowed = 1024 * 1024;
    m_contents += head.size;
    // What this program has just made of a text is not forged.
    return m_trace || m_contents <= alwaysAllowed + mostCompressed * end;
}

void RecordingFile::readHeads() {
    qint64 offset = m_file->pos();
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
    const QByteArray stored = storedAt(offset + blockHeadSize, *head);
    if (stored.size() < static_cast<qsizetype>(head->storedSize))
        return FileEnd::Kind::CutOff;
    if (!isIntact(*head, stored) || head->kind == BlockKind::Info)
        return FileEnd::Kind::Damaged;
    const qint64 end = offset + blockHeadSize + head->storedSize;
    if (!count(*head, end))
        return FileEnd::Kind::TooLarge;
    if (head->kind == BlockKind::Data) {
        m_blocks.push_back(*head);
        m_offsets.push_back(offset + blockHeadSize);
    }
    offset = end;
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

RecordingFile::Records RecordingFile::records(size_t block) {
    Records records;
    if (block >= m_blocks.size())
        return records;
    const BlockHead head = m_blocks[block];
    const QByteArray stored = storedAt(m_offsets[block], head);
    const std::optional<QByteArray> content = isIntact(head, stored) ? contentOf(head, stored) : std::nullopt;
    if (!content) {
        endWithin(block, FileEnd::Kind::Damaged, std::nullopt);
        return records;
    }
    records.m_file = this;
    records.m_block = block;
    records.m_reader = std::make_unique<RecordReader>(*content, m_nodes, m_version, roomForValues(head.storedSize));
    return records;
}

void RecordingFile::endWithin(size_t block, FileEnd::Kind kind, std::optional<SteadyTime> lastRead) {
    if (block >= m_blocks.size())
        return;
    const qint64 offset = m_offsets[block] - blockHeadSize;
    m_blocks.resize(lastRead ? block + 1 : block);
    m_offsets.resize(m_blocks.size());
    if (lastRead)
        m_blocks.back().last = *lastRead;
    m_end = {kind, offset, wallAt(last()), m_end.hasSkipped};
}

std::optional<Record> RecordingFile::Records::next() {
    if (!m_reader)
        return std::nullopt;
    std::optional<Record> record = m_reader->next();
    m_file->m_end.hasSkipped = m_file->m_end.hasSkipped || m_reader->hasSkipped();
    if (record)
        m_last = record->at;
    else if (m_reader->fault() == ArchiveFault::TooLarge)
        m_file->endWithin(m_block, FileEnd::Kind::TooLarge, m_last);
    else if (m_reader->fault() != ArchiveFault::None)
        m_file->endWithin(m_block, FileEnd::Kind::Damaged, m_last);
    return record;
}

}  // namespace lockkeeper::recording
