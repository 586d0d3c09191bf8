// SPDX-License-Identifier: Apache-2.0
#include "lab/labcause.h"
#include "lab/privateserver.h"
#include "lab/servers/reservedport.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_privateserver {

using namespace lockkeeper;
using lab::PrivateServer;
using lab::ServerSetup;

namespace {

// A server and what it has reported. The destructor ends the server.
struct Launched {
    explicit Launched(const ServerSetup& setup) : server(setup) {}
    ~Launched() {
        server.kill();
        QTRY_COMPARE(server.processId(), 0);
    }

    PrivateServer server;
    QSignalSpy started{&server, &PrivateServer::started};
    QSignalSpy failed{&server, &PrivateServer::failed};
    QSignalSpy stopped{&server, &PrivateServer::stopped};

    [[nodiscard]] Error error() const { return failed.value(0).value(0).value<Error>(); }
    [[nodiscard]] QByteArray cli(const QStringList& command) const {
        QProcess cli;
        cli.start(test::tool("redis-cli", "redis-tools"),
                  QStringList{QStringLiteral("-s"), server.socketPath()} + command);
        cli.waitForFinished();
        return cli.readAllStandardOutput().trimmed();
    }
};

// The program that the other tests use, too.
ServerSetup setupWith(const QStringList& extra = {}) {
    ServerSetup setup;
    setup.program = qEnvironmentVariable("LOCKKEEPER_TEST_SERVER");
    setup.extra = extra;
    return setup;
}

}  // namespace

// The launcher of the demo, of the lab, and of test::RedisServer.
class TestPrivateServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startsOnASocketThatOnlyThisUserReaches() {
        Launched launched(setupWith());
        launched.server.start();
        QVERIFY(!launched.server.isReady());
        QTRY_COMPARE(launched.started.count(), 1);
        QVERIFY(launched.server.isReady());
        QCOMPARE(launched.cli({"PING"}), "PONG");
        QCOMPARE(launched.cli({"CONFIG", "GET", "port"}), "port\n0");
        QCOMPARE(launched.cli({"CONFIG", "GET", "save"}), "save");
        const QFileInfo directory(QFileInfo(launched.server.socketPath()).path());
        QCOMPARE(directory.permissions() & (QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther),
                 QFile::Permissions());
        QCOMPARE(launched.server.options().endpoint.unixPath, launched.server.socketPath());
    }

    void startsOnAPortToo() {
        const lab::ReservedPort port;
        ServerSetup setup = setupWith();
        setup.port = port.number();
        Launched launched(setup);
        launched.server.start();
        QTRY_COMPARE(launched.started.count(), 1);
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port.number());
        socket.write("PING\r\n");
        QTRY_COMPARE(socket.bytesAvailable(), 7);
        QCOMPARE(socket.readAll(), "+PONG\r\n");
    }

    void startsInTheFolderThatItIsGiven() {
        const QTemporaryDir folder;
        ServerSetup setup = setupWith();
        setup.folder = folder.path();
        const Launched launched(setup);
        QVERIFY(launched.server.socketPath().startsWith(folder.path() + u'/'));
    }

    // Redis and Qt report such a name in other ways.
    void aFolderWithATooLongNameIsNamed() {
        const QTemporaryDir folder;
        ServerSetup setup = setupWith();
        setup.folder = folder.filePath(QString(100, u'x'));
        QVERIFY(QDir().mkpath(setup.folder));
        Launched launched(setup);
        launched.server.start();
        QTRY_COMPARE(launched.failed.count(), 1);
        QCOMPARE(launched.error().cause, lab::LabCause::SocketPathTooLong);
        const qsizetype longest = 106 - QByteArrayLiteral("/XXXXXX/redis.sock").size();
        QCOMPARE(launched.error().arguments, (QStringList{setup.folder, QString::number(longest)}));
        QCOMPARE(launched.stopped.count(), 0);
    }

    void takesFurtherSettings() {
        Launched launched(setupWith({"--maxmemory", "64mb"}));
        launched.server.start();
        QTRY_COMPARE(launched.started.count(), 1);
        QCOMPARE(launched.cli({"CONFIG", "GET", "maxmemory"}), "maxmemory\n67108864");
    }

    void stopsInOrder() {
        Launched launched(setupWith());
        launched.server.stop();
        QCOMPARE(launched.stopped.count(), 1);  // the server was not running
        launched.server.start();
        QTRY_COMPARE(launched.started.count(), 1);
        launched.server.stop();
        QTRY_COMPARE(launched.stopped.count(), 2);
        QVERIFY(!launched.server.isReady());
        QVERIFY2(launched.server.output().contains("bye bye"), launched.server.output().constData());
        QCOMPARE(launched.failed.count(), 0);
    }

    void startsAgainWithItsData_data() {
        QTest::addColumn<bool>("killed");
        QTest::newRow("after it was stopped") << false;
        QTest::newRow("after it was killed") << true;
    }
    void startsAgainWithItsData() {
        QFETCH(const bool, killed);
        Launched launched(setupWith({"--appendonly", "yes", "--appendfsync", "always"}));
        launched.server.start();
        QTRY_COMPARE(launched.started.count(), 1);
        QCOMPARE(launched.cli({"SET", "k", "v"}), "OK");
        if (killed)
            launched.server.kill();
        else
            launched.server.stop();
        QTRY_COMPARE(launched.stopped.count(), 1);
        launched.server.start();
        QTRY_COMPARE(launched.started.count(), 2);
        QCOMPARE(launched.cli({"GET", "k"}), "v");
        QCOMPARE(launched.failed.count(), 0);
    }

    void aProgramThatIsMissingIsNamed() {
        ServerSetup setup;
        setup.program = QStringLiteral("/nowhere/redis-server");
        Launched launched(setup);
        launched.server.start();
        QTRY_COMPARE(launched.failed.count(), 1);
        QCOMPARE(launched.error().cause, lab::LabCause::ServerNotStarted);
    }

    void aStopDuringAStartThatFailsEnds() {
        ServerSetup setup;
        setup.program = QStringLiteral("/nowhere/redis-server");
        Launched launched(setup);
        launched.server.start();
        QVERIFY(launched.server.isRunning());
        launched.server.stop();
        QTRY_COMPARE(launched.stopped.count(), 1);
        QCOMPARE(launched.failed.count(), 1);
    }

    void aServerThatEndsAtOnceGivesItsReason() {
        Launched launched(setupWith({"--no-such-setting", "1"}));
        launched.server.start();
        QTRY_COMPARE(launched.stopped.count(), 1);
        QCOMPARE(launched.failed.count(), 1);
        QCOMPARE(launched.error().cause, lab::LabCause::ServerEnded);
        QVERIFY2(launched.error().text.contains("no-such-setting"), qPrintable(launched.error().text));
        QCOMPARE(launched.started.count(), 0);
    }
};

LOCKKEEPER_TEST(TestPrivateServer, Guiless)

}  // namespace tst_privateserver

#include "tst_privateserver.moc"
