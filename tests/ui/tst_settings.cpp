// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/locks/clients/clientnames.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/session/sessiontools.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/window/notices/noticecontroller.h"
#include "ui/words/timetext.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

namespace tst_settings {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The settings of the real window.
class TestSettings : public test::WindowTest {
    Q_OBJECT

private:
    void openSettings() {
        find<QAction>("actionSettings").trigger();
        QVERIFY(m_window->findChild<QDialog*>(QStringLiteral("settingsDialog")));
    }
    void closeSettings() {
        find<QDialog>("settingsDialog").reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!m_window->findChild<QDialog*>(QStringLiteral("settingsDialog")));
    }
    void choose(const char* combo, int index) {
        find<QComboBox>(combo).setCurrentIndex(index);
        Q_EMIT find<QComboBox>(combo).activated(index);
    }
    QStringList pages() const {
        QStringList shown;
        const QListWidget& list = find<QListWidget>("settingsPages");
        for (int row = 0; row < list.count(); ++row) {
            if (!list.item(row)->isHidden())
                shown << list.item(row)->text();
        }
        return shown;
    }
    void showPage(const QString& title) {
        QListWidget& list = find<QListWidget>("settingsPages");
        list.setCurrentItem(list.findItems(title, Qt::MatchExactly).value(0));
    }
    QString pageInFront() const { return find<QListWidget>("settingsPages").currentItem()->text(); }
    // Whether some text of the details has a time and then this letter.
    bool isTimeInDetails(QChar letter) const {
        static const QRegularExpression time(QStringLiteral("\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(.)"));
        for (const QPlainTextEdit* text : find<QWidget>("detailPanel").findChildren<QPlainTextEdit*>()) {
            const QRegularExpressionMatch match = time.match(text->toPlainText() + u' ');
            if (match.hasMatch() && match.captured(2) == letter)
                return true;
        }
        return false;
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
    }
    void cleanup() {
        m_settings->clear();
        restart();  // restores font, theme and clock
        end();
    }

    void aKeyOpensThem() {
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        QVERIFY(m_window->findChild<QDialog*>(QStringLiteral("settingsDialog")));
        QCOMPARE(find<QDialog>("settingsDialog").focusWidget(), &find<QLineEdit>("settingsSearch"));
    }

    void theThemeIsAppliedAtOnceAndKept() {
        openSettings();
        choose("settingsTheme", 2);
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 100);
        QVERIFY(find<QAction>("actionTheme_dark").isChecked());
        find<QAction>("actionTheme_light").trigger();
        QCOMPARE(find<QComboBox>("settingsTheme").currentIndex(), 1);
        restart();
        QVERIFY(find<QAction>("actionTheme_light").isChecked());
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 200);
    }

    void theFontIsAppliedAtOnceAndKept() {
        const int before = QApplication::font().pointSize();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
        openSettings();
        find<QSpinBox>("settingsFont").setValue(before + 5);
        QCOMPARE(QApplication::font().pointSize(), before + 5);
        QCoreApplication::processEvents();
        QCOMPARE(m_window->currentPage().locksPage().table().font().pointSize(), before + 5);
        QCOMPARE(m_window->currentPage().locksPage().table().rowHeight(0) > m_window->fontMetrics().height(), true);
        QVERIFY(find<QWidget>("detailName").font().pointSize() > before + 5);
        QCOMPARE(find<QDockWidget>("detailDock").font().pointSize(), before + 5);
        restart();
        QCOMPARE(QApplication::font().pointSize(), before + 5);
        openSettings();
        find<QPushButton>("settingsReset").click();
        QCOMPARE(QApplication::font().pointSize(), before);
        QCOMPARE(find<QSpinBox>("settingsFont").value(), find<QSpinBox>("settingsFont").minimum());
    }

    void aFontInTheFileThatIsNotPossibleIsDropped_data() {
        QTest::addColumn<QVariant>("stored");
        QTest::newRow("too large") << QVariant(1000);
        QTest::newRow("too small") << QVariant(1);
    }
    void aFontInTheFileThatIsNotPossibleIsDropped() {
        QFETCH(const QVariant, stored);
        const int before = QApplication::font().pointSize();
        m_settings->setValue(QStringLiteral("view/fontSize"), stored);
        restart();
        QCOMPARE(QApplication::font().pointSize(), before);
        QVERIFY(!m_settings->contains(QStringLiteral("view/fontSize")));
    }

    void timesAreShownInUtcAtOnce() {
        m_engine->report(connected());
        reportChange(heldRow(m_clock, lockName("orders"), 12s));
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("orders"));
        const QAbstractItemModel& events = *find<QAbstractItemView>("eventTable").model();
        QVERIFY(!events.index(0, 0).data().toString().endsWith(u'Z'));
        openSettings();
        choose("settingsZone", 1);
        QVERIFY2(events.index(0, 0).data().toString().endsWith(u'Z'), qPrintable(events.index(0, 0).data().toString()));
        QVERIFY(!isTimeInDetails(u'Z'));
        QCoreApplication::processEvents();
        QVERIFY(isTimeInDetails(u'Z'));  // a text that is set only once
        QCOMPARE(clockText(WallTime(1h), WallTime(2h)), QStringLiteral("01:00:00Z"));
        restart();
        QCOMPARE(clockText(WallTime(1h), WallTime(2h)), QStringLiteral("01:00:00Z"));
    }

    void aSearchFindsThePage_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("page");
        QTest::newRow("a label") << QStringLiteral("font") << QStringLiteral("Appearance and clock");
        QTest::newRow("a choice") << QStringLiteral("utc") << QStringLiteral("Appearance and clock");
        QTest::newRow("a check box, two words") << QStringLiteral("held longer") << QStringLiteral("Notifications");
        QTest::newRow("a diagnosis") << QStringLiteral("watchdog") << QStringLiteral("Notifications");
        QTest::newRow("a button") << QStringLiteral("unpin") << QStringLiteral("Timeline");
        QTest::newRow("days") << QStringLiteral("older days") << QStringLiteral("History on disk");
    }
    void howLocksAreSearchedForCountsWhereTheAddressDoesNotSay() {
        openSettings();
        showPage(QStringLiteral("Search for locks"));
        find<QSpinBox>("settingsShare").setValue(12);
        find<QPlainTextEdit>("settingsMatches").setPlainText(QStringLiteral("orders:*\n\nstock *"));
        find<QPlainTextEdit>("settingsPrefixes").setPlainText(QStringLiteral("orders:"));
        closeSettings();
        restart();
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://host?share=30&match=cache")));
        QCOMPARE(m_engine->connects.back().discovery.serverShare, 30);
        QCOMPARE(m_engine->connects.back().discovery.matches, QByteArrayList{"cache"});
        QCOMPARE(m_engine->connects.back().discovery.prefixes, QByteArrayList{"orders:"});
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://other")));
        QCOMPARE(m_engine->connects.back().discovery.serverShare, 12);
        QCOMPARE(m_engine->connects.back().discovery.matches, (QByteArrayList{"orders:*", "stock *"}));
        openSettings();
        showPage(QStringLiteral("Search for locks"));
        QCOMPARE(find<QSpinBox>("settingsShare").value(), 12);
        find<QPushButton>("settingsReset").click();
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://third")));
        QCOMPARE(m_engine->connects.back().discovery, profile::DiscoverySettings());
    }

    void aSearchFindsThePage() {
        QFETCH(const QString, words);
        QFETCH(const QString, page);
        openSettings();
        QCOMPARE(pages().size(), 8);
        find<QLineEdit>("settingsSearch").setText(words);
        QCOMPARE(pages(), QStringList(page));
        QCOMPARE(pageInFront(), page);
        find<QLineEdit>("settingsSearch").clear();
        QCOMPARE(pages().size(), 8);
    }

    void aFieldThatIsFoundIsMarked() {
        openSettings();
        const QCheckBox& held = find<QCheckBox>("noticeHeld");
        find<QLineEdit>("settingsSearch").setText(QStringLiteral("longer"));
        QVERIFY(held.font().bold());
        QVERIFY(!find<QCheckBox>("noticeTtl").font().bold());
        find<QLineEdit>("settingsSearch").clear();
        QVERIFY(!held.font().bold());
    }

    void withoutAMatchTheySaySo() {
        openSettings();
        find<QLineEdit>("settingsSearch").setText(QStringLiteral("no such setting"));
        QVERIFY(pages().isEmpty());
        QVERIFY(find<QLabel>("settingsNothing").isVisible());
        QVERIFY(!find<QPushButton>("settingsReset").isEnabled());
    }

    void aNotificationCountsAtOnceInAllSessions() {
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->report(connected());
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        openSettings();
        find<QCheckBox>("noticeHeld").setChecked(true);
        QCOMPARE(m_settings->value(QStringLiteral("notices/heldLongerMs")).toLongLong(), 300'000);
        showPage(QStringLiteral("Notifications"));
        find<QPushButton>("settingsReset").click();
        QCOMPARE(m_settings->value(QStringLiteral("notices/heldLongerMs")).toLongLong(), 0);
        QVERIFY(!find<QCheckBox>("noticeHeld").isChecked());
    }

    // "45" is typed by way of "4".
    void aLimitThatIsHalfTypedNotifiesOfNothing() {
        m_window->activateWindow();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
        m_clock.advance(10min);
        openSettings();
        showPage(QStringLiteral("Notifications"));
        QVERIFY(QTest::qWaitForWindowActive(&find<QDialog>("settingsDialog")));
        const QSignalSpy noticed(m_window->currentPage().findChild<NoticeController*>(), &NoticeController::noticed);
        find<QWidget>("noticeHeldTime").findChild<QSpinBox*>(QStringLiteral("number"))->setValue(60);
        find<QCheckBox>("noticeHeld").setChecked(true);
        QSpinBox& minutes = *find<QWidget>("noticeHeldTime").findChild<QSpinBox*>(QStringLiteral("number"));
        minutes.setFocus();
        minutes.selectAll();
        QTest::keyClicks(&minutes, QStringLiteral("4"));
        m_clock.advance(2s);
        QCOMPARE(m_settings->value(QStringLiteral("notices/heldLongerMs")).toLongLong(), 3'600'000);
        QTest::keyClicks(&minutes, QStringLiteral("5"));
        find<QLineEdit>("noticeNames").setFocus();
        QCOMPARE(m_settings->value(QStringLiteral("notices/heldLongerMs")).toLongLong(), 45 * 60'000);
        QVERIFY(noticed.isEmpty());
        minutes.setFocus();
        minutes.selectAll();
        QTest::keyClicks(&minutes, QStringLiteral("4"));
        QTest::keyClick(&minutes, Qt::Key_Return);
        m_clock.advance(2s);
        QCOMPARE(noticed.size(), 1);
    }

    void aNumberOfLanesThatIsHalfTypedChangesNothing() {
        m_window->activateWindow();
        openSettings();
        showPage(QStringLiteral("Timeline"));
        QVERIFY(QTest::qWaitForWindowActive(&find<QDialog>("settingsDialog")));
        QSpinBox& lanes = find<QSpinBox>("settingsLaneCount");
        lanes.setFocus();
        lanes.selectAll();
        QTest::keyClicks(&lanes, QStringLiteral("60"));
        QVERIFY(!m_settings->contains(QStringLiteral("timeline/lanes")));
        QTest::keyClick(&lanes, Qt::Key_Return);
        QCOMPARE(m_settings->value(QStringLiteral("timeline/lanes")).toInt(), 60);
    }

    void whatIsTypedCountsWhenTheSettingsAreClosed() {
        m_window->activateWindow();
        openSettings();
        showPage(QStringLiteral("Notifications"));
        QVERIFY(QTest::qWaitForWindowActive(&find<QDialog>("settingsDialog")));
        QLineEdit& names = find<QLineEdit>("noticeNames");
        names.setFocus();
        QTest::keyClicks(&names, QStringLiteral("orders/*"));
        QTest::keyClick(&names, Qt::Key_Escape);
        QCOMPARE(m_settings->value(QStringLiteral("notices/names")).toString(), QStringLiteral("orders/*"));
    }

    // Lower limits delete events, so a number that is half typed must not count.
    void namesOfClientsAreListedChangedAndRemoved() {
        m_window->findChild<ClientNames*>()->set(holder(clientB, 1).id.client(), QStringLiteral("catalog"));
        openSettings();
        QTreeWidget& list = find<QTreeWidget>("settingsAliases");
        QCOMPARE(list.topLevelItemCount(), 1);
        QCOMPARE(list.topLevelItem(0)->text(1), QString::fromLatin1(clientB));
        list.topLevelItem(0)->setText(0, QStringLiteral("orders"));
        const auto known = [this] {
            return m_window->currentPage().holders().knowledge().aliases.of(holder(clientB, 1).id.client());
        };
        QCOMPARE(known(), QStringLiteral("orders"));
        QCOMPARE(HolderAliases::load(*m_settings).of(holder(clientB, 1).id.client()), QStringLiteral("orders"));
        list.setCurrentItem(list.topLevelItem(0));
        find<QPushButton>("settingsRemoveAlias").click();
        QCOMPARE(known(), QString());
        QCOMPARE(list.topLevelItemCount(), 0);
        QVERIFY(!find<QPushButton>("settingsRemoveAlias").isEnabled());
    }

    void anEmptyNameOfAClientRemovesIt() {
        m_window->findChild<ClientNames*>()->set(holder(clientB, 1).id.client(), QStringLiteral("catalog"));
        openSettings();
        find<QTreeWidget>("settingsAliases").topLevelItem(0)->setText(0, QStringLiteral(" "));
        QCoreApplication::processEvents();
        QCOMPARE(find<QTreeWidget>("settingsAliases").topLevelItemCount(), 0);
        QCOMPARE(HolderAliases::load(*m_settings).count(), 0);
    }

    void limitsOfTheHistoryNeedTheirButton() {
        openSettings();
        QPushButton& apply = find<QPushButton>("settingsApplyRetention");
        QVERIFY(!apply.isEnabled());
        find<QSpinBox>("retentionDays").setValue(2);
        QVERIFY(m_engine->retentions.empty());
        apply.click();
        QCOMPARE(m_engine->retentions.size(), 1U);
        QCOMPARE(m_engine->retentions.back().age, 48h);
        QCOMPARE(m_settings->value(QStringLiteral("history/days")).toInt(), 2);
        QVERIFY(!apply.isEnabled());
        showPage(QStringLiteral("History on disk"));
        find<QPushButton>("settingsReset").click();
        QCOMPARE(find<QSpinBox>("retentionDays").value(), 7);
        QCOMPARE(m_engine->retentions.size(), 1U);
        QVERIFY(apply.isEnabled());
    }

    void panelsAndColumnsCanBeArrangedAsAtFirst() {
        QDockWidget& details = find<QDockWidget>("detailDock");
        QTableView& table = m_window->currentPage().locksPage().table();
        find<QAction>("actionColumn_3").trigger();  // kind
        QVERIFY(!table.isColumnHidden(LockTableModel::Kind));
        qobject_cast<QMainWindow*>(details.parent())->addDockWidget(Qt::LeftDockWidgetArea, &details);
        m_window->currentPage().findChild<TimelineWidget*>()->setPinned({lockName("orders")});
        openSettings();
        find<QPushButton>("settingsArrangement").click();
        QVERIFY(table.isColumnHidden(LockTableModel::Kind));
        QCOMPARE(qobject_cast<QMainWindow*>(details.parent())->dockWidgetArea(&details), Qt::RightDockWidgetArea);
        find<QPushButton>("settingsUnpin").click();
        QVERIFY(m_window->currentPage().findChild<TimelineWidget*>()->pinned().isEmpty());
        closeSettings();
    }

    void theMenuArrangesAsAtFirst() {
        const QTableView& table = m_window->currentPage().locksPage().table();
        find<QAction>("actionColumn_3").trigger();
        find<QDockWidget>("detailDock").hide();
        find<QAction>("actionResetArrangement").trigger();
        QVERIFY(table.isColumnHidden(LockTableModel::Kind));
        // The details are shown with the next selection.
        QVERIFY(find<QDockWidget>("detailDock").isHidden());
        m_window->currentPage().locksPage().selection().select(lockName("orders"));
        QVERIFY(!find<QDockWidget>("detailDock").isHidden());
    }
};

LOCKKEEPER_TEST(TestSettings, Gui)

}  // namespace tst_settings

#include "tst_settings.moc"
