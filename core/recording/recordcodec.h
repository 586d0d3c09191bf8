// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/archive.h"
#include "recording/block.h"
#include "recording/record.h"

#include <optional>
#include <vector>

namespace lockkeeper::recording {

// Collects records for a block. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT BlockBuilder {
public:
    // mask: must outlive it; null if nothing is masked.
    explicit BlockBuilder(const Mask* mask = nullptr) : m_mask(mask), m_archive(mask) {}

    void add(SteadyTime at, WallTime wall, const monitor::StoreInput& input);
    // T: LinkStatus, BatchEnded, BatchDelivered, LockForced, Caption, LabReported.
    template <typename T>
    void add(SteadyTime at, WallTime wall, const T& entry);
    void add(const Record& record, WallTime wall);

    [[nodiscard]] bool isEmpty() const { return m_archive.bytes().isEmpty(); }
    [[nodiscard]] qsizetype size() const { return m_archive.bytes().size(); }
    // A block of all records since the last call.
    [[nodiscard]] Block take();

private:
    void begin(SteadyTime at, WallTime wall, int tag);

    const Mask* m_mask;
    ArchiveWriter m_archive;
    BlockHead m_head;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Block infoBlock(const RecordingInfo& info, const Mask* mask);
[[nodiscard]] std::optional<RecordingInfo> infoIn(const QByteArray& content, quint32 version);

// The records of a block's content, in a file of this version. Nothing if one of them is invalid.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<std::vector<Record>> recordsIn(const QByteArray& content,
                                                                                     ArchiveReader::Nodes& nodes,
                                                                                     quint32 version = formatVersion);

}  // namespace lockkeeper::recording
