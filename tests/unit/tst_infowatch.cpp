// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/infowatch.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_infowatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

class NamedServer final : public NodeScope {
public:
    [[nodiscard]] bool isInCluster() const override { return true; }
    [[nodiscard]] bool keeps(const LockName& name) const override { return !name.bytes().isEmpty(); }
    [[nodiscard]] QString master() const override { return QStringLiteral("10.0.0.7:7000"); }
    void noteMovedKeys() const override {}
};

}  // namespace

class TestInfoWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_denials.clear();
        m_played = std::make_unique<PlayedConnection>();
        m_watch = std::make_unique<InfoWatch>(m_played->connection, m_denials, m_server);
        m_played->open();
        m_watch->start();
    }
    void cleanup() {
        m_watch.reset();
        m_played.reset();
    }

    void asksEveryTenSeconds() {
        QCOMPARE(m_played->link().takeCommands(), QList<QByteArrayList>{question});
        m_played->link().reply(info(0, 1));
        m_played->clock.advance(9999ms);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
        m_played->clock.advance(1ms);
        QCOMPARE(m_played->link().takeCommands(), QList<QByteArrayList>{question});
    }

    // As recorded in cluster_waiting_reshard, in its first four seconds.
    void aStormNamesTheNode() {
        const QSignalSpy changed(m_watch.get(), &InfoWatch::stormChanged);
        answer(7, 0);
        QVERIFY(!m_watch->storm());
        answer(7 + 13545, 0);
        QCOMPARE(changed.size(), 1);
        const ScriptStorm storm = m_watch->storm().value();
        QCOMPARE(storm.node, QStringLiteral("10.0.0.7:7000"));
        QCOMPARE(storm.errors, quint64{13545});
        QCOMPARE(storm.mostPerSecond, 1354);
        QCOMPARE(storm.certainty(), Certainty::Likely);
        QCOMPARE(storm.last - storm.since, WallTime::duration(10s));
    }

    void countsReplicasThatAreConnectedAndSilent_data() {
        QTest::addColumn<QByteArrayList>("replicas");
        QTest::addColumn<int>("silent");
        const QByteArray alive = "ip=10.0.0.2,port=6379,state=online,offset=14,lag=2";
        const QByteArray frozen = "ip=10.0.0.3,port=6379,state=online,offset=14,lag=3";
        QTest::newRow("all report") << QByteArrayList{alive, alive} << 0;
        QTest::newRow("one hangs") << QByteArrayList{alive, frozen} << 1;
        QTest::newRow("all hang") << QByteArrayList{frozen, frozen} << 2;
        QTest::newRow("one without this figure") << QByteArrayList{"ip=10.0.0.4,port=6379,state=online"} << 0;
        QTest::newRow("none") << QByteArrayList() << 0;
    }
    void countsReplicasThatAreConnectedAndSilent() {
        QFETCH(QByteArrayList, replicas);
        QByteArray info = "role:master\r\nconnected_slaves:" + QByteArray::number(replicas.size()) + "\r\n";
        for (qsizetype i = 0; i < replicas.size(); ++i)
            info += "slave" + QByteArray::number(i) + ':' + replicas[i] + "\r\n";
        QTEST(parseServerFigures(info).silentReplicas, "silent");
    }

    void whatIsNoStorm_data() {
        QTest::addColumn<QList<int>>("counts");
        QTest::newRow("many errors before the first count") << QList<int>{50000, 50000};
        QTest::newRow("a few clients load their scripts") << QList<int>{0, 900};
        QTest::newRow("the figures were reset") << QList<int>{50000, 0, 900};
    }
    void whatIsNoStorm() {
        QFETCH(QList<int>, counts);
        for (const int count : counts)
            answer(count, 0);
        QVERIFY(!m_watch->storm());
    }

    void itGoesOnAndIsForgotten() {
        answer(0, 0);
        answer(2000, 0);
        QCOMPARE(m_watch->storm().value().certainty(), Certainty::Suspected);
        answer(22000, 0);
        QCOMPARE(m_watch->storm().value().errors, quint64{22000});
        QCOMPARE(m_watch->storm().value().certainty(), Certainty::Likely);
        for (int i = 0; i < 60; ++i)
            answer(22000, 0);
        QVERIFY(m_watch->storm());
        answer(22000, 0);
        QVERIFY(!m_watch->storm());
    }

    void anotherServerCountsFromItsOwnBeginning() {
        answer(0, 0);
        (void)m_played->link().takeCommands();
        m_played->link().lose();
        m_played->comeBack();
        m_played->clock.advance(10s);
        answer(50000, 0);
        QVERIFY(!m_watch->storm());
    }

    void aMissingReplicaIsRememberedForAWhile() {
        const QSignalSpy changed(m_watch.get(), &InfoWatch::replicasChanged);
        answer(0, 1);
        QVERIFY(!m_watch->replicas().areMissing());
        answer(0, 0);
        QCOMPARE(m_watch->replicas(), (Replicas{0, 1}));
        QVERIFY(m_watch->replicas().areMissing());
        QCOMPARE(changed.size(), 2);
        for (int i = 0; i < 60; ++i)
            answer(0, 0);
        QVERIFY(!m_watch->replicas().areMissing());
    }

    // A client may be subscribed on a replica that is disconnected now.
    void aServerIsWithoutReplicasOnceItHasHadNoneForLong() {
        QVERIFY(!m_watch->isWithoutReplicas());  // it is not known yet
        answer(0, 0);
        QVERIFY(m_watch->isWithoutReplicas());
        answer(0, 1);
        QVERIFY(!m_watch->isWithoutReplicas());
        answer(0, 0);
        QVERIFY(!m_watch->isWithoutReplicas());
        for (int i = 0; i < 60; ++i)
            answer(0, 0);
        QVERIFY(m_watch->isWithoutReplicas());
        QCOMPARE(m_watch->commandsPerSecond(), std::optional<qint64>(6000));
        (void)m_played->link().takeCommands();
        m_played->link().lose();
        QVERIFY(!m_watch->isWithoutReplicas());
        QCOMPARE(m_watch->commandsPerSecond(), std::nullopt);
    }

    void aRefusalIsNotedAndNotRepeatedSoon() {
        (void)m_played->link().takeCommands();
        m_played->link().reply("-NOPERM this user has no permissions to run the 'info' command\r\n");
        QCOMPARE(denialLines(m_denials.list()), QStringList{"INFO: script storms, missing replicas, swapped databases "
                                                            "and jumps of the server's clock are not noticed"});
        QCOMPARE(askedWithin(59s), 0);
        QCOMPARE(askedWithin(1s), 1);
    }

    void aSwapSinceTheLastReadIsReported_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<bool>("reported");
        const QByteArray none = "# Commandstats\r\n";
        const auto calls = [](int count) {
            return "# Commandstats\r\ncmdstat_swapdb:calls=" + QByteArray::number(count) + ",usec=7\r\n";
        };
        QTest::newRow("the first of all") << none << calls(1) << true;
        QTest::newRow("one more") << calls(4) << calls(5) << true;
        QTest::newRow("before we came") << calls(4) << calls(4) << false;
        QTest::newRow("counted from zero again") << calls(4) << none << false;
        QTest::newRow("not counted") << QByteArray("# Server\r\n") << QByteArray("# Server\r\n") << false;
    }
    void aSwapSinceTheLastReadIsReported() {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        QFETCH(bool, reported);
        const QSignalSpy swapped(m_watch.get(), &InfoWatch::databasesSwapped);
        (void)m_played->link().takeCommands();
        m_played->link().reply(bulk(first));
        m_played->clock.advance(InfoWatch::interval);
        QCOMPARE(m_played->link().takeCommand(), question);
        m_played->link().reply(bulk(second));
        QCOMPARE(!swapped.isEmpty(), reported);
    }

    void swapsOfTheConnectionBeforeDoNotCount() {
        const QSignalSpy swapped(m_watch.get(), &InfoWatch::databasesSwapped);
        (void)m_played->link().takeCommands();
        m_played->link().reply(bulk("# Commandstats\r\n"));
        m_played->link().lose();
        m_played->clock.advance(1s);
        m_played->link().shakeHands();
        m_played->clock.advance(InfoWatch::interval);
        QCOMPARE(m_played->link().takeCommand(), question);
        m_played->link().reply(bulk("# Commandstats\r\ncmdstat_swapdb:calls=3,usec=1\r\n"));
        QVERIFY(swapped.isEmpty());
    }

    // ---- the server's clock ----

    void aCheckReadsTheClockOnce() {
        noteClock(0s);
        const SteadyTime since = m_played->clock.now();
        m_played->clock.advance(3s);
        const auto one = check(since);
        const auto other = check(since);
        QCOMPARE(m_played->link().takeCommand(), clockQuestion);
        QVERIFY(!one->has_value());
        m_played->link().reply(clockInfo(3s));
        QVERIFY(one->value().value() && other->value().value());
        QCOMPARE(m_played->link().takeCommands().size(), 0);
        QVERIFY2(check(since)->value().value(), "the last reading is new enough");
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    void aCheckThatComesDuringAReadingGetsTheNextOne() {
        noteClock(0s);
        const SteadyTime since = m_played->clock.now();
        m_played->clock.advance(1s);
        const auto early = check(since);
        (void)m_played->link().takeCommands();
        m_played->clock.advance(1s);
        const auto late = check(since);
        m_played->link().reply(clockInfo(1s));
        QVERIFY(early->has_value() && !late->has_value());
        QCOMPARE(m_played->link().takeCommand(), clockQuestion);
        m_played->link().reply(clockInfo(31s));
        QVERIFY(early->value().value());
        QVERIFY(!late->value().value());
    }

    void whoDoesNotShowItsClockIsBelieved_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("INFO is refused") << QByteArray(
            "-NOPERM this user has no permissions to run the 'info' command\r\n");
        QTest::newRow("without a time") << bulk("# Server\r\n");
    }
    void whoDoesNotShowItsClockIsBelieved() {
        QFETCH(QByteArray, answer);
        (void)m_played->link().takeCommands();
        m_played->link().reply(answer);
        QVERIFY(check(m_played->clock.now())->value().value());
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    void aLostConnectionProvesNothing() {
        noteClock(0s);
        const SteadyTime since = m_played->clock.now();
        m_played->clock.advance(1s);
        const auto checked = check(since);
        (void)m_played->link().takeCommands();
        m_played->link().lose();
        QVERIFY(checked->has_value() && !checked->value());
    }

private:
    inline static const QByteArrayList question{"INFO", "all"};
    inline static const QByteArrayList clockQuestion{"INFO", "server"};

    static QByteArray clockInfo(std::chrono::seconds time) {
        return bulk("# Server\r\nserver_time_usec:" +
                    QByteArray::number(std::chrono::microseconds(1000s + time).count()) + "\r\n");
    }
    // Answers the present question.
    void noteClock(std::chrono::seconds time) {
        QCOMPARE(m_played->link().takeCommand(), question);
        m_played->link().reply(clockInfo(time));
    }
    // A check of the clock from then until now.
    std::shared_ptr<std::optional<Result<bool>>> check(SteadyTime since) {
        const auto checked = std::make_shared<std::optional<Result<bool>>>();
        m_watch->checkClock(since, m_played->clock.now()).then([checked](const Result<bool>& kept) {
            checked->emplace(kept);
        });
        return checked;
    }

    static QByteArray info(int errors, int replicas) {
        const QByteArray text = "# Replication\r\nrole:master\r\nconnected_slaves:" + QByteArray::number(replicas) +
                                "\r\n# Stats\r\ninstantaneous_ops_per_sec:6000\r\n" +
                                "# Errorstats\r\nerrorstat_NOSCRIPT:count=" + QByteArray::number(errors) + "\r\n";
        return bulk(text);
    }
    // Counts the questions within this time, and answers the connection's PING.
    int askedWithin(std::chrono::seconds time) {
        int asked = 0;
        for (std::chrono::seconds passed{0}; passed < time; passed += 1s) {
            m_played->clock.advance(1s);
            const QList<QByteArrayList> commands = m_played->link().takeCommands();
            asked += static_cast<int>(commands.count(question));
            if (commands.contains({"PING"}))
                m_played->link().reply("+PONG\r\n");
        }
        return asked;
    }
    // Answers the present question, and lets the time until the next one pass.
    void answer(int errors, int replicas) {
        QCOMPARE(m_played->link().takeCommand(), question);
        m_played->link().reply(info(errors, replicas));
        m_played->clock.advance(InfoWatch::interval);
    }

    NamedServer m_server;
    Denials m_denials;
    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<InfoWatch> m_watch;
};

LOCKKEEPER_TEST(TestInfoWatch, Guiless)

}  // namespace tst_infowatch

#include "tst_infowatch.moc"
