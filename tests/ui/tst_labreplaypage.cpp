// SPDX-License-Identifier: Apache-2.0
#include "recording/labreports.h"
#include "support/guitestprogram.h"
#include "support/labsample.h"
#include "support/windowtest.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/tonecolors.h"
#include "ui/lab/labreplaypage.h"
#include "ui/session/sessionpage.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

namespace tst_labreplaypage {

using namespace lockkeeper;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// A recorded lab in the window: its panes at a time of the user's choice, without a server. See labStory().
class TestLabReplayPage : public WindowTest {
    Q_OBJECT

private:
    void open(const std::vector<std::vector<Record>>& blocks, const RecordingInfo& info = labInfo()) {
        writeRecording(m_file, blocks, nullptr, SampleEnd::InOrder, info);
        m_window->openRecording(m_file);
        QTRY_VERIFY(page() && page()->isVisible());
        QTRY_VERIFY(part<QTreeWidget>("labActors").topLevelItemCount() >
                    0);  // the page is shown before its content is read
    }
    LabReplayPage* page() const { return m_window->findChild<LabReplayPage*>(QStringLiteral("labReplayPage")); }
    template <typename Widget>
    Widget& part(const char* name) const {
        return child<Widget>(*page(), name);
    }
    QSlider& slider() const { return part<QSlider>("replaySlider"); }
    QListWidget& steps() const { return part<QListWidget>("labSteps"); }
    QString caption() const { return part<QLabel>("labCaption").text(); }
    int keys() const { return part<QTreeWidget>("labKeys").topLevelItem(0)->childCount(); }
    QString command(int row) const { return part<QTreeWidget>("labWire").topLevelItem(row)->text(2); }
    int commands() const { return part<QTreeWidget>("labWire").topLevelItemCount(); }
    QImage timeline() const { return part<QWidget>("labTimeline").grab().toImage(); }
    bool isExplained() const { return part<QLabel>("labVerdict").isVisible(); }
    std::unique_ptr<RecordingFile> savedPart() const {
        part<QPushButton>("excerptSave").click();
        Q_EMIT part<QFileDialog>("excerptFile").fileSelected(m_part);
        const auto& message = part<InlineMessage>("excerptMessage");
        return QTest::qWaitFor([&] { return message.text().contains(QStringLiteral("Saved into")); })
                   ? RecordingFile::open(m_part).file
                   : nullptr;
    }

    QString m_file;
    QString m_part;

    [[nodiscard]] QString threadsOfA() const {
        const QTreeWidgetItem& actor = *part<QTreeWidget>("labActors").topLevelItem(0);
        QStringList texts;
        for (int row = 0; row < actor.childCount(); ++row)
            texts += actor.child(row)->text(0);
        return texts.join(u'\n');
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_window->show();
        m_file = m_directory->filePath(QStringLiteral("story.lkrec"));
        m_part = m_directory->filePath(QStringLiteral("part.lkrec"));
    }
    void cleanup() { end(); }

    // One thread, several threads with their count, and one that has noticed its loss.
    void threadsAreSaidAsTheyAre_data() {
        QTest::addColumn<bool>("holds");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("knowsLoss");
        QTest::addColumn<QString>("text");
        QTest::newRow("one waits") << false << 1 << false << QStringLiteral("waits for L · thread 1");
        QTest::newRow("nine wait") << false << 9 << false << QStringLiteral("9 threads wait for L");
        QTest::newRow("one holds") << true << 1 << false << QStringLiteral("holds L · thread 1");
        QTest::newRow("one has lost") << true << 1 << true << QStringLiteral("knows that it has lost L · thread 1");
    }
    void threadsAreSaidAsTheyAre() {
        QFETCH(const bool, holds);
        QFETCH(const int, count);
        QFETCH(const bool, knowsLoss);
        QFETCH(const QString, text);
        lab::LabFrame frame = labFrame(0ms, "a", "acquire", "acquired", 1);
        lab::LabThread& thread = frame.actors.front().threads.front();
        thread.doing = holds ? lab::LabThread::Doing::Holds : lab::LabThread::Doing::Waits;
        thread.count = count;
        thread.knowsLoss = knowsLoss;
        open({{labReportAt(0ms, labUpdate(lab::LabPhase::Running, {frame}))}});
        QTRY_COMPARE(threadsOfA(), text);
        const QTreeWidgetItem& row = *part<QTreeWidget>("labActors").topLevelItem(0)->child(0);
        QCOMPARE(row.foreground(0).style() != Qt::NoBrush, knowsLoss);
        QVERIFY(row.isFirstColumnSpanned());  // it has no lease
    }

    void theKeyboardGoesFromPartToPart() {
        open(labStory());
        activate();
        steps().setFocus();
        const auto next = [this] {
            find<QAction>("actionNextPane").trigger();
            return QApplication::focusWidget() ? QApplication::focusWidget()->objectName() : QString();
        };
        QCOMPARE(next(), QStringLiteral("labWire"));
        next();
        QVERIFY(part<QWidget>("replayBar").isAncestorOf(QApplication::focusWidget()));
        next();
        QVERIFY(part<QWidget>("labLesson").isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(next(), QStringLiteral("labActors"));
    }

    void allPanesShowTheMomentOfItsTime() {
        open(labStory());
        QTRY_COMPARE(caption(), QStringLiteral("The servers run, and the actors are connected."));
        QVERIFY(part<QTreeWidget>("labActors").topLevelItem(0)->childCount() == 0);
        QCOMPARE(commands(), 0);
        slider().setValue(slider().maximum());
        QTRY_COMPARE(caption(), QStringLiteral("b has acquired L."));
        QCOMPARE(part<QTreeWidget>("labActors").topLevelItem(0)->childCount(), 1);
        QCOMPARE(keys(), 1);
        QCOMPARE(commands(), 2);
        QCOMPARE(command(1), QStringLiteral("GET L"));
        slider().setValue(20);  // 2 s
        QTRY_COMPARE(caption(), QStringLiteral("a has acquired L."));
        QCOMPARE(commands(), 1);
        QVERIFY(part<QLabel>("replayOf").text() == QStringLiteral("A lease shorter than the work"));
    }

    // The texts, and what is expected, are those of the run.
    void aStretchedRunIsExplainedWithItsTimes() {
        RecordingInfo info = labInfo();
        info.experiment->variation.stretch = 2;
        open(labStory(), info);
        QVERIFY(part<QLabel>("labQuestion").text().contains(QStringLiteral("a lease of 1.6 s")));
    }

    // The mark is at the actor, with an icon and in words.
    void whoIsCutOffIsMarked() {
        lab::LabFrame cut = labFrame(0ms, "", "fault", "server-cut-off", 0);
        cut.servers.resize(2);
        cut.servers.at(0).unreached = {{lab::ServerNumber(1)}, {"b"}, true};
        cut.servers.at(1).number = lab::ServerNumber(1);
        cut.servers.at(1).isReplica = true;
        cut.servers.at(1).isReplicationHeld = true;
        cut.actors.at(0).isCutOff = true;
        cut.actors.at(1).unreached.servers = {lab::ServerNumber(0)};
        open({{labReportAt(0ms, labUpdate(lab::LabPhase::Running, {labFrame(0ms, "", "start", "", 0)})),
               labReportAt(1000ms, labUpdate(lab::LabPhase::Running, {cut}))}});
        slider().setValue(slider().maximum());
        const auto row = [this](const char* pane, int at) { return part<QTreeWidget>(pane).topLevelItem(at); };
        QTRY_COMPARE(row("labKeys", 0)->text(0),
                     QStringLiteral("Server 1 · master · cut off from Server 2, b, the Sentinel"));
        QCOMPARE(row("labKeys", 1)->text(0), QStringLiteral("Server 2 · replica · gets nothing from its master"));
        QCOMPARE(row("labActors", 0)->text(0), QStringLiteral("a · cut off from all"));
        QCOMPARE(row("labActors", 1)->text(0), QStringLiteral("b · cut off from Server 1"));
        for (const char* pane : {"labKeys", "labActors"}) {
            for (int at : {0, 1})
                QVERIFY(!row(pane, at)->icon(0).isNull());
        }
        steps().setCurrentRow(0);
        QTRY_COMPARE(row("labKeys", 0)->text(0), QStringLiteral("Server 1 · master"));
        QVERIFY(row("labKeys", 0)->icon(0).isNull());
        QVERIFY(row("labActors", 1)->icon(0).isNull());
    }

    void theRowsFollowTheTheme_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("to dark") << "actionTheme_light"
                                 << "actionTheme_dark";
        QTest::newRow("to light") << "actionTheme_dark"
                                  << "actionTheme_light";
    }
    void theRowsFollowTheTheme() {
        QFETCH(const QString, from);
        QFETCH(const QString, to);
        find<QAction>(from.toLatin1().constData()).trigger();
        open(labStory());
        slider().setValue(slider().maximum());
        QTRY_COMPARE(caption(), QStringLiteral("b has acquired L."));
        const auto& actors = part<QTreeWidget>("labActors");
        const auto paper = [&actors] { return actors.palette().color(QPalette::Base); };
        const QColor before = paper();
        find<QAction>(to.toLatin1().constData()).trigger();
        QTRY_VERIFY(paper() != before);
        const auto isReadable = [&actors] {
            const QTreeWidgetItem& row = *actors.topLevelItem(1);
            return contrast(row.foreground(0).color(), row.background(0).color()) >= 3;
        };
        // The background of a row that has changed.
        const auto isOfTheme = [&] { return contrast(actors.topLevelItem(1)->background(0).color(), paper()) < 2; };
        QTRY_VERIFY(isReadable() && isOfTheme());
        QCOMPARE(caption(), QStringLiteral("b has acquired L."));
    }

    // A selection or a scroll position of the user must stay while a recording plays.
    void betweenTwoMomentsThePanesStay() {
        open(labStory());
        slider().setValue(20);
        QTRY_COMPARE(caption(), QStringLiteral("a has acquired L."));
        auto& wire = part<QTreeWidget>("labWire");
        wire.setCurrentItem(wire.topLevelItem(0));
        slider().setValue(25);
        QTRY_COMPARE(slider().value(), 25);
        QCoreApplication::processEvents();
        QCOMPARE(wire.currentItem(), wire.topLevelItem(0));
        slider().setValue(slider().maximum());
        QTRY_COMPARE(commands(), 2);
    }

    void itIsPresentedInASmallWindow_data() {
        QTest::addColumn<QByteArray>("experiment");
        QTest::newRow("with its texts") << QByteArray("failover-two-holders");
        QTest::newRow("of a long name") << QByteArray(
            "a-name-that-is-as-long-as-no-other-one-of-an-experiment-that-only-a-later-version-has");
    }
    void itIsPresentedInASmallWindow() {
        QFETCH(const QByteArray, experiment);
        m_window->resize(1024, 700);
        open(labStory(), labInfo(experiment));
        QTRY_COMPARE(steps().currentRow(), 0);
        const auto width = [this] { return page()->minimumSizeHint().width(); };
        const int before = width();
        auto& present = part<QPushButton>("labPresent");
        present.click();
        QTRY_VERIFY(width() > before);
        QVERIFY2(width() <= 1024, qPrintable(QString::number(width())));
        QCOMPARE(m_window->size(), QSize(1024, 700));
        QVERIFY(page()->rect().contains(QRect(present.mapTo(page(), QPoint()), present.size())));
        present.click();
        QTRY_COMPARE(steps().font().pointSizeF(), m_window->font().pointSizeF());
    }

    void itStepsFromMomentToMoment() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        part<QToolButton>("replayForward").click();
        QTRY_COMPARE(steps().currentRow(), 1);
        part<QToolButton>("replayForward").click();
        QTRY_COMPARE(steps().currentRow(), 2);
        part<QToolButton>("replayBack").click();
        QTRY_COMPARE(steps().currentRow(), 1);
        part<QToolButton>("replayBack").click();
        QTRY_COMPARE(steps().currentRow(), 0);
    }

    void itPlaysToTheEnd() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        part<QComboBox>("replaySpeed").setCurrentIndex(4);
        part<QToolButton>("replayPlay").click();
        QTRY_COMPARE(steps().currentRow(), 2);
        QTRY_COMPARE(slider().value(), slider().maximum());
    }

    // The steps are all there from the beginning.
    void aStepLeadsToItsTime() {
        open(labStory());
        QCOMPARE(steps().count(), 3);
        QTRY_COMPARE(steps().currentRow(), 0);
        steps().setCurrentRow(1);
        QTRY_COMPARE(slider().value(), 20);
        QCOMPARE(caption(), QStringLiteral("a has acquired L."));
    }

    // The end of the run would answer the question.
    void whatWasNotSeenIsHiddenUntilAPredictionIsChosen() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        const QString name = QStringLiteral("b has acquired L.");
        QCOMPARE(steps().item(1)->text(), QStringLiteral("Step 2"));
        QCOMPARE(steps().item(2)->text(), QStringLiteral("Step 3"));
        const QImage hidden = timeline();
        part<QRadioButton>("labPrediction0").click();
        QVERIFY2(steps().item(2)->text().contains(name), qPrintable(steps().item(2)->text()));
        QVERIFY(timeline() != hidden);
        slider().setValue(20);
        QTRY_COMPARE(steps().currentRow(), 1);
        QVERIFY(steps().item(2)->text().contains(name));
    }

    void whatWasSeenStaysNamed() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        const QImage hidden = timeline();
        slider().setValue(20);
        QTRY_COMPARE(steps().currentRow(), 1);
        QVERIFY(steps().item(1)->text().contains(QStringLiteral("a has acquired L.")));
        QCOMPARE(steps().item(2)->text(), QStringLiteral("Step 3"));
        slider().setValue(0);
        QTRY_COMPARE(steps().currentRow(), 0);
        QVERIFY(steps().item(1)->text().contains(QStringLiteral("a has acquired L.")));
        QCOMPARE(steps().item(2)->text(), QStringLiteral("Step 3"));
        QVERIFY(timeline() != hidden);
        slider().setValue(slider().maximum());
        QTRY_VERIFY(isExplained());
        slider().setValue(0);
        QTRY_VERIFY(!isExplained());
        QVERIFY(steps().item(2)->text().contains(QStringLiteral("b has acquired L.")));
    }

    // The question is shown first, as in the lab.
    void theExplanationFollowsTheRun() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        QVERIFY(part<QLabel>("labQuestion").isVisible());
        QVERIFY(!isExplained());
        slider().setValue(slider().maximum());
        QTRY_VERIFY(isExplained());
        slider().setValue(10);
        QTRY_VERIFY(!isExplained());
    }

    // The outcome may be reported a moment later.
    void itFollowsAlsoIfTheLastStepIsChosen() {
        std::vector<std::vector<Record>> story = labStory();
        const LabReported outcome = std::get<LabReported>(story.back().back().entry);
        story.back().back() = labReportAt(3040ms, *outcome.update);
        open(story);
        QTRY_COMPARE(steps().currentRow(), 0);
        steps().setCurrentRow(1);
        QTRY_COMPARE(slider().value(), 20);
        QVERIFY(!isExplained());
        steps().setCurrentRow(2);
        QTRY_VERIFY(isExplained());
    }

    void theMomentOfTheExplanationIsShown() {
        open(labStory());
        slider().setValue(slider().maximum());
        QTRY_VERIFY(isExplained());
        steps().setCurrentRow(0);
        QTRY_COMPARE(steps().currentRow(), 0);
        slider().setValue(slider().maximum());
        QTRY_VERIFY(isExplained());
        part<QPushButton>("labMoment").click();
        QTRY_COMPARE(steps().currentRow(), 2);
    }

    void anExperimentThatIsNotKnownHasItsPanes() {
        open(labStory(), labInfo("of-a-later-version"));
        QTRY_COMPARE(steps().currentRow(), 0);
        QVERIFY(!part<QWidget>("labLesson").isVisible());
        QVERIFY(steps().item(2)->text().contains(QStringLiteral("b has acquired L.")));  // no question is open
        slider().setValue(slider().maximum());
        QTRY_COMPARE(caption(), QStringLiteral("b has acquired L."));
        QCOMPARE(part<QLabel>("replayOf").text(), QStringLiteral("of-a-later-version"));
    }

    void nothingCanBeDone() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        for (const char* control : {"labRun", "labStep", "labPause", "labDo", "labWithoutCause", "labExperiments"})
            QVERIFY2(!page()->findChild<QWidget*>(QString::fromLatin1(control)), control);
        auto& actors = part<QTreeWidget>("labActors");
        Q_EMIT actors.customContextMenuRequested(QPoint(2, 2));
        QVERIFY(!page()->findChild<QMenu*>());
        for (const char* action :
             {"actionRecord", "actionAcquire", "actionForceRelease", "actionArm", "actionDisconnect"})
            QVERIFY2(!find<QAction>(action).isEnabled(), action);
        QVERIFY(m_engine->labs.empty());
        QVERIFY(m_engine->labRequests.empty());
    }

    void theLabItselfHasATabOfItsOwn() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        const auto& tabs = find<QTabWidget>("sessionTabs");
        QCOMPARE(tabs.count(), 1);
        QVERIFY(tabs.tabText(0).contains(QStringLiteral("story.lkrec")));
        QCOMPARE(tabs.tabToolTip(0).contains(QStringLiteral("not live")), true);
        find<QAction>("actionLab").trigger();
        QCOMPARE(tabs.count(), 2);
        QVERIFY(find<QWidget>("labPage").isVisible());
    }

    void aDamagedFileIsShownUpToTheDamage() {
        writeRecording(m_file, labStory(), nullptr, SampleEnd::InOrder, labInfo());
        damage(m_file);
        m_window->openRecording(m_file);
        QTRY_VERIFY(page() && page()->isVisible());
        QTRY_VERIFY(part<InlineMessage>("replayMessage").text().contains(QStringLiteral("damaged")));
        QCOMPARE(steps().count(), 2);
        slider().setValue(slider().maximum());
        QTRY_COMPARE(caption(), QStringLiteral("a has acquired L."));
    }

    void aNewerVersionIsRefusedWithAReason() {
        writeRecording(m_file, labStory(), nullptr, SampleEnd::InOrder, labInfo());
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(fileHeadSize - 4));
        file.putChar(static_cast<char>(formatVersion + 1));
        file.close();
        find<QAction>("actionLab").trigger();
        m_window->openRecording(m_file);
        const auto& tabs = find<QTabWidget>("sessionTabs");
        QCOMPARE(tabs.count(), 2);
        const auto saysSo = [this] {
            const auto messages = find<QWidget>("labPage").findChildren<InlineMessage*>();
            return std::ranges::any_of(messages, [](const InlineMessage* one) {
                return one->text().contains(QStringLiteral("newer version"));
            });
        };
        QTRY_VERIFY(saysSo());
        QCOMPARE(tabs.count(), 1);
        QVERIFY(find<QWidget>("labPage").isVisible());
        QVERIFY(!page());
    }

    void aPartShowsHowFarItIs() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        part<QToolButton>("replayExcerpt").click();
        auto& bar = part<QProgressBar>("excerptProgress");
        QVERIFY(!bar.isVisible());
        std::vector<int> shown;
        connect(&bar, &QProgressBar::valueChanged, &bar, [&shown](int value) { shown.push_back(value); });
        QVERIFY(savedPart());
        QVERIFY(!bar.isVisible());
        QCOMPARE(bar.maximum(), 100);
        QVERIFY(!shown.empty());
        QCOMPARE(shown.back(), 100);
    }

    void aPartIsSavedAndOpened() {
        open(labStory());
        QTRY_COMPARE(steps().currentRow(), 0);
        part<QToolButton>("replayExcerpt").click();
        steps().setCurrentRow(2);
        QTRY_COMPARE(slider().value(), slider().maximum());
        part<QPushButton>("excerptFromShown").click();
        part<QCheckBox>("excerptMask").setChecked(true);
        const std::unique_ptr<RecordingFile> saved = savedPart();
        QVERIFY(saved);
        QVERIFY(saved->info().isMasked);
        QVERIFY(saved->info().experiment);
        m_window->closePage(m_window->currentPage());
        QTRY_VERIFY(!page());
        m_window->openRecording(m_part);
        QTRY_VERIFY(page() && page()->isVisible());
        QTRY_COMPARE(steps().count(), 2);
        slider().setValue(slider().maximum());
        QTRY_COMPARE(caption(), QStringLiteral("b has acquired L."));
        QCOMPARE(commands(), 2);
        QVERIFY(!command(0).contains(QString::fromLatin1(labClient.bytes())));
        QCOMPARE(part<QLabel>("replayOf").text(), QStringLiteral("A lease shorter than the work, with ids masked"));
    }
};

LOCKKEEPER_TEST(TestLabReplayPage, Gui)

}  // namespace tst_labreplaypage

#include "tst_labreplaypage.moc"
