// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/tonecolors.h"
#include "ui/events/log/eventdelegate.h"
#include "ui/events/log/eventlogpanel.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

namespace tst_eventlogpanel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestEventLogPanel : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_panel; }
    std::vector<monitor::LockEvent> events(int count) const {
        std::vector<monitor::LockEvent> result;
        for (int i = 0; i < count; ++i)
            result.push_back(eventOf(m_clock, monitor::EventType::Acquired,
                                     heldRow(m_clock, LockName("L" + QByteArray::number(i)), 30s)));
        return result;
    }
    QTableView& table() const { return find<QTableView>("eventTable"); }
    InlineMessage& note() const { return find<InlineMessage>("eventsNote"); }
    QLabel& heldBack() const { return find<QLabel>("eventsHeldBack"); }

    QToolButton& chip(int group) const { return find<QToolButton>(QStringLiteral("eventGroup_%1").arg(group)); }
    QToolButton& newer() const { return find<QToolButton>("eventsNewer"); }
    bool isMarked(int row) const {
        const QRect cell = table().visualRect(table().model()->index(row, EventLogModel::Event));
        const QColor shown = table().viewport()->grab().toImage().pixelColor(cell.right() - 2, cell.center().y());
        return shown.rgb() == toneBackground(table().palette(), Tone::Info).rgb();
    }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<EventLogModel> m_log;
    std::unique_ptr<EventLogPanel> m_panel;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_log = std::make_unique<EventLogModel>(*m_time);
        m_panel = std::make_unique<EventLogPanel>(*m_log);
        m_panel->show();
    }
    void cleanup() {
        m_panel.reset();
        m_log.reset();
    }

    // ---- by type ----

    void eachTypeHasAChip_data() {
        QTest::addColumn<monitor::EventType>("type");
        QTest::addColumn<EventGroup>("group");
        QTest::addColumn<bool>("atFirst");
        using monitor::EventType;
        QTest::newRow("acquired") << EventType::Acquired << EventGroup::Holds << true;
        QTest::newRow("handed over") << EventType::HandedOver << EventGroup::Holds << true;
        QTest::newRow("released") << EventType::Released << EventGroup::Ends << true;
        QTest::newRow("forced") << EventType::Forced << EventGroup::Ends << true;
        QTest::newRow("renewed") << EventType::Renewed << EventGroup::Renewals << false;
        QTest::newRow("waiters") << EventType::Waiters << EventGroup::Waiters << false;
        QTest::newRow("diagnosis") << EventType::Diagnosed << EventGroup::Diagnoses << true;
        QTest::newRow("not watched") << EventType::NotWatched << EventGroup::Gaps << true;
        QTest::newRow("waiter removed") << EventType::WaiterRemoved << EventGroup::Changes << true;
        QTest::newRow("waiters woken") << EventType::WaitersWoken << EventGroup::Changes << true;
        QTest::newRow("TTL set") << EventType::ExpirySet << EventGroup::Changes << true;
    }
    void eachTypeHasAChip() {
        QFETCH(const monitor::EventType, type);
        QFETCH(const EventGroup, group);
        QFETCH(const bool, atFirst);
        m_log->append({eventOf(m_clock, type, heldRow(m_clock, lockName("L"), 30s))});
        QCOMPARE(table().model()->rowCount(), atFirst ? 1 : 0);
        for (int other = 0; other < eventGroups; ++other)
            if (chip(other).isChecked() && other != static_cast<int>(group))
                chip(other).click();
        QCOMPARE(table().model()->rowCount(), atFirst ? 1 : 0);
        chip(static_cast<int>(group)).click();
        QCOMPARE(table().model()->rowCount(), atFirst ? 0 : 1);
    }

    void leadingToAHiddenTypeShowsIt() {
        m_log->append({eventOf(m_clock, monitor::EventType::Renewed, heldRow(m_clock, lockName("L"), 30s))});
        m_panel->reveal(lockName("L"), m_clock.wallNow());
        QVERIFY(chip(static_cast<int>(EventGroup::Renewals)).isChecked());
        QCOMPARE(table().currentIndex().row(), 0);
    }

    // ---- following ----

    // When the view gets the focus, it makes the first row current, which chooses nothing.
    void theFocusAloneDoesNotEndFollowing() {
        m_log->append(events(50));
        QSignalSpy times(m_panel.get(), &EventLogPanel::currentTimeChanged);
        QFocusEvent focus(QEvent::FocusIn, Qt::TabFocusReason);
        QCoreApplication::sendEvent(&table(), &focus);
        QVERIFY(table().currentIndex().isValid());
        QVERIFY(times.isEmpty());
        m_log->append(events(5));
        QCOMPARE(table().verticalScrollBar()->value(), 0);
        QVERIFY(!newer().isVisible());
        table().selectRow(3);
        QVERIFY(times.last()[0].value<std::optional<WallTime>>() != std::nullopt);
        m_log->append(events(2));
        QVERIFY(newer().isVisible());
    }

    void followsTheNewest() {
        m_log->append(events(100));
        m_log->append(events(12));
        QCOMPARE(table().verticalScrollBar()->value(), 0);
        QVERIFY(!newer().isVisible());
    }

    void whatIsReadStaysWhereItIs_data() {
        QTest::addColumn<int>("scrolled");
        QTest::addColumn<int>("current");
        QTest::newRow("scrolled away") << 40 << -1;
        QTest::newRow("a row is chosen") << 0 << 1;
        QTest::newRow("both") << 40 << 42;
    }
    void whatIsReadStaysWhereItIs() {
        QFETCH(const int, scrolled);
        QFETCH(const int, current);
        m_log->append(events(200));
        QCoreApplication::processEvents();
        if (current >= 0)
            table().setCurrentIndex(table().model()->index(current, 0));
        table().verticalScrollBar()->setValue(scrolled);
        const QString atTop = table().indexAt(QPoint(1, 1)).siblingAtColumn(EventLogModel::Lock).data().toString();
        m_log->append(events(7));
        m_log->append(events(5));
        QCOMPARE(table().indexAt(QPoint(1, 1)).siblingAtColumn(EventLogModel::Lock).data().toString(), atTop);
        QCOMPARE(table().verticalScrollBar()->value(), scrolled + 12);
        QVERIFY(newer().isVisible());
        QCOMPARE(newer().text(), QStringLiteral("12 newer"));
        newer().click();
        QCOMPARE(table().verticalScrollBar()->value(), 0);
        QVERIFY(!newer().isVisible());
        m_log->append(events(3));
        QVERIFY(!newer().isVisible());
    }

    void scrollingBackToTheTopFollowsAgain() {
        m_log->append(events(200));
        QCoreApplication::processEvents();
        table().verticalScrollBar()->setValue(40);
        m_log->append(events(5));
        QVERIFY(newer().isVisible());
        table().verticalScrollBar()->setValue(0);
        QVERIFY(!newer().isVisible());
        m_log->append(events(5));
        QCOMPARE(table().verticalScrollBar()->value(), 0);
    }

    void theRowThatWasLedToStaysMarked() {
        m_log->append(events(3));
        const WallTime at = m_clock.wallNow();
        m_clock.advance(1s);
        QVERIFY(!isMarked(1));
        m_panel->reveal(lockName("L1"), at);
        table().setCurrentIndex(table().model()->index(2, 0));
        QVERIFY(isMarked(1));
        m_log->append(events(2));
        QVERIFY(isMarked(3));
        QVERIFY(!isMarked(1));
    }

    // ---- one lock, one holder ----

    void showsOneLockOrOneHolder() {
        const monitor::LockRow mine = heldRow(m_clock, lockName("mine"), 30s);
        const monitor::LockRow other = heldRow(m_clock, lockName("other"), 30s);
        const monitor::LockRow foreign = heldRow(m_clock, lockName("mine"), 30s, holder(clientB, 7));
        for (const monitor::LockRow& row : {mine, other, foreign})
            m_log->append({eventOf(m_clock, monitor::EventType::Acquired, row)});
        auto& lock = find<QToolButton>("eventsThisLock");
        auto& client = find<QToolButton>("eventsThisHolder");
        QVERIFY(!lock.isEnabled() && !client.isEnabled());
        m_panel->setSubject(&mine, {});
        lock.click();
        QCOMPARE(table().model()->rowCount(), 2);
        QCOMPARE(lock.text(), QStringLiteral("Only mine"));
        client.click();
        QCOMPARE(table().model()->rowCount(), 1);
        // The filter shows all threads of the client.
        QCOMPARE(client.text(), QStringLiteral("Only %1").arg(shortened(QString::fromLatin1(clientA), 24)));
        lock.click();
        QCOMPARE(table().model()->rowCount(), 2);
        // The filter keeps the subject that it was chosen for.
        m_panel->setSubject(&foreign, {});
        QCOMPARE(table().model()->rowCount(), 2);
        m_panel->setSubject(nullptr, {});
        QVERIFY(client.isEnabled());
        client.click();
        QCOMPARE(table().model()->rowCount(), 3);
        // From then on the filter is for the selected lock; none is selected.
        QVERIFY(!client.isEnabled());
    }

    // ---- columns ----

    void inANarrowPanelTheDetailIsInSight() {
        const auto detailEnd = [this] { return table().columnViewportPosition(EventLogModel::Detail) + 80; };
        m_panel->resize(1400, 300);
        QCoreApplication::processEvents();
        const int holder = table().columnWidth(EventLogModel::HolderColumn);
        m_panel->resize(680, 300);
        QCoreApplication::processEvents();
        QVERIFY(table().columnWidth(EventLogModel::HolderColumn) < holder);
        QVERIFY(detailEnd() < table().viewport()->width());
        m_panel->resize(1400, 300);
        QCoreApplication::processEvents();
        QCOMPARE(table().columnWidth(EventLogModel::HolderColumn), holder);
        table().setColumnWidth(EventLogModel::HolderColumn, 333);
        m_panel->resize(680, 300);
        QCoreApplication::processEvents();
        QCOMPARE(table().columnWidth(EventLogModel::HolderColumn), 333);
    }

    // ---- the menu of a row ----

    void theMenuIsAboutTheClickedEvent() {
        const monitor::LockRow mine = heldRow(m_clock, lockName("mine"), 30s);
        const monitor::LockRow foreign = heldRow(m_clock, lockName("other"), 30s, holder(clientB, 7));
        for (const monitor::LockRow& row : {mine, foreign})
            m_log->append({eventOf(m_clock, monitor::EventType::Acquired, row)});
        for (const char* name : {"actionEventLock", "actionEventLockOnly", "actionEventHolderOnly", "actionEventCopy"})
            QVERIFY(!action(name).isEnabled());
        QSignalSpy chosen(m_panel.get(), &EventLogPanel::lockChosen);
        table().setCurrentIndex(table().model()->index(0, EventLogModel::Event));
        action("actionEventLock").trigger();
        QCOMPARE(chosen.takeFirst()[0].value<LockName>(), lockName("other"));
        action("actionEventCopy").trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\tother\t")));
        action("actionEventLockOnly").trigger();
        QCOMPARE(table().model()->rowCount(), 1);
        QVERIFY(find<QToolButton>("eventsThisLock").isChecked());
        find<QToolButton>("eventsThisLock").click();
        table().setCurrentIndex(table().model()->index(1, EventLogModel::Event));
        action("actionEventHolderOnly").trigger();
        QCOMPARE(table().model()->rowCount(), 1);
        QCOMPARE(table().model()->index(0, EventLogModel::Lock).data().toString(), QStringLiteral("mine"));
    }

    // ---- the line of the timeline ----

    void theCrosshairIsAboveTheNewestEventThatIsNotLater() {
        const WallTime first = m_clock.wallNow();
        for (int i = 0; i < 3; ++i) {
            m_log->append(events(1));
            m_clock.advance(10s);
        }
        const auto& delegate = *qobject_cast<EventDelegate*>(table().itemDelegate());
        m_panel->setCrosshair(first + 15s);
        QCOMPARE(delegate.crosshairRow(), 1);
        m_panel->setCrosshair(first + 40s);
        QCOMPARE(delegate.crosshairRow(), 0);
        m_panel->setCrosshair(first - 1s);
        QCOMPARE(delegate.crosshairRow(), -1);
        m_panel->setCrosshair(std::nullopt);
        QCOMPARE(delegate.crosshairRow(), -1);
    }

    void theLogGoesToTheCrosshairAndBack() {
        m_panel->resize(900, 300);
        const WallTime first = m_clock.wallNow();
        const auto addOne = [this] {
            m_log->append(events(1));
            m_clock.advance(1s);
        };
        for (int i = 0; i < 100; ++i)
            addOne();
        const auto isInSight = [this] {
            const int row = qobject_cast<EventDelegate*>(table().itemDelegate())->crosshairRow();
            return table().viewport()->rect().contains(table().visualRect(table().model()->index(row, 0)));
        };
        m_panel->setCrosshair(first + 10s);
        QVERIFY(isInSight());
        addOne();
        QVERIFY(isInSight());
        m_panel->setCrosshair(std::nullopt);
        QCOMPARE(table().verticalScrollBar()->value(), 0);
        // The view does not move a row that the reader has chosen.
        table().setCurrentIndex(table().model()->index(0, 0));
        m_panel->setCrosshair(first + 10s);
        QVERIFY(!isInSight());
    }

    void countsWhatAPauseHoldsBack() {
        QVERIFY(!heldBack().isVisible());
        m_panel->pauseAction().setChecked(true);
        m_log->append(events(1234));
        QCOMPARE(table().model()->rowCount(), 0);
        QVERIFY2(heldBack().text().contains(QLocale().toString(1234)), qPrintable(heldBack().text()));
        QVERIFY(heldBack().isVisible());
        m_panel->pauseAction().setChecked(false);
        QCOMPARE(table().model()->rowCount(), 1234);
        QVERIFY(!heldBack().isVisible());
    }

    void clears() {
        m_log->append(events(3));
        m_panel->clearAction().trigger();
        QCOMPARE(table().model()->rowCount(), 0);
    }

    void filtersWhileTyping() {
        m_log->append(events(20));
        find<QLineEdit>("eventFilter").setText(QStringLiteral("l19"));
        QCOMPARE(table().model()->rowCount(), 1);
        m_log->append(events(20));
        QCOMPARE(table().model()->rowCount(), 2);
    }

    void staysBoundedThroughBursts() {
        for (int i = 0; i < 5; ++i)
            m_log->append(events(5000));
        QCOMPARE(table().model()->rowCount(), 10000);
    }

    void aChosenEventLeadsToItsLock() {
        m_log->append(events(3));
        QSignalSpy chosen(m_panel.get(), &EventLogPanel::lockChosen);
        Q_EMIT table().activated(table().model()->index(0, 0));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<LockName>(), lockName("L2"));
    }

    void bringsAnEventIntoSightThoughTheFilterHidIt() {
        m_log->append(events(200));
        m_clock.advance(1s);
        m_log->append(events(1));
        auto& filter = find<QLineEdit>("eventFilter");
        filter.setText(QStringLiteral("l19"));
        m_panel->reveal(lockName("L0"), m_clock.wallNow() - 1s);
        QVERIFY(filter.text().isEmpty());
        QCOMPARE(table().currentIndex().row(), 200);
        QVERIFY(table().viewport()->rect().intersects(table().visualRect(table().currentIndex())));
        m_panel->reveal(lockName("L0"), m_clock.wallNow());
        QCOMPARE(table().currentIndex().row(), 0);
    }

    void anEventThatIsNotKeptAnyMoreMovesNothing() {
        m_log->append(events(3));
        auto& filter = find<QLineEdit>("eventFilter");
        filter.setText(QStringLiteral("L1"));
        m_panel->reveal(lockName("L0"), m_clock.wallNow() + 1s);
        QCOMPARE(filter.text(), QStringLiteral("L1"));
        QVERIFY(!table().currentIndex().isValid());
    }

    void saysWhereAnEventIsThatTheLogDoesNotShow_data() {
        QTest::addColumn<QString>("fate");
        QTest::addColumn<QString>("said");
        const QString kept = QStringLiteral("keeps the latest 10,000, and none from before it was cleared");
        QTest::newRow("shown") << QString() << QString();
        QTest::newRow("crowded out") << QStringLiteral("crowded out") << kept;
        QTest::newRow("cleared") << QStringLiteral("cleared") << kept;
        QTest::newRow("held back") << QStringLiteral("held back")
                                   << QStringLiteral("held back while the log is paused");
    }
    void saysWhereAnEventIsThatTheLogDoesNotShow() {
        QFETCH(const QString, fate);
        QFETCH(const QString, said);
        m_panel->pauseAction().setChecked(fate == QStringLiteral("held back"));
        m_log->append(events(1));
        const WallTime at = m_clock.wallNow();
        m_clock.advance(1s);
        if (fate == QStringLiteral("crowded out"))
            m_log->append(events(10000));
        if (fate == QStringLiteral("cleared"))
            m_panel->clearAction().trigger();
        m_panel->reveal(lockName("L0"), at);
        QVERIFY2(note().text().contains(said), qPrintable(note().text()));
        QCOMPARE(note().isVisible(), !said.isEmpty());
    }

    void theNoteGoesWithTheReadersNextStep() {
        m_panel->pauseAction().setChecked(true);
        m_log->append(events(2));
        m_panel->reveal(lockName("L0"), m_clock.wallNow());
        QVERIFY(note().isVisible());
        m_panel->pauseAction().setChecked(false);
        QVERIFY(!note().isVisible());
        m_panel->reveal(lockName("gone"), m_clock.wallNow());
        QVERIFY(note().isVisible());
        table().setCurrentIndex(table().model()->index(1, 0));
        QVERIFY(!note().isVisible());
        m_panel->reveal(lockName("gone"), m_clock.wallNow());
        m_panel->reveal(lockName("L1"), m_clock.wallNow());
        QVERIFY(!note().isVisible());
    }
};

LOCKKEEPER_TEST(TestEventLogPanel, Gui)

}  // namespace tst_eventlogpanel

#include "tst_eventlogpanel.moc"
