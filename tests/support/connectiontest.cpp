// SPDX-License-Identifier: Apache-2.0
#include "support/connectiontest.h"

#include "support/taskwait.h"

#include <QTest>

namespace lockkeeper::test {

using namespace redis;
using namespace std::chrono_literals;

AnswerPtr keep(const Completion<RespValue>& completion) {
    auto answer = std::make_shared<Answer>();
    completion.then([answer](Result<RespValue> result) { answer->result.emplace(std::move(result)); });
    return answer;
}

QString wordOf(const Completion<Done>& completion) {
    QString word = QStringLiteral("pending");
    completion.then([&word](const Result<Done>& result) {
        word = result ? QStringLiteral("ready") : wordFor(result.error().code);
    });
    completion.then([](const Result<Done>&) {});  // `word` is destroyed here, so its callback must be replaced
    return word;
}

void ConnectionTest::init() {
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_options = ConnectionOptions();
    m_states.clear();
}

void ConnectionTest::cleanup() {
    m_connection.reset();
    turnEventLoop();
}

void ConnectionTest::make() {
    m_connection = std::make_unique<Connection>(m_options, m_server->factory(), *m_clock);
    m_pushes.clear();
    connect(m_connection.get(), &Connection::stateChanged, this, [this](State state) { m_states += state; });
    connect(m_connection.get(), &Connection::pushReceived, this, [this](const RespValue& push) { m_pushes += push; });
}

void ConnectionTest::makeReady() {
    make();
    m_connection->open();
    link().shakeHands();
    QVERIFY(m_connection->isReady());
}

void ConnectionTest::makeReadyResp2() {
    m_options.clientName.clear();
    make();
    m_connection->open();
    link().transport()->becomeOpen();
    QVERIFY(!link().takeCommands().isEmpty());
    link().reply("-ERR unknown command 'HELLO'\r\n");
    QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
    link().reply("+PONG\r\n");
    QCOMPARE(link().takeCommand(), (QByteArrayList{"INFO", "server"}));
    link().reply(bulk("redis_version:5.0.14\r\n"));
    QVERIFY(m_connection->isReady());
}

Milliseconds ConnectionTest::advanceTo(State state, Milliseconds atMost) {
    Milliseconds passed{0};
    while (m_connection->state() != state && passed < atMost) {
        m_clock->advance(1ms);
        passed += 1ms;
    }
    [&] { QCOMPARE(m_connection->state(), state); }();
    return passed;
}

void ConnectionTest::reconnect() {
    advanceTo(State::Opening, m_options.lastRetry);
    link().shakeHands();
    QVERIFY(m_connection->isReady());
}

}  // namespace lockkeeper::test

#include "moc_connectiontest.cpp"
