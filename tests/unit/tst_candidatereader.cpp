// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/candidatereader.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_candidatereader {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

namespace {

QList<LockName> names(int count) {
    QList<LockName> made;
    for (int i = 0; i < count; ++i)
        made += LockName("L" + QByteArray::number(i));
    return made;
}

class Tracking final : public TrackedReads {
public:
    [[nodiscard]] BulkReader* trackedBulk() noexcept override { return isOn ? bulk.get() : nullptr; }
    std::unique_ptr<BulkReader> bulk;
    bool isOn = true;
};

}  // namespace

class TestCandidateReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_own = std::make_unique<PlayedConnection>();
        m_tracking = std::make_unique<PlayedConnection>();
        m_denials = Denials();
        m_budget = std::make_unique<ReadBudget>(m_own->clock, 100'000);
        m_ownReader = std::make_unique<LockReader>(m_own->connection, m_denials);
        m_trackingReader = std::make_unique<LockReader>(m_tracking->connection, m_denials);
        m_trackedReads.bulk = std::make_unique<BulkReader>(*m_trackingReader, *m_budget, m_own->clock);
        m_trackedReads.isOn = true;
        m_read.clear();
        m_candidates = std::make_unique<CandidateReader>(
            m_own->connection, *m_ownReader, *m_budget, m_own->clock, m_trackedReads,
            [this](const LockName& name, const LockReading& reading, Confirmation confirmation) {
                const bool isLock = std::holds_alternative<LockSnapshot>(reading);
                m_read += name.bytes() + (isLock ? " lock" : " none") +
                          (confirmation == Confirmation::Tracked ? " tracked" : "");
            });
        m_own->open();
        m_tracking->open();
    }
    void cleanup() {
        m_candidates.reset();
        m_end.reset();
        m_ownReader.reset();
        m_trackingReader.reset();
        m_budget.reset();
        m_own.reset();
        m_tracking.reset();
    }

    void ofManyOnlyTheLikelyAreReadAndThoseWhereTheyAreTracked() {
        m_end = start(m_candidates->finish(names(10)));
        QCOMPARE(keysAsked(*m_own), 10);
        m_own->link().reply("*10\r\n:1\r\n:0\r\n" + QByteArray(":2\r\n").repeated(8));
        QCOMPARE(m_read, QByteArrayList{"L1 none"});
        QCOMPARE(m_own->link().takeCommands().size(), 0);
        QCOMPARE(m_tracking->link().takeCommand().value(3), QByteArray("L0"));
        m_tracking->link().reply(heldReply(alice));
        QCOMPARE(m_read, QByteArrayList({"L1 none", "L0 lock tracked"}));
        QCOMPARE(**m_end, CandidateReader::End::Whole);
    }

    // A push that follows directly after the answer is about the state in the answer, or a newer one. So the receiver
    // must know the lock by then.
    void aReadingIsTakenAsSoonAsItComes() {
        m_end = start(m_candidates->finish(names(10)));
        (void)keysAsked(*m_own);
        m_own->link().reply("*10\r\n" + QByteArray(":1\r\n").repeated(10));
        QCOMPARE(m_tracking->link().takeCommands().size(), 10);
        m_tracking->link().reply(heldReply(alice) + bulk("names"));
        QCOMPARE(m_read, QByteArrayList({"L0 lock tracked", "L1 none tracked"}));
    }

    void eachIsReadByItself_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("tracking");
        QTest::newRow("a few") << 7 << true;
        QTest::newRow("nothing tracks") << 10 << false;
    }
    void eachIsReadByItself() {
        QFETCH(const int, count);
        QFETCH(const bool, tracking);
        m_trackedReads.isOn = tracking;
        m_end = start(m_candidates->finish(names(count)));
        QCOMPARE(m_own->link().takeCommands().size(), count);
        m_own->link().reply(heldReply(alice).repeated(count));
        QCOMPARE(m_read.size(), count);
        QCOMPARE(m_read.first(), QByteArray("L0 lock"));
        QCOMPARE(**m_end, CandidateReader::End::Whole);
    }

    void whereItMayNotBeAskedTheyAreReadOneByOne() {
        m_end = start(m_candidates->finish(names(70)));
        for (const char* command : {"evalsha_ro", "eval_ro"}) {
            QCOMPARE(m_own->link().takeCommands().size(), 1);
            m_own->link().reply(noPermission(command));
        }
        QCOMPARE(m_own->link().takeCommands().size(), 64);
        QCOMPARE(m_tracking->link().takeCommands().size(), 0);
    }

    void whatIsNotKnownIsReadWhereItIsNotTracked() {
        m_end = start(m_candidates->finish(names(9)));
        (void)keysAsked(*m_own);
        m_own->link().reply("*9\r\n:1\r\n:4\r\n" + QByteArray(":2\r\n").repeated(7));
        QCOMPARE(m_tracking->link().takeCommand().value(3), QByteArray("L0"));
        m_tracking->link().reply(heldReply(alice));
        QCOMPARE(m_own->link().takeCommand().value(3), QByteArray("L1"));
        m_own->link().reply(heldReply(bob));
        QCOMPARE(m_read, QByteArrayList({"L0 lock tracked", "L1 lock"}));
        QCOMPARE(**m_end, CandidateReader::End::Whole);
    }

    void whatWasNotProbedIsAskedForAgain() {
        m_end = start(m_candidates->finish(names(8)));
        QCOMPARE(keysAsked(*m_own), 8);
        m_own->link().reply("*8\r\n" + QByteArray(":2\r\n").repeated(5) + QByteArray(":3\r\n").repeated(3));
        QCOMPARE(m_own->link().takeCommand().mid(2, 4), QByteArrayList({"3", "L5", "L6", "L7"}));
        m_own->link().reply("*3\r\n:2\r\n:2\r\n:2\r\n");
        QCOMPARE(**m_end, CandidateReader::End::Whole);
    }

    // A sweep reads everything on one connection; the other may be lost and restored.
    void withoutTheConnectionThatTracksTheSweepGoesOn() {
        m_end = start(m_candidates->finish(names(8)));
        (void)keysAsked(*m_own);
        m_own->link().reply("*8\r\n:1\r\n" + QByteArray(":2\r\n").repeated(7));
        (void)m_tracking->link().takeCommand();
        m_tracking->link().lose();
        QCOMPARE(m_own->link().takeCommand().value(3), QByteArray("L0"));
        m_own->link().reply(heldReply(alice));
        QCOMPARE(m_read, QByteArrayList{"L0 lock"});
        QCOMPARE(**m_end, CandidateReader::End::Whole);
    }

    // Eight classified names count as one read.
    void sortingOutIsWithinTheBudget() {
        m_budget = std::make_unique<ReadBudget>(m_own->clock, 16);
        CandidateReader slow(m_own->connection, *m_ownReader, *m_budget, m_own->clock, m_trackedReads,
                             [](const LockName&, const LockReading&, Confirmation) {});
        while (m_budget->take().isCompleted())
            continue;  // until the budget is used up
        const auto end = start(slow.finish(names(16)));
        QByteArrayList command;
        Milliseconds waited{0};
        for (; command.isEmpty() && waited < std::chrono::seconds(2); waited += std::chrono::milliseconds(10)) {
            m_own->clock.advance(std::chrono::milliseconds(10));
            command = m_own->link().takeCommand();
        }
        QCOMPARE(command.value(2), QByteArray("16"));
        // The refused attempt and two more, at sixteen a second. Without sharing they would have taken a second.
        QVERIFY2(waited >= std::chrono::milliseconds(120) && waited <= std::chrono::milliseconds(300),
                 qPrintable(QString::number(waited.count())));
        m_own->link().reply("*16\r\n" + QByteArray(":2\r\n").repeated(16));
        QCOMPARE(**end, CandidateReader::End::Whole);
        slow.stop();
    }

    // Where a name cannot belong to a hash there is nothing to classify.
    void aRequestToReadAllReadsAll() {
        m_end = start(m_candidates->read(names(10)));
        QCOMPARE(m_own->link().takeCommands().size(), 10);
        QCOMPARE(m_tracking->link().takeCommands().size(), 0);
    }

    void aSweepGoesOnWhileARoundIsRead() {
        const auto few = start(m_candidates->collect(names(255)));
        QCOMPARE(**few, CandidateReader::End::Whole);
        QCOMPARE(m_own->link().takeCommands().size(), 0);  // no caller is waiting urgently
        const auto enough = start(m_candidates->collect(names(1)));
        QCOMPARE(**enough, CandidateReader::End::Whole);
        QCOMPARE(keysAsked(*m_own), 64);
        // The next round waits for the first one.
        const auto tooMany = start(m_candidates->collect(names(256)));
        QVERIFY(!tooMany->has_value());
        nothingIsThere(3);
        QCOMPARE(**tooMany, CandidateReader::End::Whole);
        m_end = start(m_candidates->finish(names(3)));
        QCOMPARE(keysAsked(*m_own), 64);
        nothingIsThere(3);
        QVERIFY(!m_end->has_value());
        QCOMPARE(m_own->link().takeCommands().size(), 3);
        m_own->link().reply(freeReply().repeated(3));
        QCOMPARE(**m_end, CandidateReader::End::Whole);
    }

    void aLostConnectionBreaksTheSweep() {
        (void)**start(m_candidates->collect(names(256)));
        QCOMPARE(keysAsked(*m_own), 64);
        m_own->link().lose();
        const auto another = start(m_candidates->collect(names(256)));
        QCOMPARE(**another, CandidateReader::End::Broken);
        m_candidates->startOver();
        m_end = start(m_candidates->finish({}));
        QCOMPARE(**m_end, CandidateReader::End::Whole);
    }

    void endsInTheMiddleOfARound() {
        m_end = start(m_candidates->finish(names(10)));
        (void)keysAsked(*m_own);
        m_own->link().reply("*10\r\n" + QByteArray(":1\r\n").repeated(10));
        m_candidates->stop();
        QCOMPARE(**m_end, CandidateReader::End::Broken);
        m_candidates.reset();
        m_tracking->link().reply(heldReply(alice).repeated(10));
        QCOMPARE(m_read, QByteArrayList());  // the receiver has been destroyed
    }

private:
    // The number of keys in one command.
    static int keysAsked(PlayedConnection& played) {
        const QByteArrayList command = played.link().takeCommand();
        return command.value(0) == "EVALSHA_RO" ? command.value(2).toInt() : -1;
    }
    // Answers this many commands of 64 keys each; the first of them was taken before.
    void nothingIsThere(int more) {
        const QByteArray answer = "*64\r\n" + QByteArray(":2\r\n").repeated(64);
        for (int i = 0; i < more; ++i) {
            m_own->link().reply(answer);
            QCOMPARE(keysAsked(*m_own), 64);
        }
        m_own->link().reply(answer);
    }

    std::unique_ptr<PlayedConnection> m_own;
    std::unique_ptr<PlayedConnection> m_tracking;
    Denials m_denials;
    std::unique_ptr<ReadBudget> m_budget;
    std::unique_ptr<LockReader> m_ownReader;
    std::unique_ptr<LockReader> m_trackingReader;
    Tracking m_trackedReads;
    QByteArrayList m_read;
    std::unique_ptr<CandidateReader> m_candidates;
    Running<CandidateReader::End> m_end;
};

LOCKKEEPER_TEST(TestCandidateReader, Guiless)

}  // namespace tst_candidatereader

#include "tst_candidatereader.moc"
