// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/writtennames.h"

#include "async/pause.h"
#include "monitor/model/nameweight.h"

namespace lockkeeper::monitor {

namespace {

// The rounds of a second then take about 5,000 names, which is more than WriteLimits allows.
constexpr qsizetype namesPerRound = 4 * LockProbe::namesAtOnce;

}  // namespace

WrittenNames::WrittenNames(redis::Connection& connection, ReadBudget& budget, Denials& denials, const KnownLocks& known,
                           TrackedReads& tracked, const NodeScope& scope)
    : m_clock(connection.clock()),
      m_known(known),
      m_reader(connection, denials, scope),
      m_candidates(
          connection, m_reader, budget, m_clock, tracked,
          [this](const LockName& name, const LockReading& reading, Confirmation confirmation) {
              judge(name, reading, confirmation);
          },
          scope) {}

WrittenNames::~WrittenNames() {
    stop();
}

bool WrittenNames::request(const LockName& name) {
    forgetOld(m_nonLocks, m_clock.now());
    forgetOld(m_resting, m_clock.now());
    if (m_known.knows(name) || m_waiting.contains(name) || m_resting.names.contains(name.bytes()))
        return true;
    if (m_nonLocks.names.contains(name.bytes()) && !mayReadAgain())
        return true;
    if (m_weight + weightOf(name) > mostWaiting)
        return false;
    m_waiting.insert(name);
    m_weight += weightOf(name);
    if (!std::exchange(m_isRunning, true))
        m_tasks.spawn(run());
    return true;
}

void WrittenNames::stop() {
    m_candidates.stop();  // stopped first, because a round waits for it
    m_tasks.stop();
}

Task<void> WrittenNames::run() {
    const std::stop_token stop = m_tasks.stopToken();
    while (!m_waiting.isEmpty() && !stop.stop_requested()) {
        const SteadyTime next = m_clock.now() + betweenRounds;
        const QList<LockName> names = takeWaiting();
        const CandidateReader::End end = co_await m_candidates.finish(names);
        if (end == CandidateReader::End::Broken) {
            m_waiting.clear();
            m_weight = 0;
            m_reader.startOver();
            m_candidates.startOver();
        }
        (void)co_await pause(next);
    }
    m_isRunning = false;
}

Task<bool> WrittenNames::pause(SteadyTime until) {
    return pauseUntil(Deadline::in(m_clock, until - m_clock.now()), m_tasks.stopToken());
}

QList<LockName> WrittenNames::takeWaiting() {
    QList<LockName> names;
    for (auto name = m_waiting.begin(); name != m_waiting.end() && names.size() < namesPerRound;) {
        names += *name;
        m_weight -= weightOf(*name);
        name = m_waiting.erase(name);
    }
    return names;
}

void WrittenNames::judge(const LockName& name, const LockReading& reading, Confirmation confirmation) {
    const LockSnapshot* lock = std::get_if<LockSnapshot>(&reading);
    if (!lock) {
        m_nonLocks.names.remember(name.bytes());
        m_resting.names.remember(name.bytes());
    } else if (!m_known.knows(name) && (lock->isHeld() || !lock->fairQueue.isEmpty())) {
        Q_EMIT confirmed(*lock, confirmation);
    }
}

bool WrittenNames::mayReadAgain() {
    constexpr Milliseconds second{1000};
    const SteadyTime now = m_clock.now();
    if (now >= m_secondEnds) {
        m_secondEnds = now + second;
        m_readAgain = 0;
    }
    return m_readAgain++ < mostReadAgain;
}

// A name is remembered to the end of the half after its own.
void WrittenNames::forgetOld(Memory& memory, SteadyTime now) {
    if (now < memory.halfEnds)
        return;
    const bool isLongAgo = now - memory.halfEnds >= memory.half;
    if (isLongAgo)
        memory.names.endSweep();
    memory.names.endSweep();
    memory.halfEnds = (isLongAgo ? now : memory.halfEnds) + memory.half;
}

}  // namespace lockkeeper::monitor

#include "moc_writtennames.cpp"
