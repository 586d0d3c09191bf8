// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QTest>

namespace tst_programstart {

using namespace lockkeeper;

namespace {

struct Ended {
    int exitCode = -1;
    QByteArray output;
};

Ended run(const QStringList& arguments) {
    QProcess process;
    process.start(test::places::program(), arguments);
    if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput()};
}

}  // namespace

// The program as people have it: optimized, without assertions and sanitizers. What it does is tested elsewhere.
class TestProgramStart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }

    void printsItsVersion() {
        const Ended version = run({"--version"});
        QCOMPARE(version.exitCode, 0);
        QCOMPARE(version.output, "lockkeeper " LOCKKEEPER_VERSION "\n");
    }

    void runsACommandUnderALock() {
        const Ended locked = run({"lock", url(), "L", "--", "redis-cli", "-s", m_server.socketPath(), "HVALS", "L"});
        QCOMPARE(locked.exitCode, 0);
        QCOMPARE(locked.output, "1\n");
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void listsTheLocks() {
        const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
        m_server.cli({"HSET", "listed", holder, "1"});
        m_server.cli({"PEXPIRE", "listed", "600000"});
        const Ended listed = run({"list", url(), "--json"});
        QCOMPARE(listed.exitCode, 0);
        QVERIFY2(listed.output.contains("\"listed\""), listed.output);
        QVERIFY2(listed.output.contains(holder.toLatin1()), listed.output);
    }

private:
    [[nodiscard]] QString url() const { return "unix://" + m_server.socketPath(); }

    test::RedisServer m_server;
};

LOCKKEEPER_TEST(TestProgramStart, Guiless)

}  // namespace tst_programstart

#include "tst_programstart.moc"
