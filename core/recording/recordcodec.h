// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/archive.h"
#include "recording/block.h"
#include "recording/record.h"

#include <optional>

namespace lockkeeper::recording {

// Collects records for a block. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT BlockBuilder {
public:
    // mask: must outlive it; null if nothing is masked.
    explicit BlockBuilder(const Mask* mask = nullptr) : m_mask(mask), m_values(mask) {}

    void add(SteadyTime at, WallTime wall, const monitor::StoreInput& input);
    // T: LinkStatus, BatchEnded, BatchDelivered, LockForced, Caption, LabReported.
    template <typename T>
    void add(SteadyTime at, WallTime wall, const T& entry);
    void add(const Record& record, WallTime wall);

    [[nodiscard]] bool isEmpty() const { return m_entries.bytes().isEmpty(); }
    [[nodiscard]] qsizetype size() const { return m_values.textBytes() + m_entries.bytes().size(); }
    // A block of all records since the last call.
    [[nodiscard]] Block take();

private:
    template <typename T>
    void addEntry(SteadyTime at, WallTime wall, const T& entry);

    const Mask* m_mask;
    ArchiveWriter m_values;   // of one entry, and the texts of the block
    ArchiveWriter m_entries;  // each with its kind, time and size
    BlockHead m_head;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Block infoBlock(const RecordingInfo& info, const Mask* mask);
// The info is whole if there is no fault.
struct InfoRead {
    RecordingInfo info;
    ArchiveFault fault = ArchiveFault::None;
};
[[nodiscard]] InfoRead infoIn(const QByteArray& content, quint32 version);

// The records of a block's content, one after the other, so that only one of them is in memory. An entry that this
// version does not know is skipped; in place of a read of a lock there is a record that its state is not known. Thread:
// one.
class LOCKKEEPER_MONITOR_EXPORT RecordReader {
public:
    // nodes: of the file; must outlive it. version: of the file. room: see roomForValues().
    RecordReader(const QByteArray& content, KnownNodes& nodes, quint32 version, qsizetype room);

    // Nothing at the end, or behind the last record before a fault.
    [[nodiscard]] std::optional<Record> next();
    // Never Unknown.
    [[nodiscard]] ArchiveFault fault() const noexcept;
    [[nodiscard]] bool hasSkipped() const noexcept { return m_hasSkipped; }
    // The memory that the last record takes, about.
    [[nodiscard]] qsizetype memory() const noexcept { return qsizetype{sizeof(Record)} + m_archive.paid(); }

private:
    [[nodiscard]] bool isFramed() const noexcept { return m_archive.has(firstFramedVersion); }
    [[nodiscard]] std::optional<Record> framed();
    [[nodiscard]] std::optional<Record> unframed();
    [[nodiscard]] std::optional<Record> inPlaceOf(quint64 tag, SteadyTime at);

    ArchiveReader m_archive;
    std::chrono::nanoseconds m_wallAhead{0};
    SteadyTime m_at{};  // of the last entry
    bool m_hasSkipped = false;
};

}  // namespace lockkeeper::recording
