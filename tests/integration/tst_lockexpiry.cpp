// SPDX-License-Identifier: Apache-2.0
#include "support/lockscripts.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockexpiry {

using namespace lockkeeper;

namespace {

const QString mine = QStringLiteral("5f0a3c8e-0000-4000-8000-000000000001:33");
const QString other = QStringLiteral("11111111-2222-3333-4444-555555555555:9");

// The arguments of an acquire script for the lock L.
struct Acquire {
    QString script;
    QStringList keys;
    QStringList arguments;  // LEASE stands for the lease
    QStringList held;       // the lock's fields when this holder holds it once
};

const QList<Acquire>& acquires() {
    static const QStringList plain{mine, "1"};
    static const QStringList fair{"L", "redisson_lock_queue:{L}", "redisson_lock_timeout:{L}"};
    static const QStringList shared{"L", "redisson_rwlock:{L}"};
    static const QList<Acquire> all{
        {"reentrant_acquire", {"L"}, {"LEASE", mine}, plain},
        {"fenced_acquire", {"L", "redisson_lock_token:{L}"}, {"LEASE", mine}, plain},
        {"fair_acquire", fair, {"redisson_lock__channel:{L}", "LEASE", mine, "5000"}, plain},
        {"read_acquire", shared, {"{L}:", "LEASE", mine, mine + ":write"}, {"mode", "read", mine, "1"}},
        {"write_acquire", shared, {"{L}:", "LEASE", mine + ":write"}, {"mode", "write", mine + ":write", "1"}}};
    return all;
}

}  // namespace

// A lock never stays without an expiry or with a hold whose acquire was refused, and never expires before its holds.
// The client itself refuses impossible leases and cannot aim at a single millisecond, so these tests call the scripts
// directly.
class TestLockExpiry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.cli({"FLUSHALL"}); }

    void aRefusedExpiryLeavesAFreeLockFree_data() { refusals(); }
    void aRefusedExpiryLeavesAFreeLockFree() {
        QFETCH(Acquire, acquire);
        QFETCH(QString, lease);
        QFETCH(QString, rule);
        QVERIFY(isRefused(acquire, lease, rule));
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QCOMPARE(m_server.cli({"KEYS", "*rwlock_timeout*"}), "");
    }

    void aRefusedExpiryLeavesAHeldLockAsItWas_data() { refusals(); }
    void aRefusedExpiryLeavesAHeldLockAsItWas() {
        QFETCH(Acquire, acquire);
        QFETCH(QString, lease);
        QFETCH(QString, rule);
        m_server.cli(QStringList{"HSET", "L"} + acquire.held);
        m_server.cli({"PEXPIRE", "L", "60000"});
        const QString before = fields();
        QVERIFY(isRefused(acquire, lease, rule));
        QCOMPARE(fields(), before);
        QVERIFY(m_server.cli({"PTTL", "L"}).toInt() > 50000);
        QCOMPARE(m_server.cli({"KEYS", "*rwlock_timeout*"}), "");
    }

    // The holder whose turn it was keeps its place in the queue.
    void aRefusedFairAcquireKeepsItsPlace() {
        const Acquire& fair = acquires()[2];
        m_server.cli({"RPUSH", fair.keys[1], mine, other});
        m_server.cli({"ZADD", fair.keys[2], "99999999999999", mine, "99999999999999", other});
        QVERIFY(isRefused(fair, "9223372036854775807", QString()));
        QCOMPARE(m_server.cli({"LRANGE", fair.keys[1], "0", "-1"}), mine + u'\n' + other);
        QCOMPARE(m_server.cli({"ZCARD", fair.keys[2]}), "2");
    }

    // A refused reader must not remove the hold of another reader.
    void aRefusedReaderLeavesTheOtherReader() {
        m_server.cli({"HSET", "L", "mode", "read", other, "2"});
        m_server.cli({"PEXPIRE", "L", "60000"});
        const QString before = fields();
        QVERIFY(isRefused(acquires()[3], "9223372036854775807", QString()));
        QCOMPARE(fields(), before);
    }

    // A key whose PTTL is 0 ms still lives for up to one more millisecond, and so does its hold.
    void aReaderInItsLastMillisecondKeepsTheLock() {
        QString lock;
        for (int tries = 0; lock.isEmpty() && tries < 200; ++tries)
            lock = afterAnotherLeftInItsLastMillisecond();
        QCOMPARE(lock, "1");
    }

    // All leases have expired, so the remaining holds cannot get one.
    void settlingAReaderWhoseLeasesRanOutLeavesNoneOfItsHolds() {
        m_server.cli({"HSET", "L", "mode", "read", mine, "3", other, "1"});
        m_server.cli({"SET", leaseOf(other), "1", "PX", "60000"});
        QCOMPARE(m_server.cli(evalOf(test::lockScript("read_settle").source(), {"L", "redisson_rwlock:{L}"},
                                     {"{L}:", mine, "1"})),
                 "0");
        QCOMPARE(m_server.cli({"HKEYS", "L"}), "mode\n" + other);
    }

private:
    static QString leaseOf(const QString& reader) { return "{L}:" + reader + ":rwlock_timeout:1"; }
    static QStringList evalOf(const QByteArray& script, const QStringList& keys, const QStringList& arguments) {
        return QStringList{"EVAL", QString::fromUtf8(script), QString::number(keys.size())} + keys + arguments;
    }
    // Whether the lock exists; nothing if the right millisecond was missed.
    QString afterAnotherLeftInItsLastMillisecond() {
        const QByteArray script =
            "if redis.call('pttl', KEYS[3]) ~= 0 then return 'not now' end\n"
            "local function leave()\n" +
            test::lockScript("read_release").source() + "\nend\nleave()\nreturn redis.call('exists', KEYS[1])";
        m_server.cli({"HSET", "L", "mode", "read", mine, "1", other, "1"});
        m_server.cli({"PEXPIRE", "L", "60000"});
        m_server.cli({"SET", leaseOf(mine), "1", "PX", "20"});
        QStringList answers = m_server
                                  .cli(QStringList{"-r", "2000"} +
                                       evalOf(script, {"L", "redisson_rwlock:{L}", leaseOf(mine)}, {"{L}:", other}))
                                  .split(u'\n');
        answers.removeAll(QStringLiteral("not now"));
        return answers.value(0);
    }

    static void refusals() {
        QTest::addColumn<Acquire>("acquire");
        QTest::addColumn<QString>("lease");
        QTest::addColumn<QString>("rule");
        for (const Acquire& acquire : acquires()) {
            const QByteArray name = acquire.script.toLatin1();
            QTest::addRow("%s, beyond the clock's end", name.constData()) << acquire << "9223372036854775807"
                                                                          << "";
            QTest::addRow("%s, no number", name.constData()) << acquire << "soon"
                                                             << "";
            QTest::addRow("%s, not permitted", name.constData()) << acquire << "30000"
                                                                 << "-pexpire";
            QTest::addRow("%s, nor to count", name.constData()) << acquire << "30000"
                                                                << "-hincrby -hset";
        }
    }

    // Runs as a separate user, whose rights end with the call.
    bool isRefused(const Acquire& acquire, const QString& lease, const QString& rule) {
        QStringList arguments = acquire.arguments;
        arguments.replaceInStrings(QStringLiteral("LEASE"), lease);
        QStringList rights{"ACL", "SETUSER", "tester", "reset", "on", "nopass", "~*", "&*", "+@all"};
        rights += rule.split(u' ', Qt::SkipEmptyParts);
        m_server.cli(rights);
        const QString answer =
            m_server.cli(QStringList{"--user", "tester", "--pass", "none", "--no-auth-warning", "EVAL",
                                     QString::fromUtf8(test::lockScript(acquire.script).source()),
                                     QString::number(acquire.keys.size())} +
                         acquire.keys + arguments);
        return answer.startsWith(u"ERR") || answer.startsWith(u"NOPERM");
    }
    QString fields() { return m_server.cli({"HGETALL", "L"}); }

    test::RedisServer m_server;
};

LOCKKEEPER_TEST(TestLockExpiry, Guiless)

}  // namespace tst_lockexpiry

#include "tst_lockexpiry.moc"
