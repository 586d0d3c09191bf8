// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/window/palette/menuactions.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QTreeWidget>

namespace tst_shortcuts {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// What the keyboard alone can do in the real window: the list of its keys, and moving between the parts of the
// window.
class TestShortcuts : public test::WindowTest {
    Q_OBJECT

private:
    // The rows of the list as "Group: text = keys".
    QStringList listed() const {
        QStringList rows;
        const QTreeWidget& keys = find<QTreeWidget>("shortcuts");
        for (int i = 0; i < keys.topLevelItemCount(); ++i) {
            const QTreeWidgetItem* group = keys.topLevelItem(i);
            for (int row = 0; row < group->childCount(); ++row) {
                if (!group->isHidden() && !group->child(row)->isHidden())
                    rows << QStringLiteral("%1: %2 = %3")
                                .arg(group->text(0), group->child(row)->text(0), group->child(row)->text(1));
            }
        }
        return rows;
    }
    void connectWithLocks() {
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("orders"));
    }
    // The name of the pane that the keyboard is in.
    static QString paneInFocus() {
        for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget()) {
            for (const char* pane : {"lockTable", "detailPanel", "timelinePanel", "eventLogPanel", "synchronizerPanel",
                                     "nodePanel", "lockFilter"}) {
                if (widget->objectName() == QLatin1String(pane))
                    return widget->objectName();
            }
        }
        return {};
    }
    QStringList panesPassed(const char* action, int steps) {
        QStringList passed;
        for (int i = 0; i < steps; ++i) {
            find<QAction>(action).trigger();
            passed << paneInFocus();
        }
        return passed;
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_window->resize(1600, 1000);
    }
    void cleanup() { end(); }

    void noKeyOfTheWindowIsTakenTwice() {
        QHash<QKeySequence, QString> taken;
        for (const MenuAction& one : menuActions(*m_window->menuBar())) {
            for (const QKeySequence& key : one.action->shortcuts()) {
                QVERIFY2(!taken.contains(key), qPrintable(key.toString() + u' ' + one.text + u' ' + taken.value(key)));
                taken.insert(key, one.text);
            }
        }
    }

    void everyKeyOfTheMenusIsListed() {
        find<QAction>("actionShortcuts").trigger();
        const QStringList rows = listed();
        int keys = 0;
        for (const MenuAction& one : menuActions(*m_window->menuBar())) {
            if (one.action->shortcuts().isEmpty())
                continue;
            ++keys;
            const QString begin = QStringLiteral("%1: %2 = ").arg(one.menu, one.text);
            QVERIFY2(!rows.filter(begin).isEmpty(), qPrintable(begin));
        }
        QVERIFY(keys > 15);
    }

    void aKeyHasItsMenuAndText_data() {
        QTest::addColumn<QString>("row");
        QTest::newRow("of a menu") << QStringLiteral("Connection: Connect = Ctrl+O");
        QTest::newRow("two keys") << QStringLiteral("Connection: Close this connection = Ctrl+W, Ctrl+F4");
        QTest::newRow("of the session's page") << QStringLiteral("View: Details = Ctrl+1");
        QTest::newRow("of no menu") << QStringLiteral("Known connections: Save = F2");
    }
    void aKeyHasItsMenuAndText() {
        QFETCH(const QString, row);
        find<QAction>("actionShortcuts").trigger();
        QVERIFY2(listed().contains(row), qPrintable(listed().join(u'\n')));
    }

    void isSearchedByActionAndKey() {
        find<QAction>("actionShortcuts").trigger();
        find<QLineEdit>("shortcutsSearch").setText(QStringLiteral("ctrl+k"));
        QCOMPARE(listed(), QStringList(QStringLiteral("View: Go to = Ctrl+K")));
        find<QLineEdit>("shortcutsSearch").setText(QStringLiteral("next pane"));
        QCOMPARE(listed(), QStringList(QStringLiteral("View: Next pane = F6")));
    }

    void theKeyboardGoesFromPaneToPane() {
        m_window->resize(1600, 1400);
        connectWithLocks();
        activate();
        m_window->currentPage().locksPage().selectFirst();
        m_window->currentPage().locksPage().table().setFocus();
        const QStringList around = panesPassed("actionNextPane", 4);
        QCOMPARE(around, QStringList({"detailPanel", "timelinePanel", "eventLogPanel", "lockTable"}));
        const QStringList back = panesPassed("actionPreviousPane", 4);
        QCOMPARE(back, QStringList({"eventLogPanel", "timelinePanel", "detailPanel", "lockTable"}));
    }

    void aPanelThatIsNotSeenIsPassedOver() {
        connectWithLocks();
        activate();
        find<QDockWidget>("detailDock").hide();
        m_window->currentPage().locksPage().table().setFocus();
        QCOMPARE(panesPassed("actionNextPane", 1), QStringList("timelinePanel"));
    }

    // In a low window timeline and events share their place.
    void aPanelBehindAnotherTabIsPassedOver() {
        m_window->resize(1600, 700);
        connectWithLocks();
        activate();
        m_window->currentPage().locksPage().table().setFocus();
        QCOMPARE(panesPassed("actionNextPane", 3), QStringList({"detailPanel", "timelinePanel", "lockTable"}));
    }

    void theKeyboardGoesWhereItWasLast() {
        connectWithLocks();
        activate();
        m_window->currentPage().locksPage().focusFilter();
        QCOMPARE(panesPassed("actionNextPane", 4).last(), QStringLiteral("lockFilter"));
    }

    void onTheStartPageNothingMoves() {
        activate();
        const QWidget* before = QApplication::focusWidget();
        find<QAction>("actionNextPane").trigger();
        QCOMPARE(QApplication::focusWidget(), before);
    }

    // Alt with a shared letter would only move between the controls that share it.
    void noButtonTakesTheLetterOfAMenuOrOfAnother_data() {
        QTest::addColumn<QString>("state");
        for (const char* state : {"start page", "a lock", "reconnecting", "failed", "a loss", "no lock"})
            QTest::newRow(state) << QString::fromLatin1(state);
    }
    void noButtonTakesTheLetterOfAMenuOrOfAnother() {
        QFETCH(const QString, state);
        if (state == QLatin1String("a lock") || state == QLatin1String("a loss"))
            connectWithLocks();
        if (state == QLatin1String("a loss"))
            m_engine->report(OwnLockLost{lockName("orders"), locks::LossReason::Gone});
        if (state == QLatin1String("reconnecting")) {
            connectWithLocks();
            ConnectionStatus lost = reconnecting(m_clock.wallNow());
            lost.nextAttempt = m_clock.now() + 5s;
            m_engine->report(lost);
        }
        if (state == QLatin1String("failed")) {
            connectWithLocks();
            ConnectionStatus failed = reconnecting(m_clock.wallNow());
            failed.phase = ConnectionPhase::Failed;
            m_engine->report(failed);
        }
        if (state == QLatin1String("no lock"))
            m_engine->report(connected());
        QHash<QKeySequence, QString> taken;
        for (const QAction* menu : m_window->menuBar()->actions())
            taken.insert(QKeySequence::mnemonic(menu->text()), menu->text());
        for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>()) {
            if (!button->isVisible() || button->shortcut().isEmpty())
                continue;
            QVERIFY2(!taken.contains(button->shortcut()),
                     qPrintable(button->text() + QStringLiteral(" / ") + taken.value(button->shortcut())));
            taken.insert(button->shortcut(), button->text());
        }
    }

    void everyEntryOfAMenuHasALetterOfItsOwn_data() {
        QTest::addColumn<QString>("menu");
        for (const char* menu : {"Connection", "Lock", "View", "Tools", "Help"})
            QTest::newRow(menu) << QString::fromLatin1(menu);
    }
    void everyEntryOfAMenuHasALetterOfItsOwn() {
        QFETCH(const QString, menu);
        connectWithLocks();
        QStringList letters;
        for (const QAction* title : m_window->menuBar()->actions()) {
            if (QString(title->text()).remove(u'&') != menu)
                continue;
            for (const QAction* entry : title->menu()->actions()) {
                const QString letter = QKeySequence::mnemonic(entry->text()).toString();
                // The entries of panels have keys instead.
                if (!entry->isSeparator() && entry->isVisible() && !(letter.isEmpty() && !entry->shortcut().isEmpty()))
                    letters << letter;
            }
        }
        QVERIFY(!letters.isEmpty());
        QVERIFY2(!letters.contains(QString()), qPrintable(letters.join(u' ')));
        QVERIFY2(letters.removeDuplicates() == 0, qPrintable(letters.join(u' ')));
    }
};

LOCKKEEPER_TEST(TestShortcuts, Gui)

}  // namespace tst_shortcuts

#include "tst_shortcuts.moc"
