// SPDX-License-Identifier: Apache-2.0
#include "support/lockscene.h"
#include "support/owner.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_silentrelease {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::Kind;
using test::LockScene;
using test::owner;

// Releases by a user who may not publish: the lock is free, and the caller learns that no waiter was woken.
class TestSilentRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_scene.reset(); }

    void aReleaseIsDoneAndSaysThatNobodyWasWoken_data() { kindsAndRights(); }
    void aReleaseIsDoneAndSaysThatNobodyWasWoken() {
        QFETCH(Kind, kind);
        QFETCH(QString, without);
        const AnyLock lock = held(kind);
        addWaiter(kind);
        m_scene->everywhere({"ACL", "SETUSER", "default", without});
        const Result<ReleaseOutcome> released = test::waitFor(lock.unlock(owner));
        QVERIFY2(isSilent(kind, released), released ? "no error" : qPrintable(released.error().text));
        QVERIFY(!LockScene::believes(lock, owner));
        for (const QString& key : LockScene::lockKeys(lock))
            QCOMPARE(m_scene->everywhere({"EXISTS", key}).count(u'1'), 0);
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
    }

    void aForceIsDoneAndSaysSo_data() { kindsAndRights(); }
    void aForceIsDoneAndSaysSo() {
        QFETCH(Kind, kind);
        QFETCH(QString, without);
        const AnyLock lock = held(kind);
        addWaiter(kind);
        m_scene->everywhere({"ACL", "SETUSER", "default", without});
        for (const Lock& member : lock.members()) {
            const Result<bool> forced = test::waitFor(member.forceUnlock());
            QVERIFY2(isSilent(kind, forced), forced ? "no error" : qPrintable(forced.error().text));
        }
        for (const QString& key : LockScene::lockKeys(lock))
            QCOMPARE(m_scene->everywhere({"EXISTS", key}).count(u'1'), 0);
    }

    // A hold that no caller knows of is still released in the background.
    void aLostAcquireIsStillReconciled_data() {
        test::addKinds({Kind::Reentrant, Kind::Fair, Kind::Read, Kind::Write});
    }
    void aLostAcquireIsStillReconciled() {
        QFETCH(Kind, kind);
        begin(kind);
        m_scene->everywhere({"ACL", "SETUSER", "default", "-publish"});
        m_scene->mine().lines().front()->lose(test::LossyLine::Loss::Answer);
        const AnyLock lock = m_scene->mine().lock();
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(owner, m_scene->in(5s)));
        QVERIFY2(taken.ok() && taken->acquired(), taken ? "held by another" : qPrintable(taken.error().text));
        QCOMPARE(m_scene->disagreement(lock, owner), QString());
    }

private:
    static void kindsAndRights() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("without");
        for (const Kind kind : test::allKinds()) {
            QTest::newRow(test::wordFor(kind) + ", no right to the command") << kind << "-publish";
            QTest::newRow(test::wordFor(kind) + ", no right to the channel") << kind << "resetchannels";
        }
    }

    void begin(Kind kind) {
        m_scene = std::make_unique<LockScene>(kind, LockScene::Options());
        QVERIFY(m_scene->start());
    }
    AnyLock held(Kind kind) {
        begin(kind);
        AnyLock lock = m_scene->mine().lock();
        [&] { QCOMPARE(m_scene->take(lock, owner), QString()); }();
        return lock;
    }
    // A fair lock sends its message only if somebody is in the queue.
    void addWaiter(Kind kind) {
        if (kind == Kind::Fair)
            m_scene->everywhere({"RPUSH", "redisson_lock_queue:{L}", "11111111-2222-3333-4444-555555555555:9"});
    }
    // A spin lock has no message that could be refused.
    template <typename T>
    static bool isSilent(Kind kind, const Result<T>& result) {
        if (kind == Kind::Spin)
            return result.ok();
        return !result && result.error().code == ErrorCode::NotAnnounced &&
               result.error().cause == Cause::WaitersNotWoken && !result.error().arguments.value(0).isEmpty();
    }

    std::unique_ptr<LockScene> m_scene;
};

LOCKKEEPER_TEST(TestSilentRelease, Guiless)

}  // namespace tst_silentrelease

#include "tst_silentrelease.moc"
