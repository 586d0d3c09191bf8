// SPDX-License-Identifier: Apache-2.0
#include "lockchanges.h"
#include "options.h"
#include "report.h"
#include "watchprogram.h"

#include "locks/lockkeys.h"
#include "monitor/monitoroptions.h"
#include "support/clustersetup.h"
#include "support/sshserver.h"

#include <numeric>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// One `lockkeeper watch --json` at a Cluster of three masters, and one that reaches its server through SSH, beside one
// at a single server: how late their events are, and what they cost each node.
namespace {

struct Sizes {
    int locks;                            // known locks without changes
    int hot;                              // known locks that are changed in turn
    int waitedFor;                        // locks without changes with a client on their sharded channel
    double rate;                          // changes a second
    int rounds;                           // of changes, at each in turn
    std::chrono::milliseconds changeFor;  // duration of one round
    std::chrono::milliseconds idleFor;    // duration of the count of commands without changes
};

// Reads a second that the monitor may send to a node that answers as fast as ever; a tenth of them may be sent at once.
const qint64 readLimit = monitor::MonitorOptions().mostReadsPerSecond * qint64{11} / 10;

// The most reads of locks that a node has answered in a second.
class ReadCount {
public:
    explicit ReadCount(BenchServer& server) : m_server(server) {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { ask(); });
        m_timer.start(500);
    }
    void stop() { m_timer.stop(); }
    [[nodiscard]] double most() const { return m_most; }

private:
    void ask() {
        m_server.send(redis::Command("INFO", {"server", "commandstats"}))
            .then([this](const Result<redis::RespValue>& reply) {
                if (reply.ok())
                    count(reply.value().bytes);
            });
    }
    static qint64 numberAfter(const QByteArray& key, const QByteArray& info) {
        const qsizetype at = info.indexOf(key);
        return at < 0 ? 0 : info.mid(at + key.size(), 20).split(',').first().split('\r').first().toLongLong();
    }
    // By the server's clock, because the answer may arrive late.
    void count(const QByteArray& info) {
        const std::chrono::microseconds now(numberAfter("server_time_usec:", info));
        const qint64 reads = numberAfter("cmdstat_evalsha_ro:calls=", info);
        m_counts.push_back({now, reads});
        while (now - m_counts.front().at > 1100ms)
            m_counts.pop_front();
        const double seconds = std::chrono::duration<double>(now - m_counts.front().at).count();
        if (seconds > 0.9)
            m_most = std::max(m_most, static_cast<double>(reads - m_counts.front().reads) / seconds);
    }

    struct Count {
        std::chrono::microseconds at;
        qint64 reads;
    };
    BenchServer& m_server;
    std::deque<Count> m_counts;  // of the last second
    double m_most = 0;
    QTimer m_timer;
};

// Some servers with their locks, and the program that watches them.
class Watched {
public:
    Watched(std::vector<std::unique_ptr<BenchServer>> servers, const LockChanges::ServerOf& serverOf, QString url,
            const QString& publish, const Sizes& sizes)
        : m_sizes(sizes),
          m_servers(std::move(servers)),
          m_serverOf(serverOf),
          m_url(std::move(url)),
          m_changes(sizes.hot, serverOf, publish),
          m_watch([this](const QByteArray& line) { m_changes.see(line); }) {}

    void start() {
        for (int i = 0; i < m_sizes.locks; ++i) {
            const QByteArray name = "idle:" + QByteArray::number(i);
            m_serverOf(name).makeLock(name, i, 1h);
        }
        for (int i = 0; i < m_sizes.waitedFor; ++i)
            waitFor("idle:" + QByteArray::number(i));
        m_changes.begin();
        std::vector<std::unique_ptr<ReadCount>> counts;
        for (const auto& server : m_servers)
            counts.push_back(std::make_unique<ReadCount>(*server));
        m_watch.start(m_url, m_sizes.locks + m_sizes.hot);
        for (const auto& count : counts) {
            count->stop();
            m_mostReads = std::max(m_mostReads, count->most());
        }
        runFor(100ms);  // for the last answers
    }
    void change() {
        runAtRate(m_sizes.rate, m_sizes.changeFor, [this](qint64) { m_changes.make(); });
        m_allTold = runUntil([this] { return m_changes.allTold(); }, 5s);
        const Figures latencies = m_changes.takeLatencies();
        medians.push_back(median(latencies) / 1000);
        p99s.push_back(percentile(latencies, 0.99) / 1000);
    }
    // What the busiest node answered in a second without changes.
    [[nodiscard]] double idleCommands() {
        std::vector<CommandCounts> before;
        for (const auto& server : m_servers)
            before.push_back(server->calls());
        runFor(m_sizes.idleFor);
        double most = 0;
        for (size_t i = 0; i < m_servers.size(); ++i) {
            const CommandCounts ran = difference(m_servers[i]->calls(), before[i]);
            const qint64 sum = std::accumulate(ran.begin(), ran.end(), qint64{0});
            most = std::max(most, static_cast<double>(sum) / std::chrono::duration<double>(m_sizes.idleFor).count());
        }
        return most;
    }
    [[nodiscard]] double mostReads() const { return m_mostReads; }
    [[nodiscard]] const LockChanges& changes() const { return m_changes; }
    [[nodiscard]] bool allTold() const { return m_allTold; }

    Figures medians;  // of each round, in milliseconds
    Figures p99s;

private:
    void waitFor(const QByteArray& name) {
        m_serverOf(name).send(redis::Command("SSUBSCRIBE", {locks::LockKeys(LockName(name)).channel()}));
    }

    const Sizes m_sizes;
    std::vector<std::unique_ptr<BenchServer>> m_servers;
    const LockChanges::ServerOf m_serverOf;
    const QString m_url;
    LockChanges m_changes;
    double m_mostReads = 0;
    bool m_allTold = false;
    WatchProgram m_watch;
};

std::unique_ptr<Watched> oneServer(const Sizes& sizes, const QString& query) {
    std::vector<std::unique_ptr<BenchServer>> servers;
    servers.push_back(std::make_unique<BenchServer>());
    BenchServer* server = servers.front().get();
    const QString url = server->tcpUrl() + query;
    return std::make_unique<Watched>(
        std::move(servers), [server](const QByteArray&) -> BenchServer& { return *server; }, url,
        QStringLiteral("publish"), sizes);
}

std::unique_ptr<Watched> cluster(test::ClusterSetup& setup, const Sizes& sizes) {
    if (!setup.start())
        giveUp(QStringLiteral("no Cluster"));
    std::vector<std::unique_ptr<BenchServer>> servers;
    std::vector<BenchServer*> masters;
    for (size_t i = 0; i < setup.masterCount(); ++i) {
        servers.push_back(std::make_unique<BenchServer>(setup.master(i)));
        masters.push_back(servers.back().get());
    }
    return std::make_unique<Watched>(
        std::move(servers),
        [&setup, masters](const QByteArray& name) -> BenchServer& { return *masters[setup.firstOwnerOf(name)]; },
        setup.url(), QStringLiteral("publish_sharded"), sizes);
}

void reportChanges(Report& report, const QString& what, const Watched& watched) {
    report.figure(QStringLiteral("change -> event, %1: median / p99").arg(what),
                  QStringLiteral("%1 / %2 ms").arg(text(median(watched.medians), 2), text(median(watched.p99s), 2)));
    report.exact(QStringLiteral("  changes reported (only by a later event: %1)").arg(watched.changes().unseen()),
                 QString::number(watched.changes().made()), QStringLiteral("all"), watched.allTold());
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"locks", "idle locks", 9400},
                           {"hot", "locks that change", 600},
                           {"waited-for", "locks with a client on their sharded channel", 0},
                           {"rate", "changes a second", 1000},
                           {"rounds", "of changes", 3},
                           {"change-ms", "for so long, each", 5000},
                           {"idle-ms", "without changes", 10000}});
    const Sizes sizes{options["locks"],
                      options["hot"],
                      options["waited-for"],
                      static_cast<double>(options["rate"]),
                      options["rounds"],
                      std::chrono::milliseconds(options["change-ms"]),
                      std::chrono::milliseconds(options["idle-ms"])};
    test::SshServer jumpHost;
    if (!jumpHost.start())
        giveUp(QStringLiteral("no sshd"));
    test::ClusterSetup setup(3);
    const std::unique_ptr<Watched> single = oneServer(sizes, QString());
    const std::unique_ptr<Watched> nodes = cluster(setup, sizes);
    const std::unique_ptr<Watched> tunnelled = oneServer(sizes, QStringLiteral("?ssh=jump"));
    for (Watched* watched : {single.get(), nodes.get(), tunnelled.get()})
        watched->start();
    for (int round = 0; round < sizes.rounds; ++round) {
        for (Watched* watched : {single.get(), nodes.get(), tunnelled.get()})
            watched->change();
    }
    runFor(2s);
    const double idleServer = single->idleCommands();
    const double idleNode = nodes->idleCommands();

    Report report(
        QStringLiteral("lockkeeper watch --json of %1 locks: one server, a Cluster of three, one server through SSH")
            .arg(sizes.locks + sizes.hot));
    report.note(QStringLiteral("%1 rounds of %2 changes a second over %3 locks at each")
                    .arg(sizes.rounds)
                    .arg(sizes.rate, 0, 'f', 0)
                    .arg(sizes.hot));
    reportChanges(report, QStringLiteral("one server"), *single);
    reportChanges(report, QStringLiteral("Cluster"), *nodes);
    reportChanges(report, QStringLiteral("SSH"), *tunnelled);
    report.figure(QStringLiteral("Cluster / one server, median"), spread(ratios(nodes->medians, single->medians)),
                  QStringLiteral("1.3"));
    report.figure(QStringLiteral("Cluster / one server, p99"), spread(ratios(nodes->p99s, single->p99s)),
                  QStringLiteral("1.3"));
    report.figure(QStringLiteral("SSH / one server, median"), spread(ratios(tunnelled->medians, single->medians)),
                  QStringLiteral("3"));
    report.exact(QStringLiteral("most reads of a node in a second, while the locks are found"),
                 text(nodes->mostReads(), 0), QStringLiteral("at most %1").arg(readLimit),
                 nodes->mostReads() <= readLimit);
    report.figure(QStringLiteral("commands a second without changes: one server / busiest node"),
                  QStringLiteral("%1 / %2").arg(text(idleServer), text(idleNode)), QStringLiteral("the same"));
    return report.exitCode();
}
