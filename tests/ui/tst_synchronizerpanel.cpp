// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/layoutfonts.h"
#include "support/samplelocks.h"
#include "support/samplesynchronizers.h"
#include "support/windowtest.h"
#include "ui/base/inlinemessage.h"
#include "ui/help/helptexts.h"
#include "ui/locks/synchronizers/synchronizermodel.h"
#include "ui/locks/table/locktableview.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QTableView>
#include <QTest>

namespace tst_synchronizerpanel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The dock of semaphores and latches in the window.
class TestSynchronizerPanel : public WindowTest {
    Q_OBJECT

private:
    QDockWidget& dock() const { return find<QDockWidget>("synchronizerDock"); }
    QTableView& table() const { return find<QTableView>("synchronizerTable"); }
    QString empty() const {
        const QLabel& label = find<QLabel>("synchronizerEmpty");
        return label.isVisible() ? label.text() : QString();
    }
    QString note() const { return find<InlineMessage>("synchronizerNote").text(); }
    QString shown(int row, SynchronizerModel::Column column) const {
        return table().model()->index(row, column).data().toString();
    }
    void openWindow() {
        makeWindow();
        // A session page takes the place of the start page.
        m_engine->report(connecting());
    }
    void closeWindow() {
        m_window->quitAtOnce();
        m_engine->finishShutDown();
        m_window.reset();
    }

private Q_SLOTS:
    void init() {
        begin();
        openWindow();
    }
    void cleanup() { end(); }

    void isHiddenUntilItIsAskedFor() {
        QVERIFY(!dock().isVisible());
        QAction* toggle = dock().toggleViewAction();
        const QList<QAction*> menus = m_window->menuBar()->actions();
        QVERIFY(std::any_of(menus.begin(), menus.end(),
                            [toggle](const QAction* menu) { return menu->menu()->actions().contains(toggle); }));
        toggle->trigger();
        QVERIFY(dock().isVisible());
        QTRY_VERIFY(!dock().visibleRegion().isEmpty());  // raised above the events
    }

    void anEventChosenOnTheTimelineComesInFront_data() { addFontRows(); }
    void anEventChosenOnTheTimelineComesInFront() {
        QFETCH(const QFont, font);
        const LayoutFont chosen(font);
        QVERIFY(chosen.isInstalled());
        m_settings->setValue(QStringLiteral("view/fontSize"), font.pointSize());
        closeWindow();
        openWindow();
        dock().toggleViewAction()->trigger();
        // The cells cover the rest of the table.
        const QWidget& events = *find<QTableView>("eventTable").viewport();
        QTRY_VERIFY(events.visibleRegion().isEmpty());
        Q_EMIT m_window->findChild<TimelineWidget*>()->eventChosen(lockName("L"), m_clock.wallNow());
        QTRY_VERIFY(!events.visibleRegion().isEmpty());
        QTRY_VERIFY(events.visibleRegion().boundingRect().height() >= events.fontMetrics().height());
        QVERIFY2(m_window->height() <= m_window->screen()->availableSize().height(),
                 qPrintable(QString::number(m_window->height())));
        QVERIFY(dock().visibleRegion().isEmpty());
    }

    void staysWhereItWasPut() {
        dock().toggleViewAction()->trigger();
        dock().setFloating(true);
        closeWindow();
        openWindow();
        QVERIFY(dock().isVisible());
        QVERIFY(dock().isFloating());
        dock().toggleViewAction()->trigger();
        closeWindow();
        openWindow();
        QVERIFY(!dock().isVisible());
    }

    void saysWhichOnesWouldBeShown() {
        dock().show();
        m_engine->report(ConnectionStatus());
        QVERIFY2(empty().startsWith(QStringLiteral("Not connected.")), qPrintable(empty()));
        m_engine->report(connected());
        QVERIFY2(empty().startsWith(QStringLiteral("No semaphore and no latch is known.")), qPrintable(empty()));
        QVERIFY(empty().contains(synchronizersHelp()));
        monitor::MonitorBatch refused = batchOf(std::vector<monitor::Synchronizer>());
        refused.synchronizers->sight = monitor::SynchronizerReading::Sight::Refused;
        m_engine->report(refused);
        QVERIFY2(empty().contains(QStringLiteral("does not let this user")), qPrintable(empty()));
    }

    void showsThemBesideTheLocksAndNotAmongThem() {
        dock().show();
        m_engine->report(connected());
        m_engine->report(batchOf({latch(m_clock, "begin", 3), semaphore(m_clock, "pool", 0, 2)}));
        QCOMPARE(empty(), QString());
        QVERIFY(table().isVisible());
        QCOMPARE(table().model()->rowCount(), 2);
        QCOMPARE(shown(1, SynchronizerModel::Name), QStringLiteral("pool"));
        QCOMPARE(note(), QString());
        QCOMPARE(find<LockTableView>("lockTable").model()->rowCount(), 0);
        m_engine->report(batchOf({heldRow(m_clock, lockName("L"), 12s)}));  // a batch without them: they stay
        QCOMPARE(table().model()->rowCount(), 2);
        m_engine->report(batchOf(std::vector<monitor::Synchronizer>()));
        QVERIFY2(empty().startsWith(QStringLiteral("No semaphore and no latch is known.")), qPrintable(empty()));
    }

    void isMarkedOldWithItsTimeWhenTheConnectionIsLost() {
        dock().show();
        m_engine->report(connected());
        m_engine->report(batchOf({semaphore(m_clock, "pool", 0)}));
        const QString lastAnswer = clockText(m_clock.wallNow(), m_clock.wallNow());
        m_engine->report(reconnecting(m_clock.wallNow()));
        QCOMPARE(note(), QStringLiteral("Old: as last seen at ") + lastAnswer);
        QVERIFY(table().model()->index(0, 0).data(Qt::FontRole).value<QFont>().italic());
        m_engine->report(connected());
        QCOMPARE(note(), QString());
    }

    void anotherServerBeginsEmpty() {
        dock().show();
        m_engine->report(connected());
        m_engine->report(batchOf({semaphore(m_clock, "pool", 0)}));
        ConnectionStatus other = connected();
        other.phase = ConnectionPhase::Connecting;
        other.server = QStringLiteral("another");
        m_engine->report(other);
        QCOMPARE(table().model()->rowCount(), 0);
        m_engine->report(connected());
        m_engine->report(batchOf({semaphore(m_clock, "pool", 0)}));
        monitor::MonitorBatch reset;
        reset.reset = true;
        m_engine->report(reset);
        QCOMPARE(table().model()->rowCount(), 0);
    }

    void saysThatThereAreMore() {
        dock().show();
        m_engine->report(connected());
        m_engine->report(batchOf({semaphore(m_clock, "pool", 0)}, 1));
        QCOMPARE(note(), QStringLiteral("Read: 1 of 2."));
    }

    void theKeyboardMovesSelectsAndCopies() {
        dock().show();
        m_engine->report(connected());
        m_engine->report(batchOf({latch(m_clock, "begin", 3), semaphore(m_clock, "pool", 0, 2)}));
        activate();
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(&table(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keySequence(&table(), QKeySequence::Copy);
        const QString now = clockText(m_clock.wallNow(), m_clock.wallNow());
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("begin\t\tCount-down latch\t3\t1\t\t%1\npool\t\tSemaphore\t0\t2\t\t%1").arg(now));
    }

    void countsWhatIsLeftOver() {
        dock().show();
        m_engine->report(connected());
        monitor::Synchronizer gone = leased(m_clock, semaphore(m_clock, "gone", 0, 0), 1, 1min);
        gone.state = monitor::CounterState::Missing;
        m_engine->report(batchOf({gone, semaphore(m_clock, "pool", 0)}));
        QVERIFY2(note().startsWith(QStringLiteral("1 set of leases left over")), qPrintable(note()));
    }

    void aPermitWhoseLeaseIsOverCanBeGivenBack() {
        dock().show();
        m_engine->report(connected());
        m_engine->report(batchOf({leased(m_clock, semaphore(m_clock, "busy", 0), 1, 1min),
                                  leased(m_clock, semaphore(m_clock, "pool", 0), 2, -500ms)}));
        const QAction& giveBack = find<QAction>("synchronizerGiveBack");
        table().setCurrentIndex(table().model()->index(0, 0));
        QVERIFY(!giveBack.isEnabled());
        table().setCurrentIndex(table().model()->index(1, 0));
        QVERIFY(giveBack.isEnabled());
        find<QAction>("synchronizerGiveBack").trigger();
        auto& button = find<QPushButton>("giveBackButton");
        QVERIFY(!button.isEnabled());
        QCOMPARE(find<QComboBox>("giveBackPermit").count(), 1);  // the other one is not over
        find<QLineEdit>("giveBackReason").setText(QStringLiteral("worker-7 crashed"));
        QVERIFY2(button.isEnabled(), qPrintable(find<QLabel>("giveBackMissing").text()));
        button.click();
        const std::vector<control::ForceReleaseRequest>& requests = m_engine->forceReleases;
        QCOMPARE(requests.size(), size_t{1});
        QCOMPARE(requests[0].confirmed.name, LockName("pool"));
        QCOMPARE(requests[0].change.kind, control::ChangeKind::GiveBackPermit);
        QCOMPARE(requests[0].change.permit->id, QByteArray(16, 'a'));
        QCOMPARE(requests[0].change.permit->ends, std::optional(m_clock.wallNow() - 500ms));
        QCOMPARE(requests[0].reason, QStringLiteral("worker-7 crashed"));
    }

    void aReaderKeepsTheirPlace() {
        dock().show();
        m_engine->report(connected());
        m_engine->report(batchOf({semaphore(m_clock, "b", 0)}));
        table().setCurrentIndex(table().model()->index(0, 0));
        m_engine->report(batchOf({semaphore(m_clock, "a", 0), semaphore(m_clock, "b", 5)}));
        QCOMPARE(table().currentIndex().row(), 1);
        table().sortByColumn(SynchronizerModel::Counter, Qt::DescendingOrder);
        QCOMPARE(shown(0, SynchronizerModel::Name), QStringLiteral("b"));
        QCOMPARE(table().currentIndex().row(), 0);
    }
};

LOCKKEEPER_TEST(TestSynchronizerPanel, Gui)

}  // namespace tst_synchronizerpanel

#include "tst_synchronizerpanel.moc"
