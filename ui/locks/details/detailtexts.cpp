// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/details/detailtexts.h"

#include "ui/locks/model/ttlbar.h"
#include "ui/words/locktext.h"
#include "ui/words/threadtext.h"
#include "ui/words/timetext.h"
#include "ui/words/waitstext.h"

#include <QCoreApplication>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

// A lock with more readers or waiters than anybody reads through is shown by its first ones and their number.
constexpr qsizetype holdersAtMost = 100;

template <typename List, typename Line>
QString joinedLines(const List& list, Line line, qint64 notInList = 0) {
    QStringList lines;
    for (qsizetype i = 0; i < std::min<qsizetype>(list.size(), holdersAtMost); ++i)
        lines << line(list[i], i);
    const qint64 more = list.size() - std::ssize(lines) + notInList;
    if (more > 0)
        lines << DetailTexts::tr("and %Ln more", nullptr, static_cast<int>(more));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

QString DetailTexts::holders() const {
    const monitor::LockSnapshot& lock = m_row.lock;
    const QString lines = joinedLines(
        lock.holders,
        [this](const monitor::Holder& holder, qsizetype) {
            return tr("%1\n  %2").arg(m_aliases.fullDisplay(holder.id), holderText(holder));
        },
        lock.holderCount() - lock.holders.size());
    return lock.isCut() ? tr("%Ln readers, too many to read them all", nullptr, static_cast<int>(lock.holderCount())) +
                              QLatin1Char('\n') + lines
                        : lines;
}

QString DetailTexts::threads() const {
    return joinedLines(*m_row.threads,
                       [this](const monitor::ThreadVerdict& verdict, qsizetype) { return threadText(verdict); });
}

QString DetailTexts::threadText(const monitor::ThreadVerdict& verdict) const {
    const WallTime now = m_time.wallNow();
    const QString text = verdictText(verdict, [now](WallTime at) {
        const QString time = clockText(at, now);
        const Milliseconds age = std::chrono::duration_cast<Milliseconds>(now - at);
        return age > 0ms ? tr("%1 (%2 ago)").arg(time, durationText(age)) : time;
    });
    QStringList lines{QStringLiteral("%1: %2").arg(m_aliases.display(verdict.id), text)};
    const monitor::DumpedThread* thread = verdict.thread();
    const bool tellsNothing = verdict.taken == monitor::TakenWhen::BeforeHold;
    if (thread && !tellsNothing) {
        for (const QString& line : stackLines(*thread))
            lines << QStringLiteral("    ") + line;
    }
    return lines.join(QLatin1Char('\n'));
}

// For a reader, the text also says when each of its leases ends: the lock itself expires with the last of all leases.
QString DetailTexts::holderText(const monitor::Holder& holder) const {
    const monitor::LockSnapshot& lock = m_row.lock;
    const QString mode = modeText(holder);
    const QString count = numberText(holder.count);
    if (holder.mode != monitor::HoldMode::Read)
        return tr("%1, count %2").arg(mode, count);
    const bool writes = std::any_of(lock.holders.begin(), lock.holders.end(), [&](const monitor::Holder& other) {
        return other.mode == monitor::HoldMode::Write && other.id == holder.id;
    });
    const QString ends = listText(leaseEnds(holder));
    if (ends.isEmpty())
        return writes ? tr("%1, count %2, the writer itself").arg(mode, count) : tr("%1, count %2").arg(mode, count);
    return writes ? tr("%1, count %2, the writer itself; by its own leases until %3").arg(mode, count, ends)
                  : tr("%1, count %2; by its own leases until %3").arg(mode, count, ends);
}

QStringList DetailTexts::leaseEnds(const monitor::Holder& reader) const {
    const monitor::LockSnapshot& lock = m_row.lock;
    QStringList ends;
    for (const monitor::ReadLease& lease : lock.readLeases()) {
        if (lease.reader != reader.id || lease.hold > reader.count || ends.size() >= holdersAtMost)
            continue;
        ends += lease.expiry ? clockText(lock.seenAtWall + toMilliseconds(lease.expiry->earliest - lock.seenAt),
                                         m_time.wallNow())
                             : tr("never");
    }
    return ends;
}

QString DetailTexts::values() const {
    return joinedLines(m_row.lock.values(), [this](const monitor::HeldValue& held, qsizetype) {
        const QString value = plainName(LockName(held.value));
        const QString owner = m_aliases.fullDisplay(held.owner);
        const QString count = numberText(held.count);
        return held.expires ? tr("%1\n  %2, count %3, until %4")
                                  .arg(value, owner, count, clockText(*held.expires, m_time.wallNow()))
                            : tr("%1\n  %2, count %3, end not known").arg(value, owner, count);
    });
}

QString DetailTexts::since() const {
    if (!m_row.lock.isHeld())
        return {};
    const QString age = countText(toMilliseconds(m_time.moment() - m_row.hold.since));
    const QString since = clockText(m_row.hold.sinceWall, m_time.wallNow());
    if (m_row.hold.isBeginSeen())
        return tr("%1 (for %2)").arg(since, age);
    const QString atLeast = tr("At least since %1 (%2 or longer)").arg(since, age);
    const WallTime now = m_time.wallNow();
    const QString before = seenBeforeText(m_row.hold, [now](WallTime at) { return clockText(at, now); });
    return before.isEmpty() ? atLeast : atLeast + u'\n' + before;
}

QString DetailTexts::lease() const {
    const TtlBar bar = ttlBar(m_row, m_time);
    const QString peak = durationText(m_row.hold.peakTtl);
    switch (bar.kind) {
        case TtlBar::Kind::None:
            return {};
        case TtlBar::Kind::Running:
            return tr("Ends in %1 unless renewed; the longest TTL seen was %2").arg(bar.text, peak);
        case TtlBar::Kind::RunOut:
            return tr("Has expired by the clock; the server has not confirmed it yet");
        case TtlBar::Kind::NeverExpires:
            return tr("None: it never expires");
        case TtlBar::Kind::Frozen:
            return tr("%1 were left when the server last answered; the longest TTL seen was %2")
                .arg(countText(timeLeft(m_row, m_time.moment()).value_or(0ms)), peak);
    }
    return {};
}

QString DetailTexts::renewals() const {
    if (!m_row.lock.isHeld())
        return {};
    if (m_row.hold.renewals == 0)
        return tr("None");
    const QString age = countText(toMilliseconds(m_time.moment() - m_row.hold.lastRenewal));
    return tr("%Ln renewal(s), the last %1 ago", nullptr, static_cast<int>(m_row.hold.renewals)).arg(age);
}

// Of clients that only a count shows, also since when: who they are is not known, nor which of them got in.
QString DetailTexts::waiters() const {
    const QString since = clientsSinceText(*m_row.waits, m_time.wallNow());
    if (since.isEmpty())
        return waitersNow();
    return QStringList{waitersNow(), since,
                       tr("By counts of those who listen: who they are is not known, nor which of them got in.")}
        .join(u'\n');
}

QString DetailTexts::waitersNow() const {
    const int queued = static_cast<int>(queueLength(m_row.lock));
    const QList<monitor::FairWaiter>& queue = m_row.lock.fairQueue;
    if (!queue.isEmpty() && m_row.deadWaiters().contains(queue.first()))
        return tr("%Ln queued; the head of the queue is dead, so a release wakes nobody", nullptr, queued);
    if (!queue.isEmpty())
        return tr("%Ln queued; a release wakes the head of the queue", nullptr, queued);
    if (!m_row.lock.waiters)
        return tr("Not known");
    if (*m_row.lock.waiters == 0)
        return tr("None");
    if (m_row.lock.monitorsAmongWaiters > 0)
        return tr("Up to %Ln client instance(s); other monitors that are connected may be among them", nullptr,
                  static_cast<int>(*m_row.lock.waiters));
    return tr("%Ln client instance(s); each may stand for several threads", nullptr,
              static_cast<int>(*m_row.lock.waiters));
}

QString DetailTexts::otherQueue() const {
    const monitor::QueueFacts& facts = *m_row.queueFacts;
    if (facts.queueOf)
        return sentencesText({tr("These clients wait for the lock %1.").arg(plainName(*facts.queueOf)),
                              tr("Redisson before 3.52 with a NameMapper keeps its queue under this name.")});
    if (!facts.unmapped)
        return {};
    return tr("Clients of Redisson before 3.52 with a NameMapper wait in a queue under the name %1:")
               .arg(plainName(facts.unmapped->name)) +
           u'\n' + queueText(facts.unmapped->waiters);
}

QString DetailTexts::queueText(const QList<monitor::FairWaiter>& queue) const {
    return joinedLines(queue, [this](const monitor::FairWaiter& waiter, qsizetype place) {
        const QString number = numberText(place + 1);
        const QString id = m_aliases.fullDisplay(waiter.id);
        return waiter.deadline ? tr("%1. %2\n  until %3 by the server's clock")
                                     .arg(number, id, clockText(*waiter.deadline, m_time.wallNow()))
                               : tr("%1. %2\n  deadline not known").arg(number, id);
    });
}

namespace {

struct Conclusions {
    Q_DECLARE_TR_FUNCTIONS(Conclusions)
};

bool isShared(const monitor::LockSnapshot& lock) {
    return std::ranges::any_of(lock.holders,
                               [](const monitor::Holder& holder) { return holder.mode == monitor::HoldMode::Read; });
}

// Each client renews the whole of a read lock, and one before Redisson 4.4 the timeout keys of all readers, too.
QString renewedConclusion(const monitor::LockRow& row, SteadyTime moment) {
    const QString age = countText(toMilliseconds(moment - row.hold.lastRenewal));
    if (row.lock.isOfOtherProgram())
        return Conclusions::tr("Its TTL went up %1 ago. What that says about the holder is not known.").arg(age);
    if (isShared(row.lock))
        return Conclusions::tr(
                   "Its lease was renewed %1 ago: a client that reads was alive then. This proves nothing about a "
                   "certain reader: clients before Redisson 4.4 renew the leases of all readers, dead ones, too.")
            .arg(age);
    if (row.lock.holders.size() != 1)
        return Conclusions::tr(
                   "Its lease has been renewed: the client of one of its holders was alive %1 ago. Whether its "
                   "worker makes progress is not known.")
            .arg(age);
    return Conclusions::tr(
               "Its lease has been renewed: the holder's client was alive %1 ago. Whether its worker makes "
               "progress is not known.")
        .arg(age);
}

// The diagnoses decide whether a lease that nobody renewed means anything.
QString unrenewedConclusion(const monitor::LockRow& row) {
    if (row.lock.isOfOtherProgram())
        return Conclusions::tr("Another program holds it: whether and when it renews its locks is not known.");
    if (row.lock.holders.size() != 1 || !row.diagnoses.isEmpty())
        return {};
    return Conclusions::tr(
        "No renewal seen yet in this hold. That alone proves nothing so far: a watchdog renews about every third of "
        "its timeout, a fixed lease is never renewed. The keys do not show which it is.");
}

QString renewalConclusion(const monitor::LockRow& row, SteadyTime moment) {
    return row.hold.renewals > 0 ? renewedConclusion(row, moment) : unrenewedConclusion(row);
}

// What this console holds, it knows: nothing is guessed from the TTL.
QString ownConclusion(OwnLease own) {
    switch (own) {
        case OwnLease::None:
            break;
        case OwnLease::Renewed:
            return Conclusions::tr(
                "This console holds it, and renews its lease while this program runs and is connected.");
        case OwnLease::Fixed:
            return Conclusions::tr(
                "This console holds it with a fixed lease: nothing renews it. It ends by itself unless you release it "
                "before.");
        case OwnLease::Quarantine:
            return Conclusions::tr(
                "This console holds it in quarantine: nothing renews it. At the end of its time this console releases "
                "it and wakes the waiters.");
    }
    return {};
}

QString freeConclusion(const monitor::LockSnapshot& lock) {
    if (!lock.fairQueue.isEmpty())
        return Conclusions::tr(
            "It is free, yet its queue is not empty: only the head of the queue may take it, until its deadline "
            "passes.");
    if (lock.certainWaiters() > 0)
        return Conclusions::tr(
            "It is free, yet clients still wait for it: they may be about to take it, or asleep because no release was "
            "announced.");
    return Conclusions::tr("It was free when it was last read.");
}

}  // namespace

QStringList conclusions(const monitor::LockRow& row, const ViewTime& time, OwnLease own) {
    QStringList sentences;
    if (!time.isLive())
        sentences << Conclusions::tr("Old: not connected, so nothing after %1 is known; the text below is from then.")
                         .arg(clockText(time.wallMoment(), time.wallNow()));
    if (!row.lock.isHeld()) {
        sentences << freeConclusion(row.lock);
        return sentences;
    }
    if (own != OwnLease::None)
        sentences << ownConclusion(own);
    else if (timeLeft(row, time.moment()))
        sentences << renewalConclusion(row, time.moment());
    if (!row.hold.isBeginSeen())
        sentences << Conclusions::tr("It was already held when it was first read: since when is not known.");
    sentences.removeAll(QString());
    return sentences;
}

}  // namespace lockkeeper::ui
