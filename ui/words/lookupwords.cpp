// SPDX-License-Identifier: Apache-2.0
#include "ui/words/lookupwords.h"

#include "monitor/format/lookuptext.h"
#include "ui/words/causetext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lockkeeper::ui {

using namespace monitor;

namespace {

struct LookupWords {
    Q_DECLARE_TR_FUNCTIONS(LookupWords)
};

constexpr size_t gapsNamed = 3;

QString whomText(const LookupSubject& subject, const HolderAliases& aliases) {
    if (const HolderId* holder = subject.holder())
        return LookupWords::tr("Thread %1 of client %2")
            .arg(QString::number(static_cast<qint64>(holder->thread())), aliases.fullDisplay(holder->client()));
    if (const auto* client = std::get_if<ClientId>(&subject.whom))
        return LookupWords::tr("Client %1, any thread").arg(aliases.fullDisplay(*client));
    return LookupWords::tr("Lock %1").arg(plainName(std::get<LockName>(subject.whom), shortName));
}

// The last of the holds that ended before the error; without an error, the last that ended.
const PastHold* lastEnded(const LookupReport& report) {
    const WallTime before = report.subject.at.value_or(report.now);
    const PastHold* last = nullptr;
    for (const PastHold& hold : report.holds) {
        if (!hold.isOpen() && hold.to <= before && (!last || hold.to > last->to))
            last = &hold;
    }
    return last;
}

QString presentText(const LookupReport& report) {
    const auto open = static_cast<size_t>(std::ranges::count_if(report.holds, &PastHold::isOpen));
    if (std::holds_alternative<LockName>(report.subject.whom))
        return open == 0 ? LookupWords::tr("Nobody is known to hold it.")
                         : LookupWords::tr("Holders now: %Ln.", nullptr, static_cast<int>(open));
    if (open == 0)
        return LookupWords::tr("It is not known to hold any lock.");
    return LookupWords::tr("It holds %Ln lock(s).", nullptr, static_cast<int>(open));
}

QString oldText(const LookupReport& report, const LookupLimits& limits) {
    const auto isOld = [&](const PastHold& hold) { return hold.isOpen() && limits.oldLocks.contains(hold.lock); };
    const auto old = static_cast<int>(std::ranges::count_if(report.holds, isOld));
    return old == 0 ? QString()
                    : LookupWords::tr("As last seen: %Ln of them, on a node that cannot be reached.", nullptr, old);
}

QString pastText(const LookupReport& report) {
    const PastHold* last = lastEnded(report);
    if (!last)
        return LookupWords::tr("No earlier hold of it was seen.");
    const QString text = report.subject.at ? LookupWords::tr("The last one that ended before the error: %1, at %2: %3.")
                                           : LookupWords::tr("The last one that ended: %1, at %2: %3.");
    return text.arg(plainName(last->lock, shortName), clockText(last->to, report.now), holdEndText(last->end));
}

QString gapsText(const LookupReport& report) {
    if (report.gaps.empty())
        return {};
    QStringList gaps;
    for (size_t i = 0; i < std::min(report.gaps.size(), gapsNamed); ++i)
        gaps << LookupWords::tr("from %1 to %2")
                    .arg(clockText(report.gaps[i].from, report.now), clockText(report.gaps[i].to, report.now));
    const QString all = listText(gaps);
    const int more = static_cast<int>(report.gaps.size()) - static_cast<int>(gaps.size());
    return more > 0 ? LookupWords::tr("Not watched: %1, and %Ln more time(s).", nullptr, more).arg(all)
                    : LookupWords::tr("Not watched: %1.").arg(all);
}

}  // namespace

QString subjectText(const LookupSubject& subject, const HolderAliases& aliases, WallTime now) {
    const QString whom = whomText(subject, aliases);
    if (subject.occasion == LookupOccasion::Mentioned)
        return whom;
    return subject.at ? LookupWords::tr("%1: its unlock failed at %2").arg(whom, clockText(*subject.at, now))
                      : LookupWords::tr("%1: its unlock failed").arg(whom);
}

QString holdEndText(HoldEnd end) {
    switch (end) {
        case HoldEnd::StillHeld:
            return LookupWords::tr("held");
        case HoldEnd::Released:
            return LookupWords::tr("released, or forced");
        case HoldEnd::Expired:
            return LookupWords::tr("expired");
        case HoldEnd::Deleted:
            return LookupWords::tr("deleted without a message");
        case HoldEnd::HandedOver:
            return LookupWords::tr("released or expired; another took it");
        case HoldEnd::TakenOver:
            return LookupWords::tr("another held it, and no release was seen");
        case HoldEnd::Gone:
            return LookupWords::tr("not seen how");
        case HoldEnd::NotWatched:
            return LookupWords::tr("still held when watching stopped");
    }
    return {};
}

QString lookupHeadline(const LookupReport& report, const LookupLimits& limits) {
    if (report.holds.empty() && report.ofOthers.empty())
        return LookupWords::tr("Nothing is known of it: it was not seen with any lock while the server was watched.");
    return sentencesText({presentText(report), oldText(report, limits), pastText(report)});
}

QString lookupLimitsText(const LookupReport& report, const LookupLimits& limits) {
    QStringList sentences;
    if (!limits.isLive)
        sentences << LookupWords::tr("Not connected: as last seen at %1.").arg(clockText(report.now, report.now));
    if (!report.isTimeKnown)
        sentences << LookupWords::tr(
            "At the time of the failure nothing was watched, so nothing is known of that moment.");
    if (report.knownFrom)
        sentences << LookupWords::tr("Known from %1 on.").arg(clockText(*report.knownFrom, report.now));
    sentences << gapsText(report);
    if (report.holdsLeftOut > 0)
        sentences << LookupWords::tr("Older holds left out: %Ln.", nullptr, static_cast<int>(report.holdsLeftOut));
    if (!limits.isComplete)
        sentences << LookupWords::tr("The disk holds more than was read.");
    if (!limits.isKept)
        sentences << LookupWords::tr(
            "This session is not kept on disk; of it only the events in this window are known.");
    if (limits.error)
        sentences << LookupWords::tr("The history on disk could not be read: %1.").arg(reasonText(*limits.error));
    if (limits.textCut)
        sentences << LookupWords::tr("Of the text only the first %Ln characters were read.", nullptr,
                                     static_cast<int>(longestLookupText));
    if (std::ranges::any_of(report.holds, [](const PastHold& hold) { return hold.end == HoldEnd::Released; }))
        sentences << LookupWords::tr("A force that notifies the waiters looks like a release.");
    sentences << LookupWords::tr("What comes and goes between two reads is not seen.");
    return sentencesText(sentences);
}

}  // namespace lockkeeper::ui
