// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/phrasescan.h"

#include <deque>

namespace lockkeeper::monitor {

PhraseScan::PhraseScan(const std::vector<std::string_view>& phrases) {
    for (const std::string_view phrase : phrases) {
        for (const char character : phrase) {
            uint8_t& sort = m_sorts[static_cast<unsigned char>(character)];
            if (sort == 0)
                sort = static_cast<uint8_t>(m_sortCount++);
        }
    }
    for (unsigned char letter = 'A'; letter <= 'Z'; ++letter)
        m_sorts[letter] = m_sorts[letter - 'A' + 'a'];
    for (const char character : {' ', '\t', '\n', '\r'})
        m_sorts[static_cast<unsigned char>(character)] = blank;
    m_next.assign(m_sortCount, 0);
    m_ends.assign(1, nothing);
    for (size_t i = 0; i < phrases.size(); ++i)
        addPhrase(phrases[i], static_cast<int>(i));
    link();
}

void PhraseScan::addPhrase(std::string_view phrase, int number) {
    size_t state = 0;
    for (const char character : phrase) {
        const size_t place = state * m_sortCount + m_sorts[static_cast<unsigned char>(character)];
        if (m_next[place] == 0) {
            m_next[place] = static_cast<uint16_t>(m_ends.size());
            m_ends.push_back(nothing);
            m_next.resize(m_next.size() + m_sortCount, 0);
        }
        state = m_next[place];
    }
    m_ends[state] = static_cast<int16_t>(number);
}

// Breadth first: where a phrase breaks off, the scan continues with the longest other beginning that still fits.
void PhraseScan::link() {
    std::vector<uint16_t> fallback(m_ends.size(), 0);
    std::deque<uint16_t> open;
    for (size_t sort = 0; sort < m_sortCount; ++sort) {
        if (m_next[sort] != 0)
            open.push_back(m_next[sort]);
    }
    while (!open.empty()) {
        const uint16_t state = open.front();
        open.pop_front();
        if (m_ends[state] == nothing)
            m_ends[state] = m_ends[fallback[state]];
        for (size_t sort = 0; sort < m_sortCount; ++sort) {
            uint16_t& next = m_next[state * m_sortCount + sort];
            const uint16_t other = m_next[fallback[state] * m_sortCount + sort];
            if (next == 0) {
                next = other;
            } else {
                fallback[next] = other;
                open.push_back(next);
            }
        }
    }
}

}  // namespace lockkeeper::monitor
