// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/run/labframe.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/monitoroptions.h"
#include "monitor/store/storeinput.h"
#include "recording/monitortrace/tracenotes.h"

#include <variant>
#include <vector>

namespace lockkeeper::recording {

// The state of the session's connection, without data of the user's saved connections.
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
    bool watchesNothing = false;

    friend bool operator==(const LinkStatus&, const LinkStatus&) = default;
};

// The store's changes were taken as a batch, which also got these figures.
struct BatchEnded {
    WallTime at{};
    std::optional<monitor::MonitorStats> stats;
    std::optional<monitor::SynchronizerReading> synchronizers;
};

// All batches since the last BatchDelivered were passed on as one.
struct BatchDelivered {};

// The session's console broke a lock. This event has a batch of its own.
struct LockForced {
    monitor::LockSnapshot broken;
    WallTime at{};
};

// What has just happened, in the words of the recording's author; shown until the next caption.
struct Caption {
    QString text;
};

// A report of a lab session.
struct LabReported {
    lab::SharedLabUpdate update;  // not null
};

using Entry =
    std::variant<monitor::StoreInput, LinkStatus, BatchEnded, BatchDelivered, LockForced, Caption, LabReported>;

// One change that a session saw, with the time by its steady clock.
struct Record {
    SteadyTime at{};
    Entry entry;
};

// The experiment of a lab session.
struct RecordedExperiment {
    QByteArray id;
    lab::Variation variation;
};

// What the file contains about itself before its first record.
struct RecordingInfo {
    QString program;  // version of Lockkeeper that wrote it
    QString server;   // as in ConnectionStatus
    bool isDemo = false;
    bool isMasked = false;
    WallTime begun{};
    SteadyTime begunSteady{};
    monitor::StoreLimits limits;
    monitor::ClientTimeouts timeouts;
    std::optional<TraceNotes> trace;               // of a part that was saved of a recording of a text
    std::optional<RecordedExperiment> experiment;  // for a lab session, which has LabReported in place of locks
};

}  // namespace lockkeeper::recording
