// SPDX-License-Identifier: Apache-2.0
#include "jvm/holderthread.h"

#include <QHash>

#include <algorithm>
#include <map>
#include <utility>

namespace lockkeeper::jvm {

namespace {

using Role = ClientThreads::Role;

constexpr size_t mostCandidates = 20;  // of the locks that one thread may wait for

// What one row says of a thread: the holders, then the waiters in the queue.
struct Named {
    HolderId id;
    Role role = Role::Holds;
    monitor::HoldSeen seen;
};

std::vector<Named> namedIn(const monitor::LockRow& row) {
    std::vector<Named> named;
    const monitor::HoldSeen seen = monitor::seenOf(row.lock, row.hold);
    for (const monitor::Holder& holder : row.lock.holders)
        if (!holder.id.isOfOtherProgram())
            named.push_back({holder.id, Role::Holds, seen});
    for (const monitor::FairWaiter& waiter : row.lock.fairQueue)
        if (!waiter.id.isOfOtherProgram())
            named.push_back({waiter.id, Role::Waits, {}});
    return named;
}

// A lock that clients wait for by its channel.
bool hasWaiters(const monitor::LockSnapshot& lock) {
    return lock.isHeld() && (!lock.fairQueue.isEmpty() || lock.waiters.value_or(0) > lock.monitorsAmongWaiters);
}

// The locks that threads may wait for.
struct WaitedFor {
    std::vector<monitor::SharedRow> plain;  // with waiters that only a channel shows
    QHash<HolderId, QList<LockName>> queued;

    [[nodiscard]] QList<LockName> by(const HolderId& id) const {
        if (const auto found = queued.constFind(id); found != queued.cend())
            return *found;
        QList<LockName> names;
        for (const monitor::SharedRow& row : plain)
            if (!row->lock.isHeldBy(id) && static_cast<size_t>(names.size()) < mostCandidates)
                names += row->lock.name;
        return names;
    }
};

WaitedFor waitedForIn(const std::vector<monitor::SharedRow>& rows) {
    WaitedFor waited;
    for (const monitor::SharedRow& row : rows) {
        for (const monitor::FairWaiter& waiter : row->lock.fairQueue)
            waited.queued[waiter.id] += row->lock.name;
        if (hasWaiters(row->lock) && row->lock.kind != monitor::LockKind::Fair)
            waited.plain.push_back(row);
    }
    return waited;
}

// When the JVM was started, or later: that of its oldest thread.
std::optional<WallTime> startOf(const ThreadDump& dump) {
    std::optional<Milliseconds> oldest;
    for (const JavaThread& thread : dump.threads)
        oldest = thread.age ? std::max(oldest.value_or(*thread.age), *thread.age) : oldest;
    return dump.at && oldest ? std::optional(*dump.at - *oldest) : std::nullopt;
}

// Nothing: the dumps do not show it.
std::optional<bool> areOfOneJvm(const ThreadDump& one, const ThreadDump& other) {
    constexpr std::chrono::seconds rounding{3};  // a dump has whole seconds, and takes time
    if (one.jvm != other.jvm && one.form == other.form)
        return false;
    const std::optional<WallTime> start = startOf(one);
    const std::optional<WallTime> otherStart = startOf(other);
    const bool areStartsKnown = start && otherStart && one.isZoneGiven == other.isZoneGiven;
    if (areStartsKnown && std::chrono::abs(*start - *otherStart) > rounding)
        return false;
    if (one.processId && other.processId && one.processId != other.processId)
        return false;  // equal ones show nothing: it is 1 in every container
    return areStartsKnown ? std::optional(true) : std::nullopt;
}

// At least so many: each that differs from those before it.
size_t countJvms(const std::vector<ThreadDump>& dumps) {
    std::vector<const ThreadDump*> different;
    for (const ThreadDump& dump : dumps) {
        const bool isAnother = std::ranges::all_of(
            different, [&dump](const ThreadDump* other) { return areOfOneJvm(*other, dump) == false; });
        if (isAnother)
            different.push_back(&dump);
    }
    return different.size();
}

// The dumps that one client is read beside.
struct Chosen {
    DumpMatch match;
    std::vector<const ThreadDump*> dumps{};  // of one JVM, the newest one last
};

// A dump has no history: that a thread stood still only shows in equal frames.
void countSameFrames(HolderThread& found, const std::vector<const ThreadDump*>& dumps) {
    for (auto dump = dumps.rbegin(); dump != dumps.rend(); ++dump) {
        const JavaThread* thread = (*dump)->thread(static_cast<qint64>(found.holder.thread()));
        if (!thread || thread->frames.empty() || thread->frames != found.frames)
            return;
        ++found.dumpsWithSameFrames;
    }
}

// last: what is kept of the last one of the dumps.
HolderThread holderThread(const std::vector<const ThreadDump*>& dumps, const monitor::SharedDump& last,
                          const Named& named, const QStringList& application) {
    const auto role =
        named.role == Role::Holds ? monitor::ThreadVerdict::Role::Holds : monitor::ThreadVerdict::Role::Waits;
    const monitor::ThreadVerdict verdict = monitor::verdictOf(last, named.id, role, named.seen);
    HolderThread found;
    found.holder = named.id;
    found.role = named.role;
    found.fate = verdict.fate;
    found.taken = verdict.taken;
    found.certainty = verdict.certainty;
    const JavaThread* thread = dumps.back()->thread(static_cast<qint64>(named.id.thread()));
    if (!thread)
        return found;
    found.thread = thread->name;
    found.frames = thread->frames;
    found.activity = activityOf(*thread, application);
    countSameFrames(found, dumps);
    return found;
}

// Whether a session takes the dump for one of this client's JVM.
bool isKept(const DumpMatch& match, const std::vector<DumpMatch>& matches) {
    if (match.fit != Fit::Weak)
        return match.fit != Fit::Contradicts;
    return std::ranges::none_of(matches, [&match](const DumpMatch& other) {
        return other.fit != Fit::Contradicts && other.client != match.client && other.present >= match.present;
    });
}

// What the client that was named or asked makes of a fit by numbers. Numbers that contradict it outweigh both.
Fit fitOfTold(const DumpMatch& match, ClientBy by) {
    if (match.contradicting > 0)
        return Fit::Contradicts;
    if (by == ClientBy::User)
        return Fit::Given;
    return match.present > 0 && match.missing + match.later <= match.present ? Fit::Strong : Fit::Weak;
}

QSet<qint64> numbersOfOthers(const std::vector<ClientThreads>& clients, const ClientId& client) {
    QSet<qint64> numbers;
    for (const ClientThreads& other : clients) {
        for (const ClientThreads::Thread& thread : other.threads) {
            if (other.client != client)
                numbers.insert(static_cast<qint64>(thread.id));
        }
    }
    return numbers;
}

// What readDumps() gets.
struct Told {
    const std::vector<ThreadDump>& dumps;
    const std::optional<ClientId>& client;
    ClientBy by = ClientBy::User;
    bool areInOrder = false;
};

// The dump that fits best, the last one of several. That of another JVM which may be the client's, too, leaves it open.
Chosen chosenFor(const ClientThreads& threads, const QSet<qint64>& ofOthers, const Told& told) {
    Chosen chosen;
    bool isOpen = false;
    for (size_t i = 0; i < told.dumps.size(); ++i) {
        DumpMatch match = matchOf(told.dumps[i], threads, ofOthers);
        match.dump = i;
        if (told.client)
            match.fit = threads.client == *told.client ? fitOfTold(match, told.by) : Fit::Contradicts;
        const auto rank = [](const DumpMatch& one) { return std::pair(one.fit, -static_cast<qint64>(one.present)); };
        const bool isBetter = i == 0 || rank(match) <= rank(chosen.match);
        const bool isOfOther = i > 0 && areOfOneJvm(told.dumps[chosen.match.dump], told.dumps[i]) == false;
        isOpen = isOpen || (isOfOther && match.fit != Fit::Contradicts && chosen.match.fit != Fit::Contradicts);
        chosen.match = isBetter ? match : chosen.match;
    }
    if (isOpen && chosen.match.fit != Fit::Contradicts)
        chosen.match.fit = Fit::Weak;
    const ThreadDump* last = &told.dumps[chosen.match.dump];
    chosen.dumps = {last};
    for (size_t i = chosen.match.dump; i-- > 0;) {
        if (isLaterOfSameJvm(told.dumps[i], *chosen.dumps.front(), told.areInOrder))
            chosen.dumps.insert(chosen.dumps.begin(), &told.dumps[i]);
    }
    return chosen;
}

}  // namespace

std::vector<ClientThreads> clientThreadsIn(const std::vector<monitor::SharedRow>& rows) {
    std::map<QByteArray, ClientThreads> clients;
    for (const monitor::SharedRow& row : rows) {
        for (const Named& named : namedIn(*row)) {
            ClientThreads& client = clients[named.id.client().bytes()];
            client.client = named.id.client();
            client.threads.push_back({named.id.thread(), named.role, named.seen.threadSince});
            client.seenAt = std::max(client.seenAt, row->lock.seenAtWall);
        }
    }
    std::vector<ClientThreads> result;
    for (auto& [id, client] : clients)
        result.push_back(std::move(client));
    return result;
}

bool isLaterOfSameJvm(const ThreadDump& earlier, const ThreadDump& later, bool areInOrder) {
    const std::optional<bool> areOfOne = areOfOneJvm(earlier, later);
    if (areOfOne == false)
        return false;
    if (!earlier.at || !later.at)
        return areInOrder;
    return *earlier.at < *later.at && (areInOrder || areOfOne == true);
}

DumpReading readDumps(const std::vector<ThreadDump>& dumps, const std::vector<monitor::SharedRow>& rows,
                      const std::optional<ClientId>& client, const QStringList& application, const DumpClock& clock,
                      ClientBy by) {
    DumpReading reading;
    reading.isTimeAhead = isTimeAhead(dumps.back(), clock);
    reading.jvms = countJvms(dumps);
    std::map<QByteArray, monitor::SharedDump> fitting;
    std::map<QByteArray, Chosen> chosen;
    const std::vector<ClientThreads> clients = clientThreadsIn(rows);
    const Told told{dumps, client, by, clock.askedAt.has_value()};
    for (const ClientThreads& threads : clients) {
        Chosen one = chosenFor(threads, numbersOfOthers(clients, threads.client), told);
        if (one.match.fit != Fit::Contradicts)
            fitting[threads.client.bytes()] = keptDump(*one.dumps.back(), threads, one.match.fit, clock, application);
        reading.matches.push_back(one.match);
        chosen[threads.client.bytes()] = std::move(one);
    }
    DumpClock earlier;  // when it was fetched is only known of the last one
    earlier.readAt = clock.readAt;
    for (const ClientThreads& threads : clients) {
        const Chosen& one = chosen[threads.client.bytes()];
        if (!isKept(one.match, reading.matches))
            continue;
        if (one.dumps.size() > 1)
            reading.kept.push_back(
                keptDump(*one.dumps[one.dumps.size() - 2], threads, one.match.fit, earlier, application));
        reading.kept.push_back(fitting[threads.client.bytes()]);
    }
    std::ranges::stable_sort(reading.matches, {}, &DumpMatch::fit);
    const WaitedFor waited = waitedForIn(rows);
    for (const monitor::SharedRow& row : rows) {
        for (const Named& named : namedIn(*row)) {
            const auto last = fitting.find(named.id.client().bytes());
            if (last == fitting.end())
                continue;
            HolderThread found =
                holderThread(chosen[named.id.client().bytes()].dumps, last->second, named, application);
            found.lock = row->lock.name;
            if (found.activity.call == RedissonCall::Lock)
                found.mayWaitFor = waited.by(named.id);
            reading.holders.push_back(std::move(found));
        }
    }
    return reading;
}

}  // namespace lockkeeper::jvm
