// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/namereads.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_namereads {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestNameReads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<ManualClock>();
        m_server = std::make_unique<FakeServer>();
        m_budget = std::make_unique<ReadBudget>(*m_clock, 100);
        m_connection = std::make_unique<redis::Connection>(redis::ConnectionOptions(), m_server->factory(), *m_clock);
        m_reader = std::make_unique<LockReader>(*m_connection, m_denials);
        m_names = std::make_unique<NameReads>(*m_reader, *m_budget, *m_clock);
        m_confirmed.clear();
        m_ended = 0;
        connect(m_names.get(), &NameReads::confirmed, this,
                [this](const LockSnapshot& lock) { m_confirmed << lock.name.bytes(); });
        connect(m_names.get(), &NameReads::ended, this, [this] { ++m_ended; });
        m_connection->open();
        m_server->acceptAll();
    }
    void cleanup() {
        m_names.reset();
        m_reader.reset();
        m_connection.reset();
        turnEventLoop();
        m_budget.reset();
        QVERIFY(!m_clock->hasTimers());
    }

    void onlyAHeldLockIsProved() {
        for (const char* name : {"held", "free", "other"})
            m_names->request(LockName(name));
        QCOMPARE(takeReads(), QByteArrayList({"held", "free", "other"}));
        link().reply(heldReply(alice) + freeReply() + bulk("names"));
        QCOMPARE(m_confirmed, QByteArrayList{"held"});
        QCOMPARE(m_ended, 0);
    }

    void nothingIsKeptOfANameThatWasReadASecondAgo() {
        for (int i = 0; i < 50; ++i)
            m_names->request(numbered(i));
        QCOMPARE(m_names->keptNames(), 50);
        QCOMPARE(playFor(500ms, freeReply()), 50);
        QCOMPARE(playFor(500ms, freeReply()), 0);
        m_clock->advance(1s);
        QCOMPARE(m_names->keptNames(), 0);
    }

    // As reported by a server that evicts keys from its table of tracked keys.
    void whatIsReportedForNothingIsReadLessAndLess() {
        readWhatMayBeNothing();
        for (int i = 0; i < 5000; ++i)
            m_names->request(numbered(i));
        int reads = playFor(4s, freeReply());
        QVERIFY2(reads >= VainReads::most && reads <= VainReads::most + 4, qPrintable(QString::number(reads)));
        QCOMPARE(m_names->keptNames(), 0);
        for (int second = 0; second < 10; ++second) {
            for (int i = 0; i < 100; ++i)
                m_names->request(numbered(10'000 + 100 * second + i));
            reads += playFor(1s, freeReply());
        }
        QVERIFY2(reads <= VainReads::most + 14, qPrintable(QString::number(reads)));  // one more each second
        QCOMPARE(m_names->keptNames(), 0);
    }

    void aRealLockAmongThemIsReadAndLetsAllBeReadAgain() {
        whatIsReportedForNothingIsReadLessAndLess();
        m_clock->advance(1s);
        m_names->request(LockName("held"));
        QCOMPARE(playFor(100ms, heldReply(alice)), 1);
        QCOMPARE(m_confirmed, QByteArrayList{"held"});
        for (int i = 0; i < VainReads::perLock; ++i)
            m_names->request(numbered(i));
        QCOMPARE(playFor(1s, heldReply(alice)), int{VainReads::perLock});
        for (int i = 100; i < 200; ++i)
            m_names->request(numbered(i));
        QCOMPARE(playFor(3s, heldReply(alice)), 100);
    }

    // A restarted program takes all of its locks again.
    void howeverManyLocksComeBackAllAreRead() {
        readWhatMayBeNothing();
        for (int i = 0; i < 1000; ++i)
            m_names->request(numbered(i));
        QCOMPARE(playFor(15s, heldReply(alice)), 1000);
        QCOMPARE(m_confirmed.size(), 1000);
    }

    void whatIsCertainlyWrittenIsAlwaysRead() {
        for (int i = 0; i < 1000; ++i)
            m_names->request(numbered(i));
        QCOMPARE(playFor(15s, freeReply()), 1000);
    }

    void readsThatFailAreNotInVain() {
        readWhatMayBeNothing();
        for (int i = 0; i < 300; ++i)
            m_names->request(numbered(i));
        QCOMPARE(playFor(5s, "-BUSY Redis is busy running a script\r\n"), 300);
    }

    void noNameIsReadMoreThanOnceASecondAndNoneIsLost() {
        m_names->request(LockName("L"));
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().reply(freeReply());
        for (int i = 0; i < 5; ++i)
            m_names->request(LockName("L"));
        m_clock->advance(999ms);
        QCOMPARE(takeReads(), QByteArrayList());
        m_clock->advance(1ms);
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().reply(heldReply(alice));
        QCOMPARE(m_confirmed, QByteArrayList{"L"});
        m_clock->advance(5s);
        QCOMPARE(takeReads(), QByteArrayList());
        m_names->request(LockName("L"));
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().reply(freeReply());
    }

    void allAreReadWithinTheBudget() {
        QList<LockName> names;
        for (int i = 0; i < 150; ++i)
            names << LockName("L" + QByteArray::number(i));
        m_names->readAll(names);
        qsizetype reads = 0;
        const SteadyTime start = m_clock->now();
        while (m_ended == 0) {
            for (const QByteArray& name : takeReads()) {
                QCOMPARE(name, names[reads++].bytes());
                link().reply(freeReply());
            }
            m_clock->advance(10ms);
        }
        QCOMPARE(reads, names.size());
        QVERIFY(m_clock->now() - start >= 1s);
    }

    void nothingToReadEndsAtOnce() {
        m_names->readAll({});
        QCOMPARE(m_ended, 1);
    }

    void aLossIsNoEnd() {
        m_names->readAll({LockName("L")});
        QCOMPARE(takeReads(), QByteArrayList{"L"});
        link().lose();
        QCOMPARE(m_ended, 0);
    }

    void endsInTheMiddleOfARead() {
        m_names->request(LockName("L"));
        m_names->readAll({LockName("M")});
        m_names.reset();
        QCOMPARE(m_ended, 0);
        QCOMPARE(m_confirmed, QByteArrayList());
    }

private:
    static LockName numbered(int number) { return LockName("L" + QByteArray::number(number)); }
    void readWhatMayBeNothing() {
        m_names = std::make_unique<NameReads>(*m_reader, *m_budget, *m_clock, NameReads::Reports::MayBeNothing);
        connect(m_names.get(), &NameReads::confirmed, this,
                [this](const LockSnapshot& lock) { m_confirmed << lock.name.bytes(); });
    }
    // Answers each read of this time, and returns their number.
    int playFor(Milliseconds time, const QByteArray& answer) {
        int reads = 0;
        for (const SteadyTime end = m_clock->now() + time; m_clock->now() < end; m_clock->advance(10ms)) {
            for (const QByteArrayList& command : link().takeCommands()) {
                const bool isRead = command.value(0) == "EVALSHA_RO";
                reads += int{isRead};
                link().reply(isRead ? answer : QByteArrayLiteral("+PONG\r\n"));
            }
        }
        return reads;
    }

    FakeLink& link() { return m_server->lastLink(); }
    QByteArrayList takeReads() {
        QByteArrayList names;
        for (const QByteArrayList& command : link().takeCommands())
            names << command.value(3);
        return names;
    }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<ReadBudget> m_budget;
    std::unique_ptr<redis::Connection> m_connection;
    Denials m_denials;
    std::unique_ptr<LockReader> m_reader;
    std::unique_ptr<NameReads> m_names;
    QByteArrayList m_confirmed;
    int m_ended = 0;
};

LOCKKEEPER_TEST(TestNameReads, Guiless)

}  // namespace tst_namereads

#include "tst_namereads.moc"
