// SPDX-License-Identifier: Apache-2.0
#include "support/monitorprobe.h"
#include "support/processmemory.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

constexpr int names = 30;

// The resident memory of this process, in MB.
qint64 residentMemory() {
    return static_cast<qint64>(test::memoryOf(QCoreApplication::applicationPid(), "VmRSS").value_or(0));
}

}  // namespace

// Redis takes names of up to 512 MB. What a monitor keeps of such locks is bounded by bytes.
class TestLongNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void locksWithNamesOfAMegabyteTakeLittleMore() {
        MonitorOptions options;
        options.limits.keepFree = 100ms;
        MonitorProbe probe(m_server.options(), options);
        QVERIFY(probe.waitForSweep());
        const qint64 before = residentMemory();
        QVERIFY(before > 0);

        forEach("redis.call('hset', name, ARGV[1], 1) redis.call('pexpire', name, 60000)");
        QVERIFY(becomesKnown(probe, names));
        const qint64 found = residentMemory() - before;
        for (int round = 0; round < 5; ++round) {
            forEach("redis.call('hincrby', name, ARGV[1], 1)");
            QVERIFY(hasEvents(probe, names));
        }
        const qint64 followed = residentMemory() - before;
        forEach("redis.call('del', name)");
        QVERIFY(becomesKnown(probe, 0));
        probe.events.clear();
        const qint64 forgotten = residentMemory() - before;
        qInfo("MB more: %lld when found, %lld after changes, %lld when forgotten", static_cast<long long>(found),
              static_cast<long long>(followed), static_cast<long long>(forgotten));
        QVERIFY2(found < 250, qPrintable(QString::number(found)));
        QVERIFY2(followed < 250, qPrintable(QString::number(followed)));
        QVERIFY2(forgotten < 150, qPrintable(QString::number(forgotten)));
    }

private:
    // Runs the command on the server for each name: a script makes the names, so they are not sent.
    void forEach(const QString& command) {
        m_server.cli({"EVAL",
                      QStringLiteral("for i = 1, %1 do local name = string.rep('x', 1000000) .. i %2 end")
                          .arg(names)
                          .arg(command),
                      "0", alice.display()});
    }
    static bool becomesKnown(const MonitorProbe& probe, int count) {
        return becomesTrue([&] { return probe.rows.size() == count; }, 60000);
    }
    static bool hasEvents(MonitorProbe& probe, size_t count) {
        const bool came = becomesTrue([&] { return probe.events.size() >= count; }, 60000);
        probe.events.clear();
        return came;
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestLongNames, Guiless)
#include "tst_longnames.moc"
