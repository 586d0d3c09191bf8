#pragma once

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <vector>

// What the benches share: figures of one run, and what they say.
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

// Round by round: two rounds next to each other have had the same machine.
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

// CPU time of a process's main thread so far, in microseconds; the scheduler counts it to the nanosecond.
inline double cpuMicroseconds(qint64 processId) {
    QFile file(QStringLiteral("/proc/%1/schedstat").arg(processId));
    if (!file.open(QIODevice::ReadOnly))
        giveUp(QStringLiteral("no %1: the kernel does not count CPU time").arg(file.fileName()));
    return file.readAll().split(' ').first().toDouble() / 1000;
}

}  // namespace lockkeeper::bench
