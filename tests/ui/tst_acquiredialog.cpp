// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/dialogs/acquiredialog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestAcquireDialog : public QObject {
    Q_OBJECT

private:
    template <typename Widget>
    Widget& find(const QString& name) const {
        return *m_dialog->findChild<Widget*>(name);
    }
    QLineEdit& name() const { return find<QLineEdit>(QStringLiteral("acquireName")); }
    QPushButton& button() const { return find<QPushButton>(QStringLiteral("acquireButton")); }
    void setDuration(const QString& field, int number, const QString& unit) const {
        const QWidget& edit = find<QWidget>(field);
        edit.findChild<QSpinBox*>(QStringLiteral("number"))->setValue(number);
        edit.findChild<QComboBox*>(QStringLiteral("unit"))->setCurrentText(unit);
    }
    control::AcquireRequest clickAndTake() const {
        control::AcquireRequest taken;
        const auto connection = connect(m_dialog.get(), &AcquireDialog::acquireRequested, m_dialog.get(),
                                        [&taken](const control::AcquireRequest& request) { taken = request; });
        button().click();
        disconnect(connection);
        return taken;
    }

    std::unique_ptr<AcquireDialog> m_dialog;

private Q_SLOTS:
    void init() {
        m_dialog = std::make_unique<AcquireDialog>();
        m_dialog->show();
    }
    void cleanup() { m_dialog.reset(); }

    void needsAName() {
        QVERIFY(!button().isEnabled());
        name().setText(QStringLiteral("L"));
        QVERIFY(button().isEnabled());
    }

    void namesVerbAndObjectOnItsButton() {
        name().setText(QStringLiteral("a&b"));
        QCOMPARE(button().text(), QStringLiteral("&Acquire a&&b"));
    }

    void takesTheWatchdogUnlessALeaseIsAskedFor() {
        name().setText(QStringLiteral("orders/{42}"));
        setDuration(QStringLiteral("acquireWait"), 0, QStringLiteral("seconds"));
        const control::AcquireRequest request = clickAndTake();
        QCOMPARE(request.name, lockName("orders/{42}"));
        QVERIFY(!request.lease.has_value());
        QCOMPARE(request.wait.count(), 0);
        QCOMPARE(m_dialog->result(), int{QDialog::Accepted});
    }

    void takesLeaseAndWaitInTheirUnits_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<qint64>("milliseconds");
        QTest::newRow("ms") << 250 << QStringLiteral("ms") << qint64{250};
        QTest::newRow("seconds") << 30 << QStringLiteral("seconds") << qint64{30000};
        QTest::newRow("minutes") << 5 << QStringLiteral("minutes") << qint64{300000};
        QTest::newRow("hours, more than 32 bits of milliseconds")
            << 999999 << QStringLiteral("hours") << qint64{999999} * 3600000;
    }
    void takesLeaseAndWaitInTheirUnits() {
        QFETCH(int, number);
        QFETCH(QString, unit);
        QFETCH(qint64, milliseconds);
        name().setText(QStringLiteral("L"));
        find<QRadioButton>(QStringLiteral("acquireFixed")).setChecked(true);
        setDuration(QStringLiteral("acquireLease"), number, unit);
        setDuration(QStringLiteral("acquireWait"), number, unit);
        const control::AcquireRequest request = clickAndTake();
        QVERIFY(request.lease.has_value());
        QCOMPARE(qint64{request.lease->count()}, milliseconds);
        QCOMPARE(qint64{request.wait.count()}, milliseconds);
    }

    void offersALeaseOnlyWhenItCounts() {
        QVERIFY(!find<QWidget>(QStringLiteral("acquireLease")).isEnabled());
        find<QRadioButton>(QStringLiteral("acquireFixed")).setChecked(true);
        QVERIFY(find<QWidget>(QStringLiteral("acquireLease")).isEnabled());
    }

    void aLeaseIsNeverZero() {
        find<QRadioButton>(QStringLiteral("acquireFixed")).setChecked(true);
        name().setText(QStringLiteral("L"));
        setDuration(QStringLiteral("acquireLease"), 0, QStringLiteral("ms"));
        QVERIFY(clickAndTake().lease.value() > 0ms);
    }

    void keepsTheBytesOfANameThatIsNotText() {
        const LockName binary(QByteArray("a\nb\xff", 4));
        m_dialog->setName(binary);
        QCOMPARE(clickAndTake().name, binary);
    }

    void takesANameInAnyScript() {
        name().setText(QStringLiteral("锁"));
        QCOMPARE(clickAndTake().name, LockName(QByteArrayLiteral("\xe9\x94\x81")));
    }

    void warnsOfASpaceAtAnEnd() {
        name().setText(QStringLiteral("L "));
        QVERIFY(find<QLabel>(QStringLiteral("acquireNameHint")).text().contains(QStringLiteral("space")));
        QCOMPARE(clickAndTake().name, lockName("L "));
    }

    void cancelTakesNothing() {
        const QSignalSpy requests(m_dialog.get(), &AcquireDialog::acquireRequested);
        name().setText(QStringLiteral("L"));
        find<QPushButton>(QStringLiteral("acquireCancel")).click();
        QCOMPARE(requests.size(), 0);
    }
};

LOCKKEEPER_TEST(TestAcquireDialog, Gui)
#include "tst_acquiredialog.moc"
