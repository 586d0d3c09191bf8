// SPDX-License-Identifier: Apache-2.0
#include "platform/standarderror.h"
#include "serve/service.h"
#include "support/datagramsocket.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>
#include <QUuid>

#include <sys/stat.h>
#include <unistd.h>

namespace tst_service {

using namespace lockkeeper;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What the service manager receives, at a socket of the test in place of the manager's.
class TestService : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsReported_data() {
        QTest::addColumn<bool>("isAbstract");
        QTest::newRow("path") << false;
        QTest::newRow("abstract") << true;
    }
    void itIsReported() {
        QFETCH(const bool, isAbstract);
        const QTemporaryDir folder;
        const QByteArray name = isAbstract ? "@lockkeeper-" + QUuid::createUuid().toByteArray(QUuid::Id128)
                                           : QFile::encodeName(folder.filePath(QStringLiteral("notify")));
        const DatagramSocket socket(name);
        QVERIFY(socket.isBound());
        ManualClock clock;
        Service service({name, Milliseconds(10s)}, clock);
        service.setStatus(QStringLiteral("two\nlines"));
        QCOMPARE(socket.take(), QByteArray("STATUS=two\\nlines"));
        clock.advance(1h);
        QCOMPARE(socket.take(), QByteArray());  // no sign of life before it is ready
        service.ready();
        QCOMPARE(socket.takeAll(), QByteArray("READY=1\nWATCHDOG=1\n"));
        clock.advance(15s);
        QCOMPARE(socket.takeAll(), QByteArray("WATCHDOG=1\nWATCHDOG=1\nWATCHDOG=1\n"));
        service.reloading();
        QVERIFY(socket.take().startsWith("RELOADING=1\nMONOTONIC_USEC="));
        service.ready();
        QCOMPARE(socket.takeAll(), QByteArray("READY=1\n"));
        service.stopping();
        QCOMPARE(socket.takeAll(), QByteArray("STOPPING=1\n"));
    }

    void theManagerIsTakenFromTheEnvironment() {
        qputenv("NOTIFY_SOCKET", "/a");
        qputenv("WATCHDOG_USEC", "3000000");
        qputenv("WATCHDOG_PID", QByteArray::number(QCoreApplication::applicationPid()));
        const Service::Manager manager = Service::takeManager();
        QCOMPARE(manager.socket, QByteArray("/a"));
        QVERIFY(manager.watchdog == Milliseconds(3s));
        QVERIFY(!qEnvironmentVariableIsSet("NOTIFY_SOCKET"));  // children do not report in its name
        qputenv("NOTIFY_SOCKET", "/a");
        qputenv("WATCHDOG_USEC", "3000000");
        qputenv("WATCHDOG_PID", "1");  // another process is watched
        QVERIFY(!Service::takeManager().watchdog);
        const Service::Manager none = Service::takeManager();
        QVERIFY(none.socket.isEmpty());
    }

    // A program that a service has started inherits the variable, but not always the journal.
    void theJournalIsKnownByItsStream() {
        struct stat error = {};
        QCOMPARE(::fstat(STDERR_FILENO, &error), 0);
        qputenv("JOURNAL_STREAM", "1:2");
        QVERIFY(!platform::isStandardErrorJournal());
        qputenv("JOURNAL_STREAM", QByteArray::number(static_cast<qulonglong>(error.st_dev)) + ':' +
                                      QByteArray::number(static_cast<qulonglong>(error.st_ino)));
        QVERIFY(platform::isStandardErrorJournal());
        qunsetenv("JOURNAL_STREAM");
        QVERIFY(!platform::isStandardErrorJournal());
    }

    void withoutAManagerNothingHappens_data() {
        QTest::addColumn<QByteArray>("socket");
        QTest::newRow("none") << QByteArray();
        QTest::newRow("nobody there") << QByteArray("/nobody/there");
        QTest::newRow("no path") << QByteArray("relative");
        QTest::newRow("too long") << QByteArray(200, '/');
    }
    void withoutAManagerNothingHappens() {
        QFETCH(const QByteArray, socket);
        ManualClock clock;
        Service service({socket, std::nullopt}, clock);
        service.ready();
        service.setStatus(QStringLiteral("a"));
        service.stopping();
        QVERIFY(!clock.hasTimers());
    }
};

LOCKKEEPER_TEST(TestService, Guiless)

}  // namespace tst_service

#include "tst_service.moc"
