// SPDX-License-Identifier: Apache-2.0
#include "benchmarkrun.h"
#include "hiredisinloop.h"
#include "lockpairs.h"

#include "base/systemclock.h"
#include "topology/shardconnections.h"

#include <QCommandLineParser>
#include <QTextStream>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// Uncontended lock and unlock pairs a second, and the server's CPU time for a pair: this library, compared with the
// same two scripts sent by hiredis and by redis-benchmark. One server; short alternating rounds, so that other load
// affects all sides alike; medians of the rounds and of their ratios.
namespace {

constexpr ThreadId owner{1};
constexpr int inFlight = 64;

// ---- this library ----

class Ours {
public:
    Ours(const redis::ConnectionOptions& options) : m_client(options, m_clock) {
        m_client.open();
        QEventLoop loop;
        m_client.connections().of({})->whenReady().then([&loop](const Result<Done>&) { loop.quit(); });
        if (!m_client.connections().of({})->isReady())
            loop.exec();
    }

    // Returns the number of pairs.
    qint64 run(int locks, std::chrono::milliseconds time) {
        QByteArrayList names;
        for (int i = 0; i < locks; ++i)
            names += "lock:" + QByteArray::number(i);
        return runLockPairs(m_client, names, owner, time);
    }

private:
    SystemClock m_clock;
    LockClient m_client;
};

// ---- hiredis and redis-benchmark ----

class Hiredis {
public:
    Hiredis(const test::RedisServer& server, Socket socket) : m_peer(server, socket) {}

    qint64 run(std::chrono::milliseconds time) {
        const auto start = std::chrono::steady_clock::now();
        qint64 pairs = 0;
        for (; std::chrono::steady_clock::now() < start + time; ++pairs) {
            m_peer.send(m_commands.acquire, REDIS_REPLY_NIL);
            m_peer.send(m_commands.release, REDIS_REPLY_INTEGER);
        }
        return pairs;
    }

private:
    HiredisPeer m_peer;
    LockCommands m_commands{LockName("lock:theirs"), owner};
};

class RedisBenchmark {
public:
    RedisBenchmark(const test::RedisServer& server, Socket socket) : m_server(server), m_socket(socket) {}

    double pairsPerSecond(int pipelined, qint64 pairs) {
        const double acquires = rate(pipelined, pairs, m_commands.acquire);
        const double releases = rate(pipelined, pairs, m_commands.release);
        return bench::pairsPerSecond(acquires, releases);
    }

private:
    double rate(int pipelined, qint64 count, const QByteArrayList& command) {
        return BenchmarkRun(m_server, m_socket, pipelined, count, command).rate();
    }

    const test::RedisServer& m_server;
    Socket m_socket;
    LockCommands m_commands{LockName("lock:theirs"), owner};
};

// ---- the table ----

// The figures of one round: pairs a second, and microseconds of CPU time a pair if measured.
struct Round {
    double rate = 0;
    double serverCpu = 0;
    double ownCpu = 0;
};

// The result of one side in one round.
Round counted(const test::RedisServer& server, const std::function<qint64()>& run) {
    const auto start = std::chrono::steady_clock::now();
    const double serverBefore = cpuMicroseconds(server.processId());
    const double ownBefore = cpuMicroseconds(QCoreApplication::applicationPid());
    const auto pairs = static_cast<double>(run());
    Round round;
    round.rate = pairs / secondsSince(start);
    round.serverCpu = (cpuMicroseconds(server.processId()) - serverBefore) / pairs;
    round.ownCpu = (cpuMicroseconds(QCoreApplication::applicationPid()) - ownBefore) / pairs;
    return round;
}

struct Side {
    const char* name;
    std::function<Round()> measure;
    Figures rates;
    Figures serverCpu;
    Figures ownCpu;

    void note(const Round& round) {
        rates.push_back(round.rate);
        serverCpu.push_back(round.serverCpu);
        ownCpu.push_back(round.ownCpu);
    }
};

QString cpuText(double microseconds) {
    return microseconds > 0 ? QString::number(microseconds, 'f', 1) : QStringLiteral("-");
}

void compare(QTextStream& out, const QString& title, std::vector<Side> sides, int rounds) {
    for (int round = 0; round <= rounds; ++round) {
        for (Side& side : sides) {
            const Round measured = side.measure();
            if (round > 0)  // the first round is a warm-up
                side.note(measured);
        }
    }
    out << QStringLiteral("%1 %2 %3 %4 %5\n")
               .arg(title, -36)
               .arg(QStringLiteral("pairs/s"), 9)
               .arg(QStringLiteral("ours / this"), 12)
               .arg(QStringLiteral("server us/pair"), 15)
               .arg(QStringLiteral("own us/pair"), 12);
    for (const Side& side : sides) {
        out << QStringLiteral("  %1 %2 %3 %4 %5\n")
                   .arg(QString::fromLatin1(side.name), -34)
                   .arg(median(side.rates), 9, 'f', 0)
                   .arg(median(ratios(sides.front().rates, side.rates)), 12, 'f', 2)
                   .arg(cpuText(median(side.serverCpu)), 15)
                   .arg(cpuText(median(side.ownCpu)), 12);
    }
    out << "\n";
    out.flush();
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption roundsOption(QStringLiteral("rounds"), QStringLiteral("rounds of each side"),
                                          QStringLiteral("n"), QStringLiteral("21"));
    const QCommandLineOption timeOption(QStringLiteral("time"), QStringLiteral("milliseconds of one round"),
                                        QStringLiteral("ms"), QStringLiteral("150"));
    parser.addHelpOption();
    parser.addOptions({roundsOption, timeOption});
    parser.process(application);
    const int rounds = parser.value(roundsOption).toInt();
    const std::chrono::milliseconds time(parser.value(timeOption).toInt());

    test::RedisServer server;
    if (!server.start())
        return 1;
    QTextStream out(stdout);
    for (const Socket socket : {Socket::Unix, Socket::Tcp}) {
        Ours ours(socket == Socket::Unix ? server.options() : server.tcpOptions());
        ours.run(1, 10ms);  // loads the scripts into the server
        Hiredis hiredis(server, socket);
        HiredisInLoop inLoop(server, socket);
        const LockCommands commands(LockName("lock:theirs"), owner);
        const std::array<QByteArrayList, 2> pairOfCommands{commands.acquire, commands.release};
        RedisBenchmark benchmark(server, socket);
        const qint64 pairs = hiredis.run(200ms) * time.count() / 200;
        const auto oursWith = [&](int locks) {
            return [&, locks] { return counted(server, [&] { return ours.run(locks, time); }); };
        };
        const auto benchmarkWith = [&](int pipelined, qint64 count) {
            return [&benchmark, pipelined, count] { return Round{benchmark.pairsPerSecond(pipelined, count), 0, 0}; };
        };
        const QString name = socket == Socket::Unix ? QStringLiteral("Unix socket") : QStringLiteral("TCP, 127.0.0.1");
        compare(
            out, name + QStringLiteral(", one at a time"),
            {{"Lockkeeper", oursWith(1), {}, {}, {}},
             {"hiredis, synchronous", [&] { return counted(server, [&] { return hiredis.run(time); }); }, {}, {}, {}},
             {"hiredis in Qt's event loop",
              [&] { return counted(server, [&] { return inLoop.run(pairOfCommands, time); }); },
              {},
              {},
              {}},
             {"redis-benchmark -c 1 (reentry)", benchmarkWith(1, pairs), {}, {}, {}}},
            rounds);
        compare(out, name + QStringLiteral(", %1 in flight").arg(inFlight),
                {{"Lockkeeper, 64 locks", oursWith(inFlight), {}, {}, {}},
                 {"redis-benchmark -P 64 (reentry)", benchmarkWith(inFlight, pairs * 2), {}, {}, {}}},
                rounds);
    }
    return 0;
}
