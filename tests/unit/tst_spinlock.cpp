// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindtest.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_spinlock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Stage;

namespace {

const test::LockShape spin{"spin",
                           test::Kind::Spin,
                           u"reentrant_acquire"_qs,
                           u"reentrant_release"_qs,
                           u"reentrant_settle"_qs,
                           u"reentrant_force"_qs,
                           "_\r\n",
                           "",
                           HoldMode::Exclusive};

}  // namespace

// The spin lock: its waiters receive no messages, and a release publishes none.
class TestSpinLock : public test::LockKindTest {
    Q_OBJECT

public:
    TestSpinLock() : LockKindTest({spin}) {}

private Q_SLOTS:
    void readsAgainEverLessOften() {
        const auto call = bring(spin, Stage::Asleep);
        std::chrono::microseconds full = 2ms;  // the first pause has ended
        for (int tries = 0; tries < 12; ++tries) {
            m_clock->advance(full / 2 - 1us);
            QCOMPARE(sent(), QStringList());
            m_clock->advance(full - full / 2 + 1us);
            QCOMPARE(sent(), QStringList{u"reentrant_acquire"_qs});
            commands().reply(":5000\r\n");
            full = std::min(full * 2, std::chrono::microseconds(128ms));
        }
        QVERIFY(!call->has_value());
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void pausesAsTheOptionsSay_data() {
        QTest::addColumn<SpinBackOff>("pauses");
        QTest::addColumn<QList<int>>("full");  // ms
        QTest::newRow("constant") << SpinBackOff{64ms, 64ms, 1} << QList<int>{64, 64, 64, 64};
        QTest::newRow("growing fast") << SpinBackOff{10ms, 200ms, 5} << QList<int>{10, 50, 200, 200};
        QTest::newRow("the longest is shorter than the first") << SpinBackOff{50ms, 20ms, 2} << QList<int>{20, 20};
        QTest::newRow("no sense") << SpinBackOff{-5ms, 0ms, 0} << QList<int>{1, 1, 1};
    }
    void pausesAsTheOptionsSay() {
        QFETCH(SpinBackOff, pauses);
        QFETCH(QList<int>, full);
        LockClientOptions options;
        options.replicasToWaitFor = 0;
        options.spinBackOff = pauses;
        m_client = std::make_unique<LockClient>(redis::ConnectionOptions(), m_server->factory(), *m_clock, options);
        open();
        const auto call = test::start(m_client->spinLock(LockName("L")).tryLock(owner, Deadline::never(*m_clock)));
        for (const int pause : std::as_const(full)) {
            QCOMPARE(sent(), QStringList{u"reentrant_acquire"_qs});
            commands().reply(":5000\r\n");
            m_clock->advance(std::chrono::microseconds(Milliseconds(pause)) / 2 - 1us);
            QCOMPARE(sent(), QStringList());
            m_clock->advance(std::chrono::microseconds(Milliseconds(pause)) / 2 + 1us);
        }
        QCOMPARE(sent(), QStringList{u"reentrant_acquire"_qs});
        QVERIFY(!call->has_value());
    }

    void tellsNobody_data() {
        QTest::addColumn<bool>("forced");
        QTest::newRow("released") << false;
        QTest::newRow("forced") << true;
    }
    void tellsNobody() {
        QFETCH(bool, forced);
        open();
        const SpinLock lock = m_client->spinLock(LockName("L"));
        const auto force = forced ? test::start(lock.forceUnlock()) : test::Running<Result<bool>>();
        const auto release = forced ? test::Running<Result<ReleaseOutcome>>() : test::start(lock.unlock(owner));
        const QByteArrayList command = commands().takeCommand();
        QCOMPARE(command.mid(2, 2), (QByteArrayList{"1", "L"}));  // one key: the lock, no channel
    }
};

LOCKKEEPER_TEST(TestSpinLock, Guiless)

}  // namespace tst_spinlock

#include "tst_spinlock.moc"
