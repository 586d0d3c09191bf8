// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "blockingclient.h"
#include "enginewatch.h"
#include "measuring.h"
#include "options.h"
#include "report.h"

#include <QProcess>

#include <limits>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// The cost of finding locks in a big keyspace: reads and tracked keys for hashes that are not locks; the time of an
// unpaced sweep, compared with `redis-cli --scan`; and the delay that a paced sweep causes for another client.
namespace {

const QString scanCount = QStringLiteral("500");  // the value that the monitor uses

void waitForSweeps(const EngineWatch& watch, quint64 count, std::chrono::milliseconds limit) {
    if (!runUntil([&] { return watch.sweeps() >= count; }, limit))
        giveUp(QStringLiteral("no sweep"));
}

// ---- hashes that are not locks ----

// Counts locks, too: once for each of their reads.
qint64 hashesRead(const CommandCounts& counts) {
    // If there are many hashes at once, only the names of their fields are read; few hashes are read like a lock.
    return counts.value(QStringLiteral("hkeys")) + counts.value(QStringLiteral("hgetall"));
}

void measureNonLocks(Report& report, const Options& sizes, const monitor::MonitorOptions& unpaced) {
    const int hashes = sizes["hashes"];
    const int locks = sizes["locks-beside"];
    report.note(QStringLiteral("%1 other hashes beside %2 locks").arg(hashes).arg(locks));
    BenchServer server;
    server.makeHashes("session:", hashes);
    server.makeLocks("lock:", locks, 1h);
    EngineWatch watch(unpaced);
    watch.connectTo(server.url() + QStringLiteral("?share=100"));
    waitForSweeps(watch, 1, 20min);
    const CommandCounts first = server.calls();
    waitForSweeps(watch, 2, 1min);
    const qint64 again = hashesRead(difference(server.calls(), first));
    // The script that reads a lock accesses its key, its queue and its token, so all three are tracked.
    const qint64 tracked = server.info("stats", "tracking_total_keys");
    report.figure(QStringLiteral("hashes read in the first sweep, to distinguish them from locks"),
                  QString::number(hashesRead(first)));
    report.exact(QStringLiteral("non-locks read in the second sweep"),
                 QStringLiteral("%1, %2 %").arg(again).arg(text(100.0 * static_cast<double>(again) / hashes, 2)),
                 QStringLiteral("under 1 %"), again * 100 < hashes);
    report.exact(QStringLiteral("keys in the server's tracking table"), QString::number(tracked),
                 QStringLiteral("%1: the locks, their queues and tokens").arg(3 * locks), tracked == 3 * locks);
    report.exact(QStringLiteral("locks known"), QString::number(watch.rows()), QString::number(locks),
                 watch.rows() == locks);
}

// ---- a full sweep, not paced ----

// redis-cli before 7.2 has no option for COUNT. For such a version a client with the same loop is used that does even
// less: it only counts names.
class Scanner {
public:
    explicit Scanner(const BenchServer& server) : m_socketPath(server.socketPath()) {
        QProcess cli;
        cli.start(QStringLiteral("redis-cli"), {QStringLiteral("--help")});
        cli.waitForFinished();
        m_cliTakesCount = (cli.readAllStandardOutput() + cli.readAllStandardError()).contains("--count");
    }

    [[nodiscard]] QString name() const {
        return m_cliTakesCount ? QStringLiteral("redis-cli --scan --count %1").arg(scanCount)
                               : QStringLiteral("SCAN .. COUNT %1 by a blocking client").arg(scanCount);
    }
    [[nodiscard]] double seconds() const {
        const auto start = std::chrono::steady_clock::now();
        if (m_cliTakesCount)
            scanByRedisCli(m_socketPath, {QStringLiteral("--count"), scanCount});
        else
            (void)BlockingClient(m_socketPath).scan(scanCount.toLatin1());
        return secondsSince(start);
    }
    // The time of a scan without a COUNT option.
    [[nodiscard]] double secondsByTens() const {
        const auto start = std::chrono::steady_clock::now();
        scanByRedisCli(m_socketPath, {});
        return secondsSince(start);
    }

private:
    static void scanByRedisCli(const QString& socketPath, const QStringList& more) {
        QProcess cli;
        cli.setStandardOutputFile(QProcess::nullDevice());
        cli.start(QStringLiteral("redis-cli"),
                  QStringList{QStringLiteral("-s"), socketPath, QStringLiteral("--scan")} + more);
        if (!cli.waitForFinished(600000) || cli.exitCode() != 0)
            giveUp(QStringLiteral("redis-cli --scan fails"));
    }

    const QString m_socketPath;
    bool m_cliTakesCount = false;
};

void pauseSweeps(EngineWatch& watch) {
    watch.setDiscovery(monitor::DiscoveryState::Paused);
    runFor(1600ms);  // the next sweep begins within this time
}

// From the connection to "swept": each lock is read, and watched from then on.
double firstSweep(EngineWatch& watch, const BenchServer& server) {
    const auto start = std::chrono::steady_clock::now();
    watch.connectTo(server.url() + QStringLiteral("?share=100"));
    waitForSweeps(watch, 1, 10min);
    const double seconds = secondsSince(start);
    pauseSweeps(watch);
    return seconds;
}

// From "resume" to "swept"; sweeps are paused before and after.
double sweep(EngineWatch& watch) {
    const quint64 before = watch.sweeps();
    const auto start = std::chrono::steady_clock::now();
    watch.setDiscovery(monitor::DiscoveryState::Running);
    waitForSweeps(watch, before + 1, 10min);
    const double seconds = secondsSince(start);
    pauseSweeps(watch);
    return seconds;
}

// Each sweep is by a new monitor, which knows no locks yet.
void measureFirstSweeps(Report& report, const BenchServer& server, const Scanner& scanner, const Options& sizes,
                        const monitor::MonitorOptions& unpaced) {
    Figures ours;
    Figures theirs;
    qsizetype fewestFound = std::numeric_limits<qsizetype>::max();
    for (int round = 0; round < sizes["rounds"]; ++round) {
        theirs.push_back(scanner.seconds());
        EngineWatch watch(unpaced);
        ours.push_back(firstSweep(watch, server));
        fewestFound = std::min(fewestFound, watch.rows());
    }
    report.figure(QStringLiteral("first sweeps, each lock read and watched, s"), spread(ours));
    report.figure(QStringLiteral("first sweeps: ours / that"), spread(ratios(ours, theirs)),
                  QStringLiteral("1.2 times"));
    report.exact(QStringLiteral("locks known after each first sweep"), QString::number(fewestFound),
                 QString::number(sizes["locks"]), fewestFound == sizes["locks"]);
}

void measureLaterSweeps(Report& report, const BenchServer& server, const Scanner& scanner, const Options& sizes,
                        const monitor::MonitorOptions& unpaced) {
    EngineWatch watch(unpaced);
    (void)firstSweep(watch, server);
    Figures ours;
    Figures theirs;
    for (int round = 0; round < sizes["rounds"]; ++round) {
        theirs.push_back(scanner.seconds());
        ours.push_back(sweep(watch));
    }
    report.figure(scanner.name() + QStringLiteral(", s"), spread(theirs));
    report.figure(QStringLiteral("later sweeps, s"), spread(ours));
    report.figure(QStringLiteral("later sweeps: ours / that"), spread(ratios(ours, theirs)),
                  QStringLiteral("1.3 times"));
}

void measureSweeps(Report& report, const BenchServer& server, const Options& sizes,
                   const monitor::MonitorOptions& unpaced) {
    report.note(QStringLiteral("%1 keys, %2 locks among them, not paced").arg(sizes["keys"]).arg(sizes["locks"]));
    const Scanner scanner(server);
    report.figure(QStringLiteral("redis-cli --scan, by its COUNT 10, s"), text(scanner.secondsByTens(), 2));
    measureFirstSweeps(report, server, scanner, sizes, unpaced);
    measureLaterSweeps(report, server, scanner, sizes, unpaced);
}

// ---- a paced sweep, and another client ----

enum class Threads { One, All };

bool runOn(int core, qint64 thread, Threads threads) {
    QStringList arguments{QStringLiteral("-pc"), QString::number(core), QString::number(thread)};
    if (threads == Threads::All)
        arguments.prepend(QStringLiteral("-a"));
    QProcess taskset;
    taskset.start(QStringLiteral("taskset"), arguments);
    return taskset.waitForFinished() && taskset.exitCode() == 0;
}

// A monitor usually runs on another machine than the server. Here its threads have a core of their own instead, and the
// server and the other client share the other one. Otherwise the figure is about how this machine distributes three
// busy threads. Returns whether that was possible.
bool setMonitorApart(const BenchServer& server) {
    const qint64 ours = QCoreApplication::applicationPid();  // also the id of the thread that is the other client
    return runOn(1, ours, Threads::All) && runOn(0, ours, Threads::One) && runOn(0, server.processId(), Threads::All);
}

// Phases with and without sweeps alternate, so that both run under the same conditions.
class PacedSweeps {
public:
    PacedSweeps(BenchServer& server, EngineWatch& watch)
        : m_server(server), m_watch(watch), m_client(server.socketPath()) {}

    void measure(int phases, std::chrono::milliseconds phase) {
        for (int i = 0; i < phases; ++i) {
            m_watch.setDiscovery(monitor::DiscoveryState::Paused);
            runFor(100ms);
            const double cpuBefore = cpuMicroseconds(m_server.processId());
            const auto start = std::chrono::steady_clock::now();
            const Figures alone = m_client.timesOfGet(phase);
            m_idleShare.push_back((cpuMicroseconds(m_server.processId()) - cpuBefore) / secondsSince(start) / 1e4);
            m_watch.setDiscovery(monitor::DiscoveryState::Running);
            runFor(100ms);
            const Figures beside = measureScanning(phase);
            m_idle.insert(m_idle.end(), alone.begin(), alone.end());
            m_scanning.insert(m_scanning.end(), beside.begin(), beside.end());
            m_idlePhases.push_back(percentile(alone, 0.99));
            m_scanningPhases.push_back(percentile(beside, 0.99));
        }
    }

    void print(Report& report) const {
        report.figure(QStringLiteral("GET, idle, us: median / p99, all phases"), both(m_idle));
        report.figure(QStringLiteral("GET, while scanning, us: median / p99, all phases"), both(m_scanning));
        report.figure(QStringLiteral("p99, scanning / idle, all phases together"),
                      text(percentile(m_scanning, 0.99) / percentile(m_idle, 0.99), 2), QStringLiteral("1.2 times"));
        report.figure(QStringLiteral("p99, scanning / idle, phase by phase"),
                      spread(ratios(m_scanningPhases, m_idlePhases)));
        report.figure(QStringLiteral("SCANs a second meanwhile"), text(static_cast<double>(m_scans) / m_seconds, 0));
        report.figure(QStringLiteral("CPU of the server, idle / while scanning, GETs included"),
                      QStringLiteral("%1 / %2 %").arg(text(median(m_idleShare)), text(100 * m_serverCpu / m_seconds)));
        report.figure(QStringLiteral("CPU of the monitor while scanning, GETs included"),
                      text(100 * m_ownCpu / m_seconds) + QStringLiteral(" %"));
        report.exact(QStringLiteral("it was scanning"), QStringLiteral("%1 SCANs").arg(m_scans), QStringLiteral("some"),
                     m_scans > 0);
    }

private:
    static QString both(const Figures& figures) {
        return QStringLiteral("%1 / %2").arg(text(median(figures), 0), text(percentile(figures, 0.99), 0));
    }

    Figures measureScanning(std::chrono::milliseconds phase) {
        const qint64 before = m_server.calls().value(QStringLiteral("scan"));
        const double serverBefore = cpuMicroseconds(m_server.processId());
        const double ownBefore = cpuSeconds(QCoreApplication::applicationPid());
        const auto start = std::chrono::steady_clock::now();
        Figures beside = m_client.timesOfGet(phase);
        m_seconds += secondsSince(start);
        m_ownCpu += cpuSeconds(QCoreApplication::applicationPid()) - ownBefore;
        m_serverCpu += (cpuMicroseconds(m_server.processId()) - serverBefore) / 1e6;
        m_scans += m_server.calls().value(QStringLiteral("scan")) - before;
        return beside;
    }

    BenchServer& m_server;
    EngineWatch& m_watch;
    const BlockingClient m_client;
    Figures m_idle;
    Figures m_scanning;
    Figures m_idlePhases;  // the p99 of each phase
    Figures m_scanningPhases;
    Figures m_idleShare;  // of the server's CPU, percent
    qint64 m_scans = 0;
    double m_seconds = 0;  // of scanning
    double m_serverCpu = 0;
    double m_ownCpu = 0;
};

void measurePhases(Report& report, BenchServer& server, EngineWatch& watch, const Options& sizes) {
    PacedSweeps sweeps(server, watch);
    sweeps.measure(sizes["phases"], std::chrono::milliseconds(sizes["phase-ms"]));
    sweeps.print(report);
}

void measurePaced(Report& report, BenchServer& server, const Options& sizes, const monitor::MonitorOptions& unpaced) {
    report.note(QStringLiteral("the same, paced; in later sweeps another client's GET, one each millisecond or so"));
    EngineWatch watch(unpaced);
    QList<LockName> names;  // names of earlier sessions: all are known before the sweep
    for (int i = 0; i < sizes["locks"]; ++i)
        names.append(LockName("lock:" + QByteArray::number(i)));
    const auto start = std::chrono::steady_clock::now();
    watch.connectTo(server.url(), names);
    if (!runUntil([&] { return watch.rows() == sizes["locks"]; }, 10min))
        giveUp(QStringLiteral("the locks are not found"));
    waitForSweeps(watch, 1, 10min);
    report.figure(QStringLiteral("the first paced sweep, at 5 % of a core"),
                  text(secondsSince(start)) + QStringLiteral(" s"));
    report.note(QStringLiteral("the monitor on the cores of the server and of the client"));
    measurePhases(report, server, watch, sizes);
    report.note(setMonitorApart(server) ? QStringLiteral("the monitor on a core of its own, as on another machine")
                                        : QStringLiteral("again so: taskset gives it no core of its own"));
    measurePhases(report, server, watch, sizes);
    (void)sweep(watch);  // finishes the current sweep
    report.figure(QStringLiteral("a later paced sweep"), text(sweep(watch)) + QStringLiteral(" s"),
                  QStringLiteral("90 s for 1,000,000 keys"));
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options sizes({{"hashes", "that are no locks", 1'000'000},
                         {"locks-beside", "locks beside the hashes", 1000},
                         {"keys", "of the other server", 1'000'000},
                         {"locks", "among the keys", 10'000},
                         {"rounds", "sweeps of each side", 7},
                         {"phases", "idle and scanning", 20},
                         {"phase-ms", "length of each", 700},
                         {"reads", "budget of reads a second while nothing is paced", 1'000'000}});
    monitor::MonitorOptions unpaced;
    unpaced.readsPerSecond = sizes["reads"];
    Report report(QStringLiteral("finding locks"));
    measureNonLocks(report, sizes, unpaced);
    BenchServer server;
    server.makeOtherKeys(sizes["keys"] - sizes["locks"]);
    server.makeLocks("lock:", sizes["locks"], 1h);
    measureSweeps(report, server, sizes, unpaced);
    measurePaced(report, server, sizes, unpaced);
    return report.exitCode();
}
