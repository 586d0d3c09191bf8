// SPDX-License-Identifier: Apache-2.0
#include "serve/sender.h"

#include "serve/servecause.h"

#include <algorithm>
#include <cmath>

namespace lockkeeper::serve {

Sender::Sender(MessageQueue& queue, Clock& clock, std::function<double()> share,
               std::function<void(const SenderEvent& event)> report)
    : m_queue(queue), m_clock(clock), m_share(std::move(share)), m_report(std::move(report)), m_pause(clock, [this] {
          work();
      }) {}

Sender::~Sender() = default;

void Sender::setReceiver(std::unique_ptr<Receiver> receiver) {
    m_receiver = std::move(receiver);
    m_isDelivering = false;
    m_failures = 0;
    m_refusals = 0;
    m_pause.stop();
    work();
}

void Sender::work() {
    while (!m_isDelivering && !m_queue.isEmpty() && isTooOld()) {
        constexpr auto hours = std::chrono::duration_cast<std::chrono::hours>(longestAge).count();
        giveUp(Error(ErrorCode::Timeout, ServeCause::MessageTooOld, {QString::number(hours)}));
    }
    if (!m_receiver || m_isDelivering || m_isStopped || m_pause.isRunning() || m_queue.isEmpty())
        return;
    m_isDelivering = true;
    const int attempt = m_queue.beginAttempt();
    m_receiver->deliver(m_queue.first().message, attempt, [this](const DeliveryEnd& end) { onEnd(end); });
}

// A clock that was set back makes no message old.
bool Sender::isTooOld() const {
    return m_clock.wallNow() - m_queue.first().message.at > longestAge;
}

void Sender::onEnd(const DeliveryEnd& end) {
    m_isDelivering = false;
    if (end.kind != DeliveryEnd::Kind::Taken)
        return onFailure(end);
    m_report({SenderEvent::Kind::Sent, m_queue.first().message.id, m_queue.first().attempts});
    m_queue.removeFirst();
    m_failures = 0;
    m_refusals = 0;
    work();
}

void Sender::onFailure(const DeliveryEnd& end) {
    const Error error = end.error.value_or(Error());
    ++m_failures;
    if (end.kind == DeliveryEnd::Kind::Refused && ++m_refusals >= mostRefusals) {
        giveUp(error);
        return work();
    }
    const Milliseconds pause = pauseAfter(end);
    m_report({SenderEvent::Kind::Failed, m_queue.first().message.id, m_queue.first().attempts, error, pause});
    m_pause.start(pause);
}

void Sender::giveUp(const Error& why) {
    m_report({SenderEvent::Kind::GivenUp, m_queue.first().message.id, m_queue.first().attempts, why});
    m_queue.dropFirst();
    m_refusals = 0;
}

// Between the half of it and all of it.
Milliseconds Sender::pauseAfter(const DeliveryEnd& end) const {
    constexpr int mostDoublings = 9;
    const Milliseconds longest = std::min(longestPause, firstPause * (1 << std::min(m_failures - 1, mostDoublings)));
    const auto chosen = Milliseconds(std::llround(static_cast<double>(longest.count()) * (0.5 + m_share() / 2)));
    return std::max(chosen, end.retryAfter.value_or(Milliseconds(0)));
}

}  // namespace lockkeeper::serve
