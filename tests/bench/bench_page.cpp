// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "lockchanges.h"
#include "measuring.h"
#include "memorygrowth.h"
#include "options.h"
#include "probedprogram.h"
#include "report.h"

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// A session page of the real program, offscreen, on a real server, while clients acquire and release for minutes: its
// memory must not grow with the number of changes.
namespace {

void watchChanges(LockChanges& changes, const ProbedProgram& program, const Options& sizes,
                  test::MemoryCourse& memory) {
    const auto start = std::chrono::steady_clock::now();
    const int rate = sizes["rate"];
    runAtRate(rate, std::chrono::seconds(sizes["seconds"]), [&](qint64 number) {
        changes.make();
        if (number % rate == 0)
            memory.add(secondsSince(start), test::MemoryCourse::residentMegabytes(program.processId()));
    });
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options sizes({{"locks", "that the server holds besides", 10'000},
                         {"hot", "locks that change", 600},
                         {"rate", "changes a second", 1'700},
                         {"seconds", "of changes", 600}});
    Report report(QStringLiteral("a session page, offscreen, while locks change"));
    BenchServer server;
    server.makeLocks("lock:", sizes["locks"], 1h);
    LockChanges changes(sizes["hot"], [&server](const QByteArray&) -> BenchServer& { return server; });
    changes.begin();
    ProbedProgram program(server.url(), ProbedProgram::Start::Free);
    (void)program.secondsToPaint();
    const int rows = sizes["locks"] + sizes["hot"];
    if (!program.paintedWith(rows, 2min))
        giveUp(QStringLiteral("the locks are not found"));
    const double cpuBefore = cpuSeconds(program.processId());
    test::MemoryCourse memory;
    watchChanges(changes, program, sizes, memory);
    report.figure(QStringLiteral("changes of %1 locks").arg(sizes["hot"]), QString::number(changes.made()));
    report.figure(QStringLiteral("CPU of the program for a change, all threads"),
                  text((cpuSeconds(program.processId()) - cpuBefore) / static_cast<double>(changes.made()) * 1e6, 0) +
                      QStringLiteral(" us"));
    const double seconds = sizes["seconds"];
    // Growth counts from when the timeline has the 200,000 moments and holds that it keeps. What the allocator keeps
    // varies.
    reportGrowth(report, QStringLiteral("the program"), memory, {std::min(150.0, seconds / 4), seconds, 5 * 60, 2});
    const int shown = program.report().rows;
    report.exact(QStringLiteral("rows in the table"), QString::number(shown), QString::number(rows), shown == rows);
    return report.exitCode();
}
