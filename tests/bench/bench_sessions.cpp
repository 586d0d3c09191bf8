// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "measuring.h"
#include "options.h"
#include "report.h"
#include "serverlines.h"

#include "support/auditedengine.h"

#include <QHash>
#include <QProcess>
#include <QRegularExpression>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// Sessions of one engine beside two that are in trouble: one server is frozen, another changes as fast as it can.
// Measures how late the renewals of the other sessions are, by their server's own clock, and how late their events
// are. The reference is the same run without the two.
namespace {

constexpr std::chrono::milliseconds renewalInterval = 10s;  // a third of the console's watchdog timeout
const QByteArray otherHolder = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33";

// When the server renewed each lock, as its MONITOR reports.
class RenewalTimes {
public:
    explicit RenewalTimes(const BenchServer& server)
        : m_monitor({QStringLiteral("-s"), server.socketPath(), QStringLiteral("MONITOR")},
                    [this](const QString& line) { readLine(line); }) {}

    // By how many milliseconds each renewal since the last call came later than an interval after the one before.
    [[nodiscard]] Figures takeDelays() { return std::exchange(m_delays, {}); }

private:
    void readLine(const QString& line) {
        static const QRegularExpression renewal(QStringLiteral("^([0-9.]+) \\[\\d+ lua\\] \"pexpire\" \"(own:\\d+)\""));
        const QRegularExpressionMatch match = renewal.match(line);
        if (match.hasMatch())
            add(match.captured(2), match.captured(1).toDouble() * 1000);
    }
    void add(const QString& lock, double at) {
        const auto before = m_last.constFind(lock);
        if (before != m_last.constEnd())
            m_delays.push_back(at - *before - static_cast<double>(renewalInterval.count()));
        m_last.insert(lock, at);
    }

    QHash<QString, double> m_last;
    Figures m_delays;
    ServerLines m_monitor;
};

// The engine with all sessions. Each has connected when open() returns.
class Sessions {
public:
    Sessions() {
        m_engine.onReport<ConnectionStatus>(&m_engine, [this](SessionId session, const ConnectionStatus& status) {
            m_connected[session] = status.phase == ConnectionPhase::Connected;
        });
        m_engine.onReport<OperationFinished>(&m_engine, [this](SessionId, const OperationFinished& finished) {
            m_taken += finished.result.outcome == control::Outcome::Acquired ? 1 : 0;
        });
        m_engine.onReport<OwnLockLost>(&m_engine, [this](SessionId, const OwnLockLost&) { ++m_lost; });
        m_engine.onReport<BatchReady>(&m_engine, [this](SessionId session, const BatchReady& ready) {
            if (session == m_watched)
                see(*ready.batch);
        });
    }

    SessionId open(const BenchServer& server) {
        const Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(server.url());
        const SessionId session = m_engine.open(*profile, {});
        if (!runUntil([&] { return m_connected.value(session); }, 10s))
            giveUp(QStringLiteral("a session does not connect"));
        return session;
    }
    void take(SessionId session, const QByteArray& name) {
        control::AcquireRequest request;
        request.name = LockName(name);
        const qint64 before = m_taken;
        m_engine.request(session, ArmFor{10min});
        m_engine.request(session, request);
        if (!runUntil([&] { return m_taken > before; }, 10s))
            giveUp(QStringLiteral("a lock is not taken"));
    }
    void watchEventsOf(SessionId session) { m_watched = session; }
    // Takes and deletes a lock in turn, a change every 100 ms; adds the time to each event, in milliseconds.
    void change(BenchServer& server) {
        m_changedAt = std::chrono::steady_clock::now();
        m_pending = true;
        m_held = !m_held;
        server.send(m_held ? redis::Command("HSET", {"changing", otherHolder, "1"})
                           : redis::Command("DEL", {"changing"}));
    }
    [[nodiscard]] bool changePending() const { return m_pending; }
    [[nodiscard]] Figures takeLatencies() { return std::exchange(m_latencies, {}); }
    [[nodiscard]] int lost() const { return m_lost; }

private:
    void see(const monitor::MonitorBatch& batch) {
        for (const monitor::LockEvent& event : batch.events)
            if (event.lock.name == LockName("changing") && m_pending) {
                m_latencies.push_back(secondsSince(m_changedAt) * 1000);
                m_pending = false;
            }
    }

    test::AuditedEngine m_engine;
    QHash<SessionId, bool> m_connected;
    SessionId m_watched = SessionId::None;
    qint64 m_taken = 0;
    int m_lost = 0;
    std::chrono::steady_clock::time_point m_changedAt;
    bool m_pending = false;
    bool m_held = false;
    Figures m_latencies;
};

// Locks that are taken, deleted and announced as fast as the server can.
class Flood {
public:
    explicit Flood(const BenchServer& server) {
        m_load.start(QStringLiteral("redis-benchmark"),
                     {QStringLiteral("-s"), server.socketPath(), QStringLiteral("-n"), QStringLiteral("2000000000"),
                      QStringLiteral("-P"), QStringLiteral("32"), QStringLiteral("-r"), QStringLiteral("100"),
                      QStringLiteral("-q"), QStringLiteral("EVAL"),
                      QStringLiteral("redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('del', KEYS[1]) "
                                     "redis.call('publish', 'redisson_lock__channel:{' .. KEYS[1] .. '}', '0')"),
                      QStringLiteral("1"), QStringLiteral("hot:__rand_int__"), QString::fromLatin1(otherHolder)});
        if (!m_load.waitForStarted())
            giveUp(QStringLiteral("redis-benchmark does not start"));
    }
    ~Flood() {
        m_load.kill();
        m_load.waitForFinished();
    }
    Flood(const Flood&) = delete;
    Flood& operator=(const Flood&) = delete;

private:
    QProcess m_load;
};

struct Phase {
    Figures renewals;
    Figures events;
};

Phase run(Sessions& sessions, BenchServer& calm, RenewalTimes& renewals, std::chrono::milliseconds time) {
    QTimer changes;
    QObject::connect(&changes, &QTimer::timeout, &changes, [&] {
        if (!sessions.changePending())
            sessions.change(calm);
    });
    changes.start(100);
    runFor(time);
    changes.stop();
    (void)runUntil([&] { return !sessions.changePending(); }, 5s);
    return {renewals.takeDelays(), sessions.takeLatencies()};
}

QString medianAndMost(const Figures& figures) {
    return QStringLiteral("%1 / %2 ms (%3 of them)")
        .arg(text(median(figures)), text(percentile(figures, 1)))
        .arg(figures.size());
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"sessions", "that hold a lock each", 10}, {"seconds", "of each of both phases", 30}});
    const std::chrono::milliseconds time = std::chrono::seconds(options["seconds"]);
    BenchServer calm;
    BenchServer silent;
    BenchServer busy;
    Sessions sessions;
    RenewalTimes renewals(calm);
    // Spread over the interval, so that renewals are spread, too.
    for (int i = 0; i < options["sessions"]; ++i) {
        const SessionId session = sessions.open(calm);
        sessions.watchEventsOf(session);
        sessions.take(session, "own:" + QByteArray::number(i));
        runFor(renewalInterval / options["sessions"]);
    }
    (void)renewals.takeDelays();
    (void)sessions.open(silent);
    (void)sessions.open(busy);

    const Phase quiet = run(sessions, calm, renewals, time);
    silent.freeze();
    const qint64 evalsBefore = busy.calls().value(QStringLiteral("eval"));
    Phase troubled;
    {
        const Flood flood(busy);
        runFor(2s);
        troubled = run(sessions, calm, renewals, time);
    }
    silent.thaw();
    const qint64 evals = busy.calls().value(QStringLiteral("eval")) - evalsBefore;

    Report report(QStringLiteral("%1 sessions, beside one whose server is frozen and one that is flooded")
                      .arg(options["sessions"]));
    report.note(QStringLiteral("the flood: %1 locks a second taken, deleted and announced")
                    .arg(text(static_cast<double>(evals) / (options["seconds"] + 2), 0)));
    report.figure(QStringLiteral("delay of a renewal, without the two: median / most"), medianAndMost(quiet.renewals));
    report.figure(QStringLiteral("delay of a renewal, beside the two: median / most"), medianAndMost(troubled.renewals),
                  QStringLiteral("100 ms at most"));
    report.figure(QStringLiteral("change -> event, without the two: median / most"), medianAndMost(quiet.events));
    report.figure(QStringLiteral("change -> event, beside the two: median / most"), medianAndMost(troubled.events));
    report.exact(QStringLiteral("locks lost"), QString::number(sessions.lost()), QStringLiteral("none"),
                 sessions.lost() == 0);
    report.exact(QStringLiteral("every session's lock renewed in both phases"),
                 QStringLiteral("%1, %2").arg(quiet.renewals.size()).arg(troubled.renewals.size()),
                 QStringLiteral("one in 10 s each"),
                 std::ssize(quiet.renewals) >= options["sessions"] * ((options["seconds"] - 1) / 10) &&
                     std::ssize(troubled.renewals) >= options["sessions"] * ((options["seconds"] - 1) / 10));
    return report.exitCode();
}
