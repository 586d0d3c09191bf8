#include "hiredispeer.h"

#include "async/taskscope.h"
#include "base/systemclock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"

#include <QCommandLineParser>
#include <QTextStream>

#include <thread>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// From one client's unlock() to the success of another's lock() that slept until then, beside the least that a server
// must do for it: one PUBLISH that wakes a subscriber, and one acquire script, each by synchronous hiredis. Both in
// turn, in the same run; medians and p99 of all rounds.
namespace {

constexpr ThreadId holder{1};
constexpr ThreadId waiter{2};
// The waiter is asleep by then: it has tried, subscribed, and tried again. Idle processors take a while to wake up, so
// both sides begin after such a pause.
constexpr std::chrono::milliseconds pauseBefore{3};
const QByteArray channel = QByteArrayLiteral("bench:channel");

// ---- ours ----

class HandOff {
public:
    explicit HandOff(const redis::ConnectionOptions& options) : m_first(options, m_clock), m_second(options, m_clock) {
        m_first.open();
        m_second.open();
    }

    // Microseconds.
    double measure() {
        QEventLoop loop;
        double microseconds = 0;
        m_tasks.spawn(run(&microseconds, [&loop] { loop.quit(); }));
        loop.exec();
        return microseconds;
    }

private:
    using Time = std::chrono::steady_clock::time_point;

    Task<void> run(double* microseconds, std::function<void()> ended) {
        const ReentrantLock ours = m_first.reentrantLock(m_name);
        const Result<Done> taken = co_await ours.lock(holder);
        if (!taken)
            giveUp(taken.error().text);
        Time success{};
        const Completion<Done> handedOver;
        m_tasks.spawn(wait(&success, handedOver));
        const Completion<Done> pause;
        const Result<Done> asleep = co_await pause.wait(Deadline::in(m_clock, pauseBefore));
        Q_UNUSED(asleep)
        const Time start = std::chrono::steady_clock::now();
        const Result<ReleaseOutcome> released = co_await ours.unlock(holder);
        const Result<Done> got = co_await handedOver.wait(Deadline::in(m_clock, 5s));
        if (!released || !got)
            giveUp(QStringLiteral("the lock was not handed over"));
        *microseconds = std::chrono::duration<double, std::micro>(success - start).count();
        const Result<ReleaseOutcome> back = co_await m_second.reentrantLock(m_name).unlock(waiter);
        if (!back)
            giveUp(back.error().text);
        ended();
    }

    Task<void> wait(Time* success, Completion<Done> handedOver) {
        const Result<Done> got = co_await m_second.reentrantLock(m_name).lock(waiter);
        *success = std::chrono::steady_clock::now();
        handedOver.complete(got);
    }

    SystemClock m_clock;
    LockClient m_first;
    LockClient m_second;
    LockName m_name{"bench:handoff"};
    TaskScope m_tasks;
};

// ---- the least that the server must do ----

class Least {
public:
    Least(const test::RedisServer& server, Socket socket)
        : m_publisher(server, socket), m_subscriber(server, socket), m_taker(server, socket) {
        m_subscriber.send({"SUBSCRIBE", channel}, REDIS_REPLY_ARRAY);
    }

    double measure() {
        std::this_thread::sleep_for(pauseBefore);
        const auto start = std::chrono::steady_clock::now();
        m_publisher.send({"PUBLISH", channel, "0"}, REDIS_REPLY_INTEGER);
        m_subscriber.receive();
        m_taker.send(m_commands.acquire, REDIS_REPLY_NIL);
        const double microseconds = secondsSince(start) * 1e6;
        m_taker.send(m_commands.release, REDIS_REPLY_INTEGER);
        return microseconds;
    }

private:
    HiredisPeer m_publisher;
    HiredisPeer m_subscriber;
    HiredisPeer m_taker;
    LockCommands m_commands{LockName("bench:least"), waiter};
};

void print(QTextStream& out, const char* name, const Figures& figures, const Figures& least) {
    const auto ratioAt = [&](double share) { return percentile(figures, share) / percentile(least, share); };
    out << QStringLiteral("  %1 %2 %3 %4 %5\n")
               .arg(QString::fromLatin1(name), -34)
               .arg(percentile(figures, 0.5), 10, 'f', 1)
               .arg(percentile(figures, 0.99), 10, 'f', 1)
               .arg(ratioAt(0.5), 14, 'f', 2)
               .arg(ratioAt(0.99), 12, 'f', 2);
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption roundsOption(QStringLiteral("rounds"), QStringLiteral("hand-offs of each side"),
                                          QStringLiteral("n"), QStringLiteral("500"));
    parser.addHelpOption();
    parser.addOption(roundsOption);
    parser.process(application);
    const int rounds = parser.value(roundsOption).toInt();

    test::RedisServer server;
    if (!server.start())
        return 1;
    QTextStream out(stdout);
    for (const Socket socket : {Socket::Unix, Socket::Tcp}) {
        HandOff handOff(socket == Socket::Unix ? server.options() : server.tcpOptions());
        handOff.measure();  // the server knows the scripts from here on
        Least least(server, socket);
        Figures ours;
        Figures theirs;
        for (int round = 0; round < rounds; ++round) {
            ours.push_back(handOff.measure());
            theirs.push_back(least.measure());
        }
        out << QStringLiteral("%1 %2 %3 %4 %5\n")
                   .arg(socket == Socket::Unix ? QStringLiteral("Unix socket") : QStringLiteral("TCP, 127.0.0.1"), -36)
                   .arg(QStringLiteral("median us"), 10)
                   .arg(QStringLiteral("p99 us"), 10)
                   .arg(QStringLiteral("median, ratio"), 14)
                   .arg(QStringLiteral("p99, ratio"), 12);
        print(out, "unlock to the waiter's success", ours, theirs);
        print(out, "PUBLISH to subscriber, then script", theirs, theirs);
        out.flush();
    }
    return 0;
}
