// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/labsample.h"
#include "ui/lab/labtimeline.h"

#include <QSet>
#include <QTest>

namespace tst_labtimeline {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestLabTimeline : public QObject {
    Q_OBJECT

private:
    using Frames = std::vector<qsizetype>;

    // The frames that get labels of 30 pixels, with 10 pixels for each frame.
    static Frames labelledWith(qsizetype shown, qsizetype current) {
        return labelledFrames(shown, current, 30, [](qsizetype frame) { return static_cast<int>(frame) * 10; });
    }
    // shown: how many of the two moments are painted.
    static QImage stripOf(Milliseconds second, qsizetype shown = 2) {
        LabRecording recording;
        recording.add(labUpdate(lab::LabPhase::Running,
                                {labFrame(0ms, "", "start", "", 0), labFrame(second, "a", "acquire", "acquired", 1)}));
        LabTimeline timeline(recording);
        timeline.resize(400, timeline.sizeHint().height());
        timeline.showFrame(0, shown, {});
        const QImage image = timeline.grab().toImage();
        return image.copy(0, image.height() - timeline.fontMetrics().height(), image.width(),
                          timeline.fontMetrics().height());
    }

private Q_SLOTS:
    void noTimeIsUponAnotherOne() {
        QCOMPARE(labelledWith(1, 0), (Frames{0}));
        QCOMPARE(labelledWith(10, 0), (Frames{0, 3, 6, 9}));
        QCOMPARE(labelledWith(8, 0), (Frames{0, 3, 6}));
    }

    void theCurrentMomentAlwaysHasItsTime() {
        QCOMPARE(labelledWith(10, 5), (Frames{0, 5, 8}));
        QCOMPARE(labelledWith(10, 1), (Frames{1, 4, 7}));
        QCOMPARE(labelledWith(10, 9), (Frames{0, 3, 6, 9}));
    }

    // As before a question, when no moment was shown yet.
    void whatIsNotShownHasNoTime() {
        const QImage nothing = stripOf(800ms, 0);
        QSet<QRgb> colors;
        for (int x = 0; x < nothing.width(); ++x) {
            for (int y = 0; y < nothing.height(); ++y)
                colors.insert(nothing.pixel(x, y));
        }
        QCOMPARE(colors.size(), 2);  // the present moment and the rest
        QCOMPARE(stripOf(800ms, 1), stripOf(1600ms, 1));
        QVERIFY(stripOf(800ms, 1) != nothing);
    }

    void theTimesAreShown() {
        QVERIFY(stripOf(800ms) != stripOf(1600ms));
        QCOMPARE(stripOf(800ms), stripOf(800ms));
    }
};

LOCKKEEPER_TEST(TestLabTimeline, Gui)

}  // namespace tst_labtimeline

#include "tst_labtimeline.moc"
