// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lab/laboratory.h"
#include "lab/run/labframe.h"
#include "lockkeeper_monitor_export.h"

#include <vector>

namespace lockkeeper::lab {

// Marks a read of this class in the output of MONITOR.
inline constexpr char snapshotMark[] = "lockkeeper-lab-frame";

// Reads all keys of the servers of a laboratory, each server at one moment. A server that is frozen, or cannot be read
// because its Cluster is down, has the keys that were read last. The Sentinel, if there is one, comes last and has no
// keys. Thread: that of the laboratory, which must outlive every call.
class LOCKKEEPER_MONITOR_EXPORT KeyReader {
public:
    explicit KeyReader(Laboratory& laboratory) : m_laboratory(laboratory) {}

    // frame: number of the frame whose last command this read is. -1: none.
    [[nodiscard]] Task<std::vector<LabServer>> read(qsizetype frame);

private:
    [[nodiscard]] LabServer withoutKeys(ServerNumber number) const;
    [[nodiscard]] LabServer withLastKeys(LabServer server) const;
    [[nodiscard]] Task<LabServer> readOne(ServerNumber number, qsizetype frame);
    [[nodiscard]] Task<LabServer> unread(ServerNumber number);

    Laboratory& m_laboratory;
    std::vector<LabServer> m_last;
};

}  // namespace lockkeeper::lab
