// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/tracemodel.h"

#include "base/exacttext.h"
#include "locks/lockkeys.h"
#include "monitor/model/holderfield.h"
#include "monitor/observe/read/lockdecoder.h"
#include "monitor/observe/read/synchronizerdecoder.h"

#include <algorithm>
#include <span>

namespace lockkeeper::recording {

namespace {

using namespace std::chrono_literals;
using monitor::RawLock;

// The time of the first record. It only has to leave room before it.
constexpr SteadyTime traceSteadyBegin{1h};
// A key exists until the millisecond of its end has passed: then it is certain that it has expired.
constexpr ServerTime pastEnd = 2ms;
constexpr ServerTime aboutToEnd = 5ms;
constexpr ServerTime keepFreeLock = 60s;
constexpr ServerTime betweenForgets = 10s;
constexpr qsizetype mostLocks = 200'000;
constexpr qsizetype mostChannels = 100'000;
constexpr qsizetype mostOfChannel = 10'000;
// Many waiters are listed less often, because each list contains all of them.
constexpr qsizetype fewWaiting = 100;
constexpr ServerTime betweenLists = 200ms;
// Of a queue, as a session reads it.
constexpr size_t mostOfQueue = 100;

WallTime wallOf(ServerTime at) {
    return WallTime(std::chrono::duration_cast<WallTime::duration>(at));
}

bool isWriteToHash(const QByteArray& name) {
    return name == "hset" || name == "hincrby" || name == "hdel" || name == "pexpire" || name == "expire" ||
           name == "pexpireat" || name == "hmset";
}

// As "orders (db 3)".
bool endsAsOfDatabase(const QByteArray& name) {
    const qsizetype opened = name.lastIndexOf(" (db ");
    return opened >= 0 && name.endsWith(')') && canonicalInteger(name.mid(opened + 5, name.size() - opened - 6));
}

constexpr QByteArrayView queuePrefix = "redisson_lock_queue:";
constexpr QByteArrayView tokenPrefix = "redisson_lock_token:";
const QByteArray modeField = QByteArrayLiteral("mode");
// In place of the address of a client that was subscribed before the trace.
const QByteArray earlierClient = QByteArrayLiteral("earlier");

}  // namespace

SteadyTime TraceModel::steady(ServerTime at) const {
    return traceSteadyBegin + (at - m_begin.value_or(at));
}

void TraceModel::add(const Entry& entry, ServerTime at) {
    m_last = std::max(m_last, at);
    m_hasRecords = true;
    m_sink({steady(m_last), entry}, wallOf(m_last));
}

void TraceModel::begin(const QString& server, ServerTime at) {
    m_begin = m_last = m_forgotten = at;
    LinkStatus link;
    link.phase = LinkStatus::Phase::Connected;
    link.server = server;
    link.lastHeard = wallOf(at);
    add(link, at);
    add(monitor::StoreInput(monitor::ShardSwept()), at);
    endBatch(at);
}

void TraceModel::endBatch(ServerTime at) {
    if (!m_hasRecords)
        return;
    BatchEnded ended;
    ended.at = wallOf(std::max(at, m_last));
    if (std::exchange(m_areSynchronizersNew, false)) {
        monitor::SynchronizerReading reading = synchronizers(at);
        if (reading != m_reading)
            ended.synchronizers = m_reading = std::move(reading);
    }
    add(ended, at);
    add(BatchDelivered(), at);
    m_hasRecords = false;
}

// ---- time ----

void TraceModel::advance(ServerTime now) {
    while (const std::optional<TraceKeys::Expired> first = m_keys.takeExpired(now)) {
        // The keys of one lock often end together: it is read when all have ended.
        const ServerTime at = first->at + pastEnd;
        std::vector<TraceKey> ended;
        for (std::optional<TraceKeys::Expired> expired = first; expired;
             expired = m_keys.takeExpired(std::min(at, now))) {
            const std::optional<TraceKey> lock = lockOf(expired->key);
            const Lock* known = lock ? lockAt(*lock) : nullptr;
            if (!known || !known->isShown)
                continue;
            m_notes.reckonedEnds += expired->key == *lock ? 1 : 0;
            if (!m_areTouched.contains(*lock))
                ended.push_back(*lock);
            m_areTouched.insert(*lock);
        }
        m_areTouched.clear();
        for (const TraceKey& lock : ended)
            read(lock, at, at, Write::Set);
        endBatch(at);
    }
    if (m_isWaitingNew && now - m_waitingAt >= betweenLists) {
        addWaiting(now);
        endBatch(now);
    }
    if (now - m_forgotten >= betweenForgets)
        forgetFree(now);
}

void TraceModel::forgetFree(ServerTime now) {
    m_forgotten = now;
    m_locks.removeIf([this, now](const auto& lock) {
        const bool isForgotten = !lock.value().isHeld && now - lock.value().freeSince > keepFreeLock;
        if (isForgotten && lock.value().isShown && m_seen.size() < mostLocks)
            m_seen.insert(qHash(lock.key()));
        return isForgotten;
    });
    add(monitor::StoreInput(monitor::FreeTimePassed{steady(now)}), now);
    add(monitor::StoreInput(monitor::BusyTimePassed{steady(now)}), now);
    endBatch(now);
}

// ---- commands ----

void TraceModel::run(const TraceStep& step) {
    Asked asked;
    for (size_t i = 0; i < step.commands.size(); ++i)
        runOne(step, i, asked);
    const ServerTime at = step.commands.back().at;
    m_isDeleting = step.isOfClient;
    m_areTouched.clear();
    for (const auto& [lock, touchedAt] : std::exchange(m_touched, {}))
        read(lock, at, touchedAt, Write::Set);
    m_isDeleting = false;
    if (m_isWaitingNew && (m_waiting.size() <= fewWaiting || at - m_waitingAt >= betweenLists))
        addWaiting(at);
    if (m_areSynchronizersNew)
        m_hasRecords = true;
    if (m_hasRecords)
        add(Caption{wordsOf(step)}, at);
    endBatch(at);
}

// Nothing but names, holders and numbers: whatever else somebody writes into a lock is left out.
bool TraceModel::isPlain(int database, const QByteArray& argument) const {
    static const QSet<QByteArray> words{"mode", "read", "write", "px", "PX"};
    return words.contains(argument) || canonicalInteger(argument) || monitor::HolderField::parse(argument) ||
           lockOf({database, argument}) || !locks::locksOfChannel(argument).isEmpty() ||
           monitor::SynchronizerChannel::parse(argument);
}

QString TraceModel::wordsOf(const TraceStep& step) const {
    constexpr size_t mostCommandsShown = 12;
    constexpr qsizetype mostArgumentsShown = 8;
    QStringList commands;
    for (const TraceStep::Command& command : step.commands) {
        const QByteArrayList& arguments = command.arguments;
        const bool isShown = arguments.size() > 1 && isPlain(step.database, arguments[1]);
        if (!isShown && step.commands.size() > 1)
            continue;
        QStringList words{QString::fromLatin1(arguments.first())};
        for (const QByteArray& argument : arguments.mid(1, mostArgumentsShown))
            words += isPlain(step.database, argument) ? LockName(argument).display() : QStringLiteral("…");
        commands += words.join(u' ');
        if (static_cast<size_t>(commands.size()) == mostCommandsShown) {
            commands += QStringLiteral("…");
            break;
        }
    }
    return LockName(step.sender).display() + QStringLiteral(": ") + commands.join(QStringLiteral(" · "));
}

void TraceModel::runOne(const TraceStep& step, size_t index, Asked& asked) {
    const auto& [at, command] = step.commands[index];
    const QByteArray name = command.first().toLower();
    if (name == "publish" || name == "spublish")
        return publish(step, command);
    if (name == "subscribe" || name == "ssubscribe")
        return subscribe(step, command);
    if (name == "unsubscribe" || name == "sunsubscribe" || name == "quit" || name == "reset")
        return unsubscribe(step, command);
    if (name == "flushall" || name == "flushdb")
        return flush(name == "flushdb" ? std::optional(step.database) : std::nullopt, at);
    noteKind(step, command);
    noteRead(step, index, name, asked);
    if (isWriteToHash(name))
        prove(step, index, name, asked);
    static const QSet<QByteArray> moving{"rename", "renamenx", "copy", "move", "swapdb"};
    for (const TraceKey& key : m_keys.execute(step.database, command, at)) {
        touch(key, at);
        // What is moved was held before, under another name.
        Lock* moved = moving.contains(name) && m_keys.find(key) && isOfLock(key) ? lockAt(key) : nullptr;
        if (moved)
            moved->isFound = true;
    }
}

// Only writes to the queue or the token show a kind: a client that watches a lock asks for all its keys.
void TraceModel::noteKind(const TraceStep& step, const QByteArrayList& command) {
    static const QSet<QByteArray> ofQueue{"rpush", "lpush", "lpop", "rpop", "lrem"};
    static const QSet<QByteArray> ofToken{"incr", "incrby"};
    const QByteArray key = command.value(1);
    const QByteArray name = command.first().toLower();
    const bool isQueue = key.startsWith(queuePrefix) && ofQueue.contains(name);
    if (!isQueue && !(key.startsWith(tokenPrefix) && ofToken.contains(name)))
        return;
    const std::optional<LockName> lock = locks::lockOfHelperKey(key);
    Lock* known = lock ? lockAt({step.database, lock->bytes()}) : nullptr;
    if (known)
        (isQueue ? known->isFair : known->isFenced) = true;
}

void TraceModel::noteRead(const TraceStep& step, size_t index, const QByteArray& name, Asked& asked) {
    const QByteArrayList& command = step.commands[index].arguments;
    const QByteArray key = command.value(1);
    if (name == "exists" && !key.startsWith(queuePrefix)) {
        asked.existence = key;
        asked.key.clear();
    } else if (name == "hkeys") {
        asked.isListed = true;
    } else if ((name == "hexists" || name == "hget") && command.value(2) != modeField) {
        if (name == "hget" && asked.isListed && m_keys.find({step.database, key}))
            addHolder(step, index, command.value(2), asked);
        asked.key = key;
        asked.field = command.value(2);
        asked.isByGet = name == "hget";
    } else if (name == "lindex") {
        asked.queue = key;
        asked.isHead = command.value(2) == "0";
        return;
    } else if (name == "zscore" && !asked.queue.isEmpty()) {
        addQueued(step, command.value(2), asked);
    } else if (name == "hdel" && key == asked.key) {
        asked.key.clear();
    }
    asked.queue.clear();
}

// The script has asked for the score of what it had found at the end of the queue.
void TraceModel::addQueued(const TraceStep& step, const QByteArray& waiter, const Asked& asked) {
    const TraceKey queue{step.database, asked.queue};
    const TraceKeys::Content* known = m_keys.find(queue);
    if (!HolderId::parse(waiter) || (known && known->value(waiter)))
        return;
    const QByteArrayList found{asked.isHead ? "lpush" : "rpush", asked.queue, waiter};
    (void)m_keys.execute(step.database, found, step.commands.front().at);
    noteKind(step, found);
    // It queued before the trace, so it has subscribed before it, too, as far as anybody can know.
    if (const std::optional<LockName> lock = locks::lockOfHelperKey(asked.queue))
        subscribe(locks::LockKeys(*lock).fairWaiterChannel(*HolderId::parse(waiter)), step.database, earlierClient);
}

// A script writes to a lock's hash after it has asked for a field, because the field was there.
void TraceModel::prove(const TraceStep& step, size_t index, const QByteArray& name, Asked& asked) {
    const QByteArrayList& command = step.commands[index].arguments;
    const QByteArray key = command.value(1);
    const TraceKey lock{step.database, key};
    // After HGET a script that finds nothing may go on to take the lock.
    const bool addsHold = name == "hset" || name == "hmset" || (name == "hincrby" && !command.value(3).startsWith('-'));
    if (asked.key == key && asked.isByGet && addsHold)
        asked.key.clear();
    if (asked.key == key) {
        addHolder(step, index, QByteArray(asked.field), asked);
        asked.key.clear();
    } else if (m_keys.find(lock) && isTakenFree(step, index, name, asked)) {
        endUnseen(lock, step.commands[index].at);
    }
    if (name != "pexpire")
        asked.existence.clear();
}

// The lock was free, whatever was known. The server counts a lease from the begin of a command, so it may have ended a
// little earlier than the reckoning says.
void TraceModel::endUnseen(const TraceKey& lock, ServerTime now) {
    const std::optional<ServerTime> end = m_keys.find(lock)->end;
    m_keys.remove(lock);
    if (!end || *end - now > aboutToEnd)
        return;
    ++m_notes.reckonedEnds;
    read(lock, *end + pastEnd, *end + pastEnd, Write::Set);
}

// A script takes a lock that it has found free: after EXISTS, or after it has found no mode.
bool TraceModel::isTakenFree(const TraceStep& step, size_t index, const QByteArray& name, const Asked& asked) {
    const QByteArrayList& command = step.commands[index].arguments;
    if (asked.existence == command.value(1))
        return name == "hset" || name == "hincrby";
    const QByteArrayList before = index > 0 ? step.commands[index - 1].arguments : QByteArrayList();
    return name == "hset" && command.value(2) == modeField && before.size() > 2 && before[0].toLower() == "hget" &&
           before[1] == command[1] && before[2] == modeField;
}

// A script may have thousands of commands, so they are searched once.
const TraceModel::Ends& TraceModel::endsOf(const TraceStep& step, Asked& asked) {
    Ends& ends = asked.ends;
    if (std::exchange(asked.areEndsKnown, true))
        return ends;
    for (size_t i = 0; i < step.commands.size(); ++i) {
        const QByteArrayList& command = step.commands[i].arguments;
        const QByteArray name = command.first().toLower();
        const QByteArray key = command.value(1);
        ends.areReaders = ends.areReaders || key.contains(":rwlock_timeout") || command.value(2) == modeField;
        if (name == "del")
            ends.last[{key, {}}] = i;
        for (qsizetype field = 2; name == "hdel" && field < command.size(); ++field)
            ends.last[{key, command[field]}] = i;
    }
    return ends;
}

// Whether the hold ends in this step.
bool TraceModel::endsHold(const TraceStep& step, size_t index, const QByteArray& holder, Asked& asked) {
    const QByteArray key = step.commands[index].arguments.value(1);
    const Ends& ends = endsOf(step, asked);
    return ends.last.value({key, {}}) > index || ends.last.value({key, holder}) > index;
}

// The command at the index shows that the holder is in the hash that the command names.
void TraceModel::addHolder(const TraceStep& step, size_t index, const QByteArray& holder, Asked& asked) {
    const QByteArrayList& command = step.commands[index].arguments;
    const QByteArray name = command.first().toLower();
    const QByteArray key = command.value(1);
    const TraceKey lock{step.database, key};
    const std::optional<monitor::HolderField> field = monitor::HolderField::parse(holder);
    const TraceKeys::Content* known = m_keys.find(lock);
    if (!field || (known && known->value(holder)))
        return;
    const bool isNew = !known;
    const ServerTime at = step.commands[index].at;
    const bool isTaken = name == "hincrby" && command.value(3).startsWith('-');
    const bool isLast = isTaken && endsHold(step, index, holder, asked);
    // At least one hold; one more if some are left after a release.
    (void)m_keys.execute(step.database, {"hset", key, holder, isTaken && !isLast ? "2" : "1"}, at);
    TraceKeys::Content* content = m_keys.find(lock);
    if (!content)
        return;
    if (field->writes)
        content->set(modeField, "write");
    else if (!content->value(modeField) && endsOf(step, asked).areReaders)
        content->set(modeField, "read");
    Lock* beside = lockAt(lock);
    if (isNew)
        content->isEndKnown = false;
    if (isNew && beside) {
        beside->isFound = true;
        if (beside->isShown && !beside->isHeld)
            loseSight(lock, *beside, step.commands.front().at);
    }
    // A hold that is renewed here is shown with its new lease; one that ends here would not be shown at all.
    if (isLast)
        read(lock, step.commands.front().at, at, Write::None);
}

void TraceModel::show(const TraceKey& lock, ServerTime at) {
    if (Lock* shown = lockAt(lock))
        shown->isFound = true;
    read(lock, at, at, Write::None);
}

void TraceModel::assume(const TraceKey& lock) {
    const auto known = m_locks.find(lock);
    if (known != m_locks.end())
        known->isAssumed = known->isHeld;
}

void TraceModel::noteTried(const TraceKey& lock, const QByteArray& holder) {
    constexpr qsizetype mostTried = 20;
    const auto known = m_locks.find(lock);
    if (known != m_locks.end() && known->isAssumed && known->tried.size() < mostTried && !known->tried.contains(holder))
        known->tried.append(holder);
}

bool TraceModel::hasTried(const TraceKey& lock, const QByteArray& holder) const {
    const auto known = m_locks.constFind(lock);
    return known != m_locks.cend() && known->tried.contains(holder);
}

void TraceModel::confirm(const TraceKey& lock, const QByteArray& holder) {
    const auto known = m_locks.find(lock);
    if (known == m_locks.end() || !known->isAssumed)
        return;
    const TraceKeys::Content* content = m_keys.find(lock);
    const QByteArray* mode = content ? content->value(modeField) : nullptr;
    const std::optional<monitor::HolderField> field = monitor::HolderField::parse(holder);
    if (!content || !field || (mode && *mode == "read" && !field->writes))
        return;  // readers hold a lock together
    known->isAssumed = false;
    if (content->value(holder))
        return;
    m_keys.remove(lock);
    loseSight(lock, *known, m_last);
}

// What was said of the lock was wrong: it is seen for the first time once more.
void TraceModel::loseSight(const TraceKey& lock, Lock& known, ServerTime at) {
    add(monitor::StoreInput(monitor::SightLost{nameOf(lock), steady(std::max(at, m_last))}), at);
    known.isShown = known.isHeld = false;
    m_seen.remove(qHash(lock));
}

// Leases that end in that time may have been renewed.
void TraceModel::skip() {
    for (Lock& lock : m_locks)
        lock.isDoubtful = lock.isDoubtful || lock.isHeld;
}

void TraceModel::doubt(int database, const QByteArrayList& keys) {
    ++m_notes.unknownScripts;
    for (const QByteArray& key : keys) {
        const auto known = m_locks.find({database, key});
        if (known != m_locks.end())
            known->isDoubtful = true;
    }
}

void TraceModel::flush(std::optional<int> database, ServerTime at) {
    m_keys.clear(database);
    m_isDeleting = true;
    for (const TraceKey& lock : m_locks.keys()) {
        if ((!database || lock.database == *database) && m_locks.value(lock).isHeld)
            read(lock, at, at, Write::Set);
    }
    m_isDeleting = false;
}

// ---- messages and waiters ----

void TraceModel::publish(const TraceStep& step, const QByteArrayList& command) {
    const QByteArray channel = command.value(1);
    m_areSynchronizersNew = m_areSynchronizersNew || monitor::SynchronizerChannel::parse(channel).has_value();
    if (!locks::announcesRelease(channel, command.value(2)))
        return;
    const QList<LockName> candidates = locks::locksOfChannel(channel);
    // Locks may share a channel: the message is about the one that the script has written.
    const auto isWritten = [&](const LockName& name) { return m_areTouched.contains({step.database, name.bytes()}); };
    const bool isOneWritten = std::ranges::any_of(candidates, isWritten);
    for (const LockName& name : candidates) {
        const TraceKey key{step.database, name.bytes()};
        const auto known = m_locks.find(key);
        // Some scripts also announce the release of a lock that was free when they began.
        if (known == m_locks.end() || !known->isHeld || (isOneWritten && !isWritten(name)))
            continue;
        ++known->messages;
        ++known->newMessages;
        touch(key, step.commands.back().at);
    }
}

void TraceModel::subscribe(const TraceStep& step, const QByteArrayList& command) {
    for (const QByteArray& channel : command.sliced(1))
        subscribe(channel, step.database, step.sender);
}

void TraceModel::subscribe(const QByteArray& channel, int database, const QByteArray& sender) {
    const bool isOfLock = !locks::locksOfChannel(channel).isEmpty();
    if (!isOfLock && !monitor::SynchronizerChannel::parse(channel))
        return;
    auto known = m_channels.find(channel);
    if (known == m_channels.end()) {
        if (m_channels.size() >= mostChannels)
            return;
        if (!isOfLock)
            m_counters.insert(channel);
        known = m_channels.insert(channel, {{}, isOfLock ? meantBy(channel, database) : TraceKey(), database});
    }
    if (known->senders.contains(sender) || known->senders.size() >= mostOfChannel)
        return;
    known->senders.insert(sender);
    m_channelsOf[sender].insert(channel);
    if (isOfLock)
        count(channel, *known, 1);
    else
        m_areSynchronizersNew = true;
}

void TraceModel::unsubscribe(const TraceStep& step, const QByteArrayList& command) {
    const bool isAll = command.size() == 1;
    const auto own = m_channelsOf.find(step.sender);
    const QByteArrayList subscribed = own == m_channelsOf.end() ? QByteArrayList() : own->second.values();
    for (const QByteArray& name : isAll ? subscribed : command.sliced(1)) {
        const auto known = m_channels.find(name);
        if (known == m_channels.end() ||
            !(leave(*known, name, step.sender) || (!isAll && leave(*known, name, earlierClient))))
            continue;
        const Channel channel = *known;
        if (channel.senders.isEmpty()) {
            m_channels.erase(known);
            m_counters.remove(name);
        }
        if (channel.lock.name.isEmpty())
            m_areSynchronizersNew = true;
        else
            count(name, channel, -1);
    }
}

bool TraceModel::leave(Channel& channel, const QByteArray& name, const QByteArray& sender) {
    if (!channel.senders.remove(sender))
        return false;
    const auto known = m_channelsOf.find(sender);
    known->second.remove(name);
    if (known->second.isEmpty())
        m_channelsOf.erase(known);
    return true;
}

QByteArrayList TraceModel::channelsOf(const QByteArray& host) const {
    QByteArrayList channels;
    for (auto known = m_channelsOf.lower_bound(host + ':'); known != m_channelsOf.end(); ++known) {
        if (!known->first.startsWith(host + ':'))
            break;
        channels += known->second.values();
    }
    return channels;
}

// Names may share a channel, and a channel has no database: the known lock is meant, or else the likeliest one.
TraceKey TraceModel::meantBy(const QByteArray& channel, int database) const {
    const QList<LockName> candidates = locks::locksOfChannel(channel);
    std::vector<int> databases{database};
    databases.insert(databases.end(), m_notes.databases.begin(), m_notes.databases.end());
    for (const int one : databases) {
        for (const LockName& name : candidates) {
            if (m_locks.contains({one, name.bytes()}))
                return {one, name.bytes()};
        }
    }
    return {database, candidates.first().bytes()};
}

void TraceModel::count(const QByteArray& name, const Channel& channel, int clients) {
    const LockName lock = nameOf(channel.lock);
    monitor::Listeners& listeners = m_waiting[lock];
    listeners.clients = std::max(listeners.clients + clients, 0);
    if (const std::optional<HolderId> waiter = locks::fairWaiterOfChannel(name)) {
        listeners.fairWaiters.removeOne(*waiter);
        if (!channel.senders.isEmpty())
            listeners.fairWaiters.append(*waiter);
    }
    if (listeners.clients == 0)
        m_waiting.remove(lock);
    m_isWaitingNew = true;
}

void TraceModel::addWaiting(ServerTime at) {
    m_isWaitingNew = false;
    m_waitingAt = at;
    monitor::WaitersCounted counted;
    counted.waiting = m_waiting;
    counted.countBegan = steady(std::max(at, m_last));
    counted.at = wallOf(at);
    add(monitor::StoreInput(counted), at);
}

monitor::SynchronizerReading TraceModel::synchronizers(ServerTime at) const {
    monitor::SynchronizerReading reading;
    for (const QByteArray& channelName : m_counters) {
        const Channel channel = m_channels.value(channelName);
        const std::optional<monitor::SynchronizerChannel> parsed = monitor::SynchronizerChannel::parse(channelName);
        if (!parsed || ++reading.inAll > monitor::SynchronizerReading::mostSeen)
            continue;
        monitor::Synchronizer one;
        const QList<LockName> owners = parsed->owners();
        const int database = channel.database;
        const auto isThere = [&](const LockName& owner) { return m_keys.find({database, owner.bytes()}) != nullptr; };
        const auto known = std::ranges::find_if(owners, isThere);
        one.name = known == owners.end() ? owners.first() : *known;
        one.kind = parsed->kind;
        one.clients = static_cast<int>(channel.senders.size());
        // The number of permits is known if the trace has set it.
        const TraceKeys::Content* content = m_keys.find({database, one.name.bytes()});
        const QByteArray* number = content ? content->value({}) : nullptr;
        one.state = number ? monitor::CounterState::Read : monitor::CounterState::NotReadable;
        if (number)
            one.count = number->toLongLong();
        one.seenAt = steady(at);
        one.seenAtWall = wallOf(at);
        reading.seen.push_back(std::move(one));
    }
    std::ranges::sort(reading.seen, {}, &monitor::Synchronizer::name);
    const auto isSameName = [](const auto& one, const auto& other) { return one.name == other.name; };
    const auto doubles = std::unique(reading.seen.begin(), reading.seen.end(), isSameName);
    reading.inAll -= static_cast<int>(std::distance(doubles, reading.seen.end()));
    reading.seen.erase(doubles, reading.seen.end());
    return reading;
}

// ---- locks ----

TraceScript::Knowledge TraceModel::knowledgeOf(const TraceKey& key) const {
    const auto known = m_locks.constFind(key);
    const bool isSeen = (known != m_locks.cend() && known->isShown) || m_seen.contains(qHash(key));
    return isSeen ? TraceScript::Knowledge::Seen : TraceScript::Knowledge::NotSeen;
}

TraceModel::Lock* TraceModel::lockAt(const TraceKey& key) {
    const auto known = m_locks.find(key);
    if (known != m_locks.end())
        return &*known;
    if (m_locks.size() >= mostLocks) {
        ++m_notes.leftOut;
        return nullptr;
    }
    Lock lock;
    lock.freeSince = m_last;
    return &*m_locks.insert(key, lock);
}

bool TraceModel::isOfLock(const TraceKey& key) const {
    if (m_locks.contains(key))
        return true;
    const TraceKeys::Content* content = m_keys.find(key);
    // A string has one value without a name.
    return content && !content->pairs.empty() && !content->pairs.front().first.isEmpty();
}

std::optional<TraceKey> TraceModel::lockOf(const TraceKey& key) const {
    if (const std::optional<LockName> lock = locks::lockOfHelperKey(key.name))
        return TraceKey{key.database, lock->bytes()};
    return isOfLock(key) ? std::optional(key) : std::nullopt;
}

// Locks of other databases than the first one have their number behind their name: a session has one database. So has
// a lock of the first one whose own name ends like that.
LockName TraceModel::nameOf(const TraceKey& lock) {
    constexpr size_t mostDatabases = 1000;
    if (std::ranges::find(m_notes.databases, lock.database) == m_notes.databases.end() &&
        m_notes.databases.size() < mostDatabases)
        m_notes.databases.push_back(lock.database);
    if (lock.database == m_notes.databases.front() && !endsAsOfDatabase(lock.name))
        return LockName(lock.name);
    return LockName(lock.name + " (db " + QByteArray::number(lock.database) + ')');
}

void TraceModel::touch(const TraceKey& key, ServerTime at) {
    if (key.name.isEmpty() || !m_keys.find(key))
        m_areSynchronizersNew = m_areSynchronizersNew || !m_counters.isEmpty();
    const std::optional<TraceKey> lock = lockOf(key);
    if (!lock) {
        m_areSynchronizersNew = m_areSynchronizersNew || !m_counters.isEmpty();
        return;
    }
    if (m_areTouched.contains(*lock))
        return;
    m_areTouched.insert(*lock);
    m_touched.emplace_back(*lock, at);
}

namespace {

qint64 pttlAt(const TraceKeys::Content& content, ServerTime at) {
    constexpr ServerTime millisecond = 1ms;
    return content.end ? std::max<qint64>((*content.end - at + millisecond - 1us) / millisecond, 0) : -1;
}

std::span<const std::pair<QByteArray, QByteArray>> beginningOf(const TraceKeys::Pairs& pairs) {
    return std::span(pairs).first(std::min(pairs.size(), mostOfQueue));
}

// The keys of one lock, as a read of them would have answered.
RawLock rawLockOf(const TraceKey& lock, const TraceKeys& keys, ServerTime at) {
    const locks::LockKeys names{LockName(lock.name)};
    const auto find = [&](const QByteArray& name) { return keys.find({lock.database, name}); };
    RawLock raw;
    raw.name = names.hash().isEmpty() ? LockName() : LockName(lock.name);
    if (const TraceKeys::Content* hash = find(lock.name); hash && !hash->pairs.front().first.isEmpty()) {
        raw.fields = hash->pairs;
        raw.pttl = pttlAt(*hash, at);
    }
    if (const TraceKeys::Content* queue = find(names.fairQueue())) {
        for (const auto& [waiter, ignored] : beginningOf(queue->pairs))
            raw.queue += waiter;
        raw.queueLength = std::ssize(queue->pairs);
    }
    if (const TraceKeys::Content* deadlines = find(names.fairTimeouts())) {
        for (const auto& [waiter, deadline] : beginningOf(deadlines->pairs))
            raw.deadlines.emplace_back(waiter, deadline);
    }
    if (const TraceKeys::Content* token = find(names.token()); token && token->value({}))
        raw.token = *token->value({});
    for (const auto& [field, count] : raw.fields) {
        const std::optional<HolderId> reader = HolderId::parse(field);
        for (qint64 hold = 1; reader && hold <= count.toLongLong() && hold <= monitor::maxReadLeases; ++hold) {
            if (std::ssize(raw.readLeases) >= monitor::maxReadLeases)
                break;
            if (const TraceKeys::Content* timeout = find(names.readTimeout(*reader, hold)))
                raw.readLeases.push_back({field, hold, pttlAt(*timeout, at)});
        }
    }
    return raw;
}

}  // namespace

void TraceModel::read(const TraceKey& lock, ServerTime at, ServerTime touchedAt, Write write) {
    Lock* known = lockAt(lock);
    if (!known)
        return;
    at = std::max(at, m_last);
    RawLock raw = rawLockOf(lock, m_keys, at);
    const bool isThere = !raw.fields.empty();
    if (!isThere && raw.queue.isEmpty() && !known->isShown)
        return;
    raw.name = nameOf(lock);
    const SteadyTime now = steady(at);
    monitor::LockReading reading = monitor::decodeLock(raw, {now, now, wallOf(at)});
    auto* snapshot = std::get_if<monitor::LockSnapshot>(&reading);
    if (!snapshot) {
        if (known->isShown)
            add(monitor::StoreInput(monitor::SightLost{raw.name, now}), at);
        m_locks.remove(lock);
        return;
    }
    const bool mayRefine = !snapshot->isHeld() || snapshot->kind == monitor::LockKind::Reentrant;
    if (known->isFair && mayRefine) {
        snapshot->kind = monitor::LockKind::Fair;
        snapshot->waiters = static_cast<int>(raw.queueLength);
    } else if (known->isFenced && mayRefine) {
        snapshot->kind = monitor::LockKind::Fenced;
    }
    const TraceKeys::Content* hash = m_keys.find(lock);
    const bool isEndKnown = !hash || hash->isEndKnown;
    if (snapshot->isHeld() && !isEndKnown) {
        snapshot->ttl.reset();
        snapshot->expiry = monitor::Expiry{SteadyTime::max(), SteadyTime::max()};
    }
    monitor::BetweenReads between;
    between.touch = write == Write::Set ? monitor::KeyTouch::Touched : monitor::KeyTouch::Untouched;
    between.touchedAt = steady(std::min(touchedAt, at));
    between.messages = std::exchange(known->newMessages, 0);
    between.firstMessageAt = between.messages > 0 ? steady(touchedAt) : SteadyTime();
    between.releasesReceived = known->messages;
    between.isFlushed = m_isDeleting;
    if (std::exchange(known->isDoubtful, false))
        between.countdown = monitor::Countdown::Doubtful;
    // The lock was held before the trace, or before it was seen.
    if (!known->isShown && known->isFound)
        add(monitor::StoreInput(monitor::ReadRefused{raw.name}), at);
    known->isShown = true;
    if (known->isHeld && !snapshot->isHeld())
        known->freeSince = at;
    known->isHeld = snapshot->isHeld() || !snapshot->fairQueue.isEmpty();
    known->isAssumed = known->isAssumed && known->isHeld;
    if (!known->isAssumed)
        known->tried.clear();
    add(monitor::StoreInput(monitor::LockRead{*snapshot, between}), at);
}

}  // namespace lockkeeper::recording
