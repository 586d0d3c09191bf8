#include "ui/help/diagnosishelp.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

using monitor::DiagnosisKind;

namespace {

struct DiagnosisHelp {
    Q_DECLARE_TR_FUNCTIONS(DiagnosisHelp)
};

}  // namespace

QString diagnosisHelp(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return DiagnosisHelp::tr(
                "Given when the connection was lost, the server came back in another role, and another holder has the "
                "lock while the earlier lease had time left and no release was received.");
        case DiagnosisKind::WatchdogStopped:
            return DiagnosisHelp::tr(
                "Given when renewals were seen and the next one is clearly late. A watchdog renews after each third "
                "of the lease, so a TTL well below two thirds means that it does not run any more.");
        case DiagnosisKind::NeverExpires:
            return DiagnosisHelp::tr("Given when the lock is held and Redis says that its key has no TTL.");
        case DiagnosisKind::FairQueueBlocked:
            return DiagnosisHelp::tr(
                "Given when a fair lock is free, its queue is not empty, and the head of the queue has not taken it "
                "for seconds. Likely if that head does not listen on its channel.");
        case DiagnosisKind::WaitersAsleep:
            return DiagnosisHelp::tr(
                "Given when the lock has been free for seconds while clients still listen on its channel. A lock "
                "that expires or is deleted by hand publishes no message, so its waiters are not woken.");
        case DiagnosisKind::FairWaiterDropped:
            return DiagnosisHelp::tr(
                "Given when a client has listened on its own channel of a fair lock for some time, and is neither in "
                "the queue nor the holder.");
        case DiagnosisKind::ZombieReader:
            return DiagnosisHelp::tr(
                "Given when the lock counts a reader whose own timeout keys have all been gone for seconds while "
                "others read, or when there are timeout keys of a client that is no reader.");
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

}  // namespace lockkeeper::ui
