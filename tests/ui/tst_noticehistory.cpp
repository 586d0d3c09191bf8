// SPDX-License-Identifier: Apache-2.0
#include "support/emptysettings.h"
#include "support/fakeengine.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/notice/noticehistory.h"
#include "ui/notice/noticesettings.h"
#include "ui/session/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/window/mainwindow.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// What was noticed in all sessions of the real window, to be read later.
class TestNoticeHistory : public QObject {
    Q_OBJECT

private:
    template <typename Widget>
    Widget& find(const char* name) const {
        return *m_window->findChild<Widget*>(QString::fromLatin1(name));
    }
    QTreeWidget& list() const { return find<QTreeWidget>("noticeHistory"); }
    void open() {
        find<QAction>("actionNoticeHistory").trigger();
        QCoreApplication::processEvents();
    }
    void connectSession() {
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
        m_engine->say(connected());
    }
    // A lock with a diagnosis, which the rules are about.
    void notice(const QByteArray& lock) {
        m_engine->say(batchOf({diagnosedRow(m_clock, LockName(lock), {watchdogStopped(m_clock)})}));
        QCoreApplication::processEvents();
    }
    QStringList shown() const {
        QStringList rows;
        for (int i = 0; i < list().topLevelItemCount(); ++i)
            rows << list().topLevelItem(i)->text(2);
        return rows;
    }

    QTemporaryDir m_directory;
    std::unique_ptr<QSettings> m_settings;
    profile::ProfileStore m_profiles{m_directory.filePath(QStringLiteral("profiles.json"))};
    ManualClock m_clock;
    std::unique_ptr<FakeEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void init() {
        m_settings = emptySettings(m_directory);
        NoticeSettings settings;
        settings.rules.diagnoses = noticeableDiagnoses();
        settings.onDesktop = false;
        settings.save(*m_settings);
        m_engine = std::make_unique<FakeEngine>();
        m_window = std::make_unique<MainWindow>(*m_engine, m_clock, *m_settings, m_profiles);
        m_window->show();
    }
    void cleanup() {
        m_window.reset();
        m_engine.reset();
    }

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
#include "tst_noticehistory.moc"
