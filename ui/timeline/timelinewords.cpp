// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinewords.h"

#include "ui/words/diagnosistext.h"
#include "ui/words/eventtext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct TimelineText {
    Q_DECLARE_TR_FUNCTIONS(TimelineText)
};

}  // namespace

QString TimelineWords::begin(const Hold& hold) const {
    const QString at = preciseClockText(hold.from, m_today);
    return hold.begin == Seen::Yes ? TimelineText::tr("since %1").arg(at) : TimelineText::tr("since before %1").arg(at);
}

QString TimelineWords::length(const Bar& bar) const {
    const Hold& hold = bar.first;
    const QString duration = durationText(toMilliseconds((bar.isOpen ? m_present : hold.to) - hold.from));
    if (bar.isOpen)
        return TimelineText::tr("for %1, and still held").arg(duration);
    const bool whole = hold.begin == Seen::Yes && hold.end == Seen::Yes;
    return whole ? TimelineText::tr("for %1").arg(duration) : TimelineText::tr("watched for %1").arg(duration);
}

QString TimelineWords::bar(const Bar& bar) const {
    if (bar.holds > 1)
        return TimelineText::tr("%Ln holds, too short to be told apart here: zoom in", nullptr, bar.holds);
    const Hold& hold = bar.first;
    const QString holder = m_aliases.fullDisplay(hold.holder);
    QStringList lines{hold.mode == monitor::HoldMode::Exclusive
                          ? holder
                          : TimelineText::tr("%1 (%2)").arg(holder, modeText(hold.mode)),
                      begin(hold), length(bar)};
    lines << TimelineText::tr("%Ln renewal(s) seen", nullptr, static_cast<int>(hold.renewals));
    if (hold.deepest > 1)
        lines << TimelineText::tr("reentry count up to %1").arg(numberText(hold.deepest));
    if (hold.end == Seen::No && !bar.isOpen)
        lines << TimelineText::tr("how it ended was not watched");
    return lines.join(QLatin1Char('\n'));
}

QString TimelineWords::mark(const Mark& mark) const {
    const QString event = TimelineText::tr("%1 %2", "a time and an event")
                              .arg(preciseClockText(mark.last.at, m_today), eventText(mark.last.type));
    return mark.events == 1 ? event : TimelineText::tr("%1 and %Ln more", nullptr, mark.events - 1).arg(event);
}

QString TimelineWords::label(const Moment& moment) {
    switch (moment.type) {
        case monitor::EventType::Expired:
            return TimelineText::tr("expired");
        case monitor::EventType::Deleted:
            return TimelineText::tr("deleted");
        case monitor::EventType::Forced:
            return TimelineText::tr("forced");
        case monitor::EventType::WaiterRemoved:
            return TimelineText::tr("waiter removed");
        case monitor::EventType::ThreadSeen:
            return TimelineText::tr("thread dump");
        case monitor::EventType::WaitersWoken:
            return TimelineText::tr("woken");
        case monitor::EventType::ExpirySet:
            return TimelineText::tr("TTL set");
        case monitor::EventType::HandedOver:
            return moment.suspect ? TimelineText::tr("suspect") : QString();
        case monitor::EventType::Diagnosed:
            return moment.diagnosis ? diagnosisTitle(*moment.diagnosis) : QString();
        default:
            return {};
    }
}

QString TimelineWords::lanes(int shown, int all) {
    return shown < all ? TimelineText::tr("%1 of %2 locks").arg(numberText(shown), numberText(all)) : QString();
}

QString TimelineWords::kind(MarkKind kind) {
    switch (kind) {
        case MarkKind::Taken:
            return TimelineText::tr("Acquired, found or handed over");
        case MarkKind::Left:
            return TimelineText::tr("Released");
        case MarkKind::Lost:
            return TimelineText::tr("Expired, deleted, forced, or gone");
        case MarkKind::Renewed:
            return TimelineText::tr("Renewed");
        case MarkKind::Count:
            return TimelineText::tr("Reentered, released once, or a thread dump");
        case MarkKind::Doubtful:
            return TimelineText::tr("A diagnosis, or a suspect hand-over");
    }
    return {};
}

QString TimelineWords::gap() const {
    return TimelineText::tr("Not watched: what happened here is not known.");
}

QString TimelineWords::at(const LaneGeometry& lane, int column, const Mark* mark, const Bar* bar) const {
    if (std::ranges::any_of(lane.gaps, [column](const Columns& gap) { return gap.contains(column); }))
        return gap();
    QStringList lines;
    if (mark)
        lines << this->mark(*mark);
    if (bar)
        lines << this->bar(*bar);
    return lines.join(QLatin1Char('\n'));
}

QString emptyTimelineText(const ViewTime& time) {
    return time.isLive() ? TimelineText::tr("No lock was held in this time.")
                         : TimelineText::tr(
                               "Once connected, each busy lock gets a lane here that shows who held it, and for how "
                               "long.");
}

}  // namespace lockkeeper::ui
