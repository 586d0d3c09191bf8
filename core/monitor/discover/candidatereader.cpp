// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/candidatereader.h"

namespace lockkeeper::monitor {

namespace {

// For fewer hashes, checking them first costs as much as it saves.
constexpr qsizetype worthSortingOut = 8;
constexpr qsizetype namesInRound = 4 * LockProbe::namesAtOnce;
// Reading the field names of this many small hashes costs the server less than reading one lock. For big hashes a
// command reads fewer names, and each command takes its own turns.
constexpr qsizetype hashesPerTurn = 8;
// In a Cluster most hashes need a command of their own.
constexpr qsizetype hashesPerTurnInCluster = 2;

}  // namespace

CandidateReader::CandidateReader(redis::Connection& connection, LockReader& reader, ReadBudget& budget, Clock& clock,
                                 TrackedReads& tracked, Take take, const NodeScope& scope, LockProbe::Naming naming)
    : m_budget(budget),
      m_clock(clock),
      m_scope(scope),
      m_probe(connection, scope, naming),
      m_untracked(reader, budget, clock),
      m_tracked(tracked),
      m_take(std::move(take)) {}

BulkReader::Take CandidateReader::takeAs(Confirmation confirmation) const {
    return
        [this, confirmation](const LockName& name, const LockReading& reading) { m_take(name, reading, confirmation); };
}

Task<CandidateReader::End> CandidateReader::read(QList<LockName> names) {
    co_return co_await m_untracked.read(names, takeAs(Confirmation::Untracked), m_tasks.stopToken());
}

Task<CandidateReader::End> CandidateReader::readLocksAmong(QList<LockName> hashes) {
    for (qsizetype first = 0; first < hashes.size(); first += LockProbe::namesAtOnce) {
        const QList<LockName> some = hashes.mid(first, LockProbe::namesAtOnce);
        BulkReader* const tracked = m_tracked.trackedBulk();
        End end = End::Whole;
        if (tracked && m_probe.isAllowed() && some.size() >= worthSortingOut)
            end = co_await sortOutAndRead(some, tracked);
        else
            end = co_await read(some);
        if (end == End::Broken)
            co_return end;
    }
    co_return End::Whole;
}

Task<CandidateReader::End> CandidateReader::sortOutAndRead(QList<LockName> hashes, BulkReader* tracked) {
    const std::stop_token stop = m_tasks.stopToken();
    const qsizetype perTurn = m_scope.isInCluster() ? hashesPerTurnInCluster : hashesPerTurn;
    while (!hashes.isEmpty()) {
        const bool mayAsk = co_await takeTurns((hashes.size() + perTurn - 1) / perTurn);
        if (!mayAsk)
            co_return End::Broken;
        const Result<LockProbe::Answer> answer = co_await m_probe.ask(hashes, stop);
        if (!answer)
            co_return End::Broken;
        for (const LockName& name : answer->others)
            m_take(name, NotALock(), Confirmation::Untracked);
        QList<LockName> untracked = answer->unknown;
        const End end = co_await tracked->read(answer->maybeLocks, takeAs(Confirmation::Tracked), stop);
        if (stop.stop_requested())
            co_return End::Broken;
        // The sweep does not depend on the tracking connection. Locks that this connection has already read are known,
        // and not reported twice.
        if (end == End::Broken)
            untracked += answer->maybeLocks;
        const End rest = co_await read(untracked);
        if (rest == End::Broken)
            co_return rest;
        hashes = answer->notProbed;
    }
    co_return End::Whole;
}

Task<bool> CandidateReader::takeTurns(qsizetype count) {
    std::vector<Completion<Done>> turns;
    for (qsizetype i = 0; i < count; ++i)
        turns.push_back(m_budget.take());
    for (const Completion<Done>& turn : turns) {
        const Result<Done> granted = co_await turn.wait(Deadline::never(m_clock), m_tasks.stopToken());
        if (!granted)
            co_return false;
    }
    co_return true;
}

// ---- while a sweep continues ----

Task<CandidateReader::End> CandidateReader::collect(QList<LockName> hashes) {
    m_collected += hashes;
    if (m_collected.size() < namesInRound)
        co_return End::Whole;
    const End end = co_await roundEnds();
    if (end == End::Broken)
        co_return end;
    m_round.emplace();
    m_tasks.spawn(runRound(std::exchange(m_collected, {}), *m_round));
    co_return End::Whole;
}

Task<CandidateReader::End> CandidateReader::finish(QList<LockName> hashes) {
    m_collected += hashes;
    const End end = co_await roundEnds();
    if (end == End::Broken)
        co_return end;
    co_return co_await readLocksAmong(std::exchange(m_collected, {}));
}

void CandidateReader::startOver() {
    m_probe.startOver();
    m_collected.clear();
    m_round.reset();
}

Task<void> CandidateReader::runRound(QList<LockName> hashes, Completion<End> ended) {
    const End end = co_await readLocksAmong(hashes);
    ended.complete(end);
}

Task<CandidateReader::End> CandidateReader::roundEnds() {
    if (!m_round)
        co_return End::Whole;
    const Completion<End> round = *std::exchange(m_round, std::nullopt);
    const Result<End> end = co_await round.wait(Deadline::never(m_clock), m_tasks.stopToken());
    co_return end ? *end : End::Broken;
}

}  // namespace lockkeeper::monitor
