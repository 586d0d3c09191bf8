// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "locks/hold.h"

#include <QObject>

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
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

    struct Waiting {
        Waiters untilNone;
        Waiters untilRefused;
        std::optional<Error> refusal;
    };

    // Small, because each command makes one.
    struct Open {
        int count = 0;
        std::unique_ptr<Waiting> waiting;  // null, unless there is a waiter or a refusal
    };

    struct Answered {
        Completion<Done> waiter;
        Result<Done> answer;
    };

    void completeSoon(const Waiters& waiters, const Result<Done>& answer);
    void completeAnswered();

    static Waiting& waitingOf(Open& open);

    std::unordered_map<HoldKey, Open, HoldKeyHash> m_open;
    std::deque<Answered> m_answered;
    QObject m_context;  // context of calls from the event loop; destroyed first
};

}  // namespace lockkeeper::locks
