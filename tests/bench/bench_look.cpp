// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "measuring.h"
#include "options.h"
#include "report.h"

#include "locks/lockkeys.h"
#include "monitor/observe/read/lockreader.h"
#include "redis/sockettransport.h"

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// What one read of a lock costs the server in CPU time, compared with the least that could show a lock: a script of
// HLEN, HGETALL and PTTL with the same keys. Both are tracked and sent many at once, in alternating rounds.
namespace {

constexpr int together = 64;
const QByteArray client = "8743c9c0-0795-4907-87fd-6c719a6b4586";

class Bench {
public:
    Bench(int reads, int rounds)
        : m_reads(reads), m_rounds(rounds), m_report(QStringLiteral("one read of a lock, %1 a round").arg(reads)) {
        connect(m_connection);
        ask({"CLIENT", {"TRACKING", "ON"}});
        m_server.loadScript(m_least);
    }

    int run() {
        m_server.ask({"HSET", {"plain", client + ":1", "1"}});
        compare("plain");
        compare("free");
        m_server.ask({"HSET", {"fenced", client + ":1", "1"}});
        m_server.ask({"SET", {locks::LockKeys(LockName("fenced")).token(), "7"}});
        compare("fenced");
        m_server.ask({"HSET", {"fair", client + ":1", "1"}});
        const locks::LockKeys fair{LockName("fair")};
        m_server.ask({"RPUSH", {fair.fairQueue(), client + ":2"}});
        m_server.ask({"ZADD", {fair.fairTimeouts(), "1700000300123", client + ":2"}});
        compare("fair");
        m_server.ask({"HSET", {"shared", "mode", "read", client + ":1", "1", client + ":2", "1"}});
        compare("shared");
        return m_report.exitCode();
    }

private:
    static void connect(redis::Connection& connection) {
        connection.open();
        if (!runUntil([&] { return connection.isReady(); }, 10s))
            giveUp(QStringLiteral("the server does not answer"));
    }

    void ask(const redis::Command& command) {
        const Completion<redis::RespValue> answer = m_connection.send(command);
        if (!runUntil([&] { return answer.isCompleted(); }, 10s))
            giveUp(QStringLiteral("no answer"));
    }

    // The server's CPU microseconds for one command; start() returns what completes with it.
    template <typename Start>
    double costOf(const Start& start) {
        const double before = cpuMicroseconds(m_server.processId());
        int open = 0;
        int read = 0;
        for (int done = 0; done < m_reads; done += together) {
            for (int i = 0; i < together; ++i) {
                ++open;
                start().then([&open, &read](const auto& answer) {
                    --open;
                    read += answer ? 1 : 0;
                });
            }
            if (!runUntil([&] { return open == 0; }, 10s))
                giveUp(QStringLiteral("no answer"));
        }
        m_answered += read;
        m_asked += (m_reads + together - 1) / together * together;
        return (cpuMicroseconds(m_server.processId()) - before) / read;
    }

    void compare(const QByteArray& name) {
        const locks::LockKeys keys{LockName(name)};
        const redis::ScriptCall least(m_least, {keys.hash(), keys.fairQueue(), keys.token()}, {});
        Figures ours;
        Figures theirs;
        m_asked = m_answered = 0;
        for (int round = 0; round <= m_rounds; ++round) {
            const double own = costOf([&] { return m_reader.read(LockName(name)); });
            const double other = costOf([&] { return m_connection.send(least.evalShaReadOnly()); });
            if (round == 0)  // a warm-up
                continue;
            ours.push_back(own);
            theirs.push_back(other);
        }
        const QString kind = QString::fromLatin1(name);
        m_report.figure(kind + QStringLiteral(": CPU of the server, us; the script of three"),
                        spread(ours, 1) + QStringLiteral("; ") + spread(theirs, 1));
        m_report.figure(kind + QStringLiteral(": ours / that"), spread(ratios(ours, theirs)),
                        name == "plain" ? QStringLiteral("1.1") : QString());
        m_report.exact(kind + QStringLiteral(": answered"), QStringLiteral("%1 of %2").arg(m_answered).arg(m_asked),
                       QStringLiteral("all"), m_answered == m_asked);
    }

    const int m_reads;
    const int m_rounds;
    Report m_report;
    BenchServer m_server;
    SystemClock m_clock;
    redis::Connection m_connection{
        m_server.options(), [options = m_server.options()] { return redis::makeSocketTransport(options.endpoint); },
        m_clock};
    monitor::Denials m_denials;
    monitor::LockReader m_reader{m_connection, m_denials};
    const redis::Script m_least{
        "return {redis.call('HLEN', KEYS[1]), redis.call('HGETALL', KEYS[1]), redis.call('PTTL', KEYS[1])}"};
    int m_asked = 0;
    int m_answered = 0;
};

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options({{"reads", "of each lock in a round", 20000}, {"rounds", "that count", 9}});
    return Bench(options["reads"], options["rounds"]).run();
}
