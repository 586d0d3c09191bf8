// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "locks/lockclient.h"
#include "redis/respvalue.h"
#include "redis/script.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace lockkeeper::locks {

class Unsettled;

// One call that waits: for permits of a semaphore, or for a latch to open. Shared by its coroutines and commands.
struct WaitingCall {
    // What to do after an attempt whose answer was lost.
    enum class Afterwards {
        Report,    // it is unknown whether the attempt has taken permits: OutcomeUnknown
        TakeBack,  // takeBack may safely be repeated, and does nothing if nothing was taken; then another attempt
        Repeat     // an attempt changes nothing
    };

    LockClient* client;
    LockName name;
    QByteArray channel;
    qint64 wants;  // permits; 0: each message is a reason to try again
    redis::ScriptCall attempt;
    std::optional<redis::ScriptCall> takeBack;
    Afterwards afterwards;
    std::optional<Milliseconds> takeBackFor;  // for how long a refused takeBack is tried again; nothing: without end
    std::stop_token stop;
};

// The coroutines behind semaphores and latches. They are static and take everything by value or shared, because a
// handle may be a temporary that is destroyed long before its call ends. Thread: the client's.
class SynchronizerCalls {
public:
    using Call = std::shared_ptr<const WaitingCall>;

    // True if the call succeeded; false if waitUntil has passed.
    [[nodiscard]] static Task<Result<bool>> wait(Call call, Deadline waitUntil);
    // A script that writes, sent once. Its answer is a number.
    [[nodiscard]] static Task<Result<qint64>> write(LockClient* client, LockName name, redis::ScriptCall script);
    // As write(), for scripts that answer 1, or 0 if they have changed nothing.
    [[nodiscard]] static Task<Result<bool>> writeIf(LockClient* client, LockName name, redis::ScriptCall script);
    [[nodiscard]] static Task<Result<Done>> writeAlways(LockClient* client, LockName name, redis::ScriptCall script);
    // The number in the key; 0 if there is none.
    [[nodiscard]] static Task<Result<qint64>> number(LockClient* client, LockName name);
    // Completes when no call about this name is unanswered or has something to take back.
    [[nodiscard]] static Completion<Done> whenSettled(LockClient* client, const LockName& name);

private:
    struct Attempted;

    static Result<Attempted> attemptOf(const redis::RespValue& answer);
    static Task<Result<Attempted>> attemptUntilAnswered(Call call, Deadline waitUntil, Deadline patience);
    static Task<Result<Attempted>> attemptOnce(Call call, Deadline patience);
    static Task<Result<Done>> makeReadyAgain(Call call, Deadline waitUntil, Error failure);
    static void onLateAttempt(const Call& call, const Unsettled& unsettled, const Result<redis::RespValue>& late);
    static Task<Result<Done>> takeBack(Call call, Deadline deadline, std::stop_token stop);
    static Task<void> takeBackUntilAnswered(Call call);
};

}  // namespace lockkeeper::locks
