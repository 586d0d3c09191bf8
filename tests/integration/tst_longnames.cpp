// SPDX-License-Identifier: Apache-2.0
#include "support/monitorprobe.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

#include <set>

namespace tst_longnames {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

constexpr int names = 30;

}  // namespace

// Redis takes names of up to 512 MB. What a monitor keeps of such locks is bounded by bytes.
class TestLongNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    // Where the bytes of a name are: the same in each row and each event.
    void aNameOfAMegabyteIsKeptOnce() {
        MonitorOptions options;
        options.limits.keepFree = 100ms;
        MonitorProbe probe(m_server.options(), options);
        QVERIFY(probe.waitForSweep());
        forEach("redis.call('hset', name, ARGV[1], 1) redis.call('pexpire', name, 60000)");
        QVERIFY(becomesKnown(probe, names));
        std::set<const char*> places;
        for (const LockRow& row : probe.rows)
            places.insert(row.lock.name.bytes().constData());
        QCOMPARE(places.size(), size_t{names});
        for (size_t round = 1; round <= 5; ++round) {
            forEach("redis.call('hincrby', name, ARGV[1], 1)");
            QVERIFY(becomesTrue([&] { return probe.events.size() >= (round + 1) * names; }, 60000));
        }
        for (const LockEvent& event : probe.events)
            places.insert(event.lock.name.bytes().constData());
        for (const LockRow& row : probe.rows)
            places.insert(row.lock.name.bytes().constData());
        QCOMPARE(places.size(), size_t{names});
        forEach("redis.call('del', name)");
        QVERIFY(becomesKnown(probe, 0));
    }

    // As many as there would be with short names of the same bytes in all.
    void aLockWithANameOfAMegabyteCountsAsAThousand() {
        constexpr int known = 5;
        MonitorOptions options;
        options.limits.rows = known * 1001 + 1000;
        options.discovery.serverShare = 100;
        MonitorProbe probe(m_server.options(), options);
        forEach("redis.call('hset', name, ARGV[1], 1)");
        QVERIFY(becomesKnown(probe, known));
        QVERIFY(becomesTrue([&, before = probe.sweeps] { return probe.sweeps > before + 1; }, 60000));
        QCOMPARE(probe.rows.size(), known);
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

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestLongNames, Guiless)

}  // namespace tst_longnames

#include "tst_longnames.moc"
