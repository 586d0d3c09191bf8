#include "support/monitorprobe.h"
#include "support/redisserver.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QString alicesField = QString::fromLatin1(alice.bytes());
const QString bobsField = QString::fromLatin1(bob.bytes());

}  // namespace

// What a Monitor says about a real server, while clients' work is done by hand.
class TestMonitorServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void followsALockFromItsDiscoveryToItsRelease() {
        take("L", alicesField, 30000);
        MonitorProbe probe(m_server.options());
        QVERIFY(probe.waitForSweep());
        QCOMPARE(probe.takeEvents(), QByteArrayList{"found alice"});
        QCOMPARE(probe.lastSweep.sweptLocks, quint64{1});
        QTRY_COMPARE(probe.stats.observation, ObservationMode::Tracking);
        QCOMPARE(probe.stats.denied, QStringList());
        QVERIFY(probe.row("L")->heldBeforeFirstLook);

        m_server.cli({"HINCRBY", "L", alicesField, "1"});
        QTRY_COMPARE(probe.takeEvents(), QByteArrayList{"reentered alice"});
        m_server.cli({"HINCRBY", "L", alicesField, "-1"});
        QTRY_COMPARE(probe.takeEvents(), QByteArrayList{"released_once alice"});
        m_server.cli({"PEXPIRE", "L", "60000"});
        QTRY_COMPARE(probe.takeEvents(), QByteArrayList{"renewed alice"});
        release("L");
        QTRY_COMPARE(probe.takeEvents(), QByteArrayList{"released alice"});
        QVERIFY(!probe.row("L")->lock.isHeld());
        take("L", bobsField, 30000);
        QTRY_COMPARE(probe.takeEvents(), QByteArrayList{"acquired bob"});
        QVERIFY(!probe.row("L")->heldBeforeFirstLook);
    }

private:
    void take(const QString& name, const QString& field, int ttl) {
        m_server.cli({"EVAL", "redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2])", "1", name, field,
                      QString::number(ttl)});
    }
    void release(const QString& name) {
        m_server.cli({"EVAL", "redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], '0')", "2", name,
                      "redisson_lock__channel:{" + name + "}"});
    }

    RedisServer m_server;
};

QTEST_GUILESS_MAIN(TestMonitorServer)
#include "tst_monitor_server.moc"
