// SPDX-License-Identifier: Apache-2.0
#include "base/loopturn.h"
#include "support/testprogram.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

namespace tst_loopturn {

using namespace lockkeeper;

class TestLoopTurn : public QObject {
    Q_OBJECT

private:
    QString m_done;
    QObject m_a;
    QObject m_b;

    // Runs an event loop as a handler may, and returns what was done when that loop had begun to wait.
    [[nodiscard]] QString doneInALoop() {
        QEventLoop loop;
        QString done;
        QTimer::singleShot(0, &loop, [&] {
            done = m_done;
            loop.quit();
        });
        loop.exec();
        return done;
    }
    [[nodiscard]] bool atEnd(QObject& object, QChar work) {
        return LoopTurn::atEnd(&object, [this, work] { m_done += work; });
    }

private Q_SLOTS:
    void init() { m_done.clear(); }

    void outsideOfATurnNothingIsPutOff() {
        QVERIFY(!atEnd(m_a, u'a'));
        { const LoopTurn turn; }
        QVERIFY(!atEnd(m_a, u'a'));
        QCOMPARE(m_done, QString());
    }

    void theEndOfATurnDoesItOnceForEachObject() {
        {
            const LoopTurn turn;
            QVERIFY(atEnd(m_a, u'a'));
            QVERIFY(atEnd(m_b, u'b'));
            QVERIFY(atEnd(m_a, u'x'));
            QCOMPARE(m_done, QString());
        }
        QCOMPARE(m_done, u"ab"_qs);
    }

    void workMayPutOffMoreWork() {
        {
            const LoopTurn turn;
            QVERIFY(LoopTurn::atEnd(&m_a, [this] {
                m_done += u'a';
                QVERIFY(atEnd(m_b, u'b'));
                QVERIFY(atEnd(m_a, u'c'));
            }));
        }
        QCOMPARE(m_done, u"abc"_qs);
    }

    void aDeletedObjectHasNoWork() {
        {
            const LoopTurn turn;
            auto gone = std::make_unique<QObject>();
            QVERIFY(atEnd(*gone, u'x'));
            QVERIFY(atEnd(m_a, u'a'));
            gone.reset();
        }
        QCOMPARE(m_done, u"a"_qs);
    }

    void anInnerTurnHasItsOwnEnd() {
        {
            const LoopTurn outer;
            QVERIFY(atEnd(m_a, u'a'));
            {
                const LoopTurn inner;
                QVERIFY(atEnd(m_a, u'b'));
            }
            QCOMPARE(m_done, u"b"_qs);
            QVERIFY(atEnd(m_b, u'c'));
        }
        QCOMPARE(m_done, u"bac"_qs);
    }

    void workMayRunAnEventLoopInWhichTheRestIsDone() {
        QString doneInTheLoop;
        {
            const LoopTurn turn;
            QVERIFY(LoopTurn::atEnd(&m_a, [&] { doneInTheLoop = doneInALoop(); }));
            QVERIFY(atEnd(m_b, u'b'));
        }
        QCOMPARE(doneInTheLoop, u"b"_qs);
        QCOMPARE(m_done, u"b"_qs);
    }

    // The loop of a modal dialog may run for hours.
    void whatWasPutOffIsDoneBeforeAnInnerLoopWaits() {
        const LoopTurn outer;
        QVERIFY(atEnd(m_a, u'a'));
        const LoopTurn turn;
        QVERIFY(atEnd(m_b, u'b'));
        QCOMPARE(doneInALoop(), u"ba"_qs);
    }

    void anEventLoopInATurnIsOutsideOfIt() {
        const LoopTurn turn;
        QEventLoop loop;
        bool isPutOff = true;
        QTimer::singleShot(0, &loop, [&] {
            isPutOff = atEnd(m_a, u'x');
            {
                const LoopTurn inner;
                QVERIFY(atEnd(m_b, u'b'));
            }
            loop.quit();
        });
        loop.exec();
        QVERIFY(!isPutOff);
        QCOMPARE(m_done, u"b"_qs);
        QVERIFY(atEnd(m_a, u'a'));
    }

    void anotherThreadHasItsOwn() {
        const LoopTurn turn;
        bool isPutOff = true;
        const std::unique_ptr<QThread> thread(QThread::create([&] { isPutOff = atEnd(m_a, u'x'); }));
        thread->start();
        QVERIFY(thread->wait());
        QVERIFY(!isPutOff);
    }
};

LOCKKEEPER_TEST(TestLoopTurn, Guiless)

}  // namespace tst_loopturn

#include "tst_loopturn.moc"
