// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "monitor/store/storeinput.h"

#include <algorithm>
#include <vector>

namespace lockkeeper::monitor {

// Inputs that lead a new LockStore to what another one shows at one moment. The inputs for locks are made on request,
// because there may be 100,000 locks; their rows are shared with the store. A value.
class PresentInputs {
public:
    PresentInputs() = default;
    // The inputs are in the order of these parameters.
    PresentInputs(std::vector<StoreInput> beforeLocks, std::vector<SharedRow> locks, std::vector<StoreInput> afterLocks)
        : m_before(std::move(beforeLocks)), m_locks(std::move(locks)), m_after(std::move(afterLocks)) {}

    // Sorts the locks by name; otherwise their order is undefined. Takes a tenth of a second with 100,000 locks.
    void sortLocks() {
        std::ranges::sort(m_locks, [](const SharedRow& a, const SharedRow& b) { return *a < *b; });
    }

    [[nodiscard]] size_t size() const noexcept { return m_before.size() + m_locks.size() + m_after.size(); }
    // index: below size().
    [[nodiscard]] StoreInput at(size_t index) const {
        if (index < m_before.size())
            return m_before[index];
        index -= m_before.size();
        if (index < m_locks.size())
            return LockRead{m_locks[index]->lock, {}};
        return m_after[index - m_locks.size()];
    }

private:
    std::vector<StoreInput> m_before;
    std::vector<SharedRow> m_locks;
    std::vector<StoreInput> m_after;
};

}  // namespace lockkeeper::monitor
