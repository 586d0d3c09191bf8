// SPDX-License-Identifier: Apache-2.0
#include "engine/replayclock.h"

#include <algorithm>

namespace lockkeeper {

namespace {

using namespace std::chrono_literals;

}  // namespace

Clock::TimerId ReplayClock::schedule(SteadyTime when, std::function<void()> handler) {
    const SteadyTime::duration wait = std::clamp<SteadyTime::duration>(when - m_now, 0s, 1s);
    return m_real.schedule(m_real.now() + wait, std::move(handler));
}

}  // namespace lockkeeper
