// SPDX-License-Identifier: Apache-2.0
#include "engine/threadedengine.h"
#include "profile/aclline.h"
#include "support/redisserver.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;
using namespace std::chrono_literals;
using control::RefusedRight;
using control::WritingCost;
using control::WritingDenial;

// What a real server refuses to the user who writes is known from the first refusal on, with what it costs.
class TestWritingDenials : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_server.cli({"HSET", "held", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        m_engine = std::make_unique<ThreadedEngine>(monitor::MonitorOptions(), history::HistoryOptions(),
                                                    m_data.filePath(QStringLiteral("audit")));
        m_page = std::make_unique<test::SessionProbe>(*m_engine);
    }
    void cleanup() {
        m_page.reset();
        m_engine.reset();
        m_server.stop();
    }

    void eachRefusalHasItsCost_data() {
        QTest::addColumn<QStringList>("taken");
        QTest::addColumn<QList<WritingCost>>("costs");
        QTest::newRow("nothing") << QStringList() << QList<WritingCost>();
        QTest::newRow("EVAL and EVALSHA") << QStringList{"-eval", "-evalsha"} << QList{WritingCost::NothingChanged};
        QTest::newRow("a command of scripts") << QStringList{"-hincrby"} << QList{WritingCost::OperationsRefused};
        QTest::newRow("PUBLISH") << QStringList{"-publish"} << QList{WritingCost::WaitersNotWoken};
        QTest::newRow("SUBSCRIBE") << QStringList{"-subscribe"} << QList{WritingCost::WaitsRefused};
        QTest::newRow("the channels") << QStringList{"resetchannels"}
                                      << QList{WritingCost::WaitersNotWoken, WritingCost::WaitsRefused};
        QTest::newRow("CLIENT TRACKING") << QStringList{"-client|tracking"} << QList{WritingCost::LossesSeenLate};
        QTest::newRow("CLIENT CACHING") << QStringList{"-client|caching"} << QList{WritingCost::LossesSeenLate};
        QTest::newRow("INFO") << QStringList{"-info"} << QList{WritingCost::ReplicasNotAwaited};
        QTest::newRow("the keys") << QStringList{"resetkeys", "%R~*"} << QList{WritingCost::NamesRefused};
    }
    void eachRefusalHasItsCost() {
        QFETCH(const QStringList, taken);
        QFETCH(const QList<WritingCost>, costs);
        connectWithout(taken);
        QVERIFY(m_page->isConnected());
        QVERIFY(!m_page->arming.wasEverArmed());
        arm();
        writeAll();
        QCOMPARE(costsSeen(), costs);
        m_page->link.disarm();
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        QCOMPARE(costsSeen(), costs);
    }

    void aRightThatIsGivenMeanwhileIsNotMissingWhenItIsArmedAgain() {
        connectWithout({"-client|tracking"});
        arm();
        QTRY_COMPARE(m_page->arming.denied,
                     (QList<WritingDenial>{{RefusedRight::Command, QStringLiteral("client|tracking"), WritingCost::LossesSeenLate}}));
        m_page->link.disarm();
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        m_server.cli({"ACL", "SETUSER", "writer", "+client|tracking"});
        arm();
        writeAll();
        QCOMPARE(m_page->arming.denied, QList<WritingDenial>());
    }

private:
    // As a user with the rights that are named for this profile, but not these.
    void connectWithout(const QStringList& taken) {
        profile::ConnectionProfile two;
        two.endpoint = m_server.options().endpoint;
        two.writing = {"writer", "PASSWORD"};
        two.id = two.addressId();
        const QString line = profile::aclLines(two, QString()).back().line;
        QCOMPARE(m_server.cli(line.split(u' ') + taken), "OK");
        m_page->link.connectTo(two, {});
        QTRY_VERIFY(m_page->isConnected());
    }
    void arm() {
        m_page->link.arm(10min);
        QTRY_VERIFY(m_page->arming.isArmed());
    }
    // Takes a free lock, waits for one that is held, and releases the first.
    void writeAll() {
        control::AcquireRequest request;
        request.name = LockName("mine");
        finish(m_page->link.acquire(request));
        request.name = LockName("held");
        request.wait = 300ms;
        finish(m_page->link.acquire(request));
        control::ReleaseRequest release;
        release.name = LockName("mine");
        finish(m_page->link.release(release));
    }
    void finish(OperationId id) { QTRY_VERIFY_WITH_TIMEOUT(m_page->results.contains(id), 10000); }

    [[nodiscard]] QList<WritingCost> costsSeen() const {
        QList<WritingCost> costs;
        for (const WritingDenial& denial : m_page->arming.denied) {
            if (!costs.contains(denial.cost))
                costs << denial.cost;
        }
        std::ranges::sort(costs);
        return costs;
    }

    test::RedisServer m_server;
    QTemporaryDir m_data;
    std::unique_ptr<ThreadedEngine> m_engine;
    std::unique_ptr<test::SessionProbe> m_page;
};

LOCKKEEPER_TEST(TestWritingDenials, Guiless)
#include "tst_writingdenials.moc"
