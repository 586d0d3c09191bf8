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

// One answer that is to come, and the one awaitable of the project. The producer keeps a copy and calls complete(); at
// most one consumer either awaits wait() or registers a callback with then(). Copies share the same answer.
//
// wait() ends with the answer, with Timeout when the deadline passes, or with Cancelled when the token asks. The waiter
// is resumed from within complete(), the clock's timer or request_stop(): a producer must expect anything to have
// happened after complete() returns. An answer that comes after the waiter has left goes to the handler of
// whenAbandoned(), so that nothing taken on the server is forgotten.
//
// Thread: producer, consumer and clock on the same one.
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

    // The first answer counts, later ones are dropped.
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
    // The waiter has left without the answer.
    [[nodiscard]] bool isAbandoned() const noexcept { return m_state->left; }

    // Instead of wait(): called once with the answer, at once when it is there already.
    void then(Handler handler) const {
        if (m_state->result)
            handler(std::move(*m_state->result));
        else
            m_state->handler = std::move(handler);
    }

    // Called with the answer if it comes after wait() has ended without it. Never called when wait() delivered it.
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
                leave();
        }

        [[nodiscard]] bool await_ready() {
            if (m_state->result)
                return true;
            if (m_stop.stop_requested())
                m_failure.emplace(ErrorCode::Cancelled, QStringLiteral("cancelled"));
            else if (m_deadline.hasPassed())
                m_failure.emplace(ErrorCode::Timeout, QStringLiteral("no answer in time"));
            if (m_failure)
                leave();
            return m_failure.has_value();
        }

        void await_suspend(std::coroutine_handle<> coroutine) {
            m_coroutine = coroutine;
            m_state->waiter = this;
            if (!m_deadline.isNever())
                m_timer = m_deadline.clock().schedule(m_deadline.time(), [this] {
                    m_timer = Clock::TimerId::None;
                    giveUp(Error(ErrorCode::Timeout, QStringLiteral("no answer in time")));
                });
            if (m_stop.stop_possible())
                m_onStop.emplace(std::move(m_stop), StopHandler{this});
        }

        [[nodiscard]] Result<T> await_resume() {
            disarm();
            if (m_failure)
                return std::move(*m_failure);
            return std::move(*m_state->result);
        }

        void resume() {
            disarm();
            m_coroutine.resume();
        }

    private:
        struct StopHandler {
            Waiter* waiter;
            void operator()() const { waiter->giveUp(Error(ErrorCode::Cancelled, QStringLiteral("cancelled"))); }
        };

        void giveUp(Error error) {
            if (m_state->waiter != this)
                return;
            m_failure.emplace(std::move(error));
            leave();
            // Not disarm(): a stop callback must not destroy itself before it has returned to its caller's frame; the
            // awaiter's destructor does it, which std::stop_callback allows from within the callback.
            m_deadline.clock().cancel(std::exchange(m_timer, Clock::TimerId::None));
            m_coroutine.resume();
        }

        void leave() {
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
        std::optional<Error> m_failure;
        std::coroutine_handle<> m_coroutine;
        Clock::TimerId m_timer = Clock::TimerId::None;
    };

    // What wait() returns: a plain value that becomes the Waiter inside the awaiting coroutine's frame. GCC 12 would
    // move the Waiter itself there, and it must stay where the timer and the stop callback point to.
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
    // co_await it once. The token of a TaskScope is the usual one; a default-made token never stops.
    [[nodiscard]] Wait wait(Deadline deadline, std::stop_token stop = {}) const {
        return Wait(m_state, deadline, std::move(stop));
    }
};

}  // namespace lockkeeper
