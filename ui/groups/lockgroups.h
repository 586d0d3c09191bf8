// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/table/locktablemodel.h"

namespace lockkeeper::ui {

enum class GroupBy { Prefix, Client };

// Locks that belong together, counted.
struct LockGroup {
    QString prefix;                  // of the first of them, in its case; empty: of a client, or names without one
    std::optional<ClientId> client;  // of a group of a client
    int locks = 0;
    int held = 0;
    int waitedFor = 0;
    int faulty = 0;  // with a diagnosis that is more than information

    friend bool operator==(const LockGroup&, const LockGroup&) = default;
};

// Up to and with the first of : / { . # in the name as it is shown; empty if it has none of them.
[[nodiscard]] QString prefixOf(const LockName& name);
// The largest first. Prefixes in any case are one group. By client only locks that are held, once for each client.
[[nodiscard]] std::vector<LockGroup> lockGroups(const LockTableModel& locks, GroupBy by);
// What shows the group in the table, see LockFilter; empty if no filter can.
[[nodiscard]] QString filterOf(const LockGroup& group);

}  // namespace lockkeeper::ui
