// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/lockreader.h"
#include "monitor/observe/read/readbudget.h"

#include <functional>

namespace lockkeeper::monitor {

// Reads many locks as the budget allows, a bounded number at a time. Thread: the reader's; all arguments must outlive
// it.
class LOCKKEEPER_MONITOR_EXPORT BulkReader {
public:
    enum class End { Whole, Broken };
    using Take = std::function<void(const LockName& name, const LockReading& reading)>;

    BulkReader(LockReader& reader, ReadBudget& budget, Clock& clock)
        : m_reader(reader), m_budget(budget), m_clock(clock) {}

    // Calls `take` for each lock when its answer comes, before later pushes of the server are processed. A lock that
    // cannot be read is left out. Broken: the connection was lost or `stop` was requested, and the remaining locks were
    // not read.
    [[nodiscard]] Task<End> read(QList<LockName> names, Take take, std::stop_token stop);

private:
    struct Round;

    Task<End> readSome(QList<LockName> names, Take take, std::stop_token stop);

    LockReader& m_reader;
    ReadBudget& m_budget;
    Clock& m_clock;
};

}  // namespace lockkeeper::monitor
