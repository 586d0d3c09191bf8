// SPDX-License-Identifier: Apache-2.0
#include "engine/threadedengine.h"
#include "profile/aclline.h"
#include "support/redisserver.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_leastrights {

using namespace lockkeeper;
using namespace std::chrono_literals;
using control::ChangeKind;
using control::Outcome;
using control::OwnLockKind;

namespace {

const QString alice = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
const QString bob = QStringLiteral("c9f0f895-fb98-4b91-99f5-1fd02c7a1d0e:7");

using Setup = QList<QStringList>;  // commands

}  // namespace

// With the rights that aclLines() names, and no others, a session watches and does all that it offers, and the server
// refuses nothing.
class TestLeastRights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_engine = std::make_unique<ThreadedEngine>(monitor::MonitorOptions(), history::HistoryOptions(),
                                                    m_data.filePath(QStringLiteral("audit")));
        m_page = std::make_unique<test::SessionProbe>(*m_engine);
        profile::ConnectionProfile two;
        two.endpoint = m_server.options().endpoint;
        two.credentials = {"watcher", "PASSWORD"};
        two.writing = {"writer", "PASSWORD"};
        two.id = two.addressId();
        for (const profile::AclLine& acl : profile::aclLines(two, {}))
            QCOMPARE(m_server.cli(acl.line.split(u' ')), "OK");
        m_page->link.connectTo(two, {});
        QTRY_VERIFY(m_page->isConnected());
        m_page->link.request(ArmFor{10min});
        QTRY_COMPARE(m_page->arming.rightsInAdvance, control::RightsInAdvance::Known);
    }
    void cleanup() {
        m_page.reset();
        m_engine.reset();
        m_server.stop();
    }

    void ownLocksOfEveryKind_data() {
        QTest::addColumn<OwnLockKind>("kind");
        QTest::addColumn<bool>("isReentrant");
        QTest::newRow("reentrant") << OwnLockKind::Reentrant << true;
        QTest::newRow("fair") << OwnLockKind::Fair << true;
        QTest::newRow("fenced") << OwnLockKind::Fenced << true;
        QTest::newRow("read") << OwnLockKind::Read << true;
        QTest::newRow("write") << OwnLockKind::Write << true;
        QTest::newRow("spin") << OwnLockKind::Spin << true;
        QTest::newRow("non-reentrant") << OwnLockKind::NonReentrant << false;
        QTest::newRow("non-reentrant and fair") << OwnLockKind::NonReentrantFair << false;
    }
    void ownLocksOfEveryKind() {
        QFETCH(const OwnLockKind, kind);
        QFETCH(const bool, isReentrant);
        control::AcquireRequest request;
        request.name = LockName("mine");
        request.kind = kind;
        QCOMPARE(outcomeOf(m_page->link.request(request)), Outcome::Acquired);
        if (isReentrant) {
            QCOMPARE(outcomeOf(m_page->link.request(request)), Outcome::Acquired);
            QCOMPARE(release(), Outcome::ReleasedOnce);
        }
        if (isReentrant && kind != OwnLockKind::Read) {
            request.extends = true;
            request.lease = 20s;
            QCOMPARE(outcomeOf(m_page->link.request(request)), Outcome::Extended);
        }
        QTRY_VERIFY(m_page->holds("mine"));
        QCOMPARE(release(), Outcome::Released);
        const bool isShared = kind == OwnLockKind::Read || kind == OwnLockKind::Write;
        m_server.cli(QStringList{"HSET", "held", isShared ? bob + ":write" : bob, "1"} +
                     (isShared ? QStringList{"mode", "write"} : QStringList()));
        request = {};
        request.name = LockName("held");
        request.kind = kind;
        request.wait = 200ms;
        QCOMPARE(outcomeOf(m_page->link.request(request)), Outcome::HeldByOther);
        expectNothingRefused();
    }

    void anOwnLockThatIsDeletedIsReported() {
        control::AcquireRequest request;
        request.name = LockName("mine");
        QCOMPARE(outcomeOf(m_page->link.request(request)), Outcome::Acquired);
        m_server.cli({"DEL", "mine"});
        QTRY_COMPARE(m_page->lost, QList<LockName>{LockName("mine")});
        expectNothingRefused();
    }

    void everyChangeOfALockOfOthers_data() {
        QTest::addColumn<ChangeKind>("kind");
        QTest::addColumn<Setup>("setup");
        const QStringList hold{"HSET", "L", alice, "1"};
        const QStringList expiry{"PEXPIRE", "L", "600000"};
        const QStringList token{"SET", "redisson_lock_token:{L}", "7"};
        const auto queue = [](const QString& deadline) {
            return Setup{{"RPUSH", "redisson_lock_queue:{L}", bob},
                         {"ZADD", "redisson_lock_timeout:{L}", deadline, bob}};
        };
        const auto reader = [](const QString& holder) {
            return Setup{{"HSET", "L", "mode", "read", holder, "1"},
                         {"SET", QStringLiteral("{L}:%1:rwlock_timeout:1").arg(holder), "1", "PX", "600000"}};
        };
        const QString ofValue = QStringLiteral("x:%1:").arg(alice);
        const QStringList values{
            "HSET", "L", "x", alice, ofValue + "expire_time", "9700000300123", ofValue + "lock_count", "1"};
        const QString future = QStringLiteral("9700000300123");
        QTest::newRow("release") << ChangeKind::ReleaseLock << Setup{hold, expiry};
        QTest::newRow("release, fair") << ChangeKind::ReleaseLock << Setup{hold, expiry} + queue(future);
        QTest::newRow("release, fair, a dead head") << ChangeKind::ReleaseLock << Setup{hold, expiry} + queue("1000");
        QTest::newRow("release, fenced") << ChangeKind::ReleaseLock << Setup{hold, expiry, token};
        QTest::newRow("release, read") << ChangeKind::ReleaseLock << reader(alice) + Setup{expiry};
        QTest::newRow("one reader") << ChangeKind::ReleaseReader << reader(alice) + reader(bob) + Setup{expiry};
        QTest::newRow("the values of one holder") << ChangeKind::ReleaseHolder << Setup{values, expiry};
        QTest::newRow("a dead waiter") << ChangeKind::RemoveWaiter << Setup{hold, expiry} + queue("1000");
        QTest::newRow("wake-up") << ChangeKind::WakeWaiters << queue(future);
        QTest::newRow("a TTL") << ChangeKind::SetExpiry << Setup{hold};
        QTest::newRow("quarantine") << ChangeKind::Quarantine << Setup{hold, expiry, token};
        QTest::newRow("quarantine of the values of one holder")
            << ChangeKind::QuarantineHolder << Setup{values, expiry};
    }
    void everyChangeOfALockOfOthers() {
        QFETCH(const ChangeKind, kind);
        QFETCH(const Setup, setup);
        for (const QStringList& command : setup)
            m_server.cli(command);
        const bool isHeld = kind != ChangeKind::WakeWaiters;
        if (isHeld)
            QTRY_VERIFY(m_page->holds("L"));
        control::ForceReleaseRequest request;
        request.confirmed = isHeld ? m_page->rows.value(LockName("L")).lock : monitor::LockSnapshot();
        request.confirmed.name = LockName("L");
        request.reason = QStringLiteral("it hangs");
        request.change.kind = kind;
        request.change.time = 1s;
        if (kind == ChangeKind::ReleaseReader)
            request.change.reader = request.confirmed.holders.front();
        if (kind == ChangeKind::ReleaseHolder || kind == ChangeKind::QuarantineHolder)
            request.change.holder = request.confirmed.holders.front().id;
        if (kind == ChangeKind::RemoveWaiter) {
            request.change.waiter = request.confirmed.fairQueue.front();
            QTRY_VERIFY_WITH_TIMEOUT(!m_page->rows.value(LockName("L")).deadWaiters().isEmpty(), 60000);
        }
        const OperationId id = m_page->link.request(request);
        QCOMPARE(outcomeOf(id), Outcome::ForceReleased);
        if (control::isQuarantine(kind))
            QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "0");
        expectNothingRefused();
    }

private:
    Outcome outcomeOf(OperationId id) {
        if (!QTest::qWaitFor([this, id] { return m_page->results.contains(id); }, 10000))
            qFatal("an operation was not answered");
        const control::OperationResult result = m_page->results.value(id);
        if (result.error)
            qInfo("%s", qPrintable(result.error->text));
        return result.outcome;
    }
    Outcome release() {
        control::ReleaseRequest request;
        request.name = LockName("mine");
        return outcomeOf(m_page->link.request(request));
    }
    // The monitor reads a setting if it may, and works without it otherwise.
    void expectNothingRefused() {
        // The program works without these rights: resources/manual/connecting.md, "Rights".
        const QStringList notNeeded{"config|get", "role"};
        const QStringList log = m_server.cli({"ACL", "LOG"}).split(u'\n');
        QStringList refused;
        for (qsizetype i = 0; i + 1 < log.size(); ++i) {
            if (log[i] == "object" && !notNeeded.contains(log[i + 1]))
                refused << log[i + 1];
        }
        QVERIFY2(refused.isEmpty(), qPrintable(refused.join(u' ')));
        QCOMPARE(m_page->arming.denied, QList<control::WritingDenial>());
    }

    test::RedisServer m_server;
    QTemporaryDir m_data;
    std::unique_ptr<ThreadedEngine> m_engine;
    std::unique_ptr<test::SessionProbe> m_page;
};

LOCKKEEPER_TEST(TestLeastRights, Guiless)

}  // namespace tst_leastrights

#include "tst_leastrights.moc"
