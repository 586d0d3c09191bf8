// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/throughputmeter.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;
using std::chrono::duration_cast;
using std::chrono::microseconds;

namespace {

constexpr Milliseconds spanLength = 500ms;
constexpr Milliseconds shortestWindow = 1s;

// The time until which nothing had changed since the read before, as far as the server reported it.
SteadyTime unchangedUntil(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    if (between.touch == KeyTouch::Untouched)
        return after.seenAt;
    return between.touch == KeyTouch::Touched ? std::clamp(between.touchedAt, before.seenAt, after.seenAt)
                                              : before.seenAt;
}

// The earlier state lasts until the change. For the time after it, the later read is the sample: a lock that changes
// faster than it is read is read in turn, independent of its state.
microseconds heldTime(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    const SteadyTime change = unchangedUntil(before, after, between);
    const auto known = before.isHeld() ? change - before.seenAt : SteadyTime::duration(0);
    const auto sampled = after.isHeld() ? after.seenAt - change : SteadyTime::duration(0);
    return duration_cast<microseconds>(known + sampled);
}

// Whether there may have been a release without a message.
bool mayHideReleases(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                     const BetweenReads& between) {
    const auto announcesEach = [](LockKind kind) { return kind == LockKind::Reentrant || kind == LockKind::Fenced; };
    const bool unexplained = !before.isHeld() && !after.isHeld() && between.touch == KeyTouch::Touched;
    return (before.isHeld() && !announcesEach(before.kind)) || (after.isHeld() && !announcesEach(after.kind)) ||
           between.reception == Reception::Incomplete || comparison.endedInSilence() ||
           (unexplained && between.messages == 0);
}

// Each known end of a hold had a begin, and a hold that exists at the later read must also have begun.
quint32 acquisitionsBetween(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                            const BetweenReads& between) {
    const auto joined = std::count_if(comparison.events.begin(), comparison.events.end(),
                                      [](const LockEvent& event) { return event.type == EventType::Acquired; });
    const int ends = between.messages + (comparison.endedInSilence() ? 1 : 0);
    const int balance = ends + int{after.isHeld()} - int{before.isHeld()};
    return static_cast<quint32>(std::max({balance, static_cast<int>(joined), 0}));
}

}  // namespace

void ThroughputMeter::add(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                          const BetweenReads& between) {
    const quint32 acquisitions = acquisitionsBetween(before, after, comparison, between);
    Span& span = spanUpTo(before.seenAt, after.seenAt);
    span.held += heldTime(before, after, between);
    span.releases += static_cast<quint32>(between.messages);
    span.acquisitions += acquisitions;
    ++span.reads;
    span.silent = span.silent || mayHideReleases(before, after, comparison, between);
    measureHold(before, after, comparison, between);
    if (acquisitions > 0 || between.messages > 0)
        m_lastActive = after.seenAt;
    m_until = after.seenAtWall;
}

ThroughputMeter::Span& ThroughputMeter::spanUpTo(SteadyTime begin, SteadyTime end) {
    if (m_spans.empty() || end - m_spans.back().begin > spanLength)
        m_spans.push_back(Span{begin, end});
    m_spans.back().end = end;
    while (m_spans.front().end + window <= end)
        m_spans.pop_front();
    return m_spans.back();
}

// Measures holds whose begin and end were reported when they happened: the first change of a free lock is its
// acquisition, and the first message after it is the release. Such holds may have any length. A hold that a read
// happened to find would more often be a long one, so it is left out. A hold that began in a hand-over and still
// existed at the read is left out, too.
void ThroughputMeter::measureHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                                  const BetweenReads& between) {
    if (between.touch == KeyTouch::Untouched)
        return;
    const bool alone = before.kind != LockKind::ReadWrite && after.kind != LockKind::ReadWrite;
    if (between.touch != KeyTouch::Touched || !alone || between.reception == Reception::Incomplete)
        return m_holdBegan.reset();
    if (!before.isHeld())
        m_holdBegan = between.touchedAt;
    if (between.messages > 0 && m_holdBegan && between.firstMessageAt >= *m_holdBegan)
        addHold(duration_cast<microseconds>(between.firstMessageAt - *m_holdBegan));
    const bool goesOn = after.isHeld() && (comparison.hold == HoldChange::Same || !before.isHeld());
    if (between.messages > 0 || !goesOn)
        m_holdBegan.reset();
}

void ThroughputMeter::addHold(microseconds hold) {
    constexpr microseconds longest{std::numeric_limits<quint32>::max()};
    const int capacity = static_cast<int>(m_holds.size());
    m_holds[static_cast<size_t>(m_nextHold)] = static_cast<quint32>(std::min(hold, longest).count());
    m_nextHold = (m_nextHold + 1) % capacity;
    m_holdCount = std::min(m_holdCount + 1, capacity);
}

std::optional<Throughput> ThroughputMeter::reading() const {
    if (m_spans.empty())
        return std::nullopt;
    // Messages are counted from read to read, so the window begins with a read, too: never inside a span.
    const SteadyTime::duration length = m_spans.back().end - m_spans.front().begin;
    Throughput sum;
    sum.until = m_until;
    sum.window = duration_cast<Milliseconds>(length);
    microseconds held{0};
    for (const Span& span : m_spans) {
        held += span.held;
        sum.releases += span.releases;
        sum.acquisitions += span.acquisitions;
        sum.reads += static_cast<int>(span.reads);
        if (span.silent)
            sum.counting = Throughput::Releases::AtLeast;
    }
    if (sum.window < shortestWindow || sum.acquisitions < fewestAcquisitions)
        return std::nullopt;
    sum.heldShare = std::clamp(std::chrono::duration<double>(held) / std::chrono::duration<double>(length), 0.0, 1.0);
    addHolds(sum);
    return sum;
}

void ThroughputMeter::addHolds(Throughput& sum) const {
    std::vector<quint32> holds(m_holds.begin(), m_holds.begin() + m_holdCount);
    const auto shareTook = [&holds](int percent) {
        const auto place = holds.begin() + (std::ssize(holds) - 1) * percent / 100;
        std::ranges::nth_element(holds, place);
        return duration_cast<Milliseconds>(microseconds(*place));
    };
    sum.holds = m_holdCount;
    if (m_holdCount >= fewestForMedian)
        sum.median = shareTook(50);
    if (m_holdCount >= fewestForNinetyNinth)
        sum.ninetyNinth = shareTook(99);
}

}  // namespace lockkeeper::monitor
