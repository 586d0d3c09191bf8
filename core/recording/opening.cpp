// SPDX-License-Identifier: Apache-2.0
#include "recording/opening.h"

namespace lockkeeper::recording {

namespace {

// One step takes a few milliseconds.
constexpr int inputsInOneStep = 1000;
constexpr int laterRecordsInOneStep = 100;  // one of a lab is larger

}  // namespace

bool Opening::encodeNext(BlockBuilder& block) {
    for (int i = 0; i < inputsInOneStep && m_next < m_present.size(); ++i)
        block.add(m_at, m_wall, m_present.at(m_next++));
    for (int i = 0; i < laterRecordsInOneStep && m_next == m_present.size() && !m_since.empty(); ++i) {
        block.add(m_since.front().record, m_since.front().wall);
        m_since.pop_front();
    }
    return m_next < m_present.size() || !m_since.empty();
}

}  // namespace lockkeeper::recording
