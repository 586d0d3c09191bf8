// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/lockstore.h"
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplenodes.h"
#include "ui/base/helptip.h"
#include "ui/locks/filter/lockfilter.h"
#include "ui/locks/model/ttlbar.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

namespace tst_locktablemodel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

LockName numbered(int number) {
    return LockName(QByteArrayLiteral("lock:") + QByteArray::number(number));
}

}  // namespace

class TestLockTableModel : public LockTableTest {
    Q_OBJECT

private:
    std::vector<monitor::LockRow> rows(int count) const {
        std::vector<monitor::LockRow> result;
        for (int i = 0; i < count; ++i)
            result.push_back(heldRow(m_clock, numbered(i), 30s));
        return result;
    }
    QString text(const LockName& name, LockTableModel::Column column) const {
        return m_model->indexOf(name).siblingAtColumn(column).data().toString();
    }

    std::unique_ptr<QAbstractItemModelTester> m_tester;

private Q_SLOTS:
    void init() {
        makeTable();
        m_time->follow(connected());
        m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup() {
        m_tester.reset();
        endTable();
    }

    void showsWhatIsKnownOfALock() {
        monitor::LockRow row = heldRow(m_clock, lockName("orders/{42}"), 12s, holder(clientA, 33, 2));
        row.lock.waiters = 3;
        row.hold.renewals = 7;
        row.hold.lastRenewal = m_clock.now() - 4s;
        m_model->apply(batchOf({row}));
        const LockName name = lockName("orders/{42}");
        QCOMPARE(text(name, LockTableModel::State), QStringLiteral("Held"));
        QCOMPARE(text(name, LockTableModel::Name), QStringLiteral("orders/{42}"));
        QCOMPARE(text(name, LockTableModel::Kind), QStringLiteral("Reentrant"));
        QCOMPARE(text(name, LockTableModel::HolderColumn), QString::fromLatin1(clientA + ":33"));
        QCOMPARE(text(name, LockTableModel::Count), QStringLiteral("2"));
        QCOMPARE(text(name, LockTableModel::Ttl), QStringLiteral("12 s"));
        QCOMPARE(text(name, LockTableModel::Renewals), QStringLiteral("7 (4.0 s ago)"));
        QCOMPARE(text(name, LockTableModel::Waiters), QStringLiteral("3"));
    }

    void waitersThatMayBeMonitorsAreAnUpperBound() {
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 12s);
        row.lock.waiters = 3;
        row.lock.monitorsAmongWaiters = 1;
        m_model->apply(batchOf({row}));
        QCOMPARE(text(lockName("L"), LockTableModel::Waiters), QStringLiteral("up to 3"));
    }

    void saysSinceWhenTheLongestWaits() {
        const WallTime now = m_clock.wallNow();
        const auto waited = [this](const char* name, const QList<monitor::WaitingSince>& present) {
            monitor::LockRow row = heldRow(m_clock, lockName(name), 12s);
            monitor::Waits waits;
            waits.present = present;
            if (!waits.isEmpty())
                row.waits = waits;
            return row;
        };
        m_model->apply(batchOf(
            {waited("nobody", {}), waited("seen", {{1, now - 61s, now - 60s, {}}, {4, now - 2s, now, {}}}),
             waited("before", {{2, std::nullopt, now - 30s, {}}}), waited("unclear", {{1, now - 90s, now, {}}})}));
        const auto since = [this](const char* name) {
            return text(lockName(name), LockTableModel::WaitingSinceColumn);
        };
        QCOMPARE(since("nobody"), QString());
        QCOMPARE(since("seen"), clockText(now - 60s, now));
        QCOMPARE(since("before"), QStringLiteral("before ") + clockText(now - 30s, now));
        QCOMPARE(since("unclear"), clockText(now - 90s, now) + QStringLiteral(" or later"));
        const auto order = [this](const char* name) {
            const QModelIndex cell =
                m_model->indexOf(lockName(name)).siblingAtColumn(LockTableModel::WaitingSinceColumn);
            return cell.data(LockTableModel::SortRole).toLongLong();
        };
        QVERIFY(order("seen") < order("before") && order("before") < order("unclear") &&
                order("unclear") < order("nobody"));
    }

    void aLostNodeMakesItsLocksOldAndNoOthers() {
        m_model->apply(batchOf({onNode(heldRow(m_clock, lockName("lost"), 20s), watchedNode(7001)),
                                onNode(heldRow(m_clock, lockName("live"), 20s), watchedNode(7002))}));
        QCOMPARE(text(lockName("lost"), LockTableModel::NodeColumn), QStringLiteral("redis.example.com:7001"));
        const WallTime lastHeard = m_clock.wallNow();
        m_clock.advance(5s);
        QVERIFY(m_time->follow(QList<monitor::NodeStatus>{lostNode(7001, lastHeard), watchedNode(7002)}));
        QCOMPARE(text(lockName("lost"), LockTableModel::State), QStringLiteral("Held (old)"));
        QCOMPARE(text(lockName("lost"), LockTableModel::Ttl), QStringLiteral("was 20 s"));
        QCOMPARE(text(lockName("live"), LockTableModel::State), QStringLiteral("Held"));
        QCOMPARE(text(lockName("live"), LockTableModel::Ttl), QStringLiteral("15 s"));
        m_clock.advance(5s);
        QVERIFY(!m_time->follow(QList<monitor::NodeStatus>{lostNode(7001, lastHeard + 1ms),
                                                           watchedNode(7002)}));  // the node is tried in vain
        QCOMPARE(text(lockName("lost"), LockTableModel::Ttl), QStringLiteral("was 20 s"));
        QVERIFY(m_time->follow(QList<monitor::NodeStatus>{watchedNode(7001), watchedNode(7002)}));
        QCOMPARE(text(lockName("lost"), LockTableModel::State), QStringLiteral("Held"));
    }

    void showsHowOftenABusyLockIsTaken() {
        monitor::LockRow counted = heldRow(m_clock, lockName("counted"), 12s);
        monitor::Throughput throughput;
        throughput.window = 10s;
        throughput.releases = 120;
        throughput.acquisitions = 121;
        counted.throughput = throughput;
        monitor::LockRow silent = heldRow(m_clock, lockName("silent"), 12s);
        throughput.counting = monitor::Throughput::Releases::AtLeast;
        throughput.releases = 0;
        throughput.acquisitions = 25;
        silent.throughput = throughput;
        m_model->apply(batchOf({counted, silent, heldRow(m_clock, lockName("idle"), 12s)}));
        QCOMPARE(text(lockName("counted"), LockTableModel::Rate), QStringLiteral("12/s"));
        QCOMPARE(text(lockName("silent"), LockTableModel::Rate), QStringLiteral("≥ 2.5/s"));
        QCOMPARE(text(lockName("idle"), LockTableModel::Rate), QString());
        const auto order = [this](const char* name) {
            const QModelIndex cell = m_model->indexOf(lockName(name)).siblingAtColumn(LockTableModel::Rate);
            return cell.data(LockTableModel::SortRole).toDouble();
        };
        QVERIFY(order("counted") > order("silent") && order("silent") > order("idle"));
    }

    void showsTheGravestDiagnosisWithAMarkBesideItsWords_data() {
        QTest::addColumn<QList<monitor::Diagnosis>>("diagnoses");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<bool>("fault");
        const monitor::Diagnosis leak{monitor::Certainty::Suspected, monitor::ReentryLeak()};
        QTest::newRow("none") << QList<monitor::Diagnosis>() << QString() << false;
        QTest::newRow("likely") << QList<monitor::Diagnosis>{watchdogStopped(m_clock)}
                                << QStringLiteral("Watchdog stopped") << true;
        QTest::newRow("suspected") << QList<monitor::Diagnosis>{leak} << QStringLiteral("Reentry leak?") << true;
        QTest::newRow("several") << QList<monitor::Diagnosis>{watchdogStopped(m_clock), leak}
                                 << QStringLiteral("Watchdog stopped, +1") << true;
        QTest::newRow("information") << QList<monitor::Diagnosis>{fixedLease(m_clock)} << QStringLiteral("Fixed lease")
                                     << false;
    }
    void showsTheGravestDiagnosisWithAMarkBesideItsWords() {
        QFETCH(QList<monitor::Diagnosis>, diagnoses);
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("L"), diagnoses)}));
        const QModelIndex cell = m_model->indexOf(lockName("L")).siblingAtColumn(LockTableModel::DiagnosisColumn);
        QTEST(cell.data().toString(), "shown");
        QCOMPARE(cell.data(Qt::DecorationRole).isValid(), !diagnoses.isEmpty());
        QTEST(cell.data(LockTableModel::FaultRole).toBool(), "fault");
    }

    void readsADiagnosisWithItsEvidenceToWhoCannotSeeIt() {
        m_model->apply(batchOf(
            {diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)}), heldRow(m_clock, lockName("M"), 12s)}));
        const auto read = [this](const char* name) {
            const QModelIndex cell = m_model->indexOf(lockName(name)).siblingAtColumn(LockTableModel::DiagnosisColumn);
            return cell.data(Qt::AccessibleTextRole).toString();
        };
        QVERIFY2(read("L").startsWith(QStringLiteral("Watchdog stopped (likely): Renewed 7 times to 30 s")),
                 qPrintable(read("L")));
        QCOMPARE(read("M"), QStringLiteral("none"));
    }

    void namesTheStateInWords_data() {
        QTest::addColumn<bool>("own");
        QTest::addColumn<bool>("held");
        QTest::addColumn<bool>("expires");
        QTest::addColumn<QString>("state");
        QTest::newRow("free") << false << false << true << QStringLiteral("Free");
        QTest::newRow("held") << false << true << true << QStringLiteral("Held");
        QTest::newRow("own") << true << true << true << QStringLiteral("Held here");
        QTest::newRow("without expiry") << false << true << false << QStringLiteral("No expiry");
    }
    void namesTheStateInWords() {
        QFETCH(bool, own);
        QFETCH(bool, held);
        QFETCH(bool, expires);
        const LockName name = lockName("L");
        m_model->apply(batchOf({!held     ? freeRow(m_clock, name)
                                : expires ? heldRow(m_clock, name, 1s)
                                          : neverExpiringRow(m_clock, name)}));
        if (own)
            m_model->setOwnLocks({control::OwnLock{name, HolderId(), 1, true}});
        QTEST(text(name, LockTableModel::State), "state");
    }

    void aFreeLockThatIsWaitedForDoesNotLookIdle() {
        monitor::LockRow stuck = freeRow(m_clock, lockName("L"));
        m_model->apply(batchOf({stuck}));
        const auto color = [this] { return m_model->index(0, LockTableModel::Name).data(Qt::ForegroundRole); };
        QVERIFY(color().isValid());
        stuck.lock.waiters = 2;
        m_model->apply(batchOf({stuck}));
        QVERIFY(!color().isValid());
        QCOMPARE(text(lockName("L"), LockTableModel::State), stateText(LockState::WaitedFor));
    }

    void saysThatAHoldIsOlderThanTheFirstRead() {
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 1s);
        row.hold.begin = monitor::HoldBegin::NotSeen;
        m_model->apply(batchOf({row}));
        QVERIFY(text(lockName("L"), LockTableModel::HeldSince).startsWith(QStringLiteral("before ")));
    }

    void howLongItIsHeldDoesNotFollowTheWallClock() {
        m_model->apply(batchOf({heldRow(m_clock, lockName("first"), 60s)}));
        m_clock.advance(5s);
        m_clock.jumpWall(Milliseconds(-1h));
        m_model->apply(batchOf({heldRow(m_clock, lockName("second"), 60s)}));
        const auto index = [this](const char* name) {
            return m_model->indexOf(lockName(name)).siblingAtColumn(LockTableModel::HeldSince);
        };
        QVERIFY(index("first").data(Qt::ToolTipRole).toString().contains(QStringLiteral("For 5.0 s")));
        QVERIFY(index("first").data(LockTableModel::SortRole).toLongLong() <
                index("second").data(LockTableModel::SortRole).toLongLong());
    }

    void countsDownWithoutAnyChange() {
        m_model->apply(batchOf({heldRow(m_clock, lockName("L"), 12s)}));
        const QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);
        m_clock.advance(5s);
        QCOMPARE(text(lockName("L"), LockTableModel::Ttl), QStringLiteral("7.0 s"));
        QCOMPARE(changes.size(), 0);
    }

    void marksRowsAsOldAndStopsTheirTime() {
        m_model->apply(batchOf({heldRow(m_clock, lockName("L"), 12s)}));
        m_clock.advance(2s);
        const WallTime lastHeard = m_clock.wallNow();
        m_clock.advance(5s);
        m_time->follow(reconnecting(lastHeard));
        m_model->refreshAll();
        QCOMPARE(text(lockName("L"), LockTableModel::State), QStringLiteral("Held (old)"));
        QCOMPARE(text(lockName("L"), LockTableModel::Ttl), QStringLiteral("was 10 s"));
        m_clock.advance(60s);
        QCOMPARE(text(lockName("L"), LockTableModel::Ttl), QStringLiteral("was 10 s"));
        const QString toolTip = m_model->indexOf(lockName("L")).data(Qt::ToolTipRole).toString();
        QVERIFY2(toolTip.contains(QStringLiteral("as last seen at")), qPrintable(toolTip));
    }

    void announcesNeighboursTogether() {
        m_model->apply(batchOf(rows(200)));
        const QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);
        m_model->apply(batchOf(rows(100)));
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 0);
        QCOMPARE(changes[0][1].toModelIndex().row(), 99);
    }

    void announcesDistantRowsApart() {
        m_model->apply(batchOf(rows(200)));
        const QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);
        m_model->apply(batchOf({heldRow(m_clock, numbered(3), 1s), heldRow(m_clock, numbered(190), 1s)}));
        QCOMPARE(changes.size(), 2);
    }

    void insertsNewRowsAtOnce() {
        const QSignalSpy inserts(m_model.get(), &QAbstractItemModel::rowsInserted);
        m_model->apply(batchOf(rows(1000)));
        QCOMPARE(inserts.size(), 1);
        QCOMPARE(m_model->rowCount(), 1000);
    }

    void removesAndStillFindsTheOthers_data() {
        QTest::addColumn<int>("step");
        QTest::newRow("one block") << 1;
        QTest::newRow("few blocks") << 20;
        QTest::newRow("every second row, more blocks than are removed one by one") << 2;
    }
    void removesAndStillFindsTheOthers() {
        QFETCH(int, step);
        constexpr int count = 400;
        m_model->apply(batchOf(rows(count)));
        const QPersistentModelIndex kept = m_model->indexOf(numbered(399));
        std::vector<LockName> leaving;
        for (int i = 0; i < count / 2; i += step)
            leaving.push_back(numbered(i));
        m_model->apply(removalOf(leaving));
        QCOMPARE(m_model->rowCount(), count - static_cast<int>(leaving.size()));
        for (int i = 0; i < count; ++i) {
            const bool gone = i < count / 2 && i % step == 0;
            const monitor::LockRow* row = m_model->find(numbered(i));
            QCOMPARE(row == nullptr, gone);
            QVERIFY(gone || row->lock.name == numbered(i));
        }
        QCOMPARE(kept.data().toString(), QStringLiteral("lock:399"));
    }

    void keepsPersistentIndexesOnTheirLocksWhenManyBlocksGo() {
        m_model->apply(batchOf(rows(400)));
        const QPersistentModelIndex kept = m_model->indexOf(numbered(201));
        const QPersistentModelIndex gone = m_model->indexOf(numbered(200));
        std::vector<LockName> even;
        for (int i = 0; i < 400; i += 2)
            even.push_back(numbered(i));
        m_model->apply(removalOf(even));
        QCOMPARE(kept.data().toString(), QStringLiteral("lock:201"));
        QVERIFY(!gone.isValid());
    }

    // Qt's containers share their data until a copy is changed. Between the decoder and the table nothing changes a
    // copy.
    void sharesItsDataWithTheRead() {
        const monitor::LockSnapshot read = heldRow(m_clock, lockName("L"), 30s).lock;
        monitor::LockStore store;
        store.apply(read, {});
        m_model->apply(store.take());
        const monitor::LockSnapshot& shown = m_model->find(read.name)->lock;
        QVERIFY(shown.holders.constData() == read.holders.constData());
        QVERIFY(shown.name.bytes().constData() == read.name.bytes().constData());
    }

    void forgetsAllOnAReset() {
        m_model->apply(batchOf(rows(3)));
        monitor::MonitorBatch batch = batchOf({heldRow(m_clock, lockName("other"), 1s)});
        batch.reset = true;
        m_model->apply(batch);
        QCOMPARE(m_model->rowCount(), 1);
        QVERIFY(!m_model->find(numbered(0)));
    }

    // The first read of a new name comes after the acquire, which the console has seen.
    void anOwnHoldBeganWhenTheConsoleTookIt_data() {
        QTest::addColumn<monitor::HoldMode>("mode");
        QTest::addColumn<bool>("isOwn");
        QTest::addColumn<bool>("isRowFirst");
        QTest::addColumn<bool>("isBeginSeen");
        using enum monitor::HoldMode;
        QTest::newRow("taken, then read") << Exclusive << true << false << true;
        QTest::newRow("read, then reported as taken") << Exclusive << true << true << true;
        QTest::newRow("for writing") << Write << true << false << true;
        QTest::newRow("for reading: others may have read before") << Read << true << false << false;
        QTest::newRow("another holder has it") << Exclusive << false << false << false;
    }
    void anOwnHoldBeganWhenTheConsoleTookIt() {
        QFETCH(const monitor::HoldMode, mode);
        QFETCH(const bool, isOwn);
        QFETCH(const bool, isRowFirst);
        QFETCH(const bool, isBeginSeen);
        m_time->follow(connected());
        const WallTime taken = m_clock.wallNow();
        const HolderId own = holder(clientA, 33).id;
        const auto take = [&] { m_model->setOwnLocks({control::OwnLock{lockName("L"), own, 1, true}}); };
        if (!isRowFirst)
            take();
        m_clock.advance(2s);
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 9s, holder(isOwn ? clientA : clientB, 33, 1, mode));
        row.hold.begin = monitor::HoldBegin::NotSeen;
        m_model->apply(batchOf({row}));
        if (isRowFirst)
            take();
        const monitor::Hold& hold = m_model->find(lockName("L"))->hold;
        QCOMPARE(hold.isBeginSeen(), isBeginSeen);
        QCOMPARE(hold.sinceWall, isBeginSeen && !isRowFirst ? taken : m_clock.wallNow());
    }

    void aHoldOfOthersKeepsItsBegin() {
        monitor::LockRow shared = heldRow(m_clock, lockName("L"), 9s);
        shared.lock.holders << holder(clientB, 33);
        shared.hold.begin = monitor::HoldBegin::NotSeen;
        m_model->setOwnLocks({control::OwnLock{lockName("L"), holder(clientA, 33).id, 1, true}});
        m_model->apply(batchOf({shared}));
        QVERIFY(!m_model->find(lockName("L"))->hold.isBeginSeen());
    }

    void ignoresTheRemovalOfWhatItDoesNotKnow() {
        m_model->apply(batchOf(rows(2)));
        m_model->apply(removalOf({lockName("never seen")}));
        QCOMPARE(m_model->rowCount(), 2);
    }

    void changesOnlyTheRowsWhoseOwnershipChanges() {
        m_model->apply(batchOf(rows(100)));
        const QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);
        m_model->setOwnLocks({control::OwnLock{numbered(7), HolderId(), 1, true}});
        QCOMPARE(changes.size(), 1);
        QCOMPARE(m_model->ownership(numbered(7)), Ownership::Own);
        m_model->setOwnLocks({control::OwnLock{numbered(7), HolderId(), 2, true}});
        QCOMPARE(changes.size(), 1);
    }

    void knowsTheLeasesOfThisConsole() {
        const HolderId own = holder(clientA, 1).id;
        QCOMPARE(m_model->ownLease(lockName("L")), OwnLease::None);
        m_model->setOwnLocks({control::OwnLock{lockName("L"), own, 1, false}});
        QCOMPARE(m_model->ownLease(lockName("L")), OwnLease::Fixed);
        // A writer that reads has two holds.
        m_model->setOwnLocks(
            {control::OwnLock{lockName("L"), own, 1, true}, control::OwnLock{lockName("L"), own, 1, false}});
        QCOMPARE(m_model->ownLease(lockName("L")), OwnLease::Renewed);
        control::OwnLock quarantine{lockName("L"), own, 1, false};
        quarantine.isQuarantine = true;
        m_model->setOwnLocks({quarantine});
        QCOMPARE(m_model->ownLease(lockName("L")), OwnLease::Quarantine);
        m_model->setOwnLocks({});
        QCOMPARE(m_model->ownLease(lockName("L")), OwnLease::None);
    }

    void showsNamesThatAreNotText() {
        const LockName binary(QByteArray("a\nb\xff", 4));
        m_model->apply(batchOf({heldRow(m_clock, binary, 1s)}));
        QCOMPARE(text(binary, LockTableModel::Name), QStringLiteral("a\\nb\\xff"));
    }

    void aNameOfTheProgramStandsForTheKeyAndTheToolTipHasBoth() {
        const LockName key = lockName("app:orders");
        const LockName other = lockName("other");
        m_model->apply(batchOf({heldRow(m_clock, key, 12s), heldRow(m_clock, other, 12s)}));
        m_model->setNames(ProgramNames({QByteArrayLiteral("app:"), {}}));
        QCOMPARE(text(key, LockTableModel::Name), QStringLiteral("orders"));
        QCOMPARE(text(other, LockTableModel::Name), QStringLiteral("other"));
        const QModelIndex index = m_model->indexOf(key);
        QCOMPARE(index.data(Qt::ToolTipRole).toString(),
                 helpTip(QStringLiteral("orders\nKey on the server: app:orders")));
        QCOMPARE(m_model->indexOf(other).data(Qt::ToolTipRole).toString(), helpTip(QStringLiteral("other")));
        QCOMPARE(m_model->searchedText(index.row(), SearchedPart::Name), QStringLiteral("app:orders\norders"));
        const auto finds = [&](const char* filter) {
            return LockFilter(QString::fromLatin1(filter)).accepts(*m_model, index.row());
        };
        QVERIFY(finds("app:ord"));
        QVERIFY(finds("prefix:app:"));
        QVERIFY(finds("prefix:orders"));
        QVERIFY(!finds("prefix:rders"));
        m_model->setNames({});
        QCOMPARE(text(key, LockTableModel::Name), QStringLiteral("app:orders"));
        QVERIFY(!finds("prefix:orders"));
    }

    void anAliasStandsForTheUuidAndTheToolTipHasBoth() {
        const LockName name = lockName("L");
        m_model->apply(batchOf({heldRow(m_clock, name, 12s, holder(clientA, 33))}));
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);
        m_model->setAliases(aliases);
        m_model->setAliases(aliases);
        QCOMPARE(changes.size(), 1);
        const QModelIndex index = m_model->indexOf(name).siblingAtColumn(LockTableModel::HolderColumn);
        const QString both = QString::fromLatin1("orders-a (" + clientA + ":33)");
        QCOMPARE(index.data().toString(), QStringLiteral("orders-a:33"));
        QCOMPARE(index.data(Qt::ToolTipRole).toString(), helpTip(both));
        QCOMPARE(index.data(LockTableModel::SortRole).toString(), QStringLiteral("orders-a:33"));
        QVERIFY(m_model->searchedText(index.row(), SearchedPart::All).contains(both));
    }

    void saysHowManyHoldersThereAre() {
        monitor::LockRow row = heldRow(m_clock, lockName("rw"), 1s);
        row.lock.kind = monitor::LockKind::ReadWrite;
        row.lock.holders = {holder(clientA, 1, 2, monitor::HoldMode::Read),
                            holder(clientB, 2, 1, monitor::HoldMode::Read)};
        m_model->apply(batchOf({row}));
        QVERIFY(text(lockName("rw"), LockTableModel::HolderColumn).startsWith(QStringLiteral("2 holders: ")));
        QCOMPARE(text(lockName("rw"), LockTableModel::Count), QStringLiteral("3"));
    }

    void findsOneOfManyByItsName() {
        m_model->apply(batchOf(rows(20000)));
        QCOMPARE(m_model->indexOf(numbered(19999)).row(), 19999);
        QVERIFY(!m_model->indexOf(lockName("none")).isValid());
    }
};

LOCKKEEPER_TEST(TestLockTableModel, Gui)

}  // namespace tst_locktablemodel

#include "tst_locktablemodel.moc"
