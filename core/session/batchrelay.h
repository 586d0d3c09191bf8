// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

#include <atomic>
#include <functional>
#include <memory>

namespace lockkeeper {

// Whether the receiver has taken the last batch. Both threads write only this object: waking the sender for each taken
// batch would cost more than the batch.
class BatchReceipt {
public:
    // For the receiver. True: the sender has something waiting, and must be woken.
    [[nodiscard]] bool take() noexcept { return m_state.exchange(State::Taken) == State::Awaited; }

    // For the sender.
    [[nodiscard]] bool isTaken() const noexcept { return m_state.load() == State::Taken; }
    void send() noexcept { m_state.store(State::UnderWay); }
    // False if the receiver has taken the batch meanwhile.
    [[nodiscard]] bool await() noexcept {
        State expected = State::UnderWay;
        return m_state.compare_exchange_strong(expected, State::Awaited) || expected == State::Awaited;
    }

private:
    enum class State { Taken, UnderWay, Awaited };
    std::atomic<State> m_state = State::Taken;
};

// Passes batches on one at a time: a busy receiver finds one merged batch, not a queue of them. A batch that need not
// wait is passed on without a copy. Thread: one; the receiver's thread may use the receipt.
class LOCKKEEPER_MONITOR_EXPORT BatchRelay {
public:
    using Receipt = std::shared_ptr<BatchReceipt>;
    using Send = std::function<void(const monitor::SharedBatch&, const Receipt&)>;

    explicit BatchRelay(Send send) : m_send(std::move(send)) {}

    void pass(const monitor::SharedBatch& batch);
    // Call it after the receiver's take() has returned true.
    void sendWaiting();

private:
    void send(const monitor::SharedBatch& batch);

    const Send m_send;
    const Receipt m_receipt = std::make_shared<BatchReceipt>();
    monitor::MonitorBatch m_waiting;  // batches that came while the receiver was busy, merged
    quint64 m_eventsDropped = 0;      // events dropped because the receiver was busy for too long
};

}  // namespace lockkeeper
