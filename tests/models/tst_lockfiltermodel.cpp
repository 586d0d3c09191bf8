// SPDX-License-Identifier: Apache-2.0
#include "support/dice.h"
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplenodes.h"
#include "ui/locks/filter/lockfiltermodel.h"
#include "ui/locks/model/lockorder.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <tuple>

namespace tst_lockfiltermodel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

// With numbers of one length, the order of texts is that of their values.
QString withPaddedNumbers(QString text) {
    static const QRegularExpression number(QStringLiteral("0*(\\d+)"));
    qsizetype at = 0;
    for (QRegularExpressionMatch match = number.match(text, at); match.hasMatch(); match = number.match(text, at)) {
        const QString digits = match.captured(1).rightJustified(9, u'0');
        text.replace(match.capturedStart(), match.capturedLength(), digits);
        at = match.capturedStart() + digits.size();
    }
    return text;
}

}  // namespace

class TestLockFilterModel : public LockTableTest {
    Q_OBJECT

private:
    QStringList shown() const {
        QStringList names;
        for (int row = 0; row < m_filter->rowCount(); ++row)
            names << m_filter->index(row, LockTableModel::Name).data().toString();
        return names;
    }

    // The batch changes so many of 600 locks; some are new, and some go.
    void applyRandomBatch(Dice& dice, int size) {
        std::vector<monitor::LockRow> rows;
        std::vector<LockName> removed;
        QSet<int> numbers;
        for (int i = 0; i < size; ++i)
            numbers.insert(static_cast<int>(dice.below(600)));
        for (const int number : std::as_const(numbers)) {
            const LockName name(QByteArray(number % 2 == 0 ? "lock:" : "LOCK:") + QByteArray::number(number / 2));
            const auto what = dice.below(6);
            monitor::LockRow row =
                what == 0 ? freeRow(m_clock, name) : heldRow(m_clock, name, Milliseconds(1000 + 100 * dice.below(9)));
            row.lock.waiters = what == 1 ? std::optional(static_cast<int>(dice.below(3))) : std::nullopt;
            row.lock.kind = what == 2 ? monitor::LockKind::Fair : monitor::LockKind::Reentrant;
            if (what == 3)
                removed.push_back(name);
            else
                rows.push_back(row);
        }
        m_model->apply(batchOf(rows));
        m_model->apply(removalOf(removed));
    }
    // Finds the rows in another way: tests each lock of the table alone, and sorts with a stable sort.
    QStringList expected(int column, Qt::SortOrder order, const QString& filter) const {
        const LockFilter accepted(filter);
        std::vector<int> rows;
        for (int row = 0; row < m_model->rowCount(); ++row) {
            const bool isHidden = m_filter->freeLocks() == LockFilterModel::FreeLocks::Hidden &&
                                  m_model->index(row, 0).data(LockTableModel::IdleRole).toBool();
            if (!isHidden && accepted.accepts(*m_model, row))
                rows.push_back(row);
        }
        const auto keyOf = [&](int row) {
            const QVariant value = m_model->index(row, column).data(LockTableModel::SortRole);
            const bool isText = value.typeId() == QMetaType::QString;
            const QString text =
                column == LockTableModel::Name ? withPaddedNumbers(value.toString()) : value.toString();
            return std::tuple(isText ? text.toLower() : QString(), isText ? 0.0 : value.toDouble(),
                              withPaddedNumbers(m_model->nameAt(row).display().toLower()),
                              m_model->nameAt(row).display());
        };
        std::ranges::sort(rows, [&](int one, int other) {
            return order == Qt::AscendingOrder ? keyOf(one) < keyOf(other) : keyOf(other) < keyOf(one);
        });
        QStringList names;
        for (const int row : rows)
            names << m_model->nameAt(row).display();
        return names;
    }

    std::unique_ptr<LockFilterModel> m_filter;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

private Q_SLOTS:
    void init() {
        makeTable();
        m_time->follow(connected());
        m_filter = std::make_unique<LockFilterModel>();
        m_filter->setSourceModel(m_model.get());
        m_tester = std::make_unique<QAbstractItemModelTester>(m_filter.get(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        monitor::LockRow fair = heldRow(m_clock, lockName("beta"), 20s, holder(clientB, 2));
        fair.lock.kind = monitor::LockKind::Fair;
        fair.lock.waiters = 2;
        m_model->apply(batchOf({heldRow(m_clock, lockName("Gamma"), 10s, holder(clientA, 7, 3)), fair,
                                freeRow(m_clock, lockName("alpha")), neverExpiringRow(m_clock, lockName("delta"))}));
    }
    void cleanup() {
        m_tester.reset();
        m_filter.reset();
        endTable();
    }

    // Under the hand of a reader, no row moves because of a change.
    void keepsTheOrder() {
        m_filter->sort(LockTableModel::State, Qt::AscendingOrder);
        const QStringList before = shown();
        const QSignalSpy kept(m_filter.get(), &LockFilterModel::orderKept);
        m_filter->setOrderKept(true);
        m_model->apply(batchOf({neverExpiringRow(m_clock, lockName("alpha"))}));
        QCOMPARE(shown(), before);
        QCOMPARE(kept.size(), 1);
        m_model->apply(batchOf({neverExpiringRow(m_clock, lockName("aaa"))}));
        QCOMPARE(shown(), before + QStringList{QStringLiteral("aaa")});
        m_model->apply(removalOf({lockName("beta")}));
        QVERIFY(!shown().contains(QStringLiteral("beta")));
        m_filter->setOrderKept(false);
        QCOMPARE(shown(), expected(LockTableModel::State, Qt::AscendingOrder, QString()));
    }

    // It would move all rows below it.
    void hidesNoRowWhileTheOrderIsKept() {
        m_filter->setFreeLocks(LockFilterModel::FreeLocks::Hidden);
        const QStringList before = shown();
        m_filter->setOrderKept(true);
        m_model->apply(batchOf({freeRow(m_clock, lockName("beta"))}));
        QCOMPARE(shown(), before);
        m_filter->setFilterText(QStringLiteral("ta"));  // set by the reader
        QCOMPARE(shown(), QStringList{QStringLiteral("delta")});
        m_filter->setFilterText({});
        m_model->apply(batchOf({freeRow(m_clock, lockName("delta"))}));
        QVERIFY(shown().contains(QStringLiteral("delta")));
        m_filter->setOrderKept(false);
        QVERIFY(!shown().contains(QStringLiteral("delta")));
    }

    void aNewOrderIsTakenWhileTheOrderIsKept() {
        m_filter->setOrderKept(true);
        m_filter->sort(LockTableModel::Name, Qt::DescendingOrder);
        QCOMPARE(shown(), expected(LockTableModel::Name, Qt::DescendingOrder, QString()));
    }

    // What comes where it belongs anyway needs no sign.
    void saysOnlyIfARowWouldHaveMoved() {
        m_filter->sort(LockTableModel::Name, Qt::AscendingOrder);
        const QSignalSpy kept(m_filter.get(), &LockFilterModel::orderKept);
        m_filter->setOrderKept(true);
        m_model->apply(batchOf({freeRow(m_clock, lockName("zeta")), freeRow(m_clock, lockName("delta"))}));
        QCOMPARE(kept.size(), 0);
        QCOMPARE(shown().last(), QStringLiteral("zeta"));
    }

    void showsOnlyWhatHasEveryWord_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("nothing typed") << QString()
                                       << QStringList{QStringLiteral("delta"), QStringLiteral("beta"),
                                                      QStringLiteral("Gamma"), QStringLiteral("alpha")};
        QTest::newRow("part of a name, any case") << QStringLiteral("GAM") << QStringList{QStringLiteral("Gamma")};
        QTest::newRow("a holder") << QString::fromLatin1(clientB) << QStringList{QStringLiteral("beta")};
        QTest::newRow("a holder with its thread") << QStringLiteral("1c33:7") << QStringList{QStringLiteral("Gamma")};
        QTest::newRow("a kind") << QStringLiteral("fair") << QStringList{QStringLiteral("beta")};
        QTest::newRow("a state") << QStringLiteral("no expiry") << QStringList{QStringLiteral("delta")};
        QTest::newRow("two words, both needed")
            << QStringLiteral("reentrant gam") << QStringList{QStringLiteral("Gamma")};
        QTest::newRow("nobody has it") << QStringLiteral("zeta") << QStringList();
    }
    void showsOnlyWhatHasEveryWord() {
        QFETCH(QString, typed);
        m_filter->setFilterText(typed);
        QTEST(shown(), "names");
    }

    void theWordNodeShowsTheLocksOfANode_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("names");
        const QStringList first{QStringLiteral("on 1")};
        QTest::newRow("part of its address") << QStringLiteral("node:7001") << first;
        QTest::newRow("all of its address") << QStringLiteral("NODE:redis.example.com:7001") << first;
        QTest::newRow("with another word")
            << QStringLiteral("node:example on") << QStringList{first + QStringList{QStringLiteral("on 2")}};
        QTest::newRow("no such node") << QStringLiteral("node:7009") << QStringList();
        QTest::newRow("a name with that word") << QStringLiteral("node:{5}") << QStringList{QStringLiteral("node:{5}")};
        QTest::newRow("no node is a name") << QStringLiteral("7001") << QStringList();
    }
    void theWordNodeShowsTheLocksOfANode() {
        QFETCH(const QString, typed);
        m_model->apply(batchOf({onNode(heldRow(m_clock, lockName("on 1"), 20s), watchedNode(7001)),
                                onNode(heldRow(m_clock, lockName("on 2"), 20s), watchedNode(7002)),
                                heldRow(m_clock, lockName("node:{5}"), 20s)}));
        m_filter->setFilterText(typed);
        QTEST(shown(), "names");
    }

    void sortsByNodeAndThenByName() {
        m_model->clear();
        m_model->apply(batchOf({onNode(heldRow(m_clock, lockName("a"), 20s), watchedNode(7002)),
                                onNode(heldRow(m_clock, lockName("c"), 20s), watchedNode(7001)),
                                onNode(heldRow(m_clock, lockName("b"), 20s), watchedNode(7001))}));
        m_filter->sort(LockTableModel::NodeColumn);
        QCOMPARE(shown(), (QStringList{QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("a")}));
    }

    void findsAnyOfManyReaders() {
        monitor::LockRow row = heldRow(m_clock, lockName("rw"), 1s);
        row.lock.holders = {holder(clientA, 1), holder(clientA, 2), holder(clientB, 4711)};
        m_model->apply(batchOf({row}));
        m_filter->setFilterText(QStringLiteral(":4711"));
        QCOMPARE(shown(), QStringList{QStringLiteral("rw")});
    }

    void hidesFreeLocksOnRequest() {
        m_filter->setFreeLocks(LockFilterModel::FreeLocks::Hidden);
        QVERIFY(!shown().contains(QStringLiteral("alpha")));
        m_model->apply(batchOf({freeRow(m_clock, lockName("beta"))}));
        QVERIFY(!shown().contains(QStringLiteral("beta")));
        m_model->apply(batchOf({heldRow(m_clock, lockName("alpha"), 5s)}));
        QVERIFY(shown().contains(QStringLiteral("alpha")));
    }

    void aFreeLockThatIsWaitedForIsNotHidden() {
        m_filter->setFreeLocks(LockFilterModel::FreeLocks::Hidden);
        monitor::LockRow stuck = freeRow(m_clock, lockName("beta"));
        stuck.lock.waiters = 2;
        m_model->apply(batchOf({stuck}));
        QVERIFY(shown().contains(QStringLiteral("beta")));
    }

    void showsOnlyWhatMayBeWrongOnRequest() {
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("beta"), {watchdogStopped(m_clock)}),
                                diagnosedRow(m_clock, lockName("delta"), {fixedLease(m_clock)})}));
        m_filter->setSoundness(LockFilterModel::Soundness::FaultyOnly);
        QCOMPARE(shown(), QStringList{QStringLiteral("beta")});
        m_model->apply(batchOf({heldRow(m_clock, lockName("beta"), 5s)}));
        QCOMPARE(shown(), QStringList());
        m_filter->setSoundness(LockFilterModel::Soundness::Any);
        QVERIFY(shown().contains(QStringLiteral("beta")));
    }

    void findsADiagnosisByItsWords() {
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("beta"), {watchdogStopped(m_clock)})}));
        m_filter->setFilterText(QStringLiteral("watchdog"));
        QCOMPARE(shown(), QStringList{QStringLiteral("beta")});
    }

    void sortsTheGravestDiagnosisFirst() {
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("Gamma"), {watchdogStopped(m_clock)}),
                                diagnosedRow(m_clock, lockName("alpha"), {fixedLease(m_clock)})}));
        m_filter->sort(LockTableModel::DiagnosisColumn);
        QCOMPARE(shown(), (QStringList{QStringLiteral("Gamma"), QStringLiteral("alpha"), QStringLiteral("beta"),
                                       QStringLiteral("delta")}));
    }

    void sortsByWhatAColumnMeans_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QStringList>("names");
        const QString alpha = QStringLiteral("alpha");
        const QString beta = QStringLiteral("beta");
        const QString gamma = QStringLiteral("Gamma");
        const QString delta = QStringLiteral("delta");
        QTest::newRow("name, any case") << int{LockTableModel::Name} << QStringList{alpha, beta, delta, gamma};
        QTest::newRow("never expires, waited for, held, free")
            << int{LockTableModel::State} << QStringList{delta, beta, gamma, alpha};
        QTest::newRow("soonest end first, then never, then free")
            << int{LockTableModel::Ttl} << QStringList{gamma, beta, delta, alpha};
        QTest::newRow("count, then name") << int{LockTableModel::Count} << QStringList{alpha, beta, delta, gamma};
        QTest::newRow("waiters, then name") << int{LockTableModel::Waiters} << QStringList{alpha, delta, gamma, beta};
    }
    void sortsByWhatAColumnMeans() {
        QFETCH(int, column);
        m_filter->sort(column);
        QTEST(shown(), "names");
    }

    void keepsItsOrderWhileTimesCountDown() {
        m_filter->sort(LockTableModel::Ttl);
        const QStringList before = shown();
        const QSignalSpy moves(m_filter.get(), &QAbstractItemModel::layoutChanged);
        m_clock.advance(8s);
        QCOMPARE(shown(), before);
        QCOMPARE(moves.size(), 0);
    }

    void movesARowThatWasRenewed() {
        m_filter->sort(LockTableModel::Ttl);
        QCOMPARE(shown().front(), QStringLiteral("Gamma"));
        m_model->apply(batchOf({heldRow(m_clock, lockName("Gamma"), 30s)}));
        QCOMPARE(shown().front(), QStringLiteral("beta"));
    }

    // Many or few locks come, change and go at a time. The rows are compared with what filter and order say of each
    // lock.
    void whateverChangesTheRowsAreThoseOfTheFilterInTheirOrder_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<Qt::SortOrder>("order");
        QTest::addColumn<QString>("filter");
        QTest::newRow("by urgency") << int{LockTableModel::State} << Qt::AscendingOrder << QString();
        QTest::newRow("by name, backwards") << int{LockTableModel::Name} << Qt::DescendingOrder << QString();
        QTest::newRow("by time left, filtered")
            << int{LockTableModel::Ttl} << Qt::AscendingOrder << QStringLiteral("waiters:>0");
        QTest::newRow("by kind, backwards, filtered")
            << int{LockTableModel::Kind} << Qt::DescendingOrder << QStringLiteral("7");
    }
    void whateverChangesTheRowsAreThoseOfTheFilterInTheirOrder() {
        QFETCH(const int, column);
        QFETCH(const Qt::SortOrder, order);
        QFETCH(const QString, filter);
        m_filter->sort(column, order);
        m_filter->setFilterText(filter);
        Dice dice(17);
        for (int batch = 0; batch < 24; ++batch) {
            applyRandomBatch(dice, batch % 3 == 0 ? 300 : 5);
            if (batch % 4 == 3)
                m_filter->setFreeLocks(batch % 8 == 3 ? LockFilterModel::FreeLocks::Hidden
                                                      : LockFilterModel::FreeLocks::Shown);
            QCOMPARE(shown(), expected(column, order, filter));
        }
        m_filter->sort(LockTableModel::Count, order);
        QCOMPARE(shown(), expected(LockTableModel::Count, order, filter));
    }

    void aKeptRowFollowsItsLock() {
        m_model->clear();
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 1000; ++i)
            rows.push_back(heldRow(m_clock, LockName(QByteArray::number(i)), 20s));
        m_model->apply(batchOf(rows));
        const QPersistentModelIndex kept = m_filter->mapFromSource(m_model->indexOf(lockName("500")));
        std::vector<monitor::LockRow> added;
        std::vector<LockName> removed;
        for (int i = 0; i < 1000; i += 3) {
            added.push_back(heldRow(m_clock, LockName(QByteArray::number(i) + 'x'), 20s));
            removed.push_back(LockName(QByteArray::number(i)));
        }
        m_model->apply(batchOf(added));
        QCOMPARE(kept.data().toString(), QStringLiteral("500"));
        m_model->apply(removalOf(removed));
        QCOMPARE(kept.data().toString(), QStringLiteral("500"));
        m_filter->sort(LockTableModel::Name, Qt::DescendingOrder);
        QCOMPARE(kept.data().toString(), QStringLiteral("500"));
        m_filter->setFilterText(QStringLiteral("501"));
        QVERIFY(!kept.isValid());
    }

    void manyRowsAreAFewSignals() {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 1000; ++i)
            rows.push_back(heldRow(m_clock, LockName(QByteArray::number(i)), 20s));
        m_model->apply(batchOf(rows));
        const QSignalSpy inserted(m_filter.get(), &QAbstractItemModel::rowsInserted);
        const QSignalSpy moved(m_filter.get(), &QAbstractItemModel::layoutChanged);
        const QSignalSpy changed(m_filter.get(), &QAbstractItemModel::dataChanged);
        std::vector<monitor::LockRow> scattered;
        for (int i = 0; i < 1000; i += 5)
            scattered.push_back(heldRow(m_clock, LockName(QByteArray::number(i) + 'x'), 20s));
        m_model->apply(batchOf(scattered));
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(moved.size(), 1);
        for (monitor::LockRow& row : scattered)
            row.lock.waiters = 1;
        m_model->apply(batchOf(scattered));
        QCOMPARE(moved.size(), 2);
        QCOMPARE(changed.size(), 1);
    }

    void namesAreOrderedAsTheyAreShown_data() {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("other");
        const QByteArrayList names{
            "",          "a",         "A",    "ab",     "B",      "a_b",           "aZb",          "a{42}",
            "a~",        "a 1",       "a\\b", "a\\",    "a\nb",   "a\x7f",         "\\",           "\xc3\xa4",
            "a\xc3\x84", "a\xc3\xa4", "\xff", "a\xff",  "a\xffz", "z\xe2\x80\x8e", "\xef\xbb\xbf", "orders/1",
            "orders/10", "ORDERS/2",  "0",    "[",      "`",      "orders/02/x",   "orders/2/b",   "007",
            "7",         "7a",        "70",   "a9\xff", "a10\xff"};
        for (const QByteArray& one : names) {
            for (const QByteArray& other : names)
                QTest::newRow((one.toPercentEncoding() + " and " + other.toPercentEncoding()).constData())
                    << one << other;
        }
    }
    void namesAreOrderedAsTheyAreShown() {
        QFETCH(const QByteArray, one);
        QFETCH(const QByteArray, other);
        const LockName first(one);
        const LockName second(other);
        const auto sign = [](int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
        QCOMPARE(sign(compareAsShown(first, second)),
                 sign(QString::compare(withPaddedNumbers(first.display()), withPaddedNumbers(second.display()),
                                       Qt::CaseInsensitive)));
    }

    void numbersInNamesAreOrderedByTheirValue() {
        const QByteArrayList ascending{"job:2", "job:10", "job:10:a", "job:010:b", "job:99", "job:100", "jobs"};
        for (qsizetype i = 0; i + 1 < ascending.size(); ++i)
            QVERIFY2(compareAsShown(LockName(ascending.at(i)), LockName(ascending.at(i + 1))) < 0,
                     ascending.at(i).constData());
    }

    // Names may have megabytes, and tables compare names at each change.
    void longNamesHaveOneOrder() {
        const QByteArray long1(2000, 'a');
        const QByteArray umlauts = QByteArrayLiteral("\xc3\xa4").repeated(1000);
        const std::vector<LockName> ascending{
            LockName("a"),          LockName(QByteArray(1024, 'a')), LockName(long1),        LockName(long1 + "a"),
            LockName(long1 + "b"),  LockName(long1 + "\xff"),        LockName("ab" + long1), LockName(umlauts),
            LockName(umlauts + "1")};
        for (size_t i = 0; i < ascending.size(); ++i) {
            for (size_t j = 0; j < ascending.size(); ++j) {
                const int order = compareAsShown(ascending[i], ascending[j]);
                QVERIFY2(i < j   ? order < 0
                         : i > j ? order > 0
                                 : order == 0,
                         qPrintable(QStringLiteral("%1 and %2: %3").arg(i).arg(j).arg(order)));
            }
        }
    }
};

LOCKKEEPER_TEST(TestLockFilterModel, Gui)

}  // namespace tst_lockfiltermodel

#include "tst_lockfiltermodel.moc"
