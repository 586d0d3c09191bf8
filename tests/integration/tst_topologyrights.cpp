// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/anylock.h"
#include "support/auditedengine.h"
#include "support/clustersetup.h"
#include "support/leastrights.h"
#include "support/lockprogram.h"
#include "support/owner.h"
#include "support/sentinelsetup.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_topologyrights {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// The rights that resources/manual/connecting.md names are enough to take locks, on the installed server.
class TestTopologyRights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanupTestCase() { m_cluster.reset(); }

    void locksInACluster_data() { addKinds(kindsOfOneCluster()); }
    void locksInACluster() {
        QFETCH(Kind, kind);
        startCluster();
        LockProgram mine(m_cluster->address(0), m_clock, {}, options());
        LockProgram other(m_cluster->address(1), m_clock, {}, options());
        for (size_t master = 0; master < 2; ++master) {
            const QByteArray name = m_cluster->keyOn(master, QByteArray(QTest::currentDataTag()) + ':');
            const AnyLock held = mine.lock(kind, name);
            const AnyLock wanted = other.lock(kind == Kind::Read ? Kind::Write : kind, name);
            QVERIFY(takes(held));
            ServerHand server(m_cluster->master(master));
            const int before = server.calls(QStringLiteral("exists"));  // each attempt asks for the lock's key
            const auto waiting = start(wanted.tryLock(owner, Deadline::in(m_clock, 10s)));
            QTRY_VERIFY(server.calls(QStringLiteral("exists")) > before);
            QVERIFY(!waiting->has_value());
            QVERIFY(test::waitFor(held.unlock(owner)).ok());
            QVERIFY(becomesTrue([&waiting] { return waiting->has_value(); }));
            QVERIFY2((*waiting)->ok(), (*waiting)->ok() ? "" : qPrintable((*waiting)->error().text));
            QVERIFY(test::waitFor(wanted.unlock(owner)).ok());
        }
        expectNoDenial();
    }

    // The keys are at one node, and the slot still belongs to the other: ASK.
    void aLockOfASlotThatMoves() {
        startCluster();
        const QByteArray name = m_cluster->keyOn(0, "moving:");
        const topology::HashSlot slot = topology::hashSlotOf(name);
        locks::LockClientOptions impatient;
        impatient.watchdogTimeout = 900ms;
        LockProgram mine(m_cluster->address(0), m_clock, impatient, options());
        const AnyLock lock = mine.lock(Kind::Reentrant, name);
        QVERIFY(takes(lock));
        QVERIFY(m_cluster->beginMove(slot, 0, 1));
        QVERIFY(m_cluster->moveKeys(slot, 0, 1));
        QVERIFY(takes(lock));
        QVERIFY(m_cluster->endMove(slot, 1));
        QVERIFY(test::waitFor(lock.unlock(owner)).ok());
        QCOMPARE(mine.lostNames(), QList<LockName>());
        QVERIFY(m_cluster->moveSlot(slot, 1, 0));
        expectNoDenial();
    }

    void aSessionInAClusterAsksWhatIsRefused_data() {
        QTest::addColumn<QStringList>("taken");
        QTest::addColumn<QList<control::WritingDenial>>("denied");
        using enum control::RefusedRight;
        QTest::newRow("nothing") << QStringList() << QList<control::WritingDenial>();
        QTest::newRow("SPUBLISH") << QStringList{"-spublish"}
                                  << QList<control::WritingDenial>{
                                         {Command, "spublish", control::WritingCost::WaitersNotWoken}};
        QTest::newRow("ASKING") << QStringList{"-asking"}
                                << QList<control::WritingDenial>{
                                       {Command, "asking", control::WritingCost::OperationsRefused}};
    }
    void aSessionInAClusterAsksWhatIsRefused() {
        QFETCH(const QStringList, taken);
        QFETCH(const QList<control::WritingDenial>, denied);
        startCluster();
        if (!taken.isEmpty())
            QVERIFY(m_cluster->tellAll(QStringList{"ACL", "SETUSER", "locker"} + taken));
        auto profile = profile::ConnectionProfile::fromUrl(m_cluster->url()).value();
        profile.credentials = options().credentials;
        test::AuditedEngine engine;
        SessionProbe page(engine);
        page.link.connectTo(profile, {});
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected(), 10000);
        page.link.request(ArmFor{10min});
        QTRY_COMPARE_WITH_TIMEOUT(page.arming.rightsInAdvance, control::RightsInAdvance::Known, 10000);
        QCOMPARE(page.arming.denied, denied);
        if (!taken.isEmpty())
            QVERIFY(m_cluster->tellAll(QStringList{"ACL", "SETUSER", "locker"} + rightsToLockInACluster()));
    }

    void aSessionBehindSentinelsWithAUserOfTheirOwn() {
        SentinelSetup setup(1);
        QVERIFY(setup.start());
        QCOMPARE(setup.sentinel(0).cli(QStringList{"ACL", "SETUSER", "asker"} + rightsAtSentinel()), "OK");
        for (RedisServer* server : {&setup.first(), &setup.second()})
            QCOMPARE(server->cli(QStringList{"ACL", "SETUSER", "locker"} + leastRights(*server) + rightsToLock() +
                                 QStringList{"+role"}),
                     "OK");
        auto profile = profile::ConnectionProfile::fromUrl(setup.url() + "?sentinel-user=asker").value();
        profile.deployment.sentinels->credentials.password = "pw";
        profile.credentials = {"locker", "pw"};
        test::AuditedEngine engine;
        SessionProbe page(engine);
        page.link.connectTo(profile, {});
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected(), 10000);
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        QTRY_COMPARE(setup.second().cli({"EXISTS", "mine"}), "1");
        QVERIFY(setup.failOver());
        QTRY_COMPARE_WITH_TIMEOUT(page.status.master, QStringLiteral("127.0.0.1:%1").arg(setup.second().port()), 10000);
        page.acquire("on the new master");
        QTRY_COMPARE_WITH_TIMEOUT(page.own.size(), 2, 10000);
        QTRY_VERIFY_WITH_TIMEOUT(page.holds("mine") && page.holds("on the new master"), 10000);
        for (RedisServer* server : {&setup.sentinel(0), &setup.first(), &setup.second()})
            QCOMPARE(deniedBy(*server), QStringList());
    }

private:
    // The monitor reads a setting if it may, and works without it otherwise.
    [[nodiscard]] static QStringList deniedBy(RedisServer& server) {
        const QStringList lines = server.cli({"ACL", "LOG"}).split(u'\n');
        QStringList denied;
        for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
            if (lines[i] == "object" && lines[i + 1] != "config|get")
                denied += lines[i + 1];
        }
        return denied;
    }
    [[nodiscard]] static redis::ConnectionOptions options() {
        redis::ConnectionOptions options = LockProgram::connectionOptions();
        options.credentials = {"locker", "pw"};
        return options;
    }
    void startCluster() {
        if (m_cluster)
            return;
        m_cluster = std::make_unique<ClusterSetup>(2);
        QVERIFY(m_cluster->start());
        const QStringList rights =
            leastRights(m_cluster->master(0)) + rightsInACluster() + rightsToLock() + rightsToLockInACluster();
        QVERIFY(m_cluster->tellAll(QStringList{"ACL", "SETUSER", "locker"} + rights));
    }
    bool takes(const AnyLock& lock) {
        const Result<locks::LockAttempt> taken = test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 5s)));
        if (!taken)
            qInfo("not taken: %s", qPrintable(taken.error().text));
        return taken && taken->acquired();
    }
    void expectNoDenial() {
        for (size_t master = 0; master < 2; ++master)
            QCOMPARE(deniedBy(m_cluster->master(master)), QStringList());
    }

    SystemClock m_clock;
    std::unique_ptr<ClusterSetup> m_cluster;
};

LOCKKEEPER_TEST(TestTopologyRights, Guiless)

}  // namespace tst_topologyrights

#include "tst_topologyrights.moc"
