// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditfile.h"
#include "support/auditsample.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/wrappedtext.h"
#include "ui/locks/clients/clientnames.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/words/clockzone.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

namespace tst_auditdialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using control::AuditOutcome;

// The audit as the real window shows it, from real files.
class TestAuditDialog : public test::WindowTest {
    Q_OBJECT

private:
    [[nodiscard]] QString folder() const { return m_directory->filePath(QStringLiteral("audit")); }
    [[nodiscard]] QString monthFile() const { return folder() + QStringLiteral("/2026-11.jsonl"); }
    void record(const control::AuditRecord& record) const { QVERIFY(control::AuditFile(folder()).append(record).ok()); }
    // Records an action that was done, and one whose outcome was never recorded.
    void recordTwo() const {
        const control::AuditRecord intent = intentOf("orders");
        record(intent);
        record(test::outcomeOf(intent, AuditOutcome::Done));
        record(intentOf("catalog", QStringLiteral("2026-11-23T12:00:01.000Z")));
    }
    void open(const char* action = "actionAudit") {
        find<QAction>(action).trigger();
        waitForReading();
    }
    void waitForReading() const { QTRY_VERIFY(find<QPushButton>("auditAgain").isEnabled()); }
    [[nodiscard]] QString chain() const { return find<InlineMessage>("auditChain").text(); }
    [[nodiscard]] QString cell(int row, int column) const {
        return find<QTableView>("auditTable").model()->index(row, column).data().toString();
    }
    [[nodiscard]] int rows() const { return find<QTableView>("auditTable").model()->rowCount(); }
    static control::AuditRecord onThisServer(control::AuditRecord record) {
        record.place.server = connected().server;
        return record;
    }
    void connectWithOrders() {
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("orders"));
    }
    // The lines about operators in the details of the lock.
    [[nodiscard]] QStringList operators() const {
        const auto& text = find<WrappedText>("detailOperators");
        return text.isHidden() ? QStringList() : text.toPlainText().split(u'\n');
    }
    void exportTo(const QString& path) const {
        find<QPushButton>("auditExport").click();
        auto& dialog = find<QFileDialog>("auditFileDialog");
        Q_EMIT dialog.fileSelected(path);
        QTRY_VERIFY(!find<InlineMessage>("auditWritten").text().isEmpty());
    }
    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void setContent(const QString& path, const QByteArray& content) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    // 5 h 45 min ahead, until the end of the test.
    static auto inKathmandu() {
        const QByteArray former = qgetenv("TZ");
        qputenv("TZ", "Asia/Kathmandu");
        return QScopeGuard([former] { former.isEmpty() ? qunsetenv("TZ") : qputenv("TZ", former); });
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_window->setAuditFolder(folder());
    }
    void cleanup() { end(); }

    void saysThatNothingWasRecorded() {
        open();
        QCOMPARE(chain(), QStringLiteral("Nothing was recorded yet."));
        QVERIFY(!find<QPushButton>("auditExport").isEnabled());
        QVERIFY(!QDir(folder()).exists());  // reading makes no folder
    }

    void showsARowForEachActionAndThatTheChainHolds() {
        recordTwo();
        open();
        QCOMPARE(rows(), 2);
        QCOMPARE(cell(0, 0), QStringLiteral("2026-11-23 12:00:01.000Z"));
        QCOMPARE(cell(0, 3), QStringLiteral("catalog"));
        QCOMPARE(cell(0, 5), QStringLiteral("Unknown"));
        QCOMPARE(cell(1, 1), QStringLiteral("ann@bastion"));
        QCOMPARE(cell(1, 4), QStringLiteral("force-release"));
        QCOMPARE(cell(1, 5), QStringLiteral("Done"));
        QCOMPARE(cell(1, 6), QStringLiteral("worker-7 crashed, ticket 1234"));
        QVERIFY2(chain().startsWith(QStringLiteral("3 lines; the chain holds. The last hash is ")),
                 qPrintable(chain()));
        QCOMPARE(find<QLabel>("auditCount").text(), QStringLiteral("2 of 2 actions"));
    }

    // The audit is compared with that of other machines, and with logs.
    void timesAreUtcWithTheirDateWhateverZoneIsShown() {
        const auto back = inKathmandu();
        recordTwo();
        open();
        const QAbstractItemModel& table = *find<QTableView>("auditTable").model();
        QCOMPARE(table.headerData(0, Qt::Horizontal).toString(), QStringLiteral("Time (UTC)"));
        for (const ClockZone zone : {ClockZone::Local, ClockZone::Utc}) {
            setClockZone(zone);
            QCOMPARE(cell(0, 0), QStringLiteral("2026-11-23 12:00:01.000Z"));
        }
        setClockZone(ClockZone::Local);
        const auto& view = find<QTableView>("auditTable");
        QVERIFY(view.fontMetrics().horizontalAdvance(cell(0, 0)) < view.columnWidth(0));
    }

    void aReportHasTheTimesOfOperatorsInUtc() {
        const auto back = inKathmandu();
        record(onThisServer(intentOf("orders")));
        connectWithOrders();
        QTRY_VERIFY(!operators().isEmpty());
        find<QAction>("actionCopyReport").trigger();
        const QString report = QGuiApplication::clipboard()->text();
        QVERIFY2(report.contains(QStringLiteral("2026-11-23 12:00:00.000Z  ")), qPrintable(report));
    }

    void aLineThatWasChangedBreaksTheChain() {
        recordTwo();
        setContent(monthFile(), contentOf(monthFile()).replace("ticket 1234", "ticket 9999"));
        open();
        QVERIFY2(chain().startsWith(QStringLiteral("The chain is broken")), qPrintable(chain()));
        QVERIFY2(chain().contains(QStringLiteral("2026-11.jsonl, line 2")), qPrintable(chain()));
    }

    void aLineThatIsHalfWrittenIsNamed() {
        recordTwo();
        setContent(monthFile(), contentOf(monthFile()) + "{\"at\":");
        open();
        QVERIFY2(
            chain().contains(QStringLiteral("Half written, after a crash or on a full disk: 2026-11.jsonl, line 4")),
            qPrintable(chain()));
        QCOMPARE(rows(), 2);
    }

    void isFilteredByWordsAndOutcome() {
        recordTwo();
        open();
        find<QLineEdit>("auditFilter").setText(QStringLiteral("order"));
        QCOMPARE(rows(), 1);
        QCOMPARE(find<QLabel>("auditCount").text(), QStringLiteral("1 of 2 actions"));
        find<QLineEdit>("auditFilter").clear();
        QComboBox& outcome = find<QComboBox>("auditOutcome");
        outcome.setCurrentIndex(outcome.findText(QStringLiteral("Unknown")));
        QCOMPARE(rows(), 1);
        QCOMPARE(cell(0, 3), QStringLiteral("catalog"));
    }

    void anActionIsExplained() {
        recordTwo();
        open();
        const QLabel& detail = find<QLabel>("auditDetail");
        find<QTableView>("auditTable").selectRow(0);
        QVERIFY2(detail.text().contains(QStringLiteral("None was recorded")), qPrintable(detail.text()));
        find<QTableView>("auditTable").selectRow(1);
        QVERIFY2(detail.text().contains(QStringLiteral("Reason: worker-7 crashed, ticket 1234")),
                 qPrintable(detail.text()));
    }

    void ofTheSelectedLock() {
        recordTwo();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("orders"));
        open("actionAuditOfLock");
        QCOMPARE(find<QLineEdit>("auditFilter").text(), QStringLiteral("orders"));
        QCOMPARE(rows(), 1);
    }

    void isAtHandInTheDetails() {
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("orders"));
        auto& button = find<QToolButton>("detailButton_actionAuditOfLock");
        QCOMPARE(button.text(), QStringLiteral("Audit"));
        button.click();
        QCOMPARE(find<QLineEdit>("auditFilter").text(), QStringLiteral("orders"));
        waitForReading();
    }

    void isReadAgainOnRequest() {
        open();
        QCOMPARE(rows(), 0);
        recordTwo();
        find<QPushButton>("auditAgain").click();
        waitForReading();
        QCOMPARE(rows(), 2);
    }

    void whatIsShownIsExported_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("CSV")
            << QStringLiteral("a.csv")
            << QByteArray(
                   "at,user,host,server,profile,environment,lock,lock_base64,action,outcome,reason,error,id\r\n"
                   "2026-11-23T12:00:00.000Z,ann,bastion,cache.example:6379/0,,,orders,,force_release,done,"
                   "\"worker-7 crashed, ticket 1234\",,of orders\r\n");
        QTest::newRow("JSON lines: the bytes of the files") << QStringLiteral("a.jsonl") << QByteArray();
    }
    void whatIsShownIsExported() {
        QFETCH(const QString, file);
        QFETCH(QByteArray, content);
        recordTwo();
        if (content.isEmpty()) {
            const QList<QByteArray> lines = contentOf(monthFile()).split('\n');
            content = lines.at(0) + '\n' + lines.at(1) + '\n';
        }
        open();
        find<QLineEdit>("auditFilter").setText(QStringLiteral("orders"));
        exportTo(m_directory->filePath(file));
        QCOMPARE(contentOf(m_directory->filePath(file)), content);
    }

    void anExportThatFailsIsReported() {
        recordTwo();
        open();
        exportTo(m_directory->filePath(QStringLiteral("missing/a.csv")));
        const QString message = find<InlineMessage>("auditWritten").text();
        QVERIFY2(message.contains(QStringLiteral("could not be written")), qPrintable(message));
    }

    // ---- beside the lock ----

    void theDetailsSayWhatOperatorsDidToTheLock() {
        control::AuditRecord intent = onThisServer(intentOf("orders"));
        record(intent);
        record(test::outcomeOf(intent, AuditOutcome::Done));
        record(onThisServer(intentOf("catalog")));
        record(intentOf("orders", QStringLiteral("2026-11-23T12:00:02.000Z")));  // on another server
        connectWithOrders();
        QTRY_COMPARE(operators().size(), 1);
        QVERIFY2(operators().first().endsWith(
                     QStringLiteral("ann@bastion: force-release (Done). Reason: worker-7 crashed, ticket 1234")),
                 qPrintable(operators().first()));
    }

    // The line may be written by another program, for example.
    void aLineThatIsWrittenLaterIsShown() {
        record(onThisServer(intentOf("catalog")));
        connectWithOrders();
        record(onThisServer(intentOf("orders")));
        QTRY_COMPARE(operators().size(), 1);
        QVERIFY(operators().first().contains(QStringLiteral("(Unknown)")));
    }

    void aForceIsAnEventOfItsOwn() {
        control::AuditRecord intent = onThisServer(intentOf("orders"));
        intent.at = m_clock.wallNow();
        record(intent);
        record(test::outcomeOf(intent, AuditOutcome::Done));
        connectWithOrders();
        const QAbstractItemModel* events = find<QTableView>("eventTable").model();
        QTRY_COMPARE(events->rowCount(), 1);
        QCOMPARE(events->index(0, 4).data().toString(),
                 QStringLiteral("by ann@bastion: worker-7 crashed, ticket 1234"));
        // What earlier runs saw comes once, and replaces what is shown.
        m_engine->report(HistoryLoaded());
        QCOMPARE(events->rowCount(), 1);
    }

    // The folder of the audit is made by that force.
    void aForceByAnotherProgramIsNamedInTheLane() {
        m_engine->report(connected());
        reportChange(heldRow(m_clock, lockName("orders"), 12s));
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("orders"));
        m_clock.advance(10s);
        control::AuditRecord intent = onThisServer(intentOf("orders"));
        intent.at = m_clock.wallNow();
        record(intent);
        record(test::outcomeOf(intent, AuditOutcome::Done));
        QTRY_COMPARE(operators().size(), 1);
        m_clock.advance(10s);
        auto& timeline = find<TimelineWidget>("timeline");
        timeline.grab();
        const TimelineLayout places = timeline.layoutNow();
        const int x = places.namesWidth() + static_cast<int>(timeline.range().fraction(intent.at) * places.columns());
        const QPoint position(x, places.bars(0).center().y());
        QHelpEvent help(QEvent::ToolTip, position, timeline.mapToGlobal(position));
        QCoreApplication::sendEvent(&timeline, &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("00:00:10.000 Forced")), qPrintable(QToolTip::text()));
    }

    void theChosenActionStaysWhenAClientGetsAName() {
        record(onThisServer(intentOf("payroll lock")));
        control::AuditRecord other = onThisServer(intentOf("orders", QStringLiteral("2026-11-23T12:00:01.000Z")));
        other.change.kind = control::ChangeKind::ReleaseHolder;
        other.change.holder = holder(clientA, 33).id;
        record(other);
        connectWithOrders();
        open();
        find<QLineEdit>("auditFilter").setText(QStringLiteral("payroll"));
        auto& table = find<QTableView>("auditTable");
        QCOMPARE(rows(), 1);
        table.selectRow(0);
        m_window->findChild<ClientNames*>()->set(ClientId(clientA), QStringLiteral("payroll-1"));
        QCOMPARE(rows(), 2);
        QCOMPARE(cell(table.currentIndex().row(), 3), QStringLiteral("payroll lock"));
        QVERIFY(find<QLabel>("auditDetail").text().contains(QStringLiteral("payroll lock")));
    }

    // Two sessions may know different facts about a client.
    void clientsHaveTheirNamesInTheSessionInFront() {
        control::AuditRecord intent = intentOf("orders");
        intent.change.kind = control::ChangeKind::ReleaseHolder;
        intent.change.holder = holder(clientA, 33).id;
        record(intent);
        connectWithOrders();
        open();
        const QString withoutName = cell(0, 4);
        QVERIFY2(withoutName.contains(QString::fromLatin1(clientA)), qPrintable(withoutName));
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://two")));
        m_window->currentPage().holders().addOwn({ClientId(clientA)});
        const QString withName = cell(0, 4);
        QVERIFY(withName != withoutName);
        auto& tabs = find<QTabWidget>("sessionTabs");
        tabs.setCurrentIndex(0);
        QCOMPARE(cell(0, 4), withoutName);
        tabs.setCurrentIndex(1);
        QCOMPARE(cell(0, 4), withName);
    }

    // The console's name for a client is shown everywhere instead of the UUID.
    void aClientHasItsNameEverywhere() {
        control::AuditRecord intent = onThisServer(intentOf("orders"));
        intent.state = heldRow(m_clock, lockName("orders"), 12s).lock;
        intent.change.kind = control::ChangeKind::ReleaseHolder;
        intent.change.holder = holder(clientA, 33).id;
        record(intent);
        connectWithOrders();
        open();
        find<QTableView>("auditTable").selectRow(0);
        m_window->findChild<ClientNames*>()->set(ClientId(clientA), QStringLiteral("orders-a"));
        QCOMPARE(cell(0, 4), QStringLiteral("release of the holder orders-a:33"));
        const QString detail = find<QLabel>("auditDetail").text();
        QVERIFY2(detail.contains(QStringLiteral("Before: held by orders-a:33")), qPrintable(detail));
        QVERIFY2(detail.contains(QStringLiteral("release of the holder orders-a:33")), qPrintable(detail));
        QTRY_COMPARE(operators().size(), 1);
        QVERIFY2(operators().first().contains(QStringLiteral("release of the holder orders-a:33")),
                 qPrintable(operators().first()));
        find<QAction>("actionCopyReport").trigger();
        const QString report = QGuiApplication::clipboard()->text().section(QStringLiteral("## What operators did"), 1);
        QVERIFY2(report.contains(QStringLiteral("release of the holder orders-a:33")), qPrintable(report));
        for (const QString& words : {QStringLiteral("orders-a"), QString::fromLatin1(clientA)}) {
            find<QLineEdit>("auditFilter").setText(words);
            QCOMPARE(rows(), 1);
        }
    }

    void theReportSaysWhatOperatorsDid() {
        record(onThisServer(intentOf("orders")));
        connectWithOrders();
        QTRY_COMPARE(operators().size(), 1);
        find<QAction>("actionCopyReport").trigger();
        const QString report = QGuiApplication::clipboard()->text();
        QVERIFY2(report.contains(QStringLiteral("## What operators did")), qPrintable(report));
        QVERIFY(report.contains(QStringLiteral("Reason: worker-7 crashed, ticket 1234")));
    }
};

LOCKKEEPER_TEST(TestAuditDialog, Gui)

}  // namespace tst_auditdialog

#include "tst_auditdialog.moc"
