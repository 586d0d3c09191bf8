// SPDX-License-Identifier: Apache-2.0
#include "support/auditedengine.h"
#include "support/sentinelsetup.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_sentinel {

using namespace lockkeeper;

namespace {

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

const QString otherHolder = QStringLiteral("7c1e2f43-41d2-4a0e-9c76-0a4f3c1f6f10:5");

}  // namespace

// A session behind real Sentinels is at the master, also after a failover.
class TestSentinel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsTheLocksOfTheMaster() {
        test::SentinelSetup setup(1);
        QVERIFY(setup.start());
        setup.first().cli({"HSET", "L", holder, "1"});
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_VERIFY(page.holds("L"));
    }

    void namesTheMasterAndItsReplicas() {
        test::SentinelSetup setup(1);
        QVERIFY(setup.start());
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        const auto master = [&page] { return page.stats.master.value_or(monitor::NodeStatus()); };
        QTRY_COMPARE(master().phase, monitor::NodePhase::Watching);
        QCOMPARE(master().address, QStringLiteral("127.0.0.1:%1").arg(setup.first().port()));
        // INFO is read every ten seconds, and may have been read before the replica was there.
        QTRY_COMPARE_WITH_TIMEOUT(master().replicas.value_or(QList<redis::Replica>()).size(), 1, 30000);
        QCOMPARE(master().replicas->first().address, QStringLiteral("127.0.0.1:%1").arg(setup.second().port()));
        QVERIFY(page.stats.nodes.isEmpty());
    }

    void followsAFailover_data() {
        QTest::addColumn<bool>("killed");
        QTest::newRow("in order") << false;
        QTest::newRow("the master is killed") << true;
    }
    void followsAFailover() {
        QFETCH(bool, killed);
        test::SentinelSetup setup;
        QVERIFY(setup.start());
        setup.first().cli({"HSET", "L", holder, "1"});
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_VERIFY(page.holds("L"));
        QCOMPARE(page.status.master, QStringLiteral("127.0.0.1:%1").arg(setup.first().port()));
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        // Replication is asynchronous: what the replica has not got when the master dies is truly lost.
        QTRY_COMPARE(setup.second().cli({"EXISTS", "L", "mine"}), "2");
        if (killed) {
            setup.first().kill();
            QVERIFY(setup.secondBecomesMaster());
        } else {
            QVERIFY(setup.failOver());
        }
        setup.second().cli({"HSET", "on the new master", holder, "1"});
        QTRY_VERIFY_WITH_TIMEOUT(page.holds("on the new master"), 10000);
        QCOMPARE(page.status.master, QStringLiteral("127.0.0.1:%1").arg(setup.second().port()));
        // Discovery has a connection of its own, which may be there before the one that watches.
        QTRY_VERIFY(page.isConnected());
        QVERIFY(page.holds("L"));
        QVERIFY(page.holds("mine"));
        // The lock was held all the time, so no event must be reported.
        QCOMPARE(page.count(monitor::EventType::Acquired, "L"), 0);
        QCOMPARE(page.count(monitor::EventType::Released, "L"), 0);
        QVERIFY(page.lost.isEmpty());
        page.acquire("taken after it");
        QTRY_COMPARE_WITH_TIMEOUT(page.own.size(), 2, 10000);
        QCOMPARE(setup.second().cli({"EXISTS", "taken after it"}), "1");
    }

    // Replication is asynchronous: a lock that the replica never got is taken by another client at the new master. Here
    // the replica has that other client from the beginning.
    void tellsASecondHolderAfterAFailover() {
        test::SentinelSetup setup;
        QVERIFY(setup.start());
        setup.first().cli({"HSET", "L", holder, "1"});
        setup.first().cli({"PEXPIRE", "L", "600000"});
        QTRY_COMPARE(setup.second().cli({"EXISTS", "L"}), "1");
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_VERIFY(page.holds("L"));
        setup.second().cli({"CONFIG", "SET", "replica-read-only", "no"});
        setup.second().cli({"HDEL", "L", holder});
        setup.second().cli({"HSET", "L", otherHolder, "1"});
        setup.second().cli({"PEXPIRE", "L", "600000"});
        setup.first().kill();
        QVERIFY(setup.secondBecomesMaster());
        QTRY_COMPARE_WITH_TIMEOUT(page.rows.value(LockName("L")).diagnoses.size(), 1, 20000);
        const monitor::LockRow row = page.rows.value(LockName("L"));
        const auto* found = std::get_if<monitor::PossibleDoubleHolder>(&row.diagnoses.first().evidence);
        QVERIFY(found);
        QCOMPARE(found->earlier, HolderId::parse(holder.toLatin1()));
        QCOMPARE(found->newMaster.value_or("the same"),
                 QByteArray("127.0.0.1:" + QByteArray::number(setup.second().port())));
    }

    // As recorded in sentinel_crash: B waits for a replica that died with the old master, or before it.
    void tellsAnAcquireThatIsTakenBack() {
        test::SentinelSetup setup;
        QVERIFY(setup.start());
        setup.first().cli({"HSET", "L", holder, "1"});
        QTRY_COMPARE(setup.second().cli({"EXISTS", "L"}), "1");
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_VERIFY(page.holds("L"));
        setup.first().kill();
        QVERIFY(setup.secondBecomesMaster());
        QTRY_VERIFY_WITH_TIMEOUT(page.count(monitor::EventType::NotWatched, "L") == 1, 20000);
        test::ServerHand hand(setup.second());
        hand.release("L");
        QTRY_VERIFY(!page.holds("L"));
        const HolderId waiter = *HolderId::parse(otherHolder.toLatin1());
        hand.take("L", waiter, 3000);
        QTRY_VERIFY(page.holds("L"));
        QTRY_VERIFY(setup.second().cli({"PTTL", "L"}).toInt() < 1950);  // for as long as a WAIT 1 1000 takes
        hand.release("L");
        QTRY_VERIFY(!page.holds("L"));
        hand.take("L", waiter, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(page.rows.value(LockName("L")).diagnoses.size(), 1, 20000);
        const monitor::Diagnosis diagnosis = page.rows.value(LockName("L")).diagnoses.first();
        QCOMPARE(diagnosis.certainty, monitor::Certainty::Suspected);
        const auto* found = std::get_if<monitor::AcquireTakenBack>(&diagnosis.evidence);
        QVERIFY(found);
        QCOMPARE(found->holder, waiter);
        QCOMPARE(found->times, 1);
        QCOMPARE(found->replicas, 0);
        QCOMPARE(found->earlierReplicas, 1);
    }

    void aSentinelThatIsGoneDoesNotMatter() {
        test::SentinelSetup setup;
        QVERIFY(setup.start());
        setup.sentinel(0).kill();
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected(), 10000);
        setup.sentinel(1).freeze();
        setup.first().cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY(page.holds("L"));
    }

    void withoutAnySentinelItStaysConnectedAndThenSaysWhy() {
        test::SentinelSetup setup(1);
        QVERIFY(setup.start());
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_VERIFY(page.isConnected());
        setup.sentinel(0).kill();
        setup.first().cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY(page.holds("L"));
        test::SessionProbe late(engine);
        late.connectTo(setup.url());
        QTRY_COMPARE_WITH_TIMEOUT(late.status.phase, ConnectionPhase::Failed, 10000);
        QCOMPARE(late.status.error->code, ErrorCode::ConnectionRefused);
    }

    void aMasterThatNobodyKnowsIsNamed() {
        test::SentinelSetup setup(1);
        QVERIFY(setup.start());
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url().replace("/orders", "/payments"));
        QTRY_COMPARE_WITH_TIMEOUT(page.status.phase, ConnectionPhase::Failed, 10000);
        QCOMPARE(page.status.error->cause, Cause::MasterNotKnown);
    }

    // The change is like a failover that nobody announces: the server stays, but in another role.
    void leavesAMasterThatIsDemotedByHand() {
        test::SentinelSetup setup(1);
        QVERIFY(setup.start());
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(setup.url());
        QTRY_VERIFY(page.isConnected());
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        setup.sentinel(0).freeze();
        setup.second().cli({"REPLICAOF", "NO", "ONE"});
        setup.first().cli({"REPLICAOF", "127.0.0.1", QString::number(setup.second().port())});
        QTRY_VERIFY_WITH_TIMEOUT(!page.isConnected(), 15000);
        QCOMPARE(page.status.phase, ConnectionPhase::Reconnecting);
    }
};

LOCKKEEPER_TEST(TestSentinel, Guiless)

}  // namespace tst_sentinel

#include "tst_sentinel.moc"
