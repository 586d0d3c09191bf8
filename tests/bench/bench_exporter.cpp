// SPDX-License-Identifier: Apache-2.0
#include "lockchanges.h"
#include "options.h"
#include "report.h"
#include "support/exporterprogram.h"
#include "support/processmemory.h"
#include "watchprogram.h"

#include <QStandardPaths>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// What a scrape of `lockkeeper exporter` takes, what the exporter costs beside `lockkeeper watch` at the same changes,
// and what it and redis_exporter cost the server.
namespace {

using Time = std::chrono::steady_clock::time_point;

struct Sizes {
    int locks;    // known locks without changes
    int hot;      // known locks that are changed in turn
    double rate;  // changes a second
    std::chrono::milliseconds changeFor;
    int scrapes;
};

class Bench {
public:
    explicit Bench(const Sizes& sizes)
        : m_sizes(sizes),
          m_report(QStringLiteral("lockkeeper exporter, %1 locks known").arg(sizes.locks + sizes.hot)),
          m_changes(sizes.hot, [this](const QByteArray&) -> BenchServer& { return m_server; }),
          m_watch([this](const QByteArray& line) { m_changes.see(line); }) {}

    int run() {
        m_server.makeLocks("idle:", m_sizes.locks, 1h);
        m_changes.begin();
        test::ExporterProgram exporter(
            {QStringLiteral("t=") + m_server.url(), QStringLiteral("--group-by"), QStringLiteral(":")});
        if (!exporter.isServing() || !runUntil([&] { return heldIn(exporter) == m_sizes.locks + m_sizes.hot; }, 120s))
            giveUp(QStringLiteral("the exporter does not find all locks"));
        measureScrapes(exporter);
        m_watch.start(m_server.url(), m_sizes.locks + m_sizes.hot);
        measureChanges(exporter);
        compareWithRedisExporter(exporter);
        return m_report.exitCode();
    }

private:
    static int heldIn(const test::ExporterProgram& exporter) {
        const test::ScrapedPage page = exporter.scrape();
        double held = 0;
        for (const char* group : {"idle", "hot"})
            held += page.value("lockkeeper_locks",
                               {"group=\"" + QByteArray(group) + '"', "kind=\"reentrant\",state=\"held\""})
                        .value_or(0);
        return static_cast<int>(held);
    }

    // Without an event loop, which would add its own time.
    static qsizetype bytesOfScrape(const test::ExporterProgram& exporter) {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), exporter.port());
        socket.write(test::HttpClient::request("/metrics"));
        while (socket.state() != QAbstractSocket::UnconnectedState && socket.waitForReadyRead(10000)) {
        }
        const QByteArray answer = socket.readAll();
        if (test::statusOf(answer) != 200)
            giveUp(QStringLiteral("a scrape is not answered"));
        return answer.size();
    }

    void measureScrapes(const test::ExporterProgram& exporter) {
        Figures times;
        qsizetype bytes = 0;
        for (int i = 0; i < m_sizes.scrapes; ++i) {
            const Time start = std::chrono::steady_clock::now();
            bytes = bytesOfScrape(exporter);
            times.push_back(secondsSince(start) * 1000);
        }
        m_report.figure(QStringLiteral("a scrape, median / p99"),
                        QStringLiteral("%1 / %2 ms").arg(text(median(times)), text(percentile(times, 0.99))),
                        QStringLiteral("p99 50 ms"));
        m_report.figure(QStringLiteral("  its size"), text(static_cast<double>(bytes) / 1024) + QStringLiteral(" KiB"));
    }

    // Both programs see the same changes at the same time, so that what else the machine does concerns both.
    void measureChanges(test::ExporterProgram& exporter) {
        const qint64 exporterId = exporter.process().processId();
        const double watchBefore = cpuSeconds(m_watch.processId());
        const double exporterBefore = cpuSeconds(exporterId);
        const auto releasesBefore =
            exporter.scrape().value("lockkeeper_release_messages_total", {"group=\"hot\""}).value_or(0);
        const qint64 madeBefore = m_changes.made();
        runAtRate(m_sizes.rate, m_sizes.changeFor, [this](qint64) { m_changes.make(); });
        (void)runUntil([this] { return m_changes.allTold(); }, 5s);
        const double watch = cpuSeconds(m_watch.processId()) - watchBefore;
        const double own = cpuSeconds(exporterId) - exporterBefore;
        m_report.figure(QStringLiteral("CPU of the exporter / of watch, at the same changes"), text(own / watch, 2),
                        QStringLiteral("at most 1.1"));
        m_report.figure(QStringLiteral("memory of the exporter"),
                        text(test::memoryOf(exporterId, "VmRSS").value_or(0), 0) + QStringLiteral(" MB"),
                        QStringLiteral("at most 200 MB"));
        // Each second change releases a lock, and publishes a message. The first one takes back what begin() has taken.
        const double released = static_cast<double>(m_changes.made() - madeBefore) / 2;
        const auto counted = [&] {
            return exporter.scrape().value("lockkeeper_release_messages_total", {"group=\"hot\""}).value_or(0) -
                   releasesBefore;
        };
        const bool isAll = runUntil([&] { return std::abs(counted() - released) <= m_sizes.hot; }, 10s);
        m_report.exact(QStringLiteral("releases counted"),
                       QStringLiteral("%1 of %2").arg(text(counted(), 0), text(released, 0)), QStringLiteral("all"),
                       isAll);
    }

    // Commands that the server executes while each is scraped so many times.
    void compareWithRedisExporter(const test::ExporterProgram& exporter) {
        constexpr int scrapes = 5;
        const auto commandsDuring = [this](const std::function<void()>& scrape) {
            const CommandCounts before = m_server.calls();
            for (int i = 0; i < scrapes; ++i) {
                scrape();
                runFor(200ms);
            }
            qint64 commands = 0;
            for (const qint64 count : difference(m_server.calls(), before))
                commands += count;
            return static_cast<double>(commands) / scrapes;
        };
        const double idle = commandsDuring([] {});
        const double own = commandsDuring([&exporter] { (void)exporter.scrape(); });
        m_report.figure(QStringLiteral("commands of the server, idle / with a scrape of the exporter"),
                        QStringLiteral("%1 / %2").arg(text(idle), text(own)));
        const QString other = QStandardPaths::findExecutable(QStringLiteral("prometheus-redis-exporter"));
        if (other.isEmpty())
            return m_report.note(QStringLiteral("prometheus-redis-exporter is not installed, and not compared"));
        const lab::ReservedPort port;
        QProcess redisExporter;
        redisExporter.start(other, {QStringLiteral("--redis.addr"), m_server.tcpUrl(), QStringLiteral("--check-keys"),
                                    QStringLiteral("idle:*"), QStringLiteral("--web.listen-address"),
                                    QStringLiteral("127.0.0.1:%1").arg(port.number())});
        const auto page = [&port] {
            test::HttpClient client(port.number());
            client.send(test::HttpClient::request("/metrics", "Connection: close\r\n"));
            return client.answer();
        };
        if (runUntil([&page] { return test::statusOf(page()) == 200; }, 60s))
            m_report.figure(QStringLiteral("  with one of redis_exporter --check-keys"),
                            QStringLiteral("%1").arg(text(commandsDuring([&page] { (void)page(); }))));
        redisExporter.terminate();
        redisExporter.waitForFinished();
    }

    const Sizes m_sizes;
    Report m_report;
    BenchServer m_server;
    LockChanges m_changes;
    WatchProgram m_watch;
};

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"locks", "idle locks", 99800},
                           {"hot", "locks that change", 200},
                           {"rate", "changes a second", 1000},
                           {"change-ms", "for so long", 10000},
                           {"scrapes", "that are measured", 200}});
    return Bench({options["locks"], options["hot"], static_cast<double>(options["rate"]),
                  std::chrono::milliseconds(options["change-ms"]), options["scrapes"]})
        .run();
}
