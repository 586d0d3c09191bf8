// SPDX-License-Identifier: Apache-2.0
#include "engine/sessionlink.h"
#include "support/fakeengine.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_sessionlink {

using namespace lockkeeper;

// A page's access to one session at a time.
class TestSessionLink : public QObject {
    Q_OBJECT

private:
    // Keeps the reports of these types, and the state of the link at the time of the end.
    void follow() {
        m_link->onReport<ConnectionStatus>(this, [this](const ConnectionStatus& now) { m_phases << now.phase; });
        m_link->onReport<OwnLocksChanged>(this, [this](const OwnLocksChanged& now) { m_own << now.locks.size(); });
        m_link->onReport<BatchReady>(this, [this](const BatchReady& ready) { m_resets << ready.batch->reset; });
        m_link->onReport<SessionClosed>(this, [this](SessionClosed) { m_openAtEnd << m_link->isOpen(); });
    }
    void reportPhase(ConnectionPhase phase) {
        ConnectionStatus status;
        status.phase = phase;
        m_engine->report(status);
    }

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<SessionLink> m_link;
    QList<ConnectionPhase> m_phases;
    QList<qsizetype> m_own;
    QList<bool> m_resets;
    QList<bool> m_openAtEnd;

private Q_SLOTS:
    void init() {
        m_engine = std::make_unique<test::FakeEngine>();
        m_link = std::make_unique<SessionLink>(*m_engine);
        m_phases.clear();
        m_own.clear();
        m_resets.clear();
        m_openAtEnd.clear();
        follow();
    }
    void cleanup() { m_link.reset(); }

    void aNewSessionBeginsWithNothing() {
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        QCOMPARE(m_own, QList<qsizetype>{0});
        QCOMPARE(m_resets, QList<bool>{true});
    }

    void eachTypeOfReportReachesItsOwnSlots() {
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->report(QList<control::OwnLock>(2));
        reportPhase(ConnectionPhase::Connected);
        QCOMPARE(m_own, (QList<qsizetype>{0, 2}));
        QCOMPARE(m_phases, QList<ConnectionPhase>{ConnectionPhase::Connected});
    }

    void reportsOfAnEarlierSessionAreDropped() {
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        const SessionId earlier = m_engine->session;
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        QCOMPARE(m_engine->closes.front().session, earlier);
        m_engine->session = earlier;
        reportPhase(ConnectionPhase::Failed);
        m_engine->finishClosing(earlier);
        QVERIFY(m_phases.isEmpty());
        QVERIFY(m_openAtEnd.isEmpty());
        QVERIFY(m_link->isOpen());
    }

    void requestsNameThePresentSession() {
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        m_link->request(AnswerSsh{topology::SshQuestionId(1), "yes"});
        QCOMPARE(m_engine->sshAnswers.front().session, m_engine->session);
    }

    void anOperationsAnswerHasTheIdOfItsRequest() {
        std::optional<OperationId> answered;
        m_link->onReport<OperationFinished>(
            this, [&answered](const OperationFinished& finished) { answered = finished.operation; });
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        const OperationId taken = m_link->request(control::ReleaseRequest{LockName("L")});
        m_link->request(RetryNow());
        m_engine->finishLast(control::resultOf(LockName("L"), control::Outcome::Released));
        QCOMPARE(answered, std::optional(taken));
    }

    void atItsEndNoSessionIsOpen() {
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->finishClosing(m_engine->session);
        QCOMPARE(m_openAtEnd, QList<bool>{false});
    }

    void aSlotMayDeleteTheLink() {
        m_link->onReport<ConnectionStatus>(this, [this](const ConnectionStatus&) { m_link.reset(); });
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        reportPhase(ConnectionPhase::Failed);
        QVERIFY(!m_link);
        QCOMPARE(m_engine->closes.size(), size_t{1});
    }

    void aReceiverThatIsGoneIsNotCalled() {
        auto receiver = std::make_unique<QObject>();
        int calls = 0;
        m_link->onReport<Arming>(receiver.get(), [&calls](const Arming&) { ++calls; });
        m_link->connectToDemo(redis::AccessMode::ReadWrite);
        receiver.reset();
        m_engine->sayArmed();
        QCOMPARE(calls, 1);
    }
};

LOCKKEEPER_TEST(TestSessionLink, Guiless)

}  // namespace tst_sessionlink

#include "tst_sessionlink.moc"
