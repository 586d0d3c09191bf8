// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/changechoices.h"

#include "control/foundstate.h"
#include "monitor/analyse/diagnose.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

using control::ChangeKind;
using control::LockChange;
using monitor::FairWaiter;
using monitor::Holder;
using monitor::LockSnapshot;

struct ChangeChoice {
    Q_DECLARE_TR_FUNCTIONS(ChangeChoice)
};

constexpr qsizetype clientsAtMost = 50;

LockChange changeOf(ChangeKind kind) {
    LockChange change;
    change.kind = kind;
    return change;
}

template <typename Evidence>
const Evidence* evidenceOf(const monitor::LockRow& row) {
    for (const monitor::Diagnosis& diagnosis : row.diagnoses) {
        if (const auto* evidence = std::get_if<Evidence>(&diagnosis.evidence))
            return evidence;
    }
    return nullptr;
}

void addReaders(QList<LockChange>& offers, const LockSnapshot& lock) {
    const bool areReaders = std::all_of(lock.holders.begin(), lock.holders.end(),
                                        [](const Holder& holder) { return holder.mode == monitor::HoldMode::Read; });
    if (!areReaders || lock.holderCount() < 2)
        return;
    for (const Holder& reader : lock.holders.first(std::min(lock.holders.size(), clientsAtMost))) {
        LockChange change = changeOf(ChangeKind::ReleaseReader);
        change.reader = reader;
        offers += change;
    }
}

// The values of the lock have holders of their own, so it is not released as a whole.
void addHolders(QList<LockChange>& offers, const LockSnapshot& lock) {
    for (const ChangeKind kind : {ChangeKind::ReleaseHolder, ChangeKind::QuarantineHolder}) {
        for (const Holder& holder : lock.holders.first(std::min(lock.holders.size(), clientsAtMost))) {
            LockChange change = changeOf(kind);
            change.holder = holder.id;
            offers += change;
        }
    }
}

void addDeadWaiters(QList<LockChange>& offers, const QList<FairWaiter>& dead) {
    for (const FairWaiter& waiter : dead.first(std::min(dead.size(), clientsAtMost))) {
        LockChange change = changeOf(ChangeKind::RemoveWaiter);
        change.waiter = waiter;
        offers += change;
    }
}

void addForFree(QList<LockChange>& offers, const monitor::LockRow& row) {
    addDeadWaiters(offers, row.deadWaiters());
    LockChange wake = changeOf(ChangeKind::WakeWaiters);
    if (const auto* dropped = evidenceOf<monitor::FairWaiterDropped>(row))
        wake.waiter = FairWaiter{dropped->waiter, std::nullopt};
    if (wake.waiter || row.lock.waiters.value_or(0) > 0 || !row.lock.fairQueue.isEmpty())
        offers += wake;
}

ChangeStanding readerStanding(const Holder& reader, const LockSnapshot& now) {
    const auto isReader = [&reader](const Holder& holder) { return holder.isSameAs(reader); };
    const auto found = std::find_if(now.holders.begin(), now.holders.end(), isReader);
    if (found == now.holders.end())
        return ChangeStanding::Gone;
    return found->count == reader.count ? ChangeStanding::Confirmed : ChangeStanding::Changed;
}

ChangeStanding holderStanding(const HolderId& holder, const LockSnapshot& confirmed, const LockSnapshot& now) {
    if (!now.isHeldBy(holder))
        return ChangeStanding::Gone;
    return control::hasSameValues(confirmed, now, holder) ? ChangeStanding::Confirmed : ChangeStanding::Changed;
}

ChangeStanding waiterStanding(const FairWaiter& waiter, const LockSnapshot& now) {
    const auto queued = std::ranges::find(now.fairQueue, waiter.id, &FairWaiter::id);
    if (queued == now.fairQueue.end())
        return ChangeStanding::Gone;
    return *queued == waiter ? ChangeStanding::Confirmed : ChangeStanding::Changed;
}

}  // namespace

QList<LockChange> offeredChanges(const monitor::LockRow& row) {
    QList<LockChange> offers;
    if (!row.lock.isHeld()) {
        addForFree(offers, row);
        return offers;
    }
    if (row.lock.kind == monitor::LockKind::FasterMulti) {
        addHolders(offers, row.lock);
        return offers;
    }
    offers += changeOf(ChangeKind::ReleaseLock);
    if (row.lock.isOfOtherProgram())
        return offers;
    addReaders(offers, row.lock);
    offers += changeOf(ChangeKind::Quarantine);
    if (row.lock.neverExpires())
        offers += changeOf(ChangeKind::SetExpiry);
    addDeadWaiters(offers, row.deadWaiters());
    return offers;
}

bool isSameChange(const LockChange& one, const LockChange& other) {
    const auto waiterOf = [](const LockChange& change) {
        return change.waiter ? std::optional(change.waiter->id) : std::nullopt;
    };
    const bool sameReader =
        one.reader.has_value() == other.reader.has_value() && (!one.reader || one.reader->isSameAs(*other.reader));
    return one.kind == other.kind && sameReader && one.holder == other.holder && waiterOf(one) == waiterOf(other);
}

LockChange changeAsOf(LockChange change, const LockSnapshot& now) {
    for (const Holder& holder : now.holders) {
        if (change.reader && holder.isSameAs(*change.reader))
            change.reader = holder;
    }
    for (const FairWaiter& waiter : now.fairQueue) {
        if (change.waiter && waiter.id == change.waiter->id && change.kind == ChangeKind::RemoveWaiter)
            change.waiter = waiter;
    }
    return change;
}

ChangeStanding standingOf(const LockChange& change, const LockSnapshot& confirmed, const LockSnapshot& now) {
    switch (change.kind) {
        case ChangeKind::ReleaseReader:
            return readerStanding(*change.reader, now);
        case ChangeKind::ReleaseHolder:
        case ChangeKind::QuarantineHolder:
            return holderStanding(*change.holder, confirmed, now);
        case ChangeKind::RemoveWaiter:
            return waiterStanding(*change.waiter, now);
        case ChangeKind::WakeWaiters:
            return now.isHeld() ? ChangeStanding::Gone : ChangeStanding::Confirmed;
        case ChangeKind::GiveBackPermit:
            return ChangeStanding::Confirmed;  // of a semaphore, which a lock's row does not show
        case ChangeKind::ReleaseLock:
        case ChangeKind::SetExpiry:
        case ChangeKind::Quarantine:
            break;
    }
    if (!now.isHeld() || (change.kind == ChangeKind::SetExpiry && !now.neverExpires()))
        return ChangeStanding::Gone;
    return control::isSameHold(confirmed, now) ? ChangeStanding::Confirmed : ChangeStanding::Changed;
}

QString choiceText(const LockChange& change, const HolderAliases& aliases) {
    switch (change.kind) {
        case ChangeKind::ReleaseLock:
            return ChangeChoice::tr("Force-release: take it from every holder, and wake the waiters");
        case ChangeKind::ReleaseReader:
            return ChangeChoice::tr("Release one reader: %1").arg(aliases.display(change.reader->id));
        case ChangeKind::ReleaseHolder:
            return ChangeChoice::tr("Force-release %1 alone, and wake the waiters")
                .arg(aliases.display(*change.holder));
        case ChangeKind::RemoveWaiter:
            return ChangeChoice::tr("Remove the dead waiter %1 from the queue").arg(aliases.display(change.waiter->id));
        case ChangeKind::WakeWaiters:
            return change.waiter ? ChangeChoice::tr("Wake the waiters, also %1").arg(aliases.display(change.waiter->id))
                                 : ChangeChoice::tr("Wake the waiters: send them the message of a release");
        case ChangeKind::SetExpiry:
            return ChangeChoice::tr("Set an expiry, and wake the waiters: it ends by itself, unless it is renewed");
        case ChangeKind::Quarantine:
            return ChangeChoice::tr("Quarantine: this console takes it, and wakes the waiters later");
        case ChangeKind::QuarantineHolder:
            return ChangeChoice::tr("Quarantine %1 alone: this console takes its values, and wakes the waiters later")
                .arg(aliases.display(*change.holder));
        case ChangeKind::GiveBackPermit:
            return ChangeChoice::tr("Return the permit, and wake a waiter");
    }
    return {};
}

QString changeTitle(const LockChange& change, const QString& name) {
    switch (change.kind) {
        case ChangeKind::ReleaseLock:
            return ChangeChoice::tr("Force-release %1").arg(name);
        case ChangeKind::ReleaseReader:
            return ChangeChoice::tr("Release one reader of %1").arg(name);
        case ChangeKind::ReleaseHolder:
            return ChangeChoice::tr("Force-release one holder of %1").arg(name);
        case ChangeKind::RemoveWaiter:
            return ChangeChoice::tr("Remove the dead waiter of %1").arg(name);
        case ChangeKind::WakeWaiters:
            return ChangeChoice::tr("Wake the waiters of %1").arg(name);
        case ChangeKind::SetExpiry:
            return ChangeChoice::tr("Set an expiry for %1").arg(name);
        case ChangeKind::Quarantine:
            return ChangeChoice::tr("Quarantine %1").arg(name);
        case ChangeKind::QuarantineHolder:
            return ChangeChoice::tr("Quarantine one holder of %1").arg(name);
        case ChangeKind::GiveBackPermit:
            return ChangeChoice::tr("Return a permit of %1").arg(name);
    }
    return {};
}

QString changeWarning(ChangeKind kind) {
    switch (kind) {
        case ChangeKind::ReleaseLock:
            return ChangeChoice::tr(
                "This does not stop the holder. Two workers may run at once, and the holder's own unlock will fail.");
        case ChangeKind::ReleaseReader:
            return ChangeChoice::tr(
                "This does not stop the reader. A writer may run beside it, and the reader's own "
                "unlock will fail. The other readers keep the lock.");
        case ChangeKind::ReleaseHolder:
            return ChangeChoice::tr(
                "This does not stop the holder. Another worker may take its values and run beside it. "
                "The other holders keep theirs.");
        case ChangeKind::RemoveWaiter:
            return ChangeChoice::tr(
                "Nobody has been subscribed to its channel for some time. If its client lives all "
                "the same, it queues again at the end.");
        case ChangeKind::WakeWaiters:
            return ChangeChoice::tr("No key is changed: the waiters try again at once.");
        case ChangeKind::SetExpiry:
            return ChangeChoice::tr(
                "This does not stop the holder. If it still works when the lock expires, two workers "
                "may run at once.");
        case ChangeKind::Quarantine:
            return ChangeChoice::tr(
                "This does not stop the holder, and its own unlock will fail. Nobody else gets in "
                "before the end: then this console releases the lock and wakes the waiters.");
        case ChangeKind::QuarantineHolder:
            return ChangeChoice::tr(
                "This does not stop the holder, and its own unlock will fail. Nobody else gets its values "
                "before the end: then this console releases them and wakes the waiters. The other "
                "holders keep theirs.");
        case ChangeKind::GiveBackPermit:
            return ChangeChoice::tr(
                "This does not stop a worker that still runs with the permit. It does not notice, and one more worker "
                "may run beside it.");
    }
    return {};
}

QString goneText(ChangeKind kind) {
    switch (kind) {
        case ChangeKind::ReleaseReader:
            return ChangeChoice::tr("This reader is gone. There is nothing to release.");
        case ChangeKind::ReleaseHolder:
        case ChangeKind::QuarantineHolder:
            return ChangeChoice::tr("This holder is gone. There is nothing to release.");
        case ChangeKind::RemoveWaiter:
            return ChangeChoice::tr("This waiter is not in the queue any more. There is nothing to remove.");
        case ChangeKind::WakeWaiters:
            return ChangeChoice::tr("The lock is held now: its release will wake the waiters.");
        case ChangeKind::SetExpiry:
            return ChangeChoice::tr("The lock is free or has an expiry now. There is nothing to set.");
        case ChangeKind::GiveBackPermit:
            return ChangeChoice::tr("This permit is not taken any more. There is nothing to return.");
        case ChangeKind::ReleaseLock:
        case ChangeKind::Quarantine:
            break;
    }
    return ChangeChoice::tr("The lock is free now. There is nothing to release.");
}

bool takesTime(control::ChangeKind kind) {
    return kind == control::ChangeKind::SetExpiry || control::isQuarantine(kind);
}

}  // namespace lockkeeper::ui
