// SPDX-License-Identifier: Apache-2.0
#include "support/lockscene.h"
#include "support/owner.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockedkeytampered {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::Kind;
using test::LockScene;
using test::owner;

namespace {

const QString stranger = QStringLiteral("11111111-2222-3333-4444-555555555555:9");

// Changes that others make to a lock's key, or to the server.
enum class Tampering { Deleted, Flushed, ReplacedByString, ReplacedByList, GivenToAnother };

const std::vector<std::pair<Tampering, QByteArray>> tamperings{{Tampering::Deleted, "deleted"},
                                                               {Tampering::Flushed, "flushed"},
                                                               {Tampering::ReplacedByString, "replaced by a string"},
                                                               {Tampering::ReplacedByList, "replaced by a list"},
                                                               {Tampering::GivenToAnother, "given to another"}};

bool isWrongType(Tampering tampering) {
    return tampering == Tampering::ReplacedByString || tampering == Tampering::ReplacedByList;
}

}  // namespace

// What an operator, another program or a flush may do to the keys of locks, for every kind.
class TestLockedKeyTampered : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_scene.reset(); }

    void whoeverHoldsItIsTold_data() { kindsAndTamperings(); }
    void whoeverHoldsItIsTold() {
        QFETCH(Kind, kind);
        QFETCH(Tampering, tampering);
        begin(kind);
        const AnyLock lock = m_scene->mine().lock();
        QCOMPARE(m_scene->take(lock, owner), QString());
        tamper(tampering, 30s);
        const QString record = recordOfLocks();
        const auto members = static_cast<qsizetype>(lock.members().size());
        QVERIFY(test::becomesTrue([&] { return m_scene->mine().losses().size() == members; }));
        QVERIFY(!m_scene->mine().losses().contains(LossReason::LeaseExpired));
        QVERIFY(!LockScene::believes(lock, owner));

        const Result<ReleaseOutcome> released = test::waitFor(lock.unlock(owner));
        const bool wasFree = tampering == Tampering::Deleted || tampering == Tampering::Flushed;
        if (kind == Kind::Fair && wasFree)
            QCOMPARE(released.value(), ReleaseOutcome::Free);  // as Redisson answers
        else
            QCOMPARE(released.error().code, isWrongType(tampering) ? ErrorCode::ServerReply : ErrorCode::NotHeld);
        QVERIFY2(recordOfLocks() == record, "neither renewal nor release may touch what is not ours");
    }

    void whoeverWaitsGetsItOrIsTold_data() { kindsAndTamperings(); }
    void whoeverWaitsGetsItOrIsTold() {
        QFETCH(Kind, kind);
        QFETCH(Tampering, tampering);
        begin(kind);
        QCOMPARE(m_scene->take(m_scene->other().rival(), owner), QString());
        const AnyLock lock = m_scene->mine().lock();
        const auto waiting = test::start(lock.tryLock(owner, m_scene->in(10s)));
        QVERIFY(m_scene->mineFallsAsleep());
        tamper(tampering, 300ms);
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }));
        if (isWrongType(tampering)) {
            QCOMPARE((*waiting)->error().code, ErrorCode::ServerReply);
            QVERIFY2((*waiting)->error().text.startsWith(u"WRONGTYPE"), qPrintable((*waiting)->error().text));
            return;
        }
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
        QCOMPARE(m_scene->disagreement(lock, owner), QString());
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::becomesTrue([this] { return m_scene->keys().isEmpty(); }));
    }

    void whatIsNoLockIsLeftAlone_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Tampering>("tampering");
        for (const Kind kind : test::allKinds()) {
            QTest::newRow(test::wordFor(kind) + ", a string") << kind << Tampering::ReplacedByString;
            QTest::newRow(test::wordFor(kind) + ", a list") << kind << Tampering::ReplacedByList;
        }
    }
    void whatIsNoLockIsLeftAlone() {
        QFETCH(Kind, kind);
        QFETCH(Tampering, tampering);
        begin(kind);
        tamper(tampering, 30s);
        const QString record = recordOfLocks();
        const AnyLock lock = m_scene->mine().lock();
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(owner, m_scene->in(1s)));
        QCOMPARE(taken.error().code, ErrorCode::ServerReply);
        QVERIFY2(taken.error().text.startsWith(u"WRONGTYPE"), qPrintable(taken.error().text));
        QCOMPARE(test::waitFor(lock.unlock(owner)).error().code, ErrorCode::ServerReply);
        QCOMPARE(recordOfLocks(), record);
        QCOMPARE(m_scene->keys().size(), m_scene->servers().size() * LockScene::lockKeys(lock).size());
    }

    void aHelperKeyOfAnotherTypeKeepsTheLockFree_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("key");
        QTest::newRow("a fair lock's queue") << Kind::Fair << u"redisson_lock_queue:{L}"_qs;
        QTest::newRow("its deadlines") << Kind::Fair << u"redisson_lock_timeout:{L}"_qs;
        QTest::newRow("a fenced lock's token") << Kind::Fenced << u"redisson_lock_token:{L}"_qs;
    }
    void aHelperKeyOfAnotherTypeKeepsTheLockFree() {
        QFETCH(Kind, kind);
        QFETCH(QString, key);
        begin(kind);
        m_scene->everywhere({"SET", key, "x"});
        const Result<LockAttempt> taken = test::waitFor(m_scene->mine().lock().tryLock(owner, m_scene->in(0ms)));
        QCOMPARE(taken.error().code, ErrorCode::ServerReply);
        QCOMPARE(m_scene->everywhere({"EXISTS", "L"}), "0");
        QCOMPARE(m_scene->everywhere({"GET", key}), "x");
    }

    // SCRIPT FLUSH before each operation on a lock.
    void scriptsMayBeForgotten_data() { test::addKinds(); }
    void scriptsMayBeForgotten() {
        QFETCH(Kind, kind);
        begin(kind, 1200ms);  // a busy machine may hold a renewal up for half a second
        const AnyLock rival = m_scene->other().rival();
        QCOMPARE(m_scene->take(rival, owner), QString());
        forgetScripts();
        QCOMPARE(m_scene->take(rival, owner), QString());
        forgetScripts();
        const AnyLock lock = m_scene->mine().lock();
        const auto waiting = test::start(lock.tryLock(owner, m_scene->in(10s)));
        for (int renewal = 0; renewal < 3; ++renewal) {  // longer than the lease
            QVERIFY(m_scene->isRenewed(rival));
            forgetScripts();
        }
        QVERIFY(!waiting->has_value());
        QCOMPARE(m_scene->other().losses(), QList<LossReason>());
        QCOMPARE(test::waitFor(rival.unlock(owner)).value(), ReleaseOutcome::StillHeld);
        forgetScripts();
        QCOMPARE(test::waitFor(rival.unlock(owner)).value(), ReleaseOutcome::Free);
        forgetScripts();
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }));
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
        forgetScripts();
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_scene->keys(), QStringList());
    }

private:
    static void kindsAndTamperings() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Tampering>("tampering");
        for (const Kind kind : test::allKinds()) {
            for (const auto& [tampering, words] : tamperings)
                QTest::newRow(test::wordFor(kind) + ", " + words) << kind << tampering;
        }
    }

    void begin(Kind kind, Milliseconds watchdogTimeout = 600ms) {
        LockScene::Options options;
        options.watchdogTimeout = watchdogTimeout;
        m_scene = std::make_unique<LockScene>(kind, options);
        QVERIFY(m_scene->start());
    }
    void forgetScripts() { m_scene->everywhere({"SCRIPT", "FLUSH"}); }

    // lease: of the other holder that gets it.
    void tamper(Tampering tampering, Milliseconds lease) {
        for (const QString& key : LockScene::lockKeys(m_scene->mine().lock()))
            m_scene->everywhere(commandOf(tampering, key, lease));
    }
    static QStringList commandOf(Tampering tampering, const QString& key, Milliseconds lease) {
        switch (tampering) {
            case Tampering::Deleted:
                return {"DEL", key};
            case Tampering::Flushed:
                return {"FLUSHALL"};
            case Tampering::ReplacedByString:
                return {"SET", key, "x"};
            case Tampering::ReplacedByList:
                return {"EVAL", "redis.call('del', KEYS[1]) redis.call('rpush', KEYS[1], 'x')", "1", key};
            case Tampering::GivenToAnother:
                break;
        }
        return {"EVAL",
                "redis.call('del', KEYS[1]) redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], "
                "ARGV[2])",
                "1",
                key,
                stranger,
                QString::number(lease.count())};
    }
    // The content of the locks' own keys, of any type; without times.
    QString recordOfLocks() {
        QString record;
        for (const QString& key : LockScene::lockKeys(m_scene->mine().lock())) {
            record += m_scene->everywhere({"EVAL",
                                           "local t = redis.call('type', KEYS[1]).ok "
                                           "if t == 'hash' then return redis.call('hgetall', KEYS[1]) end "
                                           "if t == 'list' then return redis.call('lrange', KEYS[1], 0, -1) end "
                                           "return {t, redis.call('get', KEYS[1])}",
                                           "1", key});
        }
        return record;
    }

    std::unique_ptr<LockScene> m_scene;
};

LOCKKEEPER_TEST(TestLockedKeyTampered, Guiless)

}  // namespace tst_lockedkeytampered

#include "tst_lockedkeytampered.moc"
