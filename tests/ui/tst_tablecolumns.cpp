// SPDX-License-Identifier: Apache-2.0
#include "support/dice.h"
#include "support/emptysettings.h"
#include "support/formercolumns.h"
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplelocks.h"
#include "ui/locks/model/lockcolumns.h"
#include "ui/locks/table/tablecolumns.h"
#include "ui/words/diagnosistext.h"

#include <QAction>
#include <QDataStream>
#include <QHeaderView>
#include <QSettings>
#include <QStyle>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace tst_tablecolumns {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestTableColumns : public LockTableTest {
    Q_OBJECT

private:
    void makeView() {
        m_table = std::make_unique<QTableView>();
        m_table->setModel(m_model.get());
        m_columns = new TableColumns(*m_table);
    }
    void widen(int width) {
        m_table->resize(width, 300);
        m_table->show();
        m_columns->fit();
    }
    QList<int> shown() const {
        QList<int> columns;
        for (int column = 0; column < LockTableModel::ColumnCount; ++column)
            if (!m_table->isColumnHidden(column))
                columns << column;
        return columns;
    }
    // As QCommonStyle lays out a cell, on both sides of its text and of its icon.
    int margin() const {
        return m_table->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, m_table.get()) + 1;
    }
    int iconRoom() const { return 16 + 2 * margin(); }
    QAction& action(int column) const { return *m_columns->actions()[column]; }
    void store(const QStringList& arrangement) {
        m_settings->setValue(QStringLiteral("table/arrangement"), arrangement);
    }
    QByteArray formerColumns() const {
        return test::formerColumns(*m_table, [](int) { return 123; });
    }

    QTemporaryDir m_directory;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<QTableView> m_table;
    TableColumns* m_columns = nullptr;  // the table's

private Q_SLOTS:
    void init() {
        m_settings = emptySettings(m_directory);
        makeTable();
        makeView();
    }
    void cleanup() {
        m_table.reset();
        endTable();
    }

    void showsWhatAnIncidentNeeds() {
        QCOMPARE(shown(), (QList<int>{LockTableModel::State, LockTableModel::Name, LockTableModel::DiagnosisColumn,
                                      LockTableModel::HolderColumn, LockTableModel::Count, LockTableModel::Ttl,
                                      LockTableModel::Renewals, LockTableModel::HeldFor, LockTableModel::Waiters}));
    }

    void namesHaveAQuarterAtLeast_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("fits");
        QTest::newRow("a narrow table scrolls") << 500 << false;
        QTest::newRow("on 1024 pixels") << 1004 << true;
        QTest::newRow("a wide one") << 2000 << true;
    }
    void namesHaveAQuarterAtLeast() {
        QFETCH(const int, width);
        widen(width);
        const int room = m_table->viewport()->width();
        QVERIFY(m_table->columnWidth(LockTableModel::Name) >= room / 4);
        QTEST(m_table->horizontalHeader()->length() <= room, "fits");
    }

    // The other columns get their room after it.
    void aUsualDiagnosisCanBeReadBeforeAllElse_data() {
        QTest::addColumn<int>("width");
        QTest::newRow("on 1024 pixels") << 1004;
        QTest::newRow("beside the details, on 1440 pixels") << 1120;
    }
    void aUsualDiagnosisCanBeReadBeforeAllElse() {
        QFETCH(const int, width);
        widen(width);
        const QFontMetrics metrics = m_table->fontMetrics();
        QVERIFY(m_table->columnWidth(LockTableModel::DiagnosisColumn) >=
                metrics.horizontalAdvance(diagnosisTitle(monitor::DiagnosisKind::WatchdogStopped)) + iconRoom() +
                    2 * margin());
        QVERIFY(m_table->horizontalHeader()->length() <= m_table->viewport()->width());
    }

    // In the worst case a cell shows its short text.
    void noUsualCellIsCutOn1024Pixels_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("text");
        const auto row = [](LockTableModel::Column column, const char* text) {
            QTest::newRow(text) << int(column) << QString::fromUtf8(text);
        };
        row(LockTableModel::State, "Held");
        row(LockTableModel::State, "Held here");
        row(LockTableModel::State, "No expiry");
        row(LockTableModel::State, "Waited for");
        row(LockTableModel::HolderColumn, "00001009:34");
        row(LockTableModel::Ttl, "59 min");
        row(LockTableModel::Ttl, "9.8 s");
        row(LockTableModel::Ttl, "never");
        row(LockTableModel::HeldFor, ">59 min");
        row(LockTableModel::DiagnosisColumn, "Watchdog stopped");
    }
    void noUsualCellIsCutOn1024Pixels() {
        QFETCH(const int, column);
        QFETCH(const QString, text);
        widen(1004);
        const QFontMetrics metrics = m_table->fontMetrics();
        const int beside = column == LockTableModel::Ttl       ? 2 * 6
                           : column == LockTableModel::HeldFor ? 2 * margin()
                                                               : iconRoom() + 2 * margin();
        QVERIFY(m_table->columnWidth(column) >= metrics.horizontalAdvance(text) + beside);
    }

    // The text must not take the room of another column.
    void anOldTtlIsNotCutOn1024Pixels() {
        widen(1004);
        QList<int> before;
        for (const int column : shown())
            before << m_table->columnWidth(column);
        m_columns->setTimesOld(true);
        QVERIFY(m_table->columnWidth(LockTableModel::Ttl) >=
                m_table->fontMetrics().horizontalAdvance(QStringLiteral("was 29 min")) + 2 * 6);
        for (const auto& [column, text] : {std::pair(LockTableModel::HolderColumn, "00001009:34"),
                                           std::pair(LockTableModel::DiagnosisColumn, "Watchdog stopped")})
            QVERIFY(m_table->columnWidth(column) >=
                    m_table->fontMetrics().horizontalAdvance(QString::fromLatin1(text)) + iconRoom() + 2 * margin());
        QVERIFY(m_table->horizontalHeader()->length() <= m_table->viewport()->width());
        m_columns->setTimesOld(false);
        for (const int column : shown())
            QCOMPARE(m_table->columnWidth(column), before.takeFirst());
    }

    void aNarrowCellHasAShortText_data() {
        QTest::addColumn<monitor::LockRow>("lock");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("text");
        const monitor::LockRow held = heldRow(m_clock, lockName("L"), 9min + 58s);
        monitor::LockRow awaited = freeRow(m_clock, lockName("L"));
        awaited.lock.waiters = 2;
        monitor::LockRow unread = awaited;
        unread.isUnread = true;
        monitor::LockRow shared = held;
        shared.lock.holders << holder(clientB, 34);
        const auto row = [](const char* name, const monitor::LockRow& lock, LockTableModel::Column column,
                            const char* text) {
            QTest::newRow(name) << lock << int(column) << QString::fromUtf8(text);
        };
        row("minutes", held, LockTableModel::Ttl, "9 min");
        row("seconds", heldRow(m_clock, lockName("L"), 58s), LockTableModel::Ttl, "58 s");
        row("hours", heldRow(m_clock, lockName("L"), 23h + 59min), LockTableModel::Ttl, "23 h");
        row("days", heldRow(m_clock, lockName("L"), 49h), LockTableModel::Ttl, "2 d");
        row("without end", neverExpiringRow(m_clock, lockName("L")), LockTableModel::Ttl, "never");
        row("running out", heldRow(m_clock, lockName("L"), 0s), LockTableModel::Ttl, "0.0 s");
        row("one holder", held, LockTableModel::HolderColumn, "8f14e45f:33");
        row("two holders", shared, LockTableModel::HolderColumn, "2 holders");
        row("a free one that is waited for", awaited, LockTableModel::State, "Waited for");
        row("an unread one", unread, LockTableModel::State, "");
        row("a free one", freeRow(m_clock, lockName("L")), LockTableModel::HolderColumn, "");
    }
    void aNarrowCellHasAShortText() {
        QFETCH(const monitor::LockRow, lock);
        QFETCH(const int, column);
        m_time->follow(connected());
        m_model->apply(batchOf({lock}));
        QTEST(m_model->index(0, column).data(LockTableModel::ShortRole).toString(), "text");
    }

    void aNarrowCellHasAShortTextOfAnOldTtl_data() {
        QTest::addColumn<Milliseconds>("left");
        QTest::addColumn<QString>("text");
        QTest::newRow("minutes") << Milliseconds(29min + 19s) << QStringLiteral("was 29 min");
        QTest::newRow("none") << Milliseconds(0s) << QStringLiteral("was 0.0 s");
    }
    void aNarrowCellHasAShortTextOfAnOldTtl() {
        QFETCH(const Milliseconds, left);
        m_time->follow(reconnecting(m_clock.wallNow()));
        m_model->apply(batchOf({heldRow(m_clock, lockName("L"), left)}));
        QTEST(m_model->index(0, LockTableModel::Ttl).data(LockTableModel::ShortRole).toString(), "text");
    }

    void aNarrowHolderKeepsItsName() {
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        m_model->setAliases(aliases);
        m_model->apply(batchOf({heldRow(m_clock, lockName("L"), 30s)}));
        QCOMPARE(m_model->index(0, LockTableModel::HolderColumn).data(LockTableModel::ShortRole).toString(),
                 QStringLiteral("orders-a:33"));
    }

    void noColumnComesOrGoesWithTheWidth() {
        const QList<int> first = shown();
        for (const int width : {400, 1004, 2000}) {
            widen(width);
            QCOMPARE(shown(), first);
        }
    }

    void everyTitleCanBeReadInANarrowTable() {
        widen(400);
        QHeaderView& header = *m_table->horizontalHeader();
        header.setSortIndicatorShown(true);
        const int margins = 2 * header.style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, &header);
        for (const int sorted : {LockTableModel::State, LockTableModel::Waiters}) {
            header.setSortIndicator(sorted, Qt::AscendingOrder);
            for (const int column : shown()) {
                const QString title = columnTitle(static_cast<LockTableModel::Column>(column));
                const int text = header.fontMetrics().horizontalAdvance(title) + margins;
                const int needed = column == sorted ? header.sectionSizeHint(column) : text;
                QVERIFY2(m_table->columnWidth(column) >= needed, qPrintable(title));
            }
        }
    }

    void aWiderTableGivesItsRoomToTheNames() {
        widen(1600);
        const int holder = m_table->columnWidth(LockTableModel::HolderColumn);
        const int name = m_table->columnWidth(LockTableModel::Name);
        widen(2000);
        QCOMPARE(m_table->columnWidth(LockTableModel::HolderColumn), holder);
        QCOMPARE(m_table->columnWidth(LockTableModel::Name), name + 400);
    }

    void aColumnMadeWiderStaysSo() {
        widen(1600);
        m_table->setColumnWidth(LockTableModel::HolderColumn, 333);
        widen(2000);
        QCOMPARE(m_table->columnWidth(LockTableModel::HolderColumn), 333);
        m_columns->retranslate();
        QCOMPARE(m_table->columnWidth(LockTableModel::HolderColumn), 333);
    }

    void theMenuShowsAndHides() {
        widen(1600);
        action(LockTableModel::Kind).trigger();
        action(LockTableModel::HolderColumn).trigger();
        QVERIFY(shown().contains(LockTableModel::Kind));
        QVERIFY(m_table->columnWidth(LockTableModel::Kind) >=
                m_table->fontMetrics().horizontalAdvance(QStringLiteral("Faster multi")));
        QVERIFY(!shown().contains(LockTableModel::HolderColumn));
        QCOMPARE(m_table->horizontalHeader()->length(), m_table->viewport()->width());
        for (const int column : {LockTableModel::State, LockTableModel::Name})
            QVERIFY(!action(column).isEnabled());
    }

    void whatTheUserChoseComesBack() {
        widen(2400);
        action(LockTableModel::Kind).trigger();
        action(LockTableModel::Waiters).trigger();
        m_table->setColumnWidth(LockTableModel::HolderColumn, 333);
        const QList<int> chosen = shown();
        m_columns->save(*m_settings);
        makeView();
        m_columns->restore(*m_settings);
        widen(2400);
        QCOMPARE(shown(), chosen);
        QVERIFY(action(LockTableModel::Kind).isChecked());
        QCOMPARE(m_table->columnWidth(LockTableModel::HolderColumn), 333);
    }

    void aNarrowTableDoesNotShrinkWhatIsSaved() {
        widen(1600);
        m_table->setColumnWidth(LockTableModel::HolderColumn, 333);
        m_table->setColumnWidth(LockTableModel::Ttl, 60);
        widen(500);
        QVERIFY(m_table->columnWidth(LockTableModel::HolderColumn) < 333);
        m_columns->save(*m_settings);
        makeView();
        m_columns->restore(*m_settings);
        widen(1600);
        QCOMPARE(m_table->columnWidth(LockTableModel::HolderColumn), 333);
        QCOMPARE(m_table->columnWidth(LockTableModel::Ttl), 60);
    }

    void aColumnOfNodesThatWasChosenComesBack() {
        m_columns->setNodesShown(true);
        action(LockTableModel::NodeColumn).trigger();
        m_columns->save(*m_settings);
        m_columns->setNodesShown(false);  // the connection ends
        QVERIFY(!shown().contains(LockTableModel::NodeColumn));
        m_columns->setNodesShown(true);
        QVERIFY(shown().contains(LockTableModel::NodeColumn));
        makeView();
        m_columns->restore(*m_settings);
        QVERIFY(!shown().contains(LockTableModel::NodeColumn));
        m_columns->setNodesShown(true);
        QVERIFY(shown().contains(LockTableModel::NodeColumn));
    }

    void aColumnThatTheSettingsDoNotKnowIsInItsUsualPlace() {
        const QHeaderView& header = *m_table->horizontalHeader();
        const auto order = [&header] {
            QList<int> columns;
            for (int place = 0; place < header.count(); ++place)
                columns << header.logicalIndex(place);
            return columns;
        };
        const QList<int> usual = order();
        store({QStringLiteral("state 90"), QStringLiteral("name 300"), QStringLiteral("holder 222")});
        m_columns->restore(*m_settings);
        QCOMPARE(order(), usual);
        store({QStringLiteral("waiters 90"), QStringLiteral("name 300"), QStringLiteral("no such column 222")});
        m_columns->restore(*m_settings);
        QCOMPARE(order().indexOf(LockTableModel::NodeColumn), order().indexOf(LockTableModel::Name) + 1);
        QCOMPARE(order().indexOf(LockTableModel::WaitingSinceColumn), order().indexOf(LockTableModel::Waiters) + 1);
        QCOMPARE(order().first(), int(LockTableModel::State));
    }

    void aWidthIsBounded_data() {
        QTest::addColumn<QString>("stored");
        QTest::addColumn<int>("width");
        QTest::newRow("none") << QStringLiteral("holder 0") << ColumnArrangement::narrowest;
        QTest::newRow("negative") << QStringLiteral("holder -7") << ColumnArrangement::narrowest;
        QTest::newRow("huge") << QStringLiteral("holder 2147483647") << ColumnArrangement::widest;
    }
    void aWidthIsBounded() {
        QFETCH(const QString, stored);
        store({QStringLiteral("name 300"), stored});
        QTEST(storedArrangement(*m_settings)->places.last().width, "width");
        m_columns->restore(*m_settings);
        widen(800);
        QVERIFY(m_table->columnWidth(LockTableModel::HolderColumn) <= ColumnArrangement::widest);
    }

    void whatIsNoArrangementChangesNothing_data() {
        QTest::addColumn<QStringList>("stored");
        QTest::newRow("nothing") << QStringList();
        QTest::newRow("garbage") << QStringList{"garbage", "", " ", "1 2 3"};
        QTest::newRow("no width") << QStringList{"waiters", "holder x", "ttl  80"};
        QTest::newRow("another word") << QStringList{"waiters 80 visible", "ttl 80 hidden hidden"};
    }
    void whatIsNoArrangementChangesNothing() {
        QFETCH(const QStringList, stored);
        const QList<int> before = shown();
        store(stored);
        m_columns->restore(*m_settings);
        QCOMPARE(shown(), before);
        QVERIFY(!m_settings->value(QStringLiteral("table/arrangement")).isValid() ||
                m_settings->value(QStringLiteral("table/arrangement")).toStringList().isEmpty());
    }

    // ---- what version 0.1 saved ----

    void theFormerColumnsAreRead() {
        QHeaderView& header = *m_table->horizontalHeader();
        header.moveSection(header.visualIndex(LockTableModel::Ttl), 0);
        header.setSortIndicator(LockTableModel::Name, Qt::DescendingOrder);
        m_table->setColumnHidden(LockTableModel::Waiters, true);
        m_table->setColumnHidden(LockTableModel::Kind, false);
        const QList<int> chosen = shown();
        const QByteArray former = formerColumns();
        makeView();
        m_settings->setValue(QStringLiteral("table/shownColumns"), former);
        m_columns->restore(*m_settings);
        QCOMPARE(m_table->horizontalHeader()->visualIndex(LockTableModel::Ttl), 0);
        QCOMPARE(m_table->horizontalHeader()->sortIndicatorSection(), int(LockTableModel::Name));
        QCOMPARE(m_table->horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(shown(), chosen);
        widen(3000);
        QCOMPARE(m_table->columnWidth(LockTableModel::HolderColumn), 123);
        QVERIFY(m_settings->contains(QStringLiteral("table/shownColumns")));  // until the new ones are saved
        m_columns->save(*m_settings);
        QVERIFY(!m_settings->contains(QStringLiteral("table/shownColumns")));
    }

    void formerColumnsCutShortAreDropped() {
        const QByteArray former = formerColumns();
        const QList<int> before = shown();
        // What is behind the hidden columns in the state of the header is not read.
        for (qsizetype size = 0; size < former.size(); ++size) {
            m_settings->setValue(QStringLiteral("table/shownColumns"), former.left(size));
            m_columns->restore(*m_settings);
            QCOMPARE(shown(), before);
            QVERIFY(!m_settings->contains(QStringLiteral("table/shownColumns")));
        }
    }

    void formerColumnsWithRandomDamageAreDroppedOrRead_data() { addSeeds(); }
    void formerColumnsWithRandomDamageAreDroppedOrRead() {
        QFETCH(const uint, seed);
        Dice dice(seed);
        const QByteArray former = formerColumns();
        for (int i = 0; i < 3000; ++i) {
            QByteArray bytes = former;
            for (size_t changes = 1 + dice.below(4); changes > 0; --changes)
                bytes[static_cast<qsizetype>(dice.below(static_cast<size_t>(bytes.size())))] =
                    static_cast<char>(dice.below(256));
            m_settings->setValue(QStringLiteral("table/shownColumns"), bytes);
            m_columns->restore(*m_settings);
            const QHeaderView& header = *m_table->horizontalHeader();
            for (int column = 0; column < LockTableModel::ColumnCount; ++column)
                QCOMPARE(header.logicalIndex(header.visualIndex(column)), column);
            QVERIFY(shown().contains(LockTableModel::State) && shown().contains(LockTableModel::Name));
        }
    }

    void nodesHaveAColumnInAClusterOnRequest() {
        QVERIFY(!action(LockTableModel::NodeColumn).isVisible());
        m_columns->setNodesShown(true);
        QVERIFY(action(LockTableModel::NodeColumn).isVisible());
        QVERIFY(!shown().contains(LockTableModel::NodeColumn));
        action(LockTableModel::NodeColumn).trigger();
        QVERIFY(shown().contains(LockTableModel::NodeColumn));
        QCOMPARE(m_table->horizontalHeader()->visualIndex(LockTableModel::NodeColumn),
                 m_table->horizontalHeader()->visualIndex(LockTableModel::Name) + 1);
        m_columns->save(*m_settings);
        m_columns->restore(*m_settings);
        QVERIFY(shown().contains(LockTableModel::NodeColumn));
        action(LockTableModel::NodeColumn).trigger();
        m_columns->setNodesShown(true);  // as happens with each batch of figures
        QVERIFY(!shown().contains(LockTableModel::NodeColumn));
        m_columns->setNodesShown(false);
        QVERIFY(!action(LockTableModel::NodeColumn).isVisible());
    }
};

LOCKKEEPER_TEST(TestTableColumns, Gui)

}  // namespace tst_tablecolumns

#include "tst_tablecolumns.moc"
