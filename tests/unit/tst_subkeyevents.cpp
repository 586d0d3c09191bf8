// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/sources/subkeyevents.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_subkeyevents {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

namespace {

// Split in two parts, because the whole would contain trigraphs.
const QByteArray pattern =
    "__subkeyspaceitem@3__:*\n????????"
    "-????"
    "-????"
    "-????"
    "-????????????:*";

QByteArray flagsReply(const QByteArray& flags) {
    return "%1\r\n" + bulk("notify-keyspace-events") + bulk(flags);
}

QByteArray fieldEvent(const QByteArray& key, const QByteArray& field, const QByteArray& database = "3") {
    return pushOf({"pmessage", pattern, "__subkeyspaceitem@" + database + "__:" + key + '\n' + field, "hincrby"});
}

}  // namespace

// Uses a fake server: the real servers of the tests do not publish fields.
class TestSubkeyEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_played = std::make_unique<PlayedConnection>(3);
        m_denials = Denials();
        m_events = std::make_unique<SubkeyEvents>(m_played->connection, m_denials);
        m_touched.clear();
        m_begun = 0;
        connect(m_events.get(), &SubkeyEvents::touched, this,
                [this](const LockName& name) { m_touched << name.bytes(); });
        connect(m_events.get(), &SubkeyEvents::began, this, [this] { ++m_begun; });
        m_played->open();
    }
    void cleanup() {
        m_events.reset();
        m_played.reset();
    }

    void listensWhereFieldsArePublishedAlready_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<bool>("listens");
        QTest::newRow("just what is needed") << flagsReply("hI") << true;
        QTest::newRow("everything") << flagsReply("AKESTIV") << true;
        QTest::newRow("off") << flagsReply("") << false;
        QTest::newRow("keys only") << flagsReply("AKE") << false;
        QTest::newRow("other channels of fields") << flagsReply("hSTV") << false;
        QTest::newRow("no hashes") << flagsReply("gxI") << false;
        QTest::newRow("may not be asked") << noPermission("config|get") << false;
        QTest::newRow("no such command") << QByteArray("-ERR unknown command 'CONFIG'\r\n") << false;
    }
    void listensWhereFieldsArePublishedAlready() {
        QFETCH(const QByteArray, answer);
        QFETCH(const bool, listens);
        QCOMPARE(link().takeCommand(), QByteArrayList({"CONFIG", "GET", "notify-keyspace-events"}));
        link().reply(answer);
        QVERIFY(!m_events->areReceived());
        QCOMPARE(link().takeCommand(), listens ? QByteArrayList({"PSUBSCRIBE", pattern}) : QByteArrayList());
        if (listens)
            link().reply(subscribedReply(pattern));
        QCOMPARE(m_events->areReceived(), listens);
        QCOMPARE(m_begun, int{listens});
        QCOMPARE(denialLines(m_denials.list()), QStringList());
    }

    void aRefusalIsNoted() {
        (void)link().takeCommand();
        link().reply(flagsReply("hI"));
        (void)link().takeCommand();
        link().reply(noPermission("psubscribe"));
        QVERIFY(!m_events->areReceived());
        QCOMPARE(denialLines(m_denials.list()).size(), 1);
        QVERIFY(denialLines(m_denials.list()).first().startsWith("PSUBSCRIBE __subkeyspaceitem@3__:*: "));
    }

    void tellsUnderWhichNameAHolderWasWritten() {
        listen();
        link().reply(fieldEvent("orders/{42}", alice.bytes()) + fieldEvent("W", alice.bytes() + ":write") +
                     fieldEvent("elsewhere", alice.bytes(), "2") + messageOn("redisson_lock__channel:{L}") +
                     pushOf({"pmessage", pattern, "__subkeyspaceitem@3__:no field", "hset"}));
        QCOMPARE(m_touched, QByteArrayList({"orders/{42}", "W"}));
    }

    void asksAgainAfterALoss() {
        listen();
        link().lose();
        QVERIFY(!m_events->areReceived());
        m_played->comeBack();
        QCOMPARE(link().takeCommand().value(0), QByteArray("CONFIG"));
    }

private:
    void listen() {
        (void)link().takeCommand();
        link().reply(flagsReply("hI"));
        (void)link().takeCommand();
        link().reply(subscribedReply(pattern));
        QVERIFY(m_events->areReceived());
    }
    FakeLink& link() { return m_played->link(); }

    std::unique_ptr<PlayedConnection> m_played;
    Denials m_denials;
    std::unique_ptr<SubkeyEvents> m_events;
    QByteArrayList m_touched;
    int m_begun = 0;
};

LOCKKEEPER_TEST(TestSubkeyEvents, Guiless)

}  // namespace tst_subkeyevents

#include "tst_subkeyevents.moc"
