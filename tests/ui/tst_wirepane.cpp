// SPDX-License-Identifier: Apache-2.0
#include "redis/script.h"
#include "support/guitestprogram.h"
#include "support/labsample.h"
#include "ui/lab/wirepane.h"

#include <QTest>

namespace tst_wirepane {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

const redis::Script acquiring = redis::Script::joined(
    {QStringLiteral("locks/lua/add_hold.lua"), QStringLiteral("locks/lua/reentrant_acquire.lua")});
const QString decidedTaken = QStringLiteral("decided by: return add_hold(lock, holder, lease, 'hincrby')");
const QString decidedHeld = QStringLiteral("decided by: return redis.call('pttl', lock)");

WireLine callLine(qsizetype frame, const QByteArrayList& arguments) {
    WireLine line = labLine(frame, arguments);
    line.sender = WireLine::Sender::Script;
    return line;
}

std::vector<WireLine> acquire(qsizetype frame, const QByteArrayList& first, const QByteArray& lock,
                              const std::vector<QByteArrayList>& calls) {
    std::vector<WireLine> lines{labLine(frame, first + QByteArrayList{"1", lock, "30000", "c:1"})};
    for (const QByteArrayList& call : calls)
        lines.push_back(callLine(frame, call));
    return lines;
}
std::vector<WireLine> taken(qsizetype frame, const QByteArrayList& first, const QByteArray& lock) {
    return acquire(frame, first, lock, {{"exists", lock}, {"hincrby", lock, "c:1", "1"}, {"pexpire", lock, "30000"}});
}
std::vector<WireLine> held(qsizetype frame, const QByteArrayList& first, const QByteArray& lock) {
    return acquire(frame, first, lock, {{"exists", lock}, {"hexists", lock, "c:1"}, {"pttl", lock}});
}
std::vector<WireLine> operator+(std::vector<WireLine> lines, const std::vector<WireLine>& others) {
    lines.insert(lines.end(), others.begin(), others.end());
    return lines;
}

const QByteArrayList whole{"EVAL", acquiring.source()};
const QByteArrayList bySha{"EVALSHA", acquiring.sha()};

}  // namespace

class TestWirePane : public QObject {
    Q_OBJECT

private:
    // Moments, and the commands of the servers up to the last one.
    static LabRecording recordingOf(qsizetype frames, const std::vector<WireLine>& lines, qint64 leftOut = 0) {
        LabUpdate update = labUpdate(LabPhase::Running, {}, lines);
        for (qsizetype frame = 0; frame < frames; ++frame)
            update.frames.push_back(labFrame(Milliseconds(1000 * frame), "a", "acquire", "acquired", 1));
        update.linesLeftOut = leftOut;
        LabRecording recording;
        recording.add(update);
        return recording;
    }
    static QStringList textsBelow(const QTreeWidgetItem* row) {
        QStringList texts;
        for (int at = 0; at < row->childCount(); ++at)
            texts += row->child(at)->text(row->child(at)->isFirstColumnSpanned() ? 0 : 2);
        return texts;
    }

private Q_SLOTS:
    void theScriptsOfTheMomentNameTheirLineThatDecided() {
        WirePane pane;
        pane.showLines(
            recordingOf(1, taken(0, whole, "L") + std::vector{labLine(0, {"GET", "L"})} + held(0, bySha, "M")), 0);
        QCOMPARE(pane.topLevelItemCount(), 3);
        QCOMPARE(textsBelow(pane.topLevelItem(0)),
                 (QStringList{"EXISTS L", "HINCRBY L c:1 1", "PEXPIRE L 30000", decidedTaken}));
        QCOMPARE(textsBelow(pane.topLevelItem(1)), QStringList());
        QCOMPARE(textsBelow(pane.topLevelItem(2)), (QStringList{"EXISTS M", "HEXISTS M c:1", "PTTL M", decidedHeld}));
        QVERIFY(pane.topLevelItem(2)->isExpanded());
    }

    void anEarlierScriptNamesItWhenItIsOpened() {
        WirePane pane;
        pane.showLines(recordingOf(2, held(0, whole, "L") + std::vector{labLine(1, {"GET", "L"})}), 1);
        QTreeWidgetItem* row = pane.topLevelItem(0);
        QCOMPARE(row->childCount(), 3);
        for (int time = 0; time < 2; ++time) {
            row->setExpanded(true);
            row->setExpanded(false);
        }
        QCOMPARE(row->childCount(), 4);
        QCOMPARE(row->child(3)->text(0), decidedHeld);
        QVERIFY(row->child(3)->isFirstColumnSpanned());
    }

    void whatIsNotCertainIsNotShown_data() {
        QTest::addColumn<QByteArrayList>("command");
        QTest::addColumn<QByteArray>("lastCall");
        const QByteArray others =
            "redis.call('exists', KEYS[1])\nredis.call('hexists', KEYS[1], ARGV[2])\nredis.call('pttl', "
            "KEYS[1])\nreturn 1\n";
        QTest::newRow("a script that was never shown whole") << QByteArrayList{"EVALSHA", "0123"} << QByteArray("pttl");
        QTest::newRow("a script of others") << QByteArrayList{"EVAL", others} << QByteArray("pttl");
        QTest::newRow("calls of another way") << bySha << QByteArray("get");
    }
    void whatIsNotCertainIsNotShown() {
        QFETCH(const QByteArrayList, command);
        QFETCH(const QByteArray, lastCall);
        WirePane pane;
        pane.showLines(
            recordingOf(2, held(0, whole, "L") +
                               acquire(1, command, "M", {{"exists", "M"}, {"hexists", "M", "c:1"}, {lastCall, "M"}})),
            1);
        QCOMPARE(pane.topLevelItem(1)->childCount(), 3);
    }

    // Further calls of the script may be among the commands that were not kept.
    void theLastScriptBeforeCommandsWereLeftOutNamesItsLineIfNoCallCanHaveFollowed() {
        WirePane pane;
        pane.showLines(recordingOf(1, held(0, whole, "L"), 1), 0);
        QCOMPARE(textsBelow(pane.topLevelItem(0)), (QStringList{"EXISTS L", "HEXISTS L c:1", "PTTL L", decidedHeld}));
        const std::vector<WireLine> begun = acquire(0, bySha, "M", {{"exists", "M"}, {"hexists", "M", "c:1"}});
        pane.showLines(recordingOf(1, taken(0, whole, "L") + begun, 1), 0);
        QCOMPARE(textsBelow(pane.topLevelItem(0)).back(), decidedTaken);
        QCOMPARE(textsBelow(pane.topLevelItem(1)), (QStringList{"EXISTS M", "HEXISTS M c:1"}));
        QCOMPARE(pane.topLevelItem(2)->text(2), QStringLiteral("1 further command was not kept"));
    }

    // Each server reports its commands independently.
    void theCallsOfAScriptAreThoseOfItsServer() {
        std::vector<WireLine> first = taken(0, whole, "L");
        std::vector<WireLine> second = held(0, bySha, "M");
        std::vector<WireLine> mixed;
        for (size_t at = 0; at < first.size(); ++at) {
            second[at].server = ServerNumber(1);
            mixed.push_back(first[at]);
            mixed.push_back(second[at]);
        }
        WirePane pane;
        pane.showLines(recordingOf(1, mixed), 0);
        QCOMPARE(pane.topLevelItemCount(), 2);
        QCOMPARE(textsBelow(pane.topLevelItem(0)),
                 (QStringList{"EXISTS L", "HINCRBY L c:1 1", "PEXPIRE L 30000", decidedTaken}));
        QCOMPARE(textsBelow(pane.topLevelItem(1)), (QStringList{"EXISTS M", "HEXISTS M c:1", "PTTL M", decidedHeld}));
    }

    // The server does not know the script yet, so the client sends it in full.
    void aScriptThatTheServerDoesNotKnowIsMarked() {
        const QString mark = QStringLiteral("NOSCRIPT, so sent again whole: ");
        const std::vector<WireLine> named{labLine(0, bySha + QByteArrayList{"1", "L", "30000", "c:1"})};
        WireLine ofAnother = labLine(0, {"GET", "L"});
        ofAnother.actor = "b";
        WirePane pane;
        pane.showLines(recordingOf(1, named + std::vector{ofAnother} + taken(0, whole, "L") + held(0, bySha, "L")), 0);
        QCOMPARE(pane.topLevelItemCount(), 4);
        QCOMPARE(pane.topLevelItem(0)->text(2), mark + QStringLiteral("EVALSHA script 1 L 30000 c:1"));
        QVERIFY(!pane.topLevelItem(0)->toolTip(2).isEmpty());
        for (int row = 1; row < 4; ++row)
            QVERIFY(!pane.topLevelItem(row)->text(2).contains(QStringLiteral("NOSCRIPT")));
        QCOMPARE(textsBelow(pane.topLevelItem(2)).back(), decidedTaken);
    }

    void anotherScriptIsNoSecondTry_data() {
        QTest::addColumn<QByteArray>("lock");
        QTest::addColumn<QByteArray>("actor");
        QTest::newRow("of another lock") << QByteArray("M") << QByteArray("a");
        QTest::newRow("of another actor") << QByteArray("L") << QByteArray("b");
    }
    void anotherScriptIsNoSecondTry() {
        QFETCH(const QByteArray, lock);
        QFETCH(const QByteArray, actor);
        std::vector<WireLine> second = taken(0, whole, lock);
        second.front().actor = ActorName(actor);
        WirePane pane;
        pane.showLines(
            recordingOf(1, std::vector{labLine(0, bySha + QByteArrayList{"1", "L", "30000", "c:1"})} + second), 0);
        QCOMPARE(pane.topLevelItem(0)->text(2), QStringLiteral("EVALSHA script 1 L 30000 c:1"));
    }

    // A moment with hundreds of scripts must not hold up the window.
    void ofManyScriptsOfAMomentTheLastOnesNameIt() {
        std::vector<WireLine> lines;
        for (int at = 0; at < 50; ++at)
            lines = lines + held(0, whole, "L");
        WirePane pane;
        pane.showLines(recordingOf(1, lines), 0);
        QCOMPARE(pane.topLevelItem(0)->childCount(), 3);
        QVERIFY(pane.topLevelItem(0)->isExpanded());
        QCOMPARE(pane.topLevelItem(41)->childCount(), 3);
        QCOMPARE(pane.topLevelItem(42)->childCount(), 4);
        QCOMPARE(pane.topLevelItem(49)->childCount(), 4);
    }
};

LOCKKEEPER_TEST(TestWirePane, Gui)

}  // namespace tst_wirepane

#include "tst_wirepane.moc"
