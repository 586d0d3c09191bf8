// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <vector>

// Shared by the benches: the figures of one run and their statistics.
namespace lockkeeper::bench {

using Figures = std::vector<double>;

// share: 0.5 is the median.
inline double percentile(Figures figures, double share) {
    std::ranges::sort(figures);
    return figures.empty() ? 0 : figures[static_cast<size_t>(share * static_cast<double>(figures.size() - 1))];
}

inline double median(Figures figures) {
    return percentile(std::move(figures), 0.5);
}

// Round by round, because neighbouring rounds ran under the same conditions.
inline Figures ratios(const Figures& ours, const Figures& theirs) {
    Figures ratios;
    std::ranges::transform(ours, theirs, std::back_inserter(ratios), std::divides());
    return ratios;
}

inline double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[noreturn]] inline void giveUp(const QString& why) {
    qFatal("%s", qPrintable(why));
}

// Runs the event loop until the condition is true or the time is over; returns the condition.
inline bool runUntil(const std::function<bool()>& isSo, std::chrono::milliseconds patience) {
    QTimer tick;
    tick.start(20);  // for conditions that no event of this thread changes
    const auto start = std::chrono::steady_clock::now();
    while (!isSo() && std::chrono::steady_clock::now() - start < patience)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return isSo();
}

inline void runFor(std::chrono::milliseconds time) {
    (void)runUntil([] { return false; }, time);
}

// Calls work(0), work(1), ... this many times a second for this time. Calls that are late are made up for at once.
inline void runAtRate(double perSecond, std::chrono::milliseconds time, const std::function<void(qint64)>& work) {
    QTimer tick;
    tick.setTimerType(Qt::PreciseTimer);
    qint64 done = 0;
    const auto start = std::chrono::steady_clock::now();
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        const double seconds = std::min(secondsSince(start), std::chrono::duration<double>(time).count());
        for (const auto due = static_cast<qint64>(seconds * perSecond); done < due; ++done)
            work(done);
    });
    tick.start(1);
    runFor(time + std::chrono::milliseconds(5));
}

// "1.20 (1.10 to 1.35)": the median of several rounds, and their range.
inline QString spread(const Figures& figures, int digits = 2) {
    const auto number = [digits](double value) { return QString::number(value, 'f', digits); };
    return QStringLiteral("%1 (%2 to %3)")
        .arg(number(median(figures)), number(percentile(figures, 0)), number(percentile(figures, 1)));
}

// CPU time of a process's main thread so far, in microseconds; the scheduler counts it in nanoseconds.
inline double cpuMicroseconds(qint64 processId) {
    QFile file(QStringLiteral("/proc/%1/schedstat").arg(processId));
    if (!file.open(QIODevice::ReadOnly))
        giveUp(QStringLiteral("no %1: the kernel does not count CPU time").arg(file.fileName()));
    return file.readAll().split(' ').first().toDouble() / 1000;
}

// CPU time of all threads of a process so far, in the kernel's ticks of 10 ms.
inline double cpuSeconds(qint64 processId) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(processId));
    if (!file.open(QIODevice::ReadOnly))
        giveUp(QStringLiteral("no %1").arg(file.fileName()));
    const QByteArray all = file.readAll();
    const QByteArrayList words = all.mid(all.lastIndexOf(')') + 2).split(' ');  // from the third field of proc(5) on
    constexpr double ticks = 100;
    return (words.value(11).toDouble() + words.value(12).toDouble()) / ticks;
}

}  // namespace lockkeeper::bench
