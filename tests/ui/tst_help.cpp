// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/helptip.h"
#include "ui/base/statusfield.h"
#include "ui/connections/nodemodel.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/help/helptexts.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/model/lockcolumns.h"
#include "ui/locks/synchronizers/synchronizermodel.h"

#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QTest>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QWhatsThis>

namespace tst_help {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

// Checks that each help text is a sentence and that no two are equal.
QString flawOf(const QStringList& texts) {
    for (const QString& text : texts) {
        if (!text.endsWith(QLatin1Char('.')))
            return QStringLiteral("no sentence: \"%1\"").arg(text);
        if (texts.count(text) > 1)
            return QStringLiteral("said of two things: \"%1\"").arg(text);
    }
    return {};
}

template <typename Value>
QStringList helpOfAll(int count, QString (*help)(Value)) {
    QStringList texts;
    for (int value = 0; value < count; ++value)
        texts << help(static_cast<Value>(value));
    return texts;
}

QString plain(const QString& html) {
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

}  // namespace

// Every column, state, event and diagnosis has a help text, reachable by mouse and by keyboard.
class TestHelp : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        activate();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("L"), 12s)}));
        table().setCurrentLock(lockName("L"));
    }
    void cleanup() {
        QWhatsThis::hideText();
        end();
    }

    void everythingHasHelpOfItsOwn() {
        QCOMPARE(flawOf(helpOfAll<LockTableModel::Column>(LockTableModel::ColumnCount, columnHelp)), QString());
        QCOMPARE(flawOf(helpOfAll<EventLogModel::Column>(EventLogModel::ColumnCount, columnHelp)), QString());
        QCOMPARE(flawOf(helpOfAll<SynchronizerModel::Column>(SynchronizerModel::ColumnCount, columnHelp)), QString());
        QCOMPARE(flawOf(helpOfAll<NodeModel::Column>(NodeModel::ColumnCount, columnHelp)), QString());
        QCOMPARE(flawOf(helpOfAll<monitor::CounterState>(static_cast<int>(monitor::CounterState::NotReadable) + 1,
                                                         counterHelp)),
                 QString());
        QCOMPARE(flawOf(helpOfAll<LockState>(static_cast<int>(LockState::NeverExpires) + 1, stateHelp)), QString());
        QCOMPARE(flawOf(helpOfAll<monitor::EventType>(static_cast<int>(monitor::EventType::ExpirySet) + 1, eventHelp)),
                 QString());
        QCOMPARE(flawOf(helpOfAll<monitor::DiagnosisKind>(std::variant_size_v<monitor::AnyEvidence>, diagnosisHelp)),
                 QString());
    }

    void eachHeaderHasIt_data() {
        QTest::addColumn<QString>("table");
        QTest::newRow("locks") << "lockTable";
        QTest::newRow("events") << "eventTable";
        QTest::newRow("semaphores and latches") << "synchronizerTable";
        QTest::newRow("nodes") << "nodeTable";
    }
    void eachHeaderHasIt() {
        QFETCH(QString, table);
        const QAbstractItemModel* model = m_window->findChild<QTableView*>(table)->model();
        for (int column = 0; column < model->columnCount(); ++column) {
            const QString help = model->headerData(column, Qt::Horizontal, Qt::WhatsThisRole).toString();
            QVERIFY2(plain(help).size() > 20, qPrintable(help));
            QCOMPARE(model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), help);
        }
    }

    void aStateAKindAndADiagnosisAreExplainedInTheirCells() {
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 12s);
        row.diagnoses = {{monitor::Certainty::Certain, monitor::NeverExpires{}},
                         {monitor::Certainty::Likely, monitor::WaitersAsleep{}}};
        m_engine->report(batchOf({row}));
        QVERIFY(explanation(LockTableModel::State).contains(stateHelp(LockState::Held)));
        QVERIFY(explanation(LockTableModel::Kind).contains(kindExplanation(row.lock)));
        for (const monitor::Diagnosis& diagnosis : row.diagnoses)
            QVERIFY(explanation(LockTableModel::DiagnosisColumn).contains(diagnosisHelp(diagnosis.kind())));
    }

    void namesAreNoMarkup() {
        QCOMPARE(plain(helpTip(QStringLiteral("<b>lock</b> & co\nsecond"))),
                 QStringLiteral("<b>lock</b> & co\nsecond"));
        m_engine->report(batchOf({heldRow(m_clock, lockName("<img src=x>"), 12s)}));
        table().setCurrentLock(lockName("<img src=x>"));
        QCOMPARE(plain(table().currentIndex().siblingAtColumn(LockTableModel::Name).data(Qt::ToolTipRole).toString()),
                 QStringLiteral("<img src=x>"));
    }

    void theKeyboardAsksAboutTheCurrentCell() {
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(shownHelp());
    }

    void theKeyboardAsksAboutTheFieldItIsIn() {
        m_window->findChild<QLineEdit*>(QStringLiteral("lockFilter"))->setFocus();
        m_window->findChild<QAction*>(QStringLiteral("actionExplain"))->trigger();
        QVERIFY(shownHelp());
    }

    void theStatusBarExplainsItself() {
        const QList<StatusField*> fields = m_window->findChildren<StatusField*>();
        QVERIFY(fields.size() >= 5);
        for (const StatusField* field : fields)
            QVERIFY2(QTextDocumentFragment::fromHtml(field->whatsThis()).toPlainText().endsWith(u'.'),
                     qPrintable(field->objectName()));
    }

private:
    QString explanation(LockTableModel::Column column) const {
        return plain(table().currentIndex().siblingAtColumn(column).data(Qt::WhatsThisRole).toString());
    }
    // The window that Qt shows for What's This.
    static bool shownHelp() {
        const QWidgetList windows = QApplication::topLevelWidgets();
        return std::any_of(windows.begin(), windows.end(),
                           [](const QWidget* window) { return window->isVisible() && window->inherits("QWhatsThat"); });
    }
};

LOCKKEEPER_TEST(TestHelp, Gui)

}  // namespace tst_help

#include "tst_help.moc"
