// SPDX-License-Identifier: Apache-2.0
#include "recording/recordcodec.h"

#include "recording/fields.h"

#include <type_traits>
#include <utility>

namespace lockkeeper::recording {

namespace {

using monitor::StoreInput;

// The number of each kind of entry in a file, in all versions of the format. As for enumerators, a number never gets
// another meaning: see enumnumbers.h.
template <typename Kind>
struct Tag;
template <>
struct Tag<monitor::LockRead> : std::integral_constant<quint64, 0> {};
template <>
struct Tag<monitor::WaitersCounted> : std::integral_constant<quint64, 1> {};
template <>
struct Tag<monitor::ReplicasCounted> : std::integral_constant<quint64, 2> {};
template <>
struct Tag<monitor::CommandRateRead> : std::integral_constant<quint64, 3> {};
template <>
struct Tag<monitor::ShardSwept> : std::integral_constant<quint64, 4> {};
template <>
struct Tag<monitor::SweepEnded> : std::integral_constant<quint64, 5> {};
template <>
struct Tag<monitor::ReadRefused> : std::integral_constant<quint64, 6> {};
template <>
struct Tag<monitor::SightLost> : std::integral_constant<quint64, 7> {};
template <>
struct Tag<monitor::FreeTimePassed> : std::integral_constant<quint64, 8> {};
template <>
struct Tag<monitor::BusyTimePassed> : std::integral_constant<quint64, 9> {};
template <>
struct Tag<LinkStatus> : std::integral_constant<quint64, 10> {};
template <>
struct Tag<BatchEnded> : std::integral_constant<quint64, 11> {};
template <>
struct Tag<BatchDelivered> : std::integral_constant<quint64, 12> {};
template <>
struct Tag<LockForced> : std::integral_constant<quint64, 13> {};
template <>
struct Tag<Caption> : std::integral_constant<quint64, 14> {};
template <>
struct Tag<LabReported> : std::integral_constant<quint64, 15> {};
template <>
struct Tag<monitor::OwnClientKnown> : std::integral_constant<quint64, 20> {};
template <>
struct Tag<monitor::DatabaseEmptied> : std::integral_constant<quint64, 16> {};
template <>
struct Tag<monitor::DumpKnown> : std::integral_constant<quint64, 21> {};

// Reads the kind of entry that has this tag, if the variant has it.
template <typename Variant, size_t I = 0>
std::optional<Variant> readAmong(ArchiveReader& archive, quint64 tag) {
    if constexpr (I < std::variant_size_v<Variant>) {
        using Kind = std::variant_alternative_t<I, Variant>;
        if constexpr (!std::is_same_v<Kind, StoreInput>) {
            if (tag == Tag<Kind>::value) {
                Kind value;
                fields(archive, value);
                return value;
            }
        }
        return readAmong<Variant, I + 1>(archive, tag);
    }
    return std::nullopt;
}

Entry readEntry(ArchiveReader& archive, quint64 tag) {
    if (std::optional<Entry> entry = readAmong<Entry>(archive, tag))
        return std::move(*entry);
    if (std::optional<StoreInput> input = readAmong<StoreInput>(archive, tag))
        return std::move(*input);
    archive.fail(ArchiveFault::Unknown);
    return {};
}

std::chrono::nanoseconds aheadOf(WallTime wall, SteadyTime steady) {
    return wall.time_since_epoch() - steady.time_since_epoch();
}

}  // namespace

// ---- writing ----

// kind: see Tag. The entry has its size before it, so that a reader that does not know it can skip it.
template <typename T>
void BlockBuilder::addEntry(SteadyTime at, WallTime wall, const T& entry) {
    if (isEmpty()) {
        m_head.first = at;
        m_head.firstWall = wall;
    }
    m_head.last = at;
    m_values.beginTimes(at, aheadOf(m_head.firstWall, m_head.first));
    fields(m_values, entry);
    const QByteArray bytes = m_values.takeBytes();
    m_entries.unsignedNumber(Tag<T>::value);
    m_entries.time(at);
    m_entries.raw(bytes);
}

void BlockBuilder::add(SteadyTime at, WallTime wall, const StoreInput& input) {
    std::visit([&](const auto& value) { addEntry(at, wall, value); }, input);
}

template <typename T>
void BlockBuilder::add(SteadyTime at, WallTime wall, const T& entry) {
    addEntry(at, wall, entry);
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
    ArchiveWriter begin;
    begin.number(aheadOf(m_head.firstWall, m_head.first).count());
    Block block{m_head, m_values.texts() + begin.bytes() + m_entries.bytes()};
    m_values = ArchiveWriter(m_mask);
    m_entries = ArchiveWriter();
    return block;
}

Block infoBlock(const RecordingInfo& info, const Mask* mask) {
    ArchiveWriter archive(mask);
    fields(archive, info);
    BlockHead head;
    head.kind = BlockKind::Info;
    head.first = head.last = info.begunSteady;
    head.firstWall = info.begun;
    return {head, archive.texts() + archive.bytes()};
}

// ---- reading ----

InfoRead infoIn(const QByteArray& content, quint32 version) {
    KnownNodes nodes;
    ArchiveReader archive(content, nodes, version, roomForValues(content.size()));
    InfoRead read;
    fields(archive, read.info);
    read.fault = archive.fault();
    return read;
}

RecordReader::RecordReader(const QByteArray& content, KnownNodes& nodes, quint32 version, qsizetype room)
    : m_archive(content, nodes, version, room) {
    if (!isFramed())
        return;
    qint64 ahead = 0;
    m_archive.number(ahead);
    m_wallAhead = std::chrono::nanoseconds(ahead);
}

std::optional<Record> RecordReader::next() {
    std::optional<Record> record;
    while (!record && !m_archive.atEnd())
        record = isFramed() ? framed() : unframed();
    return record;
}

std::optional<Record> RecordReader::unframed() {
    m_archive.beginRoom();
    const quint64 tag = m_archive.unsignedNumber();
    Record record;
    m_archive.time(record.at);
    record.entry = readEntry(m_archive, tag);
    return m_archive.isGood() ? std::optional(std::move(record)) : std::nullopt;
}

// Nothing for an entry that is skipped.
std::optional<Record> RecordReader::framed() {
    const quint64 tag = m_archive.unsignedNumber();
    Record record;
    m_archive.beginTimes(m_at, m_wallAhead);
    m_archive.time(record.at);
    if (record.at != SteadyTime())
        m_at = record.at;
    m_archive.beginEntry(m_archive.unsignedNumber());
    m_archive.beginTimes(record.at, m_wallAhead);
    record.entry = readEntry(m_archive, tag);
    if (!m_archive.atEnd())
        m_archive.fail(ArchiveFault::Unknown);  // a later version has added a value
    std::optional<Record> read;
    if (m_archive.isGood())
        read = std::move(record);
    else if (m_archive.fault() == ArchiveFault::Unknown)
        read = inPlaceOf(tag, record.at);
    else
        return std::nullopt;
    m_archive.endEntry();
    return read;
}

// What stands for an entry that this version does not know: the state of that lock is not known from then on.
std::optional<Record> RecordReader::inPlaceOf(quint64 tag, SteadyTime at) {
    m_hasSkipped = true;
    if (tag != Tag<monitor::LockRead>::value)
        return std::nullopt;
    m_archive.restartEntry();
    LockName name;
    m_archive.name(name);
    return m_archive.isGood() ? std::optional(Record{at, StoreInput(monitor::SightLost{name, at})}) : std::nullopt;
}

// A file of an earlier version cannot have what this version does not know.
ArchiveFault RecordReader::fault() const noexcept {
    const bool isDamaged = !isFramed() && m_archive.fault() == ArchiveFault::Unknown;
    return isDamaged ? ArchiveFault::Damaged : m_archive.fault();
}

}  // namespace lockkeeper::recording
