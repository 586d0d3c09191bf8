// SPDX-License-Identifier: Apache-2.0
#include "locks/unlocksignals.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_unlocksignals {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const QByteArray channel = "redisson_lock__channel:{L}";
const QByteArray otherChannel = "redisson_lock__channel:{M}";

QString wordOf(const Completion<Done>& completion) {
    if (!completion.isCompleted())
        return QStringLiteral("waiting");
    QString word;
    completion.then(
        [&word](const Result<Done>& result) { word = result ? QStringLiteral("done") : wordFor(result.error().code); });
    return word;
}

}  // namespace

class TestUnlockSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_shards = std::make_unique<topology::OneShard>(m_server->factory());
        m_signals = std::make_unique<UnlockSignals>(redis::ConnectionOptions(), *m_shards, *m_clock);
    }
    void cleanup() {
        m_signals.reset();
        test::turnEventLoop();
    }

    void connectsWithTheFirstListener() {
        QCOMPARE(m_server->linkCount(), size_t{0});
        const auto listener = m_signals->listen(channel);
        QCOMPARE(m_server->linkCount(), size_t{1});
        link().shakeHands();
        QCOMPARE(link().clientName(), "lockkeeper-waiting");
        QCOMPARE(link().takeCommand(), (QByteArrayList{"SUBSCRIBE", channel}));
        QCOMPARE(wordOf(listener->subscribed()), "waiting");
        confirm(channel);
        QCOMPARE(wordOf(listener->subscribed()), "done");
    }

    void oneSubscriptionServesAllListenersOfAChannel() {
        const auto first = listening(channel);
        const auto second = m_signals->listen(channel);
        QCOMPARE(wordOf(second->subscribed()), "done");
        const auto third = m_signals->listen(otherChannel);
        QCOMPARE(link().takeCommand(), (QByteArrayList{"SUBSCRIBE", otherChannel}));
        QCOMPARE(m_signals->channelCount(), 2);
    }

    void theLastListenerUnsubscribes() {
        auto first = listening(channel);
        auto second = m_signals->listen(channel);
        first.reset();
        QVERIFY(link().takeCommands().isEmpty());
        second.reset();
        QCOMPARE(link().takeCommand(), (QByteArrayList{"UNSUBSCRIBE", channel}));
        QCOMPARE(m_signals->channelCount(), 0);
    }

    void zeroWakesOneAndOneWakesAll_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<int>("woken");
        QTest::newRow("0") << QByteArray("0") << 1;
        QTest::newRow("1") << QByteArray("1") << 3;
        QTest::newRow("anything else, to be on the safe side") << QByteArray("what") << 1;
    }
    void zeroWakesOneAndOneWakesAll() {
        QFETCH(QByteArray, message);
        QFETCH(int, woken);
        std::vector listeners{listening(channel), m_signals->listen(channel), m_signals->listen(channel)};
        std::vector<Completion<Done>> wakes;
        for (const auto& listener : listeners)
            wakes.push_back(listener->nextWake());
        publish(channel, message);
        QCOMPARE(std::ranges::count_if(wakes, [](const auto& wake) { return wake.isCompleted(); }), woken);
        QCOMPARE(wordOf(wakes.front()), "done");
    }

    // The message of a semaphore is the number of free permits. The waiters of a latch want no permits, so each
    // message counts.
    void asManyAreWokenAsPermitsAreEnoughFor_data() {
        QTest::addColumn<QList<qint64>>("wanted");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QList<bool>>("woken");
        QTest::newRow("one") << QList<qint64>{1, 1, 1} << QByteArray("1") << QList<bool>{true, false, false};
        QTest::newRow("two") << QList<qint64>{1, 1, 1} << QByteArray("2") << QList<bool>{true, true, false};
        QTest::newRow("too few for the first")
            << QList<qint64>{3, 1, 1} << QByteArray("2") << QList<bool>{false, true, true};
        QTest::newRow("all for the first")
            << QList<qint64>{3, 1, 1} << QByteArray("3") << QList<bool>{true, false, false};
        QTest::newRow("none") << QList<qint64>{1, 1} << QByteArray("0") << QList<bool>{false, false};
        QTest::newRow("fewer than none") << QList<qint64>{1, 1} << QByteArray("-2") << QList<bool>{false, false};
        QTest::newRow("a latch opens") << QList<qint64>{0, 0} << QByteArray("0") << QList<bool>{true, true};
        QTest::newRow("a latch is set") << QList<qint64>{0, 0} << QByteArray("1") << QList<bool>{true, true};
    }
    void asManyAreWokenAsPermitsAreEnoughFor() {
        QFETCH(QList<qint64>, wanted);
        QFETCH(QByteArray, message);
        QFETCH(QList<bool>, woken);
        std::vector<std::shared_ptr<UnlockListener>> listeners;
        std::vector<Completion<Done>> wakes;
        for (const qint64 permits : wanted) {
            listeners.push_back(listeners.empty() ? listening(channel, permits) : m_signals->listen(channel, permits));
            wakes.push_back(listeners.back()->nextWake());
        }
        publish(channel, message);
        QList<bool> done;
        for (const Completion<Done>& wake : wakes)
            done += wake.isCompleted();
        QCOMPARE(done, woken);
    }

    void permitsThatWereOfferedInVainAreOfferedToOthers() {
        auto first = listening(channel, 2);
        const auto second = m_signals->listen(channel, 2);
        const Completion<Done> firstWake = first->nextWake();
        const Completion<Done> secondWake = second->nextWake();
        publish(channel, "2");
        QVERIFY(firstWake.isCompleted() && !secondWake.isCompleted());
        first.reset();
        QVERIFY(secondWake.isCompleted());
    }

    void messagesGoRound() {
        const auto first = listening(channel);
        const auto second = m_signals->listen(channel);
        const Completion<Done> firstWake = first->nextWake();
        const Completion<Done> secondWake = second->nextWake();
        publish(channel, "0");
        publish(channel, "0");
        QVERIFY(firstWake.isCompleted() && secondWake.isCompleted());
    }

    void aMessageIsForItsChannel() {
        const auto listener = listening(channel);
        const Completion<Done> wake = listener->nextWake();
        publish(otherChannel, "1");
        QVERIFY(!wake.isCompleted());
    }

    void aWakeThatComesWhileNobodySleepsIsKept() {
        const auto listener = listening(channel);
        publish(channel, "0");
        QCOMPARE(wordOf(listener->nextWake()), "done");
        QVERIFY(listener->takeWake());
        QVERIFY(!listener->takeWake());
        QCOMPARE(wordOf(listener->nextWake()), "waiting");
    }

    void sleepersAreWokenBeforeThoseWhoTry() {
        const auto trying = listening(channel);
        const auto sleeping = m_signals->listen(channel);
        const Completion<Done> wake = sleeping->nextWake();
        publish(channel, "0");
        QVERIFY(wake.isCompleted());
        QVERIFY(!trying->takeWake());
    }

    void aWakeThatWasNotUsedIsPassedOn_data() {
        QTest::addColumn<bool>("used");
        QTest::newRow("used") << true;
        QTest::newRow("not used") << false;
    }
    void aWakeThatWasNotUsedIsPassedOn() {
        QFETCH(bool, used);
        auto first = listening(channel);
        const auto second = m_signals->listen(channel);
        const Completion<Done> wake = second->nextWake();
        const Completion<Done> firstWake = first->nextWake();
        publish(channel, "0");  // for the first waiter
        QVERIFY(firstWake.isCompleted() && !wake.isCompleted());
        QVERIFY(first->takeWake());
        if (!used)
            first->returnWake();
        first.reset();
        QCOMPARE(wake.isCompleted(), !used);
    }

    void aRefusalIsTold() {
        const auto listener = m_signals->listen(channel);
        link().shakeHands();
        QVERIFY(!link().takeCommand().isEmpty());
        link().reply("-NOPERM this user has no permissions to access one of the channels used as arguments\r\n");
        QCOMPARE(wordOf(listener->subscribed()), "NotPermitted");
    }

    // The channel is unsubscribed and subscribed again: between the two confirmations there was no subscription for a
    // moment.
    void onlyTheLastSubscriptionsConfirmationCounts() {
        auto first = m_signals->listen(channel);
        link().shakeHands();
        QCOMPARE(link().takeCommand(), (QByteArrayList{"SUBSCRIBE", channel}));
        first.reset();
        const auto second = m_signals->listen(channel);
        QCOMPARE(link().takeCommands(), (QList<QByteArrayList>{{"UNSUBSCRIBE", channel}, {"SUBSCRIBE", channel}}));
        confirm(channel);
        QCOMPARE(wordOf(second->subscribed()), "waiting");
        link().reply(">3\r\n" + test::bulk("unsubscribe") + test::bulk(channel) + test::number(0));
        confirm(channel);
        QCOMPARE(wordOf(second->subscribed()), "done");
    }

    void subscribesAgainAfterALossAndLooksAgain() {
        const auto listener = listening(channel);
        const Completion<Done> wake = listener->nextWake();
        reconnect();
        QCOMPARE(link().takeCommand(), (QByteArrayList{"SUBSCRIBE", channel}));
        QVERIFY2(!wake.isCompleted(), "before it is subscribed again, a new attempt would be too early");
        confirm(channel);
        QVERIFY(wake.isCompleted());
    }

    void aSubscriptionLostBeforeItsConfirmationIsNoGap() {
        const auto listener = m_signals->listen(channel);
        link().shakeHands();
        QVERIFY(!link().takeCommand().isEmpty());
        const Completion<Done> wake = listener->nextWake();
        reconnect();
        QVERIFY(!link().takeCommand().isEmpty());
        confirm(channel);
        QCOMPARE(wordOf(listener->subscribed()), "done");
        QVERIFY(!wake.isCompleted());
    }

    void theLastListenerMayLeaveWithoutConnection() {
        auto listener = listening(channel);
        link().lose();
        listener.reset();
        m_clock->advance(100ms);
        link().shakeHands();
        QVERIFY(link().takeCommands().isEmpty());
    }

    void closingEndsEveryWait() {
        const auto confirmed = listening(channel);
        const Completion<Done> wake = confirmed->nextWake();
        const auto asked = m_signals->listen(otherChannel);
        m_signals->close();
        QCOMPARE(wordOf(wake), "ConnectionLost");
        QCOMPARE(wordOf(asked->subscribed()), "ConnectionLost");
        QCOMPARE(wordOf(confirmed->nextWake()), "ConnectionLost");
        QVERIFY(!m_clock->hasTimers());
    }

    void listenersMayOutliveTheirOwner() {
        const auto listener = listening(channel);
        m_signals.reset();
        QCOMPARE(wordOf(listener->nextWake()), "ConnectionLost");
    }

    void whoeverIsWokenMayTakeOthersAlong() {
        auto first = listening(channel);
        auto second = m_signals->listen(channel);
        first->nextWake().then([&second](const Result<Done>&) { second.reset(); });
        publish(channel, "1");
        QVERIFY(!second);
    }

    void speaksResp2() {
        const auto listener = m_signals->listen(channel);
        link().transport()->becomeOpen();
        QVERIFY(!link().takeCommand().isEmpty());
        link().reply("-ERR unknown command 'HELLO'\r\n");
        link().reply("+PONG\r\n");
        link().reply(test::bulk("redis_version:5.0.14\r\n"));
        link().reply("+OK\r\n");  // to CLIENT SETNAME
        QCOMPARE(link().takeCommands().last(), (QByteArrayList{"SUBSCRIBE", channel}));
        link().reply("*3\r\n" + test::bulk("subscribe") + test::bulk(channel) + test::number(1));
        QCOMPARE(wordOf(listener->subscribed()), "done");
        const Completion<Done> wake = listener->nextWake();
        link().reply("*3\r\n" + test::bulk("message") + test::bulk(channel) + test::bulk("0"));
        QVERIFY(wake.isCompleted());
    }

private:
    [[nodiscard]] test::FakeLink& link() { return m_server->lastLink(); }
    [[nodiscard]] std::shared_ptr<UnlockListener> listening(const QByteArray& name,
                                                            std::optional<qint64> wants = std::nullopt) {
        auto listener = m_signals->listen(name, wants);
        link().shakeHands();
        [&] { QCOMPARE(link().takeCommand(), (QByteArrayList{"SUBSCRIBE", name})); }();
        confirm(name);
        return listener;
    }
    void confirm(const QByteArray& name) {
        link().reply(">3\r\n" + test::bulk("subscribe") + test::bulk(name) + test::number(1));
    }
    void publish(const QByteArray& name, const QByteArray& message) {
        link().reply(test::pushOf({"message", name, message}));
    }
    void reconnect() {
        link().lose();
        m_clock->advance(100ms);
        link().shakeHands();
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<topology::OneShard> m_shards;
    std::unique_ptr<UnlockSignals> m_signals;
};

LOCKKEEPER_TEST(TestUnlockSignals, Guiless)

}  // namespace tst_unlocksignals

#include "tst_unlocksignals.moc"
