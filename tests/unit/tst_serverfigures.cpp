// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/infowatch.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_serverfigures {

using namespace lockkeeper::monitor;

class TestServerFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areReadFromInfo_data() {
        QTest::addColumn<QByteArray>("info");
        QTest::addColumn<int>("errors");
        QTest::addColumn<int>("replicas");
        const QByteArray master(
            "# Replication\r\nrole:master\r\nconnected_slaves:2\r\nslave0:ip=h,port=1,state=online\r\n");
        const QByteArray replica("# Replication\r\nrole:slave\r\nmaster_host:h\r\nconnected_slaves:0\r\n");
        const QByteArray errors(
            "# Errorstats\r\nerrorstat_NOSCRIPT2:count=9\r\nerrorstat_NOSCRIPT:count=13545\r\n"
            "errorstat_ERR:count=1\r\n");
        constexpr int none = -1;
        QTest::newRow("a master") << master + errors << 13545 << 2;
        QTest::newRow("the sections in another order") << errors + master << 13545 << 2;
        QTest::newRow("a replica says nothing about the master's replicas") << replica + errors << 13545 << none;
        QTest::newRow("no such error since the start") << master + "# Errorstats\r\n" << 0 << 2;
        QTest::newRow("a server that does not count errors") << master << none << 2;
        QTest::newRow("a call of SWAPDB is no error") << errors + "# Commandstats\r\ncmdstat_swapdb:calls=2,usec=9\r\n"
                                                      << 13545 << none;
        QTest::newRow("nothing") << QByteArray() << none << none;
    }
    void areReadFromInfo() {
        QFETCH(QByteArray, info);
        const ServerFigures figures = parseServerFigures(info);
        QTEST(figures.noScriptErrors ? static_cast<int>(*figures.noScriptErrors) : -1, "errors");
        QTEST(figures.replicas.value_or(-1), "replicas");
    }
};

LOCKKEEPER_TEST(TestServerFigures, Appless)

}  // namespace tst_serverfigures

#include "tst_serverfigures.moc"
