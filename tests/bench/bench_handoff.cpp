// SPDX-License-Identifier: Apache-2.0
#include "hiredisinloop.h"

#include "async/pause.h"
#include "async/taskscope.h"
#include "base/systemclock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"

#include <QCommandLineParser>
#include <QTextStream>
#include <QTimer>

#include <thread>

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// The time from one client's unlock() to the end of another's lock() that slept until then. Compared with the minimum
// that a server must do for a hand-off, by synchronous hiredis: one PUBLISH that wakes a subscriber, and one acquire
// script. Also compared with the release script itself, which publishes, and the acquire script, by synchronous hiredis
// and by hiredis that waits in Qt's event loop, as ours does. All alternate in the same run; medians and p99 of all
// rounds.
namespace {

constexpr ThreadId holder{1};
constexpr ThreadId waiter{2};
// The waiter is asleep by then: it has tried, subscribed, and tried again. Idle processors need some time to wake up,
// so both sides start after the same pause.
constexpr std::chrono::milliseconds pauseBefore{3};

// ---- ours ----

class HandOff {
public:
    explicit HandOff(const redis::ConnectionOptions& options) : m_first(options, m_clock), m_second(options, m_clock) {
        m_first.open();
        m_second.open();
    }

    // Returns microseconds.
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
        (void)co_await pauseUntil(Deadline::in(m_clock, pauseBefore), m_tasks.stopToken());
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

// ---- by hiredis ----

enum class Waking { Publish, ReleaseScript };

// The commands of both clients of a hand-off, and the channel by which the waiter is woken.
struct HandOffCommands {
    explicit HandOffCommands(const char* lock)
        : holders(LockName(lock), holder),
          waiters(LockName(lock), waiter),
          channel(LockKeys(LockName(lock)).channel()) {}

    LockCommands holders;
    LockCommands waiters;
    QByteArray channel;
};

class ByHiredis {
public:
    ByHiredis(const test::RedisServer& server, Socket socket, Waking waking)
        : m_waking(waking), m_first(server, socket), m_subscriber(server, socket), m_second(server, socket) {
        m_subscriber.send({"SUBSCRIBE", m_commands.channel}, REDIS_REPLY_ARRAY);
    }

    double measure() {
        if (m_waking == Waking::ReleaseScript)
            m_first.send(m_commands.holders.acquire, REDIS_REPLY_NIL);
        std::this_thread::sleep_for(pauseBefore);
        const auto start = std::chrono::steady_clock::now();
        if (m_waking == Waking::ReleaseScript)
            m_first.send(m_commands.holders.release, REDIS_REPLY_INTEGER);
        else
            m_first.send({"PUBLISH", m_commands.channel, "0"}, REDIS_REPLY_INTEGER);
        m_subscriber.receive();
        m_second.send(m_commands.waiters.acquire, REDIS_REPLY_NIL);
        const double microseconds = secondsSince(start) * 1e6;
        m_second.send(m_commands.waiters.release, REDIS_REPLY_INTEGER);
        m_subscriber.receive();  // the message of that release
        return microseconds;
    }

private:
    Waking m_waking;
    HiredisPeer m_first;
    HiredisPeer m_subscriber;
    HiredisPeer m_second;
    HandOffCommands m_commands{"bench:hiredis"};
};

// Holder, subscriber and waiter wait in one event loop, and nothing else does.
class ByHiredisInLoop {
public:
    ByHiredisInLoop(const test::RedisServer& server, Socket socket)
        : m_first(server, socket), m_subscriber(server, socket), m_second(server, socket) {
        setListening(true);
        m_subscriber.send({"SUBSCRIBE", m_commands.channel}, m_onMessage);
        m_loop.exec();
        setListening(false);
    }

    double measure() {
        setListening(true);
        m_first.send(m_commands.holders.acquire, m_onTaken);
        m_loop.exec();
        setListening(false);
        return m_microseconds;
    }

private:
    using Time = std::chrono::steady_clock::time_point;
    using OnAnswer = HiredisInLoop::OnAnswer;

    void setListening(bool listening) {
        for (HiredisInLoop* connection : {&m_first, &m_subscriber, &m_second})
            connection->setListening(listening);
    }
    void release() {
        m_isWaiting = true;
        m_start = std::chrono::steady_clock::now();
        m_first.send(m_commands.holders.release, m_onReleased);
    }
    // The last message of a round is that of the waiter's own release.
    void wake() {
        if (std::exchange(m_isWaiting, false))
            m_second.send(m_commands.waiters.acquire, m_onSuccess);
        else
            m_loop.quit();
    }
    void succeed() {
        m_microseconds = secondsSince(m_start) * 1e6;
        m_second.send(m_commands.waiters.release, m_onReleased);
    }

    HiredisInLoop m_first;
    HiredisInLoop m_subscriber;
    HiredisInLoop m_second;
    QEventLoop m_loop;
    HandOffCommands m_commands{"bench:hiredisinloop"};
    bool m_isWaiting = false;
    Time m_start;
    double m_microseconds = 0;
    OnAnswer m_onTaken = [this](const redisReply&) {
        QTimer::singleShot(pauseBefore, Qt::PreciseTimer, &m_loop, [this] { release(); });
    };
    OnAnswer m_onReleased = [](const redisReply&) {};
    OnAnswer m_onSuccess = [this](const redisReply&) { succeed(); };
    OnAnswer m_onMessage = [this](const redisReply&) { wake(); };
};

void print(QTextStream& out, const char* name, const Figures& figures, const Figures& least) {
    const auto ratioAt = [&](double share) { return percentile(figures, share) / percentile(least, share); };
    out << QStringLiteral("  %1 %2 %3 %4 %5\n")
               .arg(QString::fromLatin1(name), -36)
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
        handOff.measure();  // loads the scripts into the server
        ByHiredis least(server, socket, Waking::Publish);
        ByHiredis scripts(server, socket, Waking::ReleaseScript);
        ByHiredisInLoop inLoop(server, socket);
        Figures ours;
        Figures leastPossible;
        Figures sameScripts;
        Figures scriptsInLoop;
        for (int round = 0; round < rounds; ++round) {
            ours.push_back(handOff.measure());
            leastPossible.push_back(least.measure());
            sameScripts.push_back(scripts.measure());
            scriptsInLoop.push_back(inLoop.measure());
        }
        out << QStringLiteral("%1 %2 %3 %4 %5\n")
                   .arg(socket == Socket::Unix ? QStringLiteral("Unix socket") : QStringLiteral("TCP, 127.0.0.1"), -38)
                   .arg(QStringLiteral("median us"), 10)
                   .arg(QStringLiteral("p99 us"), 10)
                   .arg(QStringLiteral("median, ratio"), 14)
                   .arg(QStringLiteral("p99, ratio"), 12);
        print(out, "unlock to the waiter's success", ours, leastPossible);
        print(out, "hiredis: PUBLISH, acquire script", leastPossible, leastPossible);
        print(out, "hiredis: release, acquire script", sameScripts, leastPossible);
        print(out, "hiredis in Qt's event loop: the same", scriptsInLoop, leastPossible);
        out.flush();
    }
    return 0;
}
