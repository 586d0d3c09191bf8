#include "support/lockkindtest.h"

#include "support/lockscripts.h"

#include <QTest>

namespace lockkeeper::test {

using namespace locks;
using namespace std::chrono_literals;

namespace {

const QList<std::pair<const char*, Stage>> allStages{
    {"connecting", Stage::Connecting}, {"first try", Stage::FirstTry}, {"subscribing", Stage::Subscribing},
    {"second try", Stage::SecondTry},  {"asleep", Stage::Asleep},      {"reconnecting", Stage::Reconnecting},
    {"settling", Stage::Settling},     {"late", Stage::Late}};

// Which script a command runs; another command as it is.
QString wordOf(const QByteArrayList& command) {
    static const QHash<QByteArray, QString> words = [] {
        QHash<QByteArray, QString> known;
        for (const QString& name :
             {u"reentrant_acquire"_qs, u"reentrant_release"_qs, u"reentrant_settle"_qs, u"reentrant_force"_qs,
              u"fenced_acquire"_qs, u"fair_acquire"_qs, u"fair_release"_qs, u"fair_settle"_qs, u"fair_force"_qs,
              u"fair_leave"_qs, u"read_acquire"_qs, u"read_release"_qs, u"read_settle"_qs, u"write_acquire"_qs,
              u"write_release"_qs, u"write_settle"_qs, u"rw_force"_qs, u"renew"_qs}) {
            const redis::Script script = lockScript(name);
            known.insert(script.sha(), name);
            known.insert(script.source(), name);
        }
        return known;
    }();
    return words.value(command.value(1), QString::fromUtf8(command.join(' ')));
}

}  // namespace

const QByteArray LockKindTest::uuid = QByteArrayLiteral("5f0a3c8e-0000-4000-8000-000000000001");
const ThreadId LockKindTest::owner{7};
const QByteArray LockKindTest::nil = QByteArrayLiteral("_\r\n");

// ---- the cases ----

void LockKindTest::init() {
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_stop = std::stop_source();
    LockClientOptions options;
    options.id = ClientId(uuid);
    m_client = std::make_unique<LockClient>(redis::ConnectionOptions(), m_server->factory(), *m_clock, options);
}

void LockKindTest::cleanup() {
    m_client.reset();
    turnEventLoop();
}

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
    const auto call = start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    commands().reply(nil);
    QCOMPARE((*call)->error().code, ErrorCode::NotHeld);
}

void LockKindTest::aMessageWakes_data() {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<bool>("told");
    for (const LockShape& shape : m_shapes)
        QTest::newRow(shape.name) << shape << !shape.channel.isEmpty();
}

// Of kinds that are told nothing, the pause is over.
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
    const auto locked = start(lockOf(shape).isLocked());
    const bool shared = shape.mode != HoldMode::Exclusive;
    QCOMPARE(sent(), QStringList{shared ? u"HGET L mode"_qs : u"EXISTS L"_qs});
    commands().reply(shared ? bulk(shape.mode == HoldMode::Read ? "read" : "write") : number(1));
    QVERIFY((*locked)->value());
}

void LockKindTest::forces_data() {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<bool>("held");
    for (const LockShape& shape : m_shapes) {
        QTest::addRow("%s, held", shape.name) << shape << true;
        QTest::addRow("%s, free", shape.name) << shape << false;
    }
}

void LockKindTest::forces() {
    QFETCH(LockShape, shape);
    QFETCH(bool, held);
    open();
    const auto call = start(lockOf(shape).forceUnlock());
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
    for (const LockShape& shape : m_shapes) {
        QTest::addRow("%s, first try, cancelled", shape.name) << shape << Stage::FirstTry << true;
        QTest::addRow("%s, second try, cancelled", shape.name) << shape << Stage::SecondTry << true;
        QTest::addRow("%s, first try, out of time", shape.name) << shape << Stage::FirstTry << false;
        QTest::addRow("%s, second try, out of time", shape.name) << shape << Stage::SecondTry << false;
    }
}

// The answer comes after the caller has left: a lock that nobody knows of would block the others for a whole lease.
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
    QVERIFY(!meanwhile.contains(shape.settle));  // not before the answer
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
    for (const LockShape& shape : m_shapes) {
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
    const auto call = start(lockOf(shape).unlock(owner));
    QCOMPARE((*call)->error().code, ErrorCode::ConnectionLost);
    QCOMPARE(held(shape), 1);
}

void LockKindTest::aLostReleaseIsUnknownAndSettled() {
    QFETCH(LockShape, shape);
    open();
    take(shape, 60s);
    const auto call = start(lockOf(shape).unlock(owner));
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
    QTest::addColumn<bool>("happened");
    for (const LockShape& shape : m_shapes) {
        QTest::addRow("%s, it did", shape.name) << shape << number(1) << true;
        QTest::addRow("%s, it did not", shape.name) << shape << QByteArray("-OOM command not allowed\r\n") << false;
        QTest::addRow("%s, it was not held", shape.name) << shape << nil << false;
    }
}

void LockKindTest::aLateReleaseIsUnknownAndSettledWhenItDidNotHappen() {
    QFETCH(LockShape, shape);
    QFETCH(QByteArray, late);
    QFETCH(bool, happened);
    open();
    take(shape, 60s);
    const auto call = start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    m_clock->advance(m_client->options().commandTimeout);
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
    QCOMPARE(sent(), QStringList());
    commands().reply(late);
    QCOMPARE(sent(), happened ? QStringList() : QStringList{shape.settle});
}

void LockKindTest::aReleaseEndsWithItsClient() {
    QFETCH(LockShape, shape);
    open();
    take(shape);
    const auto call = start(lockOf(shape).unlock(owner));
    QCOMPARE(sent(), QStringList{shape.release});
    m_client.reset();
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
}

void LockKindTest::anUnansweredForceIsUnknown() {
    QFETCH(LockShape, shape);
    QFETCH(Loss, loss);
    open();
    const auto call = start(lockOf(shape).forceUnlock());
    QCOMPARE(sent(), QStringList{shape.force});
    lose(loss);
    QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
}

void LockKindTest::anUnansweredQuestionFails() {
    QFETCH(LockShape, shape);
    QFETCH(Loss, loss);
    open();
    const auto call = start(lockOf(shape).isLocked());
    QCOMPARE(sent().size(), 1);
    lose(loss);
    QCOMPARE((*call)->error().code, loss == Loss::TimeOver ? ErrorCode::Timeout : ErrorCode::ConnectionLost);
}

// ---- how they are played ----

void LockKindTest::kinds() const {
    QTest::addColumn<LockShape>("shape");
    for (const LockShape& shape : m_shapes)
        QTest::newRow(shape.name) << shape;
}

void LockKindTest::stages() const {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<Stage>("stage");
    for (const LockShape& shape : m_shapes) {
        for (const auto& [name, stage] : allStages) {
            if (!shape.channel.isEmpty() || stage != Stage::Subscribing)
                QTest::addRow("%s, %s", shape.name, name) << shape << stage;
        }
    }
}

void LockKindTest::losses() const {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<Loss>("loss");
    for (const LockShape& shape : m_shapes) {
        QTest::addRow("%s, not in time", shape.name) << shape << Loss::TimeOver;
        QTest::addRow("%s, connection lost", shape.name) << shape << Loss::Connection;
        QTest::addRow("%s, client gone", shape.name) << shape << Loss::Client;
    }
}

void LockKindTest::open() {
    m_client->open();
    m_server->acceptAll();
    QVERIFY(m_client->connection().isReady());
}

void LockKindTest::take(const LockShape& shape, std::optional<Milliseconds> lease) {
    const Running call = start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms), lease));
    QCOMPARE(sent(), QStringList{shape.acquire});
    commands().reply(shape.taken);
    QVERIFY((*call)->value().acquired());
}

ReleaseOutcome LockKindTest::release(const LockShape& shape, const QByteArray& answer) {
    const auto call = start(lockOf(shape).unlock(owner));
    [&] { QCOMPARE(sent(), QStringList{shape.release}); }();
    commands().reply(answer);
    return (*call)->value();
}

LockKindTest::Running LockKindTest::bring(const LockShape& shape, Stage stage, int pttl,
                                          std::optional<Milliseconds> wait) {
    m_client->open();
    const Deadline deadline = wait ? Deadline::in(*m_clock, *wait) : Deadline::never(*m_clock);
    const Running call = start(lockOf(shape).tryLock(owner, deadline, std::nullopt, m_stop.get_token()));
    if (stage == Stage::Connecting)
        return call;
    m_server->acceptAll();
    [&] { QCOMPARE(sent(), QStringList{shape.acquire}); }();
    if (stage == Stage::FirstTry)
        return call;
    commands().reply(number(pttl));
    if (!shape.channel.isEmpty()) {
        m_server->acceptAll();
        [&] { QCOMPARE(waiting().takeCommand(), (QByteArrayList{"SUBSCRIBE", shape.channel})); }();
        if (stage == Stage::Subscribing)
            return call;
        waiting().reply(">3\r\n" + bulk("subscribe") + bulk(shape.channel) + number(1));
    } else {
        m_clock->advance(1ms);
    }
    [&] { QCOMPARE(sent(), QStringList{shape.acquire}); }();
    if (stage == Stage::Asleep)
        commands().reply(number(pttl));
    if (stage == Stage::Late)
        m_clock->advance(m_client->options().commandTimeout);
    if (stage == Stage::Reconnecting || stage == Stage::Settling)
        commands().lose();
    if (stage == Stage::Settling) {
        reconnect();
        [&] { QCOMPARE(sent(), QStringList{shape.settle}); }();
    }
    return call;
}

void LockKindTest::lose(Loss loss) {
    if (loss == Loss::TimeOver)
        m_clock->advance(m_client->options().commandTimeout);
    else if (loss == Loss::Connection)
        commands().lose();
    else
        m_client.reset();
}

void LockKindTest::reconnect() {
    m_clock->advance(100ms);
    m_server->acceptAll();
}

QStringList LockKindTest::sent() {
    QStringList words;
    for (const QByteArrayList& command : commands().takeCommands())
        words += wordOf(command);
    return words;
}

qint64 LockKindTest::held(const LockShape& shape) const {
    return m_client->held().count(HoldKey(LockName("L"), HolderId(ClientId(uuid), owner), shape.mode));
}

}  // namespace lockkeeper::test
