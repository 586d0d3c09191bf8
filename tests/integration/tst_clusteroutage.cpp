// SPDX-License-Identifier: Apache-2.0
#include "engine/threadedengine.h"
#include "support/clustersetup.h"
#include "support/monitorprobe.h"
#include "support/places.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace tst_clusteroutage {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// Locks of a real Cluster that nobody can read: they are named, and never left out without a message.
class TestClusterOutage : public QObject {
    Q_OBJECT

private:
    struct Printed {
        int exitCode = -1;
        QString out;
        QString err;
    };
    static Printed run(const QStringList& arguments) {
        QProcess program;
        program.start(test::places::program(), arguments);
        (void)QTest::qWaitFor([&program] { return program.state() == QProcess::NotRunning; }, 30000);
        return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
                QString::fromUtf8(program.readAllStandardError())};
    }
    Printed list() const { return run({QStringLiteral("list"), m_cluster->url()}); }
    void start(int masters, const QString& fullCoverage) {
        m_cluster = std::make_unique<ClusterSetup>(masters);
        QVERIFY(m_cluster->start());
        QVERIFY(m_cluster->tellAll({"CONFIG", "SET", "cluster-require-full-coverage", fullCoverage}));
        for (size_t master = 0; master < m_cluster->masterCount(); ++master)
            hand(master).take(nameOn(master), alice, 600000);
    }
    QByteArray nameOn(size_t master) const { return m_cluster->keyOn(master, "L"); }
    ServerHand hand(size_t master) { return ServerHand(m_cluster->master(master)); }
    void watch() {
        m_shards = std::make_unique<topology::ClusterSource>(
            QList<topology::Address>{{QStringLiteral("127.0.0.1"), m_cluster->master(0).port()}},
            redis::ConnectionOptions(), topology::Dialer(), m_clock);
        m_probe = std::make_unique<MonitorProbe>(*m_shards);
        QVERIFY(m_probe->waitForSweep());
    }
    NodeStatus node(size_t master) const {
        const QList<NodeStatus>& nodes = m_probe->stats.nodes;
        const auto found = std::ranges::find(nodes, m_cluster->address(master), &NodeStatus::address);
        return found == nodes.end() ? NodeStatus() : *found;
    }

    SystemClock m_clock;
    std::unique_ptr<ClusterSetup> m_cluster;
    std::unique_ptr<topology::ClusterSource> m_shards;
    std::unique_ptr<MonitorProbe> m_probe;

private Q_SLOTS:
    void cleanup() {
        m_probe.reset();
        m_shards.reset();
        m_cluster.reset();
    }

    void aClusterThatIsDownIsNotListedAsIfAllWereWell() {
        start(3, QStringLiteral("yes"));
        QCOMPARE(list().exitCode, 0);
        m_cluster->master(2).kill();
        QTRY_VERIFY(m_cluster->master(0).cli({"CLUSTER", "INFO"}).contains(u"cluster_state:fail"));
        const Printed printed = list();
        QCOMPARE(printed.exitCode, 3);
        for (size_t master = 0; master < 3; ++master)
            QVERIFY2(printed.err.contains("the locks of " + m_cluster->address(master)), qPrintable(printed.err));
        QVERIFY2(printed.err.contains(u"the cluster is down"), qPrintable(printed.err));
    }

    void nodesThatServeNoKeysAreNotWatched() {
        start(3, QStringLiteral("yes"));
        watch();
        m_cluster->master(2).kill();
        QTRY_COMPARE_WITH_TIMEOUT(node(0).phase, NodePhase::NotServing, 15000);
        QTRY_COMPARE(node(1).phase, NodePhase::NotServing);
        QTRY_COMPARE(node(2).phase, NodePhase::Reconnecting);
        QCOMPARE(node(0).error.value_or(Error()).reply, ReplyKind::ClusterDown);
        QVERIFY(node(0).lastHeard > WallTime());
        QVERIFY(m_probe->row(nameOn(0))->lock.isHeld());
        // Connected, and all that is shown is old.
        QTRY_VERIFY(m_probe->statuses.back().watchesNothing);
        QCOMPARE(m_probe->statuses.back().phase, MonitorPhase::Watching);
        QVERIFY(m_probe->statuses.back().lastHeard > WallTime());
        QVERIFY(m_cluster->master(0).cli({"CONFIG", "SET", "cluster-require-full-coverage", "no"}) == u"OK");
        QVERIFY(m_cluster->master(1).cli({"CONFIG", "SET", "cluster-require-full-coverage", "no"}) == u"OK");
        QTRY_COMPARE_WITH_TIMEOUT(node(0).phase, NodePhase::Watching, 15000);
        QTRY_COMPARE_WITH_TIMEOUT(node(1).phase, NodePhase::Watching, 15000);
        QCOMPARE(node(2).phase, NodePhase::Reconnecting);
        QTRY_VERIFY(!m_probe->statuses.back().watchesNothing);
    }

    // The node of the lock finds the key, but refuses to read it.
    void slotsWithoutANodeAreNamed() {
        start(2, QStringLiteral("no"));
        const QString slot = QString::number(topology::hashSlotOf(nameOn(0)));
        watch();
        QVERIFY(m_cluster->tellAll({"CLUSTER", "DELSLOTS", slot}));
        const Printed printed = list();
        QCOMPARE(printed.exitCode, 3);
        QVERIFY2(printed.err.contains("no node serves these slots, so their locks are not listed: " + slot),
                 qPrintable(printed.err));
        QVERIFY(!printed.out.contains(QString::fromLatin1(nameOn(0))));
        QVERIFY(printed.out.contains(QString::fromLatin1(nameOn(1))));
        m_shards->refresh();
        QTRY_COMPARE(topology::displayOf(m_probe->stats.unservedSlots), slot);
        QCOMPARE(node(0).phase, NodePhase::Watching);
    }

    void aNameWhoseSlotIsMovingIsNotRead() {
        start(2, QStringLiteral("yes"));
        const QByteArray name = nameOn(0);
        const topology::HashSlot slot = topology::hashSlotOf(name);
        watch();
        QVERIFY(m_cluster->beginMove(slot, 0, 1));
        QVERIFY(m_cluster->moveKeys(slot, 0, 1));
        const Printed printed = list();
        QCOMPARE(printed.exitCode, 3);
        QVERIFY2(printed.err.contains(u"not read, because their slots are moving (1;"), qPrintable(printed.err));
        QVERIFY2(printed.err.contains(QString::fromLatin1(name)), qPrintable(printed.err));
        // For the reader the lock still has its last known state.
        QTRY_VERIFY(m_probe->row(name)->isUnread);
        QVERIFY(m_probe->row(name)->lock.isHeld());
        QTRY_COMPARE(m_probe->stats.notRead, QList{LockName(name)});
        QVERIFY(m_cluster->endMove(slot, 1));
        QTRY_VERIFY(!m_probe->row(name)->isUnread);
        QVERIFY(m_probe->row(name)->lock.isHeld());
        QTRY_VERIFY(m_probe->stats.notRead.isEmpty());
        QCOMPARE(list().exitCode, 0);
    }

    void oneNodeByItselfSaysThatThereAreOthers() {
        start(2, QStringLiteral("yes"));
        const QString url = m_cluster->master(0).url();
        ThreadedEngine engine;
        SessionProbe page(engine);
        page.connectTo(url);
        QTRY_VERIFY(page.isConnected());
        QVERIFY(page.status.isClusterNode);
        page.connectTo(m_cluster->url());
        QTRY_VERIFY(page.isConnected() && !page.status.isClusterNode);
        const QString advice = QStringLiteral("use redis-cluster://") + m_cluster->address(0);
        for (const QStringList& arguments :
             {QStringList{QStringLiteral("list"), url}, QStringList{QStringLiteral("watch"), url, "--for", "1"},
              QStringList{QStringLiteral("lock"), url, QString::fromLatin1(m_cluster->keyOn(0, "free:")), "--",
                          "true"}}) {
            const Printed printed = run(arguments);
            QVERIFY2(printed.err.contains(advice), qPrintable(arguments.first() + ": " + printed.err));
            QCOMPARE(printed.exitCode, 0);
        }
    }

    void anErrorNamesTheNode() {
        start(2, QStringLiteral("yes"));
        const QString name = QString::fromLatin1(m_cluster->keyOn(1, "free:"));
        QVERIFY(m_cluster->master(1).cli({"ACL", "SETUSER", "default", "-eval", "-evalsha"}) == u"OK");
        const Printed printed = run({QStringLiteral("lock"), m_cluster->url(), name, QStringLiteral("--"), "true"});
        QCOMPARE(printed.exitCode, 7);
        QVERIFY2(printed.err.contains(m_cluster->address(1) + ": "), qPrintable(printed.err));
    }

    void aNodeThatGoesIsAnEvent() {
        start(2, QStringLiteral("yes"));
        const topology::HashSlot slot = topology::hashSlotOf(nameOn(0));
        QVERIFY(m_cluster->addMaster());
        QVERIFY(m_cluster->tellAll({"CONFIG", "SET", "cluster-allow-replica-migration", "no"}));
        QVERIFY(m_cluster->moveSlot(slot, 0, 2));
        const QString address = m_cluster->address(2);
        QProcess program;
        program.start(test::places::program(), {QStringLiteral("watch"), QStringLiteral("--json"), m_cluster->url()});
        QByteArray lines;
        const auto isSaid = [&](const QByteArray& state) {
            lines += program.readAllStandardOutput();
            return std::ranges::any_of(lines.split('\n'), [&](const QByteArray& line) {
                const QJsonObject event = QJsonDocument::fromJson(line).object();
                return event[QStringLiteral("event")].toString() == u"node" &&
                       event[QStringLiteral("node")].toString() == address &&
                       event[QStringLiteral("state")].toString() == QString::fromLatin1(state);
            });
        };
        QTRY_VERIFY(isSaid("watching"));
        QVERIFY(m_cluster->moveSlot(slot, 2, 1));
        QVERIFY(m_cluster->forgetLastMaster());
        QTRY_VERIFY_WITH_TIMEOUT(isSaid("gone"), 15000);
        program.terminate();
        QVERIFY(program.waitForFinished());
    }
};

LOCKKEEPER_TEST(TestClusterOutage, Guiless)

}  // namespace tst_clusteroutage

#include "tst_clusteroutage.moc"
