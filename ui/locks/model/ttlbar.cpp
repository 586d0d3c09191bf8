// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/ttlbar.h"

#include "ui/words/shorttext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

struct TtlText {
    Q_DECLARE_TR_FUNCTIONS(TtlText)
};

double fractionOf(Milliseconds left, Milliseconds full) {
    return full > 0ms ? std::clamp(static_cast<double>(left.count()) / static_cast<double>(full.count()), 0.0, 1.0)
                      : 0.0;
}

QString wasText(const QString& left) {
    return TtlText::tr("was %1").arg(left);
}

QString neverText() {
    return TtlText::tr("never expires");
}

QString shortNeverText() {
    return TtlText::tr("never", "it expires");
}

QString hadRunOutText() {
    return TtlText::tr("had run out");
}

QString runningOutText() {
    return TtlText::tr("running out");
}

// Nobody reads an unread lock: what is left is known only as of the last read.
std::optional<Milliseconds> shownTimeLeft(const monitor::LockRow& row, const ViewTime& session) {
    return timeLeft(row, row.isUnread ? row.lock.seenAt : session.of(row.lock).moment());
}

}  // namespace

std::optional<Milliseconds> timeLeft(const monitor::LockRow& row, SteadyTime moment) {
    if (!row.lock.isHeld() || !row.lock.expiry)
        return std::nullopt;
    return std::max(toMilliseconds(row.lock.expiry->earliest - moment), 0ms);
}

QString longestTtlText() {
    return wasText(countText(59min + 59s));
}

QStringList longestTtlTexts() {
    return {longestTtlText(), neverText(), hadRunOutText(), runningOutText()};
}

QStringList longestShortTtlTexts() {
    return {shortCountText(59min), shortNeverText()};
}

QString longestShortOldTtlText() {
    return wasText(shortCountText(59min));
}

QString shortTtlText(const monitor::LockRow& row, const ViewTime& session) {
    const TtlBar bar = ttlBar(row, session);
    if (bar.kind == TtlBar::Kind::NeverExpires)
        return shortNeverText();
    const std::optional<Milliseconds> left = shownTimeLeft(row, session);
    if (!left)
        return bar.text;
    return bar.kind == TtlBar::Kind::Frozen ? wasText(shortCountText(*left)) : shortCountText(*left);
}

TtlBar ttlBar(const monitor::LockRow& row, const ViewTime& session) {
    const ViewTime& time = session.of(row.lock);
    if (row.lock.neverExpires())
        return {TtlBar::Kind::NeverExpires, 0, neverText()};
    const bool isLive = time.isLive() && !row.isUnread;
    const std::optional<Milliseconds> left = shownTimeLeft(row, session);
    if (!left)
        return {};
    const double fraction = fractionOf(*left, std::max(row.hold.peakTtl, row.lock.ttl.value_or(0ms)));
    if (!isLive && *left == 0ms)
        return {TtlBar::Kind::Frozen, 0, hadRunOutText()};
    if (!isLive)
        return {TtlBar::Kind::Frozen, fraction, wasText(countText(*left))};
    if (*left == 0ms)
        return {TtlBar::Kind::RunOut, 0, runningOutText()};
    return {TtlBar::Kind::Running, fraction, countText(*left)};
}

}  // namespace lockkeeper::ui
