// SPDX-License-Identifier: Apache-2.0
#include "measuring.h"
#include "options.h"
#include "report.h"
#include "serverlines.h"

#include "base/systemclock.h"
#include "engine/threadedengine.h"
#include "locks/lockclient.h"
#include "support/anylock.h"
#include "support/sentinelsetup.h"
#include "support/sessionprobe.h"
#include "support/taskwait.h"
#include "topology/route.h"

#include <QDateTime>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// The master behind real Sentinels changes, by command or because it is killed. Measures the time from the Sentinels'
// message until the rows of a session are live again, and until held locks are renewed at the new master.
namespace {

struct Sizes {
    int locks;  // of others
    int own;    // held by a client of this program
    int rounds;
    std::chrono::milliseconds watchdog;
};

// Wall time, which the server and this program share.
using Moment = std::chrono::milliseconds;

Moment now() {
    return Moment(QDateTime::currentMSecsSinceEpoch());
}

// Clients may have received the message before this program has.
constexpr Moment messageDelay = 100ms;

// Receives when the Sentinels have announced the new master.
class SwitchMessage {
public:
    explicit SwitchMessage(test::RedisServer& sentinel)
        : m_lines({QStringLiteral("-p"), QString::number(sentinel.port()), QStringLiteral("SUBSCRIBE"),
                   QStringLiteral("+switch-master")},
                  [this](const QString& line) {
                      if (line.startsWith(QLatin1String("orders ")) && !at)
                          at = now();
                  }) {}

    std::optional<Moment> at;

private:
    ServerLines m_lines;
};

// When each of the own locks was last renewed at a server, by what is left of its lease.
std::vector<Moment> renewalTimes(test::RedisServer& server, const Sizes& sizes) {
    QByteArray commands = "TIME\n";
    for (int i = 0; i < sizes.own; ++i)
        commands += "PTTL own:" + QByteArray::number(i) + '\n';
    const QStringList answers = server.cli({}, commands).split(u'\n', Qt::SkipEmptyParts);
    const Moment asked(answers.value(0).toLongLong() * 1000 + answers.value(1).toLongLong() / 1000);
    std::vector<Moment> times;
    for (const QString& left : answers.mid(2))
        times.push_back(asked - sizes.watchdog + Moment(left.toLongLong()));
    return times;
}

// A program that holds locks.
class Program {
public:
    Program(const profile::ConnectionProfile& profile, std::chrono::milliseconds watchdog)
        : m_route(profile.deployment, options(profile), m_clock),
          m_client(options(profile), m_route.shards(), m_clock, clientOptions(watchdog)) {
        QObject::connect(&m_client, &locks::LockClient::lockLost, [this] { ++lost; });
        m_client.open();
    }
    void take(const QByteArray& name) {
        const test::AnyLock lock(test::Kind::Reentrant, {&m_client}, LockName(name));
        const auto taken = test::waitFor(lock.tryLock(ThreadId{1}, Deadline::in(m_clock, 10s)));
        if (!taken || !taken->acquired())
            giveUp(QStringLiteral("a lock is not taken"));
    }
    int lost = 0;

private:
    static redis::ConnectionOptions options(const profile::ConnectionProfile& profile) {
        redis::ConnectionOptions options = profile.connectionOptions();
        options.role = redis::WantedRole::Master;
        options.lastRetry = 1s;
        return options;
    }
    static locks::LockClientOptions clientOptions(std::chrono::milliseconds watchdog) {
        locks::LockClientOptions options;
        options.watchdogTimeout = watchdog;
        options.commandTimeout = 1s;
        return options;
    }

    SystemClock m_clock;
    topology::Route m_route;
    locks::LockClient m_client;
};

struct Times {
    Figures live;     // milliseconds from the message until every row was read at the new master
    Figures renewed;  // until the last of the own locks was renewed there
    int lost = 0;
};

void fill(test::SentinelSetup& setup, const Sizes& sizes) {
    QByteArray commands;
    for (int i = 0; i < sizes.locks; ++i)
        commands += QStringLiteral("HSET other:%1 %2-41d2-4a0e-9c76-0a4f3c1f6f10:33 1\nPEXPIRE other:%1 3600000\n")
                        .arg(i)
                        .arg(i, 8, 16, QLatin1Char('0'))
                        .toLatin1();
    setup.first().cli({}, commands);
}

bool allReadSince(const test::SessionProbe& page, Moment time, int locks) {
    const WallTime since(time - messageDelay);
    return std::ranges::count_if(page.rows, [&](const monitor::LockRow& row) {
               return row.lock.name.bytes().startsWith("other:") && row.lock.seenAtWall > since;
           }) == locks;
}

void failOver(const Sizes& sizes, bool killed, Times& times) {
    test::SentinelSetup setup;
    if (!setup.start())
        giveUp(QStringLiteral("no Sentinels"));
    fill(setup, sizes);
    const profile::ConnectionProfile profile = profile::ConnectionProfile::fromUrl(setup.url()).value();
    ThreadedEngine engine;
    test::SessionProbe page(engine);
    page.connectTo(setup.url());
    Program program(profile, sizes.watchdog);
    for (int i = 0; i < sizes.own; ++i)
        program.take("own:" + QByteArray::number(i));
    const int all = sizes.locks + sizes.own;
    if (!runUntil([&] { return page.rows.size() == all; }, 20s))
        giveUp(QStringLiteral("the locks are not found"));
    // Replication is asynchronous: a lock that the replica has not got would truly be lost.
    if (!runUntil([&] { return setup.second().cli({QStringLiteral("DBSIZE")}).toInt() == all; }, 10s))
        giveUp(QStringLiteral("the locks are not replicated"));
    const SwitchMessage message(setup.sentinel(0));
    if (killed)
        setup.first().kill();
    else
        setup.sentinel(0).cli({QStringLiteral("SENTINEL"), QStringLiteral("FAILOVER"), QStringLiteral("orders")});
    if (!runUntil([&] { return message.at.has_value(); }, 30s))
        giveUp(QStringLiteral("the Sentinels do not fail over"));
    if (!runUntil([&] { return allReadSince(page, *message.at, sizes.locks); }, 60s))
        giveUp(QStringLiteral("the rows are not read again"));
    times.live.push_back(static_cast<double>((now() - *message.at).count()));
    std::vector<Moment> renewed;
    const auto allRenewed = [&] {
        renewed = renewalTimes(setup.second(), sizes);
        return std::ranges::min(renewed) > *message.at - messageDelay;
    };
    if (!runUntil(allRenewed, 60s))
        giveUp(QStringLiteral("the locks are not renewed"));
    times.renewed.push_back(static_cast<double>((std::ranges::max(renewed) - *message.at).count()));
    times.lost += program.lost;
}

void report(Report& report, const QString& how, const Times& times, const Sizes& sizes) {
    const auto medianAndMost = [](const Figures& figures) {
        return QStringLiteral("%1 / %2 ms").arg(text(median(figures), 0), text(percentile(figures, 1), 0));
    };
    report.figure(how + QStringLiteral(": +switch-master -> rows live again, median / most"), medianAndMost(times.live),
                  QStringLiteral("1000 ms"));
    report.figure(how + QStringLiteral(": +switch-master -> own locks renewed, median / most"),
                  medianAndMost(times.renewed), QStringLiteral("a tick, %1 ms").arg(sizes.watchdog.count() / 3));
    report.exact(QStringLiteral("  own locks lost"), QString::number(times.lost), QStringLiteral("none"),
                 times.lost == 0);
}

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"locks", "of others", 1000},
                           {"own", "held by this program", 20},
                           {"rounds", "of each kind of failover", 3},
                           {"watchdog-ms", "timeout of the own locks' watchdog", 30000}});
    const Sizes sizes{options["locks"], options["own"], options["rounds"],
                      std::chrono::milliseconds(options["watchdog-ms"])};
    Times inOrder;
    Times killed;
    for (int round = 0; round < sizes.rounds; ++round) {
        failOver(sizes, false, inOrder);
        failOver(sizes, true, killed);
    }
    Report output(
        QStringLiteral("Failover behind three Sentinels, %1 locks, %2 of them own").arg(sizes.locks).arg(sizes.own));
    report(output, QStringLiteral("in order"), inOrder, sizes);
    report(output, QStringLiteral("killed"), killed, sizes);
    return output.exitCode();
}
