// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "measuring.h"
#include "options.h"
#include "report.h"

#include "support/lockscripts.h"

#include <QProcess>
#include <QTemporaryDir>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// `watch --json --record` among locks that change all the time, and `replay --json` of its file: the same lines, how
// large the file is for each change, and how much faster than life the replay is.
namespace {

const QByteArray holder = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33";

class Hands {
public:
    Hands(BenchServer& server, int locks) : m_server(server), m_locks(locks) {
        server.loadScript(m_acquire);
        server.loadScript(m_release);
    }
    // Takes a lock, or releases the one that was taken last.
    void change(qint64 number) {
        const QByteArray name = "hot:" + QByteArray::number(number / 2 % m_locks);
        if (number % 2 == 0)
            m_server.send(redis::ScriptCall(m_acquire, {name}, {"30000", holder}).evalSha());
        else
            m_server.send(
                redis::ScriptCall(m_release, {name}, {"redisson_lock__channel:{" + name + "}", "0", "30000", holder})
                    .evalSha());
    }

private:
    BenchServer& m_server;
    const int m_locks;
    const redis::Script m_acquire = test::lockScript(QStringLiteral("reentrant_acquire"));
    const redis::Script m_release = test::lockScript(QStringLiteral("reentrant_release"));
};

QByteArray contentOfOutput(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"locks", "held locks that do not change", 10000},
                           {"hot", "locks that change", 1000},
                           {"rate", "changes a second", 500},
                           {"seconds", "for so long", 30}});
    BenchServer server;
    server.makeLocks("idle:", options["locks"], 1h);
    Hands hands(server, options["hot"]);
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/lockkeeper");
    const QTemporaryDir folder;
    const QString recorded = folder.filePath(QStringLiteral("bench.lkrec"));
    const QString live = folder.filePath(QStringLiteral("live"));
    const QString replayed = folder.filePath(QStringLiteral("replayed"));

    QProcess watch;
    watch.setStandardOutputFile(live);
    const auto begin = std::chrono::steady_clock::now();
    watch.start(program, {QStringLiteral("watch"), server.url(), QStringLiteral("--json"), QStringLiteral("--record"),
                          recorded});
    if (!watch.waitForStarted() || !runUntil([&] { return contentOfOutput(live).contains("\"swept\""); }, 60s))
        giveUp(QStringLiteral("no sweep"));
    runFor(2s);  // until the last lines are written
    const qint64 before = QFile(recorded).size();
    const qsizetype linesBefore = contentOfOutput(live).count('\n');
    runAtRate(options["rate"], std::chrono::seconds(options["seconds"]), [&](qint64 number) { hands.change(number); });
    runFor(1s);
    watch.terminate();
    watch.waitForFinished();
    const double liveSeconds = secondsSince(begin);

    const auto replayBegin = std::chrono::steady_clock::now();
    QProcess replay;
    replay.setStandardOutputFile(replayed);
    replay.start(program, {QStringLiteral("replay"), recorded, QStringLiteral("--json")});
    replay.waitForFinished(-1);
    const double replaySeconds = secondsSince(replayBegin);

    const QByteArray lines = contentOfOutput(live);
    const double changes = static_cast<double>(options["rate"]) * options["seconds"];
    const double bytes = static_cast<double>(QFile(recorded).size() - before);
    Report report(QStringLiteral("%1 changes a second for %2 s among %3 locks")
                      .arg(options["rate"])
                      .arg(options["seconds"])
                      .arg(options["locks"] + options["hot"]));
    report.exact(QStringLiteral("lines of the replay / of watch"),
                 QStringLiteral("%1 / %2").arg(contentOfOutput(replayed).count('\n')).arg(lines.count('\n')),
                 QStringLiteral("the same, byte for byte"), contentOfOutput(replayed) == lines);
    report.figure(QStringLiteral("lines for the changes"), QString::number(lines.count('\n') - linesBefore));
    report.figure(QStringLiteral("file for the locks before the changes"),
                  text(static_cast<double>(before) / 1024) + QStringLiteral(" kB"));
    report.figure(QStringLiteral("file for a change"), text(bytes / changes) + QStringLiteral(" bytes"));
    report.figure(QStringLiteral("life / replay"), text(liveSeconds / replaySeconds),
                  QStringLiteral("at least 10 times"));
    return report.exitCode();
}
