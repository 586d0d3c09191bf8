// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "serve/messagequeue.h"
#include "serve/receiver.h"

#include <memory>

namespace lockkeeper::serve {

// What a Sender reports, for the log.
struct SenderEvent {
    enum class Kind { Sent, Failed, GivenUp };
    Kind kind = Kind::Sent;
    QByteArray message;  // its id
    int attempt = 0;
    std::optional<Error> error{};  // Failed and GivenUp
    Milliseconds pause{0};         // Failed: until the next attempt
};

// Delivers the messages of a queue in their order, one at a time. After a failure it waits longer each time, and by
// chance more or less, so that many notifiers do not come back at once. A message that the receiver refuses three
// times, or that is a day old, is given up. Thread: the clock's.
class Sender {
public:
    static constexpr Milliseconds firstPause{1000};
    static constexpr Milliseconds longestPause{300'000};
    static constexpr Milliseconds longestAge{24 * 3600 * 1000};
    static constexpr int mostRefusals = 3;

    // share: a number from 0 to 1 by chance. queue: outlives it.
    Sender(MessageQueue& queue, Clock& clock, std::function<double()> share,
           std::function<void(const SenderEvent& event)> report);
    ~Sender();
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    // An attempt under way at another receiver is given up, and may be made twice. The next one is made at once.
    void setReceiver(std::unique_ptr<Receiver> receiver);
    // There may be another message.
    void work();
    // Begins nothing more.
    void stop() { m_isStopped = true; }
    [[nodiscard]] bool isDelivering() const noexcept { return m_isDelivering; }
    [[nodiscard]] std::optional<SteadyTime> nextAttempt() const { return m_pause.due(); }

private:
    void onEnd(const DeliveryEnd& end);
    void onFailure(const DeliveryEnd& end);
    [[nodiscard]] bool isTooOld() const;
    void giveUp(const Error& why);
    [[nodiscard]] Milliseconds pauseAfter(const DeliveryEnd& end) const;

    MessageQueue& m_queue;
    Clock& m_clock;
    const std::function<double()> m_share;
    const std::function<void(const SenderEvent& event)> m_report;
    std::unique_ptr<Receiver> m_receiver;
    int m_failures = 0;  // in a row
    int m_refusals = 0;  // of the first message
    bool m_isDelivering = false;
    bool m_isStopped = false;
    ClockTimer m_pause;
};

}  // namespace lockkeeper::serve
