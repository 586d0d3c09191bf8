// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/groups/groupdialog.h"
#include "ui/session/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// Locks counted by prefix and by client, beside the table of the real window.
class TestGroupDialog : public test::WindowTest {
    Q_OBJECT

private:
    QTreeWidget& list() const { return *m_window->findChild<QTreeWidget*>(QStringLiteral("groups")); }
    QStringList rows() const {
        QStringList rows;
        for (int i = 0; i < list().topLevelItemCount(); ++i) {
            QStringList cells;
            for (int column = 0; column < list().columnCount(); ++column)
                cells << list().topLevelItem(i)->text(column);
            rows << cells.join(u' ');
        }
        return rows;
    }
    void open() { m_window->findChild<QAction*>(QStringLiteral("actionGroups"))->trigger(); }
    void groupByClient() { m_window->findChild<QComboBox*>(QStringLiteral("groupBy"))->setCurrentIndex(1); }
    void activate(int row) { Q_EMIT list().itemActivated(list().topLevelItem(row), 0); }
    QStringList shownLocks() const {
        QStringList names;
        for (const monitor::LockRow& row : m_window->currentPage().locksPage().shownLocks())
            names << plainName(row.lock.name);
        names.sort();
        return names;
    }

    // Of ten groups.
    std::vector<monitor::LockRow> tenThousandLocks(Milliseconds left) const {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 10'000; ++i)
            rows.push_back(heldRow(m_clock, LockName("group" + QByteArray::number(i % 10) + ":" + QByteArray::number(i)), left));
        return rows;
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_engine->say(connected());
        m_engine->say(batchOf({heldRow(m_clock, lockName("orders:1"), 12s), freeRow(m_clock, lockName("orders:2")),
                               diagnosedRow(m_clock, lockName("orders:3"), {watchdogStopped(m_clock)}),
                               heldRow(m_clock, lockName("my/orders:4"), 12s, holder(clientB, 1)), freeRow(m_clock, lockName("lonely"))}));
    }
    void cleanup() {
        end();
    }

    void theLargestGroupComesFirst() {
        open();
        QCOMPARE(rows(), QStringList({"orders: 3 2 0 1", "(names without a prefix) 1 0 0 0", "my/ 1 1 0 0"}));
        QCOMPARE(m_window->findChild<QLabel*>(QStringLiteral("groupCount"))->text(), QStringLiteral("3 groups"));
    }

    void aGroupFiltersTheTable() {
        open();
        activate(0);
        QCOMPARE(shownLocks(), QStringList({"orders:1", "orders:2", "orders:3"}));
        activate(1);  // no filter can show it
        QCOMPARE(shownLocks().size(), 3);
    }

    void enterFiltersAndEscCloses() {
        open();
        list().setCurrentItem(list().topLevelItem(0));
        QTest::keyClick(&list(), Qt::Key_Return);
        QCOMPARE(shownLocks().size(), 3);
        QVERIFY(list().isVisible());
        QTest::keyClick(&list(), Qt::Key_Escape);
        QVERIFY(!list().isVisible());
    }

    void byClientHeldLocksAreCounted() {
        open();
        groupByClient();
        QCOMPARE(list().topLevelItemCount(), 2);
        QVERIFY2(rows().at(1).startsWith(QString::fromLatin1(clientB) + QStringLiteral(" 1 1")), qPrintable(rows().at(1)));
        activate(1);
        QCOMPARE(shownLocks(), QStringList("my/orders:4"));
    }

    void followsTheLocks() {
        open();
        m_engine->say(batchOf({heldRow(m_clock, lockName("my/5"), 12s), heldRow(m_clock, lockName("my/6"), 12s),
                               heldRow(m_clock, lockName("my/7"), 12s)}));
        m_clock.advance(1s);
        QCOMPARE(rows().first(), QStringLiteral("my/ 4 4 0 0"));
    }

    // How much is done for a batch depends on the number of groups, not on that of its rows.
    void tenThousandLocksAreCountedOnceForABatch() {
        open();
        m_clock.advance(1s);
        const QSignalSpy changes(list().model(), &QAbstractItemModel::dataChanged);
        m_engine->say(batchOf(tenThousandLocks(12s)));
        m_engine->say(batchOf(tenThousandLocks(11s)));
        QCOMPARE(changes.count(), 0);
        m_clock.advance(1s);
        QCOMPARE(list().topLevelItemCount(), 13);
        QCOMPARE(rows().first(), QStringLiteral("group0: 1,000 1,000 0 0"));
        constexpr int mostForAGroup = 10;  // two for each column
        QVERIFY2(changes.count() <= mostForAGroup * 13, qPrintable(QString::number(changes.count())));
    }

    void ofManyGroupsTheLargestAreShown() {
        std::vector<monitor::LockRow> many;
        for (size_t i = 0; i < GroupDialog::mostShown + 5; ++i)
            many.push_back(heldRow(m_clock, LockName("group" + QByteArray::number(i) + ":x"), 12s));
        m_engine->say(batchOf(many));
        open();
        QCOMPARE(list().topLevelItemCount(), static_cast<int>(GroupDialog::mostShown));
        const QString count = m_window->findChild<QLabel*>(QStringLiteral("groupCount"))->text();
        QVERIFY2(count.startsWith(QStringLiteral("The largest 1,000 of 1,008 groups")), qPrintable(count));
    }

    void thePrefixOfAName_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("prefix");
        QTest::newRow("colon") << QByteArray("a:b:c") << QStringLiteral("a:");
        QTest::newRow("hash tag") << QByteArray("{a}b") << QStringLiteral("{");
        QTest::newRow("dot") << QByteArray("com.example.Lock") << QStringLiteral("com.");
        QTest::newRow("none") << QByteArray("lock") << QString();
    }
    void thePrefixOfAName() {
        QFETCH(const QByteArray, name);
        QTEST(prefixOf(LockName(name)), "prefix");
    }

    // The filter does not distinguish case, so the groups do not either.
    void aGroupShowsAsManyLocksAsItCounts() {
        m_engine->say(batchOf({freeRow(m_clock, lockName("ORDERS:5")), freeRow(m_clock, lockName("two words:1")),
                               freeRow(m_clock, lockName("Two Words:2"))}));
        open();
        QCOMPARE(rows().mid(0, 2), QStringList({"orders: 4 2 0 1", "two words: 2 0 0 0"}));
        activate(0);
        QCOMPARE(shownLocks().size(), 4);
        activate(1);
        QCOMPARE(shownLocks(), QStringList({"Two Words:2", "two words:1"}));
    }

    void aPrefixThatCannotBeTypedHasNoFilter() {
        LockGroup group;
        group.prefix = QStringLiteral("a \"b\":");
        QCOMPARE(filterOf(group), QString());
    }
};

LOCKKEEPER_TEST(TestGroupDialog, Gui)
#include "tst_groupdialog.moc"
