// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/helptip.h"
#include "ui/locks/lockspage.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/words/locktext.h"

#include <QAbstractItemView>
#include <QAction>
#include <QDialog>
#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QToolTip>
#include <QTreeWidget>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace tst_foreigntext {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

constexpr int megabyte = 1 << 20;
constexpr qsizetype mostShown = 2000;  // characters of anything that is drawn or laid out
constexpr qsizetype mostHeld = 30000;  // of a tool tip with its markup, or of what the filter searches

bool isReadByAnybody(const QByteArray& fifo) {
    const int descriptor = ::open(fifo.constData(), O_WRONLY | O_NONBLOCK);
    const bool isRead = descriptor >= 0;
    if (isRead)
        ::close(descriptor);
    return isRead || errno != ENXIO;
}

}  // namespace

// A server may send any text: markup that would open a file, or a name of a megabyte. The real window shows it
// unchanged, and shortened.
class TestForeignText : public WindowTest {
    Q_OBJECT

private:
    monitor::MonitorBatch taken(const LockName& name, const Milliseconds ttl = 12s) const {
        const monitor::LockRow row = heldRow(m_clock, name, ttl);
        monitor::MonitorBatch batch = batchOf({row});
        batch.events = {eventOf(m_clock, monitor::EventType::Acquired, row)};
        return batch;
    }
    static QString hover(QWidget& widget, const QPoint& position) {
        QHelpEvent help(QEvent::ToolTip, position, widget.mapToGlobal(position));
        QCoreApplication::sendEvent(&widget, &help);
        return QToolTip::text();
    }
    QString hoverCell(int row, int column) const {
        const QModelIndex cell = table().model()->index(row, column);
        return hover(*table().viewport(), table().visualRect(cell).center());
    }
    void openLookup(const QString& pasted) {
        find<QAction>("actionLookup").trigger();
        QVERIFY(dialog("lookupDialog"));
        dialog("lookupDialog")->findChild<QPlainTextEdit*>(QStringLiteral("lookupText"))->setPlainText(pasted);
        m_engine->finishLast(history::HistoryExcerpt());
    }
    // Checks everything that is in the window now, dialogs too.
    void checkNothingIsMarkup(const QString& markup) const {
        for (const QLabel* label : m_window->findChildren<QLabel*>()) {
            if (label->text().contains(markup))
                QCOMPARE(label->textFormat(), Qt::PlainText);
        }
        for (const QWidget* widget : m_window->findChildren<QWidget*>())
            QVERIFY2(!widget->toolTip().contains(markup), qPrintable(widget->objectName()));
        for (const QAction* action : m_window->findChildren<QAction*>())
            QVERIFY2(!action->toolTip().contains(markup), qPrintable(action->objectName()));
        for (const QTreeWidget* tree : m_window->findChildren<QTreeWidget*>()) {
            for (QTreeWidgetItemIterator item(const_cast<QTreeWidget*>(tree)); *item; ++item) {
                for (int column = 0; column < tree->columnCount(); ++column)
                    QVERIFY2(!(*item)->toolTip(column).contains(markup), qPrintable((*item)->toolTip(column)));
            }
        }
    }
    void checkNothingIsLong() const {
        for (const QLabel* label : m_window->findChildren<QLabel*>())
            QVERIFY2(label->text().size() <= mostShown, qPrintable(label->objectName()));
        for (const QPlainTextEdit* text : m_window->findChildren<QPlainTextEdit*>())
            QVERIFY2(text->toPlainText().size() <= 2 * mostShown, qPrintable(text->objectName()));
        for (const QLineEdit* edit : m_window->findChildren<QLineEdit*>())
            QVERIFY2(edit->text().size() <= mostShown, qPrintable(edit->objectName()));
        for (const QAction* action : m_window->findChildren<QAction*>())
            QVERIFY2(action->text().size() <= 100 && action->toolTip().size() <= mostShown,
                     qPrintable(action->objectName()));
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            for (const QString& text : {widget->toolTip(), widget->whatsThis(), widget->accessibleName(),
                                        widget->accessibleDescription(), widget->windowTitle()})
                QVERIFY2(text.size() <= mostHeld, qPrintable(widget->objectName()));
        }
        for (const QAbstractItemView* view : m_window->findChildren<QAbstractItemView*>())
            checkNothingIsLongIn(*view->model());
    }
    static void checkNothingIsLongIn(const QAbstractItemModel& model) {
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < model.columnCount(); ++column) {
                const QModelIndex index = model.index(row, column);
                QVERIFY(index.data(Qt::DisplayRole).toString().size() <= mostShown);
                for (const int role : {int{Qt::ToolTipRole}, int{Qt::WhatsThisRole}, int{Qt::AccessibleTextRole},
                                       int{LockTableModel::SortRole}})
                    QVERIFY2(index.data(role).toString().size() <= mostHeld, qPrintable(QString::number(role)));
            }
        }
    }

private Q_SLOTS:
    void init() { beginConnected(); }
    void cleanup() {
        QToolTip::hideText();
        end();
    }

    // A program that opens this file for reading waits for ever.
    void aNameThatIsMarkupOpensNoFile() {
        const QByteArray fifo = QFile::encodeName(m_directory->filePath(QStringLiteral("fifo")));
        QCOMPARE(::mkfifo(fifo.constData(), 0600), 0);
        QVERIFY(!isReadByAnybody(fifo));
        const LockName name("<img src=\"" + fifo + "\">");
        m_engine->report(taken(name));
        table().setCurrentLock(name);
        m_clock.advance(1s);
        for (const int column : {LockTableModel::Name, LockTableModel::State, LockTableModel::HolderColumn})
            QVERIFY(!hoverCell(0, column).contains(QStringLiteral("<img")));
        QCOMPARE(hoverCell(0, LockTableModel::Name), helpTip(name.display()));
        find<TimelineWidget>("timeline").grab();
        QCOMPARE(hover(find<TimelineWidget>("timeline"), QPoint(8, 8)), helpTip(name.display()));
        find<QAction>("actionForceRelease").trigger();
        openLookup(QString::fromLatin1(clientA));
        const QTreeWidget& holds = *dialog("lookupDialog")->findChild<QTreeWidget*>(QStringLiteral("lookupHolds"));
        QCOMPARE(holds.topLevelItemCount(), 1);
        QCOMPARE(holds.topLevelItem(0)->child(0)->text(0), name.display());
        QCOMPARE(holds.topLevelItem(0)->child(0)->toolTip(0), helpTip(name.display()));
        m_engine->report(OwnLockLost{name, locks::LossReason::TakenAway});
        checkNothingIsMarkup(QStringLiteral("<img"));
        m_window->grab();
        dialog("lookupDialog")->grab();
        QVERIFY(!isReadByAnybody(fifo));
    }

    void anErrorOfAServerIsNoMarkup() {
        m_engine->failHistory(Error(ErrorCode::Storage, QStringLiteral("<img src=\"/dev/zero\">")));
        ConnectionStatus failed = connected();
        failed.phase = ConnectionPhase::Failed;
        failed.error = Error(ErrorCode::Auth, QStringLiteral("<img src=\"/dev/zero\">"));
        m_engine->report(failed);
        checkNothingIsMarkup(QStringLiteral("<img"));
    }

    void bothTextsOfAQuestionArePlain() {
        ConnectionStatus status = connected();
        status.server = QStringLiteral("<img src=x>:6379/0");
        m_engine->report(status);
        find<QAction>("actionRetention").trigger();
        for (QPushButton* button : m_window->findChildren<QPushButton*>(QStringLiteral("retentionForget")))
            button->click();
        QVERIFY(m_window->findChild<QDialog*>(QStringLiteral("retentionQuestion")));
        checkNothingIsMarkup(QStringLiteral("<img"));
        for (const QLabel* label :
             m_window->findChild<QDialog*>(QStringLiteral("retentionQuestion"))->findChildren<QLabel*>())
            QVERIFY(label->text().isEmpty() || label->textFormat() == Qt::PlainText);
    }

    void namesOfAMegabyteAreShortenedEverywhere() {
        std::vector<LockName> names;
        monitor::MonitorBatch batch;
        for (int i = 0; i < 40; ++i) {
            const QByteArray filling = i % 3 == 0   ? QByteArray(megabyte, 'x')
                                       : i % 3 == 1 ? QByteArrayLiteral("\xc3\xa4").repeated(megabyte / 2)
                                                    : QByteArray(megabyte, '\xff');
            names.emplace_back("head" + filling + ':' + QByteArray::number(i));
            const monitor::LockRow row = heldRow(m_clock, names.back(), 12s);
            batch.changed.push_back(sharedRow(row));
            batch.events.push_back(eventOf(m_clock, monitor::EventType::Acquired, row));
        }
        m_engine->report(batch);
        QCOMPARE(table().model()->rowCount(), 40);
        table().setCurrentLock(names[7]);
        QCOMPARE(table().currentLock(), std::optional(names[7]));
        m_clock.advance(1s);
        m_window->grab();
        hoverCell(0, LockTableModel::Name);
        table().sortByColumn(LockTableModel::Name, Qt::DescendingOrder);
        QCOMPARE(table().currentLock(), std::optional(names[7]));
        find<QLineEdit>("lockFilter").setText(QStringLiteral("head :39"));
        QCOMPARE(table().model()->rowCount(), 1);
        QTest::keyClick(&find<QLineEdit>("lockFilter"), Qt::Key_Return);
        QCOMPARE(table().currentLock(), std::optional(names[39]));
        find<QAction>("actionForceRelease").trigger();
        QVERIFY(dialog("forceReleaseDialog"));
        find<QAction>("actionAcquire").trigger();
        QVERIFY(dialog("acquireDialog"));
        m_engine->report(OwnLockLost{names[3], locks::LossReason::TakenAway});
        m_engine->failHistory(Error(ErrorCode::Storage, QString(megabyte, u'z')));
        openLookup(QString::fromLatin1(clientA));
        m_window->grab();
        checkNothingIsLong();
        m_window->quitAtOnce();
        QCOMPARE(m_engine->shutDowns, std::vector{control::OwnLocksAtExit::Release});
        m_engine->finishShutDown();
        QVERIFY(!m_window->isVisible());
    }

    void whatIsTooLongToEditIsNotOfferedForAcquiring() {
        const LockName name(QByteArray(megabyte, 'x'));
        m_engine->report(taken(name));
        table().setCurrentLock(name);
        find<QAction>("actionAcquire").trigger();
        QCOMPARE(dialog("acquireDialog")->findChild<QLineEdit*>(QStringLiteral("acquireName"))->text(), QString());
    }

    void aShortenedNameHasWholeCharacters() {
        const QByteArray umlauts = QByteArrayLiteral("\xc3\xa4").repeated(megabyte / 2);
        for (const QByteArray& name : {umlauts, 'a' + umlauts, umlauts + "\xc3\xa4z"}) {
            const QString shown = plainName(LockName(name));
            QCOMPARE(shown.size(), longestName);
            QVERIFY2(!shown.contains(u'\\'), qPrintable(shown));
        }
        QCOMPARE(plainName(lockName("orders/{42}")), QStringLiteral("orders/{42}"));
        QCOMPARE(headOf(LockName("a\xc3\xa4"), 2), lockName("a"));
        QCOMPARE(headOf(LockName("a\xc3\xa4"), 3), LockName("a\xc3\xa4"));
    }
};

LOCKKEEPER_TEST(TestForeignText, Gui)

}  // namespace tst_foreigntext

#include "tst_foreigntext.moc"
