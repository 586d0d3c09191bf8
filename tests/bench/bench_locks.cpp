#include "async/taskscope.h"
#include "base/systemclock.h"
#include "locks/lockclient.h"
#include "locks/lockkeys.h"
#include "locks/kinds/reentrantlock.h"
#include "redis/script.h"
#include "support/redisserver.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QEventLoop>
#include <QTextStream>

#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// Uncontended lock and unlock pairs a second: ours, beside the same two scripts sent by hiredis and by redis-benchmark.
// One server, short rounds in turn so that what else the machine does hits all sides alike; medians of the rounds, and
// of their ratios.
namespace {

constexpr ThreadId owner{1};
constexpr int inFlight = 64;

enum class Socket { Unix, Tcp };

// Pairs a second of each round.
using Rates = std::vector<double>;

double median(Rates rates) {
    std::ranges::sort(rates);
    return rates.empty() ? 0 : rates[rates.size() / 2];
}

// Round by round: two rounds next to each other have had the same machine.
Rates ratios(const Rates& ours, const Rates& theirs) {
    Rates ratios;
    std::ranges::transform(ours, theirs, std::back_inserter(ratios), std::divides());
    return ratios;
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[noreturn]] void giveUp(const QString& why) {
    qFatal("%s", qPrintable(why));
}

// ---- ours ----

Task<void> lockAndUnlock(LockClient* client, QByteArray name, std::chrono::steady_clock::time_point until,
                         qint64* pairs, std::function<void()> ended) {
    const ReentrantLock lock = client->reentrantLock(LockName(name));
    while (std::chrono::steady_clock::now() < until) {
        const Result<Done> taken = co_await lock.lock(owner);
        const Result<ReleaseOutcome> released = co_await lock.unlock(owner);
        if (!taken || !released)
            giveUp(taken ? released.error().text : taken.error().text);
        ++*pairs;
    }
    ended();
}

class Ours {
public:
    Ours(const redis::ConnectionOptions& options) : m_client(options, m_clock) {
        m_client.open();
        QEventLoop loop;
        m_client.connection().whenReady().then([&loop](const Result<Done>&) { loop.quit(); });
        if (!m_client.connection().isReady())
            loop.exec();
    }

    double measure(int locks, std::chrono::milliseconds time) {
        QEventLoop loop;
        qint64 pairs = 0;
        int running = locks;
        TaskScope scope;
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < locks; ++i) {
            scope.spawn(lockAndUnlock(&m_client, "lock:" + QByteArray::number(i), start + time, &pairs, [&] {
                if (--running == 0)
                    loop.quit();
            }));
        }
        loop.exec();
        return static_cast<double>(pairs) / secondsSince(start);
    }

private:
    SystemClock m_clock;
    LockClient m_client;
};

// ---- theirs ----

// The two commands as ours sends them.
struct Commands {
    QByteArrayList acquire;
    QByteArrayList release;

    Commands() {
        const LockName name("lock:theirs");
        const LockKeys keys(name);
        const QByteArray holder = HolderId(ClientId::random(), owner).bytes();
        const redis::Script script = redis::Script::joined(
            {QStringLiteral("locks/lua/hold.lua"), QStringLiteral("locks/lua/reentrant_acquire.lua")});
        acquire = {"EVALSHA", script.sha(), "1", name.bytes(), "30000", holder};
        release = {"EVALSHA",    redis::Script::embedded(QStringLiteral("locks/lua/reentrant_release.lua")).sha(),
                   "2",          name.bytes(),
                   keys.channel, "0",
                   "30000",      holder};
    }
};

class Hiredis {
public:
    Hiredis(const test::RedisServer& server, Socket socket)
        : m_context(socket == Socket::Unix ? redisConnectUnix(server.socketPath().toLocal8Bit().constData())
                                           : redisConnect("127.0.0.1", server.port())) {
        if (!m_context || m_context->err)
            giveUp(QStringLiteral("hiredis does not connect"));
    }
    Hiredis(const Hiredis&) = delete;
    Hiredis& operator=(const Hiredis&) = delete;
    ~Hiredis() { redisFree(m_context); }

    double measure(std::chrono::milliseconds time) {
        const auto start = std::chrono::steady_clock::now();
        qint64 pairs = 0;
        for (; std::chrono::steady_clock::now() < start + time; ++pairs) {
            send(m_commands.acquire, REDIS_REPLY_NIL);
            send(m_commands.release, REDIS_REPLY_INTEGER);
        }
        return static_cast<double>(pairs) / secondsSince(start);
    }

private:
    void send(const QByteArrayList& parts, int expected) {
        std::vector<const char*> arguments;
        std::vector<size_t> sizes;
        for (const QByteArray& part : parts) {
            arguments.push_back(part.constData());
            sizes.push_back(static_cast<size_t>(part.size()));
        }
        auto* reply = static_cast<redisReply*>(
            redisCommandArgv(m_context, static_cast<int>(arguments.size()), arguments.data(), sizes.data()));
        if (!reply || reply->type != expected)
            giveUp(QStringLiteral("hiredis: another answer than expected"));
        freeReplyObject(reply);
    }

    redisContext* m_context;
    Commands m_commands;
};

// redis-benchmark repeats one command: so it takes the lock N times, by reentry, and then gives it back N times.
class RedisBenchmark {
public:
    RedisBenchmark(const test::RedisServer& server, Socket socket)
        : m_where(socket == Socket::Unix ? QStringList{QStringLiteral("-s"), server.socketPath()}
                                         : QStringList{QStringLiteral("-p"), QString::number(server.port())}) {}

    double measure(int pipelined, int pairs) {
        const double acquires = rate(pipelined, pairs, m_commands.acquire);
        const double releases = rate(pipelined, pairs, m_commands.release);
        return 1 / (1 / acquires + 1 / releases);
    }

private:
    double rate(int pipelined, int count, const QByteArrayList& command) {
        QStringList arguments =
            m_where + QStringList{QStringLiteral("-c"),       QStringLiteral("1"),  QStringLiteral("-P"),
                                  QString::number(pipelined), QStringLiteral("-n"), QString::number(count),
                                  QStringLiteral("--csv")};
        for (const QByteArray& part : command)
            arguments += QString::fromUtf8(part);
        QProcess process;
        process.start(QStringLiteral("redis-benchmark"), arguments);
        if (!process.waitForFinished(60000))
            giveUp(QStringLiteral("redis-benchmark does not end"));
        // "test","rps",... and then the command's line; its name may hold quoted commas, so count from the end.
        const QByteArrayList columns = process.readAllStandardOutput().trimmed().split('\n').last().split(',');
        constexpr qsizetype columnsBehindRate = 6;
        bool ok = false;
        const double rate = columns.value(columns.size() - 1 - columnsBehindRate).replace('"', "").toDouble(&ok);
        if (!ok)
            giveUp(QStringLiteral("redis-benchmark: its output is not understood"));
        return rate;
    }

    QStringList m_where;
    Commands m_commands;
};

// ---- the table ----

struct Side {
    const char* name;
    std::function<double()> measure;
    Rates rates;
};

void compare(QTextStream& out, const QString& title, std::vector<Side> sides, int rounds) {
    for (int round = 0; round <= rounds; ++round) {
        for (Side& side : sides) {
            const double rate = side.measure();
            if (round > 0)  // the first one warms up
                side.rates.push_back(rate);
        }
    }
    out << title << "\n";
    for (const Side& side : sides) {
        const auto [least, most] = std::ranges::minmax(side.rates);
        out << QStringLiteral("  %1 %2 pairs/s  (%3 - %4)   ours / this: %5\n")
                   .arg(QString::fromLatin1(side.name), -32)
                   .arg(median(side.rates), 8, 'f', 0)
                   .arg(least, 0, 'f', 0)
                   .arg(most, 0, 'f', 0)
                   .arg(median(ratios(sides.front().rates, side.rates)), 0, 'f', 2);
    }
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
        ours.measure(1, 10ms);  // the server knows the scripts from here on
        Hiredis hiredis(server, socket);
        RedisBenchmark benchmark(server, socket);
        const QString name = socket == Socket::Unix ? QStringLiteral("Unix socket") : QStringLiteral("TCP, 127.0.0.1");
        const int pairs = static_cast<int>(hiredis.measure(200ms) * static_cast<double>(time.count()) / 1000);
        compare(out, name + QStringLiteral(", one at a time"),
                {{"Lockkeeper", [&] { return ours.measure(1, time); }, {}},
                 {"hiredis, synchronous", [&] { return hiredis.measure(time); }, {}},
                 {"redis-benchmark -c 1 (reentry)", [&] { return benchmark.measure(1, pairs); }, {}}},
                rounds);
        compare(out, name + QStringLiteral(", %1 in flight").arg(inFlight),
                {{"Lockkeeper, 64 locks", [&] { return ours.measure(inFlight, time); }, {}},
                 {"redis-benchmark -P 64 (reentry)", [&] { return benchmark.measure(inFlight, pairs * 2); }, {}}},
                rounds);
    }
    return 0;
}
