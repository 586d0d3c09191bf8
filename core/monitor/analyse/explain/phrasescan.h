// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockkeeper::monitor {

// Finds any of a set of phrases in a stream of bytes, each byte once (Aho and Corasick). Blanks and line ends do not
// count, nor does the case of ASCII letters, so that a phrase is found wherever a terminal has wrapped it. Thread: the
// caller's; one scan can serve one stream.
class LOCKKEEPER_MONITOR_EXPORT PhraseScan {
public:
    // Lower case, without blanks; only ASCII. All bytes but letters, digits and the signs that they use are alike.
    explicit PhraseScan(const std::vector<std::string_view>& phrases);

    static constexpr int nothing = -1;
    // The number of the phrase that ends with this byte, the longest of several.
    int feed(unsigned char byte) {
        const uint8_t sort = m_sorts[byte];
        if (sort == blank)
            return nothing;
        m_state = m_next[m_state * m_sortCount + sort];
        return m_ends[m_state];
    }
    void restart() { m_state = 0; }
    // For a stream that was interrupted by another one.
    [[nodiscard]] size_t state() const noexcept { return m_state; }
    void resume(size_t state) { m_state = state; }

private:
    static constexpr uint8_t blank = 255;

    void addPhrase(std::string_view phrase, int number);
    void link();

    std::array<uint8_t, 256> m_sorts{};  // of each byte: its column in the table
    size_t m_sortCount = 1;              // column 0: bytes that no phrase has
    std::vector<uint16_t> m_next;        // one row for each state
    std::vector<int16_t> m_ends;         // the phrase that ends in this state
    size_t m_state = 0;
};

}  // namespace lockkeeper::monitor
