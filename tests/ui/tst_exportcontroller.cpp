// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/eventjson.h"
#include "support/auditsample.h"
#include "support/eventstory.h"
#include "support/filesizelimit.h"
#include "support/guitestprogram.h"
#include "support/samplesynchronizers.h"
#include "support/widgettest.h"
#include "ui/base/messagebar.h"
#include "ui/events/export/exportcontroller.h"
#include "ui/events/log/eventlogpanel.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/locks/synchronizers/synchronizerpanel.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace tst_exportcontroller {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::EventType;

// The file contains exactly what is on the screen, complete or not at all.
class TestExportController : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_window; }
    QFileDialog& dialog() const { return find<QFileDialog>("exportDialog"); }
    QString path(const char* name) const { return m_directory->filePath(QLatin1String(name)); }
    QString message() const { return m_messages->texts().isEmpty() ? QString() : m_messages->texts().last(); }
    // Chooses the file, waits for the message, and returns the lines.
    QList<QByteArray> save(const QString& file) const {
        const qsizetype before = m_messages->texts().size();
        Q_EMIT dialog().fileSelected(file);
        delete &dialog();
        if (!QTest::qWaitFor([&] { return m_messages->texts().size() > before; }))
            return {};
        QFile written(file);
        return written.open(QFile::ReadOnly) ? written.readAll().trimmed().split('\n') : QList<QByteArray>();
    }

    ManualClock m_clock;
    ViewTime m_time{m_clock};
    FileThread m_files;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<LockTableModel> m_locks;
    std::unique_ptr<EventLogModel> m_log;
    std::unique_ptr<QWidget> m_window;
    LocksPage* m_page = nullptr;
    EventLogPanel* m_events = nullptr;
    SynchronizerPanel* m_synchronizers = nullptr;
    MessageBar* m_messages = nullptr;
    ExportController* m_controller = nullptr;

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<QSettings>(path("settings.ini"), QSettings::IniFormat);
        m_time.follow(connected());
        m_locks = std::make_unique<LockTableModel>(m_time);
        m_log = std::make_unique<EventLogModel>(m_time);
        m_window = std::make_unique<QWidget>();
        m_page = new LocksPage(*m_locks, m_time, m_clock, m_window.get());
        m_events = new EventLogPanel(*m_log, m_window.get());
        m_synchronizers = new SynchronizerPanel(m_time, m_window.get());
        m_messages = new MessageBar(m_clock, m_window.get());
        m_controller = new ExportController(m_files, *m_page, *m_events, *m_synchronizers, *m_messages, *m_settings,
                                            m_clock, *m_window);
        m_controller->setServer(QStringLiteral("redis.example.com:6379/0"));
        m_settings->setValue(QStringLiteral("export/directory"), m_directory->path());
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void proposesANameThatEveryFileSystemTakes() {
        m_controller->exportLocks();
        const QString name = QFileInfo(dialog().selectedFiles().first()).fileName();
        QVERIFY2(name.startsWith(QStringLiteral("lockkeeper-locks-redis.example.com-6379-0-20")), qPrintable(name));
        QVERIFY(name.endsWith(QStringLiteral(".csv")));
        QCOMPARE(dialog().acceptMode(), QFileDialog::AcceptSave);
        QCOMPARE(dialog().defaultSuffix(), QStringLiteral("csv"));
        // The suffix follows the chosen format.
        Q_EMIT dialog().filterSelected(dialog().nameFilters().at(1));
        QVERIFY(dialog().selectedFiles().first().endsWith(QStringLiteral(".jsonl")));
    }

    void suggestsAFolderThatExists() {
        QCOMPARE(folderForFiles(m_directory->path()), m_directory->path());
        QVERIFY(QFileInfo(folderForFiles(m_directory->filePath(QStringLiteral("gone")))).isDir());
        QVERIFY(QFileInfo(folderForFiles(QString())).isDir());
    }

    void writesTheLocksThatAreShown() {
        m_locks->apply(batchOf({heldRow(m_clock, lockName("b"), 9s), heldRow(m_clock, lockName("a"), 9s),
                                heldRow(m_clock, lockName("other"), 9s)}));
        m_page->showOnly(QStringLiteral("a"));
        m_page->findChild<QLineEdit*>(QStringLiteral("lockFilter"))->setText(QStringLiteral("8f14"));
        m_controller->exportLocks();
        QList<QByteArray> lines = save(path("locks.csv"));
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith("at,lock,"));
        QVERIFY2(lines[1].contains(",a,"), lines[1].constData());  // in the order on the screen
        QVERIFY2(message().startsWith(QStringLiteral("Locks written: 3")), qPrintable(message()));
        m_page->findChild<QLineEdit*>(QStringLiteral("lockFilter"))->setText(QStringLiteral("other"));
        m_controller->exportLocks();
        QCOMPARE(save(path("locks.csv")).size(), 2);
    }

    void writesJsonAsListPrintsIt() {
        m_locks->apply(batchOf({heldRow(m_clock, lockName("orders/{42}"), 9s)}));
        m_controller->exportLocks();
        const QList<QByteArray> lines = save(path("locks.jsonl"));
        QCOMPARE(lines.size(), 1);
        const std::optional<monitor::LockEvent> found = monitor::eventFromJsonLine(lines[0]);
        QVERIFY(found);
        QCOMPARE(found->type, EventType::Found);
        QCOMPARE(found->lock.name, lockName("orders/{42}"));
    }

    void writesTheEventsOldestFirst() {
        m_log->append(EventStory("L", m_clock.wallNow())
                          .event(EventType::Acquired, 0s, {holder(clientA, 33)})
                          .ends(EventType::Released, 1s, holder(clientA, 33))
                          .events());
        m_controller->exportEvents();
        QList<QByteArray> lines = save(path("events.jsonl"));
        QCOMPARE(lines.size(), 2);
        QCOMPARE(monitor::eventFromJsonLine(lines[0])->type, EventType::Acquired);
        QCOMPARE(monitor::eventFromJsonLine(lines[1])->type, EventType::Released);
        m_controller->exportEvents();
        lines = save(path("events.csv"));
        QCOMPARE(lines.size(), 3);
        m_events->findChild<QLineEdit*>(QStringLiteral("eventFilter"))->setText(QStringLiteral("Released"));
        m_controller->exportEvents();
        QCOMPARE(save(path("events.csv")).size(), 2);
    }

    void writesWhoForcedALockAndWhy() {
        control::AuditRecord intent = intentOf("L");
        intent.at = m_clock.wallNow();
        intent.reason = QStringLiteral("\"stuck\", ticket 7");
        m_log->append({eventOf(m_clock, EventType::Forced, heldRow(m_clock, lockName("L"), 9s)),
                       eventOf(m_clock, EventType::Acquired, heldRow(m_clock, lockName("L"), 9s))});
        m_log->addChanges({AuditEntry{intent, test::outcomeOf(intent, control::AuditOutcome::Done), {}}});
        m_controller->exportEvents();
        QList<QByteArray> lines = save(path("events.jsonl"));
        const QJsonObject forced = QJsonDocument::fromJson(lines[0]).object();
        QCOMPARE(forced.value(QStringLiteral("lock")).toString(), QStringLiteral("L"));
        QCOMPARE(forced.value(QStringLiteral("operator")).toString(), QStringLiteral("ann@bastion"));
        QCOMPARE(forced.value(QStringLiteral("reason")).toString(), intent.reason);
        QCOMPARE(monitor::eventFromJsonLine(lines[0])->type, EventType::Forced);
        QVERIFY2(!lines[1].contains("operator"), lines[1].constData());
        m_controller->exportEvents();
        lines = save(path("events.csv"));
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].endsWith(",evidence,release,operator,reason\r"), lines[0].constData());
        QVERIFY2(lines[1].endsWith(",ann@bastion,\"\"\"stuck\"\", ticket 7\"\r"), lines[1].constData());
        QVERIFY2(lines[2].endsWith(",,"), lines[2].constData());
    }

    void writesTheSemaphoresAndLatchesInTheirOrderOnTheScreen() {
        m_synchronizers->apply(batchOf({latch(m_clock, "a", 3), semaphore(m_clock, "b", 0)}));
        m_synchronizers->findChild<QTableView*>()->sortByColumn(SynchronizerModel::Name, Qt::DescendingOrder);
        m_controller->exportSynchronizers();
        QList<QByteArray> lines = save(path("pools.csv"));
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[1].contains(",b,,semaphore,0,,,"), lines[1].constData());
        QVERIFY2(lines[2].contains(",a,,count_down_latch,,3,,"), lines[2].constData());
        QCOMPARE(message().section(u',', 0, 0), QStringLiteral("Semaphores and latches written: 2"));
        m_controller->exportSynchronizers();
        lines = save(path("pools.jsonl"));
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].contains(R"("kind":"semaphore","name":"b","phase":"begin")"), lines[0].constData());
    }

    void namesTheClientsAsTheUserDoes_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("csv") << QStringLiteral("x.csv") << QByteArray(":33 exclusive 1,orders-a,");
        QTest::newRow("json") << QStringLiteral("x.jsonl") << QByteArray("\"alias\":\"orders-a\"");
    }
    void namesTheClientsAsTheUserDoes() {
        QFETCH(const QString, file);
        QFETCH(const QByteArray, expected);
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        m_controller->setAliases(aliases);
        m_locks->apply(batchOf({heldRow(m_clock, lockName("L"), 9s)}));
        m_log->append({eventOf(m_clock, EventType::Acquired, heldRow(m_clock, lockName("L"), 9s))});
        m_controller->exportLocks();
        QList<QByteArray> lines = save(m_directory->filePath(file));
        QVERIFY2(lines.last().contains(expected), lines.last().constData());
        m_controller->exportEvents();
        lines = save(m_directory->filePath(file));
        QVERIFY2(lines.last().contains(expected), lines.last().constData());
    }

    void writesAPicture() {
        QImage picture(30, 20, QImage::Format_RGB32);
        picture.fill(Qt::darkGreen);
        m_controller->exportTimeline(picture);
        QCOMPARE(dialog().nameFilters().size(), 1);
        QVERIFY(dialog().selectedFiles().first().endsWith(QStringLiteral(".png")));
        save(path("timeline.png"));
        QCOMPARE(QImage(path("timeline.png")).convertToFormat(picture.format()), picture);
    }

    void theFilesNameDecidesTheFormat_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("json");
        QTest::newRow("csv") << QStringLiteral("x.csv") << false;
        QTest::newRow("jsonl") << QStringLiteral("x.JSONL") << true;
        QTest::newRow("json") << QStringLiteral("x.json") << true;
        QTest::newRow("something else: as the filter says") << QStringLiteral("x.txt") << false;
    }
    void theFilesNameDecidesTheFormat() {
        QFETCH(const QString, name);
        m_locks->apply(batchOf({heldRow(m_clock, lockName("L"), 9s)}));
        m_controller->exportLocks();
        const QList<QByteArray> lines = save(m_directory->filePath(name));
        QTEST(lines.first().startsWith('{'), "json");
    }

    void aFileThatCannotBeWrittenIsReported() {
        m_controller->exportLocks();
        save(m_directory->filePath(QStringLiteral("no such folder/locks.csv")));
        QVERIFY2(message().contains(QStringLiteral("could not be written")), qPrintable(message()));
    }

    void aFailureLeavesTheEarlierFile() {
        QVERIFY(QDir(m_directory->path()).mkdir(QStringLiteral("full")));
        QFile earlier(path("full/locks.csv"));
        QVERIFY(earlier.open(QFile::WriteOnly));
        earlier.write("earlier");
        earlier.close();
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 1000; ++i)
            rows.push_back(heldRow(m_clock, LockName(QByteArray::number(i)), 9s));
        m_locks->apply(batchOf(rows));
        const FileSizeLimit full(8);
        m_controller->exportLocks();
        QCOMPARE(save(path("full/locks.csv")), QList<QByteArray>{"earlier"});
        QVERIFY2(message().contains(QStringLiteral("could not be written")), qPrintable(message()));
    }

    void manyLocksDoNotHoldTheWindow() {
        constexpr int many = 10'000;
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < many; ++i)
            rows.push_back(heldRow(m_clock, LockName(QByteArray::number(i)), 9s));
        m_locks->apply(batchOf(rows));
        m_controller->exportLocks();
        const qsizetype before = m_messages->texts().size();
        Q_EMIT dialog().fileSelected(path("many.csv"));
        // So far only the data was copied: the file is written in a later turn of the event loop.
        QCOMPARE(m_messages->texts().size(), before);
        QTRY_COMPARE_WITH_TIMEOUT(m_messages->texts().size(), before + 1, 60'000);
        QFile written(path("many.csv"));
        QVERIFY(written.open(QFile::ReadOnly));
        QCOMPARE(written.readAll().count("\r\n"), many + 1);
    }
};

LOCKKEEPER_TEST(TestExportController, Gui)

}  // namespace tst_exportcontroller

#include "tst_exportcontroller.moc"
