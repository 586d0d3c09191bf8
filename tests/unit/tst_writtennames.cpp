// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/writtennames.h"
#include "support/knownnames.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_writtennames {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestWrittenNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_played = std::make_unique<PlayedConnection>();
        m_budget = std::make_unique<ReadBudget>(m_played->clock, 100'000);
        m_confirmed.clear();
        m_known.names.clear();
        m_names = std::make_unique<WrittenNames>(m_played->connection, *m_budget, m_denials, m_known, m_notTracked);
        connect(m_names.get(), &WrittenNames::confirmed, this,
                [this](const LockSnapshot& lock) { m_confirmed += lock.name.bytes(); });
        m_played->open();
    }
    void cleanup() {
        m_names.reset();
        m_played->connection.close();
        turnEventLoop();
        m_budget.reset();
        QVERIFY(!m_played->clock.hasTimers());
        m_played.reset();
    }

    void aHeldLockIsFoundAtOnce() {
        QVERIFY(request("L"));
        QCOMPARE(readsAnswered(heldReply(alice)), QByteArrayList{"L"});
        QCOMPARE(m_confirmed, QByteArrayList{"L"});
    }

    void aKnownLockIsNotRead() {
        m_known.names.insert(LockName("L"));
        QVERIFY(request("L"));
        QCOMPARE(readsAnswered({}), QByteArrayList());
    }

    void whatIsNoLockIsReadAgainAfterFourSecondsAtTheLatest() {
        QCOMPARE(readsOfNonLocks({"text"}), QByteArrayList{"text"});
        wait(1950ms);
        QCOMPARE(readsOfNonLocks({"text"}), QByteArrayList());
        wait(2s);
        QVERIFY(request("text"));
        QCOMPARE(readsAnswered(heldReply(alice)), QByteArrayList{"text"});
        QCOMPARE(m_confirmed, QByteArrayList{"text"});
    }

    void whereManyAreWrittenItIsReadAgainAfterAMinuteAtTheLatest() {
        QByteArrayList busy;
        for (int i = 0; i < WrittenNames::mostReadAgain; ++i)
            busy += "n" + QByteArray::number(i);
        QCOMPARE(readsOfNonLocks(busy + QByteArrayList{"text"}).size(), WrittenNames::mostReadAgain + 1);
        for (int i = 0; i < 5; ++i) {
            wait(4s);
            QByteArrayList reads = readsOfNonLocks(busy + QByteArrayList{"text"});
            std::ranges::sort(reads);
            QCOMPARE(reads, busy);
        }
        wait(40s);
        QVERIFY(request("text"));
        QCOMPARE(readsAnswered(heldReply(alice)), QByteArrayList{"text"});
        QCOMPARE(m_confirmed, QByteArrayList{"text"});
    }

    // The next write of the name may be the next acquire.
    void aNameThatIsGoneIsReadTwentyTimesASecond() {
        QByteArrayList reads;
        for (int i = 0; i < 1000; ++i) {
            QVERIFY(request("short"));
            reads += readsAnswered(freeReply());
            m_played->clock.advance(1ms);
        }
        QCOMPARE(reads.size(), 20);
        QCOMPARE(m_confirmed, QByteArrayList());
    }

    void keepsABoundedNumberOfNames() {
        QVERIFY(request("first"));
        for (qsizetype i = 0; i < WrittenNames::mostWaiting; ++i)
            QVERIFY(request("n" + QByteArray::number(i)));
        QVERIFY(!request("one more"));
        QVERIFY(request("n1"));
    }

    // Redis takes names of any length.
    void keepsABoundedNumberOfBytes() {
        QVERIFY(request("first"));
        for (char letter = 'a'; letter < 'j'; ++letter)
            QVERIFY(request(QByteArray(1'000'000, letter)));
        QVERIFY(!request(QByteArray(1'000'000, 'z')));
        QVERIFY(request("short"));
    }

    void goesOnAfterALoss() {
        QVERIFY(request("L"));
        m_played->link().lose();
        m_played->clock.advance(50ms);
        m_played->comeBack();
        QVERIFY(request("L"));
        QCOMPARE(readsAnswered(heldReply(alice)), QByteArrayList{"L"});
    }

private:
    // Waits, and answers the server's part of keepalive meanwhile.
    void wait(Milliseconds time) {
        for (Milliseconds left = time; left > 0ms; left -= 5s) {
            m_played->clock.advance(std::min(left, Milliseconds(5s)));
            for (const QByteArrayList& command : m_played->link().takeCommands()) {
                QCOMPARE(command, QByteArrayList{"PING"});
                m_played->link().reply("+PONG\r\n");
            }
        }
    }
    bool request(const QByteArray& name) { return m_names->request(LockName(name)); }
    QByteArrayList readsOfNonLocks(const QByteArrayList& written) {
        for (const QByteArray& name : written)
            [&] { QVERIFY(request(name)); }();
        const QByteArrayList atOnce = readsAnswered(bulk("names"));
        m_played->clock.advance(WrittenNames::betweenRounds);
        return atOnce + readsAnswered(bulk("names"));
    }
    // The names that are read; each read gets this answer.
    QByteArrayList readsAnswered(const QByteArray& reply) {
        QByteArrayList names;
        for (const QByteArrayList& command : m_played->link().takeCommands())
            names += command.value(3);
        if (!names.isEmpty())
            m_played->link().reply(reply.repeated(names.size()));
        return names;
    }

    Denials m_denials;
    KnownNames m_known;
    NothingTracked m_notTracked;
    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<ReadBudget> m_budget;
    std::unique_ptr<WrittenNames> m_names;
    QByteArrayList m_confirmed;
};

LOCKKEEPER_TEST(TestWrittenNames, Guiless)

}  // namespace tst_writtennames

#include "tst_writtennames.moc"
