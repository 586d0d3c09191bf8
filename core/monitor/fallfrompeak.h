// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace lockkeeper::monitor {

// Notices when a number has fallen to half of its highest value, and by at least `least`. A value.
class FallFromPeak {
public:
    explicit FallFromPeak(qsizetype least) : m_least(least) {}

    // Call it with each new value. Returns true once for each such fall; the next one is measured from this value on.
    [[nodiscard]] bool note(qsizetype value) {
        m_peak = std::max(m_peak, value);
        if (m_peak - value < std::max(m_least, m_peak / 2))
            return false;
        m_peak = value;
        return true;
    }

private:
    qsizetype m_least;
    qsizetype m_peak = 0;
};

}  // namespace lockkeeper::monitor
