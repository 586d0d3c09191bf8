// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "locks/hold.h"

#include <QHash>

#include <optional>
#include <vector>

namespace lockkeeper::locks {

// Counts what is not over yet, for each holder of a lock.
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

private:
    struct Open {
        int count = 0;
        std::vector<Completion<Done>> waiters;
        std::vector<Completion<Done>> untilRefused;
        std::optional<Error> refusal;
    };

    QHash<HoldKey, Open> m_open;
};

}  // namespace lockkeeper::locks
