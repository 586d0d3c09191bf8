#pragma once

#include "redis/connectionoptions.h"
#include "redis/transport.h"

#include <deque>

namespace lockkeeper::test {

// The way of a client to its server, which passes everything on until the test wants something to get lost between the
// sending of a script and its answer. The factory refers to this object.
class LossyLine {
public:
    enum class Loss {
        Command,    // never comes to the server, and the connection ends
        Answer,     // the script has run, and the connection ends
        LateAnswer  // comes after so long a time
    };

    explicit LossyLine(redis::Endpoint endpoint) : m_endpoint(std::move(endpoint)) {}
    LossyLine(const LossyLine&) = delete;
    LossyLine& operator=(const LossyLine&) = delete;

    [[nodiscard]] redis::TransportFactory factory();
    // Of the next script, after so many others that pass; once more for each call. A NOSCRIPT answers no script.
    void lose(Loss what, int passing = 0) { m_losses.push_back(Pending{what, passing}); }
    [[nodiscard]] bool hasLostAll() const noexcept { return m_losses.empty(); }

    // Runs at the moment of a loss; while the connection is no more, and before the client hears of it.
    std::function<void()> whenLost;
    Milliseconds lateness{0};

private:
    friend class LossyTransport;

    struct Pending {
        Loss what;
        int passing;
    };

    // A script is about to be sent, or its answer has come: whether it gets lost.
    [[nodiscard]] bool losesCommand();
    [[nodiscard]] std::optional<Loss> answerCame();

    redis::Endpoint m_endpoint;
    std::deque<Pending> m_losses;
};

}  // namespace lockkeeper::test
