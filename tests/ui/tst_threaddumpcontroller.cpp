// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/locksnapshots.h"
#include "support/manualclock.h"
#include "support/places.h"
#include "support/widgettest.h"
#include "ui/events/threads/threaddumpcontroller.h"
#include "ui/locks/model/locktablemodel.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

namespace tst_threaddumpcontroller {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

namespace {

const ClientId client(QByteArrayLiteral("97b87f0b-0c5d-4043-bd00-c2b44039227f"));

QString dumpPath() {
    return places::data() + QStringLiteral("/threads/jstack-17.txt");
}

monitor::SharedRow held(const char* name, qint64 thread) {
    monitor::LockRow row;
    row.lock.name = LockName(name);
    row.lock.holders = {{HolderId(client, ThreadId{thread})}};
    return std::make_shared<monitor::LockRow>(row);
}

}  // namespace

// A dump of a real JVM beside the locks of the table.
class TestThreadDumpController : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_window; }
    QString state() const { return find<QLabel>("threadDumpState").text(); }
    const QTreeWidget& threads() const { return find<QTreeWidget>("threadDumpThreads"); }
    void read(const QString& path) {
        m_controller->open();
        Q_EMIT find<ThreadDumpDialog>("threadDumpDialog").fileChosen(path);
    }
    bool shows(int rows) const {
        return QTest::qWaitFor([this, rows] { return threads().topLevelItemCount() == rows; });
    }

    ManualClock m_clock;
    ViewTime m_time{m_clock};
    FileThread m_files;
    std::unique_ptr<LockTableModel> m_locks;
    std::unique_ptr<QWidget> m_window;
    ThreadDumpController* m_controller = nullptr;

private Q_SLOTS:
    void init() {
        m_locks = std::make_unique<LockTableModel>(m_time);
        monitor::MonitorBatch batch;
        batch.changed = {held("order:4711", 25), held("payment:customer:17", 20), held("report:weekly", 17)};
        m_locks->apply(batch);
        m_window = std::make_unique<QWidget>();
        m_window->show();
        m_controller = new ThreadDumpController(m_files, *m_locks, m_clock, *m_window);
    }
    void cleanup() { m_window.reset(); }

    void saysWhatToOpen() {
        m_controller->open();
        QVERIFY2(state().contains(QStringLiteral("jstack")), qPrintable(state()));
        QVERIFY(!find<QComboBox>("threadDumpClient").isEnabled());
        QVERIFY(!find<QPushButton>("threadDumpToLock").isEnabled());
    }

    void showsTheThreadOfEachHolderWithItsFrames() {
        read(dumpPath());
        QVERIFY(shows(3));
        const QTreeWidgetItem& payment = *threads().topLevelItem(1);
        QCOMPARE(payment.text(0), QStringLiteral("payment:customer:17"));
        QCOMPARE(payment.text(2), QStringLiteral("Thread \"payment-worker-1\" is blocked in a read from a socket, in "
                                                 "com.example.Jobs.query (Jobs.java:8)."));
        int bold = 0;
        for (int i = 0; i < payment.childCount(); ++i)
            bold += payment.child(i)->font(2).bold() ? 1 : 0;
        QCOMPARE(bold, 1);
    }

    void givesTheSessionWhatItNeedsOfADump() {
        const QSignalSpy kept(m_controller, &ThreadDumpController::dumpsKept);
        QFile file(dumpPath());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const jvm::TakenDumps taken{
            {file.readAll()}, client, WallTime(Milliseconds(1000)), WallTime(Milliseconds(2000))};
        m_controller->readTaken(taken);
        QVERIFY(shows(3));
        QCOMPARE(kept.size(), 1);
        const auto dumps = kept.first().first().value<std::vector<monitor::SharedDump>>();
        QCOMPARE(dumps.size(), size_t(1));
        QCOMPARE(dumps.front()->client, client);
        QCOMPARE(dumps.front()->fit, monitor::Fit::Strong);
        QCOMPARE(dumps.front()->taken.earliest, std::optional(taken.askedAt));
        const monitor::DumpedThread* thread = dumps.front()->thread(20);
        QVERIFY(thread);
        QCOMPARE(thread->activity.activity, monitor::Activity::ReadsSocket);
        QVERIFY(!thread->frames.empty());
    }

    // Of a dump that is of none of the clients nothing is kept.
    void keepsNothingOfADumpOfNoClient() {
        const QSignalSpy kept(m_controller, &ThreadDumpController::dumpsKept);
        monitor::MonitorBatch batch;
        batch.removed = {LockName("order:4711"), LockName("payment:customer:17"), LockName("report:weekly")};
        batch.changed = {held("x", 2)};  // a thread of the JVM itself
        m_locks->apply(batch);
        read(dumpPath());
        QVERIFY(QTest::qWaitFor([this] { return state().contains(QStringLiteral("of none of the clients")); }));
        QVERIFY(kept.isEmpty());
    }

    void takesTheClipboard() {
        QFile file(dumpPath());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QGuiApplication::clipboard()->setText(QString::fromUtf8(file.readAll()));
        m_controller->open();
        find<QPushButton>("threadDumpPaste").click();
        QVERIFY(shows(3));
    }

    // A number that is a thread of the JVM itself is none of a worker.
    void doesNotTakeTheWordOfTheUserAgainstTheDump() {
        monitor::MonitorBatch batch;
        monitor::LockRow other = *held("other", 19);
        other.lock.holders = {{HolderId(ClientId::random(), ThreadId{2})}};
        batch.changed = {std::make_shared<monitor::LockRow>(other)};
        m_locks->apply(batch);
        read(dumpPath());
        QVERIFY(shows(3));  // the other client's number is a thread of the JVM itself
        auto& clients = find<QComboBox>("threadDumpClient");
        QVERIFY(clients.isEnabled());
        const QByteArray named = other.lock.holders.first().id.client().bytes();
        const int index = clients.findData(named);
        clients.setCurrentIndex(index);
        Q_EMIT clients.activated(index);
        QVERIFY(shows(0));
        QVERIFY2(state().contains(QStringLiteral("of none of the clients")), qPrintable(state()));
    }

    void goesToTheLock() {
        const QSignalSpy chosen(m_controller, &ThreadDumpController::lockChosen);
        read(dumpPath());
        QVERIFY(shows(3));
        auto& tree = find<QTreeWidget>("threadDumpThreads");
        tree.setCurrentItem(tree.topLevelItem(2));
        find<QPushButton>("threadDumpToLock").click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.first().first().value<LockName>(), LockName("report:weekly"));
    }

    void saysWhyAFileIsNoDump() {
        read(places::data() + QStringLiteral("/threads/README.md"));
        QVERIFY(QTest::qWaitFor([this] { return state().contains(QStringLiteral("no thread dump in it")); }));
        QCOMPARE(threads().topLevelItemCount(), 0);
    }
};

LOCKKEEPER_TEST(TestThreadDumpController, Gui)

}  // namespace tst_threaddumpcontroller

#include "tst_threaddumpcontroller.moc"
