// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/messagebar.h"
#include "ui/base/statusfield.h"
#include "ui/connections/connectdialog.h"
#include "ui/events/log/eventdelegate.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/window/exitcontroller.h"
#include "ui/window/firstsweepscreenshot.h"
#include "ui/window/start/startpage.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QHelpEvent>
#include <QImage>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyle>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>
#include <QTreeWidget>

namespace tst_mainwindow {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestMainWindow : public WindowTest {
    Q_OBJECT

private:
    QString banner() const {
        const QWidget& widget = find<QWidget>(QStringLiteral("banner"));
        return widget.isVisible() ? widget.findChild<QLabel*>(QStringLiteral("messageText"))->text() : QString();
    }
    QString status(const QString& field) const { return find<StatusField>(field).text(); }
    QString lastMessage() const {
        const QStringList texts = find<MessageBar>(QStringLiteral("messageBar")).texts();
        return texts.isEmpty() ? QString() : texts.back();
    }
    QString emptyHeadline() const {
        const QLabel& label = find<QLabel>(QStringLiteral("emptyHeadline"));
        return label.isVisible() ? label.text() : QString();
    }
    void connectWithLocks() {
        m_engine->report(connected());
        m_engine->report(
            batchOf({heldRow(m_clock, lockName("orders/{42}"), 12s),
                     heldRow(m_clock, lockName("mine"), 20s, holder(clientB, 1)), freeRow(m_clock, lockName("free"))}));
        m_engine->report(QList<control::OwnLock>{control::OwnLock{lockName("mine"), holder(clientB, 1).id, 1, true}});
    }
    void answer(control::Outcome outcome, std::optional<Error> error = {},
                std::optional<monitor::LockSnapshot> now = {}) {
        control::OperationResult result;
        result.outcome = outcome;
        result.name = lockName("orders/{42}");
        result.error = std::move(error);
        result.now = std::move(now);
        m_engine->finishLast(result);
    }
    void forceReleaseOrders() {
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionForceRelease")).trigger();
        QDialog* force = dialog(QStringLiteral("forceReleaseDialog"));
        QVERIFY(force);
        force->findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("crashed"));
        force->findChild<QAbstractButton*>(QStringLiteral("forceButton"))->click();
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
    }
    void cleanup() { end(); }

    void aRedissonFileWithVariablesIsAskedAbout() {
        QFile file(m_directory->filePath(QStringLiteral("redisson.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("singleServerConfig:\n  address: redis://${LOCKKEEPER_TEST_HOST}:1\n");
        file.close();
        m_window->openRedissonFile(file.fileName());
        QDialog* connecting = dialog(QStringLiteral("connectDialog"));
        QVERIFY(connecting);
        QTRY_VERIFY(connecting->findChild<QDialog*>(QStringLiteral("variablesDialog")));
    }

    void whatAFileIsNotUsedForIsSaid() {
        m_window->showNotes({});
        QCOMPARE(lastMessage(), QString());
        m_window->showNotes({{profile::RedissonNote::Kind::NameMapper, {}}});
        QVERIFY2(lastMessage().contains(QStringLiteral("nameMapper")), qPrintable(lastMessage()));
    }

    void saysWhyThereIsNothingToSee() {
        QVERIFY(find<QWidget>(QStringLiteral("startPage")).isVisible());
        ConnectionStatus status = connected();
        status.phase = ConnectionPhase::Connecting;
        m_engine->report(status);
        QVERIFY(!find<QWidget>(QStringLiteral("startPage")).isVisible());
        QVERIFY(emptyHeadline().startsWith(QStringLiteral("Connecting to redis.example.com")));
        m_engine->report(connected());
        QCOMPARE(emptyHeadline(), QStringLiteral("No locks yet"));
        monitor::MonitorBatch batch;
        batch.stats = monitor::MonitorStats();
        batch.stats->keysThisSweep = 4100;
        batch.stats->databaseSize = 10000;
        m_engine->report(batch);
        const QString text = find<QLabel>(QStringLiteral("emptyText")).text();
        QVERIFY2(text.contains(QLocale().toString(4100)), qPrintable(text));
        m_engine->report(batchOf({heldRow(m_clock, lockName("L"), 1s)}));
        QVERIFY(table().isVisible());
    }

    void aColumnChosenFromTheMenuIsKept() {
        m_engine->report(connected());
        QAction& rate = action(QStringLiteral("actionColumn_%1").arg(int{LockTableModel::Rate}));
        QVERIFY(table().isColumnHidden(LockTableModel::Rate));
        rate.trigger();
        QVERIFY(!table().isColumnHidden(LockTableModel::Rate));
        m_window->quitAtOnce();
        m_engine->finishShutDown();
        makeWindow();  // with the settings that the first window has saved
        QVERIFY(!table().isColumnHidden(LockTableModel::Rate));
        QVERIFY(table().isColumnHidden(LockTableModel::Kind));
    }

    void theStatusBarCountsDiagnosesAndShowsTheirLocks() {
        connectWithLocks();
        const QToolButton& faulty = find<QToolButton>(QStringLiteral("statusFaulty"));
        QVERIFY(!faulty.isVisible());
        monitor::MonitorBatch batch =
            batchOf({diagnosedRow(m_clock, lockName("orders/{42}"), {watchdogStopped(m_clock)})});
        batch.stats = monitor::MonitorStats();
        batch.stats->faultyLocks = 1;
        m_engine->report(batch);
        QVERIFY(faulty.isVisible());
        QCOMPARE(faulty.text(), QStringLiteral("1 lock with a diagnosis"));
        find<QLineEdit>(QStringLiteral("lockFilter")).setText(QStringLiteral("mine"));
        find<QToolButton>(QStringLiteral("statusFaulty")).click();
        QCOMPARE(table().model()->rowCount(), 1);
        QVERIFY(find<QCheckBox>(QStringLiteral("faultyLocksOnly")).isChecked());
        find<QCheckBox>(QStringLiteral("faultyLocksOnly")).setChecked(false);
        QCOMPARE(table().model()->rowCount(), 3);
        m_engine->report(reconnecting(m_clock.wallNow()));
        QVERIFY(!faulty.isVisible());
    }

    void aFilterThatHidesAllIsTakenAwayByAButton() {
        connectWithLocks();
        find<QLineEdit>(QStringLiteral("lockFilter")).setText(QStringLiteral("nothing has this"));
        QCOMPARE(emptyHeadline(), QStringLiteral("Nothing matches"));
        find<QAbstractButton>(QStringLiteral("emptyButton")).click();
        QVERIFY(table().isVisible());
        QCOMPARE(table().model()->rowCount(), 3);
    }

    void theStatusBarSaysWhatWatchingCosts() {
        m_engine->report(connected());
        QVERIFY(find<QWidget>(QStringLiteral("statusReads")).isHidden());
        monitor::MonitorBatch batch;
        batch.stats = monitor::MonitorStats();
        batch.stats->observation = monitor::ObservationMode::Polling;
        batch.stats->observationLimit = {monitor::ObservationLimit::Kind::TrackingRefused,
                                         Error(ErrorCode::NotPermitted, QStringLiteral("NOPERM tracking"))};
        batch.stats->knownLocks = 130;
        batch.stats->heldLocks = 12;
        batch.stats->readsPerSecond = 33.6;
        batch.stats->readBudgetPerSecond = 500;
        batch.stats->sweepsDone = 1;
        batch.stats->keysInLastSweep = 900;
        batch.stats->denied = {
            {monitor::Denied::Command, QStringLiteral("PUBSUB"), monitor::Consequence::WaitersUnknown, {}}};
        m_engine->report(batch);
        QCOMPARE(status(QStringLiteral("statusConnection")), QStringLiteral("Connected to redis.example.com:6379/0"));
        QCOMPARE(status(QStringLiteral("statusObservation")), QStringLiteral("Polling"));
        const QString source = find<QWidget>(QStringLiteral("statusObservation")).toolTip();
        for (const char* line :
             {"read again and again", "Nothing better: the server refuses CLIENT TRACKING (NOPERM tracking)",
              "Not seen: what comes and goes between two reads",
              "PUBSUB: who waits for a lock is not known, except in a fair lock's queue"})
            QVERIFY2(source.contains(QString::fromLatin1(line)), qPrintable(source));
        QCOMPARE(status(QStringLiteral("statusLocks")), QStringLiteral("12 held of 130 known"));
        QCOMPARE(status(QStringLiteral("statusReads")), QStringLiteral("34 of 500 reads/s"));
        QCOMPARE(status(QStringLiteral("statusSweep")), QStringLiteral("All keys read: 900"));
        QVERIFY(find<QWidget>(QStringLiteral("statusDenied")).toolTip().contains(QStringLiteral("PUBSUB")));
    }

    void whatOthersWroteIsNoMarkup() {
        ConnectionStatus connecting = connected();
        connecting.phase = ConnectionPhase::Connecting;
        connecting.server = QStringLiteral("<b>cache</b>");
        m_engine->report(connecting);
        QCOMPARE(find<QLabel>(QStringLiteral("emptyHeadline")).textFormat(), Qt::PlainText);
        m_engine->report(connected());
        monitor::MonitorBatch batch;
        batch.stats = monitor::MonitorStats();
        batch.stats->denied = {{monitor::Denied::DiscoveryConnection,
                                {},
                                monitor::Consequence::NoConnectionToScan,
                                Error(ErrorCode::ConnectionLost, QStringLiteral("<img src=\"x\"> & more"))}};
        m_engine->report(batch);
        const QWidget& denied = find<QWidget>(QStringLiteral("statusDenied"));
        QCOMPARE(denied.toolTip(),
                 QStringLiteral(
                     "<p>Discovery: no connection to find locks with: &lt;img src=&quot;x&quot;&gt; &amp; more</p>"));
        QCOMPARE(denied.accessibleDescription(),
                 QStringLiteral("Discovery: no connection to find locks with: <img src=\"x\"> & more"));
    }

    void theStatusBarSaysHowFarDiscoveryHasCome_data() {
        QTest::addColumn<quint64>("sweeps");
        QTest::addColumn<quint64>("keys");
        QTest::addColumn<qint64>("databaseSize");
        QTest::addColumn<monitor::DiscoveryState>("state");
        QTest::addColumn<QString>("text");
        using State = monitor::DiscoveryState;
        QTest::newRow("first sweep") << quint64{0} << quint64{4'920'000} << qint64{12'000'000} << State::Running
                                     << "Keys read: 41 % of 12 million";
        QTest::newRow("a few million") << quint64{0} << quint64{10} << qint64{1'250'000} << State::Running
                                       << "Keys read: 0 % of 1.3 million";
        QTest::newRow("of unknown size") << quint64{0} << quint64{4100} << qint64{0} << State::Running
                                         << "Keys read: 4,100";
        QTest::newRow("paused") << quint64{0} << quint64{50} << qint64{100} << State::Paused
                                << "Paused. Keys read: 50 % of 100";
        QTest::newRow("done") << quint64{1} << quint64{50} << qint64{100} << State::Running << "All keys read: 99";
        QTest::newRow("paused when done")
            << quint64{3} << quint64{50} << qint64{100} << State::Paused << "Paused. All keys read: 99";
    }
    void theStatusBarSaysHowFarDiscoveryHasCome() {
        QFETCH(const quint64, sweeps);
        QFETCH(const quint64, keys);
        QFETCH(const qint64, databaseSize);
        QFETCH(const monitor::DiscoveryState, state);
        m_engine->report(connected());
        monitor::MonitorBatch batch;
        batch.stats = monitor::MonitorStats();
        batch.stats->sweepsDone = sweeps;
        batch.stats->keysInLastSweep = 99;
        batch.stats->keysThisSweep = keys;
        batch.stats->databaseSize = databaseSize;
        batch.stats->discovery = state;
        m_engine->report(batch);
        QTEST(status(QStringLiteral("statusSweep")), "text");
        QCOMPARE(action(QStringLiteral("actionPauseDiscovery")).isChecked(), state == monitor::DiscoveryState::Paused);
    }

    void discoveryIsPausedAndResumedByTheMenu() {
        QVERIFY(!action(QStringLiteral("actionPauseDiscovery")).isEnabled());
        m_engine->report(connected());
        action(QStringLiteral("actionPauseDiscovery")).trigger();
        action(QStringLiteral("actionPauseDiscovery")).trigger();
        QCOMPARE(m_engine->discoveries, (std::vector<monitor::DiscoveryState>{monitor::DiscoveryState::Paused,
                                                                              monitor::DiscoveryState::Running}));
    }

    void theNextSessionReadsTheNamesOfTheLastFirst() {
        profile::ConnectionProfile profile;
        profile.endpoint.host = QStringLiteral("cache");
        profile.id = profile.addressId();
        m_window->connectTo(profile);
        QCOMPARE(m_engine->lastKnownNames, QList<LockName>());
        ConnectionStatus status = connected();
        status.server = profile.display();
        status.profile = profile.id;
        m_engine->report(status);
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders/{42}"), 12s), freeRow(m_clock, lockName("free"))}));
        m_window->close();
        m_engine->finishShutDown();
        makeWindow();
        m_window->connectTo(profile);
        QCOMPARE(m_engine->lastKnownNames, QList<LockName>{lockName("orders/{42}")});
        m_window->connectToDemo(redis::AccessMode::ReadOnly);
        m_engine->report(batchOf({heldRow(m_clock, lockName("demo"), 1s)}));
        m_window->connectTo(profile);
        QCOMPARE(m_engine->lastKnownNames, QList<LockName>{lockName("orders/{42}")});
    }

    void inALowWindowTimelineAndEventsShareTabs() {
        connectWithLocks();
        auto* page = m_window->findChild<SessionPage*>();
        auto* timeline = m_window->findChild<QDockWidget*>(QStringLiteral("timelineDock"));
        auto* events = m_window->findChild<QDockWidget*>(QStringLiteral("eventDock"));
        const int lines60 = 60 * page->fontMetrics().height();
        for (const auto& [height, areTabs] : {std::pair(700, true), std::pair(lines60, false),
                                              std::pair(lines60 - 1, true), std::pair(lines60 + 200, false)}) {
            m_window->resize(1100, height);
            QTRY_COMPARE(page->tabifiedDockWidgets(timeline).contains(events), areTabs);
        }
        // What the user arranges stays until the window becomes low or high.
        page->tabifyDockWidget(timeline, events);
        m_window->resize(1200, 900);
        QCoreApplication::processEvents();
        QVERIFY(page->tabifiedDockWidgets(timeline).contains(events));
    }

    void theKeyOfAPanelBehindATabBringsItToTheFront() {
        connectWithLocks();
        m_window->resize(1100, 700);
        auto* timeline = m_window->findChild<QDockWidget*>(QStringLiteral("timelineDock"));
        auto* events = m_window->findChild<QDockWidget*>(QStringLiteral("eventDock"));
        QTRY_VERIFY(events->visibleRegion().isEmpty() && !events->isHidden());
        events->toggleViewAction()->trigger();
        QTRY_VERIFY(!events->visibleRegion().isEmpty());
        QVERIFY(events->toggleViewAction()->isChecked());
        timeline->toggleViewAction()->trigger();
        QTRY_VERIFY(!timeline->visibleRegion().isEmpty());
        timeline->toggleViewAction()->trigger();
        QVERIFY(timeline->isHidden());
        QVERIFY(!timeline->toggleViewAction()->isChecked());
    }

    // Holds until the user moves the line between two of the panels.
    void inAHighWindowTimelineAndEventsHaveTheirPart() {
        connectWithLocks();
        const auto* timeline = m_window->findChild<QDockWidget*>(QStringLiteral("timelineDock"));
        auto* page = m_window->findChild<SessionPage*>();
        m_window->resize(1600, 900);
        QTRY_VERIFY(timeline->height() < 300);
        m_window->resize(1600, 1500);
        QTRY_VERIFY(timeline->height() > 350);
        m_window->resize(1600, 900);
        QTRY_VERIFY(timeline->height() < 300);
        const QPoint line(timeline->width() / 2, timeline->geometry().bottom() + 3);
        QVERIFY(!page->childAt(line));
        QTest::mouseClick(page, Qt::LeftButton, {}, line);
        m_window->resize(1600, 1500);
        QCoreApplication::processEvents();
        QVERIFY2(timeline->height() < 300, qPrintable(QString::number(timeline->height())));
    }

    // In a narrow window no usual cell of the table beside the details is cut; in a wide one a holder fits on one
    // line. Holds until the user moves the line between them.
    void theWidthOfTheDetailsFollowsTheWindow() {
        connectWithLocks();
        const auto* details = m_window->findChild<QDockWidget*>(QStringLiteral("detailDock"));
        auto* page = m_window->findChild<SessionPage*>();
        page->locksPage().selectFirst();
        m_window->resize(1440, 900);
        QTRY_COMPARE(details->width(), 300);
        m_window->resize(1024, 700);
        QTRY_COMPARE(details->width(), 246);
        m_window->resize(2560, 900);
        QTRY_COMPARE(details->width(), 360);
        m_window->resize(1440, 900);
        QTRY_COMPARE(details->width(), 300);
        const QPoint line(details->x() - 3, details->geometry().center().y());
        QVERIFY(!page->childAt(line));
        QTest::mouseClick(page, Qt::LeftButton, {}, line);
        m_window->resize(1024, 700);
        QCoreApplication::processEvents();
        QCOMPARE(details->width(), 300);
    }

    void theNextAttemptIsCountedDown() {
        connectWithLocks();
        ConnectionStatus lost = reconnecting(m_clock.wallNow());
        lost.nextAttempt = m_clock.now() + 2500ms;
        m_engine->report(lost);
        auto* retry = m_window->findChild<QPushButton*>(QStringLiteral("bannerRetryNow"));
        QCOMPARE(retry->text(), QStringLiteral("&Retry now (in 3 s)"));
        m_clock.advance(500ms);
        QCOMPARE(retry->text(), QStringLiteral("&Retry now (in 2 s)"));
        m_clock.advance(1s);
        QCOMPARE(retry->text(), QStringLiteral("&Retry now (in 1 s)"));
        m_clock.advance(1s);
        QCOMPARE(retry->text(), QStringLiteral("&Retry now"));
    }

    void aLostConnectionMakesEverythingOld() {
        connectWithLocks();
        table().setCurrentLock(lockName("mine"));
        m_engine->report(reconnecting(m_clock.wallNow()));
        QVERIFY2(banner().startsWith(QStringLiteral("Connection lost ")), qPrintable(banner()));
        auto* retry = m_window->findChild<QPushButton*>(QStringLiteral("bannerRetryNow"));
        QVERIFY(retry->isVisible());
        retry->click();
        QCOMPARE(m_engine->retries, 1);
        QCOMPARE(retry->text(), QStringLiteral("&Retry now"));
        QVERIFY2(banner().contains(QStringLiteral("rows below are as last seen then; reconnecting")),
                 qPrintable(banner()));
        QVERIFY(table()
                    .currentIndex()
                    .siblingAtColumn(LockTableModel::State)
                    .data()
                    .toString()
                    .contains(QStringLiteral("old")));
        for (const QString& name :
             {QStringLiteral("actionAcquire"), QStringLiteral("actionRelease"), QStringLiteral("actionForceRelease")}) {
            QVERIFY(!action(name).isEnabled());
            QVERIFY2(action(name).toolTip().contains(QStringLiteral("connection is lost")),
                     qPrintable(action(name).toolTip()));
        }
        m_engine->report(connected());
        QCOMPARE(banner(), QString());
        QVERIFY(action(QStringLiteral("actionRelease")).isEnabled());
    }

    void aFailedConnectionSaysWhyAndOffersToTryAgain() {
        profile::ConnectionProfile profile;
        profile.endpoint.host = QStringLiteral("redis.example.com");
        profile.credentials.password = QByteArrayLiteral("s3cret");
        m_window->connectTo(profile);
        ConnectionStatus failed = connected();
        failed.phase = ConnectionPhase::Failed;
        failed.error = Error(ErrorCode::Auth, QStringLiteral("WRONGPASS"));
        m_engine->report(failed);
        QVERIFY2(banner().contains(QStringLiteral("did not accept the user name or password (WRONGPASS)")),
                 qPrintable(banner()));
        find<QAbstractButton>(QStringLiteral("bannerRetry")).click();
        QCOMPARE(m_engine->connects.size(), size_t{2});
        QCOMPARE(m_engine->connects[1], profile);
        find<QAbstractButton>(QStringLiteral("bannerEdit")).click();
        QVERIFY(dialog(QStringLiteral("connectDialog")));
    }

    void theDemoIsTriedAgainAsTheDemo() {
        action(QStringLiteral("actionDemo")).trigger();
        ConnectionStatus failed;
        failed.phase = ConnectionPhase::Failed;
        m_engine->report(failed);
        find<QAbstractButton>(QStringLiteral("bannerRetry")).click();
        QCOMPARE(m_engine->demos.size(), size_t{2});
        QCOMPARE(m_engine->connects.size(), size_t{0});
    }

    void connectsThroughItsDialog() {
        action(QStringLiteral("actionConnect")).trigger();
        QDialog* connectDialog = dialog(QStringLiteral("connectDialog"));
        QVERIFY(connectDialog);
        connectDialog->findChild<QComboBox*>(QStringLiteral("connectUrl"))
            ->setEditText(QStringLiteral("redis://u:s3cret@redis.example.com"));
        connectDialog->findChild<QAbstractButton*>(QStringLiteral("connectButton"))->click();
        QCOMPARE(m_engine->connects.size(), size_t{1});
        m_engine->report(connecting());
        m_engine->report(connected());
        QVERIFY(!dialog(QStringLiteral("connectDialog")));
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("redis.example.com")));
        QVERIFY(!m_window->windowTitle().contains(QStringLiteral("s3cret")));
    }

    // The order is that of the real engine: it ends the last attempt before it begins the next.
    void theDialogForgetsTheFailureOfTheAttemptBefore() {
        action(QStringLiteral("actionConnect")).trigger();
        const auto connectButton = [this] {
            return dialog(QStringLiteral("connectDialog"))
                ->findChild<QAbstractButton*>(QStringLiteral("connectButton"));
        };
        const auto message = [this] {
            return dialog(QStringLiteral("connectDialog"))
                ->findChild<QWidget*>(QStringLiteral("connectMessage"))
                ->findChild<QLabel*>(QStringLiteral("messageText"))
                ->text();
        };
        const auto leave = [this] {
            monitor::MonitorBatch nothing;
            nothing.reset = true;
            m_engine->report(QList<control::OwnLock>());
            m_engine->report(nothing);
        };
        connectButton()->click();
        leave();
        m_engine->report(connecting());
        ConnectionStatus failed = connected();
        failed.phase = ConnectionPhase::Failed;
        failed.error = Error(ErrorCode::Auth, QStringLiteral("WRONGPASS"));
        m_engine->report(failed);
        QVERIFY2(message().contains(QStringLiteral("WRONGPASS")), qPrintable(message()));
        connectButton()->click();
        leave();
        QVERIFY2(!message().contains(QStringLiteral("WRONGPASS")), qPrintable(message()));
        m_engine->report(connecting());
        QVERIFY2(message().startsWith(QStringLiteral("Connecting to")), qPrintable(message()));
        m_engine->report(connected());
        QVERIFY(!dialog(QStringLiteral("connectDialog")));
    }

    void givingUpAConnectionReachesTheEngine() {
        action(QStringLiteral("actionConnect")).trigger();
        dialog(QStringLiteral("connectDialog"))->findChild<QAbstractButton*>(QStringLiteral("connectButton"))->click();
        dialog(QStringLiteral("connectDialog"))->reject();
        QCOMPARE(m_engine->closes.size(), size_t{1});
    }

    void aDisconnectedTableSaysThatItIsOld() {
        m_window->connectTo(profile::ConnectionProfile());
        connectWithLocks();
        action(QStringLiteral("actionDisconnect")).trigger();
        QCOMPARE(m_engine->closes.size(), size_t{1});
        m_engine->report(ConnectionStatus());
        QVERIFY2(banner().startsWith(QStringLiteral("Disconnected ")), qPrintable(banner()));
        QVERIFY(!action(QStringLiteral("actionDisconnect")).isEnabled());
    }

    void saysWhatItIs() {
        action(QStringLiteral("actionAbout")).trigger();
        QVERIFY(dialog(QStringLiteral("aboutBox")));
        dialog(QStringLiteral("aboutBox"))->findChild<QPushButton*>(QStringLiteral("aboutCopy"))->click();
        QVERIFY2(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("Lockkeeper ")),
                 qPrintable(QGuiApplication::clipboard()->text()));
        QVERIFY(QGuiApplication::clipboard()->text().contains(QString::fromLatin1(qVersion())));
        QVERIFY(dialog(QStringLiteral("aboutBox"))->isVisible());
    }

    void anotherServerForgetsTheRows() {
        connectWithLocks();
        ConnectionStatus other = connected();
        other.phase = ConnectionPhase::Connecting;
        other.server = QStringLiteral("other:6379/0");
        m_engine->report(other);
        QCOMPARE(table().model()->rowCount(), 0);
        QVERIFY(find<QDockWidget>(QStringLiteral("detailDock")).isHidden());
    }

    void readOnlyRefusesEverythingThatWrites() {
        connectWithLocks();
        ConnectionStatus status = connected();
        status.readOnly = true;
        m_engine->report(status);
        table().setCurrentLock(lockName("mine"));
        QCOMPARE(status.readOnly, !find<QWidget>(QStringLiteral("statusReadOnly")).isHidden());
        for (const QString& name :
             {QStringLiteral("actionAcquire"), QStringLiteral("actionRelease"), QStringLiteral("actionForceRelease")}) {
            QVERIFY(!action(name).isEnabled());
            QVERIFY2(action(name).toolTip().contains(QStringLiteral("read-only")), qPrintable(action(name).toolTip()));
        }
    }

    void offersWhatCanBeDoneWithTheSelectedLock_data() {
        QTest::addColumn<LockName>("lock");
        QTest::addColumn<bool>("release");
        QTest::addColumn<bool>("force");
        QTest::newRow("somebody else's") << lockName("orders/{42}") << false << true;
        QTest::newRow("own") << lockName("mine") << true << true;
        QTest::newRow("free") << lockName("free") << false << false;
    }
    void offersWhatCanBeDoneWithTheSelectedLock() {
        QFETCH(LockName, lock);
        connectWithLocks();
        table().setCurrentLock(lock);
        QTEST(action(QStringLiteral("actionRelease")).isEnabled(), "release");
        QTEST(action(QStringLiteral("actionForceRelease")).isEnabled(), "force");
    }

    void releasesOnlyTheSelectedOwnLock() {
        connectWithLocks();
        table().setCurrentLock(lockName("mine"));
        action(QStringLiteral("actionRelease")).trigger();
        QCOMPARE(m_engine->releases.size(), size_t{1});
        QCOMPARE(m_engine->releases[0].name, lockName("mine"));
    }

    void acquiresAndSaysWhoHoldsIt() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionAcquire")).trigger();
        dialog(QStringLiteral("acquireDialog"))->findChild<QAbstractButton*>(QStringLiteral("acquireButton"))->click();
        QCOMPARE(m_engine->acquires.size(), size_t{1});
        QCOMPARE(m_engine->acquires[0].name, lockName("orders/{42}"));
        QVERIFY(lastMessage().contains(QStringLiteral("waiting up to 10 s")));
        answer(control::Outcome::HeldByOther, {}, heldRow(m_clock, lockName("orders/{42}"), 12s).lock);
        QCOMPARE(lastMessage(),
                 QStringLiteral("orders/{42} was not acquired: it is held by %1:33 for another 12 s, unless renewed.")
                     .arg(QString::fromLatin1(clientA)));
    }

    void aWaitCanBeGivenUp() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionAcquire")).trigger();
        dialog(QStringLiteral("acquireDialog"))->findChild<QAbstractButton*>(QStringLiteral("acquireButton"))->click();
        find<QAbstractButton>(QStringLiteral("messageStopWaiting")).click();
        QCOMPARE(m_engine->cancelled, std::vector{m_engine->lastId});
        answer(control::Outcome::Failed, Error(ErrorCode::Cancelled, QString()));
        QVERIFY2(lastMessage().contains(QStringLiteral("was cancelled")), qPrintable(lastMessage()));
    }

    // The outcome of the request is shown later.
    void aRequestUnderWayIsNamedWhenItIsEnded_data() {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("begins");
        QTest::newRow("cancelled") << ErrorCode::Cancelled
                                   << QStringLiteral(
                                          "Acquiring orders/{42} was cancelled, but a request was under way.");
        QTest::newRow("disarmed")
            << ErrorCode::NotArmed
            << QStringLiteral("The connection is read-only now, but a request to acquire orders/{42} was under way.");
    }
    void aRequestUnderWayIsNamedWhenItIsEnded() {
        QFETCH(ErrorCode, code);
        QFETCH(QString, begins);
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionAcquire")).trigger();
        dialog(QStringLiteral("acquireDialog"))->findChild<QAbstractButton*>(QStringLiteral("acquireButton"))->click();
        control::OperationResult result = control::failure(lockName("orders/{42}"), Error(code, QString()));
        result.isUnderWay = true;
        m_engine->finishLast(result);
        QVERIFY2(lastMessage().startsWith(begins), qPrintable(lastMessage()));
        QVERIFY(lastMessage().contains(QStringLiteral("the lock is released again")));
    }

    void forceReleasesWhatWasConfirmed() {
        connectWithLocks();
        forceReleaseOrders();
        QCOMPARE(m_engine->forceReleases.size(), size_t{1});
        QCOMPARE(m_engine->forceReleases[0].confirmed.name, lockName("orders/{42}"));
        QCOMPARE(m_engine->forceReleases[0].reason, QStringLiteral("crashed"));
    }

    void saysWhatBecameOfIt_data() {
        QTest::addColumn<control::Outcome>("outcome");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("message");
        QTest::newRow("done") << control::Outcome::ForceReleased << ErrorCode::Protocol
                              << QStringLiteral("was force-released");
        QTest::newRow("changed") << control::Outcome::HolderChanged << ErrorCode::Protocol
                                 << QStringLiteral("Nothing was done");
        QTest::newRow("free") << control::Outcome::AlreadyFree << ErrorCode::Protocol
                              << QStringLiteral("was free already");
        QTest::newRow("unknown") << control::Outcome::Failed << ErrorCode::OutcomeUnknown
                                 << QStringLiteral("The answer was lost");
        QTest::newRow("lost before") << control::Outcome::Failed << ErrorCode::ConnectionLost
                                     << QStringLiteral("nothing was changed");
        QTest::newRow("not permitted") << control::Outcome::Failed << ErrorCode::NotPermitted
                                       << QStringLiteral("not permitted");
        QTest::newRow("not announced") << control::Outcome::Failed << ErrorCode::NotAnnounced
                                       << QStringLiteral("its waiters were not woken");
        QTest::newRow("no audit") << control::Outcome::Failed << ErrorCode::Storage
                                  << QStringLiteral("the audit cannot be written, so nothing was sent");
    }
    void saysWhatBecameOfIt() {
        QFETCH(control::Outcome, outcome);
        QFETCH(ErrorCode, code);
        QFETCH(QString, message);
        connectWithLocks();
        forceReleaseOrders();
        answer(outcome, Error(code, QStringLiteral("reason")));
        QVERIFY2(lastMessage().contains(message), qPrintable(lastMessage()));
    }

    void saysThatTheOutcomeIsNotInTheAudit() {
        connectWithLocks();
        forceReleaseOrders();
        control::OperationResult result;
        result.outcome = control::Outcome::ForceReleased;
        result.name = lockName("orders/{42}");
        result.notRecorded = Error(ErrorCode::Storage, Cause::FileNotWritten,
                                   {QStringLiteral("2026-11.jsonl"), QStringLiteral("disk full")});
        m_engine->finishLast(result);
        QVERIFY2(lastMessage().contains(QStringLiteral("was force-released")), qPrintable(lastMessage()));
        QVERIFY2(lastMessage().contains(QStringLiteral("not in the audit yet: cannot write 2026-11.jsonl: disk full")),
                 qPrintable(lastMessage()));
    }

    // While an outcome is not known, nothing more is offered for this lock.
    void oneChangeOfALockAtATime() {
        connectWithLocks();
        forceReleaseOrders();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionForceRelease")).trigger();
        QDialog& force = *dialog(QStringLiteral("forceReleaseDialog"));
        force.findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("again"));
        const QAbstractButton& button = *force.findChild<QAbstractButton*>(QStringLiteral("forceButton"));
        QVERIFY(!button.isEnabled());
        answer(control::Outcome::HolderChanged);
        QVERIFY(button.isEnabled());
    }

    void onlyALockOfTheConsoleAloneNeedsNoForce_data() {
        QTest::addColumn<bool>("shared");
        QTest::addColumn<QString>("advice");
        QTest::newRow("its own") << false << QStringLiteral("This console holds it");
        QTest::newRow("another reader, too") << true << QStringLiteral("Before you force it");
    }
    void onlyALockOfTheConsoleAloneNeedsNoForce() {
        QFETCH(const bool, shared);
        QFETCH(const QString, advice);
        connectWithLocks();
        monitor::LockRow held = heldRow(m_clock, lockName("mine"), 12s, holder(clientB, 1, 1, monitor::HoldMode::Read));
        held.lock.kind = monitor::LockKind::ReadWrite;
        if (shared)
            held.lock.holders.prepend(holder(clientA, 33, 1, monitor::HoldMode::Read));
        m_engine->report(batchOf({held}));
        m_engine->report(QList<control::OwnLock>{control::OwnLock{lockName("mine"), holder(clientB, 1).id, 1, true}});
        table().setCurrentLock(lockName("mine"));
        action(QStringLiteral("actionForceRelease")).trigger();
        const QString text =
            dialog(QStringLiteral("forceReleaseDialog"))->findChild<QLabel*>(QStringLiteral("forceLadder"))->text();
        QVERIFY2(text.startsWith(advice), qPrintable(text));
    }

    void aChangeWithoutAnAnswerIsSaidToBeUnderWay() {
        connectWithLocks();
        forceReleaseOrders();
        const QString underWay =
            QStringLiteral("The change of orders/{42} is under way: the server has not answered yet.");
        m_clock.advance(999ms);
        QVERIFY(!find<MessageBar>(QStringLiteral("messageBar")).texts().contains(underWay));
        m_clock.advance(1ms);
        QCOMPARE(lastMessage(), underWay);
        answer(control::Outcome::ForceReleased);
        QVERIFY(!find<MessageBar>(QStringLiteral("messageBar")).texts().contains(underWay));
    }

    // The answer would belong to the session that is over.
    void aChangeUnderWayIsUnknownWhenItsSessionIsReplaced() {
        connectWithLocks();
        forceReleaseOrders();
        m_window->currentPage().connectToDemo(redis::AccessMode::ReadWrite);
        QVERIFY2(lastMessage().contains(QStringLiteral("does not show whether it was done")),
                 qPrintable(lastMessage()));
        m_engine->report(connecting());
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders/{42}"), 12s, holder(clientA, 33))}));
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionForceRelease")).trigger();
        QDialog& force = *dialog(QStringLiteral("forceReleaseDialog"));
        force.findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("again"));
        QVERIFY(force.findChild<QAbstractButton*>(QStringLiteral("forceButton"))->isEnabled());
    }

    void saysWhatALostAnswerHasDone_data() {
        QTest::addColumn<control::Found>("found");
        QTest::addColumn<QString>("message");
        QTest::newRow("done") << control::Found::Done << QStringLiteral("the lock shows that it was done");
        QTest::newRow("not done") << control::Found::NotDone << QStringLiteral("nothing was done so far");
        QTest::newRow("other") << control::Found::Other << QStringLiteral("it is free now");
        QTest::newRow("unknown") << control::Found::Unknown << QStringLiteral("does not show whether it was done");
    }
    void saysWhatALostAnswerHasDone() {
        QFETCH(control::Found, found);
        QFETCH(QString, message);
        connectWithLocks();
        forceReleaseOrders();
        control::OperationResult result =
            control::failure(lockName("orders/{42}"), Error(ErrorCode::OutcomeUnknown, Cause::NoAnswerInTime));
        result.found = found;
        m_engine->finishLast(result);
        QVERIFY2(lastMessage().contains(message), qPrintable(lastMessage()));
    }

    void theReasonIsNotLostWhenTheDialogIsClosed() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionForceRelease")).trigger();
        QDialog* force = dialog(QStringLiteral("forceReleaseDialog"));
        force->findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("worker-7 crashed"));
        m_engine->report(reconnecting(m_clock.wallNow()));
        force->reject();
        QTRY_VERIFY(!dialog(QStringLiteral("forceReleaseDialog")));
        m_engine->report(connected());
        action(QStringLiteral("actionForceRelease")).trigger();
        force = dialog(QStringLiteral("forceReleaseDialog"));
        QCOMPARE(force->findChild<QLineEdit*>(QStringLiteral("forceReason"))->text(),
                 QStringLiteral("worker-7 crashed"));
    }

    void theReasonIsKeptUntilTheChangeIsMade_data() {
        QTest::addColumn<control::Outcome>("outcome");
        QTest::addColumn<QString>("reason");
        QTest::newRow("made") << control::Outcome::ForceReleased << QString();
        QTest::newRow("needless") << control::Outcome::AlreadyFree << QString();
        QTest::newRow("the holder has changed")
            << control::Outcome::HolderChanged << QStringLiteral("worker-7 crashed");
        QTest::newRow("failed") << control::Outcome::Failed << QStringLiteral("worker-7 crashed");
    }
    void theReasonIsKeptUntilTheChangeIsMade() {
        QFETCH(const control::Outcome, outcome);
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionForceRelease")).trigger();
        QDialog* force = dialog(QStringLiteral("forceReleaseDialog"));
        force->findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("worker-7 crashed"));
        force->findChild<QAbstractButton*>(QStringLiteral("forceButton"))->click();
        QTRY_VERIFY(!dialog(QStringLiteral("forceReleaseDialog")));
        control::OperationResult result;
        result.outcome = outcome;
        result.name = lockName("orders/{42}");
        m_engine->finishLast(result);
        action(QStringLiteral("actionForceRelease")).trigger();
        force = dialog(QStringLiteral("forceReleaseDialog"));
        QVERIFY(force);
        QTEST(force->findChild<QLineEdit*>(QStringLiteral("forceReason"))->text(), "reason");
    }

    void theOwnersProcessCanBeLookedForFromTheDialog() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionForceRelease")).trigger();
        dialog(QStringLiteral("forceReleaseDialog"))
            ->findChild<QAbstractButton*>(QStringLiteral("forceFindOut"))
            ->click();
        QVERIFY(dialog(QStringLiteral("identifyDialog")));
        QVERIFY(dialog(QStringLiteral("forceReleaseDialog")));
    }

    void waitersOfAFreeLockCanBeWoken() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        QVERIFY(!action(QStringLiteral("actionWakeWaiters")).isEnabled());
        monitor::LockRow sleeping = freeRow(m_clock, lockName("orders/{42}"));
        sleeping.lock.waiters = 3;
        m_engine->report(batchOf({sleeping}));
        QVERIFY(action(QStringLiteral("actionWakeWaiters")).isEnabled());
        action(QStringLiteral("actionWakeWaiters")).trigger();
        QDialog* wake = dialog(QStringLiteral("forceReleaseDialog"));
        QVERIFY(wake);
        wake->findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("they sleep"));
        wake->findChild<QAbstractButton*>(QStringLiteral("forceButton"))->click();
        QCOMPARE(m_engine->forceReleases.size(), size_t{1});
        QCOMPARE(m_engine->forceReleases[0].change.kind, control::ChangeKind::WakeWaiters);
    }

    void aLockOfThisConsoleSaysSoAndIsSelectedOnceItHasARow() {
        connectWithLocks();
        action(QStringLiteral("actionAcquire")).trigger();
        QDialog* acquire = dialog(QStringLiteral("acquireDialog"));
        acquire->findChild<QLineEdit*>(QStringLiteral("acquireName"))->setText(QStringLiteral("new"));
        acquire->findChild<QAbstractButton*>(QStringLiteral("acquireButton"))->click();
        control::OperationResult taken;
        taken.outcome = control::Outcome::Acquired;
        taken.name = lockName("new");
        taken.token = 8;
        m_engine->finishLast(taken);
        QVERIFY2(lastMessage().contains(QStringLiteral("with fencing token 8")), qPrintable(lastMessage()));
        const QByteArray ownClient = "00000000-1111-2222-3333-444444444444";
        control::OwnLock own;
        own.name = lockName("new");
        own.holder = holder(ownClient, 1).id;
        m_engine->report(QList<control::OwnLock>{own});
        m_engine->report(batchOf({heldRow(m_clock, lockName("new"), 12s, holder(ownClient, 1))}));
        QCOMPARE(table().currentLock(), lockName("new"));
        const QString holders = find<QPlainTextEdit>(QStringLiteral("detailHolders")).toPlainText();
        QVERIFY2(holders.contains(QStringLiteral("this console")), qPrintable(holders));
        const QString cell = table().currentIndex().siblingAtColumn(LockTableModel::HolderColumn).data().toString();
        QCOMPARE(cell, QStringLiteral("this console:1"));
        // The report that is handed over has it, too.
        action(QStringLiteral("actionCopyReport")).trigger();
        const QString report = QGuiApplication::clipboard()->text();
        QVERIFY2(report.contains(QStringLiteral("this console")), qPrintable(report));
    }

    void theForceDialogFollowsTheLockAndTheConnection() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        action(QStringLiteral("actionForceRelease")).trigger();
        QDialog& force = *dialog(QStringLiteral("forceReleaseDialog"));
        force.findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("crashed"));
        const QAbstractButton& button = *force.findChild<QAbstractButton*>(QStringLiteral("forceButton"));
        QVERIFY(button.isEnabled());
        m_engine->report(reconnecting(m_clock.wallNow()));
        QVERIFY(!button.isEnabled());
        m_engine->report(connected());
        QVERIFY(button.isEnabled());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders/{42}"), 12s, holder(clientB, 99))}));
        QVERIFY(!button.isEnabled());
    }

    void goodNewsGoesByItselfBadNewsStays() {
        connectWithLocks();
        table().setCurrentLock(lockName("mine"));
        action(QStringLiteral("actionRelease")).trigger();
        answer(control::Outcome::Released);
        m_engine->report(OwnLockLost{lockName("mine"), locks::LossReason::LeaseExpired});
        m_clock.advance(11s);
        const QStringList texts = find<MessageBar>(QStringLiteral("messageBar")).texts();
        QVERIFY(texts.filter(QStringLiteral("was released.")).isEmpty());
        const QWidget& loss = find<QWidget>(QStringLiteral("lossBanner"));
        QVERIFY(loss.isVisible());
        const QString text = loss.findChild<QLabel*>(QStringLiteral("messageText"))->text();
        QVERIFY2(text.contains(QStringLiteral("mine")) && text.contains(QStringLiteral("its lease ran out")),
                 qPrintable(text));
    }

    void closesOnceTheEngineHasShutDown() {
        m_engine->report(connected());
        m_window->close();
        QVERIFY(m_window->isVisible());
        QVERIFY((m_engine->shutDowns == std::vector{control::OwnLocksAtExit::Release}));
        m_window->close();
        QCOMPARE(m_engine->shutDowns.size(), size_t{1});
        m_engine->finishShutDown();
        QVERIFY(!m_window->isVisible());
    }

    void asksAboutOwnLocksBeforeItCloses_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<std::vector<control::OwnLocksAtExit>>("shutDowns");
        using ShutDowns = std::vector<control::OwnLocksAtExit>;
        QTest::newRow("release") << QStringLiteral("exitRelease") << ShutDowns{control::OwnLocksAtExit::Release};
        QTest::newRow("keep") << QStringLiteral("exitKeep") << ShutDowns{control::OwnLocksAtExit::LeaveToLease};
        QTest::newRow("cancel") << QStringLiteral("exitCancel") << ShutDowns{};
    }
    void asksAboutOwnLocksBeforeItCloses() {
        QFETCH(QString, button);
        QFETCH(std::vector<control::OwnLocksAtExit>, shutDowns);
        connectWithLocks();
        m_window->close();
        QDialog* exit = dialog(QStringLiteral("exitDialog"));
        QVERIFY(exit);
        QVERIFY(m_engine->shutDowns.empty());
        exit->findChild<QAbstractButton*>(button)->click();
        QVERIFY(m_engine->shutDowns == shutDowns);
        QVERIFY(m_window->isVisible());
        QCOMPARE(m_window->isEnabled(), shutDowns.empty());
    }

    void quitsWithoutQuestionsWhenTheSystemWantsIt() {
        connectWithLocks();
        m_window->quitAtOnce();
        QVERIFY(!dialog(QStringLiteral("exitDialog")));
        QVERIFY((m_engine->shutDowns == std::vector{control::OwnLocksAtExit::Release}));
    }

    void remembersItsLayout() {
        m_window->resize(901, 611);
        find<QCheckBox>(QStringLiteral("showFreeLocks")).setChecked(false);
        action(QStringLiteral("actionTheme_dark")).trigger();
        const QSize size = m_window->size();
        m_window->close();
        m_engine->finishShutDown();
        makeWindow();
        QCOMPARE(m_window->size(), size);
        QVERIFY(!find<QCheckBox>(QStringLiteral("showFreeLocks")).isChecked());
        QVERIFY(action(QStringLiteral("actionTheme_dark")).isChecked());
        QVERIFY(QApplication::palette().color(QPalette::Base).lightness() < 128);
    }

    void theTimelineLeadsToTheLockAndItsEvent() {
        m_window->resize(1200, 1400);
        connectWithLocks();
        monitor::MonitorBatch batch;
        for (const char* name : {"mine", "orders/{42}"})
            batch.events.push_back(
                eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, lockName(name), 12s)));
        m_engine->report(batch);
        m_clock.advance(2s);
        auto& timeline = find<TimelineWidget>(QStringLiteral("timeline"));
        timeline.grab();
        QCOMPARE(timeline.shownLocks(), (std::vector<LockName>{lockName("mine"), lockName("orders/{42}")}));
        const QPoint begin(timeline.width() - 30, timeline.layoutNow().bars(1).center().y());
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, begin);
        QCOMPARE(table().currentLock(), lockName("orders/{42}"));
        QCOMPARE(find<QTableView>(QStringLiteral("eventTable")).currentIndex().row(), 0);
        timeline.grab();
        QCOMPARE(timeline.shownLocks().front(), lockName("orders/{42}"));
    }

    void theTimeUnderTheMouseIsMarkedAmongTheEvents() {
        connectWithLocks();
        monitor::MonitorBatch batch;
        batch.events = {eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, lockName("mine"), 12s))};
        m_engine->report(batch);
        m_clock.advance(20s);
        auto& timeline = find<TimelineWidget>(QStringLiteral("timeline"));
        timeline.grab();
        const auto& delegate =
            *qobject_cast<EventDelegate*>(find<QTableView>(QStringLiteral("eventTable")).itemDelegate());
        QTest::mouseMove(&timeline, QPoint(timeline.width() - 30, timeline.layoutNow().bars(0).center().y()));
        QVERIFY(timeline.crosshair());
        QCOMPARE(delegate.crosshairRow(), 0);
        QEvent left(QEvent::Leave);
        QCoreApplication::sendEvent(&timeline, &left);
        QCOMPARE(delegate.crosshairRow(), -1);
    }

    void theTimelineKnowsWhenNobodyWatched() {
        connectWithLocks();
        monitor::MonitorBatch batch;
        batch.events = {eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, lockName("mine"), 12s))};
        m_engine->report(batch);
        m_clock.advance(5s);
        m_engine->report(reconnecting(m_clock.wallNow() - 2s));
        auto& timeline = find<TimelineWidget>(QStringLiteral("timeline"));
        QCOMPARE(timeline.range().to, m_clock.wallNow() - 2s);
        m_clock.advance(10s);
        m_engine->report(connected());
        QCOMPARE(timeline.range().to, m_clock.wallNow());
        timeline.grab();
        const QPoint unwatched(timeline.width() - 50, timeline.layoutNow().bars(0).center().y());
        QHelpEvent help(QEvent::ToolTip, unwatched, timeline.mapToGlobal(unwatched));
        QCoreApplication::sendEvent(&timeline, &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("Not watched")), qPrintable(QToolTip::text()));
    }

    void showsWhatEarlierRunsSawAndThatNobodyHasWatchedSince() {
        const monitor::LockEvent earlier =
            eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, lockName("old"), 12s));
        m_clock.advance(2h);
        monitor::LockEvent gap;
        gap.at = m_clock.wallNow();
        gap.type = monitor::EventType::NotWatched;
        gap.gap = 2h;
        m_engine->report(HistoryLoaded{{earlier, gap}});
        m_engine->report(connected());
        QCOMPARE(find<QTableView>(QStringLiteral("eventTable")).model()->rowCount(), 2);
        auto& timeline = find<TimelineWidget>(QStringLiteral("timeline"));
        timeline.showAll();
        timeline.grab();
        QCOMPARE(timeline.shownLocks(), std::vector<LockName>{lockName("old")});
        QCOMPARE(timeline.range().from, earlier.at);
        // The same server is connected again: events that it reports again are not shown twice.
        m_engine->report(HistoryLoaded{{earlier, gap}});
        QCOMPARE(find<QTableView>(QStringLiteral("eventTable")).model()->rowCount(), 2);
    }

    void saysWhenThePastCannotBeKept() {
        m_engine->report(connected());
        m_engine->failHistory(Error(ErrorCode::Storage, QStringLiteral("disk is full")));
        QVERIFY2(lastMessage().contains(QStringLiteral("disk is full")), qPrintable(lastMessage()));
        m_engine->setHistoryAside(QStringLiteral("/data/history.damaged"));
        QVERIFY2(lastMessage().contains(QStringLiteral("/data/history.damaged")), qPrintable(lastMessage()));
    }

    void theStartPageSaysSoToo() {
        m_engine->failHistory(Error(ErrorCode::Storage, QStringLiteral("disk is full")));
        const QStringList texts = find<MessageBar>(QStringLiteral("startMessages")).texts();
        QCOMPARE(texts.size(), 1);
        QVERIFY2(texts.front().contains(QStringLiteral("disk is full")), qPrintable(texts.front()));
    }

    void theStartPageHasNoPanels() {
        const QList<QDockWidget*> docks = m_window->findChildren<QDockWidget*>();
        QVERIFY(docks.size() >= 5);
        for (const QDockWidget* dock : docks)
            QVERIFY2(!dock->toggleViewAction()->isEnabled(), qPrintable(dock->objectName()));
        m_engine->report(connected());
        for (const QDockWidget* dock : docks)
            QVERIFY2(dock->toggleViewAction()->isEnabled(), qPrintable(dock->objectName()));
    }

    // The keychain takes its time, and more so when it is locked.
    void aSavedConnectionIsOpenedOnceHoweverOftenItIsClicked() {
        const auto open = [this](const char* id) {
            profile::StoredProfile stored;
            stored.profile.id = profile::ProfileId(QString::fromLatin1(id));
            stored.keeping = profile::StoredProfile::Keeping::Saved;
            Q_EMIT find<StartPage>(QStringLiteral("startPage")).openWanted(stored);
        };
        open("orders");
        open("orders");
        open("users");
        QTRY_VERIFY(std::ranges::any_of(m_engine->connects, [](const profile::ConnectionProfile& profile) {
            return profile.id == profile::ProfileId(QStringLiteral("users"));
        }));
        QCOMPARE(m_engine->connects.size(), size_t{2});
    }

    void remembersWhatIsPinned() {
        find<TimelineWidget>(QStringLiteral("timeline")).setPinned({lockName("orders/{42}"), LockName("\xff\0x")});
        m_window->close();
        m_engine->finishShutDown();
        makeWindow();
        QCOMPARE(find<TimelineWidget>(QStringLiteral("timeline")).pinned(),
                 (QList<LockName>{lockName("orders/{42}"), LockName("\xff\0x")}));
    }

    void keepsSecretsOutOfItsSettings() {
        profile::ConnectionProfile profile;
        profile.credentials.password = QByteArrayLiteral("s3cret");
        m_window->connectTo(profile);
        m_engine->report(connected());
        m_window->close();
        m_engine->finishShutDown();
        m_settings->sync();
        QFile file(m_settings->fileName());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("s3cret"));
    }

    void worksByKeyboard() {
        connectWithLocks();
        activate();
        QLineEdit& filter = find<QLineEdit>(QStringLiteral("lockFilter"));
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(filter.hasFocus());
        QTest::keyClicks(&filter, QStringLiteral("orders"));
        QTest::keyClick(&filter, Qt::Key_Delete);
        QVERIFY(!dialog(QStringLiteral("forceReleaseDialog")));
        QTest::keyClick(&filter, Qt::Key_Down);
        QVERIFY(table().hasFocus());
        table().selectRow(0);
        QTest::keyClick(&table(), Qt::Key_Delete);
        QVERIFY(dialog(QStringLiteral("forceReleaseDialog")));
        dialog(QStringLiteral("forceReleaseDialog"))->reject();
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        QVERIFY(dialog(QStringLiteral("acquireDialog")));
    }

    void sortsByKeyboardThroughTheMenu() {
        connectWithLocks();
        const auto firstName = [this] { return table().model()->index(0, LockTableModel::Name).data().toString(); };
        QAction& byName = action(QStringLiteral("actionSort_%1").arg(int{LockTableModel::Name}));
        byName.trigger();
        QCOMPARE(firstName(), QStringLiteral("free"));
        byName.trigger();
        QCOMPARE(firstName(), QStringLiteral("orders/{42}"));
        byName.trigger();
        QCOMPARE(firstName(), QStringLiteral("free"));
    }

    void isIdleUnlessATimeRunsOnScreen() {
        m_engine->report(connected());
        m_engine->report(batchOf({freeRow(m_clock, lockName("free"))}));
        QVERIFY(saveScreenshot(*m_window, m_directory->filePath(QStringLiteral("idle.png"))));
        m_clock.advance(1s);
        // After that time a lock counts as held for long.
        QVERIFY(!m_clock.hasTimersWithin(9min));
        m_engine->report(batchOf({heldRow(m_clock, lockName("held"), 60s)}));
        QVERIFY(saveScreenshot(*m_window, m_directory->filePath(QStringLiteral("running.png"))));
        QVERIFY(m_clock.hasTimers());
        m_window->hide();
        m_clock.advance(1s);
        QVERIFY(!m_clock.hasTimersWithin(9min));
    }

    void keepsThePlaceOfTheReaderThroughAReset() {
        connectWithLocks();
        table().setCurrentLock(lockName("mine"));
        monitor::MonitorBatch batch =
            batchOf({heldRow(m_clock, lockName("a"), 1s), heldRow(m_clock, lockName("mine"), 1s)});
        batch.reset = true;
        m_engine->report(batch);
        QCOMPARE(table().currentLock(), std::optional(lockName("mine")));
    }

    void showsManyLocks() {
        m_engine->report(connected());
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 10000; ++i)
            rows.push_back(heldRow(m_clock, LockName("bulk:" + QByteArray::number(i)), Milliseconds(1000 + i)));
        m_engine->report(batchOf(rows));
        QCOMPARE(table().model()->rowCount(), 10000);
        find<QLineEdit>(QStringLiteral("lockFilter")).setText(QStringLiteral("bulk:99"));
        QCOMPARE(table().model()->rowCount(), 111);
    }

    void everythingHasANameForScreenReaders() {
        connectWithLocks();
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus)
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool wanted = button || qobject_cast<const QLineEdit*>(widget) ||
                                qobject_cast<const QTableView*>(widget) ||
                                qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QComboBox*>(widget);
            const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            QVERIFY2(!wanted || named, qPrintable(widget->objectName() + QLatin1Char(' ') +
                                                  QLatin1String(widget->metaObject()->className())));
        }
    }

    void takesAPictureAfterTheFirstSweepAndQuits() {
        const QString file = m_directory->filePath(QStringLiteral("window.png"));
        m_window->saveScreenshotAndQuit(file);
        connectWithLocks();
        m_clock.advance(6s);
        QVERIFY(!QFile::exists(file));
        monitor::MonitorBatch batch;
        batch.stats = monitor::MonitorStats();
        batch.stats->sweepsDone = 1;
        m_engine->report(batch);
        m_clock.advance(6s);
        QCOMPARE(QImage(file).size(), m_window->size() * m_window->devicePixelRatioF());
        QCOMPARE(m_engine->shutDowns.size(), size_t{1});
    }

    // ---- logging out ----

    void aLogoutWaitsForAnAnswerAboutOwnLocks_data() {
        QTest::addColumn<bool>("hasOwnLocks");
        QTest::addColumn<bool>("mayAsk");
        QTest::addColumn<bool>("waits");
        QTest::addColumn<bool>("releases");
        QTest::newRow("without own locks") << false << true << false << false;
        QTest::newRow("with one") << true << true << true << false;
        QTest::newRow("where nothing may be asked") << true << false << false << true;
    }
    void aLogoutWaitsForAnAnswerAboutOwnLocks() {
        QFETCH(const bool, hasOwnLocks);
        QFETCH(const bool, mayAsk);
        connectWithLocks();
        const control::OwnLock own{lockName("orders/{42}"), holder(clientA, 33).id, 1, true};
        m_engine->report(hasOwnLocks ? QList<control::OwnLock>{own} : QList<control::OwnLock>());
        QTEST(m_window->findChild<ExitController*>()->holdsUpLogout(mayAsk), "waits");
        QTEST(dialog(QStringLiteral("exitDialog")) != nullptr, "waits");
        QTEST(!m_window->isEnabled(), "releases");
    }

    // ---- identifying holders ----

    void findsOutWhoAHolderIsOnlyOnceTheUserAgrees() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        find<QToolButton>(QStringLiteral("holderFind")).click();
        QVERIFY(m_engine->searches.empty());
        const QDialog* question = dialog(QStringLiteral("identifyDialog"));
        question->findChild<QAbstractButton*>(QStringLiteral("identifyListen"))->click();
        QCOMPARE(m_engine->searches.size(), size_t{1});
        QCOMPARE(m_engine->searches.front().client, ClientId(clientA));
        find<QToolButton>(QStringLiteral("holderStop")).click();
        QCOMPARE(m_engine->cancelled, std::vector<OperationId>{m_engine->lastId});
        monitor::HolderIdentity identity;
        identity.client = ClientId(clientA);
        identity.basis = monitor::IdentityBasis::Monitor;
        identity.address = "10.0.0.7:53422";
        m_engine->finishLast(identity);
        const auto& shown = find<QPlainTextEdit>(QStringLiteral("holderIdentity"));
        QVERIFY(shown.toPlainText().startsWith(QStringLiteral("10.0.0.7:53422")));
        // The message stays: another lock may be selected, or another tab may be in sight.
        m_clock.advance(60s);
        const QStringList messages = find<MessageBar>(QStringLiteral("messageBar")).texts();
        QVERIFY2(messages.last().contains(QStringLiteral("10.0.0.7:53422")), qPrintable(messages.join(u'\n')));
        ConnectionStatus other = connected();
        other.server = QStringLiteral("other:6379/0");
        other.phase = ConnectionPhase::Connecting;
        m_engine->report(other);
        m_engine->report(connected());
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        QVERIFY(!shown.isVisible());
    }

    void anAliasIsShownEverywhereAndKept() {
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        find<QToolButton>(QStringLiteral("holderAlias")).click();
        auto* alias = qobject_cast<QInputDialog*>(dialog(QStringLiteral("aliasDialog")));
        alias->setTextValue(QStringLiteral("orders-a"));
        alias->accept();
        const auto holderCell = [this] {
            const QModelIndex current = table().currentIndex();
            return current.siblingAtColumn(LockTableModel::HolderColumn).data().toString();
        };
        QCOMPARE(holderCell(), QStringLiteral("orders-a:33"));
        const QString details = find<QPlainTextEdit>(QStringLiteral("detailHolders")).toPlainText();
        QVERIFY2(details.startsWith(QStringLiteral("orders-a (")), qPrintable(details));
        makeWindow();
        connectWithLocks();
        table().setCurrentLock(lockName("orders/{42}"));
        QCOMPARE(holderCell(), QStringLiteral("orders-a:33"));
    }

    void showsTheLocksOfOneHolder() {
        connectWithLocks();
        m_engine->report(batchOf({heldRow(m_clock, lockName("another of A"), 5s, holder(clientA, 7))}));
        table().setCurrentLock(lockName("orders/{42}"));
        find<QToolButton>(QStringLiteral("holderLocks")).click();
        QCOMPARE(table().model()->rowCount(), 2);
    }

    void whoWaitsForWhomLeadsToTheLock() {
        connectWithLocks();
        monitor::LockRow fair = heldRow(m_clock, lockName("fair"), 20s);
        fair.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        m_engine->report(batchOf({fair}));
        action(QStringLiteral("actionWaits")).trigger();
        action(QStringLiteral("actionWaits")).trigger();
        auto* tree = dialog(QStringLiteral("waitDialog"))->findChild<QTreeWidget*>();
        QCOMPARE(tree->topLevelItemCount(), 1);
        Q_EMIT tree->itemActivated(tree->topLevelItem(0)->child(0), 0);
        QCOMPARE(table().currentLock(), lockName("fair"));
    }

    void saysWhenAPictureCannotBeWritten() {
        QVERIFY(!saveScreenshot(*m_window, m_directory->filePath(QStringLiteral("no/such/folder/window.png"))));
    }
};

LOCKKEEPER_TEST(TestMainWindow, Gui)

}  // namespace tst_mainwindow

#include "tst_mainwindow.moc"
