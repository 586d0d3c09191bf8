// SPDX-License-Identifier: Apache-2.0
#include "ui/words/familytext.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockkeeper::ui {

using namespace monitor;

namespace {

struct FamilyText {
    Q_DECLARE_TR_FUNCTIONS(FamilyText)
};

// What the issues say about the version that is named, or that none is.
QString fixText(ErrorFamily family) {
    using enum ErrorFamily;
    switch (family) {
        case UnlockNotHeld:
            return FamilyText::tr(
                "The notes of Redisson 3.24.1 name a rare case in which the holder itself got this error as corrected. "
                "Reports continue for later versions, so most of these errors have their cause in the program.");
        case SubscriptionLock:
            return FamilyText::tr("A report for 3.23.1 was closed as corrected in 3.23.3.");
        case NodeUnknown:
        case TryAgain:
        case ClusterDown:
        case Loading:
        case Busy:
            return FamilyText::tr("Since Redisson 3.20.1 a lock repeats its command after this answer.");
        case ReplicasNotSynced:
            return FamilyText::tr(
                "Since Redisson 3.20.1 the command is repeated; 3.46.0 corrects how the available replicas are counted.");
        case WaitUnknown:
            return FamilyText::tr(
                "Redisson 3.26.1 names it as corrected for ElastiCache Serverless; the maintainer advises 3.47.0 or "
                "newer "
                "for proxies.");
        case MovedLoop:
            return FamilyText::tr("Since Redisson 3.24.2 it is reported only if both addresses are equal.");
        case ReadOnly:
            return FamilyText::tr(
                "Redisson 3.20.1 and 3.27.1 correct cases in which it was reported after a failover.");
        case MasterDown:
            return FamilyText::tr("Redisson 3.42.0 corrects how it is handled.");
        case RenewalNoEntry:
            return FamilyText::tr("It was reported for Redisson 3.45.0, and its issue was closed.");
        case RenewalScriptNil:
        case CrossSlotNullKey:
            return FamilyText::tr("A correction was merged in December 2025 (pull request 6883).");
        case CrossSlot:
            return FamilyText::tr(
                "Since Redisson 3.44 several locks are renewed by one script, which a proxy in front of a Cluster "
                "refuses. "
                "A correction for useSingleServer() was merged in May 2026 (pull request 7114); "
                "lockWatchdogBatchSize = 1 avoids it.");
        case FairLockNil:
            return FamilyText::tr(
                "A correction was merged in February 2025 (pull request 6434): clients since 3.45 do not fail, but "
                "such a "
                "waiter still blocks the queue.");
        case PoolCounter:
            return FamilyText::tr("One way into it was corrected in June 2026 (pull request 7206).");
        case RenewalFailed:
            return FamilyText::tr(
                "In issue 2515 (2020) a lock was not renewed any more after one failure. Since Redisson 3.44 one "
                "task renews all "
                "locks of a client, and continues after an error.");
        default:
            return {};
    }
}

}  // namespace

QString familyTitle(ErrorFamily family) {
    using enum ErrorFamily;
    switch (family) {
        case UnlockNotHeld:
            return FamilyText::tr("Unlock by a thread that does not hold the lock");
        case UnlockOtherThread:
            return FamilyText::tr("Unlock on another thread than the lock: reactive code or a coroutine");
        case NonReentrant:
            return FamilyText::tr("A non-reentrant lock that its holder takes again");
        case RenewalFailed:
            return FamilyText::tr("A renewal failed");
        case RenewalNoEntry:
            return FamilyText::tr("The watchdog has lost its entry of a lock");
        case RenewalScriptNil:
            return FamilyText::tr("The renewal's script has no key");
        case SubscribeTimeout:
            return FamilyText::tr("No answer to the subscription of a waiter");
        case SubscriptionLock:
            return FamilyText::tr("A waiter could not begin to subscribe");
        case SubscriptionConnections:
            return FamilyText::tr("Too few connections for subscriptions");
        case PoolExhausted:
            return FamilyText::tr("No connection left in the client's pool");
        case PoolCounter:
            return FamilyText::tr("The counter of the client's pool is out of its range");
        case CommandNotWritten:
            return FamilyText::tr("The command was not written to the connection");
        case ConnectionFailed:
            return FamilyText::tr("The client could not connect, or lost its connection");
        case ResponseTimeout:
            return FamilyText::tr("No answer of the server in time");
        case NodeUnknown:
            return FamilyText::tr("The client knows no node for the lock");
        case ReplicasNotSynced:
            return FamilyText::tr("Replicas have not confirmed the lock");
        case WaitUnknown:
            return FamilyText::tr("The server does not have WAIT");
        case WaitOnReplica:
            return FamilyText::tr("WAIT was sent to a replica");
        case TooFewReplicas:
            return FamilyText::tr("The server refuses writes for want of replicas");
        case FairLockNil:
            return FamilyText::tr("A fair lock's queue and deadlines do not match");
        case PermitNil:
            return FamilyText::tr("An expirable semaphore without its count");
        case ShutdownHeldCheck:
            return FamilyText::tr("The client had ended when it checked its lock");
        case ShutdownRenewal:
            return FamilyText::tr("The client had ended when its watchdog renewed");
        case ShutdownUnlock:
            return FamilyText::tr("The client had ended before the unlock");
        case ShutdownLock:
            return FamilyText::tr("The client had ended before it took the lock");
        case CrossSlot:
            return FamilyText::tr("Keys of one command in different slots");
        case CrossSlotNullKey:
            return FamilyText::tr("A renewal with a key that is null");
        case TryAgain:
            return FamilyText::tr("The lock's slot is being moved");
        case Moved:
            return FamilyText::tr("The lock's slot has moved");
        case MovedLoop:
            return FamilyText::tr("A node sends the client to itself");
        case ClusterDown:
            return FamilyText::tr("The Cluster does not serve the slot");
        case ReadOnly:
            return FamilyText::tr("The lock was sent to a replica");
        case MasterDown:
            return FamilyText::tr("A replica that has lost its master");
        case Loading:
            return FamilyText::tr("The server loads its data");
        case OutOfMemory:
            return FamilyText::tr("The server has no memory left");
        case NotPersisted:
            return FamilyText::tr("The server cannot write to its disk");
        case NoScript:
            return FamilyText::tr("The server does not know the lock's script");
        case NoPermission:
            return FamilyText::tr("The user has no right to the lock");
        case Busy:
            return FamilyText::tr("The server executes a slow script");
        case WrongType:
            return FamilyText::tr("The lock's name is used for another value");
        case EvalUnknown:
            return FamilyText::tr("The server has no scripts");
        case ProxyScript:
            return FamilyText::tr("A proxy refuses the lock's script");
        case ForeignKeys:
            return FamilyText::tr("A script may not use one of its keys here");
    }
    return {};
}

QString familyMeaning(ErrorFamily family) {
    using enum ErrorFamily;
    switch (family) {
        case UnlockNotHeld:
            return FamilyText::tr(
                "The thread named by the error released a lock that it did not hold at that moment. Often it never "
                "got the lock: tryLock() returned false, and unlock() stands in finally. Or its lease had ended "
                "while it worked, the lock was released twice, by force or lost in a failover, or the unlock ran on "
                "another thread than the lock.");
        case UnlockOtherThread:
            return FamilyText::tr(
                "Redisson knows a holder by the id of its client and a thread number. The unlock probably came with "
                "another number than the lock: in reactive code and coroutines threads change between the two, so "
                "this number may be none of a Java thread that you could find in a thread dump. A lease that has "
                "ended, and a lock that was never taken, have the same message.");
        case NonReentrant:
            return FamilyText::tr(
                "The thread already holds this lock and called lock() again, which this kind of lock does not allow. "
                "Nothing has changed: the first hold continues.");
        case RenewalFailed:
            return FamilyText::tr(
                "The watchdog of the client could not renew the lease of this lock. If it is not renewed later, the "
                "lock expires while its holder still works, and another client gets it. After \"Can't update lock "
                "NAME\", the message before Redisson 3.44, this hold is not renewed any more; after \"Can't update "
                "locks [NAMES]\" the client tries again.");
        case RenewalNoEntry:
            return FamilyText::tr(
                "The watchdog's task met a lock for which it no longer had an entry, and its run ended. Other locks "
                "of the "
                "same client may then not be renewed either.");
        case RenewalScriptNil:
            return FamilyText::tr(
                "The script that renews read locks expected a key that was missing. None of the locks of that run was "
                "renewed.");
        case SubscribeTimeout:
            return FamilyText::tr(
                "A waiter subscribes to the lock's channel, and the answer did not come in time. The call of lock() or "
                "tryLock() failed; the lock itself is not touched.");
        case SubscriptionLock:
            return FamilyText::tr(
                "Inside the client, subscriptions to similar channels wait for each other, and this one did not get "
                "its turn. "
                "The call of lock() or tryLock() failed; the lock itself is not touched.");
        case SubscriptionConnections:
            return FamilyText::tr(
                "Each lock that is waited for takes a place on a connection for subscriptions, and all places are taken. "
                "Further waiters fail until others have the lock or give up.");
        case PoolExhausted:
            return FamilyText::tr(
                "All connections of the client were busy, or no new one could be opened, so the command was never "
                "sent. Renewals use the same pool: while that lasts, held locks may expire.");
        case PoolCounter:
            return FamilyText::tr(
                "The client's counter of free connections is negative or above its limit, so it believes that none "
                "is free. "
                "It does not recover by itself, and its renewals fail, too.");
        case CommandNotWritten:
            return FamilyText::tr(
                "The command waited in the client and was not written to the connection in time. The server has not "
                "executed "
                "it, unless an earlier attempt was sent.");
        case ConnectionFailed:
            return FamilyText::tr(
                "The client had no connection to the server when it worked on the lock. Locks that it holds are not "
                "renewed "
                "until it is connected again, and expire after their lease.");
        case ResponseTimeout:
            return FamilyText::tr(
                "The command was sent, and no answer came in time. The server may have executed it: an acquire may "
                "have left "
                "the lock held, and an unlock may have succeeded.");
        case NodeUnknown:
            return FamilyText::tr(
                "In the client's map of the Cluster no node serves the slot of this lock. The command was not sent.");
        case ReplicasNotSynced:
            return FamilyText::tr(
                "The server executed the command, and too few replicas confirmed it in time. Redisson reports an "
                "error then, "
                "and takes an acquire back; the error of an unlock or a renewal does not say that it failed.");
        case WaitUnknown:
            return FamilyText::tr(
                "Redisson waits for replicas with WAIT or WAITAOF, which this server or proxy does not have. Each "
                "acquire "
                "fails, although the lock's script was executed before.");
        case WaitOnReplica:
            return FamilyText::tr(
                "The command went to a node that is a replica now, so WAIT is not possible there. It is usual for a "
                "short "
                "time after a failover.");
        case TooFewReplicas:
            return FamilyText::tr(
                "min-replicas-to-write is set, and fewer good replicas are connected. Nothing was written: no lock "
                "can be "
                "taken, renewed or released meanwhile.");
        case FairLockNil:
            return FamilyText::tr(
                "In the queue of this fair lock stands a waiter without a deadline, and the script of the client "
                "fails at it. "
                "Every client of the affected versions fails so until that waiter is gone.");
        case PermitNil:
            return FamilyText::tr(
                "The semaphore has no count of permits, so its script compares with nothing. It was never set, or "
                "its key was "
                "deleted or has expired.");
        case ShutdownHeldCheck:
            return FamilyText::tr(
                "The program checked whether it holds the lock after its Redisson client was shut down. The unlock "
                "behind the "
                "check was not executed, so the lock is held until its lease ends.");
        case ShutdownRenewal:
            return FamilyText::tr(
                "The watchdog ran once more after the client was shut down. Its locks are not renewed any more and "
                "expire, "
                "unless they were released before.");
        case ShutdownUnlock:
            return FamilyText::tr(
                "The program released the lock after its Redisson client was shut down. Nothing was sent, so the "
                "lock is held "
                "until its lease ends.");
        case ShutdownLock:
            return FamilyText::tr("The program used a lock after its Redisson client was shut down. Nothing was sent.");
        case CrossSlot:
            return FamilyText::tr(
                "One script had keys of several slots, which a Cluster or a proxy in front of one refuses. If it was a "
                "renewal of several locks, none of them was renewed.");
        case CrossSlotNullKey:
            return FamilyText::tr(
                "The watchdog sent a key that is the word null, because the thread that read had just released its "
                "lock. The whole run failed, so other locks of that run were not renewed either.");
        case TryAgain:
            return FamilyText::tr(
                "The keys of this lock are on two nodes while their slot moves. It ends with the move.");
        case Moved:
            return FamilyText::tr(
                "The slot of this lock is served by another node, and the client did not follow. Its map of the "
                "Cluster is "
                "old, or it is connected as to a single server.");
        case MovedLoop:
            return FamilyText::tr(
                "The node that answers MOVED names its own address. The client has another address for it, or an "
                "old map, "
                "and the command was not executed: a renewal that fails so lets the lock expire.");
        case ClusterDown:
            return FamilyText::tr(
                "The node does not serve the slot because the Cluster is down or the slot has no master. Nothing was "
                "executed.");
        case ReadOnly:
            return FamilyText::tr(
                "The client sent a write to a replica, which is usual just after a failover. Nothing was executed; "
                "a master "
                "that lost writes may show the lock as free although somebody works under it.");
        case MasterDown:
            return FamilyText::tr(
                "The node is a replica that is not connected to its master and does not answer with old data. "
                "Nothing was "
                "executed.");
        case Loading:
            return FamilyText::tr(
                "The server has just started and reads its data. Locks are as they were saved, with leases that may have "
                "ended.");
        case OutOfMemory:
            return FamilyText::tr(
                "maxmemory is reached, and the server refuses what may need memory. Acquires and releases fail; "
                "renewals go on. A lock whose unlock failed stays until its lease ends.");
        case NotPersisted:
            return FamilyText::tr(
                "The server could not save its data and therefore refuses all writes (MISCONF). Locks can be "
                "neither taken "
                "nor renewed nor released.");
        case NoScript:
            return FamilyText::tr(
                "The client named a script by its hash, and the server does not have it: it was restarted, "
                "promoted, or its "
                "scripts were flushed. The client loads it and sends it again; nothing was executed before.");
        case NoPermission:
            return FamilyText::tr(
                "The ACL of the server refuses a command, a key or a channel to this user. A single command was not "
                "executed. Of a script, what stands before the refused command was: an unlock without the right to "
                "publish has deleted its lock, and woken nobody.");
        case Busy:
            return FamilyText::tr(
                "A script has been running for longer than the server allows, and it answers nothing else. Renewals fail "
                "meanwhile, and leases may end.");
        case WrongType:
            return FamilyText::tr(
                "The key with the lock's name holds another value than a lock. Another object, or another program, "
                "uses the same name.");
        case EvalUnknown:
            return FamilyText::tr(
                "Each lock of Redisson is a script, and this server or proxy has no EVAL. No lock can be taken there.");
        case ProxyScript:
            return FamilyText::tr(
                "The service checks scripts before it executes them, and refuses this one. It was not executed.");
        case ForeignKeys:
            return FamilyText::tr(
                "The node that executed the script does not have one of its keys, or the service wants all keys to be "
                "declared. The lock's operation failed.");
    }
    return {};
}

QString familyAdvice(ErrorFamily family) {
    using enum ErrorFamily;
    switch (family) {
        case UnlockNotHeld:
            return FamilyText::tr(
                "Was the result of tryLock() checked? If so, see in the history how the thread's holds ended. If "
                "one expired: was a lease given that is shorter than the work, or was it not renewed? If another "
                "thread of the client held a lock: unlock on the thread that locked.");
        case UnlockOtherThread:
            return FamilyText::tr(
                "Pass the same number to lock(threadId) and unlock(threadId), any number that is unique in this "
                "client. Until then such a lock stays held until its lease ends, and one without a lease is renewed "
                "as long as its client lives.");
        case NonReentrant:
            return FamilyText::tr("Find the second call in the stack trace, or use the reentrant lock.");
        case RenewalFailed:
            return FamilyText::tr(
                "Read the lock now: who holds it, and does its TTL still reach its lease? The cause below the "
                "message says "
                "what to correct.");
        case RenewalNoEntry:
        case RenewalScriptNil:
        case CrossSlotNullKey:
            return FamilyText::tr(
                "Update Redisson. Check whether locks of this client are renewed: lockkeeper list URL --clients.");
        case SubscribeTimeout:
        case SubscriptionLock:
            return FamilyText::tr(
                "Count what the client subscribes to: PUBSUB CHANNELS redisson_lock__channel:* shows the locks that "
                "are waited "
                "for. Then raise subscriptionTimeout, subscriptionsPerConnection or subscriptionConnectionPoolSize.");
        case SubscriptionConnections:
            return FamilyText::tr(
                "The product of subscriptionsPerConnection and subscriptionConnectionPoolSize must be above the "
                "number of "
                "locks that one client waits for at once. Local caches and topics take places, too.");
        case PoolExhausted:
            return FamilyText::tr(
                "Find out what occupies the connections: slow commands (SLOWLOG), blocking queues, or too small a "
                "pool. Check "
                "whether locks of this client expired meanwhile.");
        case PoolCounter:
            return FamilyText::tr("Restart the client, and update Redisson.");
        case CommandNotWritten:
            return FamilyText::tr(
                "Check whether the client's netty threads are blocked or its CPU is busy, and its network. Then raise "
                "nettyThreads.");
        case ConnectionFailed:
            return FamilyText::tr(
                "Check address, port and network, and whether the server was restarted. lockkeeper check URL says "
                "whether it "
                "answers.");
        case ResponseTimeout:
            return FamilyText::tr(
                "Read the lock now: if this holder has it, the acquire was executed although the program believes "
                "that it "
                "failed. Then check the server's SLOWLOG and the load of the client.");
        case NodeUnknown:
            return FamilyText::tr(
                "Check with CLUSTER SHARDS that every slot has a master, and which addresses are announced.");
        case ReplicasNotSynced:
            return FamilyText::tr(
                "Check INFO replication: how many replicas are connected, and their lag. Then raise "
                "slavesSyncTimeout, or set "
                "checkLockSyncedSlaves = false and accept that a failover may lose a lock.");
        case WaitUnknown:
            return FamilyText::tr(
                "lockkeeper check URL says what this server lacks. Update Redisson, or ask the vendor for WAIT.");
        case WaitOnReplica:
        case ReadOnly:
        case MasterDown:
            return FamilyText::tr(
                "Check which node is the master (INFO replication, SENTINEL masters), and whether the client has "
                "it. After a "
                "failover check each lock that was held: two may work under it.");
        case TooFewReplicas:
            return FamilyText::tr("Check INFO replication and min-replicas-to-write. lockkeeper check URL names both.");
        case FairLockNil:
            return FamilyText::tr(
                "Show the lock: its queue has a waiter without a deadline, which lockkeeper force-release URL NAME "
                "--waiter "
                "UUID:THREAD removes once it is dead. Update Redisson.");
        case PermitNil:
            return FamilyText::tr(
                "Set its permits once, with trySetPermits() or lockkeeper semaphore URL NAME set N --expirable.");
        case ShutdownHeldCheck:
        case ShutdownUnlock:
            return FamilyText::tr(
                "End the work and release locks before the client is shut down. The lock is free when its lease has "
                "ended; "
                "until then lockkeeper list URL shows it.");
        case ShutdownRenewal:
            return FamilyText::tr("Nothing, if the program was meant to end. Else find who calls shutdown().");
        case ShutdownLock:
            return FamilyText::tr("Find who calls shutdown(), and end the threads that use locks before.");
        case CrossSlot:
            return FamilyText::tr(
                "If a proxy hides a Cluster, set lockWatchdogBatchSize = 1 or use useClusterServers(). If it is one "
                "lock, check "
                "its NameMapper and the braces in its name. lockkeeper check URL reports slots behind a proxy.");
        case TryAgain:
            return FamilyText::tr("Wait for the end of the move (CLUSTER SHARDS), and call again.");
        case Moved:
        case MovedLoop:
            return FamilyText::tr(
                "Compare the addresses that CLUSTER SHARDS announces with those that the client was given; behind "
                "NAT it needs "
                "a natMapper. A Cluster needs useClusterServers().");
        case ClusterDown:
            return FamilyText::tr("Check CLUSTER INFO: cluster_state, and slots without a master.");
        case Loading:
            return FamilyText::tr(
                "Wait until INFO persistence says loading:0. Then check which locks expired meanwhile.");
        case OutOfMemory:
            return FamilyText::tr(
                "Check INFO memory, maxmemory and maxmemory-policy: a policy other than noeviction may delete held "
                "locks.");
        case NotPersisted:
            return FamilyText::tr(
                "Free space on the disk of the server, and check INFO persistence: rdb_last_bgsave_status.");
        case NoScript:
            return FamilyText::tr(
                "Once is harmless. If it climbs in INFO errorstats, no renewal may get through: load the scripts on "
                "that node.");
        case NoPermission:
            return FamilyText::tr(
                "Run lockkeeper check URL as the user of the application: it lists what is refused. ACL LOG on the "
                "server names "
                "the command and the key.");
        case Busy:
            return FamilyText::tr("Find the script in SLOWLOG; SCRIPT KILL ends one that has not written yet.");
        case WrongType:
            return FamilyText::tr("TYPE NAME on the server says what the key is. Give the lock a name of its own.");
        case EvalUnknown:
        case ProxyScript:
        case ForeignKeys:
            return FamilyText::tr(
                "lockkeeper check URL says what this service refuses. Use a server that executes Redisson's "
                "scripts, or switch "
                "the check of scripts off if the vendor allows that.");
    }
    return {};
}

QString seriousnessText(Seriousness seriousness) {
    switch (seriousness) {
        case Seriousness::LockMayBeLost:
            return FamilyText::tr("Serious: two may work under one lock, or a lock stays held by nobody.");
        case Seriousness::CallFailed:
            return FamilyText::tr("The call failed: work may not have been done, but no lock is lost by it.");
        case Seriousness::Passing:
            return FamilyText::tr("Harmless if it does not recur.");
    }
    return {};
}

QString knownText(ErrorFamily family) {
    QStringList issues;
    for (const int issue : knownAbout(family).issues)
        issues << QString::number(issue);
    const QString known = issues.isEmpty()
                              ? QString()
                              : FamilyText::tr("Known in redisson/redisson: %1.").arg(issues.join(QLatin1String(", ")));
    const QString fix = fixText(family);
    return known.isEmpty() || fix.isEmpty() ? known + fix : known + u' ' + fix;
}

}  // namespace lockkeeper::ui
