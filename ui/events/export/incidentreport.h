// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "monitor/model/lockevent.h"
#include "monitor/model/lockrow.h"
#include "profile/profilelabel.h"
#include "ui/events/log/loggedevent.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/viewtime.h"

#include <optional>
#include <vector>

namespace lockkeeper::ui {

// What is known of a lock at one moment, to hand over to somebody else. Values only.
struct Incident {
    static constexpr size_t mostEvents = 40;

    monitor::LockRow lock;
    std::optional<monitor::LockRow> lastHeld;  // of a lock that is free now: its last hold, as it was read last
    std::vector<LoggedEvent> events;           // of this lock, oldest first
    QStringList actions;                       // of operators, a line each, with times in UTC
    HolderKnowledge knowledge;
    QString server;
    profile::ProfileLabel label;
    WallTime at{};        // for which the lock is shown: the last answer, if the server is not reached
    SteadyTime moment{};  // the same moment, by the steady clock
    bool isLive = true;
};

// All times are in UTC. picture: the name of a file beside the report; empty for none.
[[nodiscard]] QString incidentReport(const Incident& incident, const QString& picture = {});

}  // namespace lockkeeper::ui
