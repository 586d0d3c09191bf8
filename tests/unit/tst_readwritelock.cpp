// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindtest.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_readwritelock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const test::LockShape reading{
    "read",         test::Kind::Read, u"read_acquire"_qs,    u"read_release"_qs, u"read_settle"_qs,
    u"rw_force"_qs, "_\r\n",          "redisson_rwlock:{L}", HoldMode::Read};
const test::LockShape writing{
    "write",        test::Kind::Write, u"write_acquire"_qs,   u"write_release"_qs, u"write_settle"_qs,
    u"rw_force"_qs, "_\r\n",           "redisson_rwlock:{L}", HoldMode::Write};

}  // namespace

// Both halves of the read/write lock.
class TestReadWriteLock : public test::LockKindTest {
    Q_OBJECT

public:
    TestReadWriteLock() : LockKindTest({reading, writing}) {}

private Q_SLOTS:
    // A reader's holds end one by one, each with its own lease.
    void aReadersShorterLeaseDoesNotShortenALongerOne() {
        open();
        take(reading, 900ms);
        take(reading, 100ms);
        m_clock->advance(200ms);
        QCOMPARE(held(reading), 2);
        QCOMPARE(release(reading, ":0\r\n"), ReleaseOutcome::StillHeld);
        m_clock->advance(699ms);
        QCOMPARE(held(reading), 1);
        m_clock->advance(1ms);
        QCOMPARE(held(reading), 0);
    }
    void aReaderThatGivesTheLongerLeaseBackIsLeftTheShorter() {
        open();
        take(reading, 1s);
        take(reading, 60s);
        QCOMPARE(release(reading, ":0\r\n"), ReleaseOutcome::StillHeld);
        m_clock->advance(1s);
        QCOMPARE(held(reading), 0);
    }
    void aWritersShorterReentryDoesNotShortenItsLease() {
        open();
        take(writing, 60s);
        take(writing, 1s);
        m_clock->advance(59s);
        QCOMPARE(held(writing), 2);
    }

    // The renewal sets the plain timeout, even if its answer does not arrive.
    void aWritersRenewalShortensItsLease_data() {
        QTest::addColumn<bool>("answered");
        QTest::newRow("answered") << true;
        QTest::newRow("not answered") << false;
    }
    void aWritersRenewalShortensItsLease() {
        QFETCH(bool, answered);
        open();
        take(writing, 120s);
        take(writing);
        m_clock->advance(10s);
        QCOMPARE(sent(), QStringList{u"renew"_qs});
        if (answered)
            commands().reply("*1\r\n:1\r\n");
        commands().lose();
        m_clock->advance(29s);
        QCOMPARE(held(writing), 2);
        m_clock->advance(1s);
        QCOMPARE(held(writing), 0);
    }

    void holdsForReadingAndWritingAreTwo() {
        open();
        take(writing);
        take(reading);
        QCOMPARE(m_client->heldKeys().size(), size_t{2});
        QCOMPARE(release(writing, ":1\r\n"), ReleaseOutcome::Free);
        QCOMPARE(held(reading), 1);
        QCOMPARE(held(writing), 0);
    }

    void aWriterThatReadsLocksForBoth_data() {
        QTest::addColumn<QByteArray>("fields");
        QTest::addColumn<bool>("forReading");
        const QByteArray mode = test::bulk("mode") + test::bulk("6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f:7:write");
        QTest::newRow("it only writes") << "*2\r\n" + mode << false;
        QTest::newRow("it reads, too") << "*3\r\n" + mode + test::bulk("6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f:7")
                                       << true;
        QTest::newRow("released in between") << QByteArray("*0\r\n") << false;
        QTest::newRow("acquired by another reader in between")
            << "*2\r\n" + test::bulk("mode") + test::bulk("0c9b8a7d-1f2e-4c3d-8b4a-5f6e7d8c9b0a:7") << true;
    }
    void aWriterThatReadsLocksForBoth() {
        QFETCH(QByteArray, fields);
        QFETCH(bool, forReading);
        open();
        const auto locked = test::start(lockOf(reading).isLocked());
        QCOMPARE(sent(), QStringList{u"HGET L mode"_qs});
        commands().reply(test::bulk("write"));
        QCOMPARE(sent(), QStringList{u"HKEYS L"_qs});
        commands().reply(fields);
        QCOMPARE((*locked)->value(), forReading);
    }

    // Reconciling one half must not treat the other half's hold as a leftover.
    void aLateWriteDoesNotTouchTheReading() {
        open();
        take(reading);
        const auto call =
            test::start(lockOf(writing).tryLock(owner, Deadline::in(*m_clock, 0ms), std::nullopt, m_stop.get_token()));
        QCOMPARE(sent(), QStringList{writing.acquire});
        m_stop.request_stop();
        commands().reply(nil);
        QCOMPARE(sent(), QStringList{writing.settle});
        QCOMPARE(held(reading), 1);
        QCOMPARE(held(writing), 0);
    }
};

LOCKKEEPER_TEST(TestReadWriteLock, Guiless)

}  // namespace tst_readwritelock

#include "tst_readwritelock.moc"
