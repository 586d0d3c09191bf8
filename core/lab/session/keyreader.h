// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lab/laboratory.h"
#include "lab/session/labframe.h"

#include <vector>

namespace lockkeeper::lab {

// The mark of a read in what MONITOR shows.
inline constexpr char snapshotMark[] = "lockkeeper-lab-frame";

// Reads all keys of the servers of a laboratory, each server at one moment. Its Sentinel, if there is one, comes last and has
// none. Thread: that of the laboratory, which
// outlives every call.
class KeyReader {
public:
    explicit KeyReader(Laboratory& laboratory) : m_laboratory(laboratory) {}

    // frame: marks the end of the commands that belong to it. -1: none.
    [[nodiscard]] Task<std::vector<LabServer>> read(qsizetype frame);

private:
    [[nodiscard]] LabServer withoutKeys(ServerNumber number) const;
    [[nodiscard]] Task<LabServer> readOne(ServerNumber number, qsizetype frame);

    Laboratory& m_laboratory;
    std::vector<LabServer> m_last;
};

}  // namespace lockkeeper::lab
