// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "jvm/fetch/dumpplan.h"
#include "lab/run/laborder.h"
#include "monitor/analyse/who/holderidentity.h"
#include "monitor/model/monitorbatch.h"
#include "profile/profilelabel.h"
#include "recording/monitortrace/monitorcapture.h"
#include "recording/recordingstatus.h"
#include "topology/ssh/sshquestion.h"

#include <chrono>
#include <variant>
#include <vector>

namespace lockkeeper {

// The state is Running at first.
struct SetDiscovery {
    monitor::DiscoveryState state{};
};

// The saved connection has another name or environment from now on. Each line of the audit has the label at the time of
// the act.
struct SetLabel {
    profile::ProfileLabel label;
};

// While the session is Reconnecting: begins the next attempt at once.
struct RetryNow {};

// A session is read-only until it is armed. It is read-only again when the time is over, after Disarm, or when the
// connection that writes is lost. New acquires and changes of locks of others then fail at once with NotArmed; held
// locks are still renewed, and may be released. A session whose profile is ReadOnly does not change.
struct ArmFor {
    std::chrono::minutes time{};
};
struct Disarm {};

// Ends an acquire that still waits, or a MONITOR. Any other operation has been sent already and finishes normally.
struct CancelOperation {
    OperationId operation{};
};

// The answer to a topology::SshQuestion. Does nothing if the question is over.
struct AnswerSsh {
    topology::SshQuestionId question{};
    topology::SshAnswer answer;
};

// Ends the recording that a recording::RecordingRequest began. Such a request records what the session sees from then
// on until it is closed. Of the time before, the file has only the state at the beginning; for a lab it has everything
// from its beginning. A session has one recording at a time; a second request ends the first recording.
struct StopRecording {};

// The receiver has taken a batch, and another one waits; see BatchReceipt. For the engine.
struct BatchTaken {};

// Thread dumps of JVMs, as jvm::readDumps() keeps them for clients of the session, of each client the earlier one
// first. Every later state of a lock gets its verdicts from them; see monitor::DumpKnown.
struct KeepDumps {
    std::vector<monitor::SharedDump> dumps;
};

// Asks each server of the session what it does not have or refuses, see control::ServerChecker. It only reads.
struct CheckServer {};

// What a session is asked to do. A new request has a line here, one who makes it and one who executes it; whatever lies
// between passes it on unread. A HolderSearch and a CaptureRequest run a MONITOR: request them only when the user wants
// it and knows its cost. A jvm::ProcessSearch and a jvm::DumpOrder run a program, or send a request to another server:
// request them only after the user has seen and confirmed exactly that.
using SessionRequest =
    std::variant<SetDiscovery, SetLabel, RetryNow, ArmFor, Disarm, control::Operation, monitor::HolderSearch,
                 recording::CaptureRequest, CancelOperation, CheckServer, AnswerSsh, jvm::ProcessSearch, jvm::DumpOrder,
                 recording::RecordingRequest, StopRecording, lab::LabRequest, BatchTaken, KeepDumps>;

}  // namespace lockkeeper
