// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "redis/transport.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::test {

// The path between a client and its server. It forwards everything until the test wants a loss between a script and its
// answer. The factory refers to this object.
class LossyLine {
public:
    enum class Loss {
        Command,        // does not reach the server, and the connection ends
        HeldUpCommand,  // does not reach the server, which does not see the end of the connection; the command may
                        // arrive later
        Answer,         // the script has run, but the connection ends
        LateAnswer      // arrives after this delay
    };

    explicit LossyLine(redis::Endpoint endpoint) : m_endpoint(std::move(endpoint)) {}
    LossyLine(const LossyLine&) = delete;
    LossyLine& operator=(const LossyLine&) = delete;

    [[nodiscard]] redis::TransportFactory factory();
    // Loses the next script after `passing` others; isOwnRead() does not count. Each call adds one more loss. A
    // NOSCRIPT reply does not count as an answer.
    void lose(Loss what, int passing = 0) { m_losses.push_back(Pending{what, passing}); }
    [[nodiscard]] bool hasLostAll() const noexcept { return m_losses.empty(); }

    // Lets the commands that were held up continue, each on its old connection.
    void deliverHeldUp();
    // Whether the server has ended these connections.
    [[nodiscard]] bool heldUpHaveEnded() const;

    // Runs at the moment of a loss: the connection has ended, but the client has not been notified yet.
    std::function<void()> whenLost;
    Milliseconds lateness{0};

private:
    friend class LossyTransport;

    struct Pending {
        Loss what;
        int passing;
    };

    // Called before a script is sent, and when its answer has arrived. Returns the loss, if there is to be one.
    [[nodiscard]] std::optional<Loss> commandSent();
    [[nodiscard]] std::optional<Loss> answerCame();

    struct HeldUp {
        std::unique_ptr<redis::Transport> connection;
        QByteArray command;
        bool hasEnded = false;
    };
    void holdUp(std::unique_ptr<redis::Transport> connection, const QByteArray& command);

    redis::Endpoint m_endpoint;
    std::vector<std::unique_ptr<HeldUp>> m_heldUp;
    std::deque<Pending> m_losses;
};

}  // namespace lockkeeper::test
