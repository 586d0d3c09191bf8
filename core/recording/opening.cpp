// SPDX-License-Identifier: Apache-2.0
#include "recording/opening.h"

namespace lockkeeper::recording {

namespace {

// One step takes a few milliseconds.
constexpr int inputsInOneStep = 1000;
constexpr qsizetype bytesInOneStep = 4 * 1024 * 1024;  // what is kept of a thread dump may have megabytes
constexpr int laterRecordsInOneStep = 100;             // one of a lab is larger

}  // namespace

bool Opening::encodeNext(BlockBuilder& block) {
    const auto hasRoom = [&block, begun = block.size()] { return block.size() - begun < bytesInOneStep; };
    for (int i = 0; i < inputsInOneStep && m_next < m_present.size() && hasRoom(); ++i)
        block.add(m_at, m_wall, m_present.at(m_next++));
    for (int i = 0; i < laterRecordsInOneStep && m_next == m_present.size() && !m_since.empty(); ++i) {
        block.add(m_since.front().record, m_since.front().wall);
        m_since.pop_front();
    }
    return m_next < m_present.size() || !m_since.empty();
}

}  // namespace lockkeeper::recording
