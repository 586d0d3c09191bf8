// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/messagebar.h"
#include "ui/locks/filter/savedfilters.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/window/tabs/sessiontabs.h"

#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTest>

namespace tst_filtermenu {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// Filters that the user saves, beside the filter of the real window.
class TestFilterMenu : public test::WindowTest {
    Q_OBJECT

private:
    QLineEdit& filter() const { return *m_window->currentPage().findChild<QLineEdit*>(QStringLiteral("lockFilter")); }
    // The menu with the entries that it has when it opens.
    QMenu& menu() const {
        auto* menu = m_window->currentPage().findChild<QMenu*>(QStringLiteral("savedFilterMenu"));
        Q_EMIT menu->aboutToShow();
        return *menu;
    }
    QStringList texts(const QMenu& of) const {
        QStringList texts;
        for (const QAction* action : of.actions())
            texts << action->text();
        texts.removeAll(QString());
        return texts;
    }
    QAction& saveAction() const { return *menu().findChild<QAction*>(QStringLiteral("actionSaveFilter")); }
    void saveAs(const QString& name) {
        saveAction().trigger();
        auto* dialog = m_window->findChild<QInputDialog*>(QStringLiteral("saveFilterDialog"));
        QVERIFY(dialog);
        dialog->setTextValue(name);
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
    }
    void cleanup() { end(); }

    void atFirstThereIsNothingToChoose() {
        QCOMPARE(texts(menu()), QStringList("&Save this filter…"));
        QVERIFY(!saveAction().isEnabled());
    }

    void aSavedFilterIsChosenAlsoAfterARestart() {
        filter().setText(QStringLiteral("held:>5m kind:fair"));
        saveAs(QStringLiteral("Long & fair"));
        restart();
        QCOMPARE(texts(menu()), QStringList({"Long && fair (held:>5m kind:fair)", "&Delete", "&Save this filter…"}));
        menu().actions().first()->trigger();
        QCOMPARE(filter().text(), QStringLiteral("held:>5m kind:fair"));
    }

    void allSessionsHaveTheSame() {
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->report(connected());
        filter().setText(QStringLiteral("orders"));
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_window->findChild<SessionTabs*>()->bringToFront(*m_window->pages().first());
        saveAs(QStringLiteral("Orders"));
        m_window->findChild<SessionTabs*>()->bringToFront(*m_window->pages().last());
        QCOMPARE(texts(menu()).first(), QStringLiteral("Orders (orders)"));
    }

    void itFiltersTheTable() {
        m_engine->report(connected());
        m_engine->report(
            batchOf({heldRow(m_clock, lockName("orders"), 12s), heldRow(m_clock, lockName("catalog"), 12s)}));
        QVERIFY(saveFilter(*m_settings, {QStringLiteral("mine"), QStringLiteral("orders")}));
        menu().actions().first()->trigger();
        QCOMPARE(m_window->currentPage().locksPage().shownLocks().size(), 1U);
    }

    void isDeleted() {
        QVERIFY(saveFilter(*m_settings, {QStringLiteral("a"), QStringLiteral("orders")}));
        QVERIFY(saveFilter(*m_settings, {QStringLiteral("b"), QStringLiteral("catalog")}));
        menu().findChild<QMenu*>(QStringLiteral("deleteFilterMenu"))->actions().first()->trigger();
        QCOMPARE(texts(menu()).first(), QStringLiteral("b (catalog)"));
    }

    void anEmptyNameSavesNothing() {
        filter().setText(QStringLiteral("orders"));
        saveAs(QStringLiteral("  "));
        QVERIFY(savedFilters(*m_settings).isEmpty());
        QVERIFY(m_window->messages().texts().isEmpty());
    }

    void tooManyAreRefused() {
        for (qsizetype i = 0; i < mostSavedFilters; ++i)
            QVERIFY(saveFilter(*m_settings, {QString::number(i), QStringLiteral("x")}));
        m_engine->report(connected());
        filter().setText(QStringLiteral("orders"));
        saveAs(QStringLiteral("one more"));
        QVERIFY(m_window->messages().texts().value(0).contains(QStringLiteral("not saved")));
        saveAs(QStringLiteral("7"));  // replaces the filter of the same name
        QVERIFY(savedFilters(*m_settings).contains(SavedFilter{QStringLiteral("7"), QStringLiteral("orders")}));
    }

    void whatIsNoFilterInTheSettingsIsLeftOut_data() {
        QTest::addColumn<QStringList>("stored");
        QTest::newRow("a name alone") << QStringList{"a"};
        QTest::newRow("an empty name") << QStringList{"", "orders"};
        QTest::newRow("an empty text") << QStringList{"a", " "};
        QTest::newRow("too long") << QStringList{"a", QString(2000, u'x')};
    }
    void whatIsNoFilterInTheSettingsIsLeftOut() {
        QFETCH(const QStringList, stored);
        m_settings->setValue(QStringLiteral("filters/saved"), stored);
        QVERIFY(savedFilters(*m_settings).isEmpty());
    }
};

LOCKKEEPER_TEST(TestFilterMenu, Gui)

}  // namespace tst_filtermenu

#include "tst_filtermenu.moc"
