// SPDX-License-Identifier: Apache-2.0
#include "redis/script.h"
#include "support/guitestprogram.h"
#include "support/labsample.h"
#include "support/windowtest.h"
#include "ui/base/inlinemessage.h"
#include "ui/lab/labpage.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSplitter>
#include <QStyle>
#include <QTabWidget>
#include <QTest>
#include <QToolBar>
#include <QTreeWidget>

#include <algorithm>

namespace tst_labpage {

using namespace lockkeeper;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

// A command whose script found the lock held by another client.
lab::WireLine decidedCommand() {
    const redis::Script script = redis::Script::joined(
        {QStringLiteral("locks/lua/add_hold.lua"), QStringLiteral("locks/lua/reentrant_acquire.lua")});
    return labLine(0, {"EVAL", script.source(), "1", "L", "30000", "c:1"});
}
lab::WireLine decidedCall(const QByteArray& name) {
    lab::WireLine line = labLine(0, {name, "L"});
    if (name == "hexists")
        line.arguments += "c:1";
    line.sender = lab::WireLine::Sender::Script;
    return line;
}

}  // namespace

// The recording of an experiment, by the window's command.
class TestLabPage : public WindowTest {
    Q_OBJECT

private:
    QAction& record() const { return find<QAction>("actionRecord"); }
    void run() const { find<QPushButton>("labRun").click(); }
    void report(RecordingPhase phase) const {
        RecordingStatus status;
        status.phase = phase;
        status.path = QStringLiteral("/home/me/lab.lkrec");
        status.bytes = 5000;
        m_engine->report(status);
    }
    void stretchTo(int row) const {
        auto& box = find<QComboBox>("labStretch");
        box.setCurrentIndex(row);
        Q_EMIT box.activated(row);  // as by the user
    }
    QString labelOf(const QWidget& widget) const {
        const auto labels = m_window->findChildren<QLabel*>();
        const auto found = std::ranges::find(labels, &widget, &QLabel::buddy);
        return found == labels.end() ? QString() : (*found)->text();
    }
    bool says(const QString& text) const {
        const auto messages = find<QWidget>("labPage").findChildren<InlineMessage*>();
        return std::any_of(messages.begin(), messages.end(),
                           [&text](const InlineMessage* one) { return one->text().contains(text); });
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_window->show();
        find<QAction>("actionLab").trigger();
    }
    void cleanup() { end(); }

    void thereIsNothingToRecordBeforeARun() {
        QVERIFY(!record().isEnabled());
        run();
        QVERIFY(record().isEnabled());
        QVERIFY(!record().isChecked());
    }

    void theRunIsRecordedIntoTheChosenFile() {
        run();
        record().trigger();
        Q_EMIT find<QFileDialog>("recordDialog").fileSelected(QStringLiteral("/home/me/lab.lkrec"));
        QCOMPARE(m_engine->recordings.size(), size_t(1));
        QCOMPARE(m_engine->recordings.front().path, QStringLiteral("/home/me/lab.lkrec"));
        QVERIFY(!find<QWidget>("labRecording").isVisible());
        report(RecordingPhase::Running);
        QVERIFY(record().isChecked());
        QVERIFY(find<QWidget>("labRecording").isVisible());
        record().trigger();
        QCOMPARE(m_engine->stoppedRecordings, 1);
        report(RecordingPhase::Stopped);
        QVERIFY(!record().isChecked());
        QVERIFY(!find<QWidget>("labRecording").isVisible());
        QVERIFY(says(QStringLiteral("Recorded into /home/me/lab.lkrec")));
    }

    // The recording is of the session that has ended.
    void anotherRunIsNotRecorded() {
        run();
        record().trigger();
        Q_EMIT find<QFileDialog>("recordDialog").fileSelected(QStringLiteral("/home/me/lab.lkrec"));
        report(RecordingPhase::Running);
        const SessionId recorded = m_engine->session;
        m_engine->report(labUpdate(lab::LabPhase::Free));
        run();
        QVERIFY(m_engine->session != recorded);
        m_engine->session = recorded;
        report(RecordingPhase::Stopped);
        QVERIFY(!record().isChecked());
        QVERIFY(record().isEnabled());
        QVERIFY(says(QStringLiteral("Recorded into")));
    }

    // The page in front is recorded.
    void thePageInFrontIsRecorded() {
        run();
        QVERIFY(record().isEnabled());
        find<QAction>("actionNewTab").trigger();
        QVERIFY(!record().isEnabled());
        find<QTabWidget>("sessionTabs").setCurrentIndex(0);
        QVERIFY(record().isEnabled());
    }

    // While the run stops between two steps, the menu has only faults. The run stays there, so that the user can
    // choose.
    void aFaultIsMadeByHandAtAPause() {
        run();
        auto& button = find<QPushButton>("labDo");
        m_engine->report(labUpdate(lab::LabPhase::Starting));
        QVERIFY(!button.isEnabled());
        m_engine->report(labUpdate(lab::LabPhase::Stopped, {labFrame(0ms, "", "start", "", 0)}));
        QVERIFY(button.isEnabled());
        m_engine->labRequests.clear();
        button.click();
        auto& menu = find<QMenu>("labMenu");
        QVERIFY(!find<QAction>("labLock").isEnabled());
        find<QAction>("labFreeze").trigger();
        menu.close();
        QCOMPARE(m_engine->labRequests.size(), size_t(2));
        QVERIFY(!std::get<lab::SetPace>(m_engine->labRequests.at(0)).stop);
        const auto& step = std::get<lab::Step>(m_engine->labRequests.at(1));
        QCOMPARE(std::get<lab::FreezeActor>(std::get<lab::Fault>(step.action)).actor, lab::ActorName("a"));
    }

    // By the menu and by the button. The run does not stop.
    void atAnEarlierMomentTheMenuLeadsToTheLatestOne() {
        run();
        m_engine->report(labUpdate(lab::LabPhase::Running,
                                   {labFrame(0ms, "", "start", "", 0), labFrame(1ms, "a", "acquire", "acquired", 1)}));
        auto& slider = find<QSlider>("labSlider");
        auto& actors = find<QTreeWidget>("labActors");
        for (const bool isByButton : {true, false}) {
            slider.setValue(0);
            m_engine->labRequests.clear();
            if (isByButton)
                find<QPushButton>("labDo").click();
            else
                Q_EMIT actors.customContextMenuRequested({});
            auto& menu = find<QMenu>("labMenu");
            QCOMPARE(menu.actions().size(), 2);
            QVERIFY(!find<QAction>("labEarlier").isEnabled());
            find<QAction>("labLatest").trigger();
            menu.close();
            QCOMPARE(slider.value(), 1);
            QVERIFY(m_engine->labRequests.empty());
            QTRY_VERIFY(!m_window->findChild<QMenu*>(QStringLiteral("labMenu")));
        }
        find<QPushButton>("labDo").click();
        QVERIFY(find<QAction>("labFreeze").isEnabled());
        find<QMenu>("labMenu").close();
    }

    // A run may be under way in the lab.
    void theLabStaysWhereARecordingIsOpened() {
        const QString recording = m_directory->filePath(QStringLiteral("lab.lkrec"));
        writeRecording(recording, labStory(), nullptr, SampleEnd::InOrder, labInfo());
        m_window->openRecording(recording);
        QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("labReplayPage")));
        QCOMPARE(find<QTabWidget>("sessionTabs").count(), 2);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(m_window->findChild<LabPage*>(QStringLiteral("labPage")));
    }

    // Shows one recorded moment after the other; the experiment is resumed only at the latest moment.
    void aStepAtAnEarlierMomentShowsTheNextOne() {
        run();
        m_engine->report(labUpdate(lab::LabPhase::Stopped,
                                   {labFrame(0ms, "", "start", "", 0), labFrame(1ms, "a", "acquire", "acquired", 1),
                                    labFrame(2ms, "b", "acquire", "acquired", 2)}));
        auto& slider = find<QSlider>("labSlider");
        auto& step = find<QPushButton>("labStep");
        const auto isStepped = [this] {
            return std::ranges::any_of(m_engine->labRequests, [](const lab::LabRequest& one) {
                return std::holds_alternative<lab::NextStep>(one);
            });
        };
        slider.setValue(0);
        m_engine->labRequests.clear();
        step.click();
        QCOMPARE(slider.value(), 1);
        QCOMPARE(find<QLabel>("labCaption").text(), QStringLiteral("a has acquired L."));
        step.click();
        QCOMPARE(slider.value(), 2);
        QVERIFY(!isStepped());
        step.click();
        QVERIFY(isStepped());
        m_engine->report(labUpdate(lab::LabPhase::Free, {labFrame(3ms, "a", "release", "released", 1)}));
        QCOMPARE(slider.value(), 3);
        slider.setValue(1);
        step.click();
        QCOMPARE(slider.value(), 2);
        QCOMPARE(m_engine->labs.size(), size_t(1));
    }

    void whatGoesOnFromAnEarlierMomentIsSeen() {
        run();
        m_engine->report(labUpdate(lab::LabPhase::Stopped,
                                   {labFrame(0ms, "", "start", "", 0), labFrame(1ms, "a", "acquire", "acquired", 1)}));
        auto& slider = find<QSlider>("labSlider");
        slider.setValue(0);
        m_engine->labRequests.clear();
        run();
        QCOMPARE(slider.value(), 1);
        QVERIFY(std::get<lab::SetPace>(m_engine->labRequests.front()).stop);
        m_engine->report(labUpdate(lab::LabPhase::Running, {labFrame(2ms, "b", "acquire", "acquired", 2)}));
        QCOMPARE(slider.value(), 2);
        QCOMPARE(find<QLabel>("labCaption").text(), QStringLiteral("b has acquired L."));
    }

    void theKeyboardGoesFromPartToPart() {
        activate();
        const QStringList parts{"labExperiments", "labLesson", "labActors", "labKeys",
                                "labSteps",       "labWire",   "labSlider"};
        const auto passed = [&](const char* action) {
            QStringList names;
            for (qsizetype step = 0; step < parts.size(); ++step) {
                find<QAction>(action).trigger();
                const QWidget* focus = QApplication::focusWidget();
                while (focus && !parts.contains(focus->objectName()))
                    focus = focus->parentWidget();
                names += focus ? focus->objectName() : QString();
            }
            return names;
        };
        find<QWidget>("labSlider").setFocus();
        QCOMPARE(passed("actionNextPane"), parts);
        QStringList back(parts.rbegin(), parts.rend());
        back.append(back.takeFirst());
        QCOMPARE(passed("actionPreviousPane"), back);
        find<QPushButton>("labPresent").click();  // hides the list of experiments
        find<QWidget>("labSlider").setFocus();
        QCOMPARE(passed("actionNextPane").first(), QStringLiteral("labLesson"));
    }

    void whatIsDoneByHandLastsAsTheRunIsStretched_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<int>("times");
        QTest::newRow("as stated") << 0
                                   << QStringList{"Try L once, with a lease of 3 s",
                                                  "&Delay its network by 500 ms each way", "Set its cloc&k 10 s ahead"}
                                   << 1;
        QTest::newRow("five times") << 2
                                    << QStringList{"Try L once, with a lease of 15 s",
                                                   "&Delay its network by 2.5 s each way", "Set its cloc&k 50 s ahead"}
                                    << 5;
    }
    void whatIsDoneByHandLastsAsTheRunIsStretched() {
        QFETCH(const int, row);
        QFETCH(const QStringList, texts);
        QFETCH(const int, times);
        m_window->findChild<LabPage*>(QStringLiteral("labPage"))->showExperiment("short-lease");
        stretchTo(row);
        run();
        m_engine->report(labUpdate(lab::LabPhase::Free, {labFrame(0ms, "", "start", "", 0)}));
        stretchTo(3);  // of the next run
        m_engine->labRequests.clear();
        find<QPushButton>("labDo").click();
        QStringList shown;
        for (const char* name : {"labTry", "labDelay", "labJump"}) {
            shown += find<QAction>(name).text();
            find<QAction>(name).trigger();
        }
        find<QMenu>("labMenu").close();
        QCOMPARE(shown, texts);
        const auto stepAt = [this](size_t at) { return std::get<lab::Step>(m_engine->labRequests.at(at)); };
        QCOMPARE(std::get<lab::Acquire>(stepAt(0).action).lease, Milliseconds(3000 * times));
        QCOMPARE(std::get<lab::DelayNetwork>(std::get<lab::Fault>(stepAt(1).action)).by, Milliseconds(500 * times));
        QCOMPARE(std::get<lab::JumpClock>(std::get<lab::Fault>(stepAt(2).action)).by, Milliseconds(10'000 * times));
    }

    // The slot moves from the server of the chosen key to every other server that runs and can be reached from there.
    void theSlotOfAKeyOfAClusterMoves() {
        m_window->findChild<LabPage*>(QStringLiteral("labPage"))->showExperiment("cluster-slot-moves");
        run();
        lab::LabFrame frame = labFrame(0ms, "a", "acquire", "acquired", 1);
        frame.servers.resize(4);
        for (size_t server = 1; server < frame.servers.size(); ++server)
            frame.servers.at(server).number = lab::ServerNumber(static_cast<int>(server));
        frame.servers.at(2).condition = lab::ServerCondition::Killed;
        frame.servers.at(3).unreached.servers = {lab::ServerNumber(0)};
        m_engine->report(labUpdate(lab::LabPhase::Stopped, {frame}));
        auto& keys = find<QTreeWidget>("labKeys");
        keys.setCurrentItem(keys.topLevelItem(0)->child(0));
        Q_EMIT keys.customContextMenuRequested({});
        QStringList moves;
        for (const QAction* action : find<QMenu>("labMenu").actions()) {
            if (action->objectName() == QStringLiteral("labMoveSlot"))
                moves += action->text() + (action->isEnabled() ? QString() : QStringLiteral(" (off)"));
        }
        QCOMPARE(moves, (QStringList{"Move the slot of L to Server 2", "Move the slot of L to Server 3 (off)",
                                     "Move the slot of L to Server 4 (off)"}));
        m_engine->labRequests.clear();
        find<QAction>("labMoveSlot").trigger();
        find<QMenu>("labMenu").close();
        const auto& step = std::get<lab::Step>(m_engine->labRequests.back());
        const auto& move = std::get<lab::MoveSlot>(std::get<lab::Fault>(step.action));
        QCOMPARE(move.name, LockName("L"));
        QCOMPARE(move.from, lab::ServerNumber(0));
        QCOMPARE(move.to, lab::ServerNumber(1));
    }

    // The menu offers what the laboratory can do.
    void aServerOfEachFormIsCutOff_data() {
        QTest::addColumn<QByteArray>("experiment");
        QTest::addColumn<bool>("isPromoted");
        QTest::newRow("independent servers") << QByteArray("red-five-two-lost") << false;
        QTest::newRow("a master and its replica") << QByteArray("split-brain") << true;
        QTest::newRow("a Cluster") << QByteArray("cluster-slot-moves") << false;
    }
    void aServerOfEachFormIsCutOff() {
        QFETCH(const QByteArray, experiment);
        QFETCH(const bool, isPromoted);
        m_window->findChild<LabPage*>(QStringLiteral("labPage"))->showExperiment(experiment);
        run();
        m_engine->report(labUpdate(lab::LabPhase::Stopped, {labFrame(0ms, "", "start", "", 0)}));
        Q_EMIT find<QTreeWidget>("labKeys").customContextMenuRequested({});
        const auto has = [this](const char* name) {
            return m_window->findChild<QAction*>(QString::fromLatin1(name)) != nullptr;
        };
        QVERIFY(has("labKillServer"));
        QVERIFY(has("labPartition"));
        QVERIFY(!has("labRejoin"));
        QCOMPARE(has("labPromote"), isPromoted);
        QCOMPARE(has("labHold"), isPromoted);
        QVERIFY(!has("labLetPass"));
        find<QMenu>("labMenu").close();
    }

    // An action that would undo a fault is offered only if there is that fault: otherwise it would only spoil the
    // run.
    void onlyWhatIsCutOffIsJoinedAgain_data() {
        QTest::addColumn<bool>("hasSentinel");
        QTest::addColumn<bool>("isThatOneCutOff");  // else the other one
        for (const bool hasSentinel : {false, true}) {
            for (const bool isThatOne : {false, true})
                QTest::addRow("%d %d", hasSentinel, isThatOne) << hasSentinel << isThatOne;
        }
    }
    void onlyWhatIsCutOffIsJoinedAgain() {
        QFETCH(const bool, hasSentinel);
        QFETCH(const bool, isThatOneCutOff);
        m_window->findChild<LabPage*>(QStringLiteral("labPage"))->showExperiment("split-brain");
        run();
        lab::LabFrame frame = labFrame(0ms, "", "start", "", 0);
        frame.servers.resize(hasSentinel ? 3 : 2);
        lab::LabServer& replica = frame.servers.at(1);
        replica.number = lab::ServerNumber(1);
        replica.isReplica = true;
        replica.isReplicationHeld = true;
        replica.unreached.servers = {lab::ServerNumber(0)};
        frame.servers.front().unreached.servers = {lab::ServerNumber(1)};
        lab::Unreached& ofCutOff = frame.servers.at(isThatOneCutOff ? 0 : 1).unreached;
        ofCutOff.actors = {lab::ActorName("b")};
        ofCutOff.sentinel = hasSentinel;
        if (hasSentinel) {
            frame.servers.back().number = lab::sentinelServer;
            frame.servers.at(isThatOneCutOff ? 1 : 0).unreached.actors = {lab::ActorName("a")};  // with the one that is
        }
        m_engine->report(labUpdate(lab::LabPhase::Stopped, {frame}));
        Q_EMIT find<QTreeWidget>("labKeys").customContextMenuRequested({});
        const auto has = [this](const char* name) {
            return m_window->findChild<QAction*>(QString::fromLatin1(name)) != nullptr;
        };
        QCOMPARE(has("labRejoin"), isThatOneCutOff);
        QCOMPARE(has("labPartition"), !isThatOneCutOff);
        QVERIFY(has("labLetPass"));
        QVERIFY(!has("labHold"));
        find<QMenu>("labMenu").close();
    }

    // The Sentinel is a row without keys. Its menu has what can be done to a process.
    void theSentinelHasARowAndAMenuOfItsOwn_data() {
        QTest::addColumn<int>("condition");
        QTest::addColumn<QString>("row");
        QTest::addColumn<QStringList>("actions");
        QTest::newRow("running") << static_cast<int>(lab::ServerCondition::Running) << QStringLiteral("Sentinel")
                                 << QStringList{"labFreezeServer", "labKillServer", "labPromote"};
        QTest::newRow("frozen") << static_cast<int>(lab::ServerCondition::Frozen) << QStringLiteral("Sentinel · frozen")
                                << QStringList{"labResumeServer", "labKillServer", "labPromote (off)"};
        QTest::newRow("killed") << static_cast<int>(lab::ServerCondition::Killed) << QStringLiteral("Sentinel · killed")
                                << QStringList{"labFreezeServer (off)", "labRestartServer", "labPromote (off)"};
    }
    void theSentinelHasARowAndAMenuOfItsOwn() {
        QFETCH(const int, condition);
        QFETCH(const QString, row);
        QFETCH(const QStringList, actions);
        m_window->findChild<LabPage*>(QStringLiteral("labPage"))->showExperiment("split-brain");
        run();
        lab::LabFrame frame = labFrame(0ms, "", "start", "", 0);
        frame.servers.resize(2);
        frame.servers.at(1).number = lab::sentinelServer;
        frame.servers.at(1).condition = lab::ServerCondition(condition);
        m_engine->report(labUpdate(lab::LabPhase::Stopped, {frame}));
        auto& keys = find<QTreeWidget>("labKeys");
        QCOMPARE(keys.topLevelItem(1)->text(0), row);
        QCOMPARE(keys.topLevelItem(1)->childCount(), 0);
        keys.setCurrentItem(keys.topLevelItem(1));
        Q_EMIT keys.customContextMenuRequested({});
        QStringList shown;
        for (const QAction* action : find<QMenu>("labMenu").actions()) {
            if (!action->isSeparator())
                shown += action->objectName() + (action->isEnabled() ? QString() : QStringLiteral(" (off)"));
        }
        QCOMPARE(shown, actions);
        m_engine->labRequests.clear();
        find<QMenu>("labMenu").actions().at(condition == 2 ? 1 : 0)->trigger();
        find<QMenu>("labMenu").close();
        const auto& fault = std::get<lab::Fault>(std::get<lab::Step>(m_engine->labRequests.back()).action);
        const bool isOfSentinel = std::visit(
            [](const auto& one) {
                if constexpr (requires { one.server; })
                    return one.server == lab::sentinelServer;
                return false;
            },
            fault);
        QVERIFY(isOfSentinel);
    }

    // Only a Cluster has slots.
    void noSlotMovesWithoutACluster() {
        run();
        m_engine->report(labUpdate(lab::LabPhase::Stopped, {labFrame(0ms, "a", "acquire", "acquired", 1)}));
        auto& keys = find<QTreeWidget>("labKeys");
        keys.setCurrentItem(keys.topLevelItem(0)->child(0));
        Q_EMIT keys.customContextMenuRequested({});
        QVERIFY(m_window->findChild<QAction*>(QStringLiteral("labDelete")));
        QVERIFY(!m_window->findChild<QAction*>(QStringLiteral("labMoveSlot")));
        find<QMenu>("labMenu").close();
    }

    // As if the slot of a key is to move in a Cluster that is down. No actor gets the error.
    void aChangeByHandThatFailsIsReported() {
        run();
        lab::LabFrame frame = labFrame(0ms, "", "fault", "ServerReply", 1);
        frame.facts = {{"error", QByteArray("CLUSTERDOWN Hash slot not served")},
                       {"error-reply", QByteArray("ClusterDown")},
                       {"fault", QByteArray("slot-moved")},
                       {"server", qint64(1)}};
        m_engine->report(labUpdate(lab::LabPhase::Stopped, {frame}));
        QCOMPARE(find<QLabel>("labCaption").text(),
                 QStringLiteral(
                     "The slot of L cannot move to Server 2: the cluster is down (CLUSTERDOWN Hash slot not served)."));
    }

    void aRunThatWasChangedByHandIsNotJudged() {
        run();
        lab::LabUpdate end = labUpdate(lab::LabPhase::Free, {labFrame(0ms, "", "start", "", 0)});
        end.outcome.emplace();
        end.outcome->isChangedByHand = true;
        m_engine->report(end);
        const auto& verdict = find<QLabel>("labVerdict");
        QVERIFY2(verdict.text().startsWith(QStringLiteral("This run was changed by hand")), qPrintable(verdict.text()));
        QVERIFY(!verdict.isHidden());
        QVERIFY(find<QLabel>("labWhy").isHidden());
        QVERIFY(find<QPushButton>("labMoment").isHidden());
    }

    // The prediction that is chosen stays.
    void itsTimesAreStretched() {
        m_window->findChild<LabPage*>(QStringLiteral("labPage"))->showExperiment("short-lease");
        find<QRadioButton>("labPrediction1").setChecked(true);
        auto& stretch = find<QComboBox>("labStretch");
        QCOMPARE(labelOf(stretch), QStringLiteral("&All times:"));
        QCOMPARE(stretch.currentText(), QStringLiteral("× 1 (watchdog 1.5 s)"));
        stretchTo(1);
        QCOMPARE(stretch.currentText(), QStringLiteral("× 2 (watchdog 3 s)"));
        const auto& question = find<QLabel>("labQuestion");
        QVERIFY2(question.text().contains(QStringLiteral("a lease of 1.6 s and works for 3.2 s")),
                 qPrintable(question.text()));
        QVERIFY(find<QRadioButton>("labPrediction1").isChecked());
        run();
        QCOMPARE(m_engine->labs.back().variation.stretch, 2);
        QVERIFY(!stretch.isEnabled());
    }

    // The texts are those of the run that is shown, until there is another one.
    void theTextsAreThoseOfTheRun() {
        run();
        m_window->findChild<LabPage*>(QStringLiteral("labPage"))->showExperiment("short-lease");
        run();
        lab::LabUpdate end = labUpdate(lab::LabPhase::Free, {labFrame(0ms, "", "start", "", 0)});
        end.outcome.emplace();
        m_engine->report(end);
        stretchTo(3);
        const auto& question = find<QLabel>("labQuestion");
        QVERIFY(question.text().contains(QStringLiteral("a lease of 0.8 s")));
        run();
        QVERIFY(question.text().contains(QStringLiteral("a lease of 8 s")));
        QCOMPARE(m_engine->labs.back().variation.stretch, 10);
    }

    // Also rows with a font of their own.
    void theRowsGrowWhenTheLabIsPresented() {
        run();
        m_engine->report(labUpdate(lab::LabPhase::Running, {labFrame(1ms, "a", "acquire", "acquired", 1)}));
        const auto& actors = find<QTreeWidget>("labActors");
        const auto size = [&actors] { return actors.topLevelItem(0)->font(0).pointSizeF(); };
        const double before = size();
        QVERIFY(actors.topLevelItem(0)->font(0).bold());
        find<QPushButton>("labPresent").click();
        QTRY_VERIFY(size() > before);
        QCOMPARE(size(), actors.font().pointSizeF());
        find<QPushButton>("labPresent").click();
        QTRY_COMPARE(size(), before);
    }

    // The window has the size of a usual projector.
    void allOfItIsSeenWhenItIsPresentedInASmallWindow() {
        const QSize size(1024, 700);
        m_window->resize(size);
        const QWidget& page = find<QWidget>("labPage");
        const QSplitter& columns = *page.findChild<QSplitter*>();
        const QList<int> before = columns.sizes();
        find<QPushButton>("labPresent").click();
        run();  // *Run again* is longer
        lab::LabFrame frame = labFrame(1ms, "a", "acquire", "acquired", 1);
        frame.actors.front().threads.front().leaseLeft = 675ms;
        frame.actors.back() = labActor("b", true);
        frame.actors.back().threads.front().doing = lab::LabThread::Doing::Waits;
        m_engine->report(
            labUpdate(lab::LabPhase::Free, {frame},
                      {decidedCommand(), decidedCall("exists"), decidedCall("hexists"), decidedCall("pttl")}));
        QTRY_VERIFY(columns.sizes().front() > before.front());
        QVERIFY2(page.minimumSizeHint().width() <= size.width(),
                 qPrintable(QString::number(page.minimumSizeHint().width())));
        QCOMPARE(m_window->size(), size);
        for (const char* name :
             {"labRun", "labStep", "labPause", "labSpeed", "labWithoutCause", "labDo", "labPresent", "labStretch"}) {
            const auto& control = find<QWidget>(name);
            const QRect place(control.mapTo(&page, QPoint()), control.size());
            QVERIFY2(page.rect().contains(place), name);
            QVERIFY2(control.width() >= control.sizeHint().width(), name);
        }
        // The lock and the lease that an actor believes in are seen; what is cut short is in the tool tip.
        const auto& actors = find<QTreeWidget>("labActors");
        const QTreeWidgetItem& belief = *actors.topLevelItem(0)->child(0);
        QTRY_COMPARE(belief.font(0).resolve(actors.font()).pointSizeF(), actors.font().pointSizeF());
        QVERIFY(belief.text(0).startsWith(QStringLiteral("holds L · ")));
        const QFontMetrics metrics = actors.fontMetrics();
        const int left = actors.visualItemRect(&belief).left() + actors.style()->pixelMetric(QStyle::PM_SmallIconSize);
        QVERIFY(left + metrics.horizontalAdvance(QStringLiteral("holds L · …")) < actors.columnWidth(0));
        QVERIFY(metrics.horizontalAdvance(belief.text(1)) < actors.viewport()->width() - actors.columnWidth(0));
        for (const QString& text : {QStringLiteral("holds L · thread 1"), QStringLiteral("675 ms left")})
            QVERIFY2(belief.toolTip(0).contains(text), qPrintable(belief.toolTip(0)));
        const QTreeWidgetItem& waiting = *actors.topLevelItem(1)->child(0);
        QVERIFY(waiting.isFirstColumnSpanned());
        QVERIFY(left + metrics.horizontalAdvance(waiting.text(0)) < actors.viewport()->width());
        QVERIFY(!belief.isFirstColumnSpanned());
        QVERIFY(actors.topLevelItem(0)->toolTip(0).contains(QStringLiteral("a · running")));
        QVERIFY(actors.topLevelItem(0)->toolTip(0).contains(QStringLiteral("Changed since the moment before")));
        auto& wire = find<QTreeWidget>("labWire");
        const QTreeWidgetItem& script = *wire.topLevelItem(0);
        const QTreeWidgetItem& decided = *script.child(script.childCount() - 1);
        QVERIFY(decided.isFirstColumnSpanned());
        const int room = wire.viewport()->width() - wire.visualItemRect(&decided).left();
        QVERIFY(metrics.horizontalAdvance(QStringLiteral("decided by: return redis.call('pttl', …")) < room);
        QVERIFY(decided.toolTip(0).contains(QStringLiteral("decided by: return redis.call('pttl', lock)")));
        QVERIFY(decided.toolTip(0).contains(QStringLiteral("The line of the script")));
        find<QPushButton>("labPresent").click();
        QTRY_COMPARE(columns.sizes(), before);
        QCOMPARE(m_window->size(), size);
    }

    // Only while the lab is in front, and without more room than a usual projector has.
    void menusAndToolBarGrowWhileTheLabIsPresented() {
        m_window->resize(1024, 700);
        const auto& bar = *m_window->menuBar();
        auto& toolBar = find<QToolBar>("toolBar");
        const auto& menu = *bar.findChild<QMenu*>();
        const auto sizes = [&] {
            return QList<double>{bar.font().pointSizeF(), toolBar.font().pointSizeF(), menu.font().pointSizeF()};
        };
        const QList<double> before = sizes();
        const double size = m_window->font().pointSizeF() * 1.5;
        const QList<double> large{size, size, size};
        find<QPushButton>("labPresent").click();
        QCOMPARE(sizes(), large);
        QTRY_VERIFY2(toolBar.sizeHint().width() <= 1024, qPrintable(QString::number(toolBar.sizeHint().width())));
        QVERIFY2(bar.sizeHint().width() <= 1024, qPrintable(QString::number(bar.sizeHint().width())));
        run();
        m_engine->report(labUpdate(lab::LabPhase::Free, {labFrame(1ms, "a", "acquire", "acquired", 1)}));
        find<QPushButton>("labDo").click();
        QCOMPARE(find<QMenu>("labMenu").font().pointSizeF(), size);
        find<QMenu>("labMenu").close();
        find<QAction>("actionNewTab").trigger();
        QCOMPARE(sizes(), before);
        find<QTabWidget>("sessionTabs").setCurrentIndex(0);
        QCOMPARE(sizes(), large);
        find<QPushButton>("labPresent").click();
        QCOMPARE(sizes(), before);
        find<QPushButton>("labPresent").click();
        QCOMPARE(sizes(), large);
        find<QAction>("actionClosePage").trigger();
        QTRY_VERIFY(!m_window->findChild<LabPage*>(QStringLiteral("labPage")));
        QCOMPARE(sizes(), before);
        QCOMPARE(m_window->size(), QSize(1024, 700));
    }

    // For a user who has gone back to an earlier moment, before a prediction.
    void whatHappensMeanwhileIsHiddenUntilAPredictionIsChosen() {
        run();
        const auto report = [this](Milliseconds at, const char* actor, int holders) {
            m_engine->report(labUpdate(lab::LabPhase::Running, {labFrame(at, actor, "acquire", "acquired", holders)}));
        };
        const auto& steps = find<QListWidget>("labSteps");
        report(1ms, "a", 1);
        report(2ms, "a", 1);
        find<QSlider>("labSlider").setValue(0);
        report(3ms, "b", 2);
        QVERIFY(steps.item(1)->text().contains(QStringLiteral("a has acquired L.")));
        QCOMPARE(steps.item(2)->text(), QStringLiteral("Step 3"));
        find<QRadioButton>("labPrediction1").toggle();  // as assistive technology does
        QVERIFY(steps.item(2)->text().contains(QStringLiteral("b has acquired L.")));
        report(4ms, "b", 2);
        QVERIFY(steps.item(3)->text().contains(QStringLiteral("b has acquired L.")));
    }

    void aRunThatIsClosedIsNotRecorded() {
        run();
        record().trigger();
        const QPointer<QFileDialog> dialog = &find<QFileDialog>("recordDialog");
        find<QAction>("actionClosePage").trigger();
        QTRY_VERIFY(!m_window->findChild<LabPage*>(QStringLiteral("labPage")));
        if (dialog)
            Q_EMIT dialog->fileSelected(QStringLiteral("/home/me/lab.lkrec"));
        QVERIFY(m_engine->recordings.empty());
    }
};

LOCKKEEPER_TEST(TestLabPage, Gui)

}  // namespace tst_labpage

#include "tst_labpage.moc"
