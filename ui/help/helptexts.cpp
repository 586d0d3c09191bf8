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

struct ClientHelp {
    Q_DECLARE_TR_FUNCTIONS(ClientHelp)
};

struct SynchronizerHelp {
    Q_DECLARE_TR_FUNCTIONS(SynchronizerHelp)
};

}  // namespace

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
                "force-release shows the same; one by this console has an event of its own, Forced. Spin locks, and fair "
                "locks without waiters, are released without a message: the event says so, because it may have been "
                "deleted instead. A fair lock's message in a Cluster goes to the next waiter alone: its release is "
                "inferred.");
        case monitor::EventType::Expired:
            return EventHelp::tr(
                "Expired: the key is gone without a message after its TTL had run out. The holder died, or worked "
                "longer than its lease.");
        case monitor::EventType::Deleted:
            return EventHelp::tr(
                "Deleted: the key is gone without a message while it had time left, although somebody waited for it, or "
                "its releases have a message: deleted by hand, evicted or flushed.");
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
        case monitor::EventType::Emptied:
            return EventHelp::tr(
                "No data any more: the server was connected again and has no key, so all its locks have ended: it was "
                "restarted without its data. The events of the locks follow.");
        case monitor::EventType::ThreadSeen:
            return EventHelp::tr(
                "Thread dump: a dump of the holder's JVM was read, and shows something about the thread of this holder.");
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
                "again after all of the waits had been seen. Only the queues of fair locks name who waits; for other locks, "
                "thread dumps show it.");
        case DiagnosisKind::HolderThreadEnded:
            return DiagnosisHelp::tr(
                "Given when a thread dump of the holder's JVM lacks the thread, although its number was given out before. "
                "Certain if the dump was taken during the hold, has all threads, and is of this client.");
        case DiagnosisKind::RenewalBroken:
            return DiagnosisHelp::tr(
                "Of a client: given when all renewals of its locks are overdue, and it was seen to acquire, reenter, "
                "release one of several holds or queue since, and has renewed nothing within two seconds of that.");
        case DiagnosisKind::ClientRenewsNothing:
            return DiagnosisHelp::tr(
                "Of a client: given when all renewals of its locks are overdue, and another client has renewed since: "
                "so the server takes renewals, and they are seen here. It is not given for a single client, or when all "
                "have stopped at once.");
        case DiagnosisKind::WatchdogStopped:
            return DiagnosisHelp::tr(
                "Given when renewals were seen and the next one is clearly late. A watchdog renews after each third "
                "of the lease, so a TTL well below two thirds means that it does not run any more.");
        case DiagnosisKind::NeverExpires:
            return DiagnosisHelp::tr(
                "Given when the lock is held, and Redis has said for a second that its key has no TTL.");
        case DiagnosisKind::NeverRenewed:
            return DiagnosisHelp::tr(
                "Given when the lock was taken with the lease of its client's watchdog, which is known from its other "
                "locks, and the first renewal is clearly late. Likely if earlier holds of this lock were renewed.");
        case DiagnosisKind::FairQueueStorm:
            return DiagnosisHelp::tr(
                "Given when the head of a free lock's queue is certainly dead, a waiter behind it listens, and the "
                "server is busy. Clients of Redisson then ask for the lock without a pause.");
        case DiagnosisKind::FairQueueBlocked:
            return DiagnosisHelp::tr(
                "Given when a fair lock is free, its queue is not empty, and the head of the queue has not taken it "
                "for seconds. Likely if that head does not listen on its channel, and certain if it has not listened "
                "on any server for ten seconds.");
        case DiagnosisKind::HeadWithoutDeadline:
            return DiagnosisHelp::tr(
                "Given when two reads, seconds apart, found the same head in a fair lock's queue, and all deadlines were "
                "read, and it has none.");
        case DiagnosisKind::TwoNames:
            return DiagnosisHelp::tr(
                "Given when two locks were held of which one has the other's name with its beginning once more, as "
                "\"app:app:orders\" beside \"app:orders\". Likely while different clients hold both.");
        case DiagnosisKind::LeaseCut:
            return DiagnosisHelp::tr(
                "Given when the TTL of a hold that nobody had renewed was cut to a shorter one, and is renewed to that "
                "since. Likely from the second renewal on.");
        case DiagnosisKind::WaitersAsleep:
            return DiagnosisHelp::tr(
                "Given when the lock has been free for seconds while clients still listen on its channel. A lock "
                "that expires or is deleted by hand publishes no message, so its waiters are not woken.");
        case DiagnosisKind::DeafWaiters:
            return DiagnosisHelp::tr(
                "Given when clients waited for the lock while its slot moved to another node of a Cluster, and nobody "
                "has subscribed at the new node for seconds. Redisson loses its subscription then.");
        case DiagnosisKind::PermitsUnclaimed:
            return DiagnosisHelp::tr(
                "Given when two reads in a row find the same number of free permits, and clients that wait for them. "
                "It is suspected only: a client may want more permits at once than are free.");
        case DiagnosisKind::PermitLeaseOver:
            return DiagnosisHelp::tr(
                "Given when the lease of a permit ended more than ten seconds ago by this machine's clock, and the "
                "permit is still counted as taken. Redisson gives it to the next client that asks.");
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
                "the server has fewer replicas than before, or all of them are silent. Likely if that happens more than "
                "once.");
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
                "Given when clients still listen for a lock that has been free for longer than any of them may sleep, by "
                "the TTLs that they may have read since they came. Not if one of them came before the lock was watched, "
                "or may have read that the lock never expires.");
        case DiagnosisKind::FixedLease:
            return DiagnosisHelp::tr(
                "Given when the lock was seen to be taken, and its TTL has only fallen since, past the moment at which "
                "a watchdog would have renewed it. It is no fault.");
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

QString clientsHelp() {
    return ClientHelp::tr(
        "A client is one instance of Redisson, usually one process, by the UUID that it creates at its start. It is known "
        "by the locks that it holds and the queues of fair locks that it is in; who waits for other locks is not written "
        "anywhere.");
}

QString synchronizersHelp() {
    return SynchronizerHelp::tr(
        "Those are shown that somebody waits for, that have permits with leases, or that the connection names "
        "(semaphores). The key of any other is a string of digits like any counter: nothing shows what it is.");
}

}  // namespace lockkeeper::ui
