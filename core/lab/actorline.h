// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connectionoptions.h"
#include "redis/transport.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::lab {

// The network between one actor and its servers. While it is held up, no bytes pass and neither end gets an error;
// afterwards everything arrives, in order. With a delay everything arrives later, in order; the delay also holds for
// the request to connect and its answer. Thread: that of its clock. Must outlive the connections that use it.
class LOCKKEEPER_MONITOR_EXPORT ActorLine : public QObject {
    Q_OBJECT
public:
    // Why no bytes pass. They pass again when every reason has ended.
    enum class Reason { Frozen = 1, Cut = 2, Stopped = 4 };

    // The clock must outlive it.
    explicit ActorLine(Clock& clock) : m_clock(clock) {}

    // address: called at each connect, because another server may have replaced the first one.
    [[nodiscard]] redis::TransportFactory to(std::function<redis::Endpoint()> address);
    [[nodiscard]] std::unique_ptr<redis::Transport> dial(const redis::Endpoint& server);

    void holdUp(Reason reason) { m_reasons |= static_cast<unsigned>(reason); }
    void letPass(Reason reason);
    // No bytes pass to and from these servers, but to and from all others they do.
    void cutOff(std::vector<redis::Endpoint> servers);
    // Whether no bytes pass to and from this server.
    [[nodiscard]] bool isHeldUp(const redis::Endpoint& server) const;
    [[nodiscard]] bool isHeldUpBy(Reason reason) const noexcept {
        return (m_reasons & static_cast<unsigned>(reason)) != 0;
    }

    // delay: for each direction.
    void setDelay(Milliseconds delay) { m_delay = delay; }
    [[nodiscard]] Milliseconds delay() const noexcept { return m_delay; }
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }

    // The connection that gets the next answer to a script is ended in its place.
    void loseNextAnswer() { m_losesAnswer = true; }
    // Whether the present answer is the one to lose.
    [[nodiscard]] bool takeLoss() { return std::exchange(m_losesAnswer, false); }

Q_SIGNALS:
    void passes();
    // Whole commands were sent to a server.
    void sent(const QByteArray& bytes);

private:
    Clock& m_clock;
    Milliseconds m_delay{0};
    unsigned m_reasons = 0;
    std::vector<redis::Endpoint> m_cutOff;
    bool m_losesAnswer = false;
};

}  // namespace lockkeeper::lab
