// SPDX-License-Identifier: Apache-2.0
#include "ui/words/diagnosistext.h"

#include "ui/words/clienttext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

using namespace monitor;

namespace {

struct DiagnosisText {
    Q_DECLARE_TR_FUNCTIONS(DiagnosisText)
};

constexpr qsizetype namedLocks = 5;

// Rounds the lease: a read comes a little later than the change that it finds, and leases are not set to the
// millisecond.
QString leaseText(Milliseconds lease) {
    constexpr int step = 100;
    return durationText(Milliseconds((lease.count() + step / 2) / step * step));
}

// One sentence for each kind of evidence.
class Sentence {
public:
    Sentence(const WriteTime& clock, const HolderAliases& aliases) : m_clock(clock), m_aliases(aliases) {}

    QString operator()(const PossibleDoubleHolder& found) const {
        if (found.newMaster)
            return DiagnosisText::
                tr("%1 held it until %2 at least, by its lease as last seen. After %3 without a connection another server "
                   "is the master, %4, and another client holds the lock. A release in between was not seen.")
                    .arg(who(found.earlier), clock(found.earlierEnds), durationText(found.gap),
                         plainName(LockName(*found.newMaster), shortName));
        return DiagnosisText::
            tr("%1 held it until %2 at least, by its lease as last seen. After %3 without a connection the server's "
               "role is %4, and another client holds the lock. A release in between was not seen.")
                .arg(who(found.earlier), clock(found.earlierEnds), durationText(found.gap),
                     plainName(LockName(found.serverRole), shortName));
    }
    QString operator()(const Deadlock& found) const {
        const QString lock = plainName(found.waitsFor, shortName);
        if (found.holders == 1)
            return DiagnosisText::tr("Its holder, %1, waits for %2, which it holds itself.")
                .arg(who(found.holder), lock);
        if (found.byThreads)
            return DiagnosisText::
                tr("Its holder, %1, waits for a lock, and %2, which %3 holds, is the only one that it can be. Holders that "
                   "wait for each other in a circle: %4. By thread dumps up to %5.")
                    .arg(who(found.holder), lock, who(found.heldBy), numberText(found.holders), clock(found.provenAt));
        return DiagnosisText::
            tr("Its holder, %1, waits for %2, which %3 holds. Holders that wait for each other in a circle: %4. Seen "
               "in reads up to %5.")
                .arg(who(found.holder), lock, who(found.heldBy), numberText(found.holders), clock(found.provenAt));
    }
    QString operator()(const HolderThreadEnded& found) const {
        const QString dump =
            found.dumpAt ? DiagnosisText::tr(
                               "The thread dump of %1 does not have the thread of %2, and has threads up to "
                               "number %3: the thread has ended.")
                               .arg(clock(*found.dumpAt), who(found.holder), QString::number(found.newestThread))
                         : DiagnosisText::tr(
                               "The thread dump does not have the thread of %1, and has threads up to number %2: "
                               "the thread has ended.")
                               .arg(who(found.holder), QString::number(found.newestThread));
        QStringList sentences{dump};
        if (!found.isClientSure)
            sentences << DiagnosisText::tr("But little shows that the dump is of this client.");
        if (!found.hasAllThreads)
            sentences << DiagnosisText::tr("But such a dump may lack threads: virtual ones, or it was cut.");
        if (!found.isDuringHold)
            sentences << DiagnosisText::tr("But it is not known whether the dump was taken during this hold.");
        return sentencesText(sentences);
    }
    QString operator()(const RenewalBroken& found) const {
        return sentencesText(
            {stopped(found.stopped),
             DiagnosisText::tr("It still lives: %1 at %2.").arg(signText(found.sign), clock(found.sign.at))});
    }
    QString operator()(const ClientRenewsNothing& found) const {
        return sentencesText(
            {stopped(found.stopped),
             DiagnosisText::tr("Other clients go on: one renewed at %1.").arg(clock(found.othersRenewed))});
    }
    QString operator()(const WatchdogStopped& found) const {
        return DiagnosisText::tr(
                   "Renewed %Ln time(s) to %1, the last time at %2; the next renewal was due after a third of that. "
                   "Unless it is renewed, it expires at %3.",
                   nullptr, static_cast<int>(found.renewals))
            .arg(leaseText(found.lease), clock(found.lastRenewal), clock(found.endsAt));
    }
    QString operator()(const NeverRenewed& found) const {
        const QString lease =
            found.beginSeen ? DiagnosisText::tr(
                                  "Acquired at %1 for %2, the lease of a watchdog, and not renewed since. It expires "
                                  "at %3.")
                                  .arg(clock(found.heldSince), leaseText(found.lease), clock(found.endsAt))
                            : DiagnosisText::tr(
                                  "Seen at %1 with a lease of %2, as a watchdog gives it, and not renewed since. It "
                                  "expires at %3.")
                                  .arg(clock(found.heldSince), leaseText(found.lease), clock(found.endsAt));
        const QString left = found.withoutReplica
                                 ? DiagnosisText::tr(
                                       "No replica answers: lockAndGetToken() fails then, and leaves the "
                                       "lock held without a watchdog.")
                                 : QString();
        return sentencesText({lease, left});
    }
    QString operator()(const NeverExpires& found) const {
        return DiagnosisText::tr("It has no TTL, and has been held since %1 or longer.").arg(clock(found.heldSince));
    }
    QString operator()(const FairQueueStorm& found) const {
        const QString storm =
            DiagnosisText::tr(
                "Free since %1, and the head of the queue, %2, does not listen. Waiters behind it that ask for the "
                "lock again and again: %3.")
                .arg(clock(found.freeSince), who(found.head), numberText(found.awake));
        const QString rate = found.commandsPerSecond
                                 ? DiagnosisText::tr("The server executes %1 commands a second in all.")
                                       .arg(numberText(*found.commandsPerSecond))
                                 : DiagnosisText::tr("How busy the server is, is not known.");
        const QString end = found.deadline
                                ? DiagnosisText::tr("The head keeps its place until %1 by the server's clock.")
                                      .arg(clock(*found.deadline))
                                : QString();
        return sentencesText(end.isEmpty() ? QStringList{storm, rate} : QStringList{storm, rate, end});
    }
    QString operator()(const FairQueueBlocked& found) const {
        const QString free = clock(found.freeSince);
        const QString queued = numberText(found.queued);
        if (!found.deadline)
            return DiagnosisText::tr(
                       "Free since %1, and the head of the queue, %2, does not take it. How long its place is kept is "
                       "not known. Queued: %3.")
                .arg(free, who(found.head), queued);
        return DiagnosisText::tr(
                   "Free since %1, and the head of the queue, %2, does not take it. Its place is kept until %3 by the "
                   "server's clock. Queued: %4.")
            .arg(free, who(found.head), clock(*found.deadline), queued);
    }
    QString operator()(const WaitersAsleep& found) const {
        const QString text =
            DiagnosisText::tr("Free since %1, and nobody has acquired it. Clients that wait for its release: %2.")
                .arg(clock(found.freeSince), numberText(found.clients));
        if (!found.holdSeen)
            return sentencesText({text, DiagnosisText::tr("It was never seen held here: they may wait for a lock of "
                                                          "this name in another database of the server, whose "
                                                          "channels are the same.")});
        if (found.noEnd)
            return sentencesText({text, DiagnosisText::tr("The lock had no TTL while they waited: they may sleep until "
                                                          "somebody wakes them.")});
        if (found.wakeBy)
            return sentencesText({text, DiagnosisText::tr("All of them try again by %1.").arg(clock(*found.wakeBy))});
        return text;
    }
    QString operator()(const DeafWaiters& found) const {
        return DiagnosisText::tr(
                   "Clients that waited when its slot moved from %1 to %2, at %3 or shortly before: %4. None of them "
                   "has subscribed at the new node.")
            .arg(node(found.earlierNode), node(found.node), clock(found.movedAt), numberText(found.clients));
    }
    QString operator()(const HeadWithoutDeadline& found) const {
        return DiagnosisText::tr("%1 is the head of the queue, and has had no deadline since %2. Queued in all: %3.")
            .arg(who(found.head), clock(found.since), numberText(found.queued));
    }
    QString operator()(const TwoNames& found) const {
        const QString names =
            DiagnosisText::tr("There is also the lock %1: the longer name has the beginning %2 twice.")
                .arg(plainName(found.other, shortName), plainName(LockName(found.prefix), shortName));
        return found.heldAtOnce ? sentencesText({names, DiagnosisText::tr("Both are held, by different clients.")})
                                : names;
    }
    QString operator()(const LeaseCut& found) const {
        return DiagnosisText::tr(
                   "%1 had it for %2. At %3 its TTL was cut to %4, and it was renewed to that %Ln time(s) since, the "
                   "last time at %5.",
                   nullptr, static_cast<int>(found.renewals))
            .arg(who(found.holder), leaseText(found.lease), clock(found.cutAt), leaseText(found.cutTo),
                 clock(found.lastRenewal));
    }
    QString operator()(const PermitsUnclaimed& found) const {
        return sentencesText(
            {DiagnosisText::tr("Free permits since %1 or longer: %2. Clients that wait meanwhile: %3.")
                 .arg(clock(found.since), numberText(found.free), numberText(found.clients)),
             DiagnosisText::tr("Either a wake-up was lost, or they want more permits at once than are free.")});
    }
    QString operator()(const PermitLeaseOver& found) const {
        const QString over =
            DiagnosisText::tr(
                "The lease of permit %1 ended at %2, and nobody has taken the permit "
                "back. Permits whose leases are over: %3.")
                .arg(QString::fromLatin1(found.permit), clock(found.endedAt), numberText(found.permits));
        if (found.clients == 0)
            return over;
        return sentencesText({over, DiagnosisText::tr("Clients that wait meanwhile: %1. Each sleeps until the end of "
                                                      "the lease that it has read.")
                                        .arg(numberText(found.clients))});
    }
    QString operator()(const FairWaiterDropped& found) const {
        return DiagnosisText::tr("%1 has waited for its turn since %2, but is not in the queue.")
            .arg(who(found.waiter), clock(found.since));
    }
    QString operator()(const ReaderCutShort& found) const {
        const QString ends = DiagnosisText::tr("The lease of %1 lasts until %2, but the lock expires at %3.")
                                 .arg(who(found.reader), clock(found.leaseEnds), clock(found.lockEnds));
        if (!found.shortenedBy)
            return ends;
        return sentencesText(
            {ends, DiagnosisText::tr("The renewals of %1 have shortened it.").arg(who(*found.shortenedBy))});
    }
    QString operator()(const ZombieReader& found) const {
        if (found.holds == 0)
            return DiagnosisText::tr("Since %3 there are timeout keys of %1 (%2), but it is no reader of this lock.")
                .arg(who(found.reader), numberText(found.keys), clock(found.since));
        return DiagnosisText::
            tr("%1 is counted as a reader (count %2), but the leases of all its holds are over: none of its timeout "
               "keys has existed since %3. Other readers keep the lock held.")
                .arg(who(found.reader), numberText(found.holds), clock(found.since));
    }
    QString operator()(const LeaseRanOut& found) const {
        return DiagnosisText::tr("%1 acquired it at %2 for %3. It expired at %4 without a release.")
            .arg(who(found.holder), clock(found.heldSince), leaseText(found.lease), clock(found.endedAt));
    }
    QString operator()(const AcquireTakenBack& found) const {
        const QString taken = DiagnosisText::tr(
                                  "%1 has released it about a second after it had acquired it, and acquired it again: "
                                  "%Ln time(s), the last time at %2.",
                                  nullptr, found.times)
                                  .arg(who(found.holder), clock(found.last));
        const QString replicas = DiagnosisText::tr("Replicas connected to the server: %1, before: %2.")
                                     .arg(numberText(found.replicas), numberText(found.earlierReplicas));
        const QString silent =
            found.silentReplicas
                ? DiagnosisText::tr("Of these do not answer: %1.").arg(numberText(*found.silentReplicas))
                : QString();
        return sentencesText({taken, replicas, silent});
    }
    QString operator()(const UnlockFromOtherThread& found) const {
        const QString failed =
            found.failedAt
                ? DiagnosisText::tr("The unlock by thread %1 failed at %2.")
                      .arg(thread(found.caller), clock(*found.failedAt))
                : DiagnosisText::tr("The unlock by thread %1 failed; when is not known.").arg(thread(found.caller));
        const QString held = found.heldUntil
                                 ? DiagnosisText::tr("Thread %1 of the same client held it from %2 to %3.")
                                       .arg(thread(found.holder), clock(found.heldSince), clock(*found.heldUntil))
                                 : DiagnosisText::tr("Thread %1 of the same client has held it since %2 or longer.")
                                       .arg(thread(found.holder), clock(found.heldSince));
        return sentencesText({failed, held});
    }
    QString operator()(const SuspectedOrphan& found) const {
        const QString held = DiagnosisText::tr("Held since %1 or longer, and renewed %Ln time(s).", nullptr,
                                               static_cast<int>(found.renewals))
                                 .arg(clock(found.heldSince));
        const QString usual = DiagnosisText::tr("Half of the last %Ln hold(s) took less than %1.", nullptr,
                                                static_cast<int>(found.holdsSeen))
                                  .arg(durationText(found.usualHold));
        return sentencesText({held, usual});
    }
    QString operator()(const ReentryLeak& found) const {
        return DiagnosisText::tr("The reentry count is %1. Since %2 it went up %Ln time(s), and never down.", nullptr,
                                 static_cast<int>(found.stepsUp))
            .arg(numberText(found.count), clock(found.heldSince));
    }
    QString operator()(const ChannelLeftOver& found) const {
        return DiagnosisText::tr(
                   "Free since %1, but clients still listen on its channel: %2. A waiter sleeps for at most %3.")
            .arg(clock(found.freeSince), numberText(found.clients), leaseText(found.longestSleep));
    }
    QString operator()(const FixedLease& found) const {
        return DiagnosisText::tr("Acquired at %1 for %2, and not renewed since. It expires at %3.")
            .arg(clock(found.heldSince), leaseText(found.lease), clock(found.endsAt));
    }

private:
    [[nodiscard]] QString clock(WallTime time) const { return m_clock(time); }
    [[nodiscard]] QString who(const HolderId& id) const { return m_aliases.fullDisplay(id); }
    [[nodiscard]] QString stopped(const StoppedLocks& found) const {
        QStringList names;
        for (const LockName& name : found.locks.first(std::min(namedLocks, found.locks.size())))
            names << plainName(name, shortName);
        if (found.count > names.size())
            names << DiagnosisText::tr("%Ln more", "locks", static_cast<int>(found.count - names.size()));
        return sentencesText({DiagnosisText::tr("%1 has renewed none of its %Ln lock(s) since %2.", nullptr,
                                                static_cast<int>(found.count))
                                  .arg(m_aliases.fullDisplay(found.client), clock(found.lastRenewal)),
                              (found.count == 1 ? DiagnosisText::tr("It is %1, and expires at %2.")
                                                : DiagnosisText::tr("They are %1; the first expires at %2."))
                                  .arg(listText(names), clock(found.firstEnds))});
    }
    [[nodiscard]] static QString node(const QByteArray& address) { return plainName(LockName(address), shortName); }
    [[nodiscard]] static QString thread(const HolderId& id) {
        return QString::number(static_cast<qint64>(id.thread()));
    }

    const WriteTime& m_clock;
    const HolderAliases& m_aliases;
};

}  // namespace

QString diagnosisTitle(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return DiagnosisText::tr("Two holders after a failover");
        case DiagnosisKind::Deadlock:
            return DiagnosisText::tr("Deadlock");
        case DiagnosisKind::HolderThreadEnded:
            return DiagnosisText::tr("The holder's thread has ended");
        case DiagnosisKind::RenewalBroken:
            return DiagnosisText::tr("Renewal broken in a living client");
        case DiagnosisKind::ClientRenewsNothing:
            return DiagnosisText::tr("Client renews nothing");
        case DiagnosisKind::WatchdogStopped:
            return DiagnosisText::tr("Watchdog stopped");
        case DiagnosisKind::NeverRenewed:
            return DiagnosisText::tr("Never renewed");
        case DiagnosisKind::NeverExpires:
            return DiagnosisText::tr("Never expires");
        case DiagnosisKind::FairQueueStorm:
            return DiagnosisText::tr("Storm behind a dead head");
        case DiagnosisKind::FairQueueBlocked:
            return DiagnosisText::tr("Queue blocked by its head");
        case DiagnosisKind::HeadWithoutDeadline:
            return DiagnosisText::tr("Head without a deadline");
        case DiagnosisKind::TwoNames:
            return DiagnosisText::tr("One lock under two names");
        case DiagnosisKind::LeaseCut:
            return DiagnosisText::tr("Lease cut, and without end");
        case DiagnosisKind::WaitersAsleep:
            return DiagnosisText::tr("Free, and waiters asleep");
        case DiagnosisKind::DeafWaiters:
            return DiagnosisText::tr("Deaf waiters after a move");
        case DiagnosisKind::PermitsUnclaimed:
            return DiagnosisText::tr("Permits free, and clients wait");
        case DiagnosisKind::PermitLeaseOver:
            return DiagnosisText::tr("Permit with a lease that is over");
        case DiagnosisKind::FairWaiterDropped:
            return DiagnosisText::tr("Waiter fell out of the queue");
        case DiagnosisKind::ReaderCutShort:
            return DiagnosisText::tr("Reader cut short");
        case DiagnosisKind::ZombieReader:
            return DiagnosisText::tr("Zombie reader");
        case DiagnosisKind::LeaseRanOut:
            return DiagnosisText::tr("Lease ran out under its worker");
        case DiagnosisKind::AcquireTakenBack:
            return DiagnosisText::tr("Acquire undone");
        case DiagnosisKind::UnlockFromOtherThread:
            return DiagnosisText::tr("Unlocked from another thread");
        case DiagnosisKind::SuspectedOrphan:
            return DiagnosisText::tr("Held far beyond the usual");
        case DiagnosisKind::ReentryLeak:
            return DiagnosisText::tr("Reentry leak");
        case DiagnosisKind::ChannelLeftOver:
            return DiagnosisText::tr("Listeners left over");
        case DiagnosisKind::FixedLease:
            return DiagnosisText::tr("Fixed lease");
    }
    return {};
}

QString certaintyText(Certainty certainty) {
    switch (certainty) {
        case Certainty::Certain:
            return DiagnosisText::tr("certain");
        case Certainty::Likely:
            return DiagnosisText::tr("likely");
        case Certainty::Suspected:
            return DiagnosisText::tr("suspected");
    }
    return {};
}

QString evidenceText(const Evidence& evidence, WallTime now, const HolderAliases& aliases) {
    return evidenceText(
        evidence, [now](WallTime at) { return clockText(at, now); }, aliases);
}

QString evidenceText(const Evidence& evidence, const WriteTime& clock, const HolderAliases& aliases) {
    return std::visit(Sentence(clock, aliases), evidence);
}

QString adviceText(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return DiagnosisText::tr(
                "Ask the owners of both whether they work at once; what they guard may have been written twice.");
        case DiagnosisKind::Deadlock:
            return DiagnosisText::tr(
                "None of them goes on while all wait. A waiter with a time limit ends it, or a lease that runs out; a "
                "watchdog renews for ever. \"Who waits for whom\" shows the whole circle. Restart one of the clients, "
                "and let all acquire these locks in the same order.");
        case DiagnosisKind::HolderThreadEnded:
            return DiagnosisText::tr(
                "Nobody will release it, and a watchdog renews it for as long as its client lives: then waiting does not help. "
                "If it is certain, nobody works under the lock any more: force-release it. If not, take another dump first. "
                "In the program, search for a lock() whose unlock() is not in a finally block.");
        case DiagnosisKind::RenewalBroken:
            return DiagnosisText::tr(
                "Its work goes on, and its locks end under it: others may acquire them while it works. Restart this client, "
                "after its present work if that ends before the leases do, and look for errors of the renewal in its log.");
        case DiagnosisKind::ClientRenewsNothing:
            return DiagnosisText::tr(
                "Check whether its process is alive, hangs or is cut off from the server. If it died, waiting is enough. If "
                "it only hangs, it may go on working after others have acquired its locks.");
        case DiagnosisKind::WatchdogStopped:
            return DiagnosisText::tr(
                "Check whether the holder's process is alive, hangs or is cut off. If it died, waiting is enough. If "
                "it only hangs, it may go on working after another client has acquired the lock.");
        case DiagnosisKind::NeverRenewed:
            return DiagnosisText::tr(
                "Check whether the holder's process is alive: it may have died or hung before its first renewal, or its "
                "watchdog did not start. If it lives, it goes on without the lock after this time. A lease of exactly "
                "this length that the code gives cannot be distinguished, and is no fault.");
        case DiagnosisKind::NeverExpires:
            return DiagnosisText::tr(
                "Ask the owner. If nobody works with it any more, set a TTL or force-release it. The client that took it did not "
                "set a lease: search for a client that is not Redisson, or for a PERSIST by hand.");
        case DiagnosisKind::FairQueueStorm:
            return DiagnosisText::tr(
                "Each of these waiters sends thousands of scripts a second, until the place of the dead head lapses. "
                "To end it at once, remove the dead head from the queue, or restart their clients.");
        case DiagnosisKind::FairQueueBlocked:
            return DiagnosisText::tr(
                "The head has died or hangs, and all behind it wait for its place to lapse. If it is proven dead, remove it "
                "from the queue; else restart its process, or wait for its deadline.");
        case DiagnosisKind::HeadWithoutDeadline:
            return DiagnosisText::tr(
                "Its place never lapses. Redisson from 3.45 on waits behind it for ever if it is dead; older clients fail "
                "with a script error. If it is proven dead, remove it from the queue; else restart its process.");
        case DiagnosisKind::TwoNames:
            return DiagnosisText::tr(
                "If both are meant to be one lock, they exclude nobody: a NameMapper is applied twice by some clients, "
                "as older versions of Redisson did for read/write locks. Update them, or check the names in the program.");
        case DiagnosisKind::LeaseCut:
            return DiagnosisText::tr(
                "It does not end by itself any more, though its owner asked for a fixed time. Either a lock() without a "
                "lease came inside, or a watchdog of an earlier hold of this thread was left running, as Redisson did "
                "with read locks. Its unlock ends it; else restart its client.");
        case DiagnosisKind::WaitersAsleep:
            return DiagnosisText::tr(
                "They try again when the TTL that they know is over; if it had none, they sleep on. To wake them at "
                "once, use Lock > Wake waiters.");
        case DiagnosisKind::DeafWaiters:
            return DiagnosisText::tr(
                "A release does not wake them: they try again when the TTL that they know is over. Their client stays "
                "deaf for this name until it is restarted.");
        case DiagnosisKind::PermitsUnclaimed:
            return DiagnosisText::tr(
                "A release wakes them. Take a permit and release it, or restart a client that waits, if none of them "
                "wants more than is free.");
        case DiagnosisKind::PermitLeaseOver:
            return DiagnosisText::tr(
                "The next client that asks for a permit gets it. To wake those who sleep at once, give the permit "
                "back. A worker that still runs with it does not notice that its lease is over.");
        case DiagnosisKind::FairWaiterDropped:
            return DiagnosisText::tr(
                "It may wait for ever: no message will wake it. Restart its process, or let it stop and try again.");
        case DiagnosisKind::ReaderCutShort:
            return DiagnosisText::tr(
                "While the other reader renews the lock, nothing happens, and its release sets the TTL right. If it "
                "dies, a writer acquires the lock while this reader still works. Give all readers of a lock the same "
                "watchdog timeout, and no leases longer than that.");
        case DiagnosisKind::ZombieReader:
            return DiagnosisText::tr(
                "A reader that died, or worked longer than its lease, keeps writers out for as long as other readers "
                "hold the lock; it goes when all of them have released it. Timeout keys without a reader are left "
                "behind by a force, or by a lock that expired while this reader worked. They block nobody, and expire "
                "unless they have no TTL.");
        case DiagnosisKind::LeaseRanOut:
            return DiagnosisText::tr(
                "If its worker was not done, it went on without the lock: two may have worked at once, and its unlock "
                "fails. Use a longer lease, or none: then the watchdog renews it.");
        case DiagnosisKind::AcquireTakenBack:
            return DiagnosisText::tr(
                "After each acquire the client waits for a replica; none answered in time, so it took the acquire "
                "back. Nobody worked in between. Bring the missing replica back, or check why it lags.");
        case DiagnosisKind::UnlockFromOtherThread:
            return DiagnosisText::tr(
                "The error names no lock, so check in the stack trace whether it was this one. Only the thread that "
                "acquired a lock may release it: unlock in the same thread, or pass its thread id to the async "
                "methods. The same error comes when tryLock() has failed and a finally block unlocks nevertheless.");
        case DiagnosisKind::SuspectedOrphan:
            return DiagnosisText::tr(
                "A long job looks like this, too. Ask the owner whether its work still makes progress: its client is "
                "alive, and renews the lock for as long as it lives.");
        case DiagnosisKind::ReentryLeak:
            return DiagnosisText::tr(
                "Search for a lock() without its unlock() on one path: each one needs its own. Deep recursion gives "
                "the same picture.");
        case DiagnosisKind::ChannelLeftOver:
            return DiagnosisText::tr(
                "Each costs the server a subscription and blocks nobody. If their number keeps growing, the clients "
                "leak subscriptions: update Redisson, or restart them.");
        case DiagnosisKind::FixedLease:
            return DiagnosisText::tr(
                "No fault: it was acquired with a lease of its own, and no watchdog renews it. If the work takes "
                "longer, it goes on without the lock.");
    }
    return {};
}

QString diagnosisText(const Diagnosis& diagnosis) {
    return diagnosisText(diagnosis.kind(), diagnosis.certainty);
}

QString diagnosisText(DiagnosisKind kind, Certainty certainty) {
    return DiagnosisText::tr("%1 (%2)").arg(diagnosisTitle(kind), certaintyText(certainty));
}

QString diagnosesText(const QList<Diagnosis>& diagnoses) {
    if (diagnoses.isEmpty())
        return {};
    const Diagnosis& gravest = diagnoses.first();
    const QString title = diagnosisTitle(gravest.kind());
    const QString text = gravest.certainty == Certainty::Suspected ? DiagnosisText::tr("%1?").arg(title) : title;
    return diagnoses.size() == 1 ? text : DiagnosisText::tr("%1, +%2").arg(text).arg(diagnoses.size() - 1);
}

QString evidencesText(const QList<Diagnosis>& diagnoses, WallTime now, const HolderAliases& aliases) {
    QStringList sentences;
    for (const Diagnosis& diagnosis : diagnoses)
        sentences << DiagnosisText::tr("%1: %2").arg(diagnosisText(diagnosis),
                                                     evidenceText(diagnosis.evidence, now, aliases));
    return sentences.join(QLatin1Char('\n'));
}

QString diagnosisIcon(Severity severity) {
    return severity == Severity::Fault ? QStringLiteral("warning") : QStringLiteral("info");
}

Tone diagnosisTone(Severity severity) {
    return severity == Severity::Fault ? Tone::Warning : Tone::Info;
}

}  // namespace lockkeeper::ui
