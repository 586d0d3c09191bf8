// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "measuring.h"
#include "options.h"
#include "probedprogram.h"
#include "report.h"

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// The real program with its window on a real server with many locks: start time, memory, the time from the data to the
// painted table, and how long the GUI is blocked while locks change.
namespace {

void measureStart(Report& report, const Options& sizes) {
    BenchServer server;
    server.makeLocks("lock:", 3, 1h);
    Figures milliseconds;
    for (int round = 0; round < sizes["starts"]; ++round) {
        ProbedProgram program(server.url(), ProbedProgram::Start::Free);
        milliseconds.push_back(program.secondsToPaint() * 1000);
    }
    report.figure(QStringLiteral("start of the program to its painted window, ms, %1 starts").arg(sizes["starts"]),
                  spread(milliseconds, 0), QStringLiteral("400 ms"));
}

// All rows arrive at once: the GUI is held until the engine knows every lock.
void measureFirstPaint(Report& report, int locks) {
    BenchServer server;
    server.makeLocks("lock:", locks, 1h);
    ProbedProgram program(server.url(), ProbedProgram::Start::HeldAtFirstPaint);
    (void)program.secondsToPaint();
    if (!runUntil([&] { return server.info("stats", "tracking_total_keys") >= 3 * locks; }, 20min))
        giveUp(QStringLiteral("the locks are not found"));
    runFor(1s);
    const auto start = std::chrono::steady_clock::now();
    program.release();
    const auto painted = program.paintedWith(locks, 2min);
    report.exact(QStringLiteral("all %1 locks in one batch -> painted").arg(locks),
                 painted ? text(std::chrono::duration<double>(*painted - start).count(), 2) + QStringLiteral(" s")
                         : QStringLiteral("never"),
                 QStringLiteral("1 s"), painted.has_value());
}

void printStall(Report& report, const QString& what, const ProbedProgram::Report& stall) {
    report.figure(what, text(stall.longestMs) + QStringLiteral(" ms"), QStringLiteral("33 ms"));
    report.figure(QStringLiteral("  by CPU time of the GUI's thread; longer than 33 ms"),
                  QStringLiteral("%1 ms; %2 of %3").arg(text(stall.longestCpuMs)).arg(stall.tooLong).arg(stall.beats));
}

// Alternates a reentry and a release of one hold; each second on other locks, round after round.
void changeLocks(BenchServer& server, int locks, const Options& sizes) {
    runAtRate(sizes["rate"], std::chrono::seconds(sizes["seconds"]), [&](qint64 number) {
        const qint64 lock = number % locks;
        const QByteArray holder =
            QByteArray::number(lock, 16).rightJustified(8, '0') + "-41d2-4a0e-9c76-0a4f3c1f6f10:33";
        const QByteArray count = number / locks % 2 == 0 ? "2" : "1";
        server.send(redis::Command("HSET", {"lock:" + QByteArray::number(lock), holder, count}));
    });
}

void measureLife(Report& report, int locks, const Options& sizes) {
    BenchServer server;
    server.makeLocks("lock:", locks, 1h);
    const auto start = std::chrono::steady_clock::now();
    const bool isGrouped = sizes["grouped"] != 0;
    ProbedProgram program(server.url(), ProbedProgram::Start::Free,
                          isGrouped ? ProbedProgram::Table::Grouped : ProbedProgram::Table::Plain,
                          sizes["overview"] != 0 ? QStringLiteral("overviewDock") : QString());
    report.figure(QStringLiteral("start -> first locks painted"),
                  text(std::chrono::duration<double>(program.paintedWith(1, 1min).value_or(start) - start).count(), 2) +
                      QStringLiteral(" s"));
    const auto knowsAll = [&] { return server.info("stats", "tracking_total_keys") >= 3 * locks; };
    if (!runUntil(knowsAll, 20min) || !program.paintedWith(locks, 1min))
        giveUp(QStringLiteral("the locks are not found"));
    report.figure(QStringLiteral("start -> all %1 known").arg(locks), text(secondsSince(start)) + QStringLiteral(" s"));
    runFor(1s);
    printStall(report, QStringLiteral("longest stall of the GUI while they are found"), program.report());
    report.figure(QStringLiteral("memory of the program, all known (VmRSS)"),
                  text(program.memory("VmRSS"), 0) + QStringLiteral(" MB"), QStringLiteral("180 MB"));
    runFor(5s);
    printStall(report, QStringLiteral("longest stall of the GUI while nothing changes"), program.report());
    const double cpuBefore = cpuSeconds(program.processId());
    changeLocks(server, locks, sizes);
    const double cpu = (cpuSeconds(program.processId()) - cpuBefore) / sizes["seconds"];
    const ProbedProgram::Report stall = program.report();
    printStall(report, QStringLiteral("longest stall of the GUI, %1 locks changing a second").arg(sizes["rate"]),
               stall);
    report.figure(QStringLiteral("CPU of the program meanwhile, all threads"),
                  text(cpu * 100, 0) + QStringLiteral(" %"));
    report.figure(QStringLiteral("memory after %1 s of that (VmRSS; most ever)").arg(sizes["seconds"]),
                  QStringLiteral("%1; %2 MB").arg(text(program.memory("VmRSS"), 0), text(program.memory("VmHWM"), 0)),
                  QStringLiteral("250 MB"));
    const int rows = locks + (isGrouped ? 1 : 0);  // all names begin in the same way
    report.exact(QStringLiteral("rows in the table"), QString::number(stall.rows), QString::number(rows),
                 stall.rows == rows);
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options sizes({{"locks", "that the server holds", 100'000},
                         {"rate", "changes a second", 5000},
                         {"seconds", "of changes", 20},
                         {"starts", "of the program", 15},
                         {"grouped", "1: below headings, while locks are found and change", 0},
                         {"overview", "1: with the overview in front, likewise", 0}});
    Report report(QStringLiteral("the program with its window, offscreen"));
    measureStart(report, sizes);
    measureFirstPaint(report, sizes["locks"]);
    measureLife(report, sizes["locks"], sizes);
    return report.exitCode();
}
