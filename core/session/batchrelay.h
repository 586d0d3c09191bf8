// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

#include <atomic>
#include <functional>
#include <memory>

namespace lockkeeper {

// Whether the receiver has taken the last batch. The one thing that both threads write: waking the sender for each
// batch that was taken would cost more than the batch.
class BatchReceipt {
public:
    // Receiver. True: the sender has something waiting, and must be woken.
    [[nodiscard]] bool take() noexcept { return m_state.exchange(State::Taken) == State::Awaited; }

    // Sender.
    [[nodiscard]] bool isTaken() const noexcept { return m_state.load() == State::Taken; }
    void send() noexcept { m_state.store(State::UnderWay); }
    // False if it has been taken meanwhile.
    [[nodiscard]] bool await() noexcept {
        State expected = State::UnderWay;
        return m_state.compare_exchange_strong(expected, State::Awaited) || expected == State::Awaited;
    }

private:
    enum class State { Taken, UnderWay, Awaited };
    std::atomic<State> m_state = State::Taken;
};

// Passes batches on one at a time: a receiver that is busy finds one merged batch, and not a queue of them. A batch
// that need not wait is passed on as it is, without a copy. Thread: one; the receipt may be used by the receiver's.
class LOCKKEEPER_MONITOR_EXPORT BatchRelay {
public:
    using Receipt = std::shared_ptr<BatchReceipt>;
    using Send = std::function<void(const monitor::SharedBatch&, const Receipt&)>;

    explicit BatchRelay(Send send) : m_send(std::move(send)) {}

    void pass(const monitor::SharedBatch& batch);
    // To be called after the receiver's take() has returned true.
    void sendWaiting();

private:
    void send(const monitor::SharedBatch& batch);

    const Send m_send;
    const Receipt m_receipt = std::make_shared<BatchReceipt>();
    monitor::MonitorBatch m_waiting;  // what came while the receiver was busy, merged
    quint64 m_eventsDropped = 0;      // because the receiver was busy for too long
};

}  // namespace lockkeeper
