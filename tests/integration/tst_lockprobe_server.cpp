// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "monitor/discover/lockprobe.h"
#include "redis/sockettransport.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockprobe_server {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

const QString uuid = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10");
const QString holder = uuid + QStringLiteral(":33");

enum class Verdict { MaybeLock, Other, Gone };

}  // namespace

// The script on a real server: which hashes it classifies as locks.
class TestLockProbeServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_server.start());
        const redis::ConnectionOptions options = m_server.options();
        m_connection = std::make_unique<redis::Connection>(
            options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
        m_connection->open();
        QTRY_VERIFY(m_connection->isReady());
    }
    void init() { m_server.cli({"FLUSHALL"}); }

    void takesWhatLooksLikeALock_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<Verdict>("expected");
        const auto hash = [](const char* row, const QStringList& fields, Verdict expected) {
            QTest::newRow(row) << QStringList{"HSET", "L"} + fields << expected;
        };
        hash("a plain lock", {holder, "1"}, Verdict::MaybeLock);
        hash("of a thread with a negative number", {uuid + ":-7", "1"}, Verdict::MaybeLock);
        hash("a UUID in capitals", {holder.toUpper(), "1"}, Verdict::MaybeLock);
        hash("readers", {"mode", "read", holder, "2"}, Verdict::MaybeLock);
        hash("a writer", {"mode", "write", holder + ":write", "1"}, Verdict::MaybeLock);
        hash("a faster multi lock",
             {"v", holder, "v:" + holder + ":expire_time", "1700000300123", "v:" + holder + ":lock_count", "1"},
             Verdict::MaybeLock);
        hash("a session", {"user", "7", "name", "x"}, Verdict::Other);
        hash("a session by its UUID", {uuid, "7"}, Verdict::Other);
        hash("a UUID among the values", {"owner", holder}, Verdict::Other);
        hash("a field that is too long", {holder, "1", QString(257, u'x'), "1"}, Verdict::Other);
        QTest::newRow("a string") << QStringList{"SET", "L", "1"} << Verdict::Other;
        QTest::newRow("a list") << QStringList{"RPUSH", "L", holder} << Verdict::Other;
        QTest::newRow("too many fields")
            << QStringList{"EVAL", "for i = 1, 1025 do redis.call('hset', 'L', ARGV[1] .. i, 1) end", "0", holder}
            << Verdict::Other;
        QTest::newRow("as many readers")
            << QStringList{"EVAL",
                           "redis.call('hset', 'L', 'mode', 'read') "
                           "for i = 1, 1025 do redis.call('hset', 'L', ARGV[1] .. i, 1) end",
                           "0", holder}
            << Verdict::MaybeLock;
        QTest::newRow("nothing") << QStringList{"PING"} << Verdict::Gone;
    }
    void takesWhatLooksLikeALock() {
        QFETCH(const QStringList, command);
        QFETCH(const Verdict, expected);
        m_server.cli(command);
        const LockProbe::Answer answer = ask({LockName("L")});
        QCOMPARE(answer.maybeLocks.contains(LockName("L")), expected == Verdict::MaybeLock);
        QCOMPARE(answer.others.contains(LockName("L")), expected == Verdict::Other);
    }

    // The hashes have a thousand fields each: one command must not read that many of them.
    void ofBigHashesOneIsProbedInACommand() {
        m_server.cli({"EVAL",
                      "for h = 1, 10 do for i = 1, 1000 do redis.call('hset', 'h' .. h, 'f' .. i, 1) end "
                      "redis.call('hset', 'h' .. h, ARGV[1], 1) end",
                      "0", holder});
        QList<LockName> names;
        for (int i = 1; i <= 10; ++i)
            names += LockName("h" + QByteArray::number(i));
        const LockProbe::Answer answer = ask(names);
        QCOMPARE(answer.maybeLocks, names.mid(0, 1));
        QCOMPARE(answer.notProbed, names.mid(1));
    }

private:
    LockProbe::Answer ask(const QList<LockName>& names) {
        LockProbe probe(*m_connection);
        const Result<LockProbe::Answer> answer = test::waitFor(probe.ask(names, {}));
        [&] { QVERIFY2(answer, answer ? "" : qPrintable(answer.error().text)); }();
        return answer ? *answer : LockProbe::Answer();
    }

    test::RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<redis::Connection> m_connection;
};

LOCKKEEPER_TEST(TestLockProbeServer, Guiless)

}  // namespace tst_lockprobe_server

#include "tst_lockprobe_server.moc"
