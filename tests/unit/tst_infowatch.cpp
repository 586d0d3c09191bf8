// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/infowatch.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

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
        QCOMPARE(m_played->link().takeCommands(), QList<QByteArrayList>{{"INFO"}});
        m_played->link().reply(info(0, 1));
        m_played->clock.advance(9999ms);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
        m_played->clock.advance(1ms);
        QCOMPARE(m_played->link().takeCommands(), QList<QByteArrayList>{{"INFO"}});
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

    void aRefusalIsNotedAndNotRepeatedSoon() {
        (void)m_played->link().takeCommands();
        m_played->link().reply("-NOPERM this user has no permissions to run the 'info' command\r\n");
        QCOMPARE(denialLines(m_denials.list()),
                 QStringList{"INFO: script storms and missing replicas are not noticed"});
        QCOMPARE(askedWithin(59s), 0);
        QCOMPARE(askedWithin(1s), 1);
    }

private:
    static QByteArray info(int errors, int replicas) {
        const QByteArray text = "# Replication\r\nrole:master\r\nconnected_slaves:" + QByteArray::number(replicas) +
                                "\r\n# Errorstats\r\nerrorstat_NOSCRIPT:count=" + QByteArray::number(errors) + "\r\n";
        return bulk(text);
    }
    // Answers the connection's own PING.
    int askedWithin(std::chrono::seconds time) {
        int asked = 0;
        for (std::chrono::seconds passed{0}; passed < time; passed += 1s) {
            m_played->clock.advance(1s);
            const QList<QByteArrayList> commands = m_played->link().takeCommands();
            asked += static_cast<int>(commands.count({"INFO"}));
            if (commands.contains({"PING"}))
                m_played->link().reply("+PONG\r\n");
        }
        return asked;
    }
    // Answers the present question, and lets the time until the next one pass.
    void answer(int errors, int replicas) {
        QCOMPARE(m_played->link().takeCommand(), QByteArrayList{"INFO"});
        m_played->link().reply(info(errors, replicas));
        m_played->clock.advance(InfoWatch::interval);
    }

    NamedServer m_server;
    Denials m_denials;
    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<InfoWatch> m_watch;
};

LOCKKEEPER_TEST(TestInfoWatch, Guiless)
#include "tst_infowatch.moc"
