// How soon a change on the server is an event out of `lockkeeper watch`, and what idle locks cost the server.
// Usage: bench_watch [idle locks, default 1000] [changes, default 500]. Prints one table; everything in it is from this one run.

#include "base/systemclock.h"
#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/redisserver.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <QTextStream>

#include <algorithm>

using namespace lockkeeper;

namespace {

const QByteArray holder = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33";

using Microseconds = std::vector<double>;

double percentile(Microseconds values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

class Bench {
public:
    Bench(int idleLocks, int changes) : m_idleLocks(idleLocks), m_changes(changes) {}

    bool run() {
        if (!m_server.start() || !connect())
            return false;
        for (int i = 0; i < m_idleLocks; ++i) {
            const QByteArray name = "idle:" + QByteArray::number(i);
            ask(redis::Command("HSET", {name, holder, "1"}));
            ask(redis::Command("PEXPIRE", {name, "3600000"}));
        }
        ask(redis::Command("HSET", {"hot", holder, "1"}));
        m_watch.start(QCoreApplication::applicationDirPath() + "/lockkeeper", {"watch", m_server.url(), "--json"});
        if (!waitForLine("\"event\":\"swept\""))
            return false;
        measureRoundTrips();
        measureEvents();
        measureIdleCost();
        m_watch.terminate();
        m_watch.waitForFinished();
        return true;
    }

    void print() {
        QTextStream out(stdout);
        const double trip = percentile(m_roundTrips, 0.5);
        out << "change on the server -> event out of watch, " << m_idleLocks << " idle locks known, " << m_changes << " changes\n";
        out << QStringLiteral("  %1 %2 %3\n").arg("", 24).arg("median us", 12).arg("p99 us", 12);
        row(out, "command round trip", m_roundTrips);
        row(out, "command -> event line", m_events);
        out << QStringLiteral("  ratio of the medians %1\n").arg(percentile(m_events, 0.5) / trip, 0, 'f', 1);
        out << "commands in 10 s with " << m_idleLocks << " idle locks: reads of locks " << m_idleReads << ", keepalive " << m_idlePings
            << ", paced sweeps " << m_idleSweeps << "\n";
    }

private:
    bool connect() {
        const redis::Endpoint endpoint = m_server.tcpOptions().endpoint;
        m_connection = std::make_unique<redis::Connection>(
            m_server.tcpOptions(), [endpoint] { return redis::makeSocketTransport(endpoint); }, m_clock);
        m_connection->open();
        return QTest::qWaitFor([this] { return m_connection->isReady(); });
    }

    void ask(const redis::Command& command) {
        std::optional<bool> answered;
        m_connection->send(command).then([&answered](const Result<redis::RespValue>& reply) { answered = reply.ok(); });
        while (!answered)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        if (!*answered)
            qFatal("the server refused %s", command.name().constData());
    }

    bool waitForLine(const QByteArray& part) {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 20000) {
            while (m_watch.canReadLine()) {
                if (m_watch.readLine().contains(part))
                    return true;
            }
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
        }
        return false;
    }

    void measureRoundTrips() {
        for (int i = 0; i < m_changes; ++i) {
            QElapsedTimer timer;
            timer.start();
            ask(redis::Command("HSET", {"elsewhere", "field", QByteArray::number(i)}));
            m_roundTrips.push_back(static_cast<double>(timer.nsecsElapsed()) / 1000);
        }
    }

    // A tenth of a second apart at least: one lock alone is read twenty times a second at the most.
    void measureEvents() {
        for (int i = 0; i < m_changes; ++i) {
            const QByteArray name = "idle:" + QByteArray::number(i % m_idleLocks);
            const QByteArray count = QByteArray::number(2 + i);
            QElapsedTimer timer;
            timer.start();
            m_connection->send(redis::Command("HSET", {name, holder, count}));
            if (!waitForLine("\"lock\":\"" + name + "\""))
                return;
            m_events.push_back(static_cast<double>(timer.nsecsElapsed()) / 1000);
        }
    }

    qint64 calls(const QStringList& commands) {
        qint64 sum = 0;
        for (const QString& line : m_server.cli({"INFO", "commandstats"}).split('\n')) {
            for (const QString& command : commands) {
                if (line.startsWith("cmdstat_" + command + ":"))
                    sum += line.section("calls=", 1).section(',', 0, 0).toLongLong();
            }
        }
        return sum;
    }

    void measureIdleCost() {
        QTest::qWait(1500);
        m_server.cli({"CONFIG", "RESETSTAT"});
        QTest::qWait(10000);
        m_idleReads = calls({"eval_ro", "hgetall", "hlen", "pttl"});
        m_idlePings = calls({"ping"});
        m_idleSweeps = calls({"scan", "dbsize", "pubsub|channels", "pubsub|numsub"});
    }

    static void row(QTextStream& out, const char* name, const Microseconds& values) {
        out << QStringLiteral("  %1 %2 %3\n").arg(name, -24).arg(percentile(values, 0.5), 12, 'f', 0).arg(percentile(values, 0.99), 12, 'f', 0);
    }

    const int m_idleLocks;
    const int m_changes;
    test::RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<redis::Connection> m_connection;
    QProcess m_watch;
    Microseconds m_roundTrips;
    Microseconds m_events;
    qint64 m_idleReads = 0;
    qint64 m_idlePings = 0;
    qint64 m_idleSweeps = 0;
};

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    Bench bench(arguments.value(1, "1000").toInt(), arguments.value(2, "500").toInt());
    if (!bench.run())
        return 1;
    bench.print();
    return 0;
}
