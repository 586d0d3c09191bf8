// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplenodes.h"
#include "support/windowtest.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/statusfield.h"
#include "ui/connections/nodemodel.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/words/causetext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

namespace tst_nodepanel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The nodes of a Cluster in the window: their list, the banner, the status bar, and the rows of a node that is lost.
class TestNodePanel : public WindowTest {
    Q_OBJECT

private:
    LockTableView& locks() const { return find<LockTableView>("lockTable"); }
    QTableView& nodes() const { return find<QTableView>("nodeTable"); }
    QString shown(int row, NodeModel::Column column) const {
        return nodes().model()->index(row, column).data().toString();
    }
    QString banner() const { return find<InlineMessage>("nodeBanner").text(); }
    void showNodeColumn() const {
        find<QAction>(qPrintable(QStringLiteral("actionColumn_%1").arg(int(LockTableModel::NodeColumn)))).trigger();
    }
    QString field() const { return find<StatusField>("statusNodes").text(); }
    QString empty() const { return find<QLabel>("nodeEmpty").text(); }
    QString stateOf(const char* name) const {
        const QAbstractItemModel& model = *locks().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, LockTableModel::Name).data().toString() == QString::fromLatin1(name))
                return model.index(row, LockTableModel::State).data().toString();
        }
        return QStringLiteral("not shown");
    }
    QString clock(WallTime at) const { return clockText(at, m_clock.wallNow()); }

    // There is a lock on each of the nodes 7001 and 7002; that of 7001 is selected.
    void connectToCluster() {
        m_engine->report(connected());
        m_engine->report(batchOf({watchedNode(7001), watchedNode(7002), watchedNode(7003)}));
        m_engine->report(batchOf({onNode(heldRow(m_clock, lockName("one"), 20s), watchedNode(7001)),
                                  onNode(heldRow(m_clock, lockName("two"), 20s), watchedNode(7002))}));
        locks().setCurrentLock(lockName("one"));
    }
    // The first node is lost. Returns when it last answered.
    WallTime loseFirst() {
        const WallTime lastHeard = m_clock.wallNow();
        m_clock.advance(5s);
        m_engine->report(batchOf({lostNode(7001, lastHeard), watchedNode(7002), watchedNode(7003)}));
        return lastHeard;
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
    }
    void cleanup() { end(); }

    void withoutAClusterThereAreNoNodes() {
        find<QDockWidget>("nodeDock").toggleViewAction()->trigger();
        QVERIFY2(empty().startsWith(QStringLiteral("Not connected.")), qPrintable(empty()));
        m_engine->report(connected());
        m_engine->report(batchOf(QList<monitor::NodeStatus>()));
        m_engine->report(batchOf({heldRow(m_clock, lockName("L"), 20s)}));
        QVERIFY2(empty().startsWith(QStringLiteral("Nothing is known of the nodes yet.")), qPrintable(empty()));
        QVERIFY(locks().isColumnHidden(LockTableModel::NodeColumn));
        QVERIFY(!find<QLineEdit>("lockFilter").placeholderText().contains(QStringLiteral("node")));
        QCOMPARE(field(), QString());
        QCOMPARE(banner(), QString());
    }

    void listsTheNodesOfACluster() {
        connectToCluster();
        find<QDockWidget>("nodeDock").toggleViewAction()->trigger();
        QVERIFY(nodes().isVisible());
        QCOMPARE(nodes().model()->rowCount(), 9);
        QCOMPARE(shown(0, NodeModel::Address), QStringLiteral("redis.example.com:7001"));
        QCOMPARE(shown(0, NodeModel::Role), QStringLiteral("Master"));
        QCOMPARE(shown(0, NodeModel::State), QStringLiteral("Watching"));
        QCOMPARE(shown(0, NodeModel::Replicas), QStringLiteral("2, 2.0 kB"));
        QCOMPARE(shown(0, NodeModel::Locks), QStringLiteral("2"));
        QCOMPARE(shown(0, NodeModel::Reads), QStringLiteral("12 of 250"));
        QCOMPARE(shown(0, NodeModel::Version), QStringLiteral("7.0.15"));
        QCOMPARE(field(), QStringLiteral("3 nodes"));
        QCOMPARE(banner(), QString());
    }

    void replicasAreListedBelowTheirMaster() {
        connectToCluster();
        QCOMPARE(shown(1, NodeModel::Address), QStringLiteral("redis.example.com:7101"));
        QCOMPARE(shown(1, NodeModel::Role), QStringLiteral("Replica"));
        QCOMPARE(shown(1, NodeModel::Replicas), QStringLiteral("14 bytes"));
        QCOMPARE(shown(1, NodeModel::Locks), QString());
        QCOMPARE(shown(2, NodeModel::Address), QStringLiteral("redis.example.com:7201"));
        QCOMPARE(shown(3, NodeModel::Address), QStringLiteral("redis.example.com:7002"));
    }

    // For one server, or a master behind Sentinels.
    void outsideAClusterTheMasterAndItsReplicasAreListed() {
        m_engine->report(connected());
        monitor::MonitorBatch batch = batchOf(QList<monitor::NodeStatus>());
        batch.stats->master = watchedNode(7001);
        m_engine->report(batch);
        QCOMPARE(nodes().model()->rowCount(), 3);
        QCOMPARE(shown(0, NodeModel::Role), QStringLiteral("Master"));
        QCOMPARE(shown(1, NodeModel::Role), QStringLiteral("Replica"));
        QCOMPARE(field(), QString());
        QVERIFY(locks().isColumnHidden(LockTableModel::NodeColumn));
        Q_EMIT nodes().activated(nodes().model()->index(0, NodeModel::State));
        QCOMPARE(find<QLineEdit>("lockFilter").text(), QString());
    }

    void aNodeThatServesNoKeysIsNotWatched() {
        connectToCluster();
        monitor::NodeStatus down = watchedNode(7001);
        down.phase = monitor::NodePhase::NotServing;
        down.error = Error(ErrorCode::ServerReply, ReplyKind::ClusterDown, QStringLiteral("CLUSTERDOWN"));
        down.lastHeard = m_clock.wallNow();
        m_clock.advance(5s);
        m_engine->report(batchOf({down, watchedNode(7002), watchedNode(7003)}));
        QVERIFY2(banner().startsWith(QStringLiteral("Node redis.example.com:7001 serves no keys now (")),
                 qPrintable(banner()));
        QVERIFY2(shown(0, NodeModel::State).startsWith(QStringLiteral("Not watched since ")),
                 qPrintable(shown(0, NodeModel::State)));
        QCOMPARE(field(), QStringLiteral("2 of 3 nodes"));
        QCOMPARE(stateOf("one"), QStringLiteral("Held (old)"));
        QCOMPARE(stateOf("two"), QStringLiteral("Held"));
    }

    void slotsWithoutANodeAreNamed() {
        connectToCluster();
        monitor::MonitorBatch batch = batchOf({watchedNode(7001), watchedNode(7002)});
        batch.stats->unservedSlots = {{0, 99}};
        m_engine->report(batch);
        QCOMPARE(banner(), QStringLiteral("No node serves these slots: 0-99. Locks in them are not watched."));
        m_engine->report(batchOf({watchedNode(7001), watchedNode(7002)}));
        QCOMPARE(banner(), QString());
    }

    void aLockThatNoNodeReadsIsMarked() {
        connectToCluster();
        monitor::LockRow row = onNode(heldRow(m_clock, lockName("one"), 20s), watchedNode(7001));
        row.isUnread = true;
        m_engine->report(batchOf({row}));
        QCOMPARE(stateOf("one"), QStringLiteral("Held (not read)"));
    }

    void saysWhatIsKnownOfTheReplicas_data() {
        QTest::addColumn<std::optional<QList<redis::Replica>>>("replicas");
        QTest::addColumn<QString>("shown");
        using Replicas = QList<redis::Replica>;
        QTest::newRow("not asked, or refused") << std::optional<Replicas>() << "";
        QTest::newRow("none") << std::optional(Replicas()) << "none";
        QTest::newRow("in step") << std::optional(Replicas{{"r:1", 0}}) << "1, 0 bytes";
        QTest::newRow("the slowest counts") << std::optional(Replicas{{"r:1", 3'500'000}, {"r:2", 14}}) << "2, 3.3 MB";
    }
    void saysWhatIsKnownOfTheReplicas() {
        QFETCH(std::optional<QList<redis::Replica>>, replicas);
        m_engine->report(connected());
        monitor::NodeStatus node = watchedNode(7001);
        node.replicas = replicas;
        m_engine->report(batchOf({node}));
        QTEST(shown(0, NodeModel::Replicas), "shown");
    }

    void theToolTipListsTheReplicas() {
        connectToCluster();
        const QString tip = nodes().model()->index(0, NodeModel::Replicas).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("redis.example.com:7101: 14 bytes behind")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("redis.example.com:7201: 2.0 kB behind")), qPrintable(tip));
    }

    void theTableHasAColumnOfNodesInAClusterOnly() {
        connectToCluster();
        QVERIFY(locks().isColumnHidden(LockTableModel::NodeColumn));
        showNodeColumn();
        QVERIFY(!locks().isColumnHidden(LockTableModel::NodeColumn));
        QCOMPARE(locks().model()->index(0, LockTableModel::NodeColumn).data().toString(),
                 QStringLiteral("redis.example.com:7001"));
        m_engine->report(connecting());
        QVERIFY(locks().isColumnHidden(LockTableModel::NodeColumn));
        QCOMPARE(nodes().model()->rowCount(), 9);  // as last seen, until the same server answers again
    }

    void theNodeStandsBesideTheName() {
        connectToCluster();
        showNodeColumn();
        const QHeaderView& header = *locks().horizontalHeader();
        QCOMPARE(header.visualIndex(LockTableModel::NodeColumn), header.visualIndex(LockTableModel::Name) + 1);
    }

    void aListThatIsNarrowKeepsTheStatesInSight() {
        find<QDockWidget>("nodeDock").toggleViewAction()->trigger();
        connectToCluster();
        m_window->resize(800, 600);
        QCoreApplication::processEvents();
        QVERIFY(nodes().columnWidth(NodeModel::State) >
                nodes().fontMetrics().horizontalAdvance(QStringLiteral("Not reached since 23:59:59")));
    }

    void theDetailsNameTheNode() {
        connectToCluster();
        QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("detailNode"))->isVisible());
        m_engine->report(batchOf({heldRow(m_clock, lockName("alone"), 20s)}));
        locks().setCurrentLock(lockName("alone"));
        QVERIFY(!m_window->findChild<QWidget*>(QStringLiteral("detailNode"))->isVisible());
    }

    void aBannerNamesTheNodeThatCannotBeReached() {
        connectToCluster();
        const WallTime lastHeard = loseFirst();
        const QString reason = reasonText(*lostNode(7001).error);
        QCOMPARE(banner(),
                 QStringLiteral("Node redis.example.com:7001 cannot be reached (%1): its locks are shown as of %2.")
                     .arg(reason, clock(lastHeard)));
        QCOMPARE(shown(0, NodeModel::State), QStringLiteral("Not reached since %1: %2").arg(clock(lastHeard), reason));
        QCOMPARE(field(), QStringLiteral("2 of 3 nodes"));
        find<QPushButton>("nodeBannerShow").click();
        QVERIFY(find<QDockWidget>("nodeDock").isVisible());
        m_engine->report(batchOf({watchedNode(7001), watchedNode(7002), watchedNode(7003)}));
        QCOMPARE(banner(), QString());
    }

    void aNodeThatWasNeverReachedHasNoLocksToShow() {
        m_engine->report(connected());
        m_engine->report(batchOf({lostNode(7001), watchedNode(7002)}));
        QVERIFY2(banner().endsWith(QStringLiteral("its locks are not shown.")), qPrintable(banner()));
        QVERIFY2(shown(0, NodeModel::State).startsWith(QStringLiteral("Not reached yet: ")),
                 qPrintable(shown(0, NodeModel::State)));
    }

    void severalLostNodesAreCountedAndListedInTheToolTip() {
        connectToCluster();
        const WallTime now = m_clock.wallNow();
        m_engine->report(batchOf({lostNode(7001, now), lostNode(7002, now), watchedNode(7003)}));
        QCOMPARE(banner(),
                 QStringLiteral("2 of 3 nodes cannot be reached: their locks are shown as they were last seen."));
        const QString list = find<InlineMessage>("nodeBanner").toolTip();
        for (const auto* address : {"redis.example.com:7001", "redis.example.com:7002"})
            QVERIFY2(list.contains(QString::fromLatin1(address)), qPrintable(list));
        QVERIFY2(!list.contains(QStringLiteral("7003")), qPrintable(list));
    }

    void whenNoNodeIsReachedTheConnectionIsLostAndThatIsAllThatIsSaid() {
        connectToCluster();
        const WallTime lastHeard = loseFirst();
        m_engine->report(reconnecting(lastHeard));
        QCOMPARE(banner(), QString());
        QVERIFY(find<InlineMessage>("banner").isVisible());
    }

    void whenNoNodeIsWatchedEverythingIsOld() {
        connectToCluster();
        const WallTime now = m_clock.wallNow();
        monitor::NodeStatus down = lostNode(7003, now);
        down.phase = monitor::NodePhase::NotServing;
        monitor::MonitorBatch batch = batchOf({lostNode(7001, now), lostNode(7002, now), down});
        batch.stats->sweepsDone = 3;
        batch.stats->keysInLastSweep = 12;
        ConnectionStatus status = connected();
        status.watchesNothing = true;
        status.lastHeard = now;
        m_engine->report(status);
        m_engine->report(batch);
        QCOMPARE(stateOf("one"), QStringLiteral("Held (old)"));
        QCOMPARE(stateOf("two"), QStringLiteral("Held (old)"));
        QVERIFY(!m_window->currentPage().isLive());
        QVERIFY2(find<QWidget>("statusConnection").isVisible(), "the state of the connection is shown");
        const auto textOf = [this](const char* name) { return find<StatusField>(name).text(); };
        QVERIFY2(textOf("statusConnection").startsWith(QStringLiteral("No node of")),
                 qPrintable(textOf("statusConnection")));
        QCOMPARE(textOf("statusSweep"), QString());
        QCOMPARE(textOf("statusReads"), QString());
        QCOMPARE(textOf("statusNodes"), QStringLiteral("0 of 3 nodes"));
        QVERIFY2(banner().contains(QStringLiteral("their locks are shown as they were last seen")),
                 qPrintable(banner()));
        QVERIFY2(m_window->currentPage().refusals().acquire.startsWith(QStringLiteral("No node of the Cluster")),
                 qPrintable(m_window->currentPage().refusals().acquire));
        m_engine->report(connected());
        m_engine->report(batchOf({watchedNode(7001), watchedNode(7002), watchedNode(7003)}));
        QCOMPARE(stateOf("one"), QStringLiteral("Held"));
        QCOMPARE(banner(), QString());
    }

    void aSweepWithoutTheLostNodesIsNotAllKeys() {
        connectToCluster();
        monitor::MonitorBatch batch = batchOf({lostNode(7001), watchedNode(7002), watchedNode(7003)});
        batch.stats->sweepsDone = 3;
        batch.stats->keysInLastSweep = 12;
        m_engine->report(batch);
        QCOMPARE(find<StatusField>("statusSweep").text(),
                 QStringLiteral("Keys read: 12, without those of lost nodes (1 of 3)"));
    }

    void aSilentNodeIsNamedAndNothingIsLost() {
        connectToCluster();
        monitor::NodeStatus silent = watchedNode(7002);
        silent.silence = 4s;
        m_engine->report(batchOf({watchedNode(7001), silent, watchedNode(7003)}));
        QCOMPARE(banner(),
                 QStringLiteral("Node redis.example.com:7002 has been silent for 4 s. Nothing counts as lost yet."));
        QCOMPARE(shown(3, NodeModel::State), QStringLiteral("Silent for 4 s"));
        QCOMPARE(stateOf("two"), QStringLiteral("Held"));
        QCOMPARE(field(), QStringLiteral("3 nodes"));
    }

    void theLocksOfALostNodeAreOldAndTheOthersLive() {
        connectToCluster();
        loseFirst();
        QCOMPARE(stateOf("one"), QStringLiteral("Held (old)"));
        QCOMPARE(stateOf("two"), QStringLiteral("Held"));
        QCOMPARE(find<QLabel>("detailState").text(), QStringLiteral("Held (old)"));
        m_engine->report(batchOf({watchedNode(7001), watchedNode(7002), watchedNode(7003)}));
        QCOMPARE(stateOf("one"), QStringLiteral("Held"));
        QCOMPARE(find<QLabel>("detailState").text(), QStringLiteral("Held"));
    }

    void nothingIsWrittenToALostNode() {
        connectToCluster();
        QCOMPARE(m_window->currentPage().refusals().forceRelease, QString());
        loseFirst();
        const QString refusal = m_window->currentPage().refusals().forceRelease;
        QVERIFY2(refusal.startsWith(QStringLiteral("Node redis.example.com:7001 cannot be reached")),
                 qPrintable(refusal));
        QCOMPARE(m_window->currentPage().refusals().acquire, QString());
        locks().setCurrentLock(lockName("two"));
        QCOMPARE(m_window->currentPage().refusals().forceRelease, QString());
    }

    void choosingANodeShowsItsLocks_data() {
        QTest::addColumn<int>("row");
        QTest::newRow("the master") << 3;
        QTest::newRow("its replica") << 4;
    }
    void choosingANodeShowsItsLocks() {
        QFETCH(int, row);
        connectToCluster();
        find<QDockWidget>("nodeDock").toggleViewAction()->trigger();
        Q_EMIT nodes().activated(nodes().model()->index(row, NodeModel::State));
        QCOMPARE(find<QLineEdit>("lockFilter").text(), QStringLiteral("node:redis.example.com:7002"));
        QCOMPARE(stateOf("two"), QStringLiteral("Held"));
        QCOMPARE(stateOf("one"), QStringLiteral("not shown"));
    }

    void anotherServerBeginsWithoutNodes() {
        connectToCluster();
        loseFirst();
        ConnectionStatus other = connecting();
        other.server = QStringLiteral("another");
        m_engine->report(other);
        QCOMPARE(nodes().model()->rowCount(), 0);
        m_engine->report(connected());
        QCOMPARE(banner(), QString());
        QCOMPARE(field(), QString());
    }
};

LOCKKEEPER_TEST(TestNodePanel, Gui)

}  // namespace tst_nodepanel

#include "tst_nodepanel.moc"
