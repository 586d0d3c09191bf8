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

    // HGETALL reads the key, SET writes it, HINCRBY does both, EXISTS names it. 1: allowed, 0: refused, -1: not there.
    void aRefusalIsTheCommandsIfTheKeyMayBeUsedSo_data() {
        using enum control::RightsVerdict;
        QTest::addColumn<QList<int>>("answers");  // PTTL, HGETALL, PEXPIRE, SET, HINCRBY, EXISTS, PUBLISH, INFO
        QTest::addColumn<std::vector<control::RightsVerdict>>("verdicts");
        const auto row = [](const char* name, const QList<int>& answers,
                            const std::vector<control::RightsVerdict>& verdicts) {
            QTest::newRow(name) << answers << verdicts;
        };
        row("all are allowed", {1, 1, 1, 1, 1, 1, 1, 1},
            {Allowed, Allowed, Allowed, Allowed, Allowed, Allowed, Allowed, Allowed});
        row("one of each is refused", {1, 0, 1, 0, 0, 0, 0, 0},
            {Allowed, Refused, Allowed, Refused, Refused, Refused, RefusedHere, Refused});
        row("a user who only reads", {1, 0, 0, 0, 0, 0, 0, 1},
            {Allowed, Refused, RefusedHere, RefusedHere, RefusedHere, Refused, RefusedHere, Allowed});
        row("a user of other names", {0, 0, 0, 0, 0, 0, 0, 1},
            {RefusedHere, RefusedHere, RefusedHere, RefusedHere, RefusedHere, RefusedHere, RefusedHere, Allowed});
        row("not there, and not known", {-1, -2, 1, 1, 1, 1, 1, 1},
            {NotHad, Unknown, Allowed, Allowed, Allowed, Allowed, Allowed, Allowed});
    }
    void aRefusalIsTheCommandsIfTheKeyMayBeUsedSo() {
        QFETCH(const QList<int>, answers);
        using enum profile::CommandUse;
        using enum profile::CommandReach;
        const control::RightsQuestion question(
            LockName("L"), std::vector<profile::NeededCommand>{{"pttl", Always, ReadsKey, "*"},
                                                               {"hgetall", Always, ReadsKey, "*"},
                                                               {"pexpire", Writing, WritesKey, "* 1"},
                                                               {"set", Writing, WritesKey, "* 1"},
                                                               {"hincrby", Writing, ChangesKey, "* x 1"},
                                                               {"exists", Always, NamesKey, "*"},
                                                               {"publish", Writing, Channel, "* 0"},
                                                               {"info", Always, Nothing, ""}});
        std::vector<redis::RespValue> items;
        for (const int answer : answers)
            items.push_back(redis::RespValue::number(answer));
        QFETCH(const std::vector<control::RightsVerdict>, verdicts);
        QVERIFY(question.verdictsIn(redis::RespValue::array(items)) == verdicts);
    }
};

LOCKKEEPER_TEST(TestRightsQuestion, Guiless)

}  // namespace tst_rightsquestion

#include "tst_rightsquestion.moc"
