// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/holderfinder.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_holderfinder {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

const QByteArray holderA = test::clientA + ":33";

QByteArray line(const QByteArray& address, const QByteArrayList& arguments) {
    QByteArray text = "+1700000000.123456 [0 " + address + ']';
    for (const QByteArray& argument : arguments)
        text += " \"" + argument + '"';
    return text + "\r\n";
}

QByteArray renewal(const QByteArray& address, const QByteArray& holder) {
    return line(address, {"EVALSHA", QByteArray(40, 'a'), "1", "L", "30000", holder});
}

const QByteArray clientList =
    "id=7 addr=10.0.0.7:53422 name=orders-a flags=N user=app\n"
    "id=8 addr=10.0.0.8:40000 name=orders-b flags=N user=app\n";

}  // namespace

// One bounded MONITOR, then CLIENT LIST, on a fake server.
class TestHolderFinder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_answers.clear();
        redis::ConnectionOptions options;
        options.access = redis::AccessMode::ReadOnly;
        m_shards = std::make_unique<topology::OneShard>(m_server->factory());
        m_finder = std::make_unique<HolderFinder>(options, *m_shards, *m_clock);
        connect(m_finder.get(), &HolderFinder::finished, this,
                [this](OperationId, const HolderIdentity& identity) { m_answers.append(identity); });
    }
    void cleanup() {
        m_finder.reset();
        test::turnEventLoop();
    }

    void listensForOneWatchdogInterval_data() {
        QTest::addColumn<Milliseconds>("lease");
        QTest::addColumn<Milliseconds>("time");
        QTest::newRow("not known") << Milliseconds(0) << Milliseconds(11000);
        QTest::newRow("Redisson's own") << Milliseconds(30000) << Milliseconds(11000);
        QTest::newRow("shorter") << Milliseconds(9000) << Milliseconds(3300);
        QTest::newRow("very short") << Milliseconds(300) << Milliseconds(1000);
        QTest::newRow("very long") << Milliseconds(600000) << Milliseconds(30000);
    }
    void listensForOneWatchdogInterval() {
        QFETCH(Milliseconds, lease);
        QTEST(listeningTime(lease), "time");
    }

    void theFirstRenewalShowsTheAddress() {
        beginMonitor();
        link().reply(line("10.0.0.8:40000", {"GET", "k"}) + renewal("10.0.0.8:40000", test::clientB + ":1"));
        QVERIFY(m_answers.isEmpty());
        link().reply(renewal("10.0.0.7:53422", holderA) + renewal("10.0.0.8:40000", holderA));
        answerClientList(clientList);
        const HolderIdentity identity = answer();
        QCOMPARE(identity.basis, IdentityBasis::Monitor);
        QCOMPARE(identity.client, ClientId(test::clientA));
        QCOMPARE(identity.address, QByteArray("10.0.0.7:53422"));
        QCOMPARE(identity.name, QByteArray("orders-a"));
        QCOMPARE(identity.user, QByteArray("app"));
        QCOMPARE(identity.at, m_clock->wallNow());
        QVERIFY(!identity.error);
    }

    void theMonitorIsOverBeforeTheListIsAskedFor() {
        beginMonitor();
        test::FakeLink& monitor = link();
        link().reply(renewal("10.0.0.7:53422", holderA));
        QVERIFY(!monitor.isOpen());
        QCOMPARE(m_server->linkCount(), size_t{2});
    }

    void theConnectionIsItsOwnAndNamed() {
        m_finder->find(OperationId(1), search());
        m_server->acceptAll();
        QCOMPARE(link().clientName(), QByteArray("lockkeeper-who"));
    }

    void endsAtTheLimit() {
        beginMonitor();
        m_clock->advance(3299ms);
        QVERIFY(link().isOpen());
        test::FakeLink& monitor = link();
        m_clock->advance(1ms);
        QVERIFY(!monitor.isOpen());
        answerClientList(clientList);
        QCOMPARE(answer().basis, IdentityBasis::None);
        QVERIFY(!m_answers.first().error);
        QVERIFY(!m_clock->hasTimers());
    }

    void alsoWhileTheServerIsBusyWithOthers() {
        beginMonitor();
        test::FakeLink& monitor = link();
        for (int i = 0; i < 33; ++i) {
            monitor.reply(line("10.0.0.8:40000", {"GET", "k"}));
            m_clock->advance(100ms);
        }
        QVERIFY(!monitor.isOpen());
    }

    void aRefusalIsSaidAndTheListMayStillGiveAGuess() {
        openMonitor();
        link().reply("-NOPERM this user has no permissions to run the 'monitor' command\r\n");
        answerClientList("id=7 addr=10.0.0.7:53422 name=" + test::clientA + " flags=N user=app\n" + clientList);
        const HolderIdentity identity = answer();
        QCOMPARE(identity.error->code, ErrorCode::NotPermitted);
        QCOMPARE(identity.basis, IdentityBasis::ClientName);
        QCOMPARE(identity.address, QByteArray("10.0.0.7:53422"));
    }

    void withoutTheListTheAddressIsKnown() {
        beginMonitor();
        link().reply(renewal("10.0.0.7:53422", holderA));
        openAgain();
        link().reply("-NOPERM this user has no permissions to run the 'client|list' command\r\n");
        QCOMPARE(answer().basis, IdentityBasis::Monitor);
        QVERIFY(m_answers.first().name.isEmpty());
    }

    void aLineLongerThanAnyLockIsPassedOver() {
        beginMonitor();
        const QByteArray large = line("10.0.0.8:40000", {"SET", "k", QByteArray(200000, 'x')});
        for (qsizetype at = 0; at < large.size(); at += 50000)
            link().reply(large.sliced(at, std::min<qsizetype>(50000, large.size() - at)));
        QVERIFY(link().isOpen());
        link().reply(renewal("10.0.0.7:53422", holderA));
        answerClientList(clientList);
        QCOMPARE(answer().address, QByteArray("10.0.0.7:53422"));
    }

    void aLostConnectionEndsTheSearchWithItsReason() {
        beginMonitor();
        link().lose();
        QCOMPARE(m_server->linkCount(), size_t{2});  // the list is still requested
        link().lose(ErrorCode::ConnectionRefused);
        QCOMPARE(answer().error->code, ErrorCode::ConnectionLost);
        QCOMPARE(answer().basis, IdentityBasis::None);
        m_clock->advance(60s);
        QCOMPARE(m_server->linkCount(), size_t{2});
    }

    void aServerThatCannotBeReachedIsNotTriedForLong() {
        m_finder->find(OperationId(1), search());
        link().lose(ErrorCode::ConnectionRefused);
        link().lose(ErrorCode::ConnectionRefused);
        QCOMPARE(answer().error->code, ErrorCode::ConnectionRefused);
        QVERIFY(!m_clock->hasTimers());
    }

    void cancellingEndsItAtOnce() {
        beginMonitor();
        test::FakeLink& monitor = link();
        m_finder->cancel(OperationId(2));
        QVERIFY(monitor.isOpen());
        m_finder->cancel(OperationId(1));
        QVERIFY(!monitor.isOpen());
        QCOMPARE(answer().error->code, ErrorCode::Cancelled);
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void cancelledBeforeItListensItSendsNoMonitor() {
        m_finder->find(OperationId(1), search());
        m_finder->cancel(OperationId(1));
        m_server->acceptAll();
        QVERIFY(link().takeCommands().isEmpty());
        QCOMPARE(answer().error->code, ErrorCode::Cancelled);
    }

    void thereIsOneMonitorAtATime() {
        beginMonitor();
        m_finder->find(OperationId(2), search());
        QCOMPARE(answer().error->code, ErrorCode::Overloaded);
        QCOMPARE(m_server->linkCount(), size_t{1});
    }

    void afterOneComesTheNext() {
        beginMonitor();
        m_finder->cancel(OperationId(1));
        m_answers.clear();
        beginMonitor();
        link().reply(renewal("10.0.0.7:53422", holderA));
        answerClientList(clientList);
        QCOMPARE(answer().basis, IdentityBasis::Monitor);
    }

    void itsEndAnswersTheSearch() {
        beginMonitor();
        m_finder.reset();
        QCOMPARE(answer().error->code, ErrorCode::Cancelled);
    }

private:
    static HolderSearch search() { return {LockName("L"), ClientId(test::clientA), 3300ms}; }
    test::FakeLink& link() { return m_server->lastLink(); }
    HolderIdentity answer() const { return m_answers.value(0); }

    void openMonitor() {
        m_finder->find(OperationId(1), search());
        m_server->acceptAll();
        QCOMPARE(link().takeCommand(), QByteArrayList{"MONITOR"});
    }
    void beginMonitor() {
        openMonitor();
        link().reply("+OK\r\n");
    }
    void openAgain() {
        m_server->acceptAll();
        QCOMPARE(link().takeCommand(), (QByteArrayList{"CLIENT", "LIST"}));
    }
    void answerClientList(const QByteArray& list) {
        openAgain();
        link().reply("=" + QByteArray::number(list.size() + 4) + "\r\ntxt:" + list + "\r\n");
        QCOMPARE(m_answers.size(), 1);
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<topology::OneShard> m_shards;
    std::unique_ptr<HolderFinder> m_finder;
    QList<HolderIdentity> m_answers;
};

LOCKKEEPER_TEST(TestHolderFinder, Guiless)

}  // namespace tst_holderfinder

#include "tst_holderfinder.moc"
