// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/namereads.h"

#include "async/pause.h"
#include "monitor/model/nameweight.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds restBetweenReads = 1s;
constexpr qsizetype mostToCome = 10000;  // further names are left to the sweeps

}  // namespace

NameReads::NameReads(LockReader& reader, ReadBudget& budget, Clock& clock)
    : m_reader(reader), m_budget(budget), m_clock(clock), m_bulk(reader, budget, clock) {}

NameReads::~NameReads() = default;

void NameReads::request(const LockName& name) {
    const bool isFull = m_weightToCome + weightOf(name) > mostToCome;
    if (isFull || m_toCome.contains(name) || (m_isPassedOver && m_isPassedOver(name)))
        return;
    m_toCome.insert(name);
    m_weightToCome += weightOf(name);
    m_tasks.spawn(readInTurn(name));
}

Task<void> NameReads::readInTurn(LockName name) {
    const std::stop_token stop = m_tasks.stopToken();
    const std::chrono::nanoseconds resting = m_resting.value(name) - m_clock.now();
    if (resting > 0ns)
        (void)co_await pauseUntil(Deadline::in(m_clock, resting), stop);
    const Completion<Done> granted = m_budget.take();
    const Result<Done> turn = co_await granted.wait(Deadline::never(m_clock), stop);
    if (!turn)
        co_return;
    const SteadyTime now = m_clock.now();
    m_weightToCome -= m_toCome.remove(name) ? weightOf(name) : 0;
    m_resting.removeIf([now](const auto& entry) { return *entry <= now; });
    m_resting.insert(name, now + restBetweenReads);
    const Completion<LockReading> answer = m_reader.read(name);
    const Result<LockReading> reading = co_await answer.wait(Deadline::never(m_clock), stop);
    if (reading)
        judge(*reading);
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
    const LockSnapshot* lock = std::get_if<LockSnapshot>(&reading);
    if (lock && lock->isHeld())
        Q_EMIT confirmed(*lock);
}

}  // namespace lockkeeper::monitor

#include "moc_namereads.cpp"
