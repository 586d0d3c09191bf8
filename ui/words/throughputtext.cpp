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
        return ThroughputText::tr("%1 releases a second, counted by their messages; as many acquisitions")
            .arg(releases);
    return ThroughputText::tr("At least %1 acquisitions a second, and %2 releases announced; some give no message")
        .arg(acquisitions, releases);
}

QString shareText(const Throughput& throughput) {
    return ThroughputText::tr("Held %1 % of the time, by a sample of %2 looks")
        .arg(QLocale().toString(throughput.heldShare * 100, 'f', 0), numberText(throughput.looks));
}

QString holdText(Milliseconds hold) {
    using namespace std::chrono_literals;
    return hold < 1ms ? ThroughputText::tr("less than 1 ms")
                      : ThroughputText::tr("up to %1").arg(durationText(hold + 1ms));
}

QString holdsText(const Throughput& throughput) {
    if (!throughput.median)
        return ThroughputText::tr("How long a hold takes: too few were seen from begin to end (%1)")
            .arg(numberText(throughput.holds));
    const QString median = holdText(*throughput.median);
    if (!throughput.ninetyNinth)
        return ThroughputText::tr("Half of the holds take %1, by a sample of %2 holds")
            .arg(median, numberText(throughput.holds));
    return ThroughputText::tr("Half of the holds take %1, 99 % take %2, by a sample of %3 holds")
        .arg(median, holdText(*throughput.ninetyNinth), numberText(throughput.holds));
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
    return QStringList{countedText(throughput), shareText(throughput), holdsText(throughput), seconds}.join(
        QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui
