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

// Counts what is not over yet, for each holder of a lock. Those who wait for the end are resumed from the event loop: the
// end may come inside a task of the client, and they may destroy the client.
class OpenCalls {
public:
    void begin(const HoldKey& key) { ++m_open[key].count; }
    void end(const HoldKey& key);
    [[nodiscard]] bool any(const HoldKey& key) const { return m_open.contains(key); }
    // At once if there are none.
    [[nodiscard]] Completion<Done> whenNone(const HoldKey& key);

    // The server refuses what would end them. They stay open: it is tried again.
    void refuse(const HoldKey& key, const Error& why);
    // As whenNone(), but ends with the server's error at its first refusal.
    [[nodiscard]] Completion<Done> whenNoneOrRefused(const HoldKey& key);

    // The client ends: ConnectionLost for all who wait.
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
    QObject m_context;  // of calls from the event loop; ends first
};

}  // namespace lockkeeper::locks
