// SPDX-License-Identifier: Apache-2.0
#include "recording/opening.h"

namespace lockkeeper::recording {

namespace {

constexpr int inputsInOneStep = 1000;  // a few milliseconds

}  // namespace

bool Opening::encodeNext(BlockBuilder& block) {
    for (int i = 0; i < inputsInOneStep; ++i) {
        if (m_next < m_present.size()) {
            block.add(m_at, m_wall, m_present.at(m_next++));
        } else if (!m_since.empty()) {
            block.add(m_since.front().record, m_since.front().wall);
            m_since.pop_front();
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace lockkeeper::recording
