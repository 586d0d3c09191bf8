// SPDX-License-Identifier: Apache-2.0
#include "support/dice.h"
#include "support/formercolumns.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/messagebar.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QAction>
#include <QDataStream>
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QPoint>
#include <QTableView>
#include <QTest>
#include <QtEndian>

#include <array>

namespace tst_damagedsettings {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// Whatever the file of the settings holds, the window starts, and says once what of it was no use.
class TestDamagedSettings : public WindowTest {
    Q_OBJECT

private:
    // Starts the window as a new run of the program, from the file, and uses it.
    void start() {
        m_window.reset();
        m_settings->sync();
        const QString file = m_settings->fileName();
        m_settings = std::make_unique<QSettings>(file, QSettings::IniFormat);
        makeWindow();
        m_said = m_window->messages().texts();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
        QVERIFY(!m_window->grab().isNull());
    }
    void checkTable() const {
        const QTableView& table = m_window->currentPage().locksPage().table();
        QVERIFY(!table.isColumnHidden(LockTableModel::State));
        QVERIFY(!table.isColumnHidden(LockTableModel::Name));
        QVERIFY(table.columnWidth(LockTableModel::Name) > 0);
        QCOMPARE(table.model()->rowCount(), 1);
    }
    void openAndCloseTheSettings() const {
        find<QAction>("actionSettings").trigger();
        find<QDialog>("settingsDialog").reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    // The window stays until the next start.
    void closeAndSave() {
        m_window->close();
        m_engine->finishShutDown();
        QVERIFY(m_window->isHidden());
    }
    [[nodiscard]] static QByteArray formerColumns(const QTableView& table) {
        return test::formerColumns(table, [&table](int column) { return std::max(table.columnWidth(column), 50); });
    }
    [[nodiscard]] QByteArray formerColumns() const {
        return formerColumns(m_window->currentPage().locksPage().table());
    }
    // A few bytes are others, or the end is missing.
    [[nodiscard]] static QByteArray damaged(QByteArray bytes, Dice& dice) {
        if (dice.oneIn(8))
            return bytes.left(static_cast<qsizetype>(dice.below(static_cast<size_t>(bytes.size()))));
        constexpr std::array<char, 5> likely{'\x00', '\x01', '\x7f', '\x80', '\xff'};
        for (size_t changes = 1 + dice.below(4); changes > 0; --changes) {
            char& byte = bytes[static_cast<qsizetype>(dice.below(static_cast<size_t>(bytes.size())))];
            byte = dice.oneIn(2) ? dice.oneOf(likely) : static_cast<char>(dice.below(256));
        }
        return bytes;
    }

    QStringList m_said;  // at the start

private Q_SLOTS:
    void initTestCase() { qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere"); }
    void init() { begin(); }
    void cleanup() { end(); }

    void theWindowStartsWithEach_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QVariantList>("values");
        const QVariantList noNumbers{QStringLiteral("x"),
                                     QString(),
                                     -1,
                                     QStringLiteral("9223372036854775807"),
                                     QStringList{"1", "2"},
                                     QByteArray("\xff\x00\x07", 3),
                                     QPoint(7, 8),
                                     QStringLiteral("99999999999999999999999999"),
                                     QStringLiteral("1e999")};
        const QVariantList noSwitches{QStringLiteral("maybe"),     QString(),          -1,
                                      QStringList{"true", "true"}, QByteArray("true"), QPoint(7, 8)};
        const QVariantList noWords{QStringLiteral("x"),        QString(),          -1,
                                   QStringList{"dark", "utc"}, QByteArray("dark"), QPoint(7, 8)};
        const QVariantList noLists{QByteArray("\xff\x00\x07", 3), QPoint(7, 8)};
        const QVariantList noBytes{QStringLiteral("x"),
                                   -1,
                                   QStringList{"a", "b"},
                                   QPoint(7, 8),
                                   QByteArray(),
                                   QByteArray("garbage"),
                                   QByteArray(1'000'000, '\x00'),
                                   QByteArray(1'000'000, '\xff')};
        const auto row = [](const char* key, const QVariantList& values) {
            QTest::newRow(key) << QString::fromLatin1(key) << values;
        };
        for (const char* key :
             {"history/days", "history/rows", "timeline/laneHeight", "timeline/lanes", "timeline/span",
              "discovery/share", "view/fontSize", "notices/heldLongerMs", "notices/ttlUnderMs"})
            row(key, noNumbers);
        for (const char* key : {"table/showFree", "table/groupsExpanded", "timeline/lastingLanes", "tray/shown",
                                "notices/desktop", "notices/sound"})
            row(key, noSwitches);
        for (const char* key : {"view/theme", "view/clock", "table/groupBy", "table/sorted"})
            row(key, noWords);
        for (const char* key : {"window/geometry", "window/state", "window/shell", "table/shownColumns"})
            row(key, noBytes);
        row("table/arrangement",
            noLists + QVariantList{QStringLiteral("x"), QStringList{"name"}, QStringList{"name x", "x 20"},
                                   QStringList{"name 200", "name 300"}, QStringList{"name 200 shown"},
                                   QStringList(5000, QStringLiteral("ttl 80"))});
        row("timeline/pinned", noLists + QVariantList{QStringLiteral("*"), QStringList(5000, QStringLiteral("YQ=="))});
        row("filters/saved", noLists + QVariantList{QStringList{"a"}, QStringList(5000, QStringLiteral("a"))});
        row("holders/aliases", noLists + QVariantList{QStringLiteral("x"), QStringList(5000, QStringLiteral("x y"))});
        row("notices/diagnoses", noLists + QVariantList{QStringLiteral("x"), QStringList(5000, QStringLiteral("x"))});
        row("notices/names", {QStringList{"a", "b"}, QByteArray("a"), QPoint(7, 8), QString(20'000, u'x')});
        row("discovery/matches", noLists + QVariantList{QStringList(5000, QStringLiteral("x"))});
        row("discovery/prefixes", noLists + QVariantList{QStringList(5000, QStringLiteral("x"))});
        row("connection/recent",
            noLists + QVariantList{QStringLiteral("x"), QStringList(50, QStringLiteral("http://x"))});
    }
    void theWindowStartsWithEach() {
        QFETCH(const QString, key);
        QFETCH(const QVariantList, values);
        for (const QVariant& value : values) {
            m_settings->clear();
            // What is sorted counts for an arrangement alone.
            if (key == QStringLiteral("table/sorted"))
                m_settings->setValue(QStringLiteral("table/arrangement"), QStringList{"state 90", "name 300"});
            m_settings->setValue(key, value);
            start();
            checkTable();
            openAndCloseTheSettings();  // some are read there first
            QVERIFY2(m_settings->value(key) != value, qPrintable(value.toString().left(50)));
        }
        start();  // says what was found after the start
        start();
        QVERIFY2(m_said.isEmpty(), qPrintable(m_said.join(u'\n')));
    }

    void itSaysOnceWhichWereDamagedAndKeepsTheOthers() {
        m_settings->setValue(QStringLiteral("history/days"), QStringLiteral("x"));
        m_settings->setValue(QStringLiteral("timeline/lanes"), -1);
        m_settings->setValue(QStringLiteral("table/showFree"), false);
        start();
        QCOMPARE(m_said.size(), 1);
        QVERIFY2(m_said.first().contains(m_settings->fileName()), qPrintable(m_said.first()));
        QVERIFY2(m_said.first().contains(QStringLiteral("timeline/lanes")), qPrintable(m_said.first()));
        QCOMPARE(m_window->messages().texts(), m_said);  // in sight also once it is connected
        QCOMPARE(m_settings->value(QStringLiteral("table/showFree")).toString(), QStringLiteral("false"));
        start();
        QVERIFY(m_said.isEmpty() || !m_said.first().contains(QStringLiteral("timeline/lanes")));
    }

    void aFileThatIsNoneIsNoReasonNotToStart_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("text") << QByteArray("this is\nno file\nof settings");
        QTest::newRow("bytes") << QByteArray("\x7f\x45\x4c\x46\x00\x01[\xff\xfe]=\n[[[%%%\n=\n@", 22);
        QTest::newRow("zeros, as after a crash of the machine") << QByteArray(4096, '\0');
        QTest::newRow("half a line") << QByteArray("[table]\nshownColumns=@ByteArray(LKC\\x4\\0\\0");
        QTest::newRow("a variant cut short") << QByteArray(
            "[table]\nshownColumns=@Variant(\\0\\0\\0\\xc\\xff\\xff\\xff)\n[view]\nfontSize=@Variant(\\0\\0\\0\\x87)"
            "\n");
    }
    void aFileThatIsNoneIsNoReasonNotToStart() {
        QFETCH(const QByteArray, content);
        m_settings->sync();
        QFile file(m_settings->fileName());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        start();
        checkTable();
        closeAndSave();
        start();
        QVERIFY2(m_said.isEmpty(), qPrintable(m_said.join(u'\n')));
    }

    // ---- the columns as version 0.1 saved them ----

    void anIndexOrACountOfTheFormerColumnsIsChanged_data() {
        QTest::addColumn<int>("place");
        QTest::addColumn<quint32>("number");
        // Within the bytes: a number of our own and the length of the header's state, then its numbers.
        constexpr int header = 8;
        constexpr int lists = header + 5 * 4 + 1;
        constexpr int listSize = 4 + 4 * test::formerColumnCount;
        for (const quint32 number : {13U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
            const auto row = [number](const char* name, int place) {
                QTest::addRow("%s: %x", name, number) << place << number;
            };
            row("the length of the header's state", 4);
            row("the order", header + 12);
            row("the sorted column", header + 16);
            row("the count of places", lists);
            row("a place", lists + 4);
            row("the count of columns", lists + listSize);
            row("a column", lists + listSize + 8);
            row("the count of hidden ones", lists + 2 * listSize);
        }
    }
    void anIndexOrACountOfTheFormerColumnsIsChanged() {
        QFETCH(const int, place);
        QFETCH(const quint32, number);
        start();
        QByteArray bytes = formerColumns();
        qToBigEndian(number, bytes.data() + place);
        m_window.reset();
        m_settings->clear();
        m_settings->setValue(QStringLiteral("table/shownColumns"), bytes);
        start();
        checkTable();
        QCOMPARE(m_said.size(), 1);
        QVERIFY2(m_said.first().contains(QStringLiteral("table/shownColumns")), qPrintable(m_said.first()));
        start();
        QVERIFY(m_said.isEmpty());
    }

    // But not the panels: QMainWindow::restoreState() may crash with what version 0.1 saved of them, if it is damaged.
    void anUpdateKeepsTheColumnsAndThePlaceOfTheWindow() {
        start();
        QTableView& table = m_window->currentPage().locksPage().table();
        find<QAction>("actionColumn_3").trigger();  // kind
        find<QAction>("actionColumn_9").trigger();  // waiters
        QHeaderView& header = *table.horizontalHeader();
        header.moveSection(header.visualIndex(LockTableModel::Ttl), 0);
        table.sortByColumn(LockTableModel::Name, Qt::DescendingOrder);
        find<QDockWidget>("timelineDock").hide();
        m_window->resize(1000, 700);
        const QSize size = m_window->size();
        const QByteArray columns = formerColumns();
        const QByteArray panels = m_window->currentPage().saveState();  // without a checksum
        const QByteArray frame = m_window->saveGeometry();
        m_window.reset();
        m_settings->clear();
        m_settings->setValue(QStringLiteral("table/shownColumns"), columns);
        m_settings->setValue(QStringLiteral("window/state"), panels);
        m_settings->setValue(QStringLiteral("window/geometry"), frame);
        for (int run = 0; run < 2; ++run) {
            start();
            QCOMPARE(m_said.size(), run == 0 ? 1 : 0);
            QVERIFY2(run > 0 || m_said.first().contains(QStringLiteral(": window/state. ")),
                     qPrintable(m_said.join(u'\n')));
            const QTableView& shown = m_window->currentPage().locksPage().table();
            QVERIFY(!shown.isColumnHidden(LockTableModel::Kind));
            QVERIFY(shown.isColumnHidden(LockTableModel::Waiters));
            QCOMPARE(shown.horizontalHeader()->visualIndex(LockTableModel::Ttl), 0);
            QCOMPARE(shown.horizontalHeader()->sortIndicatorSection(), int(LockTableModel::Name));
            QCOMPARE(shown.horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
            QCOMPARE(m_window->size(), size);
            QVERIFY(!find<QDockWidget>("timelineDock").isHidden());
            closeAndSave();
            QVERIFY(!m_settings->contains(QStringLiteral("table/shownColumns")));
        }
    }

    // ---- random damage ----

    void theWindowStartsWithRandomDamage_data() {
        QTest::addColumn<QString>("key");
        for (const char* key : {"table/shownColumns", "window/state", "window/geometry"})
            QTest::newRow(key) << QString::fromLatin1(key);
        QTest::newRow("window/state as this version saves it") << QStringLiteral("window/state");
        QTest::newRow("window/shell as this version saves it") << QStringLiteral("window/shell");
    }
    void theWindowStartsWithRandomDamage() {
        QFETCH(const QString, key);
        constexpr uint seeds = 25;
        start();
        closeAndSave();
        QByteArray bytes = m_settings->value(key).toByteArray();
        if (key == QStringLiteral("table/shownColumns"))
            bytes = formerColumns();
        if (QTest::currentDataTag() == QByteArray("window/state"))
            bytes = m_window->currentPage().saveState();
        QVERIFY(!bytes.isEmpty());
        for (uint seed = 0; seed < seeds; ++seed) {
            Dice dice(seed);
            m_window.reset();
            m_settings->clear();
            m_settings->setValue(key, damaged(bytes, dice));
            start();
            checkTable();
        }
    }
};

LOCKKEEPER_TEST(TestDamagedSettings, Gui)

}  // namespace tst_damagedsettings

#include "tst_damagedsettings.moc"
