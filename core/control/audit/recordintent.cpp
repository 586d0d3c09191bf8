// SPDX-License-Identifier: Apache-2.0
#include "control/audit/recordintent.h"

#include <system_error>

using namespace std::chrono_literals;

namespace lockkeeper::control {

namespace {

// How long the disk may take, including another program that writes before.
constexpr Milliseconds intentTime = 10s;

}  // namespace

Task<Result<Done>> recordIntent(AuditLog* log, AuditRecord intent, Clock* clock, std::stop_token stop) {
    const Completion<Done> written = log->write(intent);
    const Result<Done> answer = co_await written.wait(Deadline::in(*clock, intentTime), stop);
    if (answer || answer.error().code == ErrorCode::Storage)
        co_return answer;
    // The intent may be written later, although nothing was sent.
    AuditRecord outcome = intent;
    outcome.step = AuditStep::Outcome;
    outcome.outcome = AuditOutcome::NotSent;
    outcome.state.reset();
    outcome.reason.clear();
    (void)log->write(outcome);
    if (answer.error().code != ErrorCode::Timeout)
        co_return answer;
    const QString reason = qt_error_string(static_cast<int>(std::errc::timed_out));
    co_return Error(ErrorCode::Storage, Cause::FileNotWritten, {log->folder(), reason});
}

}  // namespace lockkeeper::control
