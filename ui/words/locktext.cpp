// SPDX-License-Identifier: Apache-2.0
#include "ui/words/locktext.h"

#include "locks/lockkeys.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <numeric>

namespace lockkeeper::ui {

namespace {

struct LockText {
    Q_DECLARE_TR_FUNCTIONS(LockText)
};

QString holderText(const monitor::Holder& holder, const HolderAliases& aliases) {
    if (holder.mode == monitor::HoldMode::Exclusive && holder.transaction.isEmpty())
        return aliases.display(holder.id);
    return LockText::tr("%1 (%2)").arg(aliases.display(holder.id), modeText(holder));
}

QString leaseText(const monitor::LockSnapshot& lock) {
    if (lock.ttl)
        return LockText::tr("lease %1").arg(durationText(*lock.ttl));
    return lock.neverExpires() ? LockText::tr("without expiry") : QString();
}

QString countDetail(const monitor::LockEvent& event) {
    return event.holder ? LockText::tr("count %1").arg(numberText(event.holder->count)) : QString();
}

QString diagnosisDetail(const monitor::LockEvent& event) {
    if (!event.diagnosis)
        return {};
    const QString what = diagnosisText(*event.diagnosis);
    return event.phase == monitor::DiagnosisPhase::Begun ? what : LockText::tr("no longer: %1").arg(what);
}

// The event has the lock as it was read after the release. Of an exclusive hold somebody has taken it since.
QString releaseDetail(const monitor::LockEvent& event) {
    if (!event.lock.isHeld())
        return {};
    const bool isSameHolder = event.holder && std::ranges::any_of(event.lock.holders, [&](const monitor::Holder& holder) {
        return holder.id == event.holder->id;
    });
    if (event.holder && event.holder->mode == monitor::HoldMode::Read)
        return LockText::tr("others hold it");
    if (event.holder && event.holder->mode == monitor::HoldMode::Write && isSameHolder)
        return LockText::tr("its holder holds it in another mode");
    return isSameHolder ? LockText::tr("taken again by the same holder") : LockText::tr("taken by another holder since");
}

bool isContinuation(char byte) {
    return (static_cast<uchar>(byte) & 0xc0) == 0x80;
}

// How many bytes the UTF-8 character has that begins with this byte.
qsizetype lengthOfCharacter(char first) {
    const auto byte = static_cast<uchar>(first);
    return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

LockName tailOf(const LockName& name, qsizetype bytes) {
    QByteArrayView tail = QByteArrayView(name.bytes()).last(bytes);
    for (int skipped = 0; skipped < 3 && !tail.isEmpty() && isContinuation(tail.front()); ++skipped)
        tail = tail.sliced(1);
    return LockName(tail.toByteArray());
}

}  // namespace

std::optional<qint64> waitersAtLeast(const monitor::LockSnapshot& lock) {
    const qint64 queued = lock.fairQueue.size();
    if (!lock.waiters && queued == 0)
        return std::nullopt;
    return std::max<qint64>(queued, lock.waiters.value_or(0) - lock.monitorsAmongWaiters);
}

bool isIdle(const monitor::LockSnapshot& lock) {
    return !lock.isHeld() && !isWaitedFor(lock);
}

bool isWaitedFor(const monitor::LockSnapshot& lock) {
    return waitersAtLeast(lock).value_or(0) > 0;
}

LockState lockState(const monitor::LockSnapshot& lock, Ownership ownership) {
    if (!lock.isHeld())
        return isWaitedFor(lock) ? LockState::WaitedFor : LockState::Free;
    if (lock.neverExpires())
        return LockState::NeverExpires;
    return ownership == Ownership::Own ? LockState::Own : LockState::Held;
}

QString stateText(LockState state) {
    switch (state) {
        case LockState::Free:
            return LockText::tr("Free");
        case LockState::WaitedFor:
            return LockText::tr("Free, waited for");
        case LockState::Held:
            return LockText::tr("Held");
        case LockState::Own:
            return LockText::tr("Held here");
        case LockState::NeverExpires:
            return LockText::tr("No expiry");
    }
    return {};
}

QString stateIcon(LockState state) {
    switch (state) {
        case LockState::Free:
        case LockState::WaitedFor:
            return QStringLiteral("lock-free");
        case LockState::Held:
            return QStringLiteral("lock-held");
        case LockState::Own:
            return QStringLiteral("lock-own");
        case LockState::NeverExpires:
            return QStringLiteral("lock-never");
    }
    return {};
}

Tone stateTone(LockState state) {
    switch (state) {
        case LockState::Free:
            return Tone::Quiet;
        case LockState::WaitedFor:
            return Tone::Warning;
        case LockState::Held:
            return Tone::Info;
        case LockState::Own:
            return Tone::Good;
        case LockState::NeverExpires:
            return Tone::Danger;
    }
    return Tone::Normal;
}

QString kindText(monitor::LockKind kind) {
    switch (kind) {
        case monitor::LockKind::Unknown:
            return LockText::tr("Unknown");
        case monitor::LockKind::Reentrant:
            return LockText::tr("Reentrant");
        case monitor::LockKind::Fair:
            return LockText::tr("Fair");
        case monitor::LockKind::ReadWrite:
            return LockText::tr("Read/write");
        case monitor::LockKind::Fenced:
            return LockText::tr("Fenced");
        case monitor::LockKind::FasterMulti:
            return LockText::tr("Faster multi");
    }
    return {};
}

QString kindExplanation(const monitor::LockSnapshot& lock) {
    switch (lock.kind) {
        case monitor::LockKind::Unknown:
            return lock.isHeld()
                       ? LockText::tr("It is held, in a form that this version does not know.")
                       : LockText::tr("It is free, and a free lock leaves nothing behind that shows its kind.");
        case monitor::LockKind::Reentrant:
            return LockText::tr(
                "One holder with a count. A plain lock, a spin lock, a member of a multi lock and a fair lock without "
                "waiters cannot be distinguished.");
        case monitor::LockKind::Fair:
            return LockText::tr("Its queue of waiters exists, which only a fair lock has.");
        case monitor::LockKind::ReadWrite:
            return LockText::tr("Its hash has a mode field, which only a read/write lock has.");
        case monitor::LockKind::Fenced:
            return LockText::tr(
                "Its token key exists, which only a fenced lock has. Each acquire takes the next token.");
        case monitor::LockKind::FasterMulti:
            return LockText::tr(
                "Its hash holds several values, each with an owner, a count and an expiry of its own, as the multi "
                "lock of Redisson 3.37 and later writes it. Values that have run out may still stand there.");
    }
    return {};
}

QString modeText(monitor::HoldMode mode) {
    switch (mode) {
        case monitor::HoldMode::Exclusive:
            return LockText::tr("exclusive");
        case monitor::HoldMode::Read:
            return LockText::tr("read");
        case monitor::HoldMode::Write:
            return LockText::tr("write");
    }
    return {};
}

QString modeText(const monitor::Holder& holder) {
    const QString mode = modeText(holder.mode);
    return holder.transaction.isEmpty()
               ? mode
               : LockText::tr("%1, transaction %2").arg(mode, QString::fromLatin1(holder.transaction));
}

QString holdersText(const monitor::LockSnapshot& lock, const HolderAliases& aliases) {
    if (lock.holders.isEmpty())
        return {};
    if (lock.holders.size() == 1)
        return holderText(lock.holders.front(), aliases);
    if (lock.isCut())
        return LockText::tr("%Ln readers: %1 and %2 more", nullptr, static_cast<int>(lock.holderCount()))
            .arg(holderText(lock.holders.front(), aliases), numberText(lock.holderCount() - 1));
    return LockText::tr("%Ln holders: %1, …", nullptr, static_cast<int>(lock.holders.size()))
        .arg(holderText(lock.holders.front(), aliases));
}

QString totalCountText(const monitor::LockSnapshot& lock) {
    if (!lock.isHeld())
        return {};
    const QString count = numberText(totalCount(lock));
    return lock.isCut() ? LockText::tr("%1+", "a count, or more").arg(count) : count;
}

qint64 totalCount(const monitor::LockSnapshot& lock) {
    const qint64 fewestOfTheRest = lock.holderCount() - lock.holders.size();
    return std::accumulate(lock.holders.begin(), lock.holders.end(), fewestOfTheRest,
                           [](qint64 sum, const monitor::Holder& holder) { return sum + holder.count; });
}

QString waitersText(const monitor::LockSnapshot& lock) {
    if (!lock.waiters)
        return {};
    const QString number = numberText(*lock.waiters);
    return lock.monitorsAmongWaiters > 0 ? LockText::tr("up to %1", "waiters").arg(number) : number;
}

qint64 queueLength(const monitor::LockSnapshot& lock) {
    return std::max<qint64>(lock.fairQueue.size(), lock.waiters.value_or(0));
}

QString heldSinceText(const monitor::LockRow& row, WallTime now) {
    if (!row.lock.isHeld())
        return {};
    const QString since = clockText(row.hold.sinceWall, now);
    return row.hold.isBeginSeen() ? since : LockText::tr("before %1").arg(since);
}

QString nodeText(const monitor::LockSnapshot& lock) {
    return lock.node ? lock.node->address : QString();
}

QString channelText(const monitor::LockSnapshot& lock) {
    const locks::LockKeys keys(lock.name);
    QByteArray channel = keys.channel;
    if (lock.kind == monitor::LockKind::ReadWrite)
        channel = keys.rwChannel;
    else if (!lock.fairQueue.isEmpty())
        channel = keys.fairWaiterChannel(lock.fairQueue.front().id);
    // Escaped like a lock's name, because it contains one.
    return plainName(LockName(channel));
}

QString eventText(monitor::EventType type) {
    switch (type) {
        case monitor::EventType::Found:
            return LockText::tr("Found");
        case monitor::EventType::Acquired:
            return LockText::tr("Acquired");
        case monitor::EventType::Reentered:
            return LockText::tr("Reentered");
        case monitor::EventType::ReleasedOnce:
            return LockText::tr("Released once");
        case monitor::EventType::Renewed:
            return LockText::tr("Renewed");
        case monitor::EventType::Released:
            return LockText::tr("Released");
        case monitor::EventType::Expired:
            return LockText::tr("Expired");
        case monitor::EventType::Deleted:
            return LockText::tr("Deleted");
        case monitor::EventType::HandedOver:
            return LockText::tr("Handed over");
        case monitor::EventType::Waiters:
            return LockText::tr("Waiters");
        case monitor::EventType::NotWatched:
            return LockText::tr("Not watched");
        case monitor::EventType::Swept:
            return LockText::tr("Swept");
        case monitor::EventType::Diagnosed:
            return LockText::tr("Diagnosis");
        case monitor::EventType::Gone:
            return LockText::tr("Gone");
        case monitor::EventType::Forced:
            return LockText::tr("Forced");
        case monitor::EventType::WaiterRemoved:
            return LockText::tr("Waiter removed");
        case monitor::EventType::WaitersWoken:
            return LockText::tr("Waiters woken");
        case monitor::EventType::ExpirySet:
            return LockText::tr("TTL set");
    }
    return {};
}

QString eventDetail(const monitor::LockEvent& event) {
    switch (event.type) {
        case monitor::EventType::Found:
        case monitor::EventType::Acquired:
        case monitor::EventType::Reentered:
        case monitor::EventType::ReleasedOnce:
            return listText({countDetail(event), leaseText(event.lock)});
        case monitor::EventType::Renewed:
            return leaseText(event.lock);
        case monitor::EventType::Released:
            return releaseDetail(event);
        case monitor::EventType::Expired:
            return LockText::tr("its lease ran out without a release");
        case monitor::EventType::Deleted:
            return LockText::tr("gone with time left and without a message");
        case monitor::EventType::HandedOver:
            return event.suspect ? LockText::tr("suspect: the last lease had time left and no release was received")
                                 : leaseText(event.lock);
        case monitor::EventType::Waiters:
            return event.lock.waiters ? LockText::tr("now %1").arg(waitersText(event.lock)) : QString();
        case monitor::EventType::NotWatched:
            return event.notWritten
                       ? LockText::tr("what was seen in the %1 before could not be written").arg(durationText(event.gap))
                       : LockText::tr("what happened in the %1 before is not known").arg(durationText(event.gap));
        case monitor::EventType::Swept:
            return LockText::tr("keys: %1, locks: %2")
                .arg(numberText(static_cast<qint64>(event.sweptKeys)),
                     numberText(static_cast<qint64>(event.sweptLocks)));
        case monitor::EventType::Diagnosed:
            return diagnosisDetail(event);
        case monitor::EventType::Gone:
            return LockText::tr("how it ended was not seen");
        case monitor::EventType::Forced:
            return LockText::tr("broken by this console");
        case monitor::EventType::WaiterRemoved:
        case monitor::EventType::WaitersWoken:
            return LockText::tr("by an operator");
        case monitor::EventType::ExpirySet:
            return listText({leaseText(event.lock), LockText::tr("by an operator")});
    }
    return {};
}

QString numberText(qint64 number) {
    return QLocale().toString(number);
}

LockName headOf(const LockName& name, qsizetype bytes) {
    if (name.bytes().size() <= bytes)
        return name;
    const QByteArrayView head = QByteArrayView(name.bytes()).first(bytes);
    qsizetype begin = bytes - 1;
    while (begin > 0 && begin > bytes - 4 && isContinuation(head[begin]))
        --begin;
    const bool isWhole = begin + lengthOfCharacter(head[begin]) <= bytes;
    return LockName(head.first(isWhole ? bytes : begin).toByteArray());
}

QString plainName(const LockName& name, qsizetype length) {
    // No character takes more than four bytes, so each half is long enough by itself.
    const qsizetype half = 4 * length;
    if (name.bytes().size() <= 2 * half)
        return shortened(name.display(), length);
    return shortened(headOf(name, half).display() + tailOf(name, half).display(), length);
}

QString fullName(const LockName& name) {
    return name.display();
}

QString listText(QStringList parts) {
    parts.removeAll(QString());
    return parts.join(LockText::tr(", ", "between two of a list"));
}

QString sentencesText(QStringList sentences) {
    sentences.removeAll(QString());
    return sentences.join(LockText::tr(" ", "between two sentences"));
}

QString shortened(const QString& text, qsizetype length) {
    if (text.size() <= length)
        return text;
    const qsizetype head = (length - 1) / 2;
    return text.first(head) + QChar(0x2026) + text.last(length - 1 - head);
}

QString withoutMnemonic(QString text) {
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

}  // namespace lockkeeper::ui
