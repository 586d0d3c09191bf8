// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplenodes.h"
#include "ui/locks/filter/filtermistaketext.h"
#include "ui/locks/filter/lockfilter.h"
#include "ui/locks/model/locktablemodel.h"

#include <QTest>

namespace tst_lockfilter {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestLockFilter : public LockTableTest {
    Q_OBJECT

private:
    QStringList found(const QString& typed) const {
        const LockFilter filter(typed);
        QStringList names;
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (filter.accepts(*m_model, row))
                names << m_model->index(row, LockTableModel::Name).data().toString();
        names.sort();
        return names;
    }

private Q_SLOTS:
    // busy: fair, held twice for 6 min, 20 s left, three waiters. forever: no end, on node 7001. free: waited for.
    // idle: free. sick: 12 s left, its watchdog stopped. held:5: like a field of the filter.
    void init() {
        makeTable();
        m_time->follow(connected());
        monitor::LockRow busy = heldRow(m_clock, lockName("busy"), 20s, holder(clientB, 7, 2));
        busy.lock.kind = monitor::LockKind::Fair;
        busy.lock.waiters = 3;
        busy.hold.since -= 6min;
        busy.hold.renewals = 4;
        monitor::LockRow free = freeRow(m_clock, lockName("free"));
        free.lock.waiters = 1;
        m_model->apply(batchOf({busy, onNode(neverExpiringRow(m_clock, lockName("forever")), watchedNode(7001)), free,
                                freeRow(m_clock, lockName("idle")), heldRow(m_clock, lockName("held:5"), 30s),
                                diagnosedRow(m_clock, lockName("sick"), {watchdogStopped(m_clock)})}));
    }
    void cleanup() { endTable(); }

    void theLocksThatRedissonTakesItself() {
        const QString queue = QStringLiteral("redisson_sortedset_lock:{INBOUND}");
        const QString entry = QStringLiteral("{items}:q3vBLTbkTqW6wJwDpq4Lhw:lock");
        m_model->apply(batchOf({heldRow(m_clock, lockName(queue.toLatin1().constData()), 30s),
                                heldRow(m_clock, lockName(entry.toLatin1().constData()), 30s)}));
        QCOMPARE(found(QStringLiteral("internal:yes")), (QStringList{queue, entry}));
        QCOMPARE(found(QStringLiteral("internal:queue")), QStringList{queue});
        QCOMPARE(found(QStringLiteral("internal:map")), QStringList{entry});
        QCOMPARE(found(QStringLiteral("internal:no")).size(), 6);
    }

    void aFieldIsComparedOrSearched_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("names");
        const QStringList all{QStringLiteral("busy"),   QStringLiteral("forever"), QStringLiteral("free"),
                              QStringLiteral("held:5"), QStringLiteral("idle"),    QStringLiteral("sick")};
        const auto row = [](const char* typed, const QStringList& names) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << names;
        };
        row("", all);
        row("name:f", {QStringLiteral("forever"), QStringLiteral("free")});
        row("prefix:f", {QStringLiteral("forever"), QStringLiteral("free")});
        row("Prefix:BU", {QStringLiteral("busy")});
        row("prefix:usy", {});
        row("prefix:\"fo\"", {QStringLiteral("forever")});
        row("state:\"no expiry\"", {QStringLiteral("forever")});
        row("state:\"no expiry", {QStringLiteral("forever")});
        row("prefix:\"fo rever\"", {});
        row("NAME:BUSY", {QStringLiteral("busy")});
        row("kind:fair", {QStringLiteral("busy")});
        row("kind:fair,fenced", {QStringLiteral("busy")});
        row("state:free", {QStringLiteral("free"), QStringLiteral("idle")});
        row("state:waited", {QStringLiteral("free")});
        row("holder:fd02c7a1d0e:7", {QStringLiteral("busy")});
        row("node:7001", {QStringLiteral("forever")});
        row("internal:yes", {});
        row("internal:no", all);
        row("diagnosis:watchdog_stopped", {QStringLiteral("sick")});
        row("diagnosis:never_expires,watchdog", {QStringLiteral("sick")});
        row("held:>5m", {QStringLiteral("busy")});
        row("held:>=6m", {QStringLiteral("busy")});
        row("held:>360", {});
        row("held:<1s", {QStringLiteral("forever"), QStringLiteral("held:5"), QStringLiteral("sick")});
        row("ttl:<15s", {QStringLiteral("sick")});
        row("ttl:>1h", {QStringLiteral("forever")});
        row("ttl:20000ms", {QStringLiteral("busy")});
        row("waiters:>0", {QStringLiteral("busy"), QStringLiteral("free")});
        row("waiters:3", {QStringLiteral("busy")});
        row("count:2", {QStringLiteral("busy")});
        row("renewals:0 state:held", {QStringLiteral("held:5"), QStringLiteral("sick")});
        row("renewals:>0", {QStringLiteral("busy")});
        row("waiters:>0 state:free", {QStringLiteral("free")});
    }
    void aFieldIsComparedOrSearched() {
        QFETCH(const QString, typed);
        QTEST(found(typed), "names");
    }

    void whatIsNoFieldIsAWord_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("names");
        const QStringList name{QStringLiteral("held:5")};
        QTest::newRow("a name with the beginning of a field") << QStringLiteral("held:5") << name;
        QTest::newRow("between quotation marks") << QStringLiteral("\"held:5\"") << name;
        QTest::newRow("quoted, not yet closed") << QStringLiteral("\"held:") << name;
        QTest::newRow("a state of two words")
            << QStringLiteral("\"no expiry\"") << QStringList{QStringLiteral("forever")};
        QTest::newRow("a comparison without a number") << QStringLiteral("colour:>red") << QStringList();
        QTest::newRow("no such field") << QStringLiteral("colour:red") << QStringList();
    }
    void whatIsNoFieldIsAWord() {
        QFETCH(const QString, typed);
        QTEST(found(typed), "names");
    }

    void aMistakeIsFoundAndHidesNothing_data() {
        using Kind = FilterMistake::Kind;
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("wrong");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("meant");
        const auto row = [](const char* typed, const char* wrong, Kind kind, const char* meant) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(wrong) << int(kind)
                                 << QString::fromLatin1(meant);
        };
        row("waiter:>0", "waiter:>0", Kind::UnknownField, "waiters");
        row("Wiaters:>0", "Wiaters:>0", Kind::UnknownField, "waiters");
        row("hold:>5m", "hold:>5m", Kind::UnknownField, "held");
        row("renew:>=2", "renew:>=2", Kind::UnknownField, "renewals");
        row("size:<10", "size:<10", Kind::UnknownField, "");
        row("ttl:<abc", "ttl:<abc", Kind::NoTime, "ttl");
        row("held:>5y", "held:>5y", Kind::NoTime, "held");
        row("TTL:<=-5s", "TTL:<=-5s", Kind::NoTime, "ttl");
        row("waiters:>0s", "waiters:>0s", Kind::NoNumber, "waiters");
        row("count:>x", "count:>x", Kind::NoNumber, "count");
        row("state:banana", "state:banana", Kind::NoSuchValue, "state");
        row("kind:fair,banana", "kind:fair,banana", Kind::NoSuchValue, "kind");
        row("diagnosis:watchdog_stoped", "diagnosis:watchdog_stoped", Kind::NoSuchValue, "diagnosis");
        row("internal:maybe", "internal:maybe", Kind::NoSuchValue, "internal");
        row("count:>", "count:>", Kind::NoValue, "count");
        row("renewals:>=0 count:<", "count:<", Kind::NoValue, "count");
    }
    void aMistakeIsFoundAndHidesNothing() {
        QFETCH(const QString, typed);
        QFETCH(const QString, wrong);
        QFETCH(const int, kind);
        QFETCH(const QString, meant);
        QCOMPARE(LockFilter(typed).mistakes(),
                 QList<FilterMistake>({{static_cast<FilterMistake::Kind>(kind), wrong, meant}}));
        QVERIFY(!filterMistakesText(LockFilter(typed).mistakes()).isEmpty());
        QVERIFY(found(typed).size() >= 4);  // all, or all that are held
    }

    // It is searched in names, too; the page says what is wrong if nothing is found.
    void aValueThatCannotBeReadMayBeAName_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("kind");
        QTest::newRow("a time") << QStringLiteral("held:5x") << int(FilterMistake::Kind::NoTime);
        QTest::newRow("a number") << QStringLiteral("count:2.5") << int(FilterMistake::Kind::NoNumber);
    }
    void aValueThatCannotBeReadMayBeAName() {
        QFETCH(const QString, typed);
        const LockFilter filter(typed);
        QCOMPARE(filter.mistakes().size(), 1);
        QVERIFY(filter.mistakes().first().mayBeName);
        QTEST(int(filter.mistakes().first().kind), "kind");
        QVERIFY(!filter.isEmpty());
    }

    void whatMayBeANameIsNoMistake_data() {
        QTest::addColumn<QString>("typed");
        for (const char* typed :
             {"count:daily", "ttl:never", "a:>b", "name:>5", "orders:42", "\"ttl:<abc\"", "<5", ":>5"})
            QTest::newRow(typed) << QString::fromLatin1(typed);
    }
    void whatMayBeANameIsNoMistake() {
        QFETCH(const QString, typed);
        QCOMPARE(LockFilter(typed).mistakes(), QList<FilterMistake>());
    }

    void aFieldWithoutAValueYetHidesNothing_data() {
        QTest::addColumn<QString>("typed");
        for (const char* typed :
             {"held:", "held:>", "ttl:<=", "waiters:=", "name:", "prefix:", "prefix:\"", "kind:,", "\"", "\"\""})
            QTest::newRow(typed) << QString::fromLatin1(typed);
    }
    void aFieldWithoutAValueYetHidesNothing() {
        QFETCH(const QString, typed);
        QVERIFY(LockFilter(typed).isEmpty());
        QCOMPARE(found(typed).size(), 6);
    }

    // Other monitors subscribe like waiters.
    void monitorsAreNoWaiters() {
        monitor::LockRow row = heldRow(m_clock, lockName("busy"), 20s);
        row.lock.waiters = 2;
        row.lock.monitorsAmongWaiters = 2;
        m_model->apply(batchOf({row}));
        QCOMPARE(found(QStringLiteral("waiters:>0")), QStringList{QStringLiteral("free")});
    }

    // The lock may have been held for longer, or renewed before it was found.
    void whatIsKnownAsALowerBoundIsNeverLess_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("fulfilled");
        QTest::newRow("held for less") << QStringLiteral("held:<7m") << false;
        QTest::newRow("held for more") << QStringLiteral("held:>5m") << true;
        QTest::newRow("renewed so often") << QStringLiteral("renewals:4") << false;
        QTest::newRow("renewed at least") << QStringLiteral("renewals:>=4") << true;
    }
    void whatIsKnownAsALowerBoundIsNeverLess() {
        QFETCH(const QString, typed);
        monitor::LockRow found = heldRow(m_clock, lockName("found"), 20s);
        found.hold.begin = monitor::HoldBegin::NotSeen;
        found.hold.since -= 6min;
        found.hold.renewals = 4;
        m_model->apply(batchOf({found}));
        QTEST(LockFilter(typed).accepts(*m_model, m_model->indexOf(lockName("found")).row()), "fulfilled");
    }

    // Where a client is, whether it holds the lock or waits for it.
    void aClientIsFoundAmongHoldersAndInQueues() {
        monitor::LockRow queued = heldRow(m_clock, lockName("queued"), 30s, holder(clientA, 1));
        queued.lock.fairQueue = {{HolderId(ClientId("a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6"), ThreadId{1}), {}}};
        m_model->apply(batchOf({queued}));
        QCOMPARE(found(QStringLiteral("client:a1a2a3a4")), QStringList{QStringLiteral("queued")});
        QCOMPARE(found(QStringLiteral("holder:a1a2a3a4")), QStringList());
        QVERIFY(found(QStringLiteral("client:") + QString::fromLatin1(clientA)).contains(QStringLiteral("queued")));
    }

    void unknownWaitersFulfilNothing() {
        monitor::LockRow row = freeRow(m_clock, lockName("idle"));
        row.lock.waiters.reset();
        m_model->apply(batchOf({row}));
        QVERIFY(!found(QStringLiteral("waiters:0")).contains(QStringLiteral("idle")));
        QVERIFY(!found(QStringLiteral("waiters:>=0")).contains(QStringLiteral("idle")));
    }

    void onlyTimesDependOnTheTime() {
        QVERIFY(LockFilter(QStringLiteral("busy held:>7m")).dependsOnTime());
        QVERIFY(LockFilter(QStringLiteral("ttl:<1s")).dependsOnTime());
        QVERIFY(!LockFilter(QStringLiteral("waiters:>0 busy held:")).dependsOnTime());
        QCOMPARE(found(QStringLiteral("held:>7m")), QStringList());
        m_clock.advance(2min);
        QCOMPARE(found(QStringLiteral("held:>7m")), QStringList{QStringLiteral("busy")});
    }
};

LOCKKEEPER_TEST(TestLockFilter, Gui)

}  // namespace tst_lockfilter

#include "tst_lockfilter.moc"
