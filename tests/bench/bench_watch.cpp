// SPDX-License-Identifier: Apache-2.0
#include "lockchanges.h"
#include "options.h"
#include "report.h"
#include "watchprogram.h"

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// The time from a change on the server to its event from `lockkeeper watch --json`, compared with the round trip of a
// command; and the cost of idle locks that are renewed.
namespace {

using Time = std::chrono::steady_clock::time_point;

struct Sizes {
    int locks;                            // known locks without changes
    int hot;                              // known locks that are changed in turn
    double rate;                          // changes a second
    std::chrono::milliseconds changeFor;  // duration of the changes
    std::chrono::milliseconds warmUp;     // changes before them, which are not measured: the limit of reads rises
    std::chrono::milliseconds idleFor;    // without changes, before them
    std::chrono::milliseconds
        renewal;  // interval in which each idle lock is renewed once; the lease is three times as long
    int rounds;   // number of renewal rounds
    int share;    // of a core of the server, in percent
};

class Bench {
public:
    explicit Bench(const Sizes& sizes)
        : m_sizes(sizes),
          m_report(QStringLiteral("lockkeeper watch --json, %1 locks known").arg(sizes.locks + sizes.hot)),
          m_changes(sizes.hot, [this](const QByteArray&) -> BenchServer& { return m_server; }),
          m_watch([this](const QByteArray& line) { m_changes.see(line); }) {}

    int run() {
        m_server.makeLocks("idle:", m_sizes.locks, 1h);
        m_changes.begin();
        m_watch.start(m_server.url(), m_sizes.locks + m_sizes.hot, m_sizes.share);
        measureIdle();
        measureChanges();
        measureRenewals();
        return m_report.exitCode();
    }

private:
    // What watch costs while nothing changes: sweeps, counts of subscribers and keepalive.
    void measureIdle() {
        const double before = cpuSeconds(m_watch.processId());
        const Time start = std::chrono::steady_clock::now();
        runFor(m_sizes.idleFor);
        m_idleShare = (cpuSeconds(m_watch.processId()) - before) / secondsSince(start);
        m_report.figure(QStringLiteral("CPU of watch without changes"), text(100 * m_idleShare) + QStringLiteral(" %"));
    }

    void measureChanges() {
        Figures trips;
        for (int i = 0; i < 500; ++i) {
            const Time start = std::chrono::steady_clock::now();
            m_server.ask(redis::Command("GET", {"elsewhere"}));
            trips.push_back(secondsSince(start) * 1e6);
        }
        change(m_sizes.warmUp);
        m_changes.takeLatencies();
        const qint64 madeBefore = m_changes.made();
        const qint64 unseenBefore = m_changes.unseen();
        const double watchBefore = cpuSeconds(m_watch.processId());
        const Time start = std::chrono::steady_clock::now();
        const bool allTold = change(m_sizes.changeFor);
        const double cpu = cpuSeconds(m_watch.processId()) - watchBefore;
        const double idle = m_idleShare * secondsSince(start);
        const Figures& latencies = m_changes.latencies();
        m_report.note(QStringLiteral("%1 changes a second over %2 locks, %3 in all")
                          .arg(m_sizes.rate, 0, 'f', 0)
                          .arg(m_sizes.hot)
                          .arg(m_changes.made() - madeBefore));
        const double trip = median(trips);
        m_report.figure(QStringLiteral("round trip of a command, median / p99"),
                        QStringLiteral("%1 / %2 us").arg(text(trip, 0), text(percentile(trips, 0.99), 0)));
        m_report.figure(QStringLiteral("change -> event out of watch, median / p99"),
                        QStringLiteral("%1 / %2 ms")
                            .arg(text(median(latencies) / 1000, 2), text(percentile(latencies, 0.99) / 1000, 2)),
                        QStringLiteral("2 / 20 ms"));
        m_report.figure(QStringLiteral("  the median in round trips"), text(median(latencies) / trip));
        const auto made = static_cast<double>(m_changes.made() - madeBefore);
        m_report.figure(QStringLiteral("  CPU of watch for a change / without what it takes without changes"),
                        QStringLiteral("%1 / %2 us").arg(text(cpu * 1e6 / made, 0), text((cpu - idle) * 1e6 / made, 0)),
                        QStringLiteral("40 us"));
        m_report.figure(QStringLiteral("  changes that only a later event reported"),
                        QString::number(m_changes.unseen() - unseenBefore));
        m_report.exact(QStringLiteral("  changes reported"),
                       QStringLiteral("%1 of %2").arg(latencies.size()).arg(made, 0, 'f', 0), QStringLiteral("all"),
                       allTold);
    }

    // Returns whether all changes were reported.
    bool change(std::chrono::milliseconds time) {
        runAtRate(m_sizes.rate, time, [this](qint64) { m_changes.make(); });
        return runUntil([this] { return m_changes.allTold(); }, 5s);
    }

    void renewAll(int rounds) {
        const double rate = m_sizes.locks / std::chrono::duration<double>(m_sizes.renewal).count();
        const QByteArray lease = QByteArray::number(static_cast<qint64>(3 * m_sizes.renewal.count()));
        runAtRate(rate, rounds * m_sizes.renewal, [&](qint64 number) {
            m_server.send(redis::Command("PEXPIRE", {"idle:" + QByteArray::number(number % m_sizes.locks), lease}));
        });
    }

    void measureRenewals() {
        renewAll(1);
        runFor(1s);
        const CommandCounts before = m_server.calls();
        renewAll(m_sizes.rounds);
        runFor(500ms);  // until the last reads
        CommandCounts ran = difference(m_server.calls(), before);
        const auto renewals = static_cast<double>(ran.take(QStringLiteral("pexpire")));
        const qint64 reads = ran.take(QStringLiteral("evalsha_ro"));
        // These commands run once in each read of a lock without queue and token.
        qint64 strange = 0;
        for (const char* inside : {"object|encoding", "hgetall", "exists", "pttl"})
            strange += std::abs(ran.take(QString::fromLatin1(inside)) - reads);
        qint64 sweeping = 0;
        for (const char* ofSweeps :
             {"scan", "dbsize", "pubsub|channels", "pubsub|numsub", "ping", "role", "config|get"})
            sweeping += ran.take(QString::fromLatin1(ofSweeps));
        const QStringList others = ran.keys();
        const double seconds = std::chrono::duration<double>(m_sizes.rounds * m_sizes.renewal).count();
        const double commands = static_cast<double>(reads + sweeping) / renewals;
        m_report.note(QStringLiteral("each idle lock renewed every %1 s, %2 renewals a second")
                          .arg(text(static_cast<double>(m_sizes.renewal.count()) / 1000), text(renewals / seconds, 0)));
        m_report.figure(QStringLiteral("reads a second / sweeping and keepalive"),
                        QStringLiteral("%1 / %2").arg(text(static_cast<double>(reads) / seconds),
                                                      text(static_cast<double>(sweeping) / seconds)));
        m_report.exact(QStringLiteral("commands per renewal, all together"), text(commands, 3),
                       QStringLiteral("at most 2"), commands <= 2);
        m_report.exact(QStringLiteral("commands besides"),
                       others.isEmpty() && strange == 0
                           ? QStringLiteral("none")
                           : others.join(u' ') + QStringLiteral(" %1 in scripts").arg(strange),
                       QStringLiteral("none"), others.isEmpty() && strange == 0);
    }

    const Sizes m_sizes;
    Report m_report;
    BenchServer m_server;
    LockChanges m_changes;
    WatchProgram m_watch;
    double m_idleShare = 0;  // of a core
};

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"locks", "idle locks", 9800},
                           {"hot", "locks that change", 200},
                           {"rate", "changes a second", 1000},
                           {"change-ms", "for so long", 10000},
                           {"warm-up-ms", "of changes before, not measured", 0},
                           {"idle-ms", "without changes, before", 10000},
                           {"renewal-ms", "from one renewal of a lock to the next", 10000},
                           {"rounds", "of renewals", 2},
                           {"share", "percent of a server core for reads and sweeps", 5}});
    const Sizes sizes{options["locks"],
                      options["hot"],
                      static_cast<double>(options["rate"]),
                      std::chrono::milliseconds(options["change-ms"]),
                      std::chrono::milliseconds(options["warm-up-ms"]),
                      std::chrono::milliseconds(options["idle-ms"]),
                      std::chrono::milliseconds(options["renewal-ms"]),
                      options["rounds"],
                      options["share"]};
    return Bench(sizes).run();
}
