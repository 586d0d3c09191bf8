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
    addTime(span, before, after, between);
    span.releases += static_cast<quint32>(between.messages);
    span.acquisitions += acquisitions;
    ++span.reads;
    span.silent = span.silent || mayHideReleases(before, after, comparison, between);
    measureHold(before, after, comparison, between);
    if (acquisitions > 0 || between.messages > 0)
        m_lastActive = after.seenAt;
    m_until = after.seenAtWall;
}

// The earlier state lasts until the change. For the time after it, the later read is the sample: a lock that changes
// faster than it is read is read in turn, independent of its state.
void ThroughputMeter::addTime(Span& span, const LockSnapshot& before, const LockSnapshot& after,
                              const BetweenReads& between) {
    const SteadyTime change = unchangedUntil(before, after, between);
    if (before.isHeld())
        span.held += duration_cast<microseconds>(change - before.seenAt);
    span.sampled += duration_cast<microseconds>(after.seenAt - change);
    if (after.isHeld())
        span.sampledHeld += duration_cast<microseconds>(after.seenAt - change);
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
    Span whole;
    for (const Span& span : m_spans) {
        whole.held += span.held;
        whole.sampled += span.sampled;
        whole.sampledHeld += span.sampledHeld;
        sum.releases += span.releases;
        sum.acquisitions += span.acquisitions;
        sum.reads += static_cast<int>(span.reads);
        if (span.silent)
            sum.counting = Throughput::Releases::AtLeast;
    }
    if (sum.window < shortestWindow || sum.acquisitions < fewestAcquisitions)
        return std::nullopt;
    whole.begin = m_spans.front().begin;
    whole.end = m_spans.back().end;
    whole.reads = static_cast<quint32>(sum.reads);
    sum.heldShare = heldShare(whole);
    addHolds(sum);
    return sum;
}

// Between two reads the state is known up to the first change; the rest is a sample.
std::optional<Throughput::Share> ThroughputMeter::heldShare(const Span& whole) {
    using Seconds = std::chrono::duration<double>;
    const double length = Seconds(whole.end - whole.begin) / Seconds(1);
    const double known = Seconds(whole.held) / Seconds(1);
    const double sampled = Seconds(whole.sampled) / Seconds(1);
    if (whole.sampled == microseconds(0))
        return Throughput::Share{std::min(known / length, 1.0), std::min(known / length, 1.0)};
    const Throughput::Share ofSample =
        shareBySample(Seconds(whole.sampledHeld) / Seconds(whole.sampled), static_cast<int>(whole.reads));
    return ifTelling({std::min((known + ofSample.atLeast * sampled) / length, 1.0),
                      std::min((known + ofSample.atMost * sampled) / length, 1.0)});
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
