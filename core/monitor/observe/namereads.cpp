// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/namereads.h"

#include "monitor/model/nameweight.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds restBetweenReads = 1s;
constexpr qsizetype mostToCome = 10000;
constexpr int mostInFlight = 128;

const LockSnapshot* heldLockIn(const LockReading& reading) {
    const LockSnapshot* lock = std::get_if<LockSnapshot>(&reading);
    return lock && lock->isHeld() ? lock : nullptr;
}

}  // namespace

NameReads::NameReads(LockReader& reader, ReadBudget& budget, Clock& clock, Reports reports)
    : m_reader(reader), m_budget(budget), m_clock(clock), m_bulk(reader, budget, clock), m_reports(reports) {}

NameReads::~NameReads() = default;

void NameReads::stop() {
    m_tasks.stop();
    m_restTimer.stop();
}

void NameReads::request(const LockName& name) {
    const bool isFull = m_weightToCome + weightOf(name) > mostToCome;
    if (isFull || m_toCome.contains(name))
        return;
    m_toCome.insert(name);
    m_weightToCome += weightOf(name);
    if (m_resting.contains(name))
        return;
    m_queue.push_back(name);
    beginReads();
}

// Called again from within a read that ends at once.
void NameReads::beginReads() {
    if (std::exchange(m_isBeginning, true))
        return;
    while (!m_queue.empty() && m_inFlight < mostInFlight && mayRead()) {
        const LockName name = std::move(m_queue.front());
        m_queue.pop_front();
        ++m_inFlight;
        m_tasks.spawn(readInTurn(name));
    }
    // No read is under way that may find a lock, and so allow further reads.
    if (m_inFlight == 0) {
        for (const LockName& name : std::exchange(m_queue, {}))
            removeToCome(name);
    }
    m_isBeginning = false;
}

bool NameReads::mayRead() {
    return m_reports == Reports::OfChanges || m_vain.take(m_clock.now());
}

Task<void> NameReads::readInTurn(LockName name) {
    const std::stop_token stop = m_tasks.stopToken();
    const Completion<Done> granted = m_budget.take();
    const Result<Done> turn = co_await granted.wait(Deadline::never(m_clock), stop);
    if (!turn)
        co_return;
    removeToCome(name);
    rest(name);
    const Completion<LockReading> answer = m_reader.read(name);
    const Result<LockReading> reading = co_await answer.wait(Deadline::never(m_clock), stop);
    if (stop.stop_requested())
        co_return;
    noteEnd(reading);
    if (reading)
        judge(*reading);
}

void NameReads::noteEnd(const Result<LockReading>& reading) {
    --m_inFlight;
    if (!reading)
        m_vain.noteUnknown();
    else if (heldLockIn(*reading))
        m_vain.noteLock();
    beginReads();
}

void NameReads::removeToCome(const LockName& name) {
    m_weightToCome -= m_toCome.remove(name) ? weightOf(name) : 0;
}

void NameReads::rest(const LockName& name) {
    m_rests.push_back({m_clock.now() + restBetweenReads, name});
    m_resting.insert(name);
    m_restTimer.startBy(m_rests.front().end);
}

void NameReads::endRests() {
    const SteadyTime now = m_clock.now();
    while (!m_rests.empty() && m_rests.front().end <= now) {
        const LockName name = std::move(m_rests.front().name);
        m_rests.pop_front();
        m_resting.remove(name);
        if (m_toCome.contains(name))
            m_queue.push_back(name);
    }
    if (!m_rests.empty())
        m_restTimer.start(m_rests.front().end);
    beginReads();
}

void NameReads::readAll(const QList<LockName>& names) {
    m_tasks.spawn(readEach(names));
}

Task<void> NameReads::readEach(QList<LockName> names) {
    const BulkReader::Take take = [this](const LockName&, const LockReading& reading) { judge(reading); };
    const BulkReader::End end = co_await m_bulk.read(names, take, m_tasks.stopToken());
    if (end == BulkReader::End::Whole)
        Q_EMIT ended();
}

void NameReads::judge(const LockReading& reading) {
    if (const LockSnapshot* lock = heldLockIn(reading))
        Q_EMIT confirmed(*lock);
}

}  // namespace lockkeeper::monitor

#include "moc_namereads.cpp"
