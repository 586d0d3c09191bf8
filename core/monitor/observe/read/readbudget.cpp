// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/readbudget.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds sliceLength = 50ms;
// A tenth of the reads may be made at once: enough for one turn of the event loop, too little to stall a server.
constexpr int burstShare = 10;

}  // namespace

ReadBudget::ReadBudget(Clock& clock, int readsPerSecond)
    : m_clock(clock),
      m_burst(std::max(readsPerSecond / burstShare, 1)),
      m_perSecond(std::max(readsPerSecond, 2)),
      m_rate(m_perSecond, m_burst) {}

// A higher rate does not allow longer bursts.
void ReadBudget::setPerSecond(int reads) {
    const int perSecond = std::max(reads, m_burst + 1);
    if (perSecond == m_perSecond)
        return;
    const TakeRate before = std::exchange(m_rate, TakeRate(perSecond, m_burst));
    m_perSecond = perSecond;
    m_bucket.change(m_clock.now(), before, m_rate);
    if (m_timer.isRunning())
        m_timer.start(m_bucket.nextAt(m_rate));
}

Completion<Done> ReadBudget::take() {
    const SteadyTime now = m_clock.now();
    if (m_askers.empty() && m_bucket.nextAt(m_rate) <= now) {
        count(now);
        return Completion<Done>::completed(Done());
    }
    m_askers.emplace_back();
    const Completion<Done> turn = m_askers.back();
    startTimer();
    if (m_whenShort)
        m_whenShort();
    return turn;
}

void ReadBudget::grantDue() {
    const SteadyTime now = m_clock.now();
    while (!m_askers.empty() && m_bucket.nextAt(m_rate) <= now) {
        const Completion<Done> asker = std::move(m_askers.front());
        m_askers.pop_front();
        count(now);
        asker.complete(Done());
    }
    startTimer();
}

void ReadBudget::startTimer() {
    if (!m_askers.empty() && !m_timer.isRunning())
        m_timer.start(m_bucket.nextAt(m_rate));
}

void ReadBudget::count(SteadyTime now) {
    m_bucket.take(now, m_rate);
    if (m_slices.empty() || now >= m_slices.back().start + sliceLength)
        m_slices.push_back({now});
    ++m_slices.back().reads;
    m_slices.back().limit = std::max(m_slices.back().limit, m_perSecond);
    while (m_slices.front().start + 1s < now)
        m_slices.pop_front();
}

double ReadBudget::usedPerSecond() const {
    const SteadyTime now = m_clock.now();
    double reads = 0;
    for (const Slice& slice : m_slices)
        reads += slice.start + 1s > now ? slice.reads : 0;
    return reads;
}

int ReadBudget::limitOfLastSecond() const {
    const SteadyTime now = m_clock.now();
    int limit = m_perSecond;
    for (const Slice& slice : m_slices)
        limit = std::max(limit, slice.start + 1s > now ? slice.limit : 0);
    return limit;
}

}  // namespace lockkeeper::monitor
