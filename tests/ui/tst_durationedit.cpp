// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "ui/base/durationedit.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>

namespace tst_durationedit {

using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// A duration between other fields. A limit that is half typed is not finished.
class TestDurationEdit : public QObject {
    Q_OBJECT

private:
    QSpinBox& number() const { return *m_edit->findChild<QSpinBox*>(QStringLiteral("number")); }
    QComboBox& unit() const { return *m_edit->findChild<QComboBox*>(QStringLiteral("unit")); }
    void type(const QString& text) const {
        number().setFocus();
        number().selectAll();
        QTest::keyClicks(&number(), text);
    }

    std::unique_ptr<QWidget> m_window;
    DurationEdit* m_edit = nullptr;
    QLineEdit* m_other = nullptr;
    std::unique_ptr<QSignalSpy> m_finished;

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<QWidget>();
        m_edit = new DurationEdit(1s, 60min, m_window.get());
        m_other = new QLineEdit(m_window.get());
        auto* layout = new QVBoxLayout(m_window.get());
        layout->addWidget(m_edit);
        layout->addWidget(m_other);
        m_finished = std::make_unique<QSignalSpy>(m_edit, &DurationEdit::finished);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void isFinishedWhenTheUserGoesOnToAnotherField() {
        type(QStringLiteral("45"));
        QVERIFY(m_finished->isEmpty());
        m_other->setFocus();
        QCOMPARE(m_finished->size(), 1);
        QCOMPARE(m_edit->duration(), 45h);
    }

    void isNotFinishedBetweenTheNumberAndItsUnit() {
        type(QStringLiteral("45"));
        unit().setFocus();
        unit().setCurrentIndex(2);
        QVERIFY(m_finished->isEmpty());
        number().setFocus();
        QVERIFY(m_finished->isEmpty());
        m_other->setFocus();
        QCOMPARE(m_finished->size(), 1);
        QCOMPARE(m_edit->duration(), 45min);
    }

    void isFinishedByEnter() {
        type(QStringLiteral("45"));
        QTest::keyClick(&number(), Qt::Key_Return);
        QCOMPARE(m_finished->size(), 1);
        m_other->setFocus();
        QCOMPARE(m_finished->size(), 1);
    }

    void isFinishedWhenTheWindowCloses() {
        type(QStringLiteral("45"));
        m_window->close();
        QCOMPARE(m_finished->size(), 1);
        QCOMPARE(m_edit->duration(), 45h);
    }

    void isNotFinishedWhereItIsAsBefore() {
        type(QStringLiteral("4"));
        type(QStringLiteral("1"));
        m_other->setFocus();
        QVERIFY(m_finished->isEmpty());
        m_edit->setDuration(30s);  // by the program
        number().setFocus();
        m_other->setFocus();
        QVERIFY(m_finished->isEmpty());
    }
};

LOCKKEEPER_TEST(TestDurationEdit, Gui)

}  // namespace tst_durationedit

#include "tst_durationedit.moc"
