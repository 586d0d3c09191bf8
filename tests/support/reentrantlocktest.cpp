// SPDX-License-Identifier: Apache-2.0
#include "support/reentrantlocktest.h"

#include "support/lockscripts.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace lockkeeper::test {

using namespace locks;
using namespace std::chrono_literals;

void ReentrantLockTest::init() {
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_stop = std::stop_source();
    LockClientOptions options;
    options.replicasToWaitFor = 0;  // avoids an INFO command; tst_replication tests that
    options.id = ClientId(uuid);
    redis::ConnectionOptions connection;
    connection.lastRetry = connection.firstRetry;  // so that each loss is followed by the same pause
    m_client = std::make_unique<LockClient>(connection, m_server->factory(), *m_clock, options);
    m_lost.clear();
    connect(m_client.get(), &LockClient::lockLost, this,
            [this](const HoldKey& key, LossReason) { m_lost += key.name.bytes(); });
}

void ReentrantLockTest::cleanup() {
    m_client.reset();
    turnEventLoop();
}

void ReentrantLockTest::stages() {
    QTest::addColumn<Stage>("stage");
    const QList<std::pair<const char*, Stage>> all{
        {"connecting", Stage::Connecting}, {"first try", Stage::FirstTry}, {"subscribing", Stage::Subscribing},
        {"second try", Stage::SecondTry},  {"asleep", Stage::Asleep},      {"reconnecting", Stage::Reconnecting},
        {"settling", Stage::Settling},     {"late", Stage::Late}};
    for (const auto& [name, stage] : all)
        QTest::newRow(name) << stage;
}

void ReentrantLockTest::open() {
    m_client->open();
    m_server->acceptAll();
    QVERIFY(m_client->connections().isReady({}));
}

void ReentrantLockTest::take(std::optional<Milliseconds> lease) {
    const auto call = tryLock(std::nullopt, lease);
    QCOMPARE(sent().size(), 1);
    commands().reply(taken);
    QVERIFY((*call)->value().acquired());
}

ReentrantLockTest::Running ReentrantLockTest::bring(Stage stage, int pttl, std::optional<Milliseconds> wait) {
    m_client->open();
    const Deadline deadline = wait ? in(wait) : Deadline::never(*m_clock);
    const Running call = start(reentrantLock().tryLock(owner, deadline, std::nullopt, m_stop.get_token()));
    if (stage == Stage::Connecting)
        return call;
    m_server->acceptAll();
    [&] { QCOMPARE(sent(), QStringList{QStringLiteral("acquire 30000 by 7")}); }();
    if (stage == Stage::FirstTry)
        return call;
    commands().reply(number(pttl));
    m_server->acceptAll();
    [&] { QCOMPARE(sentForWaiting(), QStringList{QStringLiteral("SUBSCRIBE ") + QString::fromLatin1(channel)}); }();
    if (stage == Stage::Subscribing)
        return call;
    confirm();
    [&] { QCOMPARE(sent(), QStringList{QStringLiteral("acquire 30000 by 7")}); }();
    if (stage == Stage::SecondTry)
        return call;
    if (stage == Stage::Asleep)
        commands().reply(number(pttl));
    if (stage == Stage::Late)
        m_clock->advance(m_client->options().commandTimeout);
    if (stage == Stage::Reconnecting || stage == Stage::Settling)
        commands().lose();
    if (stage == Stage::Settling) {
        m_clock->advance(100ms);
        m_server->acceptAll();
        [&] { QCOMPARE(sent(), QStringList{QStringLiteral("settle (EVAL) 0 by 7 0")}); }();
    }
    return call;
}

QString ReentrantLockTest::wordsOf(const QByteArrayList& command) {
    static const QHash<QByteArray, QString> names = [] {
        QHash<QByteArray, QString> known;
        for (const QString& name : {QStringLiteral("reentrant_acquire"), QStringLiteral("reentrant_release"),
                                    QStringLiteral("reentrant_settle"), QStringLiteral("reentrant_force"),
                                    QStringLiteral("renew"), QStringLiteral("check_holds")}) {
            const redis::Script script = lockScript(name);
            const QString word = name.section(u'_', -1);
            known.insert(script.sha(), word);
            known.insert(script.source(), word + QStringLiteral(" (EVAL)"));
        }
        return known;
    }();
    if (!names.contains(command.value(1)))
        return QString::fromUtf8(command.join(' '));
    const qsizetype keys = command[2].toInt();
    QStringList words{names[command[1]]};
    for (const QByteArray& argument : command.mid(3 + keys)) {
        if (argument == channel)
            continue;
        words += argument.startsWith(uuid) ? QStringLiteral("by ") + QString::fromUtf8(argument.mid(uuid.size() + 1))
                                           : QString::fromUtf8(argument);
    }
    return words.join(u' ');
}

QStringList ReentrantLockTest::wordsOfAll(FakeLink& link) {
    QStringList words;
    for (const QByteArrayList& command : link.takeCommands())
        words += wordsOf(command);
    return words;
}

}  // namespace lockkeeper::test

#include "moc_reentrantlocktest.cpp"
