// SPDX-License-Identifier: Apache-2.0
#include "jvm/holderthread.h"

#include <QHash>

#include <algorithm>
#include <map>

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

// A dump has no history: that a thread stood still only shows in equal frames.
void countSameFrames(HolderThread& found, const std::vector<ThreadDump>& dumps) {
    for (auto dump = dumps.rbegin(); dump != dumps.rend(); ++dump) {
        const JavaThread* thread = dump->thread(static_cast<qint64>(found.holder.thread()));
        if (!thread || thread->frames.empty() || thread->frames != found.frames)
            return;
        ++found.dumpsWithSameFrames;
    }
}

// last: what is kept of the last one of the dumps.
HolderThread holderThread(const std::vector<ThreadDump>& dumps, const monitor::SharedDump& last, const Named& named,
                          const QStringList& application) {
    const auto role =
        named.role == Role::Holds ? monitor::ThreadVerdict::Role::Holds : monitor::ThreadVerdict::Role::Waits;
    const monitor::ThreadVerdict verdict = monitor::verdictOf(last, named.id, role, named.seen);
    HolderThread found;
    found.holder = named.id;
    found.role = named.role;
    found.fate = verdict.fate;
    found.taken = verdict.taken;
    found.certainty = verdict.certainty == monitor::Certainty::Certain ? Certainty::Certain : Certainty::Likely;
    const JavaThread* thread = dumps.back().thread(static_cast<qint64>(named.id.thread()));
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
        return other.fit != Fit::Contradicts && other.client != match.client;
    });
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

DumpReading readDumps(const std::vector<ThreadDump>& dumps, const std::vector<monitor::SharedRow>& rows,
                      const std::optional<ClientId>& client, const QStringList& application, const DumpClock& clock) {
    DumpReading reading;
    reading.isTimeAhead = isTimeAhead(dumps.back(), clock);
    std::map<QByteArray, monitor::SharedDump> fitting;
    const std::vector<ClientThreads> clients = clientThreadsIn(rows);
    for (const ClientThreads& threads : clients) {
        DumpMatch match = matchOf(dumps.back(), threads);
        if (client)
            match.fit = threads.client == *client ? Fit::Given : Fit::Contradicts;
        if (match.fit != Fit::Contradicts)
            fitting[threads.client.bytes()] = keptDump(dumps.back(), threads, match.fit, clock, application);
        reading.matches.push_back(std::move(match));
    }
    DumpClock earlier;  // when it was fetched is only known of the last one
    earlier.readAt = clock.readAt;
    for (size_t i = 0; i < clients.size(); ++i) {
        if (!isKept(reading.matches[i], reading.matches))
            continue;
        if (dumps.size() > 1)
            reading.kept.push_back(
                keptDump(dumps[dumps.size() - 2], clients[i], reading.matches[i].fit, earlier, application));
        reading.kept.push_back(fitting[clients[i].client.bytes()]);
    }
    std::ranges::stable_sort(reading.matches, {}, &DumpMatch::fit);
    const WaitedFor waited = waitedForIn(rows);
    for (const monitor::SharedRow& row : rows) {
        for (const Named& named : namedIn(*row)) {
            const auto last = fitting.find(named.id.client().bytes());
            if (last == fitting.end())
                continue;
            HolderThread found = holderThread(dumps, last->second, named, application);
            found.lock = row->lock.name;
            if (found.activity.call == RedissonCall::Lock)
                found.mayWaitFor = waited.by(named.id);
            reading.holders.push_back(std::move(found));
        }
    }
    return reading;
}

}  // namespace lockkeeper::jvm
