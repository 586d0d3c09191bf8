#include "monitor/watch/discovery.h"

#include "base/logging.h"
#include "locks/lockkeys.h"
#include "monitor/watch/keypattern.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

namespace {

constexpr qsizetype channelsPerCount = 500;
constexpr Milliseconds pauseAfterBrokenSweep = 500ms;
constexpr int restPerCount = 20;  // of who waits: so many times as long as it takes

bool isRefusal(const Error& error) {
    return error.code == ErrorCode::NotPermitted || error.text.startsWith(QLatin1String("ERR unknown command"));
}

}  // namespace

Discovery::Discovery(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport,
                     Clock& clock, ReadBudget& budget, Denials& denials, profile::DiscoverySettings settings,
                     IsKnown isKnown)
    : m_clock(clock),
      m_budget(budget),
      m_denials(denials),
      m_settings(std::move(settings)),
      m_isKnown(std::move(isKnown)),
      m_connection(options, makeTransport, clock),
      m_flags(m_connection, denials),
      m_reader(m_connection, denials),
      m_bulk(m_reader, budget, clock),
      m_touchedNames(m_reader, budget, clock) {
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
    m_tasks.stop();
    m_touchedNames.stop();
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
    return m_settings.matches.isEmpty() ||
           std::any_of(m_settings.matches.begin(), m_settings.matches.end(),
                       [&](const QByteArray& pattern) { return matchesPattern(pattern, name.bytes()); });
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
            m_nonLocks.endSweep();
            m_tokens.endSweep(m_databaseSize, m_clock.wallNow());
            if (!m_scanRefused)
                Q_EMIT swept(m_keysThisSweep);
            co_await pause(start + SweepPace::startToStart - m_clock.now());
        } else {
            m_nonLocks.abandonSweep();
            m_reader.startOver();
            co_await pause(pauseAfterBrokenSweep);
        }
    }
}

Task<Discovery::SweepEnd> Discovery::sweep() {
    m_keysThisSweep = 0;
    m_hashesThisSweep = 0;
    const std::chrono::nanoseconds roundTrip = co_await measureSize();
    const SweepEnd read = co_await lookAtContended();
    if (read == SweepEnd::Broken)
        co_return read;
    const SweepPace pace(m_databaseSize, roundTrip, m_settings.serverShare);
    co_return co_await scan(pace);
}

Task<Discovery::SweepEnd> Discovery::lookAtContended() {
    co_await countWaiting();
    QList<LockName> contended;
    for (auto it = m_waiting.keyBegin(); it != m_waiting.keyEnd(); ++it) {
        if (!m_isKnown(*it) && isInScope(*it))
            contended.append(*it);
    }
    co_return co_await readCandidates(contended);
}

// DBSIZE costs the server nothing: how long it takes is how far away the server is.
Task<std::chrono::nanoseconds> Discovery::measureSize() {
    const SteadyTime sentAt = m_clock.now();
    const Command command("DBSIZE");
    const Result<RespValue> size = co_await ask(command);
    if (!size && isRefusal(size.error()))
        m_denials.note(QStringLiteral("DBSIZE"),
                       QStringLiteral("how far a sweep has come is not known, and it is slow"));
    m_databaseSize = size && size->isInteger() ? std::optional(size->integer) : std::nullopt;
    co_return size ? m_clock.now() - sentAt : 0ns;
}

Task<Discovery::SweepEnd> Discovery::scan(SweepPace pace) {
    const quint64 losses = m_losses;
    QByteArray cursor = "0";
    m_tokens.beginSweep();
    do {
        const SteadyTime sentAt = m_clock.now();
        const int count = pace.count();
        const Result<RespValue> reply = co_await scanCall(cursor, count);
        const std::chrono::nanoseconds took = m_clock.now() - sentAt;
        if (!reply && isRefusal(reply.error())) {
            m_denials.note(QStringLiteral("SCAN"),
                           QStringLiteral("a lock is only found when somebody waits for it or gives it back"));
            m_scanRefused = true;
            Q_EMIT progressed();
            co_return SweepEnd::Whole;
        }
        if (!reply || reply->items.size() != 2)
            co_return SweepEnd::Broken;
        m_scanRefused = false;
        const QList<LockName> candidates = candidatesAmong(reply->items[1].items);
        const QByteArray from = std::exchange(cursor, reply->items[0].bytes);
        noteProgress(cursor, reply->items[1].items.size());
        const SweepEnd read = co_await readCandidates(candidates);
        if (read == SweepEnd::Broken)
            co_return read;
        co_await pause(pace.pauseAfter(took));
        // A sweep of a big keyspace takes its time; who waits changes meanwhile.
        if (cursor != "0" && m_clock.now() >= m_nextCount) {
            const SweepEnd counted = co_await lookAtContended();
            if (counted == SweepEnd::Broken)
                co_return counted;
        }
        if (m_tokens.isTurn()) {
            co_await sampleTokens(from, cursor, count);
            co_await pause(pace.pauseAfter(took));  // it went over the same keys
        }
        if (cursor != "0")
            co_await holdWhilePaused();
        // A cursor is another server's no more.
        if (losses != m_losses)
            co_return SweepEnd::Broken;
    } while (cursor != "0" && !m_tasks.stopToken().stop_requested());
    co_return SweepEnd::Whole;
}

void Discovery::noteProgress(const QByteArray& cursor, size_t hashes) {
    m_hashesThisSweep += hashes;
    const double share = cursor == "0" ? 1.0 : scannedShare(cursor);
    m_keysThisSweep =
        m_databaseSize ? static_cast<quint64>(share * static_cast<double>(*m_databaseSize)) : m_hashesThisSweep;
    Q_EMIT progressed();
}

Task<Result<RespValue>> Discovery::scanCall(QByteArray cursor, int count) {
    Result<RespValue> reply = co_await ask(scanCommand(cursor, count));
    if (reply || !m_scanTakesType || !reply.error().text.startsWith(QLatin1String("ERR syntax error")))
        co_return reply;
    m_scanTakesType = false;
    co_return co_await ask(scanCommand(cursor, count));
}

// SCAN takes one pattern: of several none, what it finds is passed through them here.
Command Discovery::scanCommand(const QByteArray& cursor, int count) const {
    Command command("SCAN", {cursor});
    if (m_scanTakesType)
        command.arg("TYPE").arg("hash");
    if (m_settings.matches.size() == 1)
        command.arg("MATCH").arg(m_settings.matches.first());
    return command.arg("COUNT").arg(qint64{count});
}

// What the call before has gone over, once more: for keys that are no hashes. Now and then only.
Task<void> Discovery::sampleTokens(QByteArray from, QByteArray to, int count) {
    const Command scan("SCAN", {from, "MATCH", "redisson_lock_token:*", "COUNT", QByteArray::number(count)});
    const Result<RespValue> reply = co_await ask(scan);
    if (!reply || reply->items.size() != 2)
        co_return;
    m_tokens.add(TokenSample::share(from, to), reply->items[1].items.size());
    for (const RespValue& token : reply->items[1].items) {
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

QList<LockName> Discovery::candidatesAmong(const std::vector<RespValue>& keys) {
    QList<LockName> candidates;
    for (const RespValue& key : keys) {
        LockName name(key.bytes);
        if (isCandidate(name))
            candidates.append(std::move(name));
    }
    return candidates;
}

bool Discovery::isCandidate(const LockName& name) {
    return !locks::isHelperKey(name.bytes()) && isInScope(name) && !m_isKnown(name) &&
           !m_nonLocks.recognizes(name.bytes());
}

Task<void> Discovery::holdWhilePaused() {
    const std::stop_token stop = m_tasks.stopToken();
    while (m_state == DiscoveryState::Paused && !stop.stop_requested()) {
        co_await countWaiting();
        if (m_state == DiscoveryState::Running)
            co_return;
        m_resumed = Completion<Done>();  // one that nobody has waited for yet
        const Completion<Done> resumed = m_resumed;
        const Result<Done> over = co_await resumed.wait(Deadline::in(m_clock, SweepPace::startToStart), stop);
        Q_UNUSED(over)
    }
}

// ---- who waits ----

Task<void> Discovery::countWaiting() {
    const SteadyTime began = m_clock.now();
    m_nextCount = SteadyTime::max();
    co_await countAllWaiting(began);
    // With many channels it is work for the server too.
    m_nextCount =
        began + std::max<SteadyTime::duration>(SweepPace::startToStart, restPerCount * (m_clock.now() - began));
}

Task<void> Discovery::countAllWaiting(SteadyTime began) {
    m_waiting.clear();
    const Result<QByteArrayList> channels = co_await contendedChannels();
    if (!channels)
        co_return;
    const auto waiting = std::make_shared<QHash<LockName, Listeners>>();
    for (qsizetype i = 0; i < channels->size(); i += channelsPerCount) {
        const QByteArrayList some = channels->mid(i, channelsPerCount);
        const bool counted = co_await countSubscribers(some, waiting);
        if (!counted)
            co_return;
    }
    m_waiting = *waiting;
    Q_EMIT waitingCounted(m_waiting, began);
}

Task<Result<QByteArrayList>> Discovery::contendedChannels() {
    QByteArrayList channels;
    for (const char* pattern : {"redisson_lock__channel:*", "redisson_rwlock:*"}) {
        const Command command("PUBSUB", {"CHANNELS", pattern});
        const Result<RespValue> reply = co_await askWhoWaits(command);
        if (!reply)
            co_return reply.error();
        for (const RespValue& channel : reply->items)
            channels.append(channel.bytes);
    }
    co_return channels;
}

Task<bool> Discovery::countSubscribers(QByteArrayList channels, std::shared_ptr<QHash<LockName, Listeners>> waiting) {
    const Command command("PUBSUB", QByteArrayList{"NUMSUB"} + channels);
    const Result<RespValue> reply = co_await askWhoWaits(command);
    if (!reply)
        co_return false;
    for (size_t i = 0; i + 1 < reply->items.size(); i += 2) {
        const QByteArray& channel = reply->items[i].bytes;
        const qint64 clients = reply->items[i + 1].integer;
        if (clients <= 0)
            continue;
        for (const LockName& name : locksMeantBy(channel)) {
            Listeners& listeners = (*waiting)[name];
            listeners.clients += static_cast<int>(clients);
            if (const std::optional<HolderId> waiter = locks::fairWaiterOfChannel(channel))
                listeners.fairWaiters.append(*waiter);
        }
    }
    co_return true;
}

// Names that share a channel: those that are known, or else the likeliest.
QList<LockName> Discovery::locksMeantBy(const QByteArray& channel) const {
    const QList<LockName> candidates = locks::locksOfChannel(channel);
    QList<LockName> known;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(known), m_isKnown);
    return known.isEmpty() ? candidates.mid(0, 1) : known;
}

Task<Result<RespValue>> Discovery::askWhoWaits(Command command) {
    Result<RespValue> reply = co_await ask(command);
    if (!reply && isRefusal(reply.error()))
        m_denials.note(QStringLiteral("PUBSUB"),
                       QStringLiteral("who waits for a lock is not known, except in a fair lock's queue"));
    co_return reply;
}

// ---- reading what may be a lock ----

Task<Discovery::SweepEnd> Discovery::readCandidates(QList<LockName> names) {
    const BulkReader::Take take = [this](const LockName& name, const LockReading& reading) { judge(name, reading); };
    co_return co_await m_bulk.read(names, take, m_tasks.stopToken());
}

void Discovery::judge(const LockName& name, const LockReading& reading) {
    const LockSnapshot* lock = std::get_if<LockSnapshot>(&reading);
    if (!lock)
        m_nonLocks.remember(name.bytes());
    else if (!m_isKnown(name) && (lock->isHeld() || m_waiting.contains(name)))
        Q_EMIT proved(*lock);
}

void Discovery::readStranger(const LockName& name) {
    if (m_strangersInFlight.contains(name))
        return;
    m_strangersInFlight.insert(name);
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
    m_strangersInFlight.remove(name);
    if (m_tasks.stopToken().stop_requested())
        co_return;
    Q_EMIT strangerRead(name, found);
}

// ---- small steps ----

Task<Result<RespValue>> Discovery::ask(Command command) {
    const Completion<RespValue> answer = m_connection.send(command);
    co_return co_await answer.wait(Deadline::never(m_clock), m_tasks.stopToken());
}

Task<void> Discovery::pause(std::chrono::nanoseconds time) {
    if (time <= 0ns)
        co_return;
    const Completion<Done> nothing;
    const Result<Done> over = co_await nothing.wait(Deadline::in(m_clock, time), m_tasks.stopToken());
    Q_UNUSED(over)
}

}  // namespace lockkeeper::monitor
