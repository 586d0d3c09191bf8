// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "base/result.h"

#include <QScopeGuard>

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace lockkeeper {

// An answer that comes later: the one awaitable type of the project. The producer keeps a copy and calls complete(). At
// most one consumer awaits wait() or registers a callback with then(). Copies share the same answer.
//
// wait() returns the answer, Timeout when the deadline passes, or Cancelled when the stop token is triggered. The
// waiter is resumed inside complete(), inside the clock's timer, or inside request_stop(): when complete() returns, the
// producer's object may have been deleted or changed. An answer that arrives after the waiter has stopped waiting goes
// to the handler of whenAbandoned(), so that a lock taken on the server by then can be released.
//
// Thread: producer, consumer and clock share one.
template <typename T>
class Completion {
public:
    using Handler = std::function<void(Result<T>)>;

    Completion() : m_state(std::make_shared<State>()) {}

    [[nodiscard]] static Completion completed(Result<T> result) {
        Completion completion;
        completion.complete(std::move(result));
        return completion;
    }

    // The first answer counts; later ones are ignored.
    void complete(Result<T> result) const {
        const std::shared_ptr<State> state = m_state;  // the resumed waiter may drop the last other reference
        if (state->done)
            return;
        state->done = true;
        if (const Handler handler = std::exchange(state->handler, nullptr)) {
            handler(std::move(result));
        } else if (state->left) {
            if (const Handler abandoned = std::exchange(state->abandoned, nullptr))
                abandoned(std::move(result));
        } else {
            state->result.emplace(std::move(result));
            state->abandoned = nullptr;
            if (Waiter* waiter = std::exchange(state->waiter, nullptr))
                waiter->resume();
        }
    }

    [[nodiscard]] bool isCompleted() const noexcept { return m_state->done; }
    // The waiter stopped waiting before the answer came.
    [[nodiscard]] bool isAbandoned() const noexcept { return m_state->left; }

    // Alternative to wait(): calls the handler once with the answer, immediately if the answer has already come.
    void then(Handler handler) const {
        if (m_state->result)
            handler(std::move(*m_state->result));
        else
            m_state->handler = std::move(handler);
    }

    // Calls the handler with an answer that comes after wait() has ended without it; never with an answer that wait()
    // returned.
    void whenAbandoned(Handler handler) const { m_state->abandoned = std::move(handler); }

private:
    class Waiter;

    struct State {
        std::optional<Result<T>> result;
        Handler handler;
        Handler abandoned;
        Waiter* waiter = nullptr;
        bool done = false;
        bool left = false;
    };

    class [[nodiscard]] Waiter {
    public:
        Waiter(std::shared_ptr<State> state, Deadline deadline, std::stop_token stop)
            : m_state(std::move(state)), m_deadline(deadline), m_stop(std::move(stop)) {}
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;
        ~Waiter() {
            disarm();
            if (m_state->waiter == this)
                abandon();
        }

        [[nodiscard]] bool await_ready() {
            if (m_state->result)
                return true;
            if (m_stop.stop_requested())
                m_failure = ErrorCode::Cancelled;
            else if (m_deadline.hasPassed())
                m_failure = ErrorCode::Timeout;
            if (m_failure)
                abandon();
            return m_failure.has_value();
        }

        void await_suspend(std::coroutine_handle<> coroutine) {
            m_coroutine = coroutine;
            m_state->waiter = this;
            if (!m_deadline.isNever())
                m_timer = m_deadline.clock().schedule(m_deadline.time(), [this] {
                    m_timer = Clock::TimerId::None;
                    giveUp(ErrorCode::Timeout);
                });
            if (m_stop.stop_possible())
                m_onStop.emplace(std::move(m_stop), StopHandler{this});
        }

        [[nodiscard]] Result<T> await_resume() {
            disarm();
            if (m_failure == ErrorCode::Cancelled)
                return Error(ErrorCode::Cancelled, Cause::Cancelled);
            if (m_failure)
                return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
            return std::move(*m_state->result);
        }

        void resume() {
            disarm();
            m_coroutine.resume();
        }

    private:
        struct StopHandler {
            Waiter* waiter;
            void operator()() const { waiter->giveUp(ErrorCode::Cancelled); }
        };

        void giveUp(ErrorCode failure) {
            if (m_state->waiter != this)
                return;
            m_failure = failure;
            abandon();
            // Do not call disarm() here: it would destroy the stop callback while that callback is running. The
            // awaiter's destructor destroys it; std::stop_callback allows that from within the callback.
            m_deadline.clock().cancel(std::exchange(m_timer, Clock::TimerId::None));
            m_coroutine.resume();
        }

        void abandon() {
            m_state->waiter = nullptr;
            m_state->left = true;
        }

        void disarm() {
            m_deadline.clock().cancel(std::exchange(m_timer, Clock::TimerId::None));
            m_onStop.reset();
        }

        std::shared_ptr<State> m_state;
        Deadline m_deadline;
        std::stop_token m_stop;
        std::optional<std::stop_callback<StopHandler>> m_onStop;
        std::optional<ErrorCode> m_failure;  // Cancelled or Timeout; a whole Error would make each frame larger
        std::coroutine_handle<> m_coroutine;
        Clock::TimerId m_timer = Clock::TimerId::None;
    };

    // What wait() returns: a plain value. It becomes the Waiter inside the awaiting coroutine's frame. GCC 12 would
    // move a Waiter returned directly, but the timer and the stop callback keep pointers to it.
    class [[nodiscard]] Wait {
    public:
        Wait(std::shared_ptr<State> state, Deadline deadline, std::stop_token stop)
            : m_state(std::move(state)), m_deadline(deadline), m_stop(std::move(stop)) {}
        [[nodiscard]] Waiter operator co_await() const { return Waiter(m_state, m_deadline, m_stop); }

    private:
        std::shared_ptr<State> m_state;
        Deadline m_deadline;
        std::stop_token m_stop;
    };

    std::shared_ptr<State> m_state;

public:
    // May be awaited once. Usually takes the token of a TaskScope; a default-constructed token never stops the wait.
    [[nodiscard]] Wait wait(Deadline deadline, std::stop_token stop = {}) const {
        return Wait(m_state, deadline, std::move(stop));
    }
};

}  // namespace lockkeeper
