// SPDX-License-Identifier: Apache-2.0
#include "ui/words/locktext.h"

#include "monitor/model/internallock.h"

#include "locks/lockkeys.h"
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
    if (holder.mode == monitor::HoldMode::Exclusive && !holder.transaction)
        return aliases.display(holder.id);
    return LockText::tr("%1 (%2)").arg(aliases.display(holder.id), modeText(holder));
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
    return std::max<qint64>(queued, lock.certainWaiters());
}

bool isIdle(const monitor::LockSnapshot& lock) {
    return !lock.isHeld() && !lock.isWaitedFor();
}

LockState lockState(const monitor::LockSnapshot& lock, Ownership ownership) {
    if (!lock.isHeld())
        return lock.isWaitedFor() ? LockState::WaitedFor : LockState::Free;
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

QString otherProgramText() {
    return LockText::tr("Other program");
}

QString kindTextOf(const monitor::LockSnapshot& lock) {
    return lock.isOfOtherProgram() ? otherProgramText() : kindText(lock.kind);
}

QString internalText(const LockName& name) {
    const std::optional<monitor::InternalLock> internal = monitor::InternalLock::parse(name);
    if (!internal)
        return {};
    const QString object = plainName(internal->object);
    switch (internal->of) {
        case monitor::InternalLock::Of::SortedSet:
            return LockText::tr("Redisson's own: the lock of the priority queue or sorted set %1.").arg(object);
        case monitor::InternalLock::Of::Entry:
            return LockText::tr("Redisson's own: the lock of a key of the map, or of a value of the set, %1.")
                .arg(object);
    }
    return {};
}

namespace {

// The mode is a field beside the holders.
QString otherProgramExplanation(const monitor::LockSnapshot& lock) {
    const QList<monitor::LockField> fields = lock.otherProgram();
    const auto mode = std::ranges::find(fields, QByteArray("mode"), &monitor::LockField::name);
    const QString held = LockText::tr(
        "Another program holds it: its keys are those of a Redisson lock, but its holders or its mode are none of "
        "Redisson's. How it renews and releases its locks is not known, so nothing is concluded from its lease.");
    return mode == fields.end()
               ? held
               : sentencesText({held, LockText::tr("Its mode: %1.").arg(plainName(LockName(mode->value), shortName))});
}

}  // namespace

QString kindExplanation(const monitor::LockSnapshot& lock) {
    if (lock.isOfOtherProgram())
        return otherProgramExplanation(lock);
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
    return holder.transaction ? LockText::tr("%1, transaction %2").arg(mode, QString::fromLatin1(*holder.transaction))
                              : mode;
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

QString heldForText(const monitor::LockRow& row, Milliseconds heldFor) {
    if (!row.lock.isHeld())
        return {};
    const QString time = countText(heldFor);
    return row.hold.isBeginSeen() ? time : LockText::tr("over %1", "held for longer than this time").arg(time);
}

QString seenBeforeText(const monitor::Hold& hold, const WriteTime& clock) {
    if (!hold.seenBefore)
        return {};
    const monitor::SeenBefore& before = *hold.seenBefore;
    const QString from = clock(before.unwatchedFrom);
    const QString to = clock(before.unwatchedTo);
    if (before.gaps == 1)
        return LockText::tr("The same holder and count since %1; not watched from %2 to %3")
            .arg(clock(before.since), from, to);
    return LockText::tr("The same holder and count since %1; not watched at times between %2 and %3")
        .arg(clock(before.since), from, to);
}

QString nodeText(const monitor::LockSnapshot& lock) {
    return lock.node ? lock.node->address : QString();
}

QString channelText(const monitor::LockSnapshot& lock) {
    const locks::LockKeys keys(lock.name);
    QByteArray channel = keys.channel();
    if (lock.kind == monitor::LockKind::ReadWrite)
        channel = keys.rwChannel();
    else if (!lock.fairQueue.isEmpty())
        channel = keys.fairWaiterChannel(lock.fairQueue.front().id);
    // Escaped like a lock's name, because it contains one.
    return plainName(LockName(channel));
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
