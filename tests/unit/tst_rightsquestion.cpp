// SPDX-License-Identifier: Apache-2.0
#include "control/rightsquestion.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_rightsquestion {

using namespace lockkeeper;

// Real servers answer the question in tst_arming; this test needs no server.
class TestRightsQuestion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isAskedSinceRedis7_data() {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<bool>("isAsked");
        QTest::newRow("6.2") << QByteArray("6.2.14") << false;
        QTest::newRow("7.0") << QByteArray("7.0.0") << true;
        QTest::newRow("7.2, or Valkey") << QByteArray("7.2.4") << true;
        QTest::newRow("10") << QByteArray("10.0.1") << true;
        QTest::newRow("not known") << QByteArray() << false;
    }
    void isAskedSinceRedis7() {
        QFETCH(const QByteArray, version);
        redis::ServerInfo server;
        server.version = version;
        QTEST(control::RightsQuestion::isKnownTo(server), "isAsked");
    }
};

LOCKKEEPER_TEST(TestRightsQuestion, Guiless)

}  // namespace tst_rightsquestion

#include "tst_rightsquestion.moc"
