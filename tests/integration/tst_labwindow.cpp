// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/experimenttext.h"
#include "support/enginewindowtest.h"
#include "support/guitestprogram.h"
#include "support/labscenario.h"
#include "ui/base/messagebar.h"
#include "ui/lab/experimentlist.h"
#include "ui/lab/labpage.h"
#include "ui/lab/labpanes.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

namespace tst_labwindow {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 30000;

QStringList textsBelow(const QTreeWidgetItem& item) {
    QStringList texts;
    for (int column = 0; column < item.columnCount(); ++column)
        texts += item.text(column);
    for (int child = 0; child < item.childCount(); ++child)
        texts += textsBelow(*item.child(child));
    return texts;
}

QString textOf(const QTreeWidget& pane) {
    return textsBelow(*pane.invisibleRootItem()).join(u'\n');
}

// The texts that the panes of the lab show, in the lab or in a recording of it.
QString panesOf(const QWidget& page) {
    QStringList texts{page.findChild<QLabel*>(QStringLiteral("labCaption"))->text()};
    for (const char* pane : {"labActors", "labKeys", "labWire"})
        texts += textOf(*page.findChild<QTreeWidget*>(QString::fromLatin1(pane)));
    return texts.join(u'\n');
}

}  // namespace

// The lab as a person uses it: the real window, its engine and private servers.
class TestLabWindow : public EngineWindowTest {
    Q_OBJECT

private:
    void click(const char* button) const { find<QPushButton>(button).click(); }
    [[nodiscard]] QSlider& slider() const { return find<QSlider>("labSlider"); }
    [[nodiscard]] QString caption() const { return find<QLabel>("labCaption").text(); }
    [[nodiscard]] QString verdict() const { return find<QLabel>("labVerdict").text(); }
    [[nodiscard]] bool isExplained() const { return !find<QLabel>("labVerdict").isHidden(); }

    [[nodiscard]] QString allSteps() const {
        const auto& list = find<QListWidget>("labSteps");
        QStringList steps;
        for (int row = 0; row < list.count(); ++row)
            steps += list.item(row)->text();
        return steps.join(u'\n');
    }

    void openLab() {
        find<QAction>("actionLab").trigger();
        find<LabPage>("labPage").setServerProgram(qEnvironmentVariable("LOCKKEEPER_TEST_SERVER"));
    }
    void runToTheEnd() {
        find<QComboBox>("labSpeed").setCurrentIndex(0);
        click("labRun");
        QTRY_VERIFY_WITH_TIMEOUT(isExplained(), patience);
    }

    QStringList m_foldersBefore;

private Q_SLOTS:
    // Other tests run laboratories, too.
    void initTestCase() {
        QVERIFY(QDir(m_directory.path()).mkdir(QStringLiteral("tmp")));
        qputenv("TMPDIR", m_directory.filePath(QStringLiteral("tmp")).toUtf8());
    }
    void cleanupTestCase() { qunsetenv("TMPDIR"); }
    void init() {
        m_foldersBefore = labFolders();
        makeWindow();
    }
    // Ends the laboratory, too: the engine ends its servers.
    void cleanup() {
        endWindow();
        QCOMPARE(labFolders(), m_foldersBefore);
    }

    void itsTabIsOpenedOnce() {
        openLab();
        const auto& tabs = find<QTabWidget>("sessionTabs");
        const int count = tabs.count();
        openLab();
        QCOMPARE(tabs.count(), count);
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("Lab")));
    }

    // The list begins with five experiments in order, each a known one; the first of them is selected.
    void aNewcomerBeginsWithFive() {
        openLab();
        auto& list = find<ExperimentList>("labExperiments");
        const QTreeWidgetItem& beginning = *list.topLevelItem(0);
        QCOMPARE(beginning.text(0), QStringLiteral("First steps"));
        QCOMPARE(list.currentItem(), beginning.child(0));
        QByteArrayList path;
        for (int row = 0; row < beginning.childCount(); ++row) {
            list.setCurrentItem(beginning.child(row));
            path += list.current();
            QVERIFY2(lab::experimentOf(path.back()), path.back().constData());
            QVERIFY(!beginning.child(row)->text(0).isEmpty());
        }
        QCOMPARE(path, QByteArrayList({"reentry", "wake-by-channel", "holder-crash", "short-lease", "fencing-token"}));
    }

    void theKeyboardGoesFromTheListToThePredictionsThenToRun() {
        openLab();
        const auto& list = find<ExperimentList>("labExperiments");
        QStringList order;
        for (const QWidget* next = list.nextInFocusChain(); next != &list; next = next->nextInFocusChain()) {
            if (next->objectName() == u"labRun" || next->objectName().startsWith(u"labPrediction"))
                order += next->objectName();
        }
        QCOMPARE(order, QStringList({u"labPrediction0"_qs, u"labPrediction1"_qs, u"labPrediction2"_qs, u"labRun"_qs}));
    }

    void theStartPageOpensAnExperiment() {
        find<QAbstractButton>("learn_short-lease").click();
        QCOMPARE(find<ExperimentList>("labExperiments").current(), QByteArray("short-lease"));
        QVERIFY(find<QWidget>("labPage").isVisible());
    }

    void aPredictionIsJudgedAtTheEnd_data() {
        QTest::addColumn<bool>("isRight");
        QTest::newRow("right") << true;
        QTest::newRow("wrong") << false;
    }
    void aPredictionIsJudgedAtTheEnd() {
        QFETCH(const bool, isRight);
        openLab();
        QVERIFY(!isExplained());
        const QByteArray id = lab::experiments().front().id;
        const auto predictions = lab::experimentTextOf(id)->predictions;
        for (int number = 0; number < predictions.size(); ++number) {
            if (predictions.at(number).isRight == isRight)
                find<QRadioButton>(qPrintable(QStringLiteral("labPrediction%1").arg(number))).click();
        }
        runToTheEnd();
        QVERIFY2(verdict().startsWith(isRight ? QStringLiteral("Your prediction was right.")
                                              : QStringLiteral("Your prediction was wrong.")),
                 qPrintable(verdict()));
        QVERIFY(!find<QLabel>("labWhy").text().isEmpty());
    }

    // The slider shows in all panes what was recorded at a moment.
    void allPanesFollowTheSlider() {
        openLab();
        runToTheEnd();
        const int last = slider().maximum();
        QVERIFY(last > 1);
        QCOMPARE(find<QListWidget>("labSteps").count(), last + 1);
        QSet<QString> keys;
        QSet<QString> captions;
        for (int frame = 0; frame <= last; ++frame) {
            slider().setValue(frame);
            QCOMPARE(find<QListWidget>("labSteps").currentRow(), frame);
            keys += textOf(find<QTreeWidget>("labKeys"));
            captions += caption();
        }
        QVERIFY(keys.size() > 1);
        QVERIFY(captions.size() > 1);
        const QString atTheEnd = textOf(find<QTreeWidget>("labWire"));
        slider().setValue(0);
        QVERIFY(textOf(find<QTreeWidget>("labWire")) != atTheEnd);
    }

    // The window's command records the run into a file, which shows the same when the servers are gone.
    void aRunIsRecordedAndOpened() {
        openLab();
        find<ExperimentList>("labExperiments").select("wake-by-channel");
        runToTheEnd();
        const QString path = m_directory.filePath(QStringLiteral("run.lkrec"));
        auto& record = find<QAction>("actionRecord");
        record.trigger();
        Q_EMIT find<QFileDialog>("recordDialog").fileSelected(path);
        QTRY_VERIFY(record.isChecked());
        QStringList shown;
        for (int frame = 0; frame <= slider().maximum(); ++frame) {
            slider().setValue(frame);
            shown += panesOf(find<QWidget>("labPage"));
        }
        record.trigger();
        QTRY_VERIFY(!record.isChecked());
        find<QAction>("actionClosePage").trigger();
        QTRY_COMPARE_WITH_TIMEOUT(labFolders(), m_foldersBefore, patience);
        m_window->openRecording(path);
        QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("labReplayPage")));
        const auto& replayed = find<QWidget>("labReplayPage");
        auto& steps = *replayed.findChild<QListWidget*>(QStringLiteral("labSteps"));
        QCOMPARE(steps.count(), shown.size());
        for (int frame = steps.count() - 1; frame >= 0; --frame) {
            replayed.findChild<LabPanes*>()->showFrame(frame);
            QCOMPARE(panesOf(replayed), shown.at(frame));
        }
        QCOMPARE(labFolders(), m_foldersBefore);
    }

    void aStepIsMadeAtATime() {
        openLab();
        click("labStep");
        QTRY_COMPARE_WITH_TIMEOUT(find<QListWidget>("labSteps").count(), 1, patience);
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("labStep").isEnabled(), patience);
        QVERIFY(!isExplained());
        click("labStep");
        QTRY_VERIFY_WITH_TIMEOUT(find<QListWidget>("labSteps").count() > 1, patience);
    }

    void withoutItsCauseItEndsDifferently() {
        openLab();
        find<ExperimentList>("labExperiments").select("short-lease");
        find<QCheckBox>("labWithoutCause").setChecked(true);
        runToTheEnd();
        QVERIFY2(verdict().startsWith(QStringLiteral("Without what caused it, it has ended differently.")),
                 qPrintable(verdict()));
    }

    // The engine has an audit, which is for what an operator does.
    void nothingOfItIsAudited() {
        openLab();
        find<ExperimentList>("labExperiments").select("reentry");
        runToTheEnd();
        QVERIFY(!QDir(m_directory.filePath(QStringLiteral("audit"))).exists());
    }

    // After the steps of the experiment the user may change the laboratory.
    void anActorsMenuChangesItsCondition_data() {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("condition");
        QTest::newRow("freeze") << QStringLiteral("labFreeze") << QStringLiteral("frozen");
        QTest::newRow("cut its network") << QStringLiteral("labCut") << QStringLiteral("cut off");
        QTest::newRow("delay its network") << QStringLiteral("labDelay") << QStringLiteral("slow network");
        QTest::newRow("set its clock ahead") << QStringLiteral("labJump") << QStringLiteral("clock 10 s ahead");
    }

    void anActorsMenuChangesItsCondition() {
        QFETCH(const QString, action);
        QFETCH(const QString, condition);
        openLab();
        runToTheEnd();
        auto& actors = find<QTreeWidget>("labActors");
        actors.setCurrentItem(actors.topLevelItem(0));
        QVERIFY(find<QPushButton>("labDo").isEnabled());
        click("labDo");
        auto* menu = m_window->findChild<QMenu*>(QStringLiteral("labMenu"));
        QVERIFY(menu);
        menu->findChild<QAction*>(action)->trigger();
        menu->close();
        QTRY_VERIFY_WITH_TIMEOUT(textOf(actors).contains(condition), patience);
    }

    // No step may be shown as an error because it has no sentence.
    void theStepsHaveSentences_data() {
        QTest::addColumn<QByteArray>("experiment");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("failover") << QByteArray("split-brain")
                                  << QStringLiteral("The Sentinel has made the replica the master.");
        QTest::newRow("cluster") << QByteArray("cluster-slot-moves")
                                 << QStringLiteral("Server 2 has taken over the slot of mail");
        QTest::newRow("pause") << QByteArray("short-lease") << QStringLiteral("1.6 s passed.");
        QTest::newRow("servers lost") << QByteArray("red-three-two-lost") << QStringLiteral("Server 3 was killed.");
        QTest::newRow("refused") << QByteArray("cluster-master-lost")
                                 << QStringLiteral("b gets an error for jobs: the cluster is down (CLUSTERDOWN");
    }
    void theStepsHaveSentences() {
        QFETCH(const QByteArray, experiment);
        QFETCH(const QString, sentence);
        openLab();
        find<ExperimentList>("labExperiments").select(experiment);
        runToTheEnd();
        QVERIFY2(allSteps().contains(sentence), qPrintable(allSteps()));
        QVERIFY2(!allSteps().contains(QStringLiteral("an error:")), qPrintable(allSteps()));
    }

    void aServerThatWasCutOffIsJoinedAgainFromItsMenu() {
        openLab();
        find<ExperimentList>("labExperiments").select("split-brain");
        runToTheEnd();
        auto& keys = find<QTreeWidget>("labKeys");
        keys.setCurrentItem(keys.topLevelItem(0));
        Q_EMIT keys.customContextMenuRequested(QPoint());
        auto* menu = m_window->findChild<QMenu*>(QStringLiteral("labMenu"));
        QVERIFY(menu);
        QVERIFY(!menu->findChild<QAction*>(QStringLiteral("labPartition")));
        menu->findChild<QAction*>(QStringLiteral("labRejoin"))->trigger();
        menu->close();
        QTRY_VERIFY_WITH_TIMEOUT(allSteps().contains(QStringLiteral("Server 1 is reached again.")), patience);
    }

    // The step would last for 3.7 s. Once it had ended, the lab would stop before the next one.
    void aPauseIsSeenAtOnce() {
        openLab();
        find<ExperimentList>("labExperiments").select("renewal");
        find<QComboBox>("labSpeed").setCurrentIndex(0);
        click("labRun");
        QTRY_VERIFY_WITH_TIMEOUT(allSteps().contains(QStringLiteral("a has acquired L.")), patience);
        click("labPause");
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("labStep").isEnabled(), patience);
        QCOMPARE(caption(), QStringLiteral("Stopped within a step. No time passes in the lab."));
        click("labRun");
        QTRY_VERIFY_WITH_TIMEOUT(isExplained(), patience);
        QVERIFY2(verdict().startsWith(QStringLiteral("Right is:")), qPrintable(verdict()));
    }

    void theSentinelIsKilledFromItsMenu() {
        openLab();
        find<ExperimentList>("labExperiments").select("split-brain");
        click("labStep");
        QTRY_VERIFY_WITH_TIMEOUT(find<QListWidget>("labSteps").count() == 1 && find<QPushButton>("labStep").isEnabled(),
                                 patience);
        auto& keys = find<QTreeWidget>("labKeys");
        QCOMPARE(keys.topLevelItem(2)->text(0), QStringLiteral("Sentinel"));
        keys.setCurrentItem(keys.topLevelItem(2));
        Q_EMIT keys.customContextMenuRequested(QPoint());
        auto* menu = m_window->findChild<QMenu*>(QStringLiteral("labMenu"));
        QVERIFY(menu);
        menu->findChild<QAction*>(QStringLiteral("labKillServer"))->trigger();
        menu->close();
        QTRY_VERIFY_WITH_TIMEOUT(textOf(keys).contains(QStringLiteral("Sentinel · killed")), patience);
        QVERIFY2(allSteps().contains(QStringLiteral("The Sentinel was killed.")), qPrintable(allSteps()));
    }

    void anExperimentThatIsClosedHalfwayLeavesNothing() {
        openLab();
        click("labStep");
        QTRY_COMPARE_WITH_TIMEOUT(find<QListWidget>("labSteps").count(), 1, patience);
        QVERIFY(labFolders() != m_foldersBefore);
        find<QAction>("actionClosePage").trigger();
        QTRY_COMPARE_WITH_TIMEOUT(labFolders(), m_foldersBefore, patience);
    }
};

LOCKKEEPER_TEST(TestLabWindow, Gui)

}  // namespace tst_labwindow

#include "tst_labwindow.moc"
