// SPDX-License-Identifier: Apache-2.0
#include "support/fakeserver.h"
#include "support/testprogram.h"
#include "topology/ssh/sshtransport.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_sshtransport {

using namespace lockkeeper;
using topology::SshTransport;

// Failures before a process starts; tst_sshtunnel tests all others.
class TestSshTransport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void failsOnce_data() {
        QTest::addColumn<QString>("unixPath");
        QTest::addColumn<Error>("why");
        QTest::newRow("a Unix socket") << "/run/redis.sock" << Error(ErrorCode::InvalidArgument, Cause::SshUnixPath);
        QTest::newRow("a session that is over") << "" << Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed);
    }
    void failsOnce() {
        QFETCH(QString, unixPath);
        QFETCH(Error, why);
        redis::Endpoint server;
        server.unixPath = unixPath;
        SshTransport transport(nullptr, server);
        QList<Error> failures;
        connect(&transport, &redis::Transport::failed, this, [&failures](const Error& error) { failures << error; });
        const QSignalSpy opened(&transport, &redis::Transport::opened);
        transport.open();
        test::turnEventLoop();
        transport.write("PING");
        transport.close();
        QCOMPARE(failures, QList{why});
        QVERIFY(opened.isEmpty());
        QVERIFY(transport.readAll().isEmpty());
    }
};

LOCKKEEPER_TEST(TestSshTransport, Guiless)

}  // namespace tst_sshtransport

#include "tst_sshtransport.moc"
