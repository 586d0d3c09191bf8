// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "locks/hold.h"

#include <QHash>

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

private:
    struct Open {
        int count = 0;
        std::vector<Completion<Done>> waiters;
    };

    QHash<HoldKey, Open> m_open;
};

}  // namespace lockkeeper::locks
