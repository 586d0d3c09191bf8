// SPDX-License-Identifier: Apache-2.0
#include "ui/help/helptexts.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

using monitor::DiagnosisKind;

namespace {

struct LockHelp {
    Q_DECLARE_TR_FUNCTIONS(LockHelp)
};

struct EventHelp {
    Q_DECLARE_TR_FUNCTIONS(EventHelp)
};

struct DiagnosisHelp {
    Q_DECLARE_TR_FUNCTIONS(DiagnosisHelp)
};

struct SynchronizerHelp {
    Q_DECLARE_TR_FUNCTIONS(SynchronizerHelp)
};

struct NodeHelp {
    Q_DECLARE_TR_FUNCTIONS(NodeHelp)
};

}  // namespace

QString columnHelp(LockTableModel::Column column) {
    switch (column) {
        case LockTableModel::State:
            return LockHelp::tr(
                "Whether anybody holds the lock: a held lock is a hash in Redis, and a free one has no key. \"Old\" "
                "marks the state at the moment the connection was lost.");
        case LockTableModel::Name:
            return LockHelp::tr(
                "The lock's key in Redis, as the program that uses it has named it. Bytes that are no text are shown "
                "escaped.");
        case LockTableModel::DiagnosisColumn:
            return LockHelp::tr(
                "What may be wrong with the lock, the gravest first; a question mark says that it is only suspected. "
                "The details show what was seen, how certain it is, and what can be done.");
        case LockTableModel::Kind:
            return LockHelp::tr(
                "Derived from the fields of the hash and from the helper keys beside it. A plain lock, a spin lock, a "
                "member of a multi lock and a fair lock without waiters cannot be distinguished.");
        case LockTableModel::HolderColumn:
            return LockHelp::tr(
                "UUID:THREAD. The UUID stands for one running Redisson client and is a new one after each start; the "
                "number is a thread within it. If you have named the client, the name is shown instead.");
        case LockTableModel::Count:
            return LockHelp::tr(
                "The reentry count: how often it was acquired and not released yet; for several readers, their sum. "
                "Only the last release frees the lock.");
        case LockTableModel::Ttl:
            return LockHelp::tr(
                "The time until Redis deletes the key by itself, counted down since the last read. The bar shows its "
                "share of the highest TTL seen during this hold. A watchdog sets it back to the full lease (30 s "
                "unless configured) every third of it.");
        case LockTableModel::HeldSince:
            return LockHelp::tr(
                "When this hold was first seen. \"before\": it was held at the first read already; since when is not "
                "known.");
        case LockTableModel::Renewals:
            return LockHelp::tr(
                "How often the TTL went up during this hold: renewed by the watchdog, or extended by hand. A renewal "
                "shows that the client's process is alive, not that its work makes progress.");
        case LockTableModel::Waiters:
            return LockHelp::tr(
                "Client instances that wait for the release; threads of one client count once. For a fair lock, the "
                "length of its queue. Empty: not known.");
        case LockTableModel::Rate:
            return LockHelp::tr(
                "How often a busy lock is released, counted by its release messages over the last ten seconds. Empty: "
                "not busy, or not known. The details show the share of time it is held, and how long, by samples.");
        case LockTableModel::NodeColumn:
            return LockHelp::tr(
                "The master of the Cluster that the lock was read from: the one that serves the hash slot of its "
                "name.");
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

QString stateHelp(LockState state) {
    switch (state) {
        case LockState::Free:
            return LockHelp::tr(
                "Free: it had no key at the last read. Redisson leaves no key behind when a lock is released.");
        case LockState::WaitedFor:
            return LockHelp::tr(
                "Free, waited for: it had no key at the last read, and clients are subscribed to its channel or in its "
                "queue. That lasts for a moment when a lock changes hands; a diagnosis names the cause where it lasts.");
        case LockState::Held:
            return LockHelp::tr(
                "Held: its key exists and names a holder. Only renewals show whether the holder's process is alive.");
        case LockState::Own:
            return LockHelp::tr(
                "Held here: this console has acquired it, and its watchdog renews it until it is released.");
        case LockState::NeverExpires:
            return LockHelp::tr(
                "No expiry: it is held without a TTL (Redis answers PTTL with -1). Nothing but an operator will ever "
                "free it.");
    }
    return {};
}

QString columnHelp(EventLogModel::Column column) {
    switch (column) {
        case EventLogModel::Time:
            return EventHelp::tr("When it was seen, by this computer's clock. The newest event stands on top.");
        case EventLogModel::Event:
            return EventHelp::tr(
                "What happened, as far as the change between two reads shows it. What comes and goes between two "
                "reads is not seen.");
        case EventLogModel::Lock:
            return EventHelp::tr("The lock's key in Redis. Choosing the event shows the lock in the table.");
        case EventLogModel::HolderColumn:
            return EventHelp::tr(
                "Who acquired it, released it, lost it or was renewed: UUID:THREAD, or the name you gave it.");
        case EventLogModel::Detail:
            return EventHelp::tr("The reentry count and the lease after the event, or what is not known about it.");
        case EventLogModel::ColumnCount:
            break;
    }
    return {};
}

QString eventHelp(monitor::EventType type) {
    switch (type) {
        case monitor::EventType::Found:
            return EventHelp::tr("Found: it was held already when it was first read.");
        case monitor::EventType::Acquired:
            return EventHelp::tr(
                "Acquired: it has a holder that it did not have at the last read. A lock that was not known before, "
                "and found after the first sweep, may have been acquired earlier.");
        case monitor::EventType::Reentered:
            return EventHelp::tr("Reentered: the same holder, and its count went up.");
        case monitor::EventType::ReleasedOnce:
            return EventHelp::tr("Released once: the same holder, and its count went down; it still holds the lock.");
        case monitor::EventType::Renewed:
            return EventHelp::tr(
                "Renewed: the same holder and count, and the TTL went up. A watchdog does that, or somebody by hand.");
        case monitor::EventType::Released:
            return EventHelp::tr(
                "Released: the key is gone and a message came on its channel; or one of several readers released it. A "
                "force-release shows the same; one by this console has an event of its own, Forced.");
        case monitor::EventType::Expired:
            return EventHelp::tr(
                "Expired: the key is gone without a message after its TTL had run out. The holder died, or worked "
                "longer than its lease.");
        case monitor::EventType::Deleted:
            return EventHelp::tr(
                "Deleted: the key is gone without a message while it had time left: deleted by hand, evicted, "
                "flushed, or released by a spin lock.");
        case monitor::EventType::HandedOver:
            return EventHelp::tr(
                "Handed over: another holder than at the last read. Suspect when the earlier lease had time left and "
                "no release was received.");
        case monitor::EventType::Waiters:
            return EventHelp::tr("Waiters: the number of clients that wait for it has changed.");
        case monitor::EventType::NotWatched:
            return EventHelp::tr(
                "Not watched: what happened in this gap is not known, or what was seen could not be written to disk. "
                "It ends at the time given.");
        case monitor::EventType::Swept:
            return EventHelp::tr("Swept: discovery has read the names of all keys of the database once more.");
        case monitor::EventType::Diagnosed:
            return EventHelp::tr("Diagnosis: what may be wrong with the lock has come or gone.");
        case monitor::EventType::Gone:
            return EventHelp::tr("Gone: this holder does not hold it any more, and how that ended was not seen.");
        case monitor::EventType::Forced:
            return EventHelp::tr(
                "Forced: this console force-released the lock, and the server has confirmed it. What the monitor saw "
                "of it is another event, which may be Released.");
        case monitor::EventType::WaiterRemoved:
            return EventHelp::tr(
                "Waiter removed: an operator took this dead waiter out of the queue of the fair lock.");
        case monitor::EventType::WaitersWoken:
            return EventHelp::tr(
                "Waiters woken: an operator sent those who wait for the free lock the message of a release.");
        case monitor::EventType::ExpirySet:
            return EventHelp::tr("TTL set: an operator gave the lock, which would never have expired, an end.");
    }
    return {};
}

QString diagnosisHelp(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return DiagnosisHelp::tr(
                "Given when the connection was lost, the server came back in another role, and another holder has the "
                "lock while the earlier lease had time left and no release was received.");
        case DiagnosisKind::Deadlock:
            return DiagnosisHelp::tr(
                "Given when holders of fair locks wait for each other in a circle, and each of these locks was read "
                "again after all of the waits had been seen. Only the queues of fair locks name who waits.");
        case DiagnosisKind::WatchdogStopped:
            return DiagnosisHelp::tr(
                "Given when renewals were seen and the next one is clearly late. A watchdog renews after each third "
                "of the lease, so a TTL well below two thirds means that it does not run any more.");
        case DiagnosisKind::NeverExpires:
            return DiagnosisHelp::tr("Given when the lock is held and Redis says that its key has no TTL.");
        case DiagnosisKind::FairQueueStorm:
            return DiagnosisHelp::tr(
                "Given when the head of a free lock's queue is certainly dead, a waiter behind it listens, and the "
                "server is busy. Clients of Redisson then ask for the lock without a pause.");
        case DiagnosisKind::FairQueueBlocked:
            return DiagnosisHelp::tr(
                "Given when a fair lock is free, its queue is not empty, and the head of the queue has not taken it "
                "for seconds. Likely if that head does not listen on its channel, and certain if it has not listened "
                "on any server for ten seconds.");
        case DiagnosisKind::WaitersAsleep:
            return DiagnosisHelp::tr(
                "Given when the lock has been free for seconds while clients still listen on its channel. A lock "
                "that expires or is deleted by hand publishes no message, so its waiters are not woken.");
        case DiagnosisKind::DeafWaiters:
            return DiagnosisHelp::tr(
                "Given when clients waited for the lock while its slot moved to another node of a Cluster, and nobody "
                "has subscribed at the new node for seconds. Redisson loses its subscription then.");
        case DiagnosisKind::FairWaiterDropped:
            return DiagnosisHelp::tr(
                "Given when a client has listened on its own channel of a fair lock for some time, and is neither in "
                "the queue nor the holder.");
        case DiagnosisKind::ReaderCutShort:
            return DiagnosisHelp::tr(
                "Given when the lock would expire before the timeout key of one of its readers. Each renewal by "
                "another "
                "reader sets the TTL of the whole lock to that reader's own timeout.");
        case DiagnosisKind::ZombieReader:
            return DiagnosisHelp::tr(
                "Given when the lock counts a reader whose own timeout keys have all been gone for seconds while "
                "others read, or when there are timeout keys of a client that is no reader.");
        case DiagnosisKind::AcquireTakenBack:
            return DiagnosisHelp::tr(
                "Given when a client releases the lock a second after it has acquired it, then acquires it again, and "
                "the server has fewer replicas than before. Likely if that happens more than once.");
        case DiagnosisKind::UnlockFromOtherThread:
            return DiagnosisHelp::tr(
                "Given in the look-up of a pasted error, when another thread of the same client held the lock at that "
                "time.");
        case DiagnosisKind::LeaseRanOut:
            return DiagnosisHelp::tr(
                "Given for some minutes after a hold without renewals was seen from its begin to its expiry, and "
                "its holder did not release it.");
        case DiagnosisKind::SuspectedOrphan:
            return DiagnosisHelp::tr(
                "Given when a lock is renewed for far longer than its earlier holds took that were seen from begin to "
                "end.");
        case DiagnosisKind::ReentryLeak:
            return DiagnosisHelp::tr("Given when a deep reentry count was seen to go up several times and never down.");
        case DiagnosisKind::ChannelLeftOver:
            return DiagnosisHelp::tr(
                "Given when clients still listen for a lock that has been free for longer than any waiter sleeps.");
        case DiagnosisKind::FixedLease:
            return DiagnosisHelp::tr(
                "Given when the lock was seen to be taken, and its TTL has only fallen since, past the moment at which "
                "a watchdog would have renewed it. It is no fault.");
    }
    return {};
}

QString columnHelp(SynchronizerModel::Column column) {
    switch (column) {
        case SynchronizerModel::Name:
            return SynchronizerHelp::tr(
                "The key in Redis, as the program that uses it has named it. Bytes that are no text are shown "
                "escaped.");
        case SynchronizerModel::Kind:
            return SynchronizerHelp::tr(
                "By the channel that its waiters listen on; the key itself is a string of digits, whatever it is for. "
                "Not known: some wait as for a semaphore, others as for a latch.");
        case SynchronizerModel::Counter:
            return SynchronizerHelp::tr(
                "Of a semaphore the permits that are free, of a latch how often it must still be counted down. Without "
                "a key a latch is open, and a semaphore has no permits.");
        case SynchronizerModel::Leased:
            return SynchronizerHelp::tr(
                "Permits that were taken with a lease, and when the first of them runs out by the server's clock. "
                "Who has a permit of a plain semaphore is written nowhere.");
        case SynchronizerModel::Clients:
            return SynchronizerHelp::tr(
                "Client instances that listen for a permit or for the end of the count; threads of one client count "
                "once.");
        case SynchronizerModel::Since:
            return SynchronizerHelp::tr(
                "When it was first seen like this: with this number, these leases and so many waiting clients. They "
                "are read about every two seconds; what comes and goes in between is not seen.");
        case SynchronizerModel::ColumnCount:
            break;
    }
    return {};
}

QString counterHelp(monitor::CounterState state) {
    switch (state) {
        case monitor::CounterState::Read:
            return SynchronizerHelp::tr("The key holds this number.");
        case monitor::CounterState::Missing:
            return SynchronizerHelp::tr(
                "There is no key in this database: a semaphore has no permits, and a latch is open. Or they wait in "
                "another database of the server: the name of a channel does not contain the database.");
        case monitor::CounterState::NoCounter:
            return SynchronizerHelp::tr(
                "The key is of another type or holds no integer: something else uses this name.");
        case monitor::CounterState::NotReadable:
            return SynchronizerHelp::tr("The server does not let this user read the key.");
    }
    return {};
}

QString synchronizersHelp() {
    return SynchronizerHelp::tr(
        "Only those that somebody waits for are shown: the key of a semaphore or a latch is a string of digits like "
        "any other counter, and only its waiters show what it is.");
}

QString columnHelp(NodeModel::Column column) {
    switch (column) {
        case NodeModel::Address:
            return NodeHelp::tr(
                "A server, by the address that its Cluster or Sentinel announces, or by yours. Replicas are below their "
                "master.");
        case NodeModel::Role:
            return NodeHelp::tr("Locks are read on the master. A replica takes its place when it fails.");
        case NodeModel::State:
            return NodeHelp::tr(
                "Whether the node is watched. While it is not reached, its locks stay in the table as they were, and "
                "Lockkeeper tries again by itself.");
        case NodeModel::Replicas:
            return NodeHelp::tr(
                "How many replicas are connected to this master, and how many bytes of changes the slowest has not "
                "confirmed yet; of a replica, its own: a lock in them is lost when the master fails. Replicas confirm "
                "once a second, and Lockkeeper asks every ten seconds.");
        case NodeModel::Locks:
            return NodeHelp::tr(
                "The locks that are known on this node: held ones, and free ones until they are forgotten.");
        case NodeModel::Reads:
            return NodeHelp::tr(
                "Reads of locks in the last second, and the limit that is kept. Each node has its own.");
        case NodeModel::Version:
            return NodeHelp::tr("The version of Redis that the node runs. Empty: not known.");
        case NodeModel::ColumnCount:
            break;
    }
    return {};
}

QString nodesHelp() {
    return NodeHelp::tr(
        "The masters that are watched, and their replicas. In a Cluster, each master keeps the locks of its hash slots: "
        "Enter or a double click shows the locks of one node.");
}

}  // namespace lockkeeper::ui
