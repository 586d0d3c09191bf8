// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/forcetexts.h"

#include "ui/locks/model/ttlbar.h"
#include "ui/words/identitytext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QCryptographicHash>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct ForceAdvice {
    Q_DECLARE_TR_FUNCTIONS(ForceAdvice)
};

bool hasDiagnosis(const monitor::LockRow& row, monitor::DiagnosisKind kind) {
    return std::any_of(row.diagnoses.begin(), row.diagnoses.end(),
                       [kind](const monitor::Diagnosis& diagnosis) { return diagnosis.kind() == kind; });
}

// A watchdog renews each third of the lease: beyond two thirds the client is dead, hangs, or is cut off.
bool isOverdue(const monitor::LockRow& row, Milliseconds left) {
    return row.hold.peakTtl > Milliseconds(0) && left * 3 < row.hold.peakTtl;
}

}  // namespace

QString waitingAdvice(const monitor::LockRow& row, const ViewTime& session) {
    const ViewTime& time = session.of(row.lock);
    const std::optional<Milliseconds> left = timeLeft(row, time.moment());
    if (!row.lock.isHeld())
        return ForceAdvice::tr("The lock is free: who sleeps tries again only when the TTL that it has read is over.");
    if (!left)
        return ForceAdvice::tr("Waiting will not help: it has no expiry.");
    const QString rest = countText(*left);
    if (row.lock.isOfOtherProgram())
        return ForceAdvice::tr("Wait: unless the other program prolongs it, it ends by itself in %1.").arg(rest);
    const bool isUnrenewed = hasDiagnosis(row, monitor::DiagnosisKind::FixedLease) ||
                             hasDiagnosis(row, monitor::DiagnosisKind::NeverRenewed);
    if (isUnrenewed || (row.hold.renewals == 0 && isOverdue(row, *left)))
        return ForceAdvice::tr("Wait: nobody has renewed it so far. It ends by itself in %1.").arg(rest);
    if (row.hold.renewals == 0)
        return ForceAdvice::tr("Wait: unless it is renewed, it ends by itself in %1.").arg(rest);
    if (hasDiagnosis(row, monitor::DiagnosisKind::WatchdogStopped) || isOverdue(row, *left))
        return ForceAdvice::tr("Wait: nobody renews it any more. It ends by itself in %1.").arg(rest);
    const QString age = countText(toMilliseconds(time.moment() - row.hold.lastRenewal));
    const bool isShared = std::ranges::any_of(
        row.lock.holders, [](const monitor::Holder& holder) { return holder.mode == monitor::HoldMode::Read; });
    if (isShared)
        return ForceAdvice::tr(
                   "Waiting will not help while one of the readers' clients lives: it renews for all of "
                   "them, last %1 ago. The other readers may be dead.")
            .arg(age);
    return ForceAdvice::tr("Waiting will not help while this client lives: it renews, last %1 ago.").arg(age);
}

QString ladderText(const monitor::LockRow& row, const ViewTime& time, Ownership ownership) {
    if (!time.of(row.lock).isLive())
        return ForceAdvice::tr("The server does not answer: what is shown is old, and nothing can be advised.");
    const QString waiting = waitingAdvice(row, time);
    if (!row.lock.isHeld())
        return waiting;
    if (ownership == Ownership::Own)
        return ForceAdvice::tr("This console holds it: Lock > Release gives it up, and needs no force.");
    return ForceAdvice::tr(
               "Before you force it:\n1. %1\n2. Find out who holds it, and ask the owner to release it.\n"
               "3. Force it, if neither helps.")
        .arg(waiting);
}

namespace {

struct ForceFacts {
    Q_DECLARE_TR_FUNCTIONS(ForceFacts)
};

constexpr qsizetype confirmedAtMost = 20;

QString holderLine(const monitor::Holder& holder, const HolderKnowledge& knowledge) {
    const QString address = addressText(knowledge.identities.value(holder.id.client()));
    const QString who = knowledge.aliases.fullDisplay(holder.id);
    const QString mode = modeText(holder);
    const QString count = numberText(holder.count);
    return address.isEmpty() ? ForceFacts::tr("Held by %1 (%2, count %3)").arg(who, mode, count)
                             : ForceFacts::tr("Held by %1 (%2, count %3), at %4").arg(who, mode, count, address);
}

bool wakesAtOnce(const monitor::LockSnapshot& lock, const control::LockChange& change) {
    using enum control::ChangeKind;
    const bool isHead = change.waiter && !lock.fairQueue.isEmpty() && lock.fairQueue.first().id == change.waiter->id;
    if (change.kind == RemoveWaiter)
        return isHead && !lock.isHeld();
    return change.kind == ReleaseLock || change.kind == ReleaseHolder || change.kind == WakeWaiters;
}

QString holderLines(const monitor::LockSnapshot& lock, const HolderKnowledge& knowledge) {
    QStringList lines;
    for (const monitor::Holder& holder : lock.holders.first(std::min(lock.holders.size(), confirmedAtMost)))
        lines << holderLine(holder, knowledge);
    if (lock.holderCount() > lines.size())
        lines << ForceFacts::tr("and by %Ln more", nullptr, static_cast<int>(lock.holderCount() - lines.size()));
    return lines.join(QLatin1Char('\n'));
}

// For a change that wakes nobody, or wakes later.
QString quietClientsLine(const monitor::LockSnapshot& lock) {
    const int clients = lock.waiters.value_or(0);
    return lock.monitorsAmongWaiters > 0 ? ForceFacts::tr("Waiting: up to %Ln client instance(s)", nullptr, clients)
                                         : ForceFacts::tr("Waiting: %Ln client instance(s)", nullptr, clients);
}

// A message that goes to a dead head wakes nobody: those behind it sleep on.
QString wokenText(const monitor::LockRow& row, const control::LockChange& change, DeadWaiters dead) {
    const QList<monitor::FairWaiter> deadOnes = row.deadWaiters();
    const auto isRemoved = [&](const monitor::FairWaiter& waiter) {
        return (change.kind == control::ChangeKind::RemoveWaiter && waiter.id == change.waiter->id) ||
               (dead == DeadWaiters::Removed && deadOnes.contains(waiter));
    };
    const auto& queue = row.lock.fairQueue;
    const auto woken = std::ranges::find_if_not(queue, isRemoved);
    if (woken == queue.end())
        return ForceFacts::tr("nobody is left to wake");
    if (!deadOnes.contains(*woken))
        return woken == queue.begin() ? ForceFacts::tr("the head of the queue will be woken")
                                      : ForceFacts::tr("the next one in the queue will be woken");
    return ForceFacts::tr(
        "nobody will be woken: the head of the queue is dead, and the others wait for its place to lapse");
}

QString queueLine(const monitor::LockRow& row, const control::LockChange& change, DeadWaiters dead) {
    const int length = static_cast<int>(queueLength(row.lock));
    const QString queued = ForceFacts::tr("Waiting: %Ln queued", nullptr, length);
    return wakesAtOnce(row.lock, change) ? ForceFacts::tr("%1; %2").arg(queued, wokenText(row, change, dead)) : queued;
}

QString waitersLine(const monitor::LockRow& row, const control::LockChange& change, DeadWaiters dead) {
    const monitor::LockSnapshot& lock = row.lock;
    if (!lock.fairQueue.isEmpty())
        return queueLine(row, change, dead);
    if (!lock.waiters)
        return ForceFacts::tr("Waiting: not known");
    if (*lock.waiters == 0)
        return ForceFacts::tr("Waiting: no client");
    if (!wakesAtOnce(lock, change))
        return quietClientsLine(lock);
    if (lock.monitorsAmongWaiters > 0)
        return ForceFacts::tr("Waiting: up to %Ln client instance(s), which will be woken", nullptr,
                              static_cast<int>(*lock.waiters));
    return ForceFacts::tr("Waiting: %Ln client instance(s), which will be woken", nullptr,
                          static_cast<int>(*lock.waiters));
}

QString removedLine(const monitor::LockSnapshot& lock, const HolderId& waiter, const HolderAliases& aliases) {
    const auto queued = std::ranges::find(lock.fairQueue, waiter, &monitor::FairWaiter::id);
    const QString who = aliases.fullDisplay(waiter);
    if (queued == lock.fairQueue.end())
        return ForceFacts::tr("To be removed: %1").arg(who);
    const QString place = numberText(queued - lock.fairQueue.begin() + 1);
    return ForceFacts::tr("To be removed: %1, place %2 of %3 in the queue")
        .arg(who, place, numberText(queueLength(lock)));
}

// The ids in full: the list of choices has no room for them.
QStringList chosenLines(const monitor::LockSnapshot& lock, const control::LockChange& change,
                        const HolderAliases& aliases) {
    using enum control::ChangeKind;
    if (change.kind == ReleaseReader)
        return {ForceFacts::tr("To be released: %1").arg(aliases.fullDisplay(change.reader->id))};
    if (change.kind == ReleaseHolder)
        return {ForceFacts::tr("To be released: %1").arg(aliases.fullDisplay(*change.holder))};
    if (change.kind == QuarantineHolder)
        return {ForceFacts::tr("To be put in quarantine: %1").arg(aliases.fullDisplay(*change.holder))};
    if (change.kind == RemoveWaiter)
        return {removedLine(lock, change.waiter->id, aliases)};
    return {};
}

}  // namespace

QString forceFacts(const monitor::LockRow& row, const control::LockChange& change, const ViewTime& viewTime,
                   const HolderKnowledge& knowledge, DeadWaiters dead) {
    QStringList chosen = chosenLines(row.lock, change, knowledge.aliases);
    if (const QString key = knowledge.names.keyNote(row.lock.name); !key.isEmpty())
        chosen.prepend(key);
    if (!row.lock.isHeld())
        return (chosen + QStringList{ForceFacts::tr("Free"), waitersLine(row, change, dead)}).join(QLatin1Char('\n'));
    const ViewTime& time = viewTime.of(row.lock);
    QStringList lines = chosen + QStringList{holderLines(row.lock, knowledge)};
    const QString since = clockText(row.hold.sinceWall, time.wallNow());
    const QString age = countText(toMilliseconds(time.moment() - row.hold.since));
    lines << (row.hold.isBeginSeen() ? ForceFacts::tr("Since %1 (for %2)").arg(since, age)
                                     : ForceFacts::tr("Since %1 at the latest (%2 or longer)").arg(since, age));
    const WallTime now = time.wallNow();
    if (const QString before = seenBeforeText(row.hold, [now](WallTime at) { return clockText(at, now); });
        !before.isEmpty())
        lines << before;
    const QString ttl = ttlBar(row, viewTime).text;
    lines << ForceFacts::tr("TTL: %1").arg(ttl);
    if (row.hold.renewals > 0)
        lines << ForceFacts::tr("Last renewal: %1 ago")
                     .arg(countText(toMilliseconds(time.moment() - row.hold.lastRenewal)));
    else
        lines << ForceFacts::tr("Last renewal: none seen");
    lines << waitersLine(row, change, dead);
    if (row.lock.token)
        lines << ForceFacts::tr("Fencing token: %1").arg(*row.lock.token);
    return lines.join(QLatin1Char('\n'));
}

namespace {

constexpr qsizetype longestTyped = 64;  // bytes

// A blank at an end is not visible, and characters that the display escapes are on no keyboard.
bool canBeTyped(const LockName& name) {
    if (name.bytes().isEmpty() || name.bytes().size() > longestTyped)
        return false;
    const QString text = QString::fromUtf8(name.bytes());
    return name.display() == text && text == text.simplified();
}

QString codeOf(const LockName& name) {
    // Without characters that are easily confused: 0 and O, 1, I and L.
    constexpr char characters[] = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    constexpr int count = sizeof(characters) - 1;
    const QByteArray hash = QCryptographicHash::hash(name.bytes(), QCryptographicHash::Sha256);
    QString code;
    for (int i = 0; i < 6; ++i)
        code += QLatin1Char(characters[static_cast<uchar>(hash[i]) % count]);
    return code;
}

}  // namespace

NameProof nameProof(const LockName& name) {
    if (canBeTyped(name))
        return {name.display(), false};
    return {codeOf(name), true};
}

}  // namespace lockkeeper::ui
