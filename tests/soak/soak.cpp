// SPDX-License-Identifier: Apache-2.0
#include "bench/measuring.h"
#include "bench/memorygrowth.h"
#include "bench/options.h"
#include "bench/report.h"
#include "bench/watchprogram.h"
#include "soak/faultround.h"
#include "soak/lagcourse.h"
#include "support/memorycourse.h"

#include "monitor/format/eventjson.h"

using namespace lockkeeper;
using namespace lockkeeper::soak;
using namespace std::chrono_literals;

// `lockkeeper watch --json` for half an hour beside a load that changes thousands of locks a second, while the server
// is stopped, killed, frozen and flushed in turn. The events that are printed are compared with the log of the load.
namespace {

using bench::Report;
using bench::text;

struct Sizes {
    std::chrono::seconds time;
    std::chrono::seconds betweenFaults;
    LockLoad::Sizes load;
    Milliseconds normalLag;
    Tolerances tolerances;
};

double secondsOf(WallTime::duration time) {
    return std::chrono::duration<double>(time).count();
}

lab::ServerSetup setup() {
    lab::ServerSetup setup;
    setup.program = qEnvironmentVariable("LOCKKEEPER_TEST_SERVER");
    setup.extra = {QStringLiteral("--appendonly"), QStringLiteral("yes")};
    return setup;
}

class Soak {
public:
    explicit Soak(const Sizes& sizes)
        : m_sizes(sizes),
          m_report(QStringLiteral("lockkeeper watch --json, %1 locks, %2 changes a second, %3 s, a fault every %4 s")
                       .arg(sizes.load.locks)
                       .arg(sizes.load.rate)
                       .arg(static_cast<int>(sizes.time.count()))
                       .arg(static_cast<int>(sizes.betweenFaults.count()))),
          m_lags(sizes.normalLag),
          m_server(setup()),
          m_checker(sizes.tolerances, [this](WallTime arrived, Milliseconds lag) { m_lags.add(arrived, lag); }),
          m_load(m_server.options(), sizes.load, [this](const LogLine& line) { m_checker.note(line); }),
          m_faults(m_server, m_load, m_checker),
          m_watch([this](const QByteArray& line) { see(line); }) {}

    int run() {
        begin();
        soak();
        end();
        reportAgreement();
        reportLag();
        reportMemory();
        return m_report.exitCode();
    }

private:
    void begin() {
        m_server.start();
        if (!bench::runUntil([this] { return m_server.isReady() && m_load.isReady(); }, 10s))
            bench::giveUp(QStringLiteral("no server"));
        m_load.begin();
        if (!bench::runUntil([this] { return m_load.isFilled(); }, 1min))
            bench::giveUp(QStringLiteral("the locks are not acquired"));
        m_watch.start(QStringLiteral("unix://") + m_server.socketPath(), m_sizes.load.locks);
    }

    void soak() {
        QTimer ticks;
        QObject::connect(&ticks, &QTimer::timeout, &ticks, [this] { tick(); });
        m_begun = now();
        m_checker.noteWatching(m_begun);
        m_load.setRunning(true);
        ticks.start(100);
        m_cpuBefore = bench::cpuSeconds(m_watch.processId());
        bench::runFor(m_sizes.time);
        m_load.setRunning(false);
        m_cpu = bench::cpuSeconds(m_watch.processId()) - m_cpuBefore;
        m_ended = now();
        (void)bench::runUntil([this] { return m_load.isFilled(); }, m_sizes.betweenFaults);
    }

    void end() {
        bench::runFor(m_sizes.tolerances.late + m_sizes.tolerances.patience);
        m_checker.check(now());
        settleBefore(WallTime::max());
        bool isRead = false;
        QHash<LockName, std::pair<Hold, Milliseconds>> server;
        WallTime readAt;
        m_load.readAll([&](const QHash<LockName, std::pair<Hold, Milliseconds>>& held) {
            server = held;
            readAt = now();
            isRead = true;
        });
        if (!bench::runUntil([&] { return isRead; }, 10s))
            bench::giveUp(QStringLiteral("the locks are not read at the end"));
        bench::runFor(m_sizes.tolerances.late);
        m_isAlive = test::MemoryCourse::residentMegabytes(m_watch.processId()) > 0;
        if (const std::optional<Reading> last = m_lines.takeLast())
            m_checker.see(*last);
        m_checker.finish(readAt, server);
    }

    void see(const QByteArray& line) {
        const std::optional<monitor::LockEvent> event = monitor::eventFromJsonLine(line);
        if (!event || event->type == monitor::EventType::Swept)
            return;
        if (event->lock.name.isEmpty())
            return event->type == monitor::EventType::NotWatched ? m_checker.noteLostEvents() : void();
        if (std::optional<Reading> whole = m_lines.add(*event, now()))
            m_checker.see(std::move(*whole));
    }

    void tick() {
        m_faults.follow();
        const double second = secondsOf(now() - m_begun);
        if (second >= static_cast<double>(m_samples)) {
            m_memory.add(second, test::MemoryCourse::residentMegabytes(m_watch.processId()));
            ++m_samples;
        }
        const auto due = static_cast<size_t>(second / static_cast<double>(m_sizes.betweenFaults.count()));
        const bool isTimeLeft =
            second + static_cast<double>(m_sizes.betweenFaults.count()) <= static_cast<double>(m_sizes.time.count());
        if (due > m_faults.past().size() && isTimeLeft)
            m_faults.next();
        settleBefore(now() - m_sizes.tolerances.patience - 1s);
        m_checker.check(now());
    }

    // Finishes the faults before the time whose readings have been checked.
    void settleBefore(WallTime checked) {
        const std::vector<FaultRound::Past>& past = m_faults.past();
        while (m_settled < past.size() && past[m_settled].when.from + m_sizes.betweenFaults < checked) {
            const Span round{past[m_settled].when.from, past[m_settled].when.from + m_sizes.betweenFaults};
            m_faults.noteSettled(m_settled++, m_lags.normalAgain(round.from, std::min(round.to, m_ended)), round.to);
        }
    }

    void reportAgreement() {
        const auto whole = [](qint64 number) { return QString::number(number); };
        const double seconds = secondsOf(m_ended - m_begun);
        const double rate = static_cast<double>(m_checker.changes()) / seconds;
        m_report.exact(QStringLiteral("changes a second, with the time without a server"), text(rate, 0),
                       QStringLiteral("at least 80 % of %1").arg(m_sizes.load.rate), rate >= 0.8 * m_sizes.load.rate);
        m_report.figure(
            QStringLiteral("changes / readings / events"),
            QStringLiteral("%1 / %2 / %3").arg(m_checker.changes()).arg(m_checker.readings()).arg(m_checker.events()));
        for (auto [type, count] : m_checker.eventsByType().asKeyValueRange())
            m_report.figure(QStringLiteral("  ") + type, whole(count));
        m_report.figure(QStringLiteral("states shown / passed before a read / in gaps"),
                        QStringLiteral("%1 / %2 / %3")
                            .arg(m_checker.shown())
                            .arg(m_checker.passedUnread())
                            .arg(m_checker.inGaps()));
        m_report.figure(QStringLiteral("releases / without an event of their own / counts checked"),
                        QStringLiteral("%1 / %2 / %3")
                            .arg(m_checker.releases())
                            .arg(m_checker.releasesPassed())
                            .arg(m_checker.windowsCounted()));
        for (int i = 0; i <= static_cast<int>(Complaint::LogContradictory); ++i) {
            const auto complaint = static_cast<Complaint>(i);
            m_report.exact(wordsFor(complaint), whole(m_checker.count(complaint)), QStringLiteral("none"),
                           m_checker.count(complaint) == 0);
        }
        for (const QString& example : m_checker.examples())
            m_report.note(example);
    }

    void reportLag() {
        m_report.figure(QStringLiteral("change -> event, median / p99, faults included"),
                        QStringLiteral("%1 / %2 ms")
                            .arg(static_cast<qint64>(m_lags.percentile(0.5).count()))
                            .arg(static_cast<qint64>(m_lags.percentile(0.99).count())));
        for (int kind = 0; kind < FaultRound::kinds; ++kind)
            reportFault(static_cast<FaultRound::Kind>(kind));
    }

    void reportFault(FaultRound::Kind kind) {
        bench::Figures seconds;
        int staying = 0;
        for (const FaultRound::Past& past : m_faults.past()) {
            if (past.kind != kind)
                continue;
            staying += past.settled ? 0 : 1;
            if (past.settled)
                seconds.push_back(secondsOf(*past.settled - past.when.from));
        }
        const auto number = std::ssize(seconds) + staying;
        if (number == 0)
            return;
        m_report.exact(
            QStringLiteral("%1, %2 times: until the lag is normal").arg(wordsFor(kind)).arg(number),
            QStringLiteral("%1 s, at most %2").arg(text(bench::median(seconds)), text(bench::percentile(seconds, 1))),
            staying == 0 ? QStringLiteral("before the next one")
                         : QStringLiteral("before the next one; %1 were not").arg(staying),
            staying == 0);
    }

    void reportMemory() {
        m_report.exact(QStringLiteral("the watch has run to the end"),
                       m_isAlive ? QStringLiteral("yes") : QStringLiteral("no"), QStringLiteral("yes"), m_isAlive);
        m_report.figure(QStringLiteral("CPU of watch, of one core"),
                        text(100 * m_cpu / secondsOf(m_ended - m_begun)) + QStringLiteral(" %"));
        const auto whole = static_cast<double>(m_sizes.time.count());
        bench::reportGrowth(m_report, QStringLiteral("watch"), m_memory,
                            {std::min(300.0, whole / 3), whole, 15 * 60, 8});
    }

    const Sizes m_sizes;
    Report m_report;
    LagCourse m_lags;
    test::MemoryCourse m_memory;
    lab::PrivateServer m_server;
    SoakChecker m_checker;
    LockLoad m_load;
    FaultRound m_faults;
    ReadingLines m_lines;
    bench::WatchProgram m_watch;
    WallTime m_begun{};
    WallTime m_ended = WallTime::max();
    double m_cpuBefore = 0;
    double m_cpu = 0;
    int m_samples = 0;
    size_t m_settled = 0;
    bool m_isAlive = false;
};

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const bench::Options options({{"seconds", "in all", 1800},
                                  {"locks", "held at the begin", 20000},
                                  {"hot", "of them that have three quarters of the changes", 20},
                                  {"rate", "changes a second", 2000},
                                  {"fault-seconds", "from one fault to the next", 20},
                                  {"lag-ms", "that is normal, for 95 % of a second's events", 500},
                                  {"late-ms", "from a change to its event, at most, apart from faults", 2000},
                                  {"seed", "of the load's choices", 1}});
    Tolerances tolerances;
    tolerances.late = Milliseconds(options["late-ms"]);
    tolerances.horizon = std::chrono::seconds(options["fault-seconds"]) + tolerances.late + tolerances.patience + 10s;
    const Sizes sizes{std::chrono::seconds(options["seconds"]),
                      std::chrono::seconds(options["fault-seconds"]),
                      {options["locks"], options["hot"], options["rate"], static_cast<uint>(options["seed"])},
                      Milliseconds(options["lag-ms"]),
                      tolerances};
    return Soak(sizes).run();
}
