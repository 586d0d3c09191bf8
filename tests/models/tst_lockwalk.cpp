// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplelocks.h"
#include "ui/locks/model/lockwalk.h"

#include <QTest>

namespace tst_lockwalk {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestLockWalk : public LockTableTest {
    Q_OBJECT

private:
    QStringList next(LockWalk& walk, size_t count) const {
        QStringList met;
        walk.step(count, [this, &met](const LockWalk::Met& one) {
            const LockName& name = one.lock.lock.name;
            met << (m_model->nameAt(one.row) == name ? name.display() + (one.lock.lock.isHeld() ? "" : " free")
                                                     : QStringLiteral("another"));
        });
        return met;
    }
    void remove(const char* name) { m_model->apply(removalOf({lockName(name)})); }

private Q_SLOTS:
    void init() {
        makeTable();
        m_model->apply(batchOf({heldRow(m_clock, lockName("a"), 12s), heldRow(m_clock, lockName("b"), 12s),
                                heldRow(m_clock, lockName("c"), 12s), heldRow(m_clock, lockName("d"), 12s)}));
    }
    void cleanup() { endTable(); }

    void goesInTheOrderThatIsGiven() {
        LockWalk walk(*m_model, {3, 0, 2});
        QCOMPARE(walk.size(), size_t(3));
        QCOMPARE(next(walk, 2), (QStringList{"d", "a"}));
        QVERIFY(!walk.isDone());
        QCOMPARE(next(walk, 2), QStringList{"c"});
        QVERIFY(walk.isDone());
    }

    void withoutAnOrderItIsThatOfTheTable() {
        LockWalk walk(*m_model);
        QCOMPARE(next(walk, 100), (QStringList{"a", "b", "c", "d"}));
        QVERIFY(walk.isDone());
    }

    // Rows below a lock that is removed move up.
    void eachIsMetOnceAlthoughOthersGo() {
        LockWalk walk(*m_model);
        QCOMPARE(next(walk, 2), (QStringList{"a", "b"}));
        remove("a");
        QCOMPARE(next(walk, 2), (QStringList{"c", "d"}));
    }

    void oneThatGoesBeforeItsStepIsLeftOut() {
        LockWalk walk(*m_model);
        QCOMPARE(next(walk, 1), QStringList{"a"});
        remove("b");
        QCOMPARE(next(walk, 3), (QStringList{"c", "d"}));
        QVERIFY(walk.isDone());
    }

    void oneThatComesLaterIsNotMet() {
        LockWalk walk(*m_model);
        m_model->apply(batchOf({heldRow(m_clock, lockName("e"), 12s)}));
        QCOMPARE(next(walk, 100), (QStringList{"a", "b", "c", "d"}));
    }

    void oneThatGoesAndComesBackIsNotMet() {
        LockWalk walk(*m_model);
        QCOMPARE(next(walk, 1), QStringList{"a"});
        remove("b");
        m_model->apply(batchOf({heldRow(m_clock, lockName("b"), 12s)}));
        QCOMPARE(next(walk, 3), (QStringList{"c", "d"}));
        QVERIFY(walk.isDone());
    }

    // So many locks that the table removes them in one reordering.
    void manyMayGoBetweenSteps() {
        std::vector<monitor::LockRow> rows;
        std::vector<LockName> odd;
        QStringList even;
        for (int i = 0; i < 400; ++i) {
            const LockName name("many:" + QByteArray::number(i));
            rows.push_back(heldRow(m_clock, name, 12s));
            if (i % 2 == 1)
                odd.push_back(name);
            else if (i >= 100)
                even << name.display();
        }
        m_model->apply(batchOf(rows));
        LockWalk walk(*m_model);
        QCOMPARE(next(walk, 104).size(), 104);
        m_model->apply(removalOf(odd));
        QCOMPARE(next(walk, 300), even);
        QVERIFY(walk.isDone());
    }

    void inAnotherTableNoneIsMet() {
        LockWalk walk(*m_model);
        QCOMPARE(next(walk, 1), QStringList{"a"});
        m_model->clear();
        m_model->apply(batchOf({heldRow(m_clock, lockName("a"), 12s), heldRow(m_clock, lockName("b"), 12s)}));
        QCOMPARE(next(walk, 3), QStringList());
    }

    void eachIsMetAsItIsAtItsStep() {
        LockWalk walk(*m_model);
        QCOMPARE(next(walk, 1), QStringList{"a"});
        m_model->apply(batchOf({freeRow(m_clock, lockName("b"))}));
        QCOMPARE(next(walk, 1), QStringList{"b free"});
    }
};

LOCKKEEPER_TEST(TestLockWalk, Gui)

}  // namespace tst_lockwalk

#include "tst_lockwalk.moc"
