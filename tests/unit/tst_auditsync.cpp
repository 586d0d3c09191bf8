// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditfile.h"
#include "control/audit/auditlog.h"
#include "control/audit/readaudit.h"
#include "locks/watchdog.h"
#include "support/auditsample.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QFileInfo>
#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>

#include <array>

namespace tst_auditsync {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace std::chrono_literals;

namespace {

// While it exists, the disk does not answer.
struct Hang {
    static constexpr int patience = 10'000;  // ms, so that a test fails instead of hanging

    QSemaphore begun;
    QSemaphore over;
};

struct Disk {
    QStringList synced;   // names of files and folders, in order
    QString refusedName;  // the disk refuses the file or folder of this name
    Hang* hang = nullptr;
};

// Null while other classes of this test program run: they sync from several threads.
Disk* watchedDisk = nullptr;

QString nameOfDescriptor(int descriptor) {
    std::array<char, 4096> path{};
    const QByteArray link = "/proc/self/fd/" + QByteArray::number(descriptor);
    const ssize_t length = ::readlink(link.constData(), path.data(), path.size());
    return QString::fromLocal8Bit(path.data(), std::max<ssize_t>(length, 0)).section(u'/', -1);
}

}  // namespace

// Replaces the system's function in the whole test program.
extern "C" int fsync(int descriptor) {
    if (watchedDisk) {
        const QString name = nameOfDescriptor(descriptor);
        watchedDisk->synced += name;
        if (watchedDisk->hang) {
            watchedDisk->hang->begun.release();
            (void)watchedDisk->hang->over.tryAcquire(1, Hang::patience);
        }
        if (name == watchedDisk->refusedName) {
            errno = EIO;
            return -1;
        }
    }
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

// A line of the audit survives a power failure as soon as it counts as written, and a slow disk must not cost a
// lease.
class TestAuditSync : public QObject {
    Q_OBJECT

private:
    AuditFile file() const { return AuditFile(m_directory->filePath(QStringLiteral("data/audit"))); }

    std::unique_ptr<QTemporaryDir> m_directory;
    Disk m_disk;

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_disk = Disk();
        watchedDisk = &m_disk;
    }
    void cleanup() { watchedDisk = nullptr; }

    void theFileAndTheNamesOfNewOnesAreOnTheDisk() {
        QVERIFY(file().append(test::intentOf("a")).ok());
        const QString above = QFileInfo(m_directory->path()).fileName();
        QCOMPARE(m_disk.synced, (QStringList{above, QStringLiteral("data"), QStringLiteral("2026-11.jsonl"),
                                             QStringLiteral("audit")}));
        m_disk.synced.clear();
        QVERIFY(file().append(test::intentOf("b")).ok());
        QCOMPARE(m_disk.synced, (QStringList{QStringLiteral("2026-11.jsonl"), QStringLiteral("audit")}));
        m_disk.synced.clear();
        QVERIFY(file().append(test::intentOf("c", QStringLiteral("2026-12-01T00:00:00.000Z"))).ok());
        QCOMPARE(m_disk.synced, (QStringList{QStringLiteral("2026-12.jsonl"), QStringLiteral("audit")}));
    }

    // Otherwise a line would count as written in a file whose name is lost with the next power failure.
    void aNameThatWasRefusedIsSyncedWithTheNextLine() {
        m_disk.refusedName = QStringLiteral("audit");
        QVERIFY(!file().append(test::intentOf("a")).ok());
        QVERIFY(!file().append(test::intentOf("b")).ok());
        m_disk.refusedName.clear();
        m_disk.synced.clear();
        QVERIFY(file().append(test::intentOf("c")).ok());
        QVERIFY(m_disk.synced.contains(QStringLiteral("audit")));
    }

    void aDiskThatDoesNotTakeALineFails_data() {
        QTest::addColumn<QString>("refused");
        QTest::newRow("the file") << QStringLiteral("2026-11.jsonl");
        QTest::newRow("its name") << QStringLiteral("audit");
        QTest::newRow("the name of the folder") << QStringLiteral("data");
    }
    void aDiskThatDoesNotTakeALineFails() {
        QFETCH(QString, refused);
        m_disk.refusedName = refused;
        const auto done = file().append(test::intentOf("a"));
        QCOMPARE(done.error().code, ErrorCode::Storage);
        QCOMPARE(done.error().arguments.value(1), qt_error_string(EIO));
    }

    void renewalsGoOnWhileTheDiskHangs() {
        constexpr Milliseconds timeout = 30s;
        const locks::HoldKey held{LockName("L"),
                                  HolderId(ClientId("5f0a3c8e-0000-4000-8000-000000000001"), ThreadId{1})};
        test::ManualClock clock;
        test::FakeServer server;
        redis::ConnectionOptions options;
        options.commandTimeout = 1h;
        options.keepaliveInterval = 24h;
        topology::OneShard shards(server.factory());
        topology::ShardConnections connections(options, shards, clock);
        connections.open();
        server.lastLink().shakeHands();
        locks::HeldLocks holds;
        const SteadyTime deadline = clock.now() + timeout;
        holds.acquired(held, holds.leaseSent(held, deadline, locks::LeaseCause::Acquire), deadline, timeout,
                       locks::Renewal::Watchdog);
        locks::Watchdog watchdog(connections, holds, timeout);
        watchdog.watch(held);
        Hang hang;
        m_disk.hang = &hang;
        AuditLog log(m_directory->filePath(QStringLiteral("audit")), clock);
        const Completion<Done> written = log.write(test::intentOf("other"));
        QVERIFY(hang.begun.tryAcquire(1, Hang::patience));
        for (int third = 0; third < 3; ++third) {
            clock.advance(timeout / 3);
            QCOMPARE(server.lastLink().takeCommand().value(3), "L");
            server.lastLink().reply("*1\r\n:1\r\n");
        }
        QVERIFY(holds.find(held)->deadline > clock.now());
        QVERIFY(!written.isCompleted());
        hang.over.release(100);
        QTRY_VERIFY(written.isCompleted());
    }
};

LOCKKEEPER_TEST(TestAuditSync, Guiless)

}  // namespace tst_auditsync

#include "tst_auditsync.moc"
