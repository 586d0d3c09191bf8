// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindtest.h"

#include <QTest>

namespace lockkeeper::test {

using namespace locks;
using namespace std::chrono_literals;

void LockKindTest::takesAndGivesBack() {
    QFETCH(LockShape, shape);
    open();
    take(shape);
    take(shape);
    QCOMPARE(held(shape), 2);
    QCOMPARE(release(shape, number(0)), ReleaseOutcome::StillHeld);
    QCOMPARE(held(shape), 1);
    QCOMPARE(release(shape, number(1)), ReleaseOutcome::Free);
    QCOMPARE(held(shape), 0);
}

void LockKindTest::aReleaseOfWhatIsNotHeldIsRefused() {
    QFETCH(LockShape, shape);
    open();
    const auto call = test::start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    commands().reply(nil);
    QCOMPARE((*call)->error().code, ErrorCode::NotHeld);
}

// The answer reports that the server has refused the message to the waiters.
void LockKindTest::aReleaseThatWakesNobodyEndsTheHold() {
    QFETCH(LockShape, shape);
    open();
    take(shape);
    const auto call = test::start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    commands().reply(bulk("ERR no right to the channel"));
    QCOMPARE((*call)->error().code, ErrorCode::NotAnnounced);
    QCOMPARE((*call)->error().arguments, QStringList{u"ERR no right to the channel"_qs});
    QCOMPARE(held(shape), 0);
}

void LockKindTest::aMessageWakes_data() {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<bool>("told");
    for (const LockShape& shape : shapes())
        QTest::newRow(shape.name) << shape << !shape.channel.isEmpty();
}

// For kinds without messages, the pause ends.
void LockKindTest::aMessageWakes() {
    QFETCH(LockShape, shape);
    QFETCH(bool, told);
    const auto call = bring(shape, Stage::Asleep);
    QCOMPARE(sent(), QStringList());
    if (told)
        waiting().reply(pushOf({"message", shape.channel, "0"}));
    else
        m_clock->advance(2ms);
    QCOMPARE(sent(), QStringList{shape.acquire});
    commands().reply(shape.taken);
    QVERIFY((*call)->value().acquired());
    QCOMPARE(held(shape), 1);
}

void LockKindTest::theWatchdogRenews() {
    QFETCH(LockShape, shape);
    open();
    take(shape);
    m_clock->advance(10s);
    const QList<QByteArrayList> renewals = commands().takeCommands();
    QCOMPARE(renewals.size(), 1);
    const QByteArray field = shape.mode == HoldMode::Write ? uuid + ":7:write" : uuid + ":7";
    const QByteArray base = shape.mode == HoldMode::Exclusive ? QByteArray() : QByteArrayLiteral("{L}:");
    QCOMPARE(renewals.first().mid(2), (QByteArrayList{"1", "L", "30000", field, base}));
    commands().reply("*1\r\n:1\r\n");
    m_clock->advance(29s);
    QCOMPARE(held(shape), 1);
}

void LockKindTest::asksByKind() {
    QFETCH(LockShape, shape);
    open();
    const auto locked = test::start(lockOf(shape).isLocked());
    const bool shared = shape.mode != HoldMode::Exclusive;
    QCOMPARE(sent(), QStringList{shared ? u"HGET L mode"_qs : u"EXISTS L"_qs});
    commands().reply(shared ? bulk(shape.mode == HoldMode::Read ? "read" : "write") : number(1));
    QVERIFY((*locked)->value());
}

void LockKindTest::forces_data() {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<bool>("held");
    for (const LockShape& shape : shapes()) {
        QTest::addRow("%s, held", shape.name) << shape << true;
        QTest::addRow("%s, free", shape.name) << shape << false;
    }
}

void LockKindTest::forces() {
    QFETCH(LockShape, shape);
    QFETCH(bool, held);
    open();
    const auto call = test::start(lockOf(shape).forceUnlock());
    QCOMPARE(sent(), QStringList{shape.force});
    commands().reply(number(held ? 1 : 0));
    QCOMPARE((*call)->value(), held);
}

void LockKindTest::aCallEndsSoonAfterItIsCancelled() {
    QFETCH(LockShape, shape);
    QFETCH(Stage, stage);
    const auto call = bring(shape, stage);
    QVERIFY(!call->has_value());
    m_stop.request_stop();
    QVERIFY(call->has_value());
    QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
    QCOMPARE(held(shape), 0);
}

void LockKindTest::aCallEndsWithItsClient() {
    QFETCH(LockShape, shape);
    QFETCH(Stage, stage);
    const auto call = bring(shape, stage);
    m_client.reset();
    QVERIFY(call->has_value());
    const ErrorCode code = (*call)->error().code;
    QVERIFY(code == ErrorCode::ConnectionLost || code == ErrorCode::OutcomeUnknown);
    QVERIFY2(!m_clock->hasTimers(), "a timer outlives the client");
}

void LockKindTest::aCallEndsWhenItsTimeIsOver() {
    QFETCH(LockShape, shape);
    QFETCH(Stage, stage);
    const auto call = bring(shape, stage, 60000, 1s);
    m_clock->advance(1s + m_client->options().commandTimeout * 2);
    QVERIFY(call->has_value());
    QCOMPARE(held(shape), 0);
}

void LockKindTest::whatWasTakenTooLateIsGivenBack_data() {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<bool>("cancelled");
    for (const LockShape& shape : shapes()) {
        QTest::addRow("%s, first try, cancelled", shape.name) << shape << Stage::FirstTry << true;
        QTest::addRow("%s, second try, cancelled", shape.name) << shape << Stage::SecondTry << true;
        QTest::addRow("%s, first try, out of time", shape.name) << shape << Stage::FirstTry << false;
        QTest::addRow("%s, second try, out of time", shape.name) << shape << Stage::SecondTry << false;
    }
}

// The answer arrives after the caller has stopped waiting. If the lock was kept, it would block other clients for a
// whole lease.
void LockKindTest::whatWasTakenTooLateIsGivenBack() {
    QFETCH(LockShape, shape);
    QFETCH(Stage, stage);
    QFETCH(bool, cancelled);
    const auto call = bring(shape, stage, 60000, 1s);
    if (cancelled)
        m_stop.request_stop();
    else
        m_clock->advance(m_client->options().commandTimeout);
    const QStringList meanwhile = sent();
    QVERIFY(!meanwhile.contains(shape.settle));  // only after the answer
    commands().reply(shape.taken);
    for (qsizetype i = 0; i < meanwhile.size(); ++i)
        commands().reply(number(0));
    QVERIFY(sent().contains(shape.settle));
    QCOMPARE(held(shape), 0);
    QVERIFY(call->has_value());
    QCOMPARE((*call)->error().code, cancelled ? ErrorCode::Cancelled : ErrorCode::OutcomeUnknown);
}

void LockKindTest::aTryThatWasLeftAndLostIsSettled_data() {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<Stage>("stage");
    for (const LockShape& shape : shapes()) {
        QTest::addRow("%s, first try", shape.name) << shape << Stage::FirstTry;
        QTest::addRow("%s, second try", shape.name) << shape << Stage::SecondTry;
    }
}

void LockKindTest::aTryThatWasLeftAndLostIsSettled() {
    QFETCH(LockShape, shape);
    QFETCH(Stage, stage);
    bring(shape, stage);
    m_stop.request_stop();
    sent();
    commands().lose();
    reconnect();
    QVERIFY(sent().contains(shape.settle));
}

void LockKindTest::aLostAnswerIsSettledAndThenTriedAnew() {
    QFETCH(LockShape, shape);
    const auto call = bring(shape, Stage::Settling);
    commands().reply(number(0));
    QCOMPARE(sent(), QStringList{shape.acquire});
    commands().reply(shape.taken);
    QVERIFY((*call)->value().acquired());
    QCOMPARE(held(shape), 1);
}

void LockKindTest::aReleaseWithoutConnectionChangesNothing() {
    QFETCH(LockShape, shape);
    open();
    take(shape);
    commands().lose();
    const auto call = test::start(lockOf(shape).unlock(owner));
    QCOMPARE((*call)->error().code, ErrorCode::ConnectionLost);
    QCOMPARE(held(shape), 1);
}

void LockKindTest::aLostReleaseIsUnknownAndSettled() {
    QFETCH(LockShape, shape);
    open();
    take(shape, 60s);
    const auto call = test::start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    commands().lose();
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
    QCOMPARE(held(shape), 0);
    reconnect();
    QCOMPARE(sent(), QStringList{shape.settle});
}

void LockKindTest::aLateReleaseIsUnknownAndSettledWhenItDidNotHappen_data() {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<QByteArray>("late");
    QTest::addColumn<bool>("settled");
    for (const LockShape& shape : shapes()) {
        QTest::addRow("%s, it did", shape.name) << shape << number(1) << true;
        QTest::addRow("%s, it did, in silence", shape.name) << shape << bulk("ERR no right to the channel") << true;
        QTest::addRow("%s, it did not", shape.name) << shape << QByteArray("-OOM command not allowed\r\n") << false;
        QTest::addRow("%s, it was not held", shape.name) << shape << nil << true;
    }
}

void LockKindTest::aLateReleaseIsUnknownAndSettledWhenItDidNotHappen() {
    QFETCH(LockShape, shape);
    QFETCH(QByteArray, late);
    QFETCH(bool, settled);
    open();
    take(shape);
    const auto call = test::start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    m_clock->advance(m_client->options().commandTimeout);
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
    QCOMPARE(sent(), QStringList());
    commands().reply(late);
    QCOMPARE(sent(), settled ? QStringList() : QStringList{shape.settle});
}

void LockKindTest::aLateReleaseThatFoundNoHoldIsALoss() {
    QFETCH(LockShape, shape);
    open();
    take(shape, 60s);
    const auto call = test::start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    m_clock->advance(m_client->options().commandTimeout);
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
    std::optional<Result<Done>> settled;
    m_client->whenSettled(lockOf(shape).holdKey(owner)).then([&](const Result<Done>& end) { settled = end; });
    commands().reply(nil);
    QVERIFY(settled && !settled->ok());
    QCOMPARE(settled->error().code, ErrorCode::NotHeld);
}

void LockKindTest::aReleaseEndsWithItsClient() {
    QFETCH(LockShape, shape);
    open();
    take(shape);
    const auto call = test::start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    m_client.reset();
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
}

void LockKindTest::anUnansweredForceIsUnknown() {
    QFETCH(LockShape, shape);
    QFETCH(Loss, loss);
    open();
    const auto call = test::start(lockOf(shape).forceUnlock());
    QCOMPARE(sent(), QStringList{shape.force});
    lose(loss);
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
}

void LockKindTest::anUnansweredQuestionFails() {
    QFETCH(LockShape, shape);
    QFETCH(Loss, loss);
    open();
    const auto call = test::start(lockOf(shape).isLocked());
    QCOMPARE(sent().size(), 1);
    lose(loss);
    QCOMPARE((*call)->error().code, loss == Loss::TimeOver ? ErrorCode::Timeout : ErrorCode::ConnectionLost);
}

}  // namespace lockkeeper::test

#include "moc_lockkindtest.cpp"
