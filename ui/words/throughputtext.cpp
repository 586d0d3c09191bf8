// SPDX-License-Identifier: Apache-2.0
#include "ui/words/throughputtext.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QLocale>

namespace lockkeeper::ui {

using monitor::Throughput;

namespace {

struct ThroughputText {
    Q_DECLARE_TR_FUNCTIONS(ThroughputText)
};

QString perSecondText(double number) {
    constexpr double whole = 10;
    return QLocale().toString(number, 'f', number < whole ? 1 : 0);
}

QString countedText(const Throughput& throughput) {
    const QString releases = perSecondText(throughput.perSecond(throughput.releases));
    const QString acquisitions = perSecondText(throughput.perSecond(throughput.acquisitions));
    if (throughput.counting == Throughput::Releases::Counted)
        return ThroughputText::tr("Releases a second, counted by their messages: %1; as many acquisitions")
            .arg(releases);
    return ThroughputText::tr(
               "Acquisitions a second: at least %1; releases with a message: %2; some releases have no message")
        .arg(acquisitions, releases);
}

// A sample gives a range; without enough of it nothing is said.
QString shareText(const Throughput& throughput) {
    if (!throughput.heldShare)
        return {};
    const QString atLeast = QLocale().toString(throughput.heldShare->atLeast * 100, 'f', 0);
    const QString atMost = QLocale().toString(throughput.heldShare->atMost * 100, 'f', 0);
    if (atLeast == atMost)
        return ThroughputText::tr("Held %1 % of the time, by %Ln read(s)", nullptr, throughput.reads).arg(atLeast);
    return ThroughputText::tr("Held %1 to %2 % of the time, by a sample of %Ln read(s)", nullptr, throughput.reads)
        .arg(atLeast, atMost);
}

// Lengths are cut to whole milliseconds, so each hold took less than this.
QString boundText(Milliseconds hold) {
    return durationText(hold + Milliseconds(1));
}

QString holdsText(const Throughput& throughput) {
    if (!throughput.median)
        return {};
    const QString median = boundText(*throughput.median);
    if (!throughput.ninetyNinth)
        return ThroughputText::tr("Half of the holds take less than %1, by a sample of %Ln hold(s)", nullptr,
                                  throughput.holds)
            .arg(median);
    return ThroughputText::tr("Half of the holds take less than %1, and 99 % less than %2, by a sample of %Ln hold(s)",
                              nullptr, throughput.holds)
        .arg(median, boundText(*throughput.ninetyNinth));
}

}  // namespace

QString rateText(const Throughput& throughput) {
    const bool counted = throughput.counting == Throughput::Releases::Counted;
    const QString rate = perSecondText(throughput.perSecond(counted ? throughput.releases : throughput.acquisitions));
    return counted ? ThroughputText::tr("%1/s").arg(rate) : ThroughputText::tr("≥ %1/s").arg(rate);
}

QString throughputText(const Throughput& throughput, WallTime now) {
    const QString seconds =
        ThroughputText::tr("In the %1 up to %2").arg(countText(throughput.window), clockText(throughput.until, now));
    QStringList lines{countedText(throughput), shareText(throughput), holdsText(throughput), seconds};
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui
