// SPDX-License-Identifier: Apache-2.0
#include "support/eventstory.h"
#include "support/guitestprogram.h"
#include "ui/timeline/timelinelegend.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/timeline/timelinewords.h"

#include <QAction>
#include <QHelpEvent>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace tst_timelinewidget {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::EventType;

class TestTimelineWidget : public QObject {
    Q_OBJECT

private:
    // A lock held by A from -20 s to -10 s, and by B from -4 s on; a second lock, held longer and by more clients.
    void fillHistory() {
        const WallTime now = m_clock.wallNow();
        const monitor::Holder a = holder(clientA, 33);
        const monitor::Holder b = holder(clientB, 34);
        m_history->append(EventStory("orders", now)
                              .event(EventType::Acquired, -20s, {a})
                              .ends(EventType::Expired, -10s, a)
                              .event(EventType::Acquired, -4s, {b})
                              .events());
        EventStory busy("busy", now);
        busy.event(EventType::Found, -25s, {a});
        for (int i = 1; i < 8; ++i)
            busy.event(EventType::Renewed, -25s + 3s * i, {a});
        m_history->append(busy.events());
        refresh();
    }
    void paint() { m_widget->grab(); }
    void refresh() {
        m_widget->refresh();
        paint();
    }
    void enter() {
        QEnterEvent entering(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QCoreApplication::sendEvent(m_widget.get(), &entering);
    }
    void moveTime(Milliseconds by) {
        m_clock.advance(by);
        paint();
    }
    QPoint pointAt(int lane, Milliseconds fromNow) const {
        const TimelineLayout places = m_widget->layoutNow();
        const double fraction = m_widget->range().fraction(m_clock.wallNow() + fromNow);
        return {places.namesWidth() + static_cast<int>(fraction * places.columns()), places.bars(lane).center().y()};
    }
    QString toolTip(const QPoint& position) const {
        QHelpEvent help(QEvent::ToolTip, position, m_widget->mapToGlobal(position));
        QCoreApplication::sendEvent(m_widget.get(), &help);
        return QToolTip::text();
    }
    void wheel(const QPoint& position, int angle, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QWheelEvent turn(position, m_widget->mapToGlobal(QPointF(position)), QPoint(), QPoint(0, angle), Qt::NoButton,
                         modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_widget.get(), &turn);
    }
    void drag(const QPoint& from, int by) const {
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(m_widget.get(), from + QPoint(by, 0));
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, from + QPoint(by, 0));
    }
    // Only one lane fits: "late" is visible if the range ends now, "early" if it ends earlier.
    void fillWithEarlyAndLate() {
        for (const auto& [name, begin] : {std::pair("early", -60s), std::pair("late", -12s)})
            m_history->append(EventStory(name, m_clock.wallNow())
                                  .event(EventType::Acquired, begin, {holder(clientA, 1)})
                                  .ends(EventType::Released, begin + 10s, holder(clientA, 1))
                                  .events());
        m_widget->resize(900, TimelineLayout::axisHeight + TimelineLayout::lowestLane);
        refresh();
    }
    static bool nearly(WallTime a, WallTime b) { return std::chrono::abs(a - b) < 60ms; }
    std::vector<LockName> locks(std::initializer_list<const char*> names) const {
        std::vector<LockName> result;
        for (const char* name : names)
            result.push_back(lockName(name));
        return result;
    }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<TimelineHistory> m_history;
    std::unique_ptr<TimelineWidget> m_widget;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_history = std::make_unique<TimelineHistory>();
        m_widget = std::make_unique<TimelineWidget>(*m_history, *m_time, m_clock);
        m_widget->resize(900, 200);
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
        // The mouse pointer may be anywhere.
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(m_widget.get(), &leave);
    }
    void cleanup() { m_widget.reset(); }

    void saysWhyItIsEmpty() {
        paint();
        QVERIFY(m_widget->shownLocks().empty());
        QVERIFY(m_widget->accessibleDescription().contains(QStringLiteral("No lock")));
        QVERIFY(!m_widget->accessibleName().isEmpty());
    }

    void givesLanesToTheSelectedThePinnedAndTheBusiest() {
        for (const char* name : {"a", "b", "c", "d", "e"})
            m_history->append(
                EventStory(name, m_clock.wallNow()).event(EventType::Acquired, -5s, {holder(clientA, 1)}).events());
        fillHistory();
        m_widget->resize(900, TimelineLayout::axisHeight + 3 * TimelineLayout::lowestLane);
        paint();
        QCOMPARE(m_widget->shownLocks(), locks({"a", "busy", "orders"}));
        m_widget->setPinned({lockName("e")});
        paint();
        QCOMPARE(m_widget->shownLocks(), locks({"e", "busy", "orders"}));
        m_widget->setSelected(lockName("d"));
        paint();
        QCOMPARE(m_widget->shownLocks(), locks({"e", "d", "busy"}));
        m_widget->setSelected(lockName("nobody has heard of it"));
        paint();
        QCOMPARE(m_widget->shownLocks(), locks({"e", "busy", "orders"}));
    }

    // ---- lanes ----

    void allLanesCanBeScrolledTo() {
        for (const char* name : {"a", "b", "c", "d", "e"})
            m_history->append(
                EventStory(name, m_clock.wallNow()).event(EventType::Acquired, -5s, {holder(clientA, 1)}).events());
        m_widget->resize(900, TimelineLayout::axisHeight + 2 * TimelineLayout::lowestLane);
        refresh();
        QCOMPARE(m_widget->allLanes(), locks({"a", "b", "c", "d", "e"}));
        QCOMPARE(m_widget->shownLocks(), locks({"a", "b"}));
        wheel(m_widget->layoutNow().name(0).center(), -120);
        QCOMPARE(m_widget->shownLocks(), locks({"b", "c"}));
        QTest::keyClick(m_widget.get(), Qt::Key_PageDown);
        QCOMPARE(m_widget->shownLocks(), locks({"d", "e"}));
        QTest::keyClick(m_widget.get(), Qt::Key_Down);
        QCOMPARE(m_widget->shownLocks(), locks({"d", "e"}));
        QTest::keyClick(m_widget.get(), Qt::Key_Up);
        paint();
        QVERIFY(toolTip(m_widget->layoutNow().name(0).center()).contains(u'c'));
    }

    void theSelectedLaneIsScrolledTo() {
        for (const char* name : {"a", "b", "c", "d", "e"})
            m_history->append(
                EventStory(name, m_clock.wallNow()).event(EventType::Acquired, -5s, {holder(clientA, 1)}).events());
        m_widget->resize(900, TimelineLayout::axisHeight + 2 * TimelineLayout::lowestLane);
        refresh();
        QTest::keyClick(m_widget.get(), Qt::Key_PageDown);
        m_widget->setSelected(lockName("e"));
        paint();
        QCOMPARE(m_widget->shownLocks(), locks({"e", "a"}));
    }

    void noLaneIsReplacedUnderTheMouse() {
        fillHistory();
        m_widget->resize(900, TimelineLayout::axisHeight + 3 * TimelineLayout::lowestLane);
        refresh();
        QCOMPARE(m_widget->shownLocks(), locks({"busy", "orders"}));
        enter();
        EventStory busiest("a busier one", m_clock.wallNow());
        for (int i = 0; i < 30; ++i)
            busiest.event(EventType::Renewed, -10s + 100ms * i, {holder(clientA, 5)});
        m_history->append(busiest.events());
        m_clock.advance(2s);
        refresh();
        QCOMPARE(m_widget->shownLocks(), locks({"busy", "orders", "a busier one"}));
        m_widget->setUrgent({lockName("orders")}, {});
        m_clock.advance(2s);
        refresh();
        QCOMPARE(m_widget->shownLocks(), locks({"busy", "orders", "a busier one"}));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(m_widget.get(), &leave);
        paint();
        QCOMPARE(m_widget->shownLocks().front(), lockName("orders"));
    }

    void fewLanesAreHigher_data() {
        QTest::addColumn<int>("lanes");
        QTest::addColumn<int>("height");
        QTest::newRow("one") << 1 << TimelineLayout::highestLane;
        QTest::newRow("as many as there is room for") << 5 << 80;
        QTest::newRow("more than that") << 50 << 57;
    }
    void fewLanesAreHigher() {
        QFETCH(const int, lanes);
        QTEST((TimelineLayout{{900, TimelineLayout::axisHeight + 400}, lanes}.laneHeight()), "height");
    }

    // ---- the crosshair ----

    void aLineFollowsTheMouse() {
        fillHistory();
        const QPoint at = pointAt(0, -10s);
        QTest::mouseMove(m_widget.get(), at);
        QVERIFY(m_widget->crosshair());
        QVERIFY(nearly(*m_widget->crosshair(), m_clock.wallNow() - 10s));
        const QColor line = m_widget->palette().color(QPalette::Text);
        const QImage image = m_widget->grab().toImage();
        QCOMPARE(image.pixelColor(at.x(), m_widget->layoutNow().axis().top() + 4), line);
        QTest::mouseMove(m_widget.get(), m_widget->layoutNow().name(0).center());
        QVERIFY(!m_widget->crosshair());
    }

    void theChosenEventHasALine() {
        fillHistory();
        const QPoint at = pointAt(0, -10s);
        const auto colorThere = [&] {
            return m_widget->grab().toImage().pixelColor(at.x(), m_widget->layoutNow().axis().top() + 4);
        };
        const QColor before = colorThere();
        m_widget->setMarkedTime(m_clock.wallNow() - 10s);
        QCOMPARE(colorThere(), m_widget->palette().color(QPalette::Text));
        m_widget->setMarkedTime(std::nullopt);
        QCOMPARE(colorThere(), before);
    }

    // ---- words ----

    void aTransitionHasItsName_data() {
        QTest::addColumn<Moment>("moment");
        QTest::addColumn<QString>("label");
        const auto moment = [](EventType type, bool suspect = false,
                               std::optional<monitor::DiagnosisKind> diagnosis = {}) {
            Moment result;
            result.type = type;
            result.suspect = suspect;
            result.diagnosis = diagnosis;
            return result;
        };
        QTest::newRow("expired") << moment(EventType::Expired) << QStringLiteral("expired");
        QTest::newRow("forced") << moment(EventType::Forced) << QStringLiteral("forced");
        QTest::newRow("a dead waiter was removed")
            << moment(EventType::WaiterRemoved) << QStringLiteral("waiter removed");
        QTest::newRow("waiters were woken") << moment(EventType::WaitersWoken) << QStringLiteral("woken");
        QTest::newRow("a TTL was set") << moment(EventType::ExpirySet) << QStringLiteral("TTL set");
        QTest::newRow("deleted") << moment(EventType::Deleted) << QStringLiteral("deleted");
        QTest::newRow("a diagnosis") << moment(EventType::Diagnosed, false, monitor::DiagnosisKind::WatchdogStopped)
                                     << QStringLiteral("Watchdog stopped");
        QTest::newRow("its end") << moment(EventType::Diagnosed) << QString();
        QTest::newRow("suspect") << moment(EventType::HandedOver, true) << QStringLiteral("suspect");
        QTest::newRow("handed over") << moment(EventType::HandedOver) << QString();
        QTest::newRow("renewed") << moment(EventType::Renewed) << QString();
    }
    void aTransitionHasItsName() {
        QFETCH(const Moment, moment);
        QTEST(TimelineWords::label(moment), "label");
    }

    // A force is followed by the acquire of the client that waited.
    void aNameStandsBehindTheMarksThatFollowAtOnce_data() {
        QTest::addColumn<Milliseconds>("later");
        QTest::newRow("nothing follows") << Milliseconds(60000);
        QTest::newRow("in the same column") << Milliseconds(1);
        QTest::newRow("beside it") << Milliseconds(200);
    }
    void aNameStandsBehindTheMarksThatFollowAtOnce() {
        QFETCH(Milliseconds, later);
        EventStory story("orders", m_clock.wallNow() - 10s);
        story.event(EventType::Acquired, -10s, {holder(clientA, 33)}).ends(EventType::Forced, 0ms, holder(clientA, 33));
        if (later < 60s)
            story.event(EventType::Acquired, later, {holder(clientB, 34)});
        m_history->append(story.events());
        refresh();
        const QRect strip = m_widget->layoutNow().labels(0);
        const int from = pointAt(0, -10s).x() + 3 * TimelineLayout::markHeight;
        const QImage picture = m_widget->grab(QRect(from, strip.top(), 20, strip.height())).toImage();
        int written = 0;
        for (int x = 0; x < picture.width(); ++x) {
            for (int y = 0; y < picture.height(); ++y)
                written += picture.pixelColor(x, y) != m_widget->palette().color(QPalette::Base) ? 1 : 0;
        }
        QVERIFY2(written > 20, qPrintable(QString::number(written)));
    }

    void moreLocksThanLanesAreCounted() {
        QCOMPARE(TimelineWords::lanes(100, 10001), QStringLiteral("100 of 10,001 locks"));
        QCOMPARE(TimelineWords::lanes(16, 16), QString());
        const auto below = [this] {
            const TimelineLayout layout = m_widget->layoutNow();
            return m_widget->grab(QRect(0, layout.axis().top(), layout.namesWidth(), layout.axis().height())).toImage();
        };
        fillHistory();
        refresh();
        const QImage all = below();
        for (int i = 0; i < 200; ++i)
            m_history->append(EventStory(qPrintable(QString::number(i)), m_clock.wallNow())
                                  .event(EventType::Acquired, -5s, {holder(clientA, 1)})
                                  .events());
        refresh();
        QVERIFY(below() != all);
    }

    void aNameIsBrokenBetweenItsWords_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("letters");
        QTest::addColumn<QStringList>("lines");
        QTest::newRow("it has room") << QStringLiteral("orders") << 10 << QStringList{"orders"};
        QTest::newRow("behind a colon") << QStringLiteral("orders:{17}:payment") << 14
                                        << QStringList{"orders:{17}:", "payment"};
        QTest::newRow("behind an earlier one, if the rest has room")
            << QStringLiteral("a:bbbbbbbb") << 9 << QStringList{"a:", "bbbbbbbb"};
        QTest::newRow("one word") << QStringLiteral("abcdefghij") << 6 << QStringList{"abcdef", "ghij"};
    }
    void aNameIsBrokenBetweenItsWords() {
        QFETCH(const QString, name);
        QFETCH(const int, letters);
        QFont font(QStringLiteral("monospace"));
        font.setStyleHint(QFont::Monospace);
        const QFontMetrics metrics(font);
        QTEST(TimelinePainter::nameLines(metrics, name, letters * metrics.horizontalAdvance(u'a'), 2), "lines");
    }

    // At the right edge there is no room behind the mark.
    void theNameOfTheNewestStandsBeforeItsMark() {
        EventStory story("orders", m_clock.wallNow());
        story.event(EventType::Acquired, -30s, {holder(clientA, 33)}).ends(EventType::Forced, 0ms, holder(clientA, 33));
        m_history->append(story.events());
        refresh();
        const QRect strip = m_widget->layoutNow().labels(0);
        const int to = pointAt(0, 0ms).x() - TimelineLayout::markHeight;
        const QImage picture = m_widget->grab(QRect(to - 20, strip.top(), 20, strip.height())).toImage();
        int written = 0;
        for (int x = 0; x < picture.width(); ++x) {
            for (int y = 0; y < picture.height(); ++y)
                written += picture.pixelColor(x, y) != m_widget->palette().color(QPalette::Base) ? 1 : 0;
        }
        QVERIFY2(written > 20, qPrintable(QString::number(written)));
    }

    void theLegendNamesEverySign() {
        TimelinePanel panel(*m_time, m_clock);
        panel.show();
        panel.findChild<QToolButton*>(QStringLiteral("timelineLegend"))->click();
        auto* legend = panel.findChild<TimelineLegend*>();
        QVERIFY(legend && legend->isVisible());
        QVERIFY(TimelineLegend::meanings().size() > markKinds);
        for (const QString& meaning : TimelineLegend::meanings())
            QVERIFY2(legend->accessibleDescription().contains(meaning), qPrintable(meaning));
        QVERIFY(!legend->grab().isNull());
    }

    void theTimeBeforeItIsKnownIsHatched() {
        fillHistory();
        QVERIFY(toolTip(pointAt(0, -28s)).contains(QStringLiteral("Not watched")));
        QVERIFY(!toolTip(pointAt(0, -18s)).contains(QStringLiteral("Not watched")));
    }

    void followsThePresentOnlyWhileSomethingIsOpen() {
        fillHistory();
        QCOMPARE(m_widget->ticking(), Ticker::State::Running);
        const WallTime before = m_widget->range().to;
        moveTime(5s);
        QCOMPARE(m_widget->range().to, before + 5s);
        const WallTime now = m_clock.wallNow();
        m_history->append(EventStory("orders", now).ends(EventType::Released, 0ms, holder(clientB, 34)).events());
        m_history->append(EventStory("busy", now).ends(EventType::Released, 0ms, holder(clientA, 33)).events());
        refresh();
        QCOMPARE(m_widget->ticking(), Ticker::State::Idle);
    }

    void ticksForNobodyWhenItIsHidden() {
        fillHistory();
        m_widget->hide();
        m_clock.advance(1s);
        QCOMPARE(m_widget->ticking(), Ticker::State::Idle);
    }

    void isUpToDateWhenItIsShownAgain() {
        fillHistory();
        m_widget->hide();
        m_clock.advance(100s);
        m_widget->show();
        paint();
        QCOMPARE(m_widget->range().to, m_clock.wallNow());
    }

    void standsStillWhenTheConnectionIsLost() {
        fillHistory();
        m_time->follow(reconnecting(m_clock.wallNow()));
        refresh();
        QCOMPARE(m_widget->ticking(), Ticker::State::Idle);
    }

    void spacePausesAndFollowsAgain() {
        fillHistory();
        const QSignalSpy changed(m_widget.get(), &TimelineWidget::flowChanged);
        const TimeRange before = m_widget->range();
        QTest::keyClick(m_widget.get(), Qt::Key_Space);
        moveTime(5s);
        QCOMPARE(m_widget->range(), before);
        QTest::keyClick(m_widget.get(), Qt::Key_Space);
        QCOMPARE(m_widget->range().to, m_clock.wallNow());
        QCOMPARE(changed.count(), 2);
    }

    void keysMoveAndZoom_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<double>("length");  // relative to the length before
        QTest::addColumn<double>("moved");   // of the middle, in lengths before
        QTest::newRow("left") << int(Qt::Key_Left) << 1.0 << -0.1;
        QTest::newRow("right") << int(Qt::Key_Right) << 1.0 << 0.1;
        QTest::newRow("plus") << int(Qt::Key_Plus) << 1 / 1.5 << 0.0;
        QTest::newRow("equals, which is plus without shift") << int(Qt::Key_Equal) << 1 / 1.5 << 0.0;
        QTest::newRow("minus") << int(Qt::Key_Minus) << 1.5 << 0.0;
    }
    void keysMoveAndZoom() {
        QFETCH(const int, key);
        QFETCH(const double, length);
        QFETCH(const double, moved);
        fillHistory();
        m_widget->setFlow(TimelineWidget::Flow::Still);
        const TimeRange before = m_widget->range();
        QTest::keyClick(m_widget.get(), static_cast<Qt::Key>(key));
        const TimeRange after = m_widget->range();
        QVERIFY(nearly(after.from + after.length(),
                       after.from + std::chrono::nanoseconds(
                                        std::llround(static_cast<double>(before.length().count()) * length))));
        QVERIFY(std::abs(before.fraction(after.at(0.5)) - 0.5 - moved) < 0.001);
    }

    void homeAndEndGoToBothEnds() {
        fillHistory();
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        QCOMPARE(m_widget->range().from, m_clock.wallNow() - 25s);
        QCOMPARE(m_widget->flow(), TimelineWidget::Flow::Still);
        QTest::keyClick(m_widget.get(), Qt::Key_End);
        QCOMPARE(m_widget->range().to, m_clock.wallNow());
        QCOMPARE(m_widget->flow(), TimelineWidget::Flow::Following);
    }

    void theWheelZoomsAroundTheCursor() {
        fillHistory();
        m_widget->setFlow(TimelineWidget::Flow::Still);
        const QPoint cursor = pointAt(0, -20s);
        const WallTime::duration before = m_widget->range().length();
        wheel(cursor, 120);
        QVERIFY(m_widget->range().length() < before);
        QVERIFY((pointAt(0, -20s) - cursor).manhattanLength() <= 1);
        wheel(cursor, -120);
        QVERIFY(nearly(m_widget->range().from + before, m_widget->range().to));
    }

    void whileFollowingThePresentStaysInSight() {
        fillHistory();
        wheel(pointAt(0, -20s), 120);
        QCOMPARE(m_widget->range().to, m_clock.wallNow());
        QCOMPARE(m_widget->flow(), TimelineWidget::Flow::Following);
    }

    void theWheelWithShiftMoves() {
        fillHistory();
        const TimeRange before = m_widget->range();
        wheel(pointAt(0, -20s), 120, Qt::ShiftModifier);
        QCOMPARE(m_widget->range().length(), before.length());
        QVERIFY(m_widget->range().from < before.from);
        QCOMPARE(m_widget->flow(), TimelineWidget::Flow::Still);
    }

    void aDragMovesWithTheHandAndChoosesNothing() {
        fillHistory();
        const QSignalSpy chosen(m_widget.get(), &TimelineWidget::lockChosen);
        const QPoint from = pointAt(1, -20s);
        drag(from, 150);
        QCOMPARE(m_widget->flow(), TimelineWidget::Flow::Still);
        QVERIFY((pointAt(1, -20s) - from - QPoint(150, 0)).manhattanLength() <= 1);
        QCOMPARE(chosen.count(), 0);
    }

    void lanesStayUnderTheHandUntilItRests_data() {
        QTest::addColumn<QString>("hand");
        QTest::addColumn<bool>("isLookedAt");
        for (const char* hand : {"drag", "wheel", "keys"})
            QTest::newRow(hand) << QString::fromLatin1(hand) << false;
        QTest::newRow("wheel, and the pointer stays there") << QStringLiteral("wheel") << true;
    }
    void lanesStayUnderTheHandUntilItRests() {
        QFETCH(const QString, hand);
        QFETCH(const bool, isLookedAt);
        fillWithEarlyAndLate();
        if (isLookedAt)
            enter();
        m_clock.advance(5s);
        for (int step = 0; step < 16; ++step) {
            if (hand == QStringLiteral("drag"))
                drag(m_widget->rect().center(), m_widget->layoutNow().columns() / 10);
            else if (hand == QStringLiteral("wheel"))
                wheel(m_widget->rect().center(), 120, Qt::ShiftModifier);
            else
                QTest::keyClick(m_widget.get(), Qt::Key_Left);
            m_clock.advance(500ms);
            refresh();
            QCOMPARE(m_widget->shownLocks(), locks({"late"}));
        }
        moveTime(499ms);
        QCOMPARE(m_widget->shownLocks(), locks({"late"}));
        moveTime(1ms);
        QCOMPARE(m_widget->shownLocks(), isLookedAt ? locks({"late"}) : locks({"early"}));
        QVERIFY(!m_clock.hasTimers());
    }

    void lanesStayWhileTheButtonIsDown() {
        fillWithEarlyAndLate();
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, {300, 20});
        moveTime(10s);
        refresh();
        QCOMPARE(m_widget->shownLocks(), locks({"late"}));
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, {300, 20});
        moveTime(1s);
        QCOMPARE(m_widget->shownLocks(), locks({"early"}));
    }

    void aClickChoosesTheLockAndTheEvent_data() {
        QTest::addColumn<Milliseconds>("where");
        QTest::addColumn<Milliseconds>("event");
        QTest::newRow("on a mark") << Milliseconds(-10s) << Milliseconds(-10s);
        QTest::newRow("on a bar: its begin") << Milliseconds(-15s) << Milliseconds(-20s);
        QTest::newRow("on a bar that goes on") << Milliseconds(-2s) << Milliseconds(-4s);
    }
    void aClickChoosesTheLockAndTheEvent() {
        QFETCH(const Milliseconds, where);
        QFETCH(const Milliseconds, event);
        fillHistory();
        const QSignalSpy lock(m_widget.get(), &TimelineWidget::lockChosen);
        const QSignalSpy chosen(m_widget.get(), &TimelineWidget::eventChosen);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, pointAt(1, where));
        QCOMPARE(lock.count(), 1);
        QCOMPARE(lock.front().front().value<LockName>(), lockName("orders"));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().at(1).value<WallTime>(), m_clock.wallNow() + event);
    }

    void aClickBesideEverythingChoosesTheLockAlone() {
        fillHistory();
        const QSignalSpy lock(m_widget.get(), &TimelineWidget::lockChosen);
        const QSignalSpy chosen(m_widget.get(), &TimelineWidget::eventChosen);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, pointAt(1, -7s));
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, m_widget->layoutNow().name(0).center());
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, m_widget->layoutNow().axis().center());
        QCOMPARE(lock.count(), 2);
        QCOMPARE(chosen.count(), 0);
    }

    void tellsAboutWhatIsUnderTheCursor() {
        fillHistory();
        const QString ended = toolTip(pointAt(1, -15s));
        QVERIFY2(ended.contains(QString::fromLatin1(clientA)) && ended.contains(QStringLiteral("for 10 s")),
                 qPrintable(ended));
        const QString open = toolTip(pointAt(1, -2s));
        QVERIFY2(open.contains(QString::fromLatin1(clientB)) && open.contains(QStringLiteral("still held")),
                 qPrintable(open));
        const QString busy = toolTip(pointAt(0, -23s));
        QVERIFY2(busy.contains(QStringLiteral("since before")) && busy.contains(QStringLiteral("7 renewals")),
                 qPrintable(busy));
        m_history->interrupt(m_clock.wallNow() - 1s);
        paint();
        QVERIFY(toolTip(pointAt(1, -500ms)).contains(QStringLiteral("Not watched")));
    }

    void aNameInATipIsNoMarkupAndShort_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("shown");
        QTest::newRow("an ampersand") << QByteArray("a&b") << QStringLiteral("a&b");
        QTest::newRow("long") << QByteArray(10'000, 'x') << QString(199, u'x') + QChar(0x2026) + QString(200, u'x');
    }
    void aNameInATipIsNoMarkupAndShort() {
        QFETCH(const QByteArray, name);
        m_history->append(EventStory(name.constData(), m_clock.wallNow())
                              .event(EventType::Acquired, -4s, {holder(clientA, 1)})
                              .events());
        refresh();
        const QString tip = toolTip(m_widget->layoutNow().name(0).center());
        QVERIFY(Qt::mightBeRichText(tip));
        QTextDocument read;
        read.setHtml(tip);
        QTEST(read.toPlainText(), "shown");
    }

    void showsAllThatIsKnown() {
        fillHistory();
        m_history->append(
            EventStory("busy", m_clock.wallNow()).event(EventType::Renewed, 0ms, {holder(clientA, 33)}).events());
        m_clock.advance(300s);
        m_widget->showAll();
        QCOMPARE(m_widget->range().from, m_clock.wallNow() - 325s);
        QCOMPARE(m_widget->range().to, m_clock.wallNow());
    }

    void drawsEachHolderInItsOwnColourInLightAndDark() {
        fillHistory();
        m_widget->setFlow(TimelineWidget::Flow::Still);
        for (const QColor base : {QColor(Qt::white), QColor(29, 31, 35)}) {
            QPalette palette = m_widget->palette();
            palette.setColor(QPalette::Base, base);
            m_widget->setPalette(palette);
            const QImage image = m_widget->grab().toImage();
            const auto colorAt = [&](Milliseconds when) {
                return image.pixelColor(pointAt(1, when).x(), m_widget->layoutNow().bars(1).top() + 1);
            };
            QCOMPARE(colorAt(-7s), base);
            QVERIFY(colorAt(-15s) != base);
            QVERIFY(colorAt(-2s) != base);
            QVERIFY(colorAt(-15s) != colorAt(-2s));
        }
    }
};

LOCKKEEPER_TEST(TestTimelineWidget, Gui)

}  // namespace tst_timelinewidget

#include "tst_timelinewidget.moc"
