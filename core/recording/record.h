// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/session/labframe.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/monitoroptions.h"
#include "monitor/storeinput.h"

#include <variant>
#include <vector>

namespace lockkeeper::recording {

// How the session's connection stood; without what belongs to the user's saved connections.
struct LinkStatus {
    enum class Phase { Disconnected, Connecting, Connected, Reconnecting, Failed };

    Phase phase = Phase::Disconnected;
    QString server;
    bool isDemo = false;
    QString master;
    bool isReplica = false;
    bool isClusterNode = false;
    QString serverVersion;
    std::optional<Error> error;
    WallTime lastHeard{};

    friend bool operator==(const LinkStatus&, const LinkStatus&) = default;
};

// The store was emptied into a batch, which got these, too.
struct BatchEnded {
    WallTime at{};
    std::optional<monitor::MonitorStats> stats;
    std::optional<monitor::SynchronizerReading> synchronizers;
};

// All batches since the one before were passed on, as one.
struct BatchDelivered {};

// The session's console broke a lock. The batch of that event is one of its own.
struct LockForced {
    monitor::LockSnapshot broken;
    WallTime at{};
};

// What has just happened, in the words of the one who made the recording; it stands until the next one.
struct Caption {
    QString text;
};

// What a lab session has reported.
struct LabReported {
    lab::SharedLabUpdate update;  // not null
};

using Entry = std::variant<monitor::StoreInput, LinkStatus, BatchEnded, BatchDelivered, LockForced, Caption, LabReported>;

// One thing that a session saw, with the time by its steady clock.
struct Record {
    SteadyTime at{};
    Entry entry;
};

// Which experiment a lab session was of.
struct RecordedExperiment {
    QByteArray id;
    lab::Variation variation;
};

// What the file says about itself before its first record.
struct RecordingInfo {
    QString program;  // version of Lockkeeper that wrote it
    QString server;   // as in ConnectionStatus
    bool isDemo = false;
    bool isMasked = false;
    WallTime begun{};
    SteadyTime begunSteady{};
    monitor::StoreLimits limits;
    std::optional<RecordedExperiment> experiment;  // of a lab session, which has no locks, but LabReported
};

}  // namespace lockkeeper::recording
