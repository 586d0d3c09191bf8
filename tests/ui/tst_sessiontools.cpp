// SPDX-License-Identifier: Apache-2.0
#include "lab/playeddump.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/messagebar.h"
#include "ui/locks/lockspage.h"
#include "ui/words/clockzone.h"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSet>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

namespace tst_sessiontools {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The menu "Tools" in the real window.
class TestSessionTools : public WindowTest {
    Q_OBJECT

private:
    void trigger(const char* name) const { action(name).trigger(); }
    QImage pictureOfTimeline(bool exported) const {
        if (!exported) {
            trigger("actionCopyReport");
            return QGuiApplication::clipboard()->mimeData()->imageData().value<QImage>();
        }
        const QString path = m_directory->filePath(QStringLiteral("timeline.png"));
        QFile::remove(path);
        trigger("actionExportTimeline");
        auto& dialog = find<QFileDialog>("exportDialog");
        Q_EMIT dialog.fileSelected(path);
        delete &dialog;
        return QTest::qWaitFor([&] { return QFile::exists(path); }) ? QImage(path) : QImage();
    }
    // The colors of clients: text and axis have no such color.
    static QSet<QRgb> coloursOf(const QImage& image) {
        constexpr int greySaturation = 60;
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).saturation() > greySaturation)
                    colours.insert(image.pixel(x, y));
        return colours;
    }

private Q_SLOTS:
    void initTestCase() { qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere"); }
    void init() {
        begin();
        m_settings->setValue(QStringLiteral("export/directory"), m_directory->path());
        makeWindow();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("a"), 9s), heldRow(m_clock, lockName("b"), 9s)}));
    }
    void cleanup() { end(); }

    void eachActionOpensItsDialog_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QByteArray>("dialog");
        QTest::newRow("look-up") << QByteArray("actionLookup") << QByteArray("lookupDialog");
        QTest::newRow("locks") << QByteArray("actionExportLocks") << QByteArray("exportDialog");
        QTest::newRow("events") << QByteArray("actionExportEvents") << QByteArray("exportDialog");
        QTest::newRow("semaphores and latches")
            << QByteArray("actionExportSynchronizers") << QByteArray("exportDialog");
        QTest::newRow("timeline") << QByteArray("actionExportTimeline") << QByteArray("exportDialog");
        QTest::newRow("window") << QByteArray("actionExportWindow") << QByteArray("exportDialog");
        QTest::newRow("notifications") << QByteArray("actionNotices") << QByteArray("settingsDialog");
        QTest::newRow("history") << QByteArray("actionRetention") << QByteArray("settingsDialog");
    }
    void eachActionOpensItsDialog() {
        QFETCH(const QByteArray, action);
        QFETCH(const QByteArray, dialog);
        trigger(action.constData());
        QVERIFY(WidgetTest::dialog(dialog));
    }

    void aLookedUpLockIsSelected() {
        trigger("actionLookup");
        find<QPlainTextEdit>("lookupText").setPlainText(QString::fromLatin1(clientA) + QStringLiteral(":33"));
        QCOMPARE(m_engine->historyQueries.at(0).profile, connected().profile);
        m_engine->finishLast(history::HistoryExcerpt());
        auto& holds = find<QTreeWidget>("lookupHolds");
        QCOMPARE(holds.topLevelItem(0)->childCount(), 2);
        Q_EMIT holds.itemActivated(holds.topLevelItem(0)->child(1), 0);
        QCOMPARE(m_window->findChild<LocksPage*>()->table().currentLock()->display(),
                 holds.topLevelItem(0)->child(1)->text(0));
    }

    void theDumpOfAHolderIsTakenAndRead_data() {
        QTest::addColumn<lab::DumpedThread>("worker");
        QTest::addColumn<QString>("verdict");
        QTest::newRow("ended") << lab::DumpedThread::Ended << QStringLiteral("Its thread has ended");
        QTest::newRow("works") << lab::DumpedThread::Works
                               << QStringLiteral("com.example.demo.Worker.work (Worker.java:41)");
    }
    void theDumpOfAHolderIsTakenAndRead() {
        QFETCH(const lab::DumpedThread, worker);
        QFETCH(const QString, verdict);
        ConnectionStatus demo = connected();
        demo.isDemo = true;
        m_engine->report(demo);
        m_window->findChild<LocksPage*>()->reveal(lockName("b"));
        trigger("holderDumpAction");
        find<QPushButton>("fetchDumpRun").click();
        QCOMPARE(m_engine->dumpOrders.size(), size_t{1});
        const auto* order = std::get_if<jvm::DemoDump>(&m_engine->dumpOrders.front().way);
        QVERIFY(order);
        QCOMPARE(order->client, ClientId(clientA));
        m_engine->report(
            DumpsTaken{m_engine->lastId, QByteArrayList{lab::playedDump(ThreadId(33), worker, m_clock.wallNow())}});
        auto& threads = find<QTreeWidget>("threadDumpThreads");
        QTRY_COMPARE(threads.topLevelItemCount(), 2);
        QVERIFY2(threads.topLevelItem(0)->text(2).contains(verdict), qPrintable(threads.topLevelItem(0)->text(2)));
        QVERIFY(!WidgetTest::dialog("fetchDumpDialog"));
    }

    void withoutAWayAFileIsRead() {
        m_window->findChild<LocksPage*>()->reveal(lockName("b"));
        trigger("holderDumpAction");
        QVERIFY(!find<QPushButton>("fetchDumpRun").isVisible());  // the connection has no way
        find<QPushButton>("fetchDumpFile").click();
        QVERIFY(WidgetTest::dialog("threadDumpDialog"));
        QVERIFY(m_engine->dumpOrders.empty());
    }

    void exportsWhatTheTableShows() {
        trigger("actionExportLocks");
        const QString path = m_directory->filePath(QStringLiteral("locks.csv"));
        Q_EMIT find<QFileDialog>("exportDialog").fileSelected(path);
        auto& messages = find<MessageBar>("messageBar");
        QTRY_VERIFY(!messages.texts().isEmpty());
        QCOMPARE(messages.texts().last(), QStringLiteral("Locks written: 2, to ") + path);
    }

    void theReportOfTheSelectedLockIsCopiedWithAPicture() {
        QVERIFY(!find<QAction>("actionCopyReport").isEnabled());
        m_window->findChild<LocksPage*>()->reveal(lockName("b"));
        trigger("actionCopyReport");
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        QVERIFY2(copied->text().startsWith(QStringLiteral("# Lock `b`\n")), qPrintable(copied->text()));
        QVERIFY(copied->hasImage());
        QCOMPARE(QString::fromUtf8(copied->data(QStringLiteral("text/markdown"))), copied->text());
    }

    void aClosedTimelineHasAPictureOfWhatHappensMeanwhile_data() {
        QTest::addColumn<bool>("exported");
        QTest::newRow("in the report") << false;
        QTest::newRow("exported") << true;
    }
    void aClosedTimelineHasAPictureOfWhatHappensMeanwhile() {
        QFETCH(const bool, exported);
        auto& timeline = find<QWidget>("timeline");
        find<QDockWidget>("timelineDock").close();
        QVERIFY(!timeline.isVisible());
        m_window->findChild<LocksPage*>()->reveal(lockName("b"));
        const QImage before = pictureOfTimeline(exported);
        QVERIFY(before.width() >= timeline.sizeHint().width());
        QVERIFY(before.height() >= timeline.sizeHint().height());
        m_clock.advance(2s);
        const monitor::LockRow taken = heldRow(m_clock, lockName("b"), 9s, test::holder(clientB, 7));
        monitor::MonitorBatch batch = batchOf({taken});
        batch.events = {test::eventOf(m_clock, monitor::EventType::Acquired, taken)};
        m_engine->report(batch);
        m_clock.advance(1s);
        QVERIFY(coloursOf(pictureOfTimeline(exported)) - coloursOf(before) != QSet<QRgb>());
    }

    void aLockThatTheFilterHidesHasAReport() {
        auto* page = m_window->findChild<LocksPage*>();
        page->reveal(lockName("b"));
        page->showOnly(QStringLiteral("nothing has this name"));
        QVERIFY(!find<QAction>("actionCopyName").isEnabled());
        for (const char* name : {"actionCopyReport", "actionExportReport"})
            QVERIFY2(find<QAction>(name).isEnabled(), name);
        trigger("actionCopyReport");
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("# Lock `b`\n")));
    }

    void theReportOfALockThatIsGoneHasItsLastHolder() {
        auto* page = m_window->findChild<LocksPage*>();
        page->reveal(lockName("b"));
        const QString holder = QStringLiteral("`%1:33`").arg(QString::fromLatin1(clientA));
        const monitor::LockRow held = *page->selection().row();
        QVERIFY(held.lock.isHeld());
        monitor::MonitorBatch forced = batchOf({freeRow(m_clock, lockName("b"))});
        forced.events = {test::eventOf(m_clock, monitor::EventType::Forced, held)};
        m_engine->report(forced);
        m_engine->report(removalOf({lockName("b")}));
        trigger("actionCopyReport");
        const QString report = QGuiApplication::clipboard()->text();
        QVERIFY2(report.contains(QStringLiteral("## The last hold\n")), qPrintable(report));
        QVERIFY2(report.section(QStringLiteral("## The last hold"), 1).contains(holder), qPrintable(report));
        // While the lock has another hold, the report has no last one.
        m_engine->report(batchOf({heldRow(m_clock, lockName("b"), 30s, test::holder(clientB, 7))}));
        trigger("actionCopyReport");
        QVERIFY(!QGuiApplication::clipboard()->text().contains(QStringLiteral("## The last hold")));
    }

    void theReportIsSavedWithAPictureBesideIt() {
        m_window->findChild<LocksPage*>()->reveal(lockName("b"));
        trigger("actionExportReport");
        const QString path = m_directory->filePath(QStringLiteral("what happened.md"));
        Q_EMIT find<QFileDialog>("exportDialog").fileSelected(path);
        auto& messages = find<MessageBar>("messageBar");
        QTRY_COMPARE(messages.texts().value(messages.texts().size() - 1),
                     QStringLiteral("Incident report written, to ") + path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("![Timeline](<what happened.png>)"));
        QVERIFY(!QImage(m_directory->filePath(QStringLiteral("what happened.png"))).isNull());
    }

    // The report that the picture belongs to is in UTC.
    void thePictureInAReportIsInUtc() {
        const monitor::LockRow taken = heldRow(m_clock, lockName("b"), 9s);
        monitor::MonitorBatch batch = batchOf({taken});
        batch.events = {test::eventOf(m_clock, monitor::EventType::Acquired, taken)};
        m_engine->report(batch);
        m_window->findChild<LocksPage*>()->reveal(lockName("b"));
        const QScopeGuard back([] { setClockZone(ClockZone::Local); });
        setClockZone(ClockZone::Utc);
        const QImage exported = pictureOfTimeline(true);
        const QImage inReport = pictureOfTimeline(false);
        setClockZone(ClockZone::Local);
        QCOMPARE(pictureOfTimeline(false), inReport);
        QVERIFY(clockZone() == ClockZone::Local);
        QVERIFY(pictureOfTimeline(true) != exported);
    }

    void aRetentionThatIsChosenReachesTheEngine() {
        trigger("actionRetention");
        find<QSpinBox>("retentionDays").setValue(2);
        find<QPushButton>("settingsApplyRetention").click();
        QCOMPARE(m_engine->retentions.size(), size_t{1});
    }
};

LOCKKEEPER_TEST(TestSessionTools, Gui)

}  // namespace tst_sessiontools

#include "tst_sessiontools.moc"
