#include "ui/words/diagnosistext.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

using namespace monitor;

namespace {

struct DiagnosisText {
    Q_DECLARE_TR_FUNCTIONS(DiagnosisText)
};

QString count(quint64 number) {
    return numberText(static_cast<qint64>(number));
}

// A look comes a little later than what it finds; nobody sets a lease in milliseconds.
QString leaseText(Milliseconds lease) {
    constexpr int step = 100;
    return durationText(Milliseconds((lease.count() + step / 2) / step * step));
}

// One sentence for each kind of evidence.
class Sentence {
public:
    Sentence(WallTime now, const HolderAliases& aliases) : m_now(now), m_aliases(aliases) {}

    QString operator()(const PossibleDoubleHolder& found) const {
        return DiagnosisText::tr(
                   "%1 held it until %2 at least, by its lease as last seen. After %3 without a connection the server "
                   "calls itself %4, and another holds the lock. A release in between was not seen.")
            .arg(who(found.earlier), clock(found.earlierEnds), durationText(found.gap),
                 plainName(LockName(found.serverRole), shortName));
    }
    QString operator()(const WatchdogStopped& found) const {
        return DiagnosisText::tr(
                   "Renewed %1 times to %2, the last time at %3; the next renewal was due after a third of that. "
                   "Unless it is renewed, it ends by itself at %4.")
            .arg(count(found.renewals), leaseText(found.lease), clock(found.lastRenewal), clock(found.endsAt));
    }
    QString operator()(const NeverExpires& found) const {
        return DiagnosisText::tr("It has no TTL, and has been held since %1 or longer.").arg(clock(found.heldSince));
    }
    QString operator()(const FairQueueBlocked& found) const {
        const QString deadline =
            found.deadline
                ? DiagnosisText::tr("its place is kept until %1 by the server's clock").arg(clock(*found.deadline))
                : DiagnosisText::tr("how long its place is kept is not known");
        return DiagnosisText::tr("Free since %1, and the head of the queue, %2, does not take it; %3. Queued: %4.")
            .arg(clock(found.freeSince), who(found.head), deadline, numberText(found.queued));
    }
    QString operator()(const WaitersAsleep& found) const {
        const QString text =
            DiagnosisText::tr("Free since %1, and nobody has taken it; clients that listen for its release: %2.")
                .arg(clock(found.freeSince), numberText(found.clients));
        return found.holdSeen ? text
                              : DiagnosisText::tr(
                                    "%1 It was never seen held here: they may wait for a lock of this name "
                                    "in another database of the server, whose channels are the same.")
                                    .arg(text);
    }
    QString operator()(const FairWaiterDropped& found) const {
        return DiagnosisText::tr("%1 has listened for its turn since %2, but is not in the queue.")
            .arg(who(found.waiter), clock(found.since));
    }
    QString operator()(const ZombieReader& found) const {
        if (found.holds == 0)
            return DiagnosisText::tr("Timeout keys of %1 are there (%2), but it is no reader of this lock, since %3.")
                .arg(who(found.reader), numberText(found.keys), clock(found.since));
        return DiagnosisText::tr(
                   "%1 is counted as a reader (count %2), but the lease of each of its holds has run out: none of its "
                   "timeout keys has been there since %3. Other readers keep the lock alive.")
            .arg(who(found.reader), numberText(found.holds), clock(found.since));
    }
    QString operator()(const LeaseRanOut& found) const {
        return DiagnosisText::tr("%1 took it at %2 for %3. At %4 it expired, and nobody had given it back.")
            .arg(who(found.holder), clock(found.heldSince), leaseText(found.lease), clock(found.endedAt));
    }
    QString operator()(const UnlockFromOtherThread& found) const {
        const QString held =
            found.heldUntil
                ? DiagnosisText::tr("held it from %1 to %2").arg(clock(found.heldSince), clock(*found.heldUntil))
                : DiagnosisText::tr("has held it since %1 or longer").arg(clock(found.heldSince));
        const QString failed = found.failedAt ? DiagnosisText::tr("failed at %1").arg(clock(*found.failedAt))
                                              : DiagnosisText::tr("failed, when is not known");
        return DiagnosisText::tr("The unlock by thread %1 %2. Thread %3 of the same client %4.")
            .arg(thread(found.caller), failed, thread(found.holder), held);
    }
    QString operator()(const SuspectedOrphan& found) const {
        return DiagnosisText::tr(
                   "Held since %1 or longer and renewed %2 times. Of its last %3 holds half took less than %4.")
            .arg(clock(found.heldSince), count(found.renewals), numberText(found.holdsSeen),
                 durationText(found.usualHold));
    }
    QString operator()(const ReentryLeak& found) const {
        return DiagnosisText::tr("Entered %1 deep. It was seen to go up %2 times since %3, and never down.")
            .arg(numberText(found.count), numberText(found.stepsUp), clock(found.heldSince));
    }
    QString operator()(const ChannelLeftOver& found) const {
        return DiagnosisText::
            tr("Free since %1, yet clients still listen for its release: %2. Who waits for it sleeps for %3 at most.")
                .arg(clock(found.freeSince), numberText(found.clients), leaseText(found.longestSleep));
    }
    QString operator()(const FixedLease& found) const {
        return DiagnosisText::tr("Taken at %1 for %2, and not renewed since. It ends at %3.")
            .arg(clock(found.heldSince), leaseText(found.lease), clock(found.endsAt));
    }

private:
    [[nodiscard]] QString clock(WallTime time) const { return clockText(time, m_now); }
    [[nodiscard]] QString who(const HolderId& id) const { return m_aliases.fullDisplay(id); }
    [[nodiscard]] static QString thread(const HolderId& id) {
        return QString::number(static_cast<qint64>(id.thread()));
    }

    WallTime m_now;
    const HolderAliases& m_aliases;
};

}  // namespace

QString diagnosisTitle(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return DiagnosisText::tr("Two holders after a failover");
        case DiagnosisKind::WatchdogStopped:
            return DiagnosisText::tr("Watchdog stopped");
        case DiagnosisKind::NeverExpires:
            return DiagnosisText::tr("Never expires");
        case DiagnosisKind::FairQueueBlocked:
            return DiagnosisText::tr("Queue blocked by its head");
        case DiagnosisKind::WaitersAsleep:
            return DiagnosisText::tr("Free, and waiters asleep");
        case DiagnosisKind::FairWaiterDropped:
            return DiagnosisText::tr("Waiter fell out of the queue");
        case DiagnosisKind::ZombieReader:
            return DiagnosisText::tr("Zombie reader");
        case DiagnosisKind::LeaseRanOut:
            return DiagnosisText::tr("Lease ran out under its worker");
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
    return std::visit(Sentence(now, aliases), evidence);
}

QString adviceText(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return DiagnosisText::tr(
                "Ask the owners of both whether they work at once; what they guard may have been written twice.");
        case DiagnosisKind::WatchdogStopped:
            return DiagnosisText::tr(
                "See whether the holder's process lives, hangs or is cut off. If it died, waiting is enough. If "
                "it only hangs, it may go on working after the lock has gone to another.");
        case DiagnosisKind::NeverExpires:
            return DiagnosisText::tr(
                "Ask the owner; if nobody works with it any more, force-release it. Whoever took it did not set a "
                "lease: look for a client that is not Redisson, or for a PERSIST by hand.");
        case DiagnosisKind::FairQueueBlocked:
            return DiagnosisText::tr(
                "The head has died or hangs, and all behind it wait for its place to lapse. Restart its process, "
                "or wait for its deadline.");
        case DiagnosisKind::WaitersAsleep:
            return DiagnosisText::tr(
                "They try again when the TTL they were told is over. Taking the lock here and giving it back wakes "
                "them at once.");
        case DiagnosisKind::FairWaiterDropped:
            return DiagnosisText::tr(
                "It may wait in vain: nobody will call it. Restart its process, or let it give up and try again.");
        case DiagnosisKind::ZombieReader:
            return DiagnosisText::tr(
                "A reader that died, or overran its lease, keeps writers out for as long as others read in turn; it "
                "goes "
                "when all of them have let go. Timeout keys without a reader are left behind by a force, block nobody, "
                "and go by themselves unless they have no TTL.");
        case DiagnosisKind::LeaseRanOut:
            return DiagnosisText::tr(
                "If its worker was still at it, it went on without the lock, two may have worked at once, and its "
                "unlock fails. A longer lease helps, or none: then the watchdog renews it.");
        case DiagnosisKind::UnlockFromOtherThread:
            return DiagnosisText::tr(
                "The error names no lock, so see in the stack trace whether it was this one. Only the thread that took "
                "a lock may give it back: unlock in the same thread, or pass its thread id to the async methods. The "
                "same error comes when tryLock() had failed and finally unlocks all the same.");
        case DiagnosisKind::SuspectedOrphan:
            return DiagnosisText::tr(
                "A long job looks the same. Ask the owner whether its worker still gets on; its client is alive, "
                "and renews the lock for as long as it is.");
        case DiagnosisKind::ReentryLeak:
            return DiagnosisText::tr(
                "Look for a lock() without its unlock() on one path: each one needs its own. Deep recursion looks "
                "the same.");
        case DiagnosisKind::ChannelLeftOver:
            return DiagnosisText::tr(
                "They cost the server a subscription each and block nobody. When they keep growing, the clients "
                "leak subscriptions: update Redisson, or restart them.");
        case DiagnosisKind::FixedLease:
            return DiagnosisText::tr(
                "No fault: it was taken with a lease of its own, and no watchdog renews it. Should the work take "
                "longer, it goes on without the lock.");
    }
    return {};
}

QString diagnosisText(const Diagnosis& diagnosis) {
    return DiagnosisText::tr("%1 (%2)").arg(diagnosisTitle(diagnosis.kind()), certaintyText(diagnosis.certainty));
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
