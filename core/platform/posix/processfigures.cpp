// SPDX-License-Identifier: Apache-2.0
#include "platform/processfigures.h"

#include <QByteArray>
#include <QDir>
#include <QFile>

#include <sys/resource.h>
#include <unistd.h>

#include <ctime>

namespace lockkeeper::platform {

namespace {

std::chrono::duration<double> secondsOf(const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// When the system was started, in seconds since 1970. A unit with ProcSubset=pid does not see /proc/stat.
std::optional<double> systemStart() {
    timespec now{};
    timespec sinceStart{};
    if (::clock_gettime(CLOCK_REALTIME, &now) != 0 || ::clock_gettime(CLOCK_BOOTTIME, &sinceStart) != 0)
        return std::nullopt;
    constexpr double nanoseconds = 1e9;
    return static_cast<double>(now.tv_sec - sinceStart.tv_sec) +
           static_cast<double>(now.tv_nsec - sinceStart.tv_nsec) / nanoseconds;
}

// proc_pid_stat(5): the fields behind the name of the program, which may have any characters.
void addStat(ProcessFigures& figures) {
    constexpr qsizetype start = 19;
    constexpr qsizetype virtualSize = 20;
    constexpr qsizetype residentPages = 21;
    const QByteArray stat = contentOf(QStringLiteral("/proc/self/stat"));
    const QByteArrayList fields = stat.sliced(stat.lastIndexOf(')') + 1).trimmed().split(' ');
    if (fields.size() <= residentPages)
        return;
    figures.virtualBytes = fields[virtualSize].toLongLong();
    figures.residentBytes = fields[residentPages].toLongLong() * ::sysconf(_SC_PAGESIZE);
    // Once, because the clock is set now and then, and a start stays where it was.
    static const std::optional<double> system = systemStart();
    if (system)
        figures.startedAt = *system + fields[start].toDouble() / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

ProcessFigures processFigures() {
    ProcessFigures figures;
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0)
        figures.processorTime = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0)
        figures.mostFiles = static_cast<qint64>(files.rlim_cur);
    const QDir descriptors(QStringLiteral("/proc/self/fd"));
    if (descriptors.exists())
        figures.openFiles =
            static_cast<qint64>(descriptors.entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size());
    addStat(figures);
    return figures;
}

}  // namespace lockkeeper::platform
