#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"
#include "locks/lockkeys.h"
#include "support/fakeserver.h"
#include "support/lockscripts.h"
#include "support/manualclock.h"
#include "support/taskwait.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const QByteArray uuid = "5f0a3c8e-0000-4000-8000-000000000001";
const ThreadId owner{7};

enum class Kind { Reentrant, Fair, Fenced, Spin, Read, Write };

// What the same call looks like in one kind of lock.
struct Shape {
    const char* name;
    Kind kind;
    QString acquire;  // its scripts
    QString release;
    QString settle;
    QByteArray taken;    // its answer when it was taken
    QByteArray channel;  // empty: looks again by itself
    HoldMode mode;
};

const QByteArray nil = "_\r\n";

const QList<Shape>& shapes() {
    static const QList<Shape> all{
        {"reentrant", Kind::Reentrant, u"reentrant_acquire"_qs, u"reentrant_release"_qs, u"reentrant_settle"_qs, nil,
         "redisson_lock__channel:{L}", HoldMode::Exclusive},
        {"fair", Kind::Fair, u"fair_acquire"_qs, u"fair_release"_qs, u"fair_settle"_qs, nil,
         "redisson_lock__channel:{L}:" + uuid + ":7", HoldMode::Exclusive},
        {"fenced", Kind::Fenced, u"fenced_acquire"_qs, u"reentrant_release"_qs, u"reentrant_settle"_qs, "*1\r\n:42\r\n",
         "redisson_lock__channel:{L}", HoldMode::Exclusive},
        {"spin", Kind::Spin, u"reentrant_acquire"_qs, u"reentrant_release"_qs, u"reentrant_settle"_qs, nil, "",
         HoldMode::Exclusive},
        {"read", Kind::Read, u"read_acquire"_qs, u"read_release"_qs, u"read_settle"_qs, nil, "redisson_rwlock:{L}",
         HoldMode::Read},
        {"write", Kind::Write, u"write_acquire"_qs, u"write_release"_qs, u"write_settle"_qs, nil, "redisson_rwlock:{L}",
         HoldMode::Write}};
    return all;
}

// Which script a command runs; another command as it is.
QString wordOf(const QByteArrayList& command) {
    static const QHash<QByteArray, QString> words = [] {
        QHash<QByteArray, QString> known;
        for (const QString& name :
             {u"reentrant_acquire"_qs, u"reentrant_release"_qs, u"reentrant_settle"_qs, u"reentrant_force"_qs,
              u"fenced_acquire"_qs, u"fair_acquire"_qs, u"fair_release"_qs, u"fair_settle"_qs, u"fair_force"_qs,
              u"fair_leave"_qs, u"read_acquire"_qs, u"read_release"_qs, u"read_settle"_qs, u"write_acquire"_qs,
              u"write_release"_qs, u"write_settle"_qs, u"rw_force"_qs, u"renew"_qs}) {
            const redis::Script script = test::lockScript(name);
            known.insert(script.sha(), name);
            known.insert(script.source(), name);
        }
        return known;
    }();
    return words.value(command.value(1), QString::fromUtf8(command.join(' ')));
}

// Where a call is waiting when something happens to it.
enum class Stage { Connecting, FirstTry, Subscribing, SecondTry, Asleep, Reconnecting, Settling };
const QList<std::pair<const char*, Stage>> allStages{
    {"connecting", Stage::Connecting}, {"first try", Stage::FirstTry}, {"subscribing", Stage::Subscribing},
    {"second try", Stage::SecondTry},  {"asleep", Stage::Asleep},      {"reconnecting", Stage::Reconnecting},
    {"settling", Stage::Settling}};

}  // namespace

Q_DECLARE_METATYPE(Stage)
Q_DECLARE_METATYPE(Shape)

// What all kinds of locks do alike, each with its own scripts; and what each does by itself.
class TestLockKinds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_stop = std::stop_source();
        LockClientOptions options;
        options.id = ClientId(uuid);
        m_client = std::make_unique<LockClient>(redis::ConnectionOptions(), m_server->factory(), *m_clock, options);
    }
    void cleanup() {
        m_client.reset();
        test::turnEventLoop();
    }

    void takesAndGivesBack_data() { kinds(); }
    void takesAndGivesBack() {
        QFETCH(Shape, shape);
        open();
        take(shape);
        take(shape);
        QCOMPARE(held(shape), 2);
        QCOMPARE(release(shape, ":0\r\n"), ReleaseOutcome::StillHeld);
        QCOMPARE(held(shape), 1);
        QCOMPARE(release(shape, ":1\r\n"), ReleaseOutcome::Free);
        QCOMPARE(held(shape), 0);
    }

    void aReleaseOfWhatIsNotHeldIsRefused_data() { kinds(); }
    void aReleaseOfWhatIsNotHeldIsRefused() {
        QFETCH(Shape, shape);
        open();
        const auto call = test::start(lockOf(shape).unlock(owner));
        QCOMPARE(sent(), QStringList{shape.release});
        commands().reply(nil);
        QCOMPARE((*call)->error().code, ErrorCode::NotHeld);
    }

    void aMessageWakes_data() {
        QTest::addColumn<Shape>("shape");
        for (const Shape& shape : shapes()) {
            if (!shape.channel.isEmpty())
                QTest::newRow(shape.name) << shape;
        }
    }
    void aMessageWakes() {
        QFETCH(Shape, shape);
        const auto call = bring(shape, Stage::Asleep);
        waiting().reply(test::pushOf({"message", shape.channel, "0"}));
        QCOMPARE(sent(), QStringList{shape.acquire});
        commands().reply(shape.taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE(held(shape), 1);
    }

    void aCallEndsSoonAfterItIsCancelled_data() { stages(); }
    void aCallEndsSoonAfterItIsCancelled() {
        QFETCH(Shape, shape);
        QFETCH(Stage, stage);
        const auto call = bring(shape, stage);
        QVERIFY(!call->has_value());
        m_stop.request_stop();
        QVERIFY(call->has_value());
        QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
        QCOMPARE(held(shape), 0);
    }

    void aCallEndsWithItsClient_data() { stages(); }
    void aCallEndsWithItsClient() {
        QFETCH(Shape, shape);
        QFETCH(Stage, stage);
        const auto call = bring(shape, stage);
        m_client.reset();
        QVERIFY(call->has_value());
        const ErrorCode code = (*call)->error().code;
        QVERIFY(code == ErrorCode::ConnectionLost || code == ErrorCode::OutcomeUnknown);
        QVERIFY2(!m_clock->hasTimers(), "a timer outlives the client");
    }

    void aCallEndsWhenItsTimeIsOver_data() { stages(); }
    void aCallEndsWhenItsTimeIsOver() {
        QFETCH(Shape, shape);
        QFETCH(Stage, stage);
        const auto call = bring(shape, stage, 60000, 1s);
        m_clock->advance(1s + m_client->options().commandTimeout * 2);
        QVERIFY(call->has_value());
        QCOMPARE(held(shape), 0);
    }

    // The answer comes after the caller has left.
    void whatWasTakenTooLateIsGivenBack_data() { kinds(); }
    void whatWasTakenTooLateIsGivenBack() {
        QFETCH(Shape, shape);
        bring(shape, Stage::FirstTry);
        m_stop.request_stop();
        sent();
        commands().reply(shape.taken + (shape.kind == Kind::Fair ? QByteArray(":0\r\n") : QByteArray()));
        QVERIFY(sent().contains(shape.settle));
        QCOMPARE(held(shape), 0);
    }

    void aLostAnswerIsSettledAndThenTriedAnew_data() { kinds(); }
    void aLostAnswerIsSettledAndThenTriedAnew() {
        QFETCH(Shape, shape);
        const auto call = bring(shape, Stage::Settling);
        commands().reply(":0\r\n");
        QCOMPARE(sent(), QStringList{shape.acquire});
        commands().reply(shape.taken);
        QVERIFY((*call)->value().acquired());
        QCOMPARE(held(shape), 1);
    }

    void theWatchdogRenews_data() { kinds(); }
    void theWatchdogRenews() {
        QFETCH(Shape, shape);
        open();
        take(shape);
        m_clock->advance(10s);
        const QList<QByteArrayList> renewals = commands().takeCommands();
        QCOMPARE(renewals.size(), 1);
        const QByteArray field = shape.mode == HoldMode::Write ? uuid + ":7:write" : uuid + ":7";
        const QByteArray base = shape.mode == HoldMode::Exclusive ? QByteArray() : QByteArray("{L}:");
        QCOMPARE(renewals.first().mid(2), (QByteArrayList{"1", "L", "30000", field, base}));
        commands().reply("*1\r\n:1\r\n");
        m_clock->advance(29s);
        QCOMPARE(held(shape), 1);
    }

    // ---- what each does by itself ----

    void aFencedLockTellsItsToken() {
        open();
        const auto call = test::start(m_client->fencedLock(LockName("L")).lockAndGetToken(owner));
        QCOMPARE(sent(), QStringList{u"fenced_acquire"_qs});
        commands().reply("*1\r\n:42\r\n");
        QCOMPARE((*call)->value(), FencingToken{42});
    }

    void aSpinLockLooksAgainEverLessOften() {
        const auto call = bring(shapeOf(Kind::Spin), Stage::Asleep);
        std::chrono::microseconds full = 2ms;  // the first pause is over
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

    void aFairLockQueuesOnlyThoseWhoWait_data() {
        QTest::addColumn<int>("wait");  // s; -1: without end
        QTest::addColumn<QByteArray>("queueFor");
        QTest::newRow("does not wait") << 0 << QByteArray();
        QTest::newRow("waits a while") << 20 << QByteArray("20000");
        QTest::newRow("waits without end") << -1 << QByteArray("300000");
    }
    void aFairLockQueuesOnlyThoseWhoWait() {
        QFETCH(int, wait);
        QFETCH(QByteArray, queueFor);
        open();
        const Deadline deadline =
            wait < 0 ? Deadline::never(*m_clock) : Deadline::in(*m_clock, std::chrono::seconds(wait));
        const auto call = test::start(m_client->fairLock(LockName("L")).tryLock(owner, deadline));
        QCOMPARE(commands().takeCommand().last(), queueFor);
    }

    void whoeverGivesUpLeavesTheQueue_data() {
        QTest::addColumn<Stage>("stage");
        for (const auto& [name, stage] : allStages) {
            if (stage != Stage::Connecting)
                QTest::newRow(name) << stage;
        }
    }
    void whoeverGivesUpLeavesTheQueue() {
        QFETCH(Stage, stage);
        bring(shapeOf(Kind::Fair), stage);
        m_stop.request_stop();
        if (stage == Stage::Reconnecting) {
            m_clock->advance(100ms);
            m_server->acceptAll();
        }
        QVERIFY(sent().contains(u"fair_leave"_qs));
    }

    void aLateAnswerThatQueuedIsUndone() {
        bring(shapeOf(Kind::Fair), Stage::FirstTry);
        m_stop.request_stop();
        sent();
        commands().reply(":5000\r\n:0\r\n");
        QVERIFY(sent().contains(u"fair_leave"_qs));
    }

    void oneWhoGivesUpDoesNotTakeThePlaceOfAnother() {
        bring(shapeOf(Kind::Fair), Stage::Asleep);
        const auto second = test::start(m_client->fairLock(LockName("L")).lock(owner));
        sent();
        m_stop.request_stop();
        QCOMPARE(sent(), QStringList());
    }

    // A reader's holds end one by one, each with its own lease.
    void aReadersShorterLeaseDoesNotShortenALongerOne() {
        const Shape& read = shapeOf(Kind::Read);
        open();
        take(read, 60s);
        take(read, 1s);
        m_clock->advance(2s);
        QCOMPARE(held(read), 2);
        QCOMPARE(release(read, ":0\r\n"), ReleaseOutcome::StillHeld);
        m_clock->advance(57s);
        QCOMPARE(held(read), 1);
        m_clock->advance(1s);
        QCOMPARE(held(read), 0);
    }
    void aReaderThatGivesTheLongerLeaseBackIsLeftTheShorter() {
        const Shape& read = shapeOf(Kind::Read);
        open();
        take(read, 1s);
        take(read, 60s);
        QCOMPARE(release(read, ":0\r\n"), ReleaseOutcome::StillHeld);
        m_clock->advance(1s);
        QCOMPARE(held(read), 0);
    }
    void aWritersShorterReentryDoesNotShortenItsLease() {
        const Shape& write = shapeOf(Kind::Write);
        open();
        take(write, 60s);
        take(write, 1s);
        m_clock->advance(59s);
        QCOMPARE(held(write), 2);
    }

    void holdsForReadingAndWritingAreTwo() {
        open();
        take(shapeOf(Kind::Write));
        take(shapeOf(Kind::Read));
        QCOMPARE(m_client->held().size(), 2);
        QCOMPARE(release(shapeOf(Kind::Write), ":1\r\n"), ReleaseOutcome::Free);
        QCOMPARE(held(shapeOf(Kind::Read)), 1);
        QCOMPARE(held(shapeOf(Kind::Write)), 0);
    }

    void asksByKind_data() {
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<QString>("question");
        QTest::addColumn<QByteArray>("yes");
        for (const Shape& shape : shapes()) {
            const bool shared = shape.mode != HoldMode::Exclusive;
            const QByteArray mode = shape.mode == HoldMode::Read ? "read" : "write";
            QTest::newRow(shape.name) << shape << (shared ? u"HGET L mode"_qs : u"EXISTS L"_qs)
                                      << (shared ? test::bulk(mode) : QByteArray(":1\r\n"));
        }
    }
    void asksByKind() {
        QFETCH(Shape, shape);
        QFETCH(QString, question);
        QFETCH(QByteArray, yes);
        open();
        const auto locked = test::start(lockOf(shape).isLocked());
        QCOMPARE(sent(), QStringList{question});
        commands().reply(yes);
        QVERIFY((*locked)->value());
    }

private:
    using Running = test::Running<Result<LockAttempt>>;

    static void kinds() {
        QTest::addColumn<Shape>("shape");
        for (const Shape& shape : shapes())
            QTest::newRow(shape.name) << shape;
    }
    // Those that this kind's calls go through.
    static void stages() {
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<Stage>("stage");
        for (const Shape& shape : shapes()) {
            for (const auto& [name, stage] : allStages) {
                if (!shape.channel.isEmpty() || stage != Stage::Subscribing)
                    QTest::addRow("%s, %s", shape.name, name) << shape << stage;
            }
        }
    }
    static const Shape& shapeOf(Kind kind) {
        return *std::ranges::find_if(shapes(), [kind](const Shape& shape) { return shape.kind == kind; });
    }

    [[nodiscard]] Lock lockOf(const Shape& shape) {
        const LockName name("L");
        switch (shape.kind) {
            case Kind::Fair:
                return m_client->fairLock(name);
            case Kind::Fenced:
                return m_client->fencedLock(name);
            case Kind::Spin:
                return m_client->spinLock(name);
            case Kind::Read:
                return m_client->readWriteLock(name).readLock();
            case Kind::Write:
                return m_client->readWriteLock(name).writeLock();
            case Kind::Reentrant:
                break;
        }
        return m_client->reentrantLock(name);
    }

    void open() {
        m_client->open();
        m_server->acceptAll();
        QVERIFY(m_client->connection().isReady());
    }
    void take(const Shape& shape, std::optional<Milliseconds> lease = std::nullopt) {
        const Running call = test::start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms), lease));
        QCOMPARE(sent(), QStringList{shape.acquire});
        commands().reply(shape.taken);
        QVERIFY((*call)->value().acquired());
    }
    ReleaseOutcome release(const Shape& shape, const QByteArray& answer) {
        const auto call = test::start(lockOf(shape).unlock(owner));
        [&] { QCOMPARE(sent(), QStringList{shape.release}); }();
        commands().reply(answer);
        return (*call)->value();
    }

    // A call that has got as far as this stage, and can be cancelled with m_stop.
    Running bring(const Shape& shape, Stage stage, int pttl = 5000, std::optional<Milliseconds> wait = std::nullopt) {
        m_client->open();
        const Deadline deadline = wait ? Deadline::in(*m_clock, *wait) : Deadline::never(*m_clock);
        const Running call = test::start(lockOf(shape).tryLock(owner, deadline, std::nullopt, m_stop.get_token()));
        if (stage == Stage::Connecting)
            return call;
        m_server->acceptAll();
        [&] { QCOMPARE(sent(), QStringList{shape.acquire}); }();
        if (stage == Stage::FirstTry)
            return call;
        commands().reply(test::number(pttl));
        if (!shape.channel.isEmpty()) {
            m_server->acceptAll();
            [&] { QCOMPARE(waiting().takeCommand(), (QByteArrayList{"SUBSCRIBE", shape.channel})); }();
            if (stage == Stage::Subscribing)
                return call;
            waiting().reply(">3\r\n" + test::bulk("subscribe") + test::bulk(shape.channel) + test::number(1));
        } else {
            m_clock->advance(1ms);
        }
        [&] { QCOMPARE(sent(), QStringList{shape.acquire}); }();
        if (stage == Stage::Asleep)
            commands().reply(test::number(pttl));
        if (stage == Stage::Reconnecting || stage == Stage::Settling)
            commands().lose();
        if (stage == Stage::Settling) {
            m_clock->advance(100ms);
            m_server->acceptAll();
            [&] { QCOMPARE(sent(), QStringList{shape.settle}); }();
        }
        return call;
    }

    [[nodiscard]] test::FakeLink& commands() { return m_server->linkOf("lockkeeper"); }
    [[nodiscard]] test::FakeLink& waiting() { return m_server->linkOf("lockkeeper-waiting"); }
    QStringList sent() {
        QStringList words;
        for (const QByteArrayList& command : commands().takeCommands())
            words += wordOf(command);
        return words;
    }
    [[nodiscard]] qint64 held(const Shape& shape) const {
        return m_client->held().count(HoldKey(LockName("L"), HolderId(ClientId(uuid), owner), shape.mode));
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<LockClient> m_client;
    std::stop_source m_stop;
};

QTEST_GUILESS_MAIN(TestLockKinds)
#include "tst_lockkinds.moc"
