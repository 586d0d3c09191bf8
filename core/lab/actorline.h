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

// The network between one actor and its servers. While it is held up, nothing passes and no end gets an error; then
// everything arrives, in order. With a delay everything arrives later, in order, too, also the request to connect and its answer. Thread: that of its clock. Outlives
// the connections that use it.
class LOCKKEEPER_MONITOR_EXPORT ActorLine : public QObject {
    Q_OBJECT
public:
    // Why nothing passes. It passes again when every reason has ended.
    enum class Reason { Frozen = 1, Cut = 2, Stopped = 4 };

    // The clock outlives it.
    explicit ActorLine(Clock& clock) : m_clock(clock) {}

    // address: asked at each connect, because another server may have taken the place of the first one.
    [[nodiscard]] redis::TransportFactory to(std::function<redis::Endpoint()> address);
    [[nodiscard]] std::unique_ptr<redis::Transport> dial(const redis::Endpoint& server);

    void holdUp(Reason reason) { m_reasons |= static_cast<unsigned>(reason); }
    void letPass(Reason reason);
    // Nothing passes to and from these servers; to and from all others it does.
    void cutOff(std::vector<redis::Endpoint> servers);
    // Whether nothing passes to and from this server.
    [[nodiscard]] bool isHeldUp(const redis::Endpoint& server) const;
    [[nodiscard]] bool isHeldUpBy(Reason reason) const noexcept { return (m_reasons & static_cast<unsigned>(reason)) != 0; }

    // Of each way.
    void setDelay(Milliseconds delay) { m_delay = delay; }
    [[nodiscard]] Milliseconds delay() const noexcept { return m_delay; }
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }

    // The connection that gets the next answer to a script ends instead.
    void loseNextAnswer() { m_losesAnswer = true; }
    // Whether this answer is the one to lose.
    [[nodiscard]] bool takeLoss() { return std::exchange(m_losesAnswer, false); }

Q_SIGNALS:
    void passes();
    // Whole commands are on their way to a server.
    void sent(const QByteArray& bytes);

private:
    Clock& m_clock;
    Milliseconds m_delay{0};
    unsigned m_reasons = 0;
    std::vector<redis::Endpoint> m_cutOff;
    bool m_losesAnswer = false;
};

}  // namespace lockkeeper::lab
