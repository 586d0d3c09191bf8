// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/threaddumps.h"

namespace lockkeeper::monitor {

namespace {

using Role = ThreadVerdict::Role;

constexpr qsizetype mostJudged = 20;      // holders, waiters, and threads that may wait, of one lock
constexpr qsizetype mostCandidates = 20;  // locks that one thread may wait for
// A thread that may wait for more locks is not shown at each of them.
constexpr qsizetype mostToShow = 4;
constexpr qsizetype mostHeldByOne = 16;  // contended locks, usually
constexpr int longestCycle = 20;

TakenWhen takenWhen(const DumpTime& taken, const HoldSeen& seen) {
    if (!seen.since)
        return TakenWhen::NotKnown;
    if (taken.earliest && *seen.since <= *taken.earliest)
        return TakenWhen::DuringHold;
    return seen.begin == HoldBegin::Seen && taken.latest && *taken.latest <= *seen.since ? TakenWhen::BeforeHold
                                                                                         : TakenWhen::NotKnown;
}

Fate fateIn(const ClientDump& dump, qint64 id) {
    if (id < 1 || id > highestThread)
        return Fate::NoThread;
    if (dump.has(id))
        return Fate::Lives;
    // A thread that the dump may leave out may have any number, and may live.
    if (!dump.hasAll)
        return Fate::NotInDump;
    return id > dump.newestId() ? Fate::Later : Fate::Ended;
}

Certainty certaintyOf(const ClientDump& dump, Fate fate, const HoldSeen& seen) {
    if (fate == Fate::NoThread)
        return Certainty::Certain;
    if (dump.fit == Fit::Weak)
        return fate == Fate::Ended ? Certainty::Suspected : Certainty::Likely;
    if (fate == Fate::Lives)
        return Certainty::Certain;
    const bool mustBeThere =
        dump.hasAll && seen.threadSince && dump.taken.earliest && *seen.threadSince <= *dump.taken.earliest;
    return fate == Fate::Ended && mustBeThere ? Certainty::Certain : Certainty::Likely;
}

// A dump without virtual threads had the thread, so it is none; the later one must have had it.
bool hasEndedSince(const ClientDump& earlier, const ClientDump& later, const HolderId& id) {
    const auto thread = static_cast<qint64>(id.thread());
    return later.hasOthers && !earlier.hasAll && earlier.has(thread) && !later.has(thread);
}

ThreadVerdict withFate(ThreadVerdict verdict, Fate fate, const HoldSeen& seen) {
    // It holds the lock since after the dump, so it was not yet started then.
    const bool isLater = fate == Fate::Ended && verdict.taken == TakenWhen::BeforeHold;
    verdict.fate = isLater ? Fate::Later : fate;
    verdict.certainty = certaintyOf(*verdict.dump, verdict.fate, seen);
    return verdict;
}

bool isSameDump(const ClientDump& one, const ClientDump& other) {
    return one.at && one.at == other.at && one.ids == other.ids;
}

// What has not moved since the dump before.
void compareStacks(ClientDump& dump, const ClientDump& before) {
    for (DumpedThread& thread : dump.threads) {
        const DumpedThread* earlier = before.thread(thread.id);
        if (earlier && thread.stack != 0 && earlier->stack == thread.stack)
            thread.stillSince = earlier->stillSince ? earlier->stillSince : before.at;
    }
}

bool waitsForLock(const SharedDump& dump, const HolderId& id) {
    const DumpedThread* thread = dump ? dump->thread(static_cast<qint64>(id.thread())) : nullptr;
    return thread && thread->activity.call == RedissonCall::Lock;
}

}  // namespace

HoldSeen seenOf(const LockSnapshot& lock, const Hold& hold) {
    if (lock.holders.size() != 1)
        return {};
    return {hold.sinceWall, hold.begin, hold.seenBefore ? hold.seenBefore->since : hold.sinceWall};
}

ThreadVerdict verdictOf(const SharedDump& dump, const HolderId& id, Role role, const HoldSeen& seen) {
    ThreadVerdict verdict;
    verdict.id = id;
    verdict.role = role;
    verdict.dump = dump;
    verdict.taken = takenWhen(dump->taken, seen);
    return withFate(std::move(verdict), fateIn(*dump, static_cast<qint64>(id.thread())), seen);
}

std::optional<Diagnosis> endedThread(const QList<ThreadVerdict>& verdicts) {
    const auto ended = std::ranges::find_if(verdicts, [](const ThreadVerdict& verdict) {
        return verdict.role == Role::Holds && verdict.fate == Fate::Ended;
    });
    if (ended == verdicts.end())
        return std::nullopt;
    HolderThreadEnded evidence;
    evidence.holder = ended->id;
    evidence.dumpAt = ended->dump->at;
    evidence.newestThread = ended->dump->newestId();
    evidence.isDuringHold = ended->taken == TakenWhen::DuringHold || ended->certainty == Certainty::Certain;
    evidence.hasAllThreads = ended->dump->hasAll;
    evidence.isClientSure = ended->dump->fit != Fit::Weak;
    return Diagnosis{ended->certainty, evidence};
}

// ---- the dumps ----

SharedDump ThreadDumps::newest(const ClientId& client) const {
    const auto found = std::ranges::find(m_dumps.rbegin(), m_dumps.rend(), client, &ClientDump::client);
    return found == m_dumps.rend() ? nullptr : *found;
}

// Keeps so many of a client's, the newest ones.
void ThreadDumps::drop(const ClientId& client, size_t keep) {
    auto count = static_cast<size_t>(std::ranges::count(m_dumps, client, &ClientDump::client));
    std::erase_if(m_dumps, [&](const SharedDump& dump) { return dump->client == client && count-- > keep; });
}

SharedDump ThreadDumps::note(const SharedDump& dump) {
    const SharedDump last = newest(dump->client);
    if (last && last->at && dump->at && *dump->at < *last->at)
        return last;
    if (last && isSameDump(*last, *dump))  // read again
        std::erase(m_dumps, last);
    SharedDump kept = dump;
    if (const SharedDump before = newest(dump->client)) {
        auto compared = std::make_shared<ClientDump>(*dump);
        compareStacks(*compared, *before);
        kept = compared;
    }
    drop(dump->client, perClient - 1);
    m_dumps.push_back(kept);
    QSet<ClientId> known;
    for (const SharedDump& one : m_dumps)
        known.insert(one->client);
    if (known.size() > clients)
        drop(ClientId(m_dumps.front()->client), 0);
    listWaiting();
    return kept;
}

// The locks must be followed again afterwards.
void ThreadDumps::listWaiting() {
    m_waiting.clear();
    m_contended.clear();
    m_heldBy.clear();
    m_queues.clear();
    for (const SharedDump& dump : m_dumps) {
        if (newest(dump->client) != dump)
            continue;
        for (const DumpedThread& thread : dump->threads) {
            if (thread.activity.call == RedissonCall::Lock)
                m_waiting += HolderId(dump->client, ThreadId{thread.id});
        }
    }
    if (m_waiting.size() > mostWaiting)
        m_waiting.clear();
}

// ---- the locks ----

ThreadDumps::Contended ThreadDumps::contendedBy(const LockSnapshot& lock, const HoldSeen& seen) const {
    Contended contended;
    contended.isPlain = lock.kind != LockKind::Fair;
    if (lock.holders.size() != 1 || lock.isCut())
        return contended;
    const HolderId& holder = lock.holders.first().id;
    contended.holder = holder;
    const SharedDump dump = newest(holder.client());
    contended.isHeldSinceDump = dump && dump->fit != Fit::Weak && takenWhen(dump->taken, seen) == TakenWhen::DuringHold;
    return contended;
}

void ThreadDumps::markStale() {
    if (m_contended.size() > mostContended + 1)  // nothing was named before, and nothing is now
        return;
    for (auto [name, contended] : m_contended.asKeyValueRange())
        m_stale.insert(name);
    for (auto [name, holders] : m_heldBy.asKeyValueRange())
        m_stale.insert(name);
    for (auto [name, waiters] : m_queues.asKeyValueRange())
        m_stale.insert(name);
}

void ThreadDumps::follow(const LockSnapshot& lock, const HoldSeen& seen) {
    if (m_waiting.isEmpty())
        return;
    const bool isContended = lock.isHeld() && lock.isWaitedFor() && !lock.isOfOtherProgram();
    QList<HolderId> held;
    QList<HolderId> queued;
    for (const Holder& holder : lock.holders) {
        if (m_waiting.contains(holder.id))
            held += holder.id;
    }
    for (const FairWaiter& waiter : lock.fairQueue) {
        if (m_waiting.contains(waiter.id))
            queued += waiter.id;
    }
    const auto before = m_contended.constFind(lock.name);
    const bool wasContended = before != m_contended.cend();
    const Contended now = isContended ? contendedBy(lock, seen) : Contended();
    if (wasContended == isContended && (!isContended || *before == now) && m_heldBy.value(lock.name) == held &&
        m_queues.value(lock.name) == queued)
        return;
    m_stale.insert(lock.name);
    forget(lock.name);
    if (isContended)
        m_contended.insert(lock.name, now);
    if (!held.isEmpty())
        m_heldBy.insert(lock.name, held);
    if (!queued.isEmpty())
        m_queues.insert(lock.name, queued);
    markStale();
}

void ThreadDumps::forget(const LockName& name) {
    const bool wasContended = m_contended.remove(name) > 0;
    const bool wasHeld = m_heldBy.remove(name) > 0;
    const bool wasQueued = m_queues.remove(name) > 0;
    if (wasContended || wasHeld || wasQueued)
        markStale();
    m_stale.remove(name);
}

// A frame does not name the lock: these are the locks that have waiters and that the thread does not hold, without the
// fair ones in whose queue it is not.
QList<LockName> ThreadDumps::mayWaitFor(const HolderId& id) const {
    QList<LockName> names;
    for (auto [name, waiters] : m_queues.asKeyValueRange()) {
        if (waiters.contains(id))
            names += name;
    }
    if (names.isEmpty() && m_contended.size() <= mostContended) {
        for (auto [name, contended] : m_contended.asKeyValueRange()) {
            if (contended.isPlain && !m_heldBy.value(name).contains(id))
                names += name;
        }
    }
    std::ranges::sort(names);
    return names.first(std::min(names.size(), mostCandidates));
}

std::optional<LockName> ThreadDumps::onlyWaitFor(const HolderId& id) const {
    const QList<LockName> names = m_waiting.contains(id) ? mayWaitFor(id) : QList<LockName>();
    return names.size() == 1 ? std::optional(names.first()) : std::nullopt;
}

// ---- what they say ----

// Of a client's dumps the newest one that must or does have the thread.
void ThreadDumps::addVerdict(QList<ThreadVerdict>& found, const HolderId& id, Role role, const HoldSeen& seen) const {
    std::optional<ThreadVerdict> verdict;
    for (auto dump = m_dumps.rbegin(); dump != m_dumps.rend(); ++dump) {
        if ((*dump)->client != id.client())
            continue;
        ThreadVerdict by = verdictOf(*dump, id, role, seen);
        if (!verdict)
            verdict = std::move(by);
        else if (verdict->fate == Fate::NotInDump && hasEndedSince(**dump, *verdict->dump, id))
            verdict = withFate(*verdict, Fate::Ended, seen);
        else if (verdict->fate == Fate::NotInDump)
            verdict = std::move(by);
    }
    if (!verdict)
        return;
    if (verdict->fate == Fate::Lives && waitsForLock(verdict->dump, id) && verdict->dump == newest(id.client()))
        verdict->mayWaitFor = mayWaitFor(id);
    found += *std::move(verdict);
}

void ThreadDumps::addThreadsThatMayWait(QList<ThreadVerdict>& found, const LockSnapshot& lock) const {
    const auto contended = m_contended.constFind(lock.name);
    if (contended == m_contended.cend() || !contended->isPlain || m_contended.size() > mostToShow + mostHeldByOne)
        return;
    qsizetype added = 0;
    for (const HolderId& id : m_waiting) {
        const QList<LockName> names = mayWaitFor(id);
        if (!names.contains(lock.name) || names.size() > mostToShow || added == mostJudged)
            continue;
        addVerdict(found, id, Role::MayWait, {});
        ++added;
    }
}

QList<ThreadVerdict> ThreadDumps::verdicts(const LockSnapshot& lock, const HoldSeen& seen) const {
    QList<ThreadVerdict> found;
    if (isEmpty() || !lock.isHeld() || lock.isOfOtherProgram())
        return found;
    for (const Holder& holder : lock.holders.first(std::min(mostJudged, lock.holders.size()))) {
        if (!holder.id.isOfOtherProgram())
            addVerdict(found, holder.id, Role::Holds, seen);
    }
    for (const FairWaiter& waiter : lock.fairQueue.first(std::min(mostJudged, lock.fairQueue.size()))) {
        if (!waiter.id.isOfOtherProgram())
            addVerdict(found, waiter.id, Role::Waits, {});
    }
    addThreadsThatMayWait(found, lock);
    return found;
}

std::optional<Deadlock> ThreadDumps::deadlock(const LockName& name) const {
    std::optional<Deadlock> found;
    LockName at = name;
    for (int holders = 1; holders <= longestCycle; ++holders) {
        const auto contended = m_contended.constFind(at);
        if (contended == m_contended.cend() || !contended->holder || !contended->isHeldSinceDump)
            return std::nullopt;
        const std::optional<LockName> next = onlyWaitFor(*contended->holder);
        if (!next)
            return std::nullopt;
        const SharedDump dump = newest(contended->holder->client());
        if (!found) {
            found.emplace();
            found->holder = *contended->holder;
            found->waitsFor = *next;
            found->heldBy = m_contended.value(*next).holder.value_or(HolderId());
            found->byThreads = true;
        }
        found->provenAt = std::max(found->provenAt, dump->at.value_or(WallTime()));
        found->holders = holders;
        if (*next == name)
            return found;
        at = *next;
    }
    return std::nullopt;
}

}  // namespace lockkeeper::monitor
