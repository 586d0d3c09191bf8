// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/check/servercheck.h"
#include "lab/run/labframe.h"
#include "locks/hold.h"
#include "monitor/model/monitorbatch.h"
#include "session/arming.h"
#include "session/batchrelay.h"
#include "session/connectionstatus.h"
#include "session/sessionrequest.h"

#include <functional>
#include <type_traits>
#include <variant>
#include <vector>

namespace lockkeeper {

// At most 20 a second for each session, and none without a change.
struct BatchReady {
    monitor::SharedBatch batch;
    BatchRelay::Receipt receipt;  // for the engine: no other batch follows until this one is taken; may be null
};

// At most once a session, before its first batch: what earlier runs saw on the server, oldest first. The last event
// reports for how long the server was not watched.
struct HistoryLoaded {
    std::vector<monitor::LockEvent> events;
};

// Answers each control::Operation exactly once.
struct OperationFinished {
    OperationId operation{};
    control::OperationResult result;
};

// Answers each monitor::HolderSearch exactly once.
struct HolderIdentified {
    OperationId operation{};
    monitor::HolderIdentity identity;
};

// Answers each recording::CaptureRequest exactly once.
struct MonitorCaptured {
    OperationId operation{};
    recording::MonitorCapture captured;
};

// Answers each jvm::ProcessSearch exactly once, unless the session closes.
struct ProcessesFound {
    OperationId operation{};
    Result<QList<jvm::RemoteProcess>> processes;
};

// Of two dumps, the first one is there, and the pause has begun.
struct FirstDumpTaken {
    OperationId operation{};
};

// Answers each jvm::DumpOrder exactly once, unless the session closes: one dump, or two in the order of time.
struct DumpsTaken {
    OperationId operation{};
    Result<QByteArrayList> dumps;
};

// Answers each CheckServer exactly once, unless the session closes.
struct ServerChecked {
    control::SharedCheck check;  // null: the servers could not be found
    std::optional<Error> error;  // why
};

// The complete list of locks that this session's console holds, after each change.
struct OwnLocksChanged {
    QList<control::OwnLock> locks;
};

// A lock of this session's console was taken away, or its lease expired.
struct OwnLockLost {
    LockName name;
    locks::LossReason why{};
};

// The server refuses to release a lock of this session's console, and no operation waits for the release any more. The
// lock may stay until its lease expires.
struct ReleaseRefused {
    LockName name;
    Error why;
};

// The question was answered, or needs no answer any more. SessionClosed also ends all questions.
struct SshQuestionOver {
    topology::SshQuestionId question{};
};

// Nothing else follows about this session, but refusals of later requests.
struct SessionClosed {};

// What a session reports: an immutable value. Each session is ReadOnly at first (Arming). ssh asks an SshQuestion
// before the session can connect; ssh and the jump host limit the time for an answer.
using SessionReport = std::variant<ConnectionStatus, Arming, BatchReady, HistoryLoaded, OperationFinished,
                                   HolderIdentified, MonitorCaptured, ServerChecked, ProcessesFound, FirstDumpTaken,
                                   DumpsTaken, OwnLocksChanged, OwnLockLost, ReleaseRefused, topology::SshQuestion,
                                   SshQuestionOver, lab::SharedLabUpdate, recording::RecordingStatus, SessionClosed>;

// Calls the slot, a member function of the receiver or a lambda, if the report is of this type. before: the arguments
// before the report.
template <typename Report, typename Receiver, typename Slot, typename... Before>
void passReport(const SessionReport& report, Receiver* receiver, const Slot& slot, Before... before) {
    const auto* wanted = std::get_if<Report>(&report);
    if (!wanted)
        return;
    if constexpr (std::is_member_function_pointer_v<Slot>)
        std::invoke(slot, receiver, before..., *wanted);
    else
        slot(before..., *wanted);
}

// The answer to a request that cannot be executed. Nothing if the request has no answer.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<SessionReport> refusalOf(OperationId id,
                                                                               const SessionRequest& request,
                                                                               const Error& why = notConnected());

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::SessionReport)
