// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "async/task.h"

namespace lockkeeper {

// Waits until the deadline has passed; false if the stop token has ended the wait before. Thread: that of the
// deadline's clock, which must outlive the wait.
[[nodiscard]] inline Task<bool> pauseUntil(Deadline end, std::stop_token stop) {
    const Completion<Done> nothing;
    const Result<Done> over = co_await nothing.wait(end, stop);
    co_return over.error().code == ErrorCode::Timeout;
}

}  // namespace lockkeeper
