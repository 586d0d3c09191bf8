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
    std::optional<WallTime> since;
};

std::vector<Named> namedIn(const monitor::LockRow& row) {
    std::vector<Named> named;
    // The hold's begin is that of its first holder; a reader that came later is not dated.
    const bool isDated = row.lock.holders.size() == 1;
    // The same holder before a gap: whether it held the lock all the time does not matter, its thread had begun.
    const WallTime since = row.hold.seenBefore ? row.hold.seenBefore->since : row.hold.sinceWall;
    for (const monitor::Holder& holder : row.lock.holders)
        if (!holder.id.isOfOtherProgram())
            named.push_back({holder.id, Role::Holds, isDated ? std::optional(since) : std::nullopt});
    for (const monitor::FairWaiter& waiter : row.lock.fairQueue)
        if (!waiter.id.isOfOtherProgram())
            named.push_back({waiter.id, Role::Waits, std::nullopt});
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

// A thread that is missing has ended, if it had begun: a number is given out once, in ascending order, when the thread
// is made. It is certain only for a dump that must have it because it held the lock then.
void judgeMissing(HolderThread& found, const ThreadDump& dump, const std::optional<WallTime>& since, Fit fit) {
    const auto id = static_cast<qint64>(found.holder.thread());
    if (id < 1 || id > highestThread) {
        found.fate = Fate::NoThread;
        found.certainty = Certainty::Certain;
    } else if (id > dump.newestId().value_or(0)) {
        found.fate = Fate::Later;
    } else if (dump.form == DumpForm::ThreadInfo || !dump.isWhole) {
        found.fate = Fate::NotInDump;
    } else {
        const bool heldAtTheDump = since && dump.at && dump.isZoneGiven && *since < *dump.at;
        found.fate = Fate::Ended;
        found.certainty =
            heldAtTheDump && dump.hasAllThreads() && fit != Fit::Weak ? Certainty::Certain : Certainty::Likely;
    }
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

HolderThread holderThread(const std::vector<ThreadDump>& dumps, const Named& named, Fit fit,
                          const QStringList& application) {
    const ThreadDump& dump = dumps.back();
    HolderThread found;
    found.holder = named.id;
    found.role = named.role;
    const JavaThread* thread = dump.thread(static_cast<qint64>(named.id.thread()));
    if (!thread) {
        judgeMissing(found, dump, named.since, fit);
        return found;
    }
    found.fate = Fate::Lives;
    found.certainty = fit == Fit::Weak ? Certainty::Likely : Certainty::Certain;
    found.thread = thread->name;
    found.frames = thread->frames;
    found.activity = activityOf(*thread, application);
    countSameFrames(found, dumps);
    return found;
}

}  // namespace

std::vector<ClientThreads> clientThreadsIn(const std::vector<monitor::SharedRow>& rows) {
    std::map<QByteArray, ClientThreads> clients;
    for (const monitor::SharedRow& row : rows) {
        for (const Named& named : namedIn(*row)) {
            ClientThreads& client = clients[named.id.client().bytes()];
            client.client = named.id.client();
            client.threads.push_back({named.id.thread(), named.role, named.since});
            client.seenAt = std::max(client.seenAt, row->lock.seenAtWall);
        }
    }
    std::vector<ClientThreads> result;
    for (auto& [id, client] : clients)
        result.push_back(std::move(client));
    return result;
}

DumpReading readDumps(const std::vector<ThreadDump>& dumps, const std::vector<monitor::SharedRow>& rows,
                      const std::optional<ClientId>& client, const QStringList& application) {
    DumpReading reading;
    std::map<QByteArray, Fit> fits;
    for (const ClientThreads& threads : clientThreadsIn(rows)) {
        DumpMatch match = matchOf(dumps.back(), threads);
        if (client)
            match.fit = threads.client == *client ? Fit::Given : Fit::Contradicts;
        fits[threads.client.bytes()] = match.fit;
        reading.matches.push_back(std::move(match));
    }
    std::ranges::stable_sort(reading.matches, {}, &DumpMatch::fit);
    const WaitedFor waited = waitedForIn(rows);
    for (const monitor::SharedRow& row : rows) {
        for (const Named& named : namedIn(*row)) {
            const Fit fit = fits[named.id.client().bytes()];
            if (fit == Fit::Contradicts)
                continue;
            HolderThread found = holderThread(dumps, named, fit, application);
            found.lock = row->lock.name;
            if (found.activity.call == RedissonCall::Lock)
                found.mayWaitFor = waited.by(named.id);
            reading.holders.push_back(std::move(found));
        }
    }
    return reading;
}

}  // namespace lockkeeper::jvm
