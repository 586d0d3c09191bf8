// SPDX-License-Identifier: Apache-2.0
#include "benchmarkrun.h"
#include "lockpairs.h"
#include "options.h"
#include "report.h"

#include "base/systemclock.h"
#include "support/clusterclient.h"
#include "support/clustersetup.h"
#include "topology/shardconnections.h"

#include <thread>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using redis::Publishing;

// Locks in a Cluster of three masters: the hand-off between this library and a client that uses the channels of shards,
// compared with the plain channels; lock and unlock pairs a second, compared with one redis-benchmark for each master;
// and what it costs the servers that a release is published to both kinds of channels. Short alternating rounds, so
// that other load affects all sides alike.
namespace {

constexpr ThreadId owner{1};
constexpr int masters = 3;
constexpr int inFlight = 64;
constexpr Socket socketKind = Socket::Tcp;
// The waiter is asleep by then. Idle processors need some time to wake up, so all start after the same pause.
constexpr std::chrono::milliseconds pauseBefore{3};

QString fileOf(Publishing publishing) {
    switch (publishing) {
        case Publishing::Plain:
            return QStringLiteral("publish");
        case Publishing::PlainAndSharded:
            return QStringLiteral("publish_both");
        case Publishing::Sharded:
            return QStringLiteral("publish_sharded");
    }
    Q_UNREACHABLE();
}

// A name that this master keeps.
QByteArray nameOn(const test::ClusterSetup& cluster, size_t master, const QByteArray& prefix) {
    for (int i = 0;; ++i) {
        const QByteArray name = prefix + QByteArray::number(i);
        if (cluster.firstOwnerOf(name) == master)
            return name;
    }
}

void loadScripts(test::ClusterSetup& cluster) {
    for (size_t i = 0; i < cluster.masterCount(); ++i) {
        HiredisPeer peer(cluster.master(i), socketKind);
        peer.send({"SCRIPT", "LOAD", test::lockScript(QStringLiteral("reentrant_acquire")).source()},
                  REDIS_REPLY_STRING);
        for (const Publishing form : {Publishing::Plain, Publishing::PlainAndSharded, Publishing::Sharded})
            peer.send({"SCRIPT", "LOAD", test::lockScript(QStringLiteral("reentrant_release"), fileOf(form)).source()},
                      REDIS_REPLY_STRING);
    }
}

// A client that is connected to every master.
class Ours {
public:
    Ours(test::ClusterSetup& cluster, Publishing publishing)
        : m_own(cluster.address(0), m_clock, LockClientOptions(), publishing) {
        for (size_t i = 0; i < cluster.masterCount(); ++i) {
            const QByteArray name = nameOn(cluster, i, "ready:");
            if (!runUntil([&] { return client().connections().isReady(name); }, 10s))
                giveUp(QStringLiteral("the Cluster does not answer"));
        }
    }
    [[nodiscard]] LockClient& client() { return m_own.client(); }
    [[nodiscard]] Clock& clock() { return m_clock; }

private:
    SystemClock m_clock;
    test::ClusterClient m_own;
};

// ---- hand-off ----

using Time = std::chrono::steady_clock::time_point;

double microsecondsBetween(Time start, Time end) {
    return std::chrono::duration<double, std::micro>(end - start).count();
}

// Between this library and a synchronous client that publishes and subscribes to one kind of channel. Each direction
// has a lock of its own, because all releases of a lock are published to its subscribers.
class HandOff {
public:
    HandOff(test::ClusterSetup& cluster, Ours& ours, Publishing peers, const QByteArray& prefix)
        : m_ours(ours),
          m_toPeer(nameOn(cluster, 0, prefix + "to:")),
          m_fromPeer(nameOn(cluster, 0, prefix + "from:")),
          m_subscriber(cluster.master(0), socketKind),
          m_peer(cluster.master(0), socketKind),
          m_peersAfter(m_toPeer, owner, fileOf(peers)),
          m_peersBefore(m_fromPeer, owner, fileOf(peers)) {
        m_subscriber.send({peers == Publishing::Sharded ? "SSUBSCRIBE" : "SUBSCRIBE", LockKeys(m_toPeer).channel()},
                          REDIS_REPLY_ARRAY);
    }

    // Microseconds from our unlock() until the peer has acquired the lock.
    double toPeer() {
        lock(m_toPeer);
        Time success{};
        std::thread waiter([this, &success] {
            m_subscriber.receive();
            m_peer.send(m_peersAfter.acquire, REDIS_REPLY_NIL);
            success = std::chrono::steady_clock::now();
        });
        runFor(pauseBefore);
        const Time start = std::chrono::steady_clock::now();
        unlock(m_toPeer);
        waiter.join();
        m_peer.send(m_peersAfter.release, REDIS_REPLY_INTEGER);
        m_subscriber.receive();  // the message of that release
        return microsecondsBetween(start, success);
    }

    // Microseconds from the peer's release until our lock() has succeeded.
    double fromPeer() {
        m_peer.send(m_peersBefore.acquire, REDIS_REPLY_NIL);
        std::thread holder;
        Time start{};
        QTimer::singleShot(pauseBefore, [&] {
            holder = std::thread([this, &start] {
                start = std::chrono::steady_clock::now();
                m_peer.send(m_peersBefore.release, REDIS_REPLY_INTEGER);
            });
        });
        lock(m_fromPeer);
        const Time success = std::chrono::steady_clock::now();
        if (!holder.joinable())
            giveUp(QStringLiteral("the lock was free too early"));
        holder.join();
        unlock(m_fromPeer);
        return microsecondsBetween(start, success);
    }

private:
    void lock(const LockName& name) { run(lockTask(name)); }
    void unlock(const LockName& name) { run(unlockTask(name)); }
    void run(Task<void> task) {
        QEventLoop loop;
        m_ended = [&loop] { loop.quit(); };
        m_tasks.spawn(std::move(task));
        loop.exec();
    }
    Task<void> lockTask(LockName name) {
        const Result<Done> taken = co_await m_ours.client().reentrantLock(name).lock(owner);
        if (!taken)
            giveUp(taken.error().text);
        m_ended();
    }
    Task<void> unlockTask(LockName name) {
        const Result<ReleaseOutcome> released = co_await m_ours.client().reentrantLock(name).unlock(owner);
        if (!released)
            giveUp(released.error().text);
        m_ended();
    }

    Ours& m_ours;
    const LockName m_toPeer;
    const LockName m_fromPeer;
    HiredisPeer m_subscriber;
    HiredisPeer m_peer;
    const LockCommands m_peersAfter;
    const LockCommands m_peersBefore;
    std::function<void()> m_ended;
    TaskScope m_tasks;
};

void reportDirection(Report& report, const QString& direction, const Figures& sharded, const Figures& plain) {
    const auto times = [](const Figures& figures) {
        return QStringLiteral("%1 / %2").arg(text(percentile(figures, 0.5)), text(percentile(figures, 0.99)));
    };
    report.figure(direction + QStringLiteral(", sharded channel: median / p99 us"), times(sharded));
    report.figure(direction + QStringLiteral(", plain channel: median / p99 us"), times(plain));
    report.figure(direction + QStringLiteral(", medians: sharded / plain"),
                  text(percentile(sharded, 0.5) / percentile(plain, 0.5), 2), QStringLiteral("at most 1.2"));
}

void measureHandOffs(test::ClusterSetup& cluster, int rounds) {
    Report report(QStringLiteral("Hand-off in a Cluster of %1 masters, over TCP").arg(masters));
    Ours ours(cluster, Publishing::PlainAndSharded);
    HandOff sharded(cluster, ours, Publishing::Sharded, "sharded:");
    HandOff plain(cluster, ours, Publishing::Plain, "plain:");
    Figures toSharded;
    Figures toPlain;
    Figures fromSharded;
    Figures fromPlain;
    for (int round = 0; round < rounds; ++round) {
        toSharded.push_back(sharded.toPeer());
        toPlain.push_back(plain.toPeer());
        fromSharded.push_back(sharded.fromPeer());
        fromPlain.push_back(plain.fromPeer());
    }
    reportDirection(report, QStringLiteral("from ours to the peer"), toSharded, toPlain);
    reportDirection(report, QStringLiteral("from the peer to ours"), fromSharded, fromPlain);
}

// ---- pairs, and what publishing costs ----

// Sums over all masters so far.
struct ServerCosts {
    double cpu = 0;      // microseconds
    qint64 publish = 0;  // messages between the servers
    qint64 publishShard = 0;
};

qint64 clusterInfo(test::RedisServer& server, const QString& field) {
    for (const QString& line : server.cli({QStringLiteral("CLUSTER"), QStringLiteral("INFO")}).split(u'\n')) {
        if (line.startsWith(field + u':'))
            return line.mid(field.size() + 1).trimmed().toLongLong();
    }
    return 0;  // the server has sent none of these
}

ServerCosts costsOf(test::ClusterSetup& cluster) {
    ServerCosts costs;
    for (size_t i = 0; i < cluster.masterCount(); ++i) {
        test::RedisServer& server = cluster.master(i);
        costs.cpu += cpuMicroseconds(server.processId());
        costs.publish += clusterInfo(server, QStringLiteral("cluster_stats_messages_publish_sent"));
        costs.publishShard += clusterInfo(server, QStringLiteral("cluster_stats_messages_publishshard_sent"));
    }
    return costs;
}

// Our pairs, with one way of publishing releases.
class Pairs {
public:
    Pairs(test::ClusterSetup& cluster, Publishing publishing) : m_cluster(cluster), m_ours(cluster, publishing) {
        for (int i = 0; i < inFlight; ++i)
            m_names += nameOn(cluster, static_cast<size_t>(i % masters), "lock:" + QByteArray::number(i) + ':');
    }

    void measure(std::chrono::milliseconds time) {
        const ServerCosts before = costsOf(m_cluster);
        const double ownBefore = cpuMicroseconds(QCoreApplication::applicationPid());
        const auto start = std::chrono::steady_clock::now();
        const auto pairs = static_cast<double>(runLockPairs(m_ours.client(), m_names, owner, time));
        rates.push_back(pairs / secondsSince(start));
        ownCpu.push_back((cpuMicroseconds(QCoreApplication::applicationPid()) - ownBefore) / pairs);
        const ServerCosts after = costsOf(m_cluster);
        serverCpu.push_back((after.cpu - before.cpu) / pairs);
        publish.push_back(static_cast<double>(after.publish - before.publish) / pairs);
        publishShard.push_back(static_cast<double>(after.publishShard - before.publishShard) / pairs);
    }
    void warmUp() { (void)runLockPairs(m_ours.client(), m_names, owner, 50ms); }

    Figures rates;
    Figures ownCpu;
    Figures serverCpu;
    Figures publish;
    Figures publishShard;

private:
    test::ClusterSetup& m_cluster;
    Ours m_ours;
    QByteArrayList m_names;
};

// One redis-benchmark for each master, at the same time, with the scripts that we send.
class Benchmarks {
public:
    explicit Benchmarks(test::ClusterSetup& cluster) : m_cluster(cluster) {
        for (size_t i = 0; i < cluster.masterCount(); ++i)
            m_commands.emplace_back(LockName(nameOn(cluster, i, "theirs:")), owner,
                                    fileOf(Publishing::PlainAndSharded));
    }

    // count: pairs at each master.
    double pairsPerSecondOfAll(qint64 count) {
        const Figures acquires = rates(count, &LockCommands::acquire);
        const Figures releases = rates(count, &LockCommands::release);
        double sum = 0;
        for (size_t i = 0; i < acquires.size(); ++i)
            sum += pairsPerSecond(acquires[i], releases[i]);
        return sum;
    }

private:
    Figures rates(qint64 count, QByteArrayList LockCommands::*command) {
        std::vector<std::unique_ptr<BenchmarkRun>> runs;
        for (size_t i = 0; i < m_commands.size(); ++i)
            runs.push_back(std::make_unique<BenchmarkRun>(m_cluster.master(i), socketKind, inFlight, count,
                                                          m_commands[i].*command));
        Figures rates;
        for (const auto& run : runs)
            rates.push_back(run->rate());
        return rates;
    }

    test::ClusterSetup& m_cluster;
    std::vector<LockCommands> m_commands;
};

// The same work for the servers, by synchronous clients: at each master a thread takes its part of the locks in one
// pipeline, and then releases them in another.
class HiredisPairs {
public:
    explicit HiredisPairs(test::ClusterSetup& cluster) : m_cluster(cluster) {
        for (size_t i = 0; i < masters; ++i)
            m_masters.push_back(std::make_unique<Master>(cluster.master(i)));
        for (int i = 0; i < inFlight; ++i) {
            const auto master = static_cast<size_t>(i % masters);
            const LockName name(nameOn(cluster, master, "hiredis:" + QByteArray::number(i) + ':'));
            const LockCommands commands(name, owner, fileOf(Publishing::PlainAndSharded));
            m_masters[master]->acquires.push_back(commands.acquire);
            m_masters[master]->releases.push_back(commands.release);
        }
    }

    void measure(std::chrono::milliseconds time) {
        const ServerCosts before = costsOf(m_cluster);
        const auto start = std::chrono::steady_clock::now();
        std::vector<std::thread> threads;
        for (const auto& master : m_masters)
            threads.emplace_back([&master, until = start + time] { master->run(until); });
        qint64 pairs = 0;
        for (size_t i = 0; i < threads.size(); ++i) {
            threads[i].join();
            pairs += std::exchange(m_masters[i]->pairs, 0);
        }
        rates.push_back(static_cast<double>(pairs) / secondsSince(start));
        serverCpu.push_back((costsOf(m_cluster).cpu - before.cpu) / static_cast<double>(pairs));
    }

    Figures rates;
    Figures serverCpu;

private:
    struct Master {
        explicit Master(const test::RedisServer& server) : peer(server, socketKind) {}
        void run(Time until) {
            while (std::chrono::steady_clock::now() < until) {
                peer.sendAll(acquires, REDIS_REPLY_NIL);
                peer.sendAll(releases, REDIS_REPLY_INTEGER);
                pairs += std::ssize(acquires);
            }
        }

        HiredisPeer peer;
        std::vector<QByteArrayList> acquires;
        std::vector<QByteArrayList> releases;
        qint64 pairs = 0;
    };

    test::ClusterSetup& m_cluster;
    std::vector<std::unique_ptr<Master>> m_masters;
};

void measurePairs(test::ClusterSetup& cluster, int rounds, std::chrono::milliseconds time) {
    Report report(
        QStringLiteral("Lock and unlock pairs, %1 in flight over %2 masters, over TCP").arg(inFlight).arg(masters));
    Pairs both(cluster, Publishing::PlainAndSharded);
    Pairs sharded(cluster, Publishing::Sharded);
    Benchmarks benchmarks(cluster);
    HiredisPairs hiredis(cluster);
    both.warmUp();
    sharded.warmUp();
    constexpr qint64 warmUpPairs = 5000;
    constexpr double overlap = 3;  // long enough that the three processes run together most of the time
    const double perSecond = benchmarks.pairsPerSecondOfAll(warmUpPairs);
    const auto count = static_cast<qint64>(perSecond * std::chrono::duration<double>(time).count() * overlap / masters);
    Figures theirs;
    for (int round = 0; round < rounds; ++round) {
        both.measure(time);
        theirs.push_back(benchmarks.pairsPerSecondOfAll(std::max(count, warmUpPairs)));
        hiredis.measure(time);
        sharded.measure(time);
    }
    report.figure(QStringLiteral("ours, pairs/s"), spread(both.rates, 0));
    report.figure(QStringLiteral("%1 times redis-benchmark -P %2, together, pairs/s").arg(masters).arg(inFlight),
                  spread(theirs, 0));
    report.figure(QStringLiteral("ours / redis-benchmark"), spread(ratios(both.rates, theirs)),
                  QStringLiteral("at least 0.9"));
    report.note(QStringLiteral("Its releases publish nothing: they end reentries, except the last one."));
    report.figure(
        QStringLiteral("%1 pipelines by hiredis that take and release the same number of locks, pairs/s").arg(masters),
        spread(hiredis.rates, 0));
    report.figure(QStringLiteral("ours / hiredis"), spread(ratios(both.rates, hiredis.rates)));
    report.figure(QStringLiteral("ours with publish=sharded, pairs/s"), spread(sharded.rates, 0));
    const auto medians = [](const Figures& ofBoth, const Figures& ofSharded) {
        return QStringLiteral("%1, %2").arg(text(median(ofBoth)), text(median(ofSharded)));
    };
    report.figure(QStringLiteral("our CPU us a pair: both channels, sharded"), medians(both.ownCpu, sharded.ownCpu));
    report.figure(QStringLiteral("CPU us a pair of all servers: both channels, sharded"),
                  medians(both.serverCpu, sharded.serverCpu));
    report.figure(QStringLiteral("the same with the pipelines by hiredis"), text(median(hiredis.serverCpu)));
    const auto messages = [](const Pairs& pairs) {
        return QStringLiteral("%1 + %2").arg(text(median(pairs.publish)), text(median(pairs.publishShard)));
    };
    report.figure(QStringLiteral("messages between servers a pair, plain + sharded: both channels"), messages(both));
    report.figure(QStringLiteral("the same with publish=sharded"), messages(sharded));
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"rounds", "rounds of the pairs", 11},
                           {"time", "milliseconds of one round of the pairs", 300},
                           {"handoffs", "hand-offs in each direction", 300}});
    test::ClusterSetup cluster(masters);
    if (!cluster.start())
        return 1;
    loadScripts(cluster);
    measureHandOffs(cluster, options["handoffs"]);
    measurePairs(cluster, options["rounds"], std::chrono::milliseconds(options["time"]));
    return 0;
}
