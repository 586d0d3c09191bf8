// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/window/notices/noticehistory.h"
#include "ui/window/notices/noticesettings.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

namespace tst_noticehistory {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The notices of all sessions of the real window, to be read later.
class TestNoticeHistory : public test::WindowTest {
    Q_OBJECT

private:
    QTreeWidget& list() const { return find<QTreeWidget>("noticeHistory"); }
    void open() {
        find<QAction>("actionNoticeHistory").trigger();
        QCoreApplication::processEvents();
    }
    void connectSession() {
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->report(connected());
    }
    // Reports a lock with a diagnosis that the rules are about.
    void notice(const QByteArray& lock) {
        m_engine->report(batchOf({diagnosedRow(m_clock, LockName(lock), {watchdogStopped(m_clock)})}));
        QCoreApplication::processEvents();
    }
    QStringList shown() const {
        QStringList rows;
        for (int i = 0; i < list().topLevelItemCount(); ++i)
            rows << list().topLevelItem(i)->text(2);
        return rows;
    }

private Q_SLOTS:
    void init() {
        begin();
        NoticeSettings settings;
        settings.rules.diagnoses = monitor::noticeableDiagnoses();
        settings.onDesktop = false;
        settings.save(*m_settings);
        makeWindow();
    }
    void cleanup() { end(); }

    void atFirstItIsEmpty() {
        open();
        QVERIFY(find<QLabel>("noticeHistoryEmpty").isVisible());
        QVERIFY(!find<QPushButton>("noticeHistoryClear").isEnabled());
    }

    void listsWhatWasNoticedTheNewestFirst() {
        connectSession();
        notice("orders");
        notice("catalog");
        open();
        QCOMPARE(shown().size(), 2);
        QVERIFY2(shown().at(0).startsWith(QStringLiteral("catalog: ")), qPrintable(shown().at(0)));
        QVERIFY2(shown().at(1).startsWith(QStringLiteral("orders: ")), qPrintable(shown().at(1)));
        QCOMPARE(list().topLevelItem(0)->text(1), m_window->currentPage().status().server);
    }

    void followsWhileItIsOpen() {
        connectSession();
        open();
        notice("orders");
        QCOMPARE(shown().size(), 1);
    }

    void aRowLeadsToItsLockInItsSession() {
        connectSession();
        notice("orders");
        SessionPage* first = &m_window->currentPage();
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        QVERIFY(&m_window->currentPage() != first);
        open();
        list().setCurrentItem(list().topLevelItem(0));
        QTest::keyClick(&list(), Qt::Key_Return);
        QVERIFY(list().isVisible());
        QCOMPARE(&m_window->currentPage(), first);
        QCOMPARE(first->locksPage().selection().name(), std::optional(LockName("orders")));
    }

    void isCleared() {
        connectSession();
        notice("orders");
        open();
        find<QPushButton>("noticeHistoryClear").click();
        QCoreApplication::processEvents();
        QVERIFY(shown().isEmpty());
    }

    void isBounded() {
        NoticeHistory history;
        for (qsizetype i = 0; i < NoticeHistory::most + 10; ++i)
            history.add({WallTime(std::chrono::seconds(i)), {}, {}, [] { return QString(); }});
        QCOMPARE(history.notices().size(), NoticeHistory::most);
        QCOMPARE(history.notices().first().at, WallTime(std::chrono::seconds(NoticeHistory::most + 9)));
    }
};

LOCKKEEPER_TEST(TestNoticeHistory, Gui)

}  // namespace tst_noticehistory

#include "tst_noticehistory.moc"
