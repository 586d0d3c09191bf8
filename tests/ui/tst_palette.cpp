// SPDX-License-Identifier: Apache-2.0
#include "profile/connectionprofile.h"
#include "support/guitestprogram.h"
#include "support/pseudotranslator.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/messagebar.h"
#include "ui/locks/clients/clientnames.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/window/palette/palettedialog.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

namespace tst_palette {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The palette of the real window, by the keyboard.
class TestPalette : public test::WindowTest {
    Q_OBJECT

private:
    [[nodiscard]] bool isOpen() const {
        const auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("paletteDialog"));
        return dialog && dialog->isVisible();
    }
    void open() {
        find<QAction>("actionPalette").trigger();
        QVERIFY(isOpen());
    }
    void type(const QString& text) const { QTest::keyClicks(&find<QLineEdit>("paletteField"), text); }
    void press(Qt::Key key) const { QTest::keyClick(&find<QLineEdit>("paletteField"), key); }
    void choose(const QString& text) {
        open();
        type(text);
        press(Qt::Key_Return);
    }
    QString row(int index) const {
        const QTreeWidgetItem* item = find<QTreeWidget>("paletteList").topLevelItem(index);
        return item ? item->text(0) + QStringLiteral(" | ") + item->text(1) + QStringLiteral(" | ") + item->text(2)
                    : QString();
    }
    QString currentLock() const {
        const std::optional<LockName> name = m_window->currentPage().locksPage().selection().name();
        return name ? plainName(*name) : QString();
    }
    void connectWithLocks() {
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders/{42}"), 12s),
                                  heldRow(m_clock, lockName("catalog"), 20s, holder(clientB, 1)),
                                  freeRow(m_clock, lockName("free"))}));
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
    }
    void cleanup() { end(); }

    // A text field has this key, too: it deletes up to the end there.
    void itsKeyOpensItAlsoFromTheFilter() {
        connectWithLocks();
        activate();
        m_window->currentPage().locksPage().focusFilter();
        QTest::keyClick(&find<QLineEdit>("lockFilter"), Qt::Key_K, Qt::ControlModifier);
        QVERIFY(isOpen());
        QCOMPARE(find<QDialog>("paletteDialog").focusWidget(), &find<QLineEdit>("paletteField"));
    }

    void selectsALock() {
        connectWithLocks();
        choose(QStringLiteral("cata"));
        QVERIFY(!isOpen());
        QCOMPARE(currentLock(), QStringLiteral("catalog"));
    }

    // By the one that the program uses, and by its key.
    void aLockIsFoundByBothOfItsNames() {
        const auto profile =
            profile::ConnectionProfile::fromUrl(QStringLiteral("redis://cache.example?name-prefix=app:"));
        QVERIFY(profile.ok());
        m_window->connectTo(*profile);
        m_engine->report(connected());
        m_engine->report(
            batchOf({heldRow(m_clock, lockName("app:orders"), 12s), heldRow(m_clock, lockName("other"), 9s)}));
        open();
        type(QStringLiteral("orders"));
        QCOMPARE(row(0), QStringLiteral("orders | Lock: Held; key app:orders | "));
        find<QLineEdit>("paletteField").clear();
        type(QStringLiteral("app:ord"));
        press(Qt::Key_Return);
        QCOMPARE(currentLock(), QStringLiteral("app:orders"));
        QCOMPARE(find<QPlainTextEdit>("detailName").toPlainText(), QStringLiteral("orders"));
        QCOMPARE(m_window->currentPage().lockForActions(), QStringLiteral("orders"));
    }

    void aLockThatIsGoneIsReported() {
        connectWithLocks();
        open();
        type(QStringLiteral("cata"));
        monitor::MonitorBatch batch;
        batch.removed = {lockName("catalog")};
        m_engine->report(batch);
        press(Qt::Key_Return);
        QVERIFY(m_window->messages().texts().value(0).contains(QStringLiteral("catalog")));
    }

    void runsAnActionAndShowsItsKey() {
        open();
        type(QStringLiteral("settings"));
        QCOMPARE(row(0), QStringLiteral("Settings | Action: Tools | Ctrl+,"));
        press(Qt::Key_Return);
        QVERIFY(find<QDialog>("settingsDialog").isVisible());
    }

    void anActionThatIsRefusedCannotBeRun() {
        open();
        type(QStringLiteral("disconnect"));
        const QTreeWidgetItem* item = find<QTreeWidget>("paletteList").topLevelItem(0);
        QCOMPARE(item->text(0), QStringLiteral("Disconnect"));
        QVERIFY(item->isDisabled());
        press(Qt::Key_Return);
        QVERIFY(isOpen());
    }

    // The palette has what the menu of a row offers.
    void findsOutWhoHoldsTheSelectedLock() {
        connectWithLocks();
        m_window->currentPage().locksPage().select(lockName("orders/{42}"));
        choose(QStringLiteral("find out who"));
        QVERIFY(m_window->findChild<QDialog*>(QStringLiteral("identifyDialog")));
    }
    void namesTheHolderOfTheSelectedLock() {
        connectWithLocks();
        m_window->currentPage().locksPage().select(lockName("orders/{42}"));
        choose(QStringLiteral("name this client"));
        QVERIFY(m_window->findChild<QDialog*>(QStringLiteral("aliasDialog")));
    }

    void withoutAHolderNothingIsOfferedAboutIt_data() {
        QTest::addColumn<QString>("selected");
        QTest::newRow("nothing selected") << QString();
        QTest::newRow("a free lock") << QStringLiteral("free");
    }
    void withoutAHolderNothingIsOfferedAboutIt() {
        QFETCH(const QString, selected);
        connectWithLocks();
        m_window->currentPage().locksPage().select(lockName(selected.toUtf8()));
        open();
        for (const char* action : {"Find out who this is", "Name this client", "All locks of its holder"}) {
            find<QLineEdit>("paletteField").setText(QLatin1String(action));
            const QTreeWidgetItem* item = find<QTreeWidget>("paletteList").topLevelItem(0);
            QVERIFY2(item && item->text(0) == QLatin1String(action), action);
            QVERIFY2(item->isDisabled(), action);
        }
    }

    void opensASavedConnection() {
        profile::StoredProfile stored;
        stored.profile = *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://orders.example:6379"));
        stored.profile.id = profile::ProfileId(QStringLiteral("a"));
        stored.keeping = profile::StoredProfile::Keeping::Saved;
        stored.label.name = QStringLiteral("Warehouse");
        QVERIFY(m_profiles->keep(stored).ok());
        choose(QStringLiteral("wareh"));
        QTRY_COMPARE(m_engine->connects.size(), 1U);
        QCOMPARE(m_engine->connects.back().id, stored.profile.id);
    }

    void goesToAnotherTab() {
        connectWithLocks();
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        const SessionPage* first = m_window->pages().at(0);
        QVERIFY(&m_window->currentPage() != first);
        choose(first->server());
        QCOMPARE(&m_window->currentPage(), first);
    }

    void filtersByAClient() {
        connectWithLocks();
        choose(QString::fromLatin1(clientB).left(13));
        QCOMPARE(m_window->currentPage().locksPage().shownLocks().size(), 1U);
        QCOMPARE(plainName(m_window->currentPage().locksPage().shownLocks().front().lock.name),
                 QStringLiteral("catalog"));
    }

    void anAliasIsFound() {
        connectWithLocks();
        m_window->findChild<ClientNames*>()->set(holder(clientB, 1).id.client(), QStringLiteral("catalog-service"));
        open();
        type(QStringLiteral("service"));
        QVERIFY2(row(0).startsWith(QStringLiteral("catalog-service")), qPrintable(row(0)));
        QVERIFY2(row(0).contains(QStringLiteral("Client, holds 1 lock")), qPrintable(row(0)));
    }

    void theArrowsMoveWhileTyping() {
        open();
        QTreeWidget& list = find<QTreeWidget>("paletteList");
        QCOMPARE(list.currentItem(), list.topLevelItem(0));
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        press(Qt::Key_Up);
        QCOMPARE(list.currentItem(), list.topLevelItem(1));
        type(QStringLiteral("x"));
        QCOMPARE(find<QLineEdit>("paletteField").text(), QStringLiteral("x"));
    }

    void withoutAMatchEnterDoesNothing() {
        open();
        type(QStringLiteral("no such thing at all"));
        QCOMPARE(find<QTreeWidget>("paletteList").topLevelItemCount(), 0);
        press(Qt::Key_Return);
        QVERIFY(isOpen());
        press(Qt::Key_Escape);
        QVERIFY(!isOpen());
    }

    void followsTheLanguageWithWhatIsTypedAndChosen() {
        connectWithLocks();
        open();
        type(QStringLiteral("a"));
        QTreeWidget& list = find<QTreeWidget>("paletteList");
        for (int row = 0; row < list.topLevelItemCount() && list.currentItem()->text(0) != QStringLiteral("catalog");
             ++row)
            press(Qt::Key_Down);
        QCOMPARE(list.currentItem()->text(1), QStringLiteral("Lock: Held"));
        PseudoTranslator foreign;
        QCoreApplication::installTranslator(&foreign);
        QCoreApplication::processEvents();
        QCOMPARE(find<QLineEdit>("paletteField").text(), QStringLiteral("a"));
        QCOMPARE(list.currentItem()->text(0), QStringLiteral("catalog"));
        QVERIFY2(list.currentItem()->text(1).startsWith(QStringLiteral("⟦Lóck")),
                 qPrintable(list.currentItem()->text(1)));
        QVERIFY(list.indexOfTopLevelItem(list.currentItem()) > 0);
        QCoreApplication::removeTranslator(&foreign);
        QCoreApplication::processEvents();
        QCOMPARE(list.currentItem()->text(1), QStringLiteral("Lock: Held"));
    }

    // The palette lists the locks when it is opened. Later changes, and typing, fill at most so many rows.
    void batchesOfTenThousandLocksLeaveItAlone() {
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->report(connected());
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 10'000; ++i)
            rows.push_back(heldRow(m_clock, LockName("job:" + QByteArray::number(i)), 12s));
        m_engine->report(batchOf(rows));
        open();
        const QAbstractItemModel& shown = *find<QTreeWidget>("paletteList").model();
        QSignalSpy filled(&shown, &QAbstractItemModel::rowsInserted);
        m_engine->report(batchOf(rows));
        m_clock.advance(1s);
        QCOMPARE(filled.count(), 0);
        type(QStringLiteral("j"));
        QVERIFY2(filled.count() <= PaletteDialog::mostShown, qPrintable(QString::number(filled.count())));
        QCOMPARE(shown.rowCount(), PaletteDialog::mostShown);
    }

    void ofManyLocksTheBestAreShown() {
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->report(connected());
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 2000; ++i)
            rows.push_back(heldRow(m_clock, LockName("job:" + QByteArray::number(i)), 12s));
        m_engine->report(batchOf(rows));
        open();
        type(QStringLiteral("job"));
        QCOMPARE(find<QTreeWidget>("paletteList").topLevelItemCount(), PaletteDialog::mostShown);
        const QString count = find<QLabel>("paletteCount").text();
        QVERIFY2(count.contains(QStringLiteral("50 of 2,000")), qPrintable(count));
        type(QStringLiteral(":1999"));
        QCOMPARE(row(0), QStringLiteral("job:1999 | Lock: Held | "));
    }
};

LOCKKEEPER_TEST(TestPalette, Gui)

}  // namespace tst_palette

#include "tst_palette.moc"
