// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/discovery.h"

#include "async/pause.h"
#include "base/logging.h"
#include "locks/lockkeys.h"
#include "monitor/model/holderfield.h"
#include "redis/keypattern.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

namespace {

bool matchesAny(const QByteArrayList& patterns, const QByteArray& name) {
    return std::ranges::any_of(patterns,
                               [&name](const QByteArray& pattern) { return redis::matchesPattern(pattern, name); });
}

LockProbe::Naming namingOf(const QByteArrayList& matches) {
    const bool isAnything = std::ranges::all_of(matches, [](const QByteArray& pattern) {
        return std::ranges::all_of(pattern, [](char c) { return c == '*'; });
    });
    return isAnything ? LockProbe::Naming::Unknown : LockProbe::Naming::ByUser;
}

constexpr Milliseconds pauseAfterBrokenSweep = 500ms;
constexpr quint64 sweepsPerQueueScan = 4;
constexpr int roundTripsMeasured = 8;

}  // namespace

Discovery::Discovery(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport,
                     Clock& clock, ReadBudget& budget, Denials& denials, profile::DiscoverySettings settings,
                     const KnownLocks& known, TrackedReads& tracked, const NodeScope& scope)
    : m_clock(clock),
      m_budget(budget),
      m_denials(denials),
      m_settings(std::move(settings)),
      m_known(known),
      m_scope(scope),
      m_connection(options, makeTransport, clock),
      m_flags(m_connection, denials),
      m_reader(m_connection, denials, scope),
      m_candidates(
          m_connection, m_reader, budget, clock, tracked,
          [this](const LockName& name, const LockReading& reading, Confirmation confirmation) {
              judge(name, reading, confirmation);
          },
          scope, namingOf(m_settings.matches)),
      m_touchedNames(m_reader, budget, clock),
      m_invalidatedNames(m_reader, budget, clock, NameReads::Reports::MayBeNothing),
      m_waiters(m_connection, denials, known, scope),
      m_subkeys(m_connection, denials) {
    connect(&m_connection, &redis::Connection::stateChanged, this,
            [this](redis::Connection::State state) { m_losses += state == redis::Connection::State::Waiting ? 1 : 0; });
}

Discovery::~Discovery() {
    stop();
}

void Discovery::open() {
    m_connection.open();
}

void Discovery::beginSweeps() {
    if (!std::exchange(m_sweeping, true))
        m_tasks.spawn(run());
}

void Discovery::stop() {
    m_candidates.stop();  // stopped first, because a sweep waits for it
    m_tasks.stop();
    m_touchedNames.stop();
    m_invalidatedNames.stop();
    m_subkeys.stop();
    m_connection.close();
}

void Discovery::setState(DiscoveryState state) {
    if (m_state == state)
        return;
    m_state = state;
    if (state == DiscoveryState::Running)
        m_resumed.complete(Done());
    Q_EMIT progressed();
}

bool Discovery::isInScope(const LockName& name) const {
    return m_scope.keeps(name) && isWanted(name);
}

bool Discovery::isWanted(const LockName& name) const {
    return m_settings.matches.isEmpty() || matchesAny(m_settings.matches, name.bytes());
}

// ---- sweeps ----

Task<void> Discovery::run() {
    const std::stop_token stop = m_tasks.stopToken();
    while (!stop.stop_requested()) {
        const Completion<Done> ready = m_connection.whenReady();
        const Result<Done> isReady = co_await ready.wait(Deadline::never(m_clock), stop);
        if (!isReady)
            co_return;
        co_await holdWhilePaused();
        const SteadyTime start = m_clock.now();
        const SweepEnd end = co_await sweep();
        if (stop.stop_requested())
            co_return;
        if (end == SweepEnd::Whole) {
            ++m_sweeps;
            m_nonLocks.endSweep();
            m_tokens.endSweep(m_databaseSize, m_clock.wallNow());
            if (!m_scanRefused)
                Q_EMIT swept(m_keysThisSweep);
            co_await pause(start + SweepPace::startToStart - m_clock.now());
        } else {
            m_nonLocks.abandonSweep();
            m_reader.startOver();
            m_candidates.startOver();
            co_await pause(pauseAfterBrokenSweep);
        }
    }
}

Task<Discovery::SweepEnd> Discovery::sweep() {
    m_keysThisSweep = 0;
    m_hashesThisSweep = 0;
    const std::chrono::nanoseconds roundTrip = co_await measureRoundTrip();
    const SweepEnd read = co_await readContended();
    if (read == SweepEnd::Broken)
        co_return read;
    const SweepPace pace = paceFor(roundTrip);
    if (m_sweeps % sweepsPerQueueScan == 1) {
        const SweepEnd helpers = co_await scanForHelpers(pace);
        if (helpers == SweepEnd::Broken)
            co_return helpers;
    }
    co_return co_await scan(pace, ScanFor::Hashes);
}

Task<Discovery::SweepEnd> Discovery::scanForHelpers(SweepPace pace) {
    m_synchronizers.clear();
    m_leaseSample.clear();
    m_leaseSets = 0;
    QList<ScanFor> scans{ScanFor::FairQueues, ScanFor::PermitLeases};
    if (!m_settings.semaphores.isEmpty())
        scans += ScanFor::Semaphores;
    for (const ScanFor wanted : std::as_const(scans)) {
        const SweepEnd end = co_await scan(pace, wanted);
        if (end == SweepEnd::Broken)
            co_return end;
        if (wanted == ScanFor::PermitLeases)
            co_await examineLeases();
    }
    if (!m_scanRefused)
        Q_EMIT synchronizersFound(m_synchronizers.values());
    co_return SweepEnd::Whole;
}

void Discovery::collectSynchronizers(const std::vector<RespValue>& keys, ScanFor wanted) {
    for (const RespValue& key : keys) {
        std::optional<AwaitedName> found;
        if (wanted == ScanFor::PermitLeases)
            found = AwaitedName::ofLeases(key.bytes);
        else if (!locks::isHelperKey(key.bytes) && matchesAny(m_settings.semaphores, key.bytes))
            found = AwaitedName::ofUser(LockName(key.bytes));
        if (!found || !isInScope(found->name))
            continue;
        if (wanted == ScanFor::PermitLeases)
            noteLeases(*found);
        const bool hasRoom = m_synchronizers.size() < SynchronizerReading::mostSeen;
        if (hasRoom && !m_synchronizers.contains(found->name))
            m_synchronizers.insert(found->name, *found);
    }
}

void Discovery::noteLeases(const AwaitedName& found) {
    ++m_leaseSets;
    if (m_leaseSample.size() < LeaseLitter::mostChecked)
        m_leaseSample += found;
}

// Costs nothing unless there are very many. Other programs may have sorted sets with such names: the ids of permits
// have 16 bytes.
Task<void> Discovery::examineLeases() {
    m_leaseLitter.reset();
    if (m_leaseSets < LeaseLitter::many)
        co_return;
    LeaseLitter litter{m_leaseSets, 0, 0, m_clock.wallNow()};
    const QList<AwaitedName> samples = m_leaseSample;
    for (const AwaitedName& sample : samples) {
        constexpr qsizetype permitId = 16;
        const Command first("ZRANGE", {sample.tag + ":timeout", "0", "0"});
        const Result<RespValue> ids = co_await ask(first);
        const Command exists("EXISTS", {sample.name.bytes()});
        const Result<RespValue> semaphore = co_await ask(exists);
        if (!ids || !semaphore)
            break;
        const bool isOfPermits = ids->items.size() == 1 && ids->items.front().bytes.size() == permitId;
        ++litter.checked;
        litter.leftOver += isOfPermits && semaphore->integer == 0 ? 1 : 0;
    }
    m_leaseLitter = litter;
}

Task<Discovery::SweepEnd> Discovery::readContended() {
    co_await m_waiters.count(m_tasks.stopToken());
    QSet<LockName> waitedFor = m_waitedFor;
    for (auto it = m_waiters.waiting().keyBegin(); it != m_waiters.waiting().keyEnd(); ++it)
        waitedFor.insert(*it);
    QList<LockName> contended;
    for (const LockName& name : std::as_const(waitedFor)) {
        if (!m_known.knows(name) && isInScope(name))
            contended.append(name);
    }
    co_return co_await m_candidates.read(contended);
}

// Returns the shortest of several round trips, because a disturbance only makes one longer. A measured sweep counts
// the part of a call beyond this time as the server's work.
Task<std::chrono::nanoseconds> Discovery::measureRoundTrip() {
    std::chrono::nanoseconds shortest = co_await measureSize();
    const bool isMeasured = m_databaseSize && paceFor(shortest).isMeasured();
    for (int more = 1; isMeasured && more < roundTripsMeasured; ++more) {
        const std::chrono::nanoseconds again = co_await measureSize();
        shortest = std::min(shortest, again);
    }
    co_return shortest;
}

SweepPace Discovery::paceFor(std::chrono::nanoseconds roundTrip) const {
    const SweepPace::Sweep sweep = m_sweeps == 0 ? SweepPace::Sweep::First : SweepPace::Sweep::Later;
    return SweepPace(m_databaseSize, roundTrip, m_settings.serverShare, sweep);
}

// DBSIZE costs the server nothing, so its duration is that of the network.
Task<std::chrono::nanoseconds> Discovery::measureSize() {
    const SteadyTime sentAt = m_clock.now();
    const Command command("DBSIZE");
    const Result<RespValue> size = co_await ask(command);
    if (!size && redis::isRefusal(size.error()))
        m_denials.note(QStringLiteral("DBSIZE"), Consequence::ProgressUnknown);
    m_databaseSize = size && size->isInteger() ? std::optional(size->integer) : std::nullopt;
    co_return size ? m_clock.now() - sentAt : 0ns;
}

Task<Discovery::SweepEnd> Discovery::scan(SweepPace pace, ScanFor wanted) {
    const quint64 losses = m_losses;
    const bool hashes = wanted == ScanFor::Hashes;
    QByteArray cursor = "0";
    std::optional<Completion<RespValue>> ahead;
    std::chrono::nanoseconds late{};
    if (hashes)
        m_tokens.beginSweep();
    do {
        const SteadyTime sentAt = m_clock.now();
        const int count = pace.count();
        const Completion<RespValue> sent =
            ahead ? *std::exchange(ahead, std::nullopt) : m_connection.send(scanCommand(cursor, count, wanted));
        const Result<RespValue> reply = co_await scanAnswer(sent, cursor, count, wanted);
        const std::chrono::nanoseconds took = m_clock.now() - sentAt;
        if (!reply && redis::isRefusal(reply.error())) {
            m_denials.note(QStringLiteral("SCAN"), Consequence::LocksNotScanned);
            m_scanRefused = true;
            Q_EMIT progressed();
            co_return SweepEnd::Whole;
        }
        if (!reply || reply->items.size() != 2)
            co_return SweepEnd::Broken;
        m_scanRefused = false;
        const QList<LockName> candidates = candidatesAmong(reply->items[1].items, wanted);
        const QByteArray from = std::exchange(cursor, reply->items[0].bytes);
        if (hashes)
            noteProgress(cursor, reply->items[1].items.size());
        // Without pauses, the server continues to scan while its answer is processed.
        const bool goesOn = !pace.isPaced() && cursor != "0" && m_state == DiscoveryState::Running;
        if (goesOn)
            ahead = m_connection.send(scanCommand(cursor, count, wanted));
        const SweepEnd read = co_await readFound(candidates, wanted, goesOn);
        if (read == SweepEnd::Broken)
            co_return read;
        if (cursor != "0")
            late = co_await pause(pace.pauseAfter(took, late));
        // A sweep of a big keyspace takes long, and the waiters change meanwhile.
        if (cursor != "0" && m_waiters.isDue()) {
            const SweepEnd counted = co_await readContended();
            if (counted == SweepEnd::Broken)
                co_return counted;
        }
        if (hashes && m_tokens.isTurn()) {
            co_await sampleTokens(from, cursor, count);
            late = co_await pause(pace.pauseAfter(took, late));  // the sample scanned the same keys
        }
        if (cursor != "0")
            co_await holdWhilePaused();
        // A SCAN cursor does not survive a reconnect.
        if (losses != m_losses)
            co_return SweepEnd::Broken;
    } while (cursor != "0" && !m_tasks.stopToken().stop_requested());
    co_return SweepEnd::Whole;
}

Task<Discovery::SweepEnd> Discovery::readFound(QList<LockName> names, ScanFor wanted, bool sweepGoesOn) {
    if (wanted != ScanFor::Hashes)
        co_return co_await m_candidates.read(names);
    if (sweepGoesOn)
        co_return co_await m_candidates.collect(names);
    co_return co_await m_candidates.finish(names);
}

void Discovery::noteProgress(const QByteArray& cursor, size_t hashes) {
    m_hashesThisSweep += hashes;
    const double share = cursor == "0" ? 1.0 : scannedShare(cursor);
    m_keysThisSweep =
        m_databaseSize ? static_cast<quint64>(share * static_cast<double>(*m_databaseSize)) : m_hashesThisSweep;
    Q_EMIT progressed();
}

Task<Result<RespValue>> Discovery::scanAnswer(Completion<RespValue> sent, QByteArray cursor, int count,
                                              ScanFor wanted) {
    Result<RespValue> reply = co_await sent.wait(Deadline::never(m_clock), m_tasks.stopToken());
    if (reply || !m_scanTakesType || reply.error().reply != ReplyKind::SyntaxError)
        co_return reply;
    m_scanTakesType = false;
    co_return co_await ask(scanCommand(cursor, count, wanted));
}

// SCAN accepts a single pattern. With several, no pattern is sent, and isInScope() filters the result.
Command Discovery::scanCommand(const QByteArray& cursor, int count, ScanFor wanted) const {
    const auto single = [](const QByteArrayList& patterns) { return patterns.size() == 1 ? patterns.first() : ""; };
    QByteArray type;
    QByteArray pattern;
    switch (wanted) {
        case ScanFor::Hashes:
            type = "hash";
            pattern = single(m_settings.matches);
            break;
        case ScanFor::FairQueues:
            type = "list";
            pattern = "redisson_lock_queue:*";
            break;
        case ScanFor::PermitLeases:
            type = "zset";
            pattern = "*:timeout";
            break;
        case ScanFor::Semaphores:
            type = "string";
            pattern = single(m_settings.semaphores);
            break;
    }
    Command command("SCAN", {cursor});
    if (m_scanTakesType)
        command.arg("TYPE").arg(type);
    if (!pattern.isEmpty())
        command.arg("MATCH").arg(pattern);
    return command.arg("COUNT").arg(qint64{count});
}

// Repeats the last call of the sweep for token keys. Called for a few calls only.
Task<void> Discovery::sampleTokens(QByteArray from, QByteArray to, int count) {
    const Command scan("SCAN", {from, "MATCH", "redisson_lock_token:*", "COUNT", QByteArray::number(count)});
    const Result<RespValue> reply = co_await ask(scan);
    if (!reply || reply->items.size() != 2)
        co_return;
    std::vector<RespValue> tokens = reply->items[1].items;
    // This user may have no right to read the tokens of other names.
    std::erase_if(tokens, [this](const RespValue& key) {
        const std::optional<LockName> name = locks::lockOfHelperKey(key.bytes);
        return name && !isWanted(*name);
    });
    m_tokens.add(TokenSample::share(from, to), tokens.size());
    for (const RespValue& token : tokens) {
        const std::optional<LockName> name = locks::lockOfHelperKey(token.bytes);
        if (!name || !m_tokens.wantsCheck())
            break;
        const Command rest("PTTL", {token.bytes});
        const Result<RespValue> pttl = co_await ask(rest);
        const Command exists("EXISTS", {name->bytes()});
        const Result<RespValue> held = co_await ask(exists);
        if (!pttl || !held)
            break;
        m_tokens.addChecked(pttl->integer == -1 && held->integer == 0);
    }
}

QList<LockName> Discovery::candidatesAmong(const std::vector<RespValue>& keys, ScanFor wanted) {
    QList<LockName> candidates;
    if (wanted == ScanFor::PermitLeases || wanted == ScanFor::Semaphores) {
        collectSynchronizers(keys, wanted);
        return candidates;
    }
    for (const RespValue& key : keys) {
        std::optional<LockName> name = LockName(key.bytes);
        if (wanted == ScanFor::FairQueues)
            name = locks::lockOfHelperKey(key.bytes);
        if (name && isCandidate(*name))
            candidates.append(*std::move(name));
    }
    return candidates;
}

bool Discovery::isCandidate(const LockName& name) {
    const bool isHere = m_scope.keeps(name);
    if (!isHere)
        m_scope.noteMovedKeys();
    if (locks::isHelperKey(name.bytes()) || !isWanted(name) || m_known.knows(name) ||
        m_nonLocks.recognizes(name.bytes()))
        return false;
    // The key is in a slot that is moving here, or that has moved away: the node would refuse to read it.
    if (!isHere)
        m_scope.noteRead(name, Error(ErrorCode::ServerReply, ReplyKind::Moved, QString()));
    return isHere;
}

Task<void> Discovery::holdWhilePaused() {
    const std::stop_token stop = m_tasks.stopToken();
    while (m_state == DiscoveryState::Paused && !stop.stop_requested()) {
        co_await m_waiters.count(m_tasks.stopToken());
        if (m_state == DiscoveryState::Running)
            co_return;
        m_resumed = Completion<Done>();  // a new one, because the last one may be complete
        const Completion<Done> resumed = m_resumed;
        const Result<Done> over = co_await resumed.wait(Deadline::in(m_clock, SweepPace::startToStart), stop);
        Q_UNUSED(over)
    }
}

// ---- reading candidates ----

bool Discovery::isProven(const LockSnapshot& lock) const {
    return !isLockByNameOnly(lock) || isWaitedFor(lock.name) ||
           namingOf(m_settings.matches) == LockProbe::Naming::ByUser;
}

void Discovery::judge(const LockName& name, const LockReading& reading, Confirmation confirmation) {
    const LockSnapshot* lock = std::get_if<LockSnapshot>(&reading);
    if (!lock || !isProven(*lock))
        m_nonLocks.remember(name.bytes());
    else if (!m_known.knows(name) && (lock->isHeld() || !lock->fairQueue.isEmpty() || isWaitedFor(name)))
        Q_EMIT confirmed(*lock, confirmation);
}

void Discovery::readUnknownName(const LockName& name) {
    if (m_unknownInFlight.contains(name))
        return;
    m_unknownInFlight.insert(name);
    m_tasks.spawn(readOne(name));
}

Task<void> Discovery::readOne(LockName name) {
    std::optional<LockSnapshot> found;
    const Completion<Done> granted = m_budget.take();
    const Result<Done> turn = co_await granted.wait(Deadline::never(m_clock), m_tasks.stopToken());
    if (turn) {
        const Completion<LockReading> answer = m_reader.read(name);
        const Result<LockReading> reading = co_await answer.wait(Deadline::never(m_clock), m_tasks.stopToken());
        if (reading && std::holds_alternative<LockSnapshot>(*reading))
            found = std::get<LockSnapshot>(*reading);
    }
    m_unknownInFlight.remove(name);
    if (m_tasks.stopToken().stop_requested())
        co_return;
    Q_EMIT unknownNameRead(name, found);
}

// ---- helpers ----

Task<Result<RespValue>> Discovery::ask(Command command) {
    const Completion<RespValue> answer = m_connection.send(command);
    co_return co_await answer.wait(Deadline::never(m_clock), m_tasks.stopToken());
}

Task<std::chrono::nanoseconds> Discovery::pause(std::chrono::nanoseconds time) {
    if (time <= 0ns)
        co_return 0ns;
    const SteadyTime due = m_clock.now() + time;
    (void)co_await pauseUntil(Deadline::in(m_clock, time), m_tasks.stopToken());
    co_return m_clock.now() - due;
}

}  // namespace lockkeeper::monitor

#include "moc_discovery.cpp"
