// SPDX-License-Identifier: Apache-2.0
#include "recording/recordcodec.h"

#include "recording/fields.h"

#include <utility>

namespace lockkeeper::recording {

namespace {

constexpr int inputTags = static_cast<int>(std::variant_size_v<monitor::StoreInput>);

// The other entries, numbered after the inputs of the store.
template <typename T>
constexpr int tagOf = -1;
template <>
constexpr int tagOf<LinkStatus> = inputTags;
template <>
constexpr int tagOf<BatchEnded> = inputTags + 1;
template <>
constexpr int tagOf<BatchDelivered> = inputTags + 2;
template <>
constexpr int tagOf<LockForced> = inputTags + 3;
template <>
constexpr int tagOf<Caption> = inputTags + 4;
template <>
constexpr int tagOf<LabReported> = inputTags + 5;

template <typename T>
T read(ArchiveReader& archive) {
    T value;
    fields(archive, value);
    return value;
}

template <size_t I = 0>
monitor::StoreInput readInput(ArchiveReader& archive, quint64 tag) {
    if constexpr (I < std::variant_size_v<monitor::StoreInput>) {
        if (tag == I)
            return read<std::variant_alternative_t<I, monitor::StoreInput>>(archive);
        return readInput<I + 1>(archive, tag);
    }
    archive.fail();
    return {};
}

Entry readEntry(ArchiveReader& archive, quint64 tag) {
    switch (tag) {
        case tagOf<LinkStatus>:
            return read<LinkStatus>(archive);
        case tagOf<BatchEnded>:
            return read<BatchEnded>(archive);
        case tagOf<BatchDelivered>:
            return BatchDelivered();
        case tagOf<LockForced>:
            return read<LockForced>(archive);
        case tagOf<Caption>:
            return read<Caption>(archive);
        case tagOf<LabReported>:
            return read<LabReported>(archive);
        default:
            return readInput(archive, tag);
    }
}

}  // namespace

void BlockBuilder::begin(SteadyTime at, WallTime wall, int tag) {
    if (isEmpty()) {
        m_head.first = at;
        m_head.firstWall = wall;
    }
    m_head.last = at;
    m_archive.unsignedNumber(static_cast<quint64>(tag));
    m_archive.time(at);
}

void BlockBuilder::add(SteadyTime at, WallTime wall, const monitor::StoreInput& input) {
    begin(at, wall, static_cast<int>(input.index()));
    std::visit([this](const auto& value) { fields(m_archive, value); }, input);
}

template <typename T>
void BlockBuilder::add(SteadyTime at, WallTime wall, const T& entry) {
    begin(at, wall, tagOf<T>);
    fields(m_archive, entry);
}

template LOCKKEEPER_MONITOR_EXPORT void BlockBuilder::add(SteadyTime, WallTime, const LinkStatus&);
template LOCKKEEPER_MONITOR_EXPORT void BlockBuilder::add(SteadyTime, WallTime, const BatchEnded&);
template LOCKKEEPER_MONITOR_EXPORT void BlockBuilder::add(SteadyTime, WallTime, const BatchDelivered&);
template LOCKKEEPER_MONITOR_EXPORT void BlockBuilder::add(SteadyTime, WallTime, const LockForced&);
template LOCKKEEPER_MONITOR_EXPORT void BlockBuilder::add(SteadyTime, WallTime, const Caption&);
template LOCKKEEPER_MONITOR_EXPORT void BlockBuilder::add(SteadyTime, WallTime, const LabReported&);

void BlockBuilder::add(const Record& record, WallTime wall) {
    std::visit([&](const auto& entry) { add(record.at, wall, entry); }, record.entry);
}

Block BlockBuilder::take() {
    Block block{m_head, m_archive.bytes()};
    m_archive = ArchiveWriter(m_mask);
    return block;
}

Block infoBlock(const RecordingInfo& info, const Mask* mask) {
    ArchiveWriter archive(mask);
    fields(archive, info);
    BlockHead head;
    head.kind = BlockKind::Info;
    head.first = head.last = info.begunSteady;
    head.firstWall = info.begun;
    return {head, archive.bytes()};
}

std::optional<RecordingInfo> infoIn(const QByteArray& content, quint32 version) {
    ArchiveReader::Nodes nodes;
    ArchiveReader archive(content, nodes, version);
    const auto info = read<RecordingInfo>(archive);
    return archive.isGood() ? std::optional(info) : std::nullopt;
}

std::optional<std::vector<Record>> recordsIn(const QByteArray& content, ArchiveReader::Nodes& nodes,
                                             quint32 version) {
    ArchiveReader archive(content, nodes, version);
    std::vector<Record> records;
    while (!archive.atEnd()) {
        const quint64 tag = archive.unsignedNumber();
        Record record;
        archive.time(record.at);
        record.entry = readEntry(archive, tag);
        records.push_back(std::move(record));
    }
    return archive.isGood() ? std::optional(std::move(records)) : std::nullopt;
}

}  // namespace lockkeeper::recording
