// SPDX-License-Identifier: Apache-2.0
#include "benchserver.h"
#include "enginewatch.h"
#include "measuring.h"
#include "options.h"
#include "report.h"

#include "support/lockscripts.h"

using namespace lockkeeper;
using namespace lockkeeper::bench;
using namespace std::chrono_literals;

// One lock that is taken and released very often, by a client's own scripts: the cost of watching it, and whether every
// release is counted. The monitor does not know the lock before the start.
namespace {

const QByteArray hotName = "hot";
const QByteArray holder = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33";

constexpr int mostReads = 20;  // a second

// The server counts a read when it executes it. A read that was sent up to 1/20 s before a second, or executed that
// much later, may add one at each end of it.
bool isWithin(qint64 counted, double seconds) {
    return static_cast<double>(counted) <= mostReads * seconds + 2;
}

class HotLock {
public:
    explicit HotLock(BenchServer& server) : m_server(server) {
        server.loadScript(m_acquire);
        server.loadScript(m_release);
    }

    void takeAndGiveBack() {
        m_server.send(redis::ScriptCall(m_acquire, {hotName}, {"30000", holder}).evalSha());
        m_server
            .send(redis::ScriptCall(m_release, {hotName}, {"redisson_lock__channel:{hot}", "0", "30000", holder})
                      .evalSha())
            .then([this](const Result<redis::RespValue>& freed) { m_freed += freed && freed->integer == 1 ? 1 : 0; });
    }
    // Releases, by the server's answers.
    [[nodiscard]] qint64 freed() const { return m_freed; }

private:
    BenchServer& m_server;
    const redis::Script m_acquire = test::lockScript(QStringLiteral("reentrant_acquire"));
    const redis::Script m_release = test::lockScript(QStringLiteral("reentrant_release"));
    qint64 m_freed = 0;
};

}  // namespace

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    const Options options(
        {{"rate", "times a second that the lock is taken and released", 5000}, {"seconds", "for so long", 10}});
    BenchServer server;
    HotLock lock(server);
    EngineWatch watch;
    watch.connectTo(server.url());
    if (!runUntil([&] { return watch.sweeps() > 0; }, 10s))
        giveUp(QStringLiteral("no sweep"));

    Report report(QStringLiteral("one lock, taken and released %1 times a second for %2 s")
                      .arg(options["rate"])
                      .arg(options["seconds"]));
    Figures reads;
    bool areFew = true;
    const double cpuBefore = cpuSeconds(QCoreApplication::applicationPid());
    for (int second = 0; second < options["seconds"]; ++second) {
        const qint64 before = server.calls().value(QStringLiteral("evalsha_ro"));
        const auto start = std::chrono::steady_clock::now();
        runAtRate(options["rate"], 1s, [&](qint64) { lock.takeAndGiveBack(); });
        const qint64 after = server.calls().value(QStringLiteral("evalsha_ro"));
        const double seconds = secondsSince(start);
        reads.push_back(static_cast<double>(after - before) / seconds);
        areFew = areFew && isWithin(after - before, seconds);
    }
    const auto heard = [&] {
        const monitor::LockRow* row = watch.row(hotName);
        return row ? static_cast<qint64>(row->releasesReceived) : 0;
    };
    runFor(500ms);
    const bool all = runUntil([&] { return heard() == lock.freed(); }, 5s);
    const double most = *std::ranges::max_element(reads);
    report.exact(QStringLiteral("reads of it a second: median, most"),
                 QStringLiteral("%1, %2").arg(text(median(reads)), text(most)),
                 QStringLiteral("at most 20, and one at each end"), areFew);
    report.exact(QStringLiteral("releases counted / the server's"),
                 QStringLiteral("%1 / %2").arg(heard()).arg(lock.freed()), QStringLiteral("the same"), all);
    report.figure(QStringLiteral("releases a second"), text(static_cast<double>(lock.freed()) / options["seconds"], 0));
    report.figure(
        QStringLiteral("CPU for one: load and monitor together"),
        text((cpuSeconds(QCoreApplication::applicationPid()) - cpuBefore) * 1e6 / static_cast<double>(lock.freed()),
             0) +
            QStringLiteral(" us"));
    return report.exitCode();
}
