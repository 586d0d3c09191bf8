// SPDX-License-Identifier: Apache-2.0
#include "measuring.h"

#include "async/taskscope.h"
#include "base/systemclock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "support/redisserver.h"
#include "topology/shardconnections.h"

#include <QCommandLineParser>
#include <QTextStream>
#include <QTimer>

#include <malloc.h>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// The cost of locks that are only held: client memory for each, and the watchdog's commands and CPU time. The commands
// of one renewal must fit into a third of the timeout.
namespace {

constexpr ThreadId owner{1};
constexpr Milliseconds watchdogTimeout{3000};
constexpr int thirds = 5;

Task<void> takeAll(LockClient* client, int count, std::function<void()> ended) {
    for (int i = 0; i < count; ++i) {
        const ReentrantLock lock = client->reentrantLock(LockName("bench:held:" + QByteArray::number(i)));
        const Result<Done> taken = co_await lock.lock(owner);
        if (!taken)
            giveUp(taken.error().text);
    }
    ended();
}

double heapBytes() {
    const struct mallinfo2 heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd);
}

void runEventLoop(std::chrono::milliseconds time) {
    QEventLoop loop;
    QTimer::singleShot(time, &loop, &QEventLoop::quit);
    loop.exec();
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption locksOption(QStringLiteral("locks"), QStringLiteral("locks held"), QStringLiteral("n"),
                                         QStringLiteral("5000"));
    parser.addHelpOption();
    parser.addOption(locksOption);
    parser.process(application);
    const int locks = parser.value(locksOption).toInt();

    test::RedisServer server;
    if (!server.start())
        return 1;
    SystemClock clock;
    LockClientOptions options;
    options.watchdogTimeout = watchdogTimeout;
    LockClient client(server.options(), clock, options);
    int lost = 0;
    QObject::connect(&client, &LockClient::lockLost, &client, [&lost] { ++lost; });
    client.open();
    TaskScope tasks;
    QEventLoop loop;
    const auto quit = [&loop] { loop.quit(); };
    // A first run, so that one-time allocations are not counted.
    tasks.spawn(takeAll(&client, 1, quit));
    loop.exec();
    const double before = heapBytes();
    tasks.spawn(takeAll(&client, locks, quit));
    loop.exec();
    const double bytesALock = (heapBytes() - before) / (locks - 1);

    runEventLoop(watchdogTimeout / 3);
    const quint64 commandsBefore = client.connections().of({})->commandsSent();
    const double serverBefore = cpuMicroseconds(server.processId());
    const double ownBefore = cpuMicroseconds(QCoreApplication::applicationPid());
    runEventLoop(watchdogTimeout / 3 * thirds);
    const auto perThird = [](double sum) { return sum / thirds; };
    const double commands = perThird(static_cast<double>(client.connections().of({})->commandsSent() - commandsBefore));
    const double serverCpu = perThird(cpuMicroseconds(server.processId()) - serverBefore) / 1000;
    const double ownCpu = perThird(cpuMicroseconds(QCoreApplication::applicationPid()) - ownBefore) / 1000;
    const double third = static_cast<double>(watchdogTimeout.count()) / 3;

    QTextStream out(stdout);
    out << locks << " locks held, watchdog timeout " << watchdogTimeout.count() << " ms\n";
    out << "  heap of the client for each:  " << qRound(bytesALock) << " bytes\n";
    out << "  commands each third:          " << commands << "\n";
    out << QStringLiteral("  CPU each third, of its %1 ms: server %2 ms, own %3 ms\n")
               .arg(third, 0, 'f', 0)
               .arg(serverCpu, 0, 'f', 1)
               .arg(ownCpu, 0, 'f', 1);
    out << "  locks lost:                   " << lost << "\n";
    return lost == 0 ? 0 : 1;
}
