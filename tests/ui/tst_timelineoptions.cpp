// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/timeline/timelinewidget.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTest>

namespace tst_timelineoptions {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// What the settings offer for the timeline, in the real window.
class TestTimelineOptions : public WindowTest {
    Q_OBJECT

private:
    TimelineWidget& timeline() const { return find<TimelineWidget>("timeline"); }
    void openSettings() const { find<QAction>("actionSettings").trigger(); }
    void closeSettings() const {
        find<QDialog>("settingsDialog").reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    // Reports so many locks, acquired one after the other.
    void sayLocks(int count) {
        monitor::MonitorBatch batch;
        for (int i = 0; i < count; ++i) {
            batch.changed.push_back(sharedRow(heldRow(m_clock, LockName("lock" + QByteArray::number(100 + i)), 12s)));
            batch.events.push_back(eventOf(m_clock, monitor::EventType::Acquired, *batch.changed.back()));
        }
        m_engine->report(batch);
        paint();
    }
    void paint() const { timeline().grab(); }
    Milliseconds span() const { return std::chrono::duration_cast<Milliseconds>(timeline().range().length()); }

private Q_SLOTS:
    void init() { beginConnected(); }
    void cleanup() { end(); }

    void theSpanIsAppliedAtOnceAndKept() {
        QCOMPARE(span(), 30s);
        openSettings();
        find<QComboBox>("settingsTimelineSpan").setCurrentIndex(2);
        QCOMPARE(span(), 5min);
        QCOMPARE(timeline().flow(), TimelineWidget::Flow::Following);
        closeSettings();
        restart();
        m_engine->report(connected());
        QCOMPARE(span(), 5min);
        openSettings();
        QCOMPARE(find<QComboBox>("settingsTimelineSpan").currentIndex(), 2);
    }

    void lanesHaveTheChosenHeight() {
        m_window->resize(1600, 1400);
        sayLocks(30);
        const size_t low = timeline().layoutNow().room();
        openSettings();
        find<QComboBox>("settingsLaneHeight").setCurrentIndex(2);
        paint();
        QCOMPARE(timeline().layoutNow().laneHeight(), TimelineLayout::highestLane);
        QVERIFY(timeline().layoutNow().room() < low);
    }

    void thereAreNoMoreLanesThanChosen() {
        sayLocks(30);
        QCOMPARE(timeline().allLanes().size(), size_t{30});
        openSettings();
        find<QSpinBox>("settingsLaneCount").setValue(7);
        paint();
        QCOMPARE(timeline().allLanes().size(), size_t{7});
    }

    void lanesCanBeKept() {
        sayLocks(5);
        openSettings();
        find<QSpinBox>("settingsLaneCount").setValue(5);
        find<QCheckBox>("settingsKeptLanes").setChecked(true);
        paint();
        const std::vector<LockName> before = timeline().allLanes();
        monitor::MonitorBatch batch;
        const monitor::LockRow busy = heldRow(m_clock, lockName("busy"), 12s);
        for (int i = 0; i < 20; ++i)
            batch.events.push_back(eventOf(m_clock, monitor::EventType::Acquired, busy));
        batch.changed = {sharedRow(busy)};
        m_clock.advance(2s);
        m_engine->report(batch);
        paint();
        QCOMPARE(timeline().allLanes(), before);
        find<QCheckBox>("settingsKeptLanes").setChecked(false);
        m_clock.advance(2s);
        paint();
        QVERIFY(timeline().allLanes() != before);
    }

    void resettingThePageResetsAll() {
        openSettings();
        find<QComboBox>("settingsTimelineSpan").setCurrentIndex(3);
        find<QSpinBox>("settingsLaneCount").setValue(9);
        timeline().setPinned({lockName("a")});
        QListWidget& pages = find<QListWidget>("settingsPages");
        pages.setCurrentItem(pages.findItems(QStringLiteral("Timeline"), Qt::MatchExactly).value(0));
        find<QPushButton>("settingsReset").click();
        QCOMPARE(TimelineOptions::load(*m_settings), TimelineOptions());
        QCOMPARE(span(), 30s);
        QVERIFY(timeline().pinned().isEmpty());
    }

    void whatNoVersionHasWrittenIsBounded_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QVariant>("value");
        QTest::newRow("too many lanes") << QStringLiteral("timeline/lanes") << QVariant(1'000'000);
        QTest::newRow("no lanes") << QStringLiteral("timeline/lanes") << QVariant(-1);
        QTest::newRow("no such height") << QStringLiteral("timeline/laneHeight") << QVariant(77);
        QTest::newRow("no time") << QStringLiteral("timeline/span") << QVariant(0);
        QTest::newRow("no number") << QStringLiteral("timeline/span") << QVariant(QStringLiteral("x"));
    }
    void whatNoVersionHasWrittenIsBounded() {
        QFETCH(const QString, key);
        QFETCH(const QVariant, value);
        m_settings->setValue(key, value);
        const TimelineOptions options = TimelineOptions::load(*m_settings);
        QVERIFY(options.count >= TimelineOptions::fewestLanes && options.count <= TimelineOptions::mostLanes);
        QVERIFY(options.span >= TimeRange::shortest && options.span <= TimeRange::longest);
        QVERIFY(options.lowestLane() >= TimelineLayout::lowestLane &&
                options.lowestLane() <= TimelineLayout::highestLane);
    }
};

LOCKKEEPER_TEST(TestTimelineOptions, Gui)

}  // namespace tst_timelineoptions

#include "tst_timelineoptions.moc"
