// SPDX-License-Identifier: Apache-2.0
#include "support/lockscene.h"
#include "support/owner.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockrestarts {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Kind;
using test::Memory;
using test::owner;

// Locks of every kind on servers that crash and restart; a red lock on servers that all do so at once.
class TestLockRestarts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_scene.reset(); }

    void whileHeld_data() { kindsAndMemories(); }
    void whileHeld() {
        QFETCH(Kind, kind);
        QFETCH(Memory, memory);
        begin(kind, memory);
        const test::AnyLock lock = m_scene->mine().lock();
        QCOMPARE(m_scene->take(lock, owner), QString());
        QVERIFY(m_scene->restart());
        if (memory == Memory::Remembers) {
            QVERIFY(m_scene->isRenewed(lock));
            QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
            QVERIFY(test::LockScene::believes(lock, owner));
            QCOMPARE(m_scene->disagreement(lock, owner), QString());
            QCOMPARE(m_scene->giveBack(lock, owner), QString());
        } else {
            QTRY_COMPARE(m_scene->mine().losses().size(), static_cast<qsizetype>(lock.members().size()));
            QVERIFY(!test::LockScene::believes(lock, owner));
        }
        QCOMPARE(m_scene->keys(), QStringList());
        QCOMPARE(m_scene->take(m_scene->other().rival(), owner), QString());
    }

    void whileWaitedFor_data() { kindsAndMemories(); }
    void whileWaitedFor() {
        QFETCH(Kind, kind);
        QFETCH(Memory, memory);
        begin(kind, memory);
        const test::AnyLock rival = m_scene->other().rival();
        QCOMPARE(m_scene->take(rival, owner), QString());
        const test::AnyLock lock = m_scene->mine().lock();
        const auto waiting = test::start(lock.tryLock(owner, Deadline::never(m_scene->clock())));
        QVERIFY(m_scene->mineFallsAsleep());
        QVERIFY(m_scene->restart());
        if (memory == Memory::Remembers) {
            QVERIFY(m_scene->mineFallsAsleep());
            QVERIFY2(!waiting->has_value(), "the other has it still");
            QTRY_VERIFY(m_scene->other().isConnected());
            QCOMPARE(m_scene->giveBack(rival, owner), QString());
        }
        QTRY_VERIFY(waiting->has_value());
        QVERIFY2((*waiting)->ok() && (*waiting)->value().acquired(), "nobody holds it any more");
        QCOMPARE(m_scene->disagreement(lock, owner), QString());
        QCOMPARE(m_scene->giveBack(lock, owner), QString());
        QCOMPARE(m_scene->keys(), QStringList());
    }

private:
    static void kindsAndMemories() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Memory>("memory");
        for (const Kind kind : test::allKinds()) {
            QTest::newRow(test::wordFor(kind) + ", forgotten") << kind << Memory::Forgets;
            QTest::newRow(test::wordFor(kind) + ", remembered") << kind << Memory::Remembers;
        }
    }

    void begin(Kind kind, Memory memory) {
        test::LockScene::Options options;
        options.memory = memory;
        m_scene = std::make_unique<test::LockScene>(kind, options);
        QVERIFY(m_scene->start());
    }

    std::unique_ptr<test::LockScene> m_scene;
};

LOCKKEEPER_TEST(TestLockRestarts, Guiless)

}  // namespace tst_lockrestarts

#include "tst_lockrestarts.moc"
