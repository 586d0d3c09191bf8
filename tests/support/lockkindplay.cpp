// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindplay.h"

#include "support/lockscripts.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace lockkeeper::test {

using namespace locks;
using namespace std::chrono_literals;

namespace {

const QList<std::pair<const char*, Stage>> allStages{
    {"connecting", Stage::Connecting}, {"first try", Stage::FirstTry}, {"subscribing", Stage::Subscribing},
    {"second try", Stage::SecondTry},  {"asleep", Stage::Asleep},      {"reconnecting", Stage::Reconnecting},
    {"settling", Stage::Settling},     {"late", Stage::Late}};

// The name of the script that a command runs; another command unchanged.
QString wordOf(const QByteArrayList& command) {
    static const QHash<QByteArray, QString> words = [] {
        QHash<QByteArray, QString> known;
        for (const QString& name : {u"reentrant_acquire"_qs,
                                    u"reentrant_release"_qs,
                                    u"reentrant_settle"_qs,
                                    u"reentrant_force"_qs,
                                    u"fenced_acquire"_qs,
                                    u"fair_acquire"_qs,
                                    u"fair_release"_qs,
                                    u"fair_settle"_qs,
                                    u"fair_force"_qs,
                                    u"fair_leave"_qs,
                                    u"reentrant_once_acquire"_qs,
                                    u"fair_once_acquire"_qs,
                                    u"read_acquire"_qs,
                                    u"read_release"_qs,
                                    u"read_settle"_qs,
                                    u"write_acquire"_qs,
                                    u"write_release"_qs,
                                    u"write_settle"_qs,
                                    u"rw_force"_qs,
                                    u"renew"_qs}) {
            const redis::Script script = lockScript(name);
            known.insert(script.sha(), name);
            known.insert(script.source(), name);
        }
        return known;
    }();
    return words.value(command.value(1), QString::fromUtf8(command.join(' ')));
}

}  // namespace

const QByteArray LockKindPlay::uuid = QByteArrayLiteral("5f0a3c8e-0000-4000-8000-000000000001");
const ThreadId LockKindPlay::owner{7};
const QByteArray LockKindPlay::nil = QByteArrayLiteral("_\r\n");

void LockKindPlay::start() {
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_stop = std::stop_source();
    LockClientOptions options;
    options.id = ClientId(uuid);
    options.replicasToWaitFor = 0;  // avoids an INFO command; tst_replication tests that
    redis::ConnectionOptions connection;
    connection.lastRetry = connection.firstRetry;  // so that each loss is followed by the same pause
    m_client = std::make_unique<LockClient>(connection, m_server->factory(), *m_clock, options);
}

void LockKindPlay::end() {
    m_client.reset();
    turnEventLoop();
}

void LockKindPlay::kinds() const {
    QTest::addColumn<LockShape>("shape");
    for (const LockShape& shape : m_shapes)
        QTest::newRow(shape.name) << shape;
}

void LockKindPlay::stages() const {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<Stage>("stage");
    for (const LockShape& shape : m_shapes) {
        for (const auto& [name, stage] : allStages) {
            if (!shape.channel.isEmpty() || stage != Stage::Subscribing)
                QTest::addRow("%s, %s", shape.name, name) << shape << stage;
        }
    }
}

void LockKindPlay::losses() const {
    QTest::addColumn<LockShape>("shape");
    QTest::addColumn<Loss>("loss");
    for (const LockShape& shape : m_shapes) {
        QTest::addRow("%s, not in time", shape.name) << shape << Loss::TimeOver;
        QTest::addRow("%s, connection lost", shape.name) << shape << Loss::Connection;
        QTest::addRow("%s, client gone", shape.name) << shape << Loss::Client;
    }
}

void LockKindPlay::open() {
    m_client->open();
    m_server->acceptAll();
    QVERIFY(m_client->connections().isReady({}));
}

void LockKindPlay::take(const LockShape& shape, std::optional<Milliseconds> lease) {
    const Running call = test::start(lockOf(shape).tryLock(owner, Deadline::in(*m_clock, 0ms), lease));
    QCOMPARE(sent(), QStringList{shape.acquire});
    commands().reply(shape.taken);
    QVERIFY((*call)->value().acquired());
}

ReleaseOutcome LockKindPlay::release(const LockShape& shape, const QByteArray& answer) {
    const auto call = test::start(lockOf(shape).unlock(owner));
    [&] { QCOMPARE(sent(), QStringList{shape.release}); }();
    commands().reply(answer);
    return (*call)->value();
}

LockKindPlay::Running LockKindPlay::bring(const LockShape& shape, Stage stage, int pttl,
                                          std::optional<Milliseconds> wait) {
    m_client->open();
    const Deadline deadline = wait ? Deadline::in(*m_clock, *wait) : Deadline::never(*m_clock);
    const Running call = test::start(lockOf(shape).tryLock(owner, deadline, std::nullopt, m_stop.get_token()));
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

void LockKindPlay::lose(Loss loss) {
    if (loss == Loss::TimeOver)
        m_clock->advance(m_client->options().commandTimeout);
    else if (loss == Loss::Connection)
        commands().lose();
    else
        m_client.reset();
}

void LockKindPlay::reconnect() {
    m_clock->advance(100ms);
    m_server->acceptAll();
}

QStringList LockKindPlay::sent() {
    QStringList words;
    for (const QByteArrayList& command : commands().takeCommands())
        words += wordOf(command);
    return words;
}

qint64 LockKindPlay::held(const LockShape& shape) const {
    return m_client->hold(HoldKey(LockName("L"), HolderId(ClientId(uuid), owner), shape.mode)).count;
}

}  // namespace lockkeeper::test
