// SPDX-License-Identifier: Apache-2.0
#include "soak/soakwords.h"
#include "soak/soakchecker.h"

#include "base/isotime.h"

namespace lockkeeper::soak {

QString wordsFor(Complaint complaint) {
    switch (complaint) {
        case Complaint::Unexplained:
            return QStringLiteral("events that nothing explains");
        case Complaint::Unseen:
            return QStringLiteral("lasting changes without an event");
        case Complaint::ReleaseUnseen:
            return QStringLiteral("releases without an event");
        case Complaint::GapTooShort:
            return QStringLiteral("changes before a gap, not seen");
        case Complaint::GapWithoutReason:
            return QStringLiteral("gaps without a lost connection");
        case Complaint::WrongCount:
            return QStringLiteral("wrong counts of releases");
        case Complaint::EventsLost:
            return QStringLiteral("events dropped by the watch");
        case Complaint::WrongAtEnd:
            return QStringLiteral("locks known wrongly at the end");
        case Complaint::LogContradictory:
            return QStringLiteral("contradictions in the log itself");
    }
    return {};
}

QString textOf(const std::optional<Hold>& hold) {
    return hold ? QStringLiteral("%1 x%2").arg(hold->holder.display().right(6)).arg(hold->count)
                : QStringLiteral("free");
}

QString textOf(Span span) {
    return isoTime(span.from).mid(11) + QLatin1Char('-') + isoTime(span.to).mid(17);
}

QString textOf(const LockPast& past, WallTime at) {
    static constexpr std::array causes{"changed", "released", "removed", "expired", "read"};
    constexpr size_t around = 5;
    size_t middle = past.first();
    while (middle < past.end() && past.state(middle).began.to < at)
        ++middle;
    QStringList states;
    for (size_t number = std::max(past.first() + around, middle) - around;
         number < std::min(past.end(), middle + around); ++number) {
        const LockPast::State& state = past.state(number);
        const QString until = state.hold ? QStringLiteral(" until ") + textOf(state.leaseEnds) : QString();
        states += QStringLiteral("%1%2 %3%4 at %5")
                      .arg(state.isCertain ? QString() : QStringLiteral("perhaps "),
                           QLatin1String(causes[static_cast<size_t>(state.cause)]), textOf(state.hold), until,
                           textOf(state.began));
    }
    return states.join(QStringLiteral("; "));
}

QString textOf(const Reading& reading) {
    QStringList events;
    for (const Reading::Event& event : reading.events)
        events += monitor::wordFor(event.type) +
                  (event.holder ? QLatin1Char(' ') + event.holder->display().right(6) : QString()) +
                  (event.suspect ? QStringLiteral(" suspect") : QString());
    return QStringLiteral("%1 at %2 (%3, ttl %4, gap %5)")
        .arg(events.join(QLatin1Char('+')), isoTime(reading.at).mid(11), textOf(reading.hold))
        .arg(reading.ttl ? static_cast<qint64>(reading.ttl->count()) : -1)
        .arg(static_cast<qint64>(reading.gap.count()));
}

QString textOf(const std::deque<Reading>& readings, WallTime at) {
    constexpr std::ptrdiff_t around = 2;
    const auto middle = readAt(readings, at);
    QStringList texts;
    for (auto reading = middle - std::min(around, middle - readings.begin());
         reading != middle + std::min(around, readings.end() - middle); ++reading)
        texts += textOf(*reading);
    return texts.isEmpty() ? QStringLiteral("none") : texts.join(QStringLiteral("; "));
}

}  // namespace lockkeeper::soak
