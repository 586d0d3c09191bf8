// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/lockkinds.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "support/wiretap.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_lockkeyevents {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Kind;
using test::owner;

// The keyspace events of our clients' locks: the same that the recorded commands of the real client cause. One
// deliberate exception: the last hold is not counted down before the key is deleted, because a server that is out of
// memory refuses the former and not the latter.
class TestLockKeyEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() {
        m_server.cli({"FLUSHALL"});
        m_client = std::make_unique<LockClient>(m_server.options(), m_clock);
        m_client->open();
        QTRY_VERIFY(m_client->connections().isReady({}));
    }
    void cleanup() { m_client.reset(); }

    void areThoseOfTheRealClient_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("acquire");
        QTest::addColumn<QString>("reenter");
        QTest::addColumn<QString>("releaseOne");
        QTest::addColumn<QString>("releaseLast");
        const QString counted = u"hincrby expire"_qs;
        QTest::newRow("reentrant") << Kind::Reentrant << counted << counted << counted << u"del"_qs;
        QTest::newRow("fenced") << Kind::Fenced << counted << counted << counted << u"del"_qs;
        QTest::newRow("spin") << Kind::Spin << counted << counted << counted << u"del"_qs;
        QTest::newRow("fair") << Kind::Fair << u"hset expire"_qs << counted << counted << u"del"_qs;
        QTest::newRow("read") << Kind::Read << u"hset hset expire"_qs << counted << counted << u"hdel del"_qs;
        QTest::newRow("write") << Kind::Write << u"hset hset expire"_qs << counted << counted << u"del"_qs;
    }
    void areThoseOfTheRealClient() {
        QFETCH(Kind, kind);
        QFETCH(QString, acquire);
        QFETCH(QString, reenter);
        QFETCH(QString, releaseOne);
        QFETCH(QString, releaseLast);
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        test::Wiretap wiretap(m_server, m_clock);
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QCOMPARE(eventsOf(wiretap), acquire);
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QCOMPARE(eventsOf(wiretap), reenter);
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(eventsOf(wiretap), releaseOne);
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(eventsOf(wiretap), releaseLast);
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QCOMPARE(eventsOf(wiretap), acquire);
        QVERIFY(test::waitFor(lock.forceUnlock()).value());
        QCOMPARE(eventsOf(wiretap), u"del"_qs);
    }

    void aServerOutOfMemoryTakesAHoldBack_data() {
        QTest::addColumn<Kind>("kind");
        QTest::newRow("reentrant") << Kind::Reentrant;
        QTest::newRow("fenced") << Kind::Fenced;
        QTest::newRow("spin") << Kind::Spin;
        QTest::newRow("fair") << Kind::Fair;
        QTest::newRow("read") << Kind::Read;
        QTest::newRow("write") << Kind::Write;
    }
    void aServerOutOfMemoryTakesAHoldBack() {
        QFETCH(Kind, kind);
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        m_server.cli({"CONFIG", "SET", "maxmemory", "1"});
        const Result<Done> again = test::waitFor(lock.lock(owner));
        const Result<ReleaseOutcome> released = test::waitFor(lock.unlock(owner));
        m_server.cli({"CONFIG", "SET", "maxmemory", "0"});
        QVERIFY(!again.ok() && again.error().text.startsWith(u"OOM"));
        QCOMPARE(released.value(), ReleaseOutcome::Free);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

private:
    // The keyspace events of the lock's own key.
    static QString eventsOf(test::Wiretap& wiretap) {
        const QString prefix = u"__keyspace@0__:L "_qs;
        QStringList events;
        for (const QString& message : wiretap.takeMessages()) {
            if (message.startsWith(prefix))
                events += message.mid(prefix.size());
        }
        return events.join(u' ');
    }

    test::RedisServer m_server{{"--notify-keyspace-events", "KA"}};
    SystemClock m_clock;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestLockKeyEvents, Guiless)

}  // namespace tst_lockkeyevents

#include "tst_lockkeyevents.moc"
