#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/lockreader.h"
#include "monitor/observe/read/readbudget.h"

#include <functional>

namespace lockkeeper::monitor {

// Reads many locks, each when the budget lets it, a bounded number at a time. Thread: the reader's; all must outlive
// it.
class LOCKKEEPER_MONITOR_EXPORT BulkReader {
public:
    enum class End { Whole, Broken };
    using Take = std::function<void(const LockName& name, const LockReading& reading)>;

    BulkReader(LockReader& reader, ReadBudget& budget, Clock& clock)
        : m_reader(reader), m_budget(budget), m_clock(clock) {}

    // Hands out what was read as the answers come, before anything that the server says after them; what could not be
    // read is left out. Broken when the connection is gone or the token asks, and with it what is left.
    [[nodiscard]] Task<End> read(QList<LockName> names, Take take, std::stop_token stop);

private:
    struct Round;

    Task<End> readSome(QList<LockName> names, Take take, std::stop_token stop);

    LockReader& m_reader;
    ReadBudget& m_budget;
    Clock& m_clock;
};

}  // namespace lockkeeper::monitor
