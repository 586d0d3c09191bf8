// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/storedlock.h"

namespace lockkeeper::monitor {

StoredLock::StoredLock(LockSnapshot first, quint64 releasesReceived)
    : history(first), waits(first), m_row(std::make_shared<LockRow>()) {
    m_row->lock = std::move(first);
    m_row->releasesReceived = releasesReceived;
}

LockRow& StoredLock::edit() {
    if (std::exchange(m_isPassedOn, false))
        m_row = std::make_shared<LockRow>(*m_row);
    return *m_row;
}

SharedRow StoredLock::passOn() {
    m_isPassedOn = true;
    return m_row;
}

}  // namespace lockkeeper::monitor
