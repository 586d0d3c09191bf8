// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/labsample.h"
#include "ui/lab/wirepane.h"

#include <QCryptographicHash>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

const QByteArray script =
    "if redis.call('exists', KEYS[1]) == 1 then\n"
    "  return redis.call('pttl', KEYS[1])\n"
    "end\n"
    "return 0\n";
const QByteArray sha = QCryptographicHash::hash(script, QCryptographicHash::Sha1).toHex();

WireLine callLine(qsizetype frame, const QByteArrayList& arguments) {
    WireLine line = labLine(frame, arguments);
    line.sender = WireLine::Sender::Script;
    return line;
}

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
            texts += row->child(at)->text(2);
        return texts;
    }

private Q_SLOTS:
    void theScriptsOfTheMomentNameTheirLineThatDecided() {
        const LabRecording recording = recordingOf(
            1, {labLine(0, {"EVAL", script, "1", "L"}), callLine(0, {"exists", "L"}), labLine(0, {"GET", "L"}),
                labLine(0, {"EVALSHA", sha, "1", "M"}), callLine(0, {"exists", "M"}), callLine(0, {"pttl", "M"})});
        WirePane pane;
        pane.showLines(recording, 0);
        QCOMPARE(pane.topLevelItemCount(), 3);
        QCOMPARE(textsBelow(pane.topLevelItem(0)), (QStringList{"EXISTS L", "decided by: return 0"}));
        QCOMPARE(textsBelow(pane.topLevelItem(1)), QStringList());
        QCOMPARE(textsBelow(pane.topLevelItem(2)),
                 (QStringList{"EXISTS M", "PTTL M", "decided by: return redis.call('pttl', KEYS[1])"}));
        QVERIFY(pane.topLevelItem(2)->isExpanded());
    }

    void anEarlierScriptNamesItWhenItIsOpened() {
        const LabRecording recording = recordingOf(
            2, {labLine(0, {"EVAL", script, "1", "L"}), callLine(0, {"exists", "L"}), labLine(1, {"GET", "L"})});
        WirePane pane;
        pane.showLines(recording, 1);
        QTreeWidgetItem* row = pane.topLevelItem(0);
        QCOMPARE(textsBelow(row), QStringList{"EXISTS L"});
        for (int time = 0; time < 2; ++time) {
            row->setExpanded(true);
            row->setExpanded(false);
        }
        QCOMPARE(textsBelow(row), (QStringList{"EXISTS L", "decided by: return 0"}));
    }

    void whatIsNotCertainIsNotShown_data() {
        QTest::addColumn<QByteArray>("sha");
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<qint64>("leftOut");
        QTest::newRow("a script that was never shown whole") << QByteArray("0123") << QByteArray("exists") << qint64(0);
        QTest::newRow("calls of another way") << sha << QByteArray("get") << qint64(0);
        QTest::newRow("its further calls may have been left out") << sha << QByteArray("exists") << qint64(1);
    }
    void whatIsNotCertainIsNotShown() {
        QFETCH(const QByteArray, sha);
        QFETCH(const QByteArray, call);
        QFETCH(const qint64, leftOut);
        const LabRecording recording =
            recordingOf(2,
                        {labLine(0, {"EVAL", script, "1", "L"}), callLine(0, {"exists", "L"}),
                         labLine(1, {"EVALSHA", sha, "1", "M"}), callLine(1, {call, "M"})},
                        leftOut);
        WirePane pane;
        pane.showLines(recording, 1);
        QCOMPARE(textsBelow(pane.topLevelItem(1)), QStringList{QString::fromLatin1(call.toUpper() + " M")});
    }

    // Each server reports by itself.
    void theCallsOfAScriptAreThoseOfItsServer() {
        std::vector<WireLine> lines{labLine(0, {"EVAL", script, "1", "L"}), labLine(0, {"EVAL", script, "1", "M"}),
                                    callLine(0, {"exists", "L"}), callLine(0, {"exists", "M"}),
                                    callLine(0, {"pttl", "L"})};
        for (const size_t atTheSecond : {1, 3})
            lines[atTheSecond].server = ServerNumber(1);
        WirePane pane;
        pane.showLines(recordingOf(1, lines), 0);
        QCOMPARE(pane.topLevelItemCount(), 2);
        QCOMPARE(textsBelow(pane.topLevelItem(0)),
                 (QStringList{"EXISTS L", "PTTL L", "decided by: return redis.call('pttl', KEYS[1])"}));
        QCOMPARE(textsBelow(pane.topLevelItem(1)), (QStringList{"EXISTS M", "decided by: return 0"}));
    }

    // So that a moment with hundreds of them does not hold up the window.
    void ofManyScriptsOfAMomentTheLastOnesNameIt() {
        std::vector<WireLine> lines;
        for (int at = 0; at < 100; ++at) {
            lines.push_back(labLine(0, {"EVAL", script, "1", "L"}));
            lines.push_back(callLine(0, {"exists", "L"}));
        }
        WirePane pane;
        pane.showLines(recordingOf(1, lines), 0);
        QCOMPARE(pane.topLevelItem(0)->childCount(), 1);
        QVERIFY(pane.topLevelItem(0)->isExpanded());
        QCOMPARE(pane.topLevelItem(91)->childCount(), 1);
        QCOMPARE(pane.topLevelItem(92)->childCount(), 2);
        QCOMPARE(pane.topLevelItem(99)->childCount(), 2);
    }
};

LOCKKEEPER_TEST(TestWirePane, Gui)
#include "tst_wirepane.moc"
