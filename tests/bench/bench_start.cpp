// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "measuring.h"
#include "options.h"
#include "report.h"

#include "support/tool.h"

#include <QProcess>

using namespace lockkeeper;
using namespace lockkeeper::bench;

// `lockkeeper lock URL x -- true` from its start to its end, beside `redis-cli SET`, which is a single process with few
// libraries. Both in turn; the first round fills the caches of the system and is not counted.
namespace {

double millisecondsOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    const auto start = std::chrono::steady_clock::now();
    process.start(program, arguments);
    if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        giveUp(program + QStringLiteral(": ") + QString::fromUtf8(process.readAllStandardError()));
    return secondsSince(start) * 1000;
}

QString leastAndMedian(const Figures& figures) {
    return QStringLiteral("%1 / %2 ms").arg(text(percentile(figures, 0), 2), text(median(figures), 2));
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"rounds", "how often each of them runs", 100}});
    const BenchServer server;
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/lockkeeper");
    const QString client = test::tool(QStringLiteral("redis-cli"), QStringLiteral("redis-tools"));
    const QStringList lock{QStringLiteral("lock"), server.url(), QStringLiteral("x"), QStringLiteral("--"),
                           QStringLiteral("true")};
    const QStringList permits{QStringLiteral("semaphore"), server.url(), QStringLiteral("s"),
                              QStringLiteral("permits")};
    const QStringList set{QStringLiteral("-s"), server.socketPath(), QStringLiteral("SET"), QStringLiteral("k"),
                          QStringLiteral("v")};
    const auto measure = [&] {
        return std::array{millisecondsOf(client, set), millisecondsOf(program, lock), millisecondsOf(program, permits)};
    };
    (void)measure();
    std::array<Figures, 3> figures;
    for (int round = 0; round < options["rounds"]; ++round) {
        const std::array one = measure();
        for (size_t i = 0; i < one.size(); ++i)
            figures[i].push_back(one[i]);
    }
    const auto& [sets, locks, counts] = figures;
    Report report(QStringLiteral("%1 starts of each, in turn; least / median").arg(options["rounds"]));
    report.figure(QStringLiteral("redis-cli SET"), leastAndMedian(sets));
    report.figure(QStringLiteral("lock URL x -- true"), leastAndMedian(locks));
    report.figure(QStringLiteral("semaphore URL s permits"), leastAndMedian(counts));
    report.figure(QStringLiteral("lock / redis-cli, least"), text(percentile(locks, 0) / percentile(sets, 0), 2),
                  QStringLiteral("at most 2.5"));
    report.figure(QStringLiteral("lock / redis-cli, median"), text(median(locks) / median(sets), 2),
                  QStringLiteral("at most 2.5"));
    return report.exitCode();
}
