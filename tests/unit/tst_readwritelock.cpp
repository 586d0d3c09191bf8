// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindtest.h"
#include "support/testprogram.h"

#include <QTest>

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
        take(reading, 60s);
        take(reading, 1s);
        m_clock->advance(2s);
        QCOMPARE(held(reading), 2);
        QCOMPARE(release(reading, ":0\r\n"), ReleaseOutcome::StillHeld);
        m_clock->advance(57s);
        QCOMPARE(held(reading), 1);
        m_clock->advance(1s);
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

    void holdsForReadingAndWritingAreTwo() {
        open();
        take(writing);
        take(reading);
        QCOMPARE(m_client->heldKeys().size(), size_t{2});
        QCOMPARE(release(writing, ":1\r\n"), ReleaseOutcome::Free);
        QCOMPARE(held(reading), 1);
        QCOMPARE(held(writing), 0);
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
#include "tst_readwritelock.moc"
