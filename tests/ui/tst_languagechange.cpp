// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/events/log/eventlogpanel.h"
#include "ui/events/lookup/lookupdialog.h"
#include "ui/help/manualwindow.h"
#include "ui/locks/synchronizers/synchronizerpanel.h"
#include "ui/locks/table/locktableview.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/window/notices/noticeform.h"
#include "ui/window/notices/notifier.h"
#include "ui/window/settings/historypage.h"

#include <QAbstractButton>
#include <QAction>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>

#include <functional>

namespace tst_languagechange {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

using MakeWidget = std::function<std::unique_ptr<QWidget>()>;

namespace {

// Marks every text that comes from tr().
class MarkingTranslator final : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int) const override {
        return QStringLiteral("«%1»").arg(QString::fromUtf8(source));
    }
};

// Qt's own parts of a widget, which Qt translates.
bool isOfQt(const QObject& object) {
    return object.objectName().startsWith(QStringLiteral("qt_")) ||
           object.objectName().startsWith(QStringLiteral("_q_"));
}

void addText(QStringList& texts, const QObject& object, const char* what, const QString& text) {
    if (!text.isEmpty())
        texts << QStringLiteral("%1 %2 %3: %4")
                     .arg(QString::fromLatin1(object.metaObject()->className()), object.objectName(),
                          QString::fromLatin1(what), text);
}

void addOwnText(QStringList& texts, const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        addText(texts, widget, "text", label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        addText(texts, widget, "text", button->text());
    if (const auto* box = qobject_cast<const QGroupBox*>(&widget))
        addText(texts, widget, "title", box->title());
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget))
        addText(texts, widget, "placeholder", edit->placeholderText());
    if (const auto* edit = qobject_cast<const QPlainTextEdit*>(&widget))
        addText(texts, widget, "placeholder", edit->placeholderText());
    const auto* header = qobject_cast<const QHeaderView*>(&widget);
    for (int column = 0; header && header->orientation() == Qt::Horizontal && column < header->count(); ++column)
        addText(texts, widget, "title", header->model()->headerData(column, Qt::Horizontal).toString());
}

QStringList textsOf(const QWidget& top) {
    QStringList texts;
    QList<const QWidget*> widgets{&top};
    for (const QWidget* child : top.findChildren<QWidget*>())
        widgets << child;
    for (const QWidget* widget : widgets) {
        if (isOfQt(*widget))
            continue;
        addText(texts, *widget, "window title", widget->windowTitle());
        addText(texts, *widget, "tool tip", widget->toolTip());
        addText(texts, *widget, "What's This", widget->whatsThis());
        addText(texts, *widget, "accessible name", widget->accessibleName());
        addText(texts, *widget, "accessible description", widget->accessibleDescription());
        addOwnText(texts, *widget);
        for (const QAction* action : widget->findChildren<QAction*>(Qt::FindDirectChildrenOnly)) {
            if (isOfQt(*action))
                continue;
            addText(texts, *action, "text", action->text());
            addText(texts, *action, "icon text", action->iconText());
            addText(texts, *action, "tool tip", action->toolTip());
        }
    }
    texts.sort();
    return texts;
}

}  // namespace

// The language changes while a widget shows its texts.
class TestLanguageChange : public QObject {
    Q_OBJECT

private:
    void changeLanguage() {
        QCoreApplication::installTranslator(&m_translator);
        // Windows are notified by posted events.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LanguageChange);
    }
    monitor::LockRow row(const QByteArray& name) const { return heldRow(m_clock, LockName(name), 30s); }

    ManualClock m_clock;
    MarkingTranslator m_translator;
    ViewTime m_time{m_clock};
    EventLogModel m_log{m_time};
    LockTableModel m_locks{m_time};
    LockFilterModel m_shown;
    LockSelection m_selection{m_locks, m_shown};

private Q_SLOTS:
    void initTestCase() {
        m_time.follow(connected());
        m_shown.setSourceModel(&m_locks);
    }
    void cleanup() {
        QCoreApplication::removeTranslator(&m_translator);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LanguageChange);
        m_locks.clear();
    }

    void aWidgetShowsTheTextsOfANewOne_data() {
        QTest::addColumn<MakeWidget>("make");
        QTest::newRow("lock table") << MakeWidget(
            [this] { return std::make_unique<LockTableView>(m_locks, m_shown, m_selection, m_time, m_clock); });
        QTest::newRow("event log") << MakeWidget([this] {
            auto panel = std::make_unique<EventLogPanel>(m_log);
            panel->pauseAction().setChecked(true);
            panel->reveal(lockName("gone"), m_clock.wallNow());
            return panel;
        });
        QTest::newRow("semaphores") << MakeWidget([this] { return std::make_unique<SynchronizerPanel>(m_time); });
        QTest::newRow("timeline") << MakeWidget([this] { return std::make_unique<TimelinePanel>(m_time, m_clock); });
        QTest::newRow("notifications") << MakeWidget([] { return std::make_unique<NoticeForm>(NoticeSettings()); });
        QTest::newRow("notifications that no desktop shows") << MakeWidget([] {
            auto dialog = std::make_unique<NoticeForm>(NoticeSettings());
            dialog->setDesktopProblem(Error(ErrorCode::ConnectionLost, DesktopCause::NoSessionBus));
            return dialog;
        });
        QTest::newRow("history") << MakeWidget(
            [] { return std::make_unique<HistoryPage>(history::Retention(), QStringLiteral("server")); });
        QTest::newRow("history without a server")
            << MakeWidget([] { return std::make_unique<HistoryPage>(history::Retention(), QString()); });
        QTest::newRow("look-up") << MakeWidget([this] { return std::make_unique<LookupDialog>(m_time); });
        QTest::newRow("look-up without a server") << MakeWidget([this] {
            auto dialog = std::make_unique<LookupDialog>(m_time);
            dialog->setText(QString::fromLatin1(clientA));
            dialog->setServer(LookupDialog::Server::Missing);
            return dialog;
        });
        QTest::newRow("manual") << MakeWidget([] { return std::make_unique<ManualWindow>(); });
    }
    void aWidgetShowsTheTextsOfANewOne() {
        QFETCH(MakeWidget, make);
        const std::unique_ptr<QWidget> widget = make();
        changeLanguage();
        const std::unique_ptr<QWidget> made = make();
        QCOMPARE(textsOf(*widget), textsOf(*made));
        for (const QString& text : textsOf(*widget))
            QVERIFY2(text.contains(QChar(0xab)), qPrintable(text));
    }

    void rowsAreShownInTheNewLanguage() {
        LockTableView view(m_locks, m_shown, m_selection, m_time, m_clock);
        m_locks.apply(batchOf({row("L")}));
        const QModelIndex state = m_shown.index(0, LockTableModel::State);
        QCOMPARE(state.data().toString(), QStringLiteral("Held"));
        QSignalSpy changes(&m_shown, &QAbstractItemModel::dataChanged);
        changeLanguage();
        QCOMPARE(changes.size(), 1);
        QVERIFY2(state.data().toString().contains(QStringLiteral("«Held»")), qPrintable(state.data().toString()));
    }

    void columnsAreWideEnoughForTheNewLanguage() {
        LockTableView view(m_locks, m_shown, m_selection, m_time, m_clock);
        view.columns().actions()[LockTableModel::HeldFor]->setChecked(true);
        view.resize(2000, 300);
        view.show();
        const int before = view.columnWidth(LockTableModel::HeldFor);
        changeLanguage();
        const int needed = view.fontMetrics().horizontalAdvance(QStringLiteral("«before 00:00:00»"));
        QVERIFY(view.columnWidth(LockTableModel::HeldFor) > std::max(before, needed));
    }

    void theSelectionStays() {
        m_locks.apply(batchOf({row("A"), row("B")}));
        LockTableView view(m_locks, m_shown, m_selection, m_time, m_clock);
        view.setCurrentLock(lockName("B"));
        changeLanguage();
        QCOMPARE(view.currentLock(), std::optional(lockName("B")));
        QVERIFY(view.selectionModel()->isRowSelected(1));
    }

    // The question is on the screen while the language changes.
    void theQuestionBeforeAHistoryIsDeleted() {
        HistoryPage page(history::Retention(), QStringLiteral("server"));
        page.show();
        page.findChild<QPushButton*>(QStringLiteral("retentionForget"))->click();
        changeLanguage();
        const auto* confirm = page.findChild<QAbstractButton*>(QStringLiteral("retentionForgetConfirmed"));
        QVERIFY2(confirm->text().startsWith(QChar(0xab)), qPrintable(confirm->text()));
    }
};

LOCKKEEPER_TEST(TestLanguageChange, Gui)

}  // namespace tst_languagechange

#include "tst_languagechange.moc"
