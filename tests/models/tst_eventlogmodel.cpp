// SPDX-License-Identifier: Apache-2.0
#include "support/auditsample.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/base/helptip.h"
#include "ui/events/log/eventfiltermodel.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/words/eventtext.h"
#include "ui/words/locktext.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace tst_eventlogmodel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestEventLogModel : public QObject {
    Q_OBJECT

private:
    // `count` events named first, first+1, ... in the order of time.
    std::vector<monitor::LockEvent> events(int first, int count) const {
        std::vector<monitor::LockEvent> result;
        for (int i = first; i < first + count; ++i)
            result.push_back(
                eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, LockName(QByteArray::number(i)), 30s)));
        return result;
    }
    // A force of a lock, now.
    AuditEntry forced(const char* lock, control::AuditOutcome outcome = control::AuditOutcome::Done,
                      control::ChangeKind kind = control::ChangeKind::ReleaseLock) const {
        control::AuditRecord intent = intentOf(lock);
        intent.at = m_clock.wallNow();
        intent.change.kind = kind;
        intent.state = heldRow(m_clock, LockName(lock), 30s).lock;
        return {intent, test::outcomeOf(intent, outcome), {}};
    }
    monitor::LockEvent forcedEvent(const char* lock) const {
        return eventOf(m_clock, monitor::EventType::Forced, heldRow(m_clock, LockName(lock), 30s));
    }
    QString cellAt(int row, EventLogModel::Column column) const { return m_log->index(row, column).data().toString(); }
    QString lockAt(int row) const { return m_log->index(row, EventLogModel::Lock).data().toString(); }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<EventLogModel> m_log;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_log = std::make_unique<EventLogModel>(*m_time, 10);
        m_tester = std::make_unique<QAbstractItemModelTester>(m_log.get(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup() {
        m_tester.reset();
        m_log.reset();
    }

    void showsTheNewestFirst() {
        m_log->append(events(1, 2));
        m_log->append(events(3, 1));
        QCOMPARE(m_log->rowCount(), 3);
        QCOMPARE(lockAt(0), QStringLiteral("3"));
        QCOMPARE(lockAt(2), QStringLiteral("1"));
    }

    void tellsTheBeginAndTheEndOfADiagnosis() {
        monitor::LockEvent event =
            eventOf(m_clock, monitor::EventType::Diagnosed, heldRow(m_clock, lockName("L"), 30s));
        event.diagnosis = watchdogStopped(m_clock);
        m_log->append({event});
        QCOMPARE(m_log->index(0, EventLogModel::Event).data().toString(), QStringLiteral("Diagnosis"));
        QCOMPARE(m_log->index(0, EventLogModel::Detail).data().toString(), QStringLiteral("Watchdog stopped (likely)"));
        event.phase = monitor::DiagnosisPhase::Ended;
        m_log->append({event});
        QCOMPARE(m_log->index(0, EventLogModel::Detail).data().toString(),
                 QStringLiteral("no longer: Watchdog stopped (likely)"));
    }

    void aGapOfNoTimeIsNoRow() {
        m_log->append({monitor::notWatchedSince(m_clock.wallNow(), m_clock.wallNow())});
        QCOMPARE(m_log->rowCount(), 0);
        m_log->append({monitor::notWatchedSince(m_clock.wallNow() - 5s, m_clock.wallNow())});
        QCOMPARE(m_log->rowCount(), 1);
    }

    void hasAShapeForWhatMatters_data() {
        QTest::addColumn<monitor::EventType>("type");
        QTest::addColumn<bool>("suspect");
        QTest::addColumn<EventWeight>("weight");
        using monitor::EventType;
        QTest::newRow("acquired") << EventType::Acquired << false << EventWeight::Usual;
        QTest::newRow("released") << EventType::Released << false << EventWeight::Usual;
        QTest::newRow("handed over") << EventType::HandedOver << false << EventWeight::Usual;
        QTest::newRow("a suspect hand-over") << EventType::HandedOver << true << EventWeight::Grave;
        QTest::newRow("expired") << EventType::Expired << false << EventWeight::Grave;
        QTest::newRow("deleted") << EventType::Deleted << false << EventWeight::Warning;
        QTest::newRow("forced") << EventType::Forced << false << EventWeight::Warning;
        QTest::newRow("a TTL that was set") << EventType::ExpirySet << false << EventWeight::Notable;
        QTest::newRow("gone") << EventType::Gone << false << EventWeight::Notable;
        QTest::newRow("not watched") << EventType::NotWatched << false << EventWeight::Notable;
    }
    void hasAShapeForWhatMatters() {
        QFETCH(const monitor::EventType, type);
        QFETCH(const bool, suspect);
        QFETCH(const EventWeight, weight);
        monitor::LockEvent event = eventOf(m_clock, type, heldRow(m_clock, lockName("L"), 30s));
        event.suspect = suspect;
        QCOMPARE(weightOf(event), weight);
        m_log->append({event});
        QCOMPARE(m_log->index(0, EventLogModel::Event).data(Qt::DecorationRole).isValid(),
                 weight != EventWeight::Usual);
    }

    void aDiagnosisMattersByItsSeverity() {
        monitor::LockEvent event =
            eventOf(m_clock, monitor::EventType::Diagnosed, heldRow(m_clock, lockName("L"), 30s));
        event.diagnosis = watchdogStopped(m_clock);
        QCOMPARE(weightOf(event), EventWeight::Warning);
        event.phase = monitor::DiagnosisPhase::Ended;
        QCOMPARE(weightOf(event), EventWeight::Good);
        event.diagnosis = fixedLease(m_clock);
        event.phase = monitor::DiagnosisPhase::Begun;
        QCOMPARE(weightOf(event), EventWeight::Notable);
    }

    void aReleaseDoesNotClaimWhatWasNotRead_data() {
        QTest::addColumn<monitor::Holder>("released");
        QTest::addColumn<QList<monitor::Holder>>("now");
        QTest::addColumn<QString>("words");
        using monitor::HoldMode;
        const monitor::Holder exclusive = holder(clientA, 33);
        const monitor::Holder reader = holder(clientA, 33, 1, HoldMode::Read);
        const monitor::Holder other = holder(clientB, 1, 1, HoldMode::Read);
        QTest::newRow("free") << exclusive << QList<monitor::Holder>() << QString();
        QTest::newRow("exclusive, taken again")
            << exclusive << QList{exclusive} << QStringLiteral("taken again by the same holder");
        QTest::newRow("exclusive, taken by another")
            << exclusive << QList{holder(clientB, 1)} << QStringLiteral("taken by another holder since");
        QTest::newRow("one of two readers") << reader << QList{other} << QStringLiteral("others hold it");
        QTest::newRow("a writer that goes on to read") << holder(clientA, 33, 1, HoldMode::Write) << QList{reader}
                                                       << QStringLiteral("its holder holds it in another mode");
    }
    void aReleaseDoesNotClaimWhatWasNotRead() {
        QFETCH(const monitor::Holder, released);
        QFETCH(const QList<monitor::Holder>, now);
        monitor::LockEvent event = eventOf(m_clock, monitor::EventType::Released, heldRow(m_clock, lockName("L"), 30s));
        event.holder = released;
        event.lock.holders = now;
        QTEST(eventDetail(event), "words");
    }

    void keepsSoManyAndDropsTheOldest_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("burst");
        QTest::addColumn<QString>("oldest");
        QTest::newRow("filling up") << 8 << 2 << QStringLiteral("1");
        QTest::newRow("one too many") << 10 << 1 << QStringLiteral("2");
        QTest::newRow("all replaced") << 10 << 10 << QStringLiteral("11");
        QTest::newRow("a burst beyond the bound") << 3 << 25 << QStringLiteral("19");
    }
    void keepsSoManyAndDropsTheOldest() {
        QFETCH(int, before);
        QFETCH(int, burst);
        m_log->append(events(1, before));
        m_log->append(events(before + 1, burst));
        QCOMPARE(m_log->rowCount(), 10);
        QCOMPARE(lockAt(0), QString::number(before + burst));
        QTEST(lockAt(9), "oldest");
    }

    // A name counts as one more for each thousand bytes.
    void keepsFewerEventsOfLongNames() {
        m_log->append(events(1, 8));
        std::vector<monitor::LockEvent> ofLongName = events(9, 1);
        ofLongName.front().lock.name = LockName(QByteArray(4000, 'x'));
        m_log->append(ofLongName);
        QCOMPARE(m_log->rowCount(), 6);
        QCOMPARE(lockAt(1), QStringLiteral("8"));
        QCOMPARE(lockAt(5), QStringLiteral("4"));
    }

    void insertsABurstAtOnce() {
        const QSignalSpy inserts(m_log.get(), &QAbstractItemModel::rowsInserted);
        m_log->append(events(1, 9));
        QCOMPARE(inserts.size(), 1);
    }

    void holdsBackWhilePausedAndThenShowsAll() {
        m_log->append(events(1, 2));
        m_log->setFlow(EventLogModel::Flow::Paused);
        m_log->append(events(3, 3));
        QCOMPARE(m_log->rowCount(), 2);
        QCOMPARE(m_log->heldBack(), quint64{3});
        m_log->setFlow(EventLogModel::Flow::Running);
        QCOMPARE(m_log->rowCount(), 5);
        QCOMPARE(lockAt(0), QStringLiteral("5"));
        QCOMPARE(m_log->heldBack(), quint64{0});
    }

    void countsWhatIsHeldBackBeyondTheBound() {
        m_log->setFlow(EventLogModel::Flow::Paused);
        m_log->append(events(1, 8));
        m_log->append(events(9, 8));
        QCOMPARE(m_log->heldBack(), quint64{16});
        m_log->setFlow(EventLogModel::Flow::Running);
        QCOMPARE(m_log->rowCount(), 10);
        QCOMPARE(lockAt(0), QStringLiteral("16"));
    }

    void clearForgetsAlsoWhatIsHeldBack() {
        m_log->append(events(1, 3));
        m_log->setFlow(EventLogModel::Flow::Paused);
        m_log->append(events(4, 3));
        m_log->clear();
        m_log->setFlow(EventLogModel::Flow::Running);
        QCOMPARE(m_log->rowCount(), 0);
    }

    void leavesSweepsToTheStatusBar() {
        monitor::LockEvent swept;
        swept.type = monitor::EventType::Swept;
        m_log->append({swept});
        QCOMPARE(m_log->rowCount(), 0);
    }

    void saysWhatAnEventProves_data() {
        QTest::addColumn<monitor::EventType>("type");
        QTest::addColumn<bool>("suspect");
        QTest::addColumn<QString>("event");
        QTest::addColumn<QString>("detail");
        using Type = monitor::EventType;
        QTest::newRow("acquired") << Type::Acquired << false << QStringLiteral("Acquired")
                                  << QStringLiteral("count 1, lease 30 s");
        QTest::newRow("renewed") << Type::Renewed << false << QStringLiteral("Renewed") << QStringLiteral("lease 30 s");
        QTest::newRow("expired") << Type::Expired << false << QStringLiteral("Expired")
                                 << QStringLiteral("its lease ran out without a release");
        QTest::newRow("deleted") << Type::Deleted << false << QStringLiteral("Deleted")
                                 << QStringLiteral("gone with time left, without the message of a release");
        QTest::newRow("handed over, suspect")
            << Type::HandedOver << true << QStringLiteral("Handed over")
            << QStringLiteral("suspect: the last lease had time left and no release was received");
        QTest::newRow("not watched") << Type::NotWatched << false << QStringLiteral("Not watched")
                                     << QStringLiteral("what happened in the 2 s before is not known");
        QTest::newRow("gone") << Type::Gone << false << QStringLiteral("Gone")
                              << QStringLiteral("how it ended was not seen");
        QTest::newRow("forced") << Type::Forced << false << QStringLiteral("Forced")
                                << QStringLiteral("broken by this console");
    }
    void saysWhatAnEventProves() {
        QFETCH(monitor::EventType, type);
        QFETCH(bool, suspect);
        monitor::LockEvent event = eventOf(m_clock, type, heldRow(m_clock, lockName("L"), 30s));
        event.suspect = suspect;
        event.gap = 2s;
        m_log->append({event});
        QTEST(m_log->index(0, EventLogModel::Event).data().toString(), "event");
        QTEST(m_log->index(0, EventLogModel::Detail).data().toString(), "detail");
    }

    void whatWasNotWrittenSaysSo() {
        monitor::LockEvent lost = monitor::notWatchedSince(m_clock.wallNow() - 2s, m_clock.wallNow());
        lost.notWritten = true;
        m_log->append({lost});
        QCOMPARE(m_log->index(0, EventLogModel::Detail).data().toString(),
                 QStringLiteral("what was seen in the 2 s before could not be written"));
    }

    void anAliasStandsForTheUuidAndTheToolTipHasBoth() {
        m_log->append(events(1, 1));
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        m_log->setAliases(aliases);
        const QModelIndex index = m_log->index(0, EventLogModel::HolderColumn);
        const QString both = QString::fromLatin1("orders-a (" + clientA + ":33)");
        QCOMPARE(index.data().toString(), QStringLiteral("orders-a:33"));
        QCOMPARE(index.data(Qt::ToolTipRole).toString(), helpTip(both));
        QVERIFY(index.data(EventLogModel::FilterRole).toString().contains(both));
    }

    // ---- what the audit says ----

    void anEventOfThisConsoleGetsItsOperatorAndReason() {
        m_log->append({forcedEvent("L")});
        QCOMPARE(cellAt(0, EventLogModel::Detail), QStringLiteral("broken by this console"));
        m_log->addChanges({forced("L")});
        QCOMPARE(m_log->rowCount(), 1);
        QCOMPARE(cellAt(0, EventLogModel::Detail), QStringLiteral("by ann@bastion: worker-7 crashed, ticket 1234"));
        QVERIFY(m_log->index(0, 0).data(EventLogModel::FilterRole).toString().contains(QStringLiteral("ticket 1234")));
    }

    void aForceByAnotherProgramIsAnEventOfItsOwnAtItsTime() {
        m_log->append(events(1, 1));
        m_clock.advance(5s);
        const AuditEntry entry = forced("L");
        m_clock.advance(5s);
        m_log->append(events(2, 1));
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 3);
        QCOMPARE(lockAt(1), QStringLiteral("L"));
        QCOMPARE(cellAt(1, EventLogModel::Event), eventText(monitor::EventType::Forced));
        QCOMPARE(cellAt(1, EventLogModel::HolderColumn), holder(clientA, 33).id.display());
        QCOMPARE(cellAt(1, EventLogModel::Detail), QStringLiteral("by ann@bastion: worker-7 crashed, ticket 1234"));
    }

    // The event is of another lock, or of another time.
    void anEventThatIsNotOfTheActionKeepsItsWords() {
        m_log->append({forcedEvent("M"), forcedEvent("L")});
        m_clock.advance(60s);
        m_log->addChanges({forced("L")});
        QCOMPARE(m_log->rowCount(), 3);
        QCOMPARE(cellAt(1, EventLogModel::Detail), QStringLiteral("broken by this console"));
    }

    void eachChangeIsAnEvent_data() {
        QTest::addColumn<control::ChangeKind>("kind");
        QTest::addColumn<monitor::EventType>("type");
        QTest::addColumn<QByteArray>("whose");
        QTest::addColumn<QString>("detail");
        using control::ChangeKind;
        using monitor::EventType;
        const QString by = QStringLiteral("by ann@bastion: worker-7 crashed, ticket 1234");
        QTest::newRow("waiter") << ChangeKind::RemoveWaiter << EventType::WaiterRemoved << clientB << by;
        QTest::newRow("waiters") << ChangeKind::WakeWaiters << EventType::WaitersWoken << clientA << by;
        QTest::newRow("TTL") << ChangeKind::SetExpiry << EventType::ExpirySet << clientA
                             << QStringLiteral("30 s, ") + by;
    }
    void eachChangeIsAnEvent() {
        QFETCH(const control::ChangeKind, kind);
        const bool setsExpiry = kind == control::ChangeKind::SetExpiry;
        AuditEntry entry = forced("L", control::AuditOutcome::Done, kind);
        entry.record.change.time = setsExpiry ? 30s : 0s;
        if (kind == control::ChangeKind::RemoveWaiter)
            entry.record.change.waiter = monitor::FairWaiter{holder(clientB, 33).id, std::nullopt};
        m_log->append({forcedEvent("L")});
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 2);
        QTEST(m_log->eventAt(0).type, "type");
        QTEST(m_log->eventAt(0).holder->id.client().bytes(), "whose");
        QTEST(cellAt(0, EventLogModel::Detail), "detail");
        QCOMPARE(m_log->eventAt(0).lock.ttl, setsExpiry ? std::optional<Milliseconds>(30s) : std::nullopt);
        QCOMPARE(cellAt(1, EventLogModel::Detail), QStringLiteral("broken by this console"));
    }

    void theEventOfOneHoldersValuesIsAboutThatHolder() {
        AuditEntry entry = forced("L", control::AuditOutcome::Done, control::ChangeKind::ReleaseHolder);
        entry.record.change.holder = holder(clientB, 33).id;
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 1);
        QCOMPARE(m_log->eventAt(0).type, monitor::EventType::Forced);
        QCOMPARE(m_log->eventAt(0).holder->id.client().bytes(), clientB);
    }

    // Two holders of one lock, released one after the other.
    void aReasonIsThatOfItsOwnHolder() {
        const HolderId second = holder(clientB, 33).id;
        monitor::LockEvent eventOfSecond = forcedEvent("L");
        eventOfSecond.holder = holder(clientB, 33);
        monitor::LockEvent eventOfFirst = forcedEvent("L");
        eventOfFirst.holder = holder(clientA, 33);
        m_log->append({eventOfFirst, eventOfSecond});
        AuditEntry entry = forced("L", control::AuditOutcome::Done, control::ChangeKind::ReleaseHolder);
        entry.record.change.holder = second;
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 2);
        QCOMPARE(m_log->eventAt(0).holder->id, second);
        QCOMPARE(cellAt(0, EventLogModel::Detail), QStringLiteral("by ann@bastion: worker-7 crashed, ticket 1234"));
        QCOMPARE(cellAt(1, EventLogModel::Detail), QStringLiteral("broken by this console"));
    }

    // Each of two forces of one lock has its own operator and reason, and neither is listed twice.
    void aForceNamesTheNearestEventAlone() {
        const auto force = [this](const char* reason) {
            AuditEntry entry = forced("L");
            entry.record.id = entry.outcome->id = QString::fromLatin1(reason);
            entry.record.reason = QString::fromLatin1(reason);
            return entry;
        };
        m_log->append({forcedEvent("L")});
        m_clock.advance(10ms);
        const AuditEntry first = force("first");
        m_clock.advance(5s);
        m_log->append({forcedEvent("L")});
        m_clock.advance(10ms);
        const AuditEntry second = force("second");
        m_log->addChanges({second, first});
        QCOMPARE(m_log->rowCount(), 2);
        QCOMPARE(cellAt(0, EventLogModel::Detail), QStringLiteral("by ann@bastion: second"));
        QCOMPARE(cellAt(1, EventLogModel::Detail), QStringLiteral("by ann@bastion: first"));
    }

    // Each holder has an event, at the same time.
    void aForceNamesTheEventsOfAllItsHolders() {
        monitor::LockEvent other = forcedEvent("L");
        other.holder = holder(clientB, 33);
        m_log->append({forcedEvent("L"), other});
        m_log->addChanges({forced("L")});
        QCOMPARE(m_log->rowCount(), 2);
        for (const int row : {0, 1})
            QCOMPARE(cellAt(row, EventLogModel::Detail),
                     QStringLiteral("by ann@bastion: worker-7 crashed, ticket 1234"));
    }

    // Works whether the audit or the monitor is first. Another client that takes the lock at that time stays suspect.
    void aQuarantineExplainsTheHandOverToTheConsole_data() {
        QTest::addColumn<bool>("auditFirst");
        QTest::addColumn<QByteArray>("taker");
        QTest::addColumn<bool>("suspect");
        QTest::newRow("the hand-over is seen first") << false << clientB << false;
        QTest::newRow("the audit is read first") << true << clientB << false;
        QTest::newRow("another client") << false << clientA << true;
        QTest::newRow("another client, after the audit") << true << clientA << true;
    }
    void aQuarantineExplainsTheHandOverToTheConsole() {
        QFETCH(const bool, auditFirst);
        QFETCH(const QByteArray, taker);
        QFETCH(const bool, suspect);
        AuditEntry quarantine = forced("L", control::AuditOutcome::Done, control::ChangeKind::Quarantine);
        quarantine.record.change.newHolder = holder(clientB, 1).id;
        monitor::LockEvent taken =
            eventOf(m_clock, monitor::EventType::HandedOver, heldRow(m_clock, lockName("L"), 30s));
        taken.holder = holder(taker, 1);
        taken.suspect = true;
        QSignalSpy explained(m_log.get(), &EventLogModel::handOverExplained);
        m_log->append({forcedEvent("L")});
        if (auditFirst)
            m_log->addChanges({quarantine});
        m_log->append({taken});
        if (!auditFirst)
            m_log->addChanges({quarantine});
        QCoreApplication::processEvents();
        QCOMPARE(m_log->eventAt(0).suspect, suspect);
        QCOMPARE(cellAt(0, EventLogModel::Detail).startsWith(QStringLiteral("suspect")), suspect);
        QCOMPARE(explained.size(), suspect ? 0 : 1);
        QVERIFY(cellAt(1, EventLogModel::Detail).startsWith(QStringLiteral("into quarantine by ann@bastion")));
    }

    void whatForcedNothingIsNoEvent_data() {
        QTest::addColumn<control::AuditOutcome>("outcome");
        QTest::addColumn<control::ChangeKind>("kind");
        QTest::addColumn<int>("rows");
        using control::AuditOutcome;
        using control::ChangeKind;
        QTest::newRow("forced") << AuditOutcome::Done << ChangeKind::ReleaseLock << 1;
        QTest::newRow("quarantine") << AuditOutcome::Done << ChangeKind::Quarantine << 1;
        QTest::newRow("values in quarantine") << AuditOutcome::Done << ChangeKind::QuarantineHolder << 1;
        QTest::newRow("values of one holder") << AuditOutcome::Done << ChangeKind::ReleaseHolder << 1;
        QTest::newRow("refused") << AuditOutcome::Failed << ChangeKind::ReleaseLock << 0;
        QTest::newRow("unknown") << AuditOutcome::Unknown << ChangeKind::ReleaseLock << 0;
        QTest::newRow("an expiry that was refused") << AuditOutcome::Failed << ChangeKind::SetExpiry << 0;
    }
    void whatForcedNothingIsNoEvent() {
        QFETCH(control::AuditOutcome, outcome);
        QFETCH(control::ChangeKind, kind);
        m_log->addChanges({forced("L", outcome, kind)});
        QTEST(m_log->rowCount(), "rows");
    }

    void anActionIsAddedOnceUnlessTheLogStartsOver() {
        const AuditEntry entry = forced("L");
        m_log->addChanges({entry});
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 1);
        m_clock.advance(1s);
        m_log->clear();
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 0);
        m_log->startOver();
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 1);
    }

    void anActionOfYesterdayIsNotAdded() {
        const AuditEntry entry = forced("L");
        m_clock.advance(25h);
        m_log->addChanges({entry});
        QCOMPARE(m_log->rowCount(), 0);
    }

    void anActionWaitsWhileTheLogIsPaused() {
        m_log->setFlow(EventLogModel::Flow::Paused);
        m_log->addChanges({forced("L")});
        QCOMPARE(m_log->rowCount(), 0);
        m_log->setFlow(EventLogModel::Flow::Running);
        m_log->addChanges({forced("L")});
        QCOMPARE(m_log->rowCount(), 1);
    }

    void anActionInAFullLogTakesThePlaceOfTheOldest() {
        m_log->append(events(1, 10));
        const AuditEntry old = forced("L");
        m_clock.advance(1s);
        const AuditEntry young = forced("M");
        m_log->addChanges({young, old});
        QCOMPARE(m_log->rowCount(), 10);
        QCOMPARE(lockAt(0), QStringLiteral("M"));
    }

    void filtersByAnyOfItsTexts_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("rows");
        QTest::newRow("nothing typed") << QString() << 3;
        QTest::newRow("the lock") << QStringLiteral("two") << 1;
        QTest::newRow("the kind of event, any case") << QStringLiteral("ACQ") << 2;
        QTest::newRow("the holder") << QString::fromLatin1(clientA) << 3;
        QTest::newRow("both words") << QStringLiteral("renewed three") << 1;
        QTest::newRow("words of different events") << QStringLiteral("renewed two") << 0;
    }
    void filtersByAnyOfItsTexts() {
        QFETCH(QString, typed);
        EventFilterModel filter;
        filter.setSourceModel(m_log.get());
        const QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filter.setGroupShown(EventGroup::Renewals, true);
        filter.setFilterText(typed);
        m_log->append({eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, lockName("one"), 30s)),
                       eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, lockName("two"), 30s)),
                       eventOf(m_clock, monitor::EventType::Renewed, heldRow(m_clock, lockName("three"), 30s))});
        QTEST(filter.rowCount(), "rows");
    }
};

LOCKKEEPER_TEST(TestEventLogModel, Gui)

}  // namespace tst_eventlogmodel

#include "tst_eventlogmodel.moc"
