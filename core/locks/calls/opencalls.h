// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "locks/hold.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <optional>
#include <vector>

namespace lockkeeper::locks {

// Counts the calls that are not over yet, for each holder of a lock. Waiters for the end are resumed from the event
// loop, because the end may come inside a task of the client, and a waiter may destroy the client.
class OpenCalls {
public:
    void begin(const HoldKey& key) { ++m_open[key].count; }
    void end(const HoldKey& key);
    [[nodiscard]] bool any(const HoldKey& key) const { return m_open.contains(key); }
    // Completes when this holder has no open calls; at once if it has none now.
    [[nodiscard]] Completion<Done> whenNone(const HoldKey& key);

    // The server refuses a command that would end them. They stay open, because the command is tried again.
    void refuse(const HoldKey& key, const Error& why);
    // As whenNone(), but ends with the server's error at its first refusal.
    [[nodiscard]] Completion<Done> whenNoneOrRefused(const HoldKey& key);

    // The client ends: all waiters get ConnectionLost.
    void close();

private:
    using Waiters = std::vector<Completion<Done>>;

    struct Open {
        int count = 0;
        Waiters waiters;
        Waiters untilRefused;
        std::optional<Error> refusal;
    };

    struct Answered {
        Completion<Done> waiter;
        Result<Done> answer;
    };

    void completeSoon(const Waiters& waiters, const Result<Done>& answer);
    void completeAnswered();

    QHash<HoldKey, Open> m_open;
    std::deque<Answered> m_answered;
    QObject m_context;  // context of calls from the event loop; destroyed first
};

}  // namespace lockkeeper::locks
