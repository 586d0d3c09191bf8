// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/tokensample.h"

#include "monitor/observe/read/sweeppace.h"

#include <cmath>

namespace lockkeeper::monitor {

void TokenSample::beginSweep() {
    m_calls = 0;
    m_share = 0;
    m_now = TokenLitter();
}

void TokenSample::add(double share, size_t found) {
    m_share += share;
    m_now.found += found;
}

void TokenSample::addChecked(bool leftOver) {
    ++m_now.checked;
    m_now.leftOver += leftOver ? 1 : 0;
}

void TokenSample::endSweep(std::optional<qint64> keys, WallTime at) {
    m_last.reset();
    if (!keys || m_share <= 0 || m_now.found < fewest)
        return;
    m_last = m_now;
    m_last->sampledKeys = static_cast<quint64>(std::llround(m_share * static_cast<double>(*keys)));
    m_last->estimate = static_cast<quint64>(std::llround(static_cast<double>(m_now.found) / m_share));
    m_last->at = at;
}

double TokenSample::share(const QByteArray& from, const QByteArray& to) {
    const double end = to == "0" ? 1.0 : scannedShare(to);
    const double begin = from == "0" ? 0.0 : scannedShare(from);
    return std::max(end - begin, 0.0);
}

}  // namespace lockkeeper::monitor
