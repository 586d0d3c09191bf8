// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/readaudit.h"
#include "control/forcerelease.h"
#include "support/clusterclient.h"
#include "support/clustersetup.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace std::chrono_literals;

// A force-release in a Cluster whose slots move: it finds the lock, and records what it did.
class TestForceRelease : public QObject {
    Q_OBJECT

private:
    QByteArray name() const { return m_cluster->keyOn(0, "lock"); }
    topology::HashSlot slot() const { return topology::hashSlotOf(name()); }
    void hold(size_t master) const {
        m_cluster->master(master).cli({"HSET", QString::fromLatin1(name()), test::alice.display(), "1"});
    }
    ForceReleaseRequest request() const {
        ForceReleaseRequest made;
        made.confirmed = test::held(0ms, test::alice);
        made.confirmed.name = LockName(name());
        made.reason = QStringLiteral("it hangs");
        return made;
    }
    ForceReport force() { return test::waitFor(m_force->run(request(), {})); }
    std::vector<AuditLine> lines() const { return readAudit(m_directory->filePath(QStringLiteral("audit")))->lines; }

    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<test::ClusterSetup> m_cluster;
    std::unique_ptr<test::ClusterClient> m_client;
    std::unique_ptr<AuditLog> m_log;
    std::unique_ptr<ForceRelease> m_force;

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_cluster = std::make_unique<test::ClusterSetup>(3);
        QVERIFY(m_cluster->start());
        m_client = std::make_unique<test::ClusterClient>(m_cluster->address(0), m_clock);
        m_log = std::make_unique<AuditLog>(m_directory->filePath(QStringLiteral("audit")), m_clock);
        topology::ShardConnections& connections = m_client->client().connections();
        m_force = std::make_unique<ForceRelease>(connections, 5s, m_log.get(), AuditPlace());
        for (size_t master = 0; master < m_cluster->masterCount(); ++master)
            QTRY_VERIFY(connections.isReady(m_cluster->keyOn(master, "any")));
    }
    void cleanup() {
        m_force.reset();
        m_log.reset();
        m_client.reset();
        m_cluster.reset();
    }

    void breaksALockOfAnyMaster() {
        hold(0);
        QCOMPARE(force().outcome.value(), BreakOutcome::Broken);
        QCOMPARE(lines().size(), size_t{2});
    }

    void findsALockWhoseSlotHasMoved() {
        QVERIFY(m_cluster->moveSlot(slot(), 0, 1));
        hold(1);
        const ForceReport report = force();
        QVERIFY2(report.outcome.ok(), report.outcome ? "" : qPrintable(report.outcome.error().text));
        QCOMPARE(*report.outcome, BreakOutcome::Broken);
        QVERIFY(report.after && !report.after->isHeld());
        QCOMPARE(lines()[0].record->state->holders.first().id, test::alice);
        QCOMPARE(lines()[1].record->outcome, AuditOutcome::Done);
    }

    // Redisson waits on the shard's channel there.
    void wakesWaitersByTheChannelOfTheShard() {
        ForceReleaseRequest wake = request();
        wake.confirmed.holders.clear();
        wake.change.kind = ChangeKind::WakeWaiters;
        QCOMPARE(test::waitFor(m_force->run(wake, {})).outcome.value(), BreakOutcome::Broken);
        // On the channels of both kinds of locks.
        QCOMPARE(test::ServerHand(m_cluster->master(0)).calls(QStringLiteral("spublish")), 2);
    }

    // Neither master can read it then, and the script is sent again until the slot has moved.
    void recordsWhatWasConfirmedWhileItsSlotMoves() {
        hold(0);
        QVERIFY(m_cluster->beginMove(slot(), 0, 1));
        QVERIFY(m_cluster->moveKeys(slot(), 0, 1));
        const test::Running<ForceReport> running = test::start(m_force->run(request(), {}));
        QTRY_COMPARE(lines().size(), size_t{1});
        QVERIFY(m_cluster->endMove(slot(), 1));
        QTRY_VERIFY_WITH_TIMEOUT(running->has_value(), 10000);
        const ForceReport report = **running;
        QVERIFY2(report.outcome.ok(), report.outcome ? "" : qPrintable(report.outcome.error().text));
        QCOMPARE(*report.outcome, BreakOutcome::Broken);
        QCOMPARE(lines()[0].record->state->holders.first().id, test::alice);
        QCOMPARE(lines()[1].record->outcome, AuditOutcome::Done);
    }
};

LOCKKEEPER_TEST(TestForceRelease, Guiless)
#include "tst_forcerelease.moc"
