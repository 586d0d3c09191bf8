// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_blockedoutput {

using namespace lockkeeper;

// A reader of the output of `watch` may stop reading, as a pager does. The program must still end when it is asked
// to.
class TestBlockedOutput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWatchEndsAlthoughNobodyReads_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<bool>("isTerminated");
        QTest::newRow("after SIGTERM") << QStringList() << true;
        QTest::newRow("after its time") << QStringList{"--for", "1"} << false;
    }
    void aWatchEndsAlthoughNobodyReads() {
        QFETCH(QStringList, options);
        QFETCH(bool, isTerminated);
        test::RedisServer server;
        QVERIFY(server.start());
        const QTemporaryDir directory;
        QProcess watch;
        watch.setWorkingDirectory(directory.path());
        const QString fillAPipe = "mkfifo full && exec 3<>full && head -c 65536 /dev/zero >&3 && exec \"$@\" >&3";
        watch.start("/bin/bash",
                    QStringList{"-c", fillAPipe, "bash", test::places::program(), "watch", server.url()} + options);
        QVERIFY(watch.waitForStarted());
        QVERIFY(test::becomesTrue([&server] { return server.cli({"PUBSUB", "NUMPAT"}).toInt() > 0; }));
        if (isTerminated)
            watch.terminate();
        QTRY_COMPARE_WITH_TIMEOUT(watch.state(), QProcess::NotRunning, 10000);
        QCOMPARE(watch.exitStatus(), QProcess::NormalExit);
        QCOMPARE(watch.exitCode(), 0);
    }
};

LOCKKEEPER_TEST(TestBlockedOutput, Guiless)

}  // namespace tst_blockedoutput

#include "tst_blockedoutput.moc"
