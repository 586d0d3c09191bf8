// SPDX-License-Identifier: Apache-2.0
#include "support/lockscene.h"
#include "support/owner.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockconnectionskilled {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::Kind;
using test::LockScene;
using test::owner;

namespace {

const QString commands = QStringLiteral("lockkeeper");
const QString subscriptions = QStringLiteral("lockkeeper-waiting");

}  // namespace

// CLIENT KILL for each connection of every program that uses a lock, for every kind.
class TestLockConnectionsKilled : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_scene.reset(); }

    void whileItWaits_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QStringList>("connections");
        for (const Kind kind : test::allKinds()) {
            QTest::newRow(test::wordFor(kind) + ", for commands") << kind << QStringList{commands};
            if (kind == Kind::Spin)  // has no subscriptions
                continue;
            QTest::newRow(test::wordFor(kind) + ", for messages") << kind << QStringList{subscriptions};
            QTest::newRow(test::wordFor(kind) + ", both") << kind << QStringList{commands, subscriptions};
        }
    }
    void whileItWaits() {
        QFETCH(Kind, kind);
        QFETCH(QStringList, connections);
        begin(kind, 1h);  // nothing expires by itself
        const AnyLock rival = m_scene->other().rival();
        QCOMPARE(m_scene->take(rival, owner), QString());
        const AnyLock lock = m_scene->mine().lock();
        const auto waiting = test::start(lock.tryLock(owner, m_scene->in(10s)));
        if (kind != Kind::Spin)
            QVERIFY(test::becomesTrue([this] { return isListening(); }));
        for (const QString& connection : connections)
            QVERIFY(m_scene->killConnections(connection));
        if (kind != Kind::Spin)
            QVERIFY(test::becomesTrue([this] { return isListening(); }));
        QVERIFY(!waiting->has_value());
        QCOMPARE(test::waitFor(rival.unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::becomesTrue([&] { return waiting->has_value(); }));
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
        QCOMPARE(m_scene->disagreement(lock, owner), QString());
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_scene->keys(), QStringList());
    }

    // Repeated for longer than the lease: the watchdog renews in between.
    void whileItHolds_data() { test::addKinds(); }
    void whileItHolds() {
        QFETCH(Kind, kind);
        begin(kind, LockScene::Options().watchdogTimeout);
        const AnyLock lock = m_scene->mine().lock();
        QCOMPARE(m_scene->take(lock, owner), QString());
        for (int renewal = 0; renewal < 4; ++renewal) {
            QVERIFY(m_scene->killConnections(commands));
            QVERIFY(m_scene->isRenewed(lock));
        }
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
        QVERIFY(LockScene::believes(lock, owner));
        QCOMPARE(m_scene->disagreement(lock, owner), QString());
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_scene->keys(), QStringList());
    }

private:
    void begin(Kind kind, Milliseconds watchdogTimeout) {
        LockScene::Options options;
        options.watchdogTimeout = watchdogTimeout;
        m_scene = std::make_unique<LockScene>(kind, options);
        QVERIFY(m_scene->start());
    }
    // Whether it is subscribed on every server.
    bool isListening() {
        const QString channel = QStringLiteral("redisson_*");
        return std::ranges::none_of(m_scene->servers(), [&](const auto& server) {
            return server->cli({"PUBSUB", "CHANNELS", channel}).isEmpty();
        });
    }

    std::unique_ptr<LockScene> m_scene;
};

LOCKKEEPER_TEST(TestLockConnectionsKilled, Guiless)

}  // namespace tst_lockconnectionskilled

#include "tst_lockconnectionskilled.moc"
