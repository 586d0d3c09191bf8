// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/lab/labwords.h"

#include <QTest>

#include <limits>

namespace tst_labcaption {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::ui;

// The sentence for what has just happened.
class TestLabCaption : public QObject {
    Q_OBJECT

private:
    static LabFrame frameOf(const char* actor, const char* action, const char* what, const Facts& facts = {}) {
        LabFrame frame;
        frame.moment.actor = actor;
        frame.moment.what = what;
        frame.moment.subject = "jobs";
        frame.action = action;
        frame.facts = facts;
        return frame;
    }
    static Facts serverAt(qint64 number) { return {{"server", number}}; }

private Q_SLOTS:
    void aServerIsNamed_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QString>("caption");
        const auto row = [](const char* action, const char* what, const char* caption) {
            QTest::newRow(what) << QByteArray(action) << QByteArray(what) << QString::fromLatin1(caption);
        };
        row("fault", "server-killed", "Server 5 was killed. It had no copy of its data on disk.");
        row("fault", "server-frozen", "Server 5 is frozen: its connections stay open, but it is silent.");
        row("fault", "server-resumed", "Server 5 continues.");
        row("fault", "server-restarted", "Server 5 runs again, and is empty.");
        row("fault", "server-cut-off", "Server 5 is cut off from the others, and lives on. Nobody gets an error.");
        row("fault", "server-rejoined", "Server 5 is reached again. What was sent arrives.");
        row("fault", "slot-moved", "Server 5 has taken over the slot of jobs, with its keys.");
        row("observe", "held", "Server 5 keeps the lock jobs.");
        row("observe", "free", "Server 5 keeps no lock jobs.");
        row("await-dead", "noticed", "Server 5 is dead, and all other servers of the Cluster know it.");
    }
    void aServerIsNamed() {
        QFETCH(const QByteArray, action);
        QFETCH(const QByteArray, what);
        QFETCH(const QString, caption);
        QCOMPARE(captionOf(frameOf("", action, what, serverAt(4))), caption);
    }

    // As in the recording of an earlier version, or in a file that somebody has made.
    void aServerThatIsNotKnownHasNoNumber() {
        const QString caption = QStringLiteral("A server continues.");
        QCOMPARE(captionOf(frameOf("", "fault", "server-resumed")), caption);
        QCOMPARE(captionOf(frameOf("", "fault", "server-resumed", serverAt(std::numeric_limits<qint64>::max()))),
                 caption);
        QCOMPARE(captionOf(frameOf("", "fault", "server-resumed", serverAt(-1))), caption);
    }

    void aPauseSaysHowLongItWas() {
        QCOMPARE(captionOf(frameOf("", "pause", "paused", {{"time", qint64(1600)}})), QStringLiteral("1.6 s passed."));
        QCOMPARE(captionOf(frameOf("", "pause", "paused")), QStringLiteral("Some time passed."));
    }

    void theSentinelIsNamed() {
        QCOMPARE(captionOf(frameOf("", "fault", "sentinel-killed")),
                 QStringLiteral("The Sentinel was killed. Nobody promotes a replica now."));
        for (const char* what : {"sentinel-frozen", "sentinel-resumed", "sentinel-restarted"})
            QVERIFY2(captionOf(frameOf("", "fault", what)).startsWith(QStringLiteral("The Sentinel ")), what);
        QCOMPARE(serverName(sentinelServer), QStringLiteral("Sentinel"));
    }

    void aStopSaysWhoGoesOn() {
        QCOMPARE(captionOf(frameOf("", "stop", "all")),
                 QStringLiteral("Stopped within a step. No time passes in the lab."));
        QVERIFY(captionOf(frameOf("", "stop", "but-sentinel")).endsWith(QStringLiteral("but the Sentinel goes on.")));
        QVERIFY(captionOf(frameOf("", "stop", "but-cluster"))
                    .endsWith(QStringLiteral("but the servers of the Cluster go on.")));
    }

    void anErrorHasTheWordsOfTheServer() {
        const Facts facts{{"error", QByteArray("CLUSTERDOWN The cluster is down")},
                          {"error-reply", QByteArray("ClusterDown")}};
        QCOMPARE(captionOf(frameOf("b", "acquire", "ServerReply", facts)),
                 QStringLiteral("b gets an error for jobs: the cluster is down (CLUSTERDOWN The cluster is down)."));
        QCOMPARE(
            captionOf(
                frameOf("b", "acquire", "ConnectionLost", {{"error", QByteArray("too few servers answered in time")}})),
            QStringLiteral(
                "b gets an error for jobs: not connected; nothing was changed (too few servers answered in time)."));
        // A recording of an earlier version does not say which fault it was.
        QCOMPARE(captionOf(frameOf("", "fault", "ServerReply", facts)),
                 QStringLiteral("This was not possible: the cluster is down (CLUSTERDOWN The cluster is down)."));
    }

    void whatHasFailedIsNamed_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<QString>("caption");
        const auto row = [](const char* action, const char* fault, const char* caption) {
            QTest::addRow("%s %s", action, fault)
                << QByteArray(action) << QByteArray(fault) << QString::fromLatin1(caption);
        };
        row("fault", "server-frozen", "Server 5 cannot be frozen:");
        row("fault", "server-resumed", "Server 5 cannot continue:");
        row("fault", "server-killed", "Server 5 cannot be killed:");
        row("fault", "server-restarted", "Server 5 cannot be started again:");
        row("fault", "sentinel-frozen", "The Sentinel cannot be frozen:");
        row("fault", "sentinel-resumed", "The Sentinel cannot continue:");
        row("fault", "sentinel-killed", "The Sentinel cannot be killed:");
        row("fault", "sentinel-restarted", "The Sentinel cannot be started again:");
        row("fault", "replica-promoted", "The replica cannot become the master:");
        row("fault", "slot-moved", "The slot of jobs cannot move to Server 5:");
        row("fault", "by-hand", "The command of a person to Server 5 fails (jobs):");
        row("observe", "", "The lock jobs cannot be read from Server 5:");
        row("await-free", "", "The wait until Server 5 keeps no lock jobs has failed:");
        row("await-waiters", "", "The wait until a waiter sleeps for jobs has failed:");
        row("await-replicated", "", "The wait until the replica has all that the master has written has failed:");
        row("await-master", "", "The wait until the Sentinel makes Server 5 the master has failed:");
        row("await-dead", "", "The wait until all other servers of the Cluster know that Server 5 is dead has failed:");
        row("count", "", "The number that all threads have counted cannot be read:");
        row("read-dump", "", "The dump could not be read beside jobs:");
        row("find-deadlock", "", "The search for a deadlock has failed:");
    }
    void whatHasFailedIsNamed() {
        QFETCH(const QByteArray, action);
        QFETCH(const QByteArray, fault);
        QFETCH(const QString, caption);
        Facts facts = serverAt(4);
        if (!fault.isEmpty())
            facts.insert("fault", fault);
        const QString failed = captionOf(frameOf("", action, "Timeout", facts));
        QVERIFY2(failed.startsWith(caption + QStringLiteral(" the server took too long")), qPrintable(failed));
    }

    void anActorThatDoesNotConnectIsNamed() {
        QVERIFY(captionOf(frameOf("b", "await-connected", "Timeout"))
                    .startsWith(QStringLiteral("b does not connect again: the server took")));
    }

    // Also if the server is frozen in a recording of an earlier version, which does not say how its keys were read.
    void aServerWhoseKeysAreOldSaysSo_data() {
        QTest::addColumn<ServerCondition>("condition");
        QTest::addColumn<KeyReading>("reading");
        QTest::addColumn<QString>("text");
        QTest::newRow("live") << ServerCondition::Running << KeyReading::Now << QStringLiteral("Server 2");
        QTest::newRow("of a Cluster that is down")
            << ServerCondition::Running << KeyReading::ClusterDown
            << QStringLiteral("Server 2 · its Cluster is down · keys as they were read last");
        QTest::newRow("not read") << ServerCondition::Running << KeyReading::Failed
                                  << QStringLiteral("Server 2 · cannot be read · keys as they were read last");
        QTest::newRow("frozen") << ServerCondition::Frozen << KeyReading::Now
                                << QStringLiteral("Server 2 · frozen · keys as they were read last");
        QTest::newRow("killed") << ServerCondition::Killed << KeyReading::Now << QStringLiteral("Server 2 · killed");
    }
    void aServerWhoseKeysAreOldSaysSo() {
        QFETCH(const ServerCondition, condition);
        QFETCH(const KeyReading, reading);
        QFETCH(const QString, text);
        ShownServer shown;
        shown.server.number = ServerNumber(1);
        shown.server.condition = condition;
        shown.server.reading = reading;
        QCOMPARE(serverText(shown), text);
    }

    void aClusterThatGoesDownAndComesBackIsAMoment() {
        QCOMPARE(captionOf(frameOf("", "change", "cluster-down", serverAt(4))),
                 QStringLiteral(
                     "Server 5 refuses to be read: the Cluster is down. Its keys are those that were read last."));
        QCOMPARE(captionOf(frameOf("", "change", "read-again", serverAt(4))),
                 QStringLiteral("Server 5 can be read again."));
    }
};

LOCKKEEPER_TEST(TestLabCaption, Guiless)

}  // namespace tst_labcaption

#include "tst_labcaption.moc"
