// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/operate/acquiredialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

namespace tst_acquiredialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestAcquireDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
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

    QComboBox& kindBox() const { return find<QComboBox>(QStringLiteral("acquireKind")); }
    QCheckBox& extend() const { return find<QCheckBox>(QStringLiteral("acquireExtend")); }
    static monitor::LockSnapshot selected(monitor::LockKind kind, monitor::HoldMode mode) {
        monitor::LockSnapshot lock;
        lock.name = lockName("L");
        lock.kind = kind;
        lock.holders = {holder(clientA, 1, 1, mode)};
        return lock;
    }
    static control::OwnLock own(control::OwnLockKind kind) {
        control::OwnLock lock;
        lock.name = lockName("L");
        lock.holder = holder(clientA, 1).id;
        lock.kind = kind;
        if (kind == control::OwnLockKind::Fenced)
            lock.token = 7;
        return lock;
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
        monitor::LockSnapshot lock;
        lock.name = binary;
        m_dialog->setLock(lock, {});
        QCOMPARE(clickAndTake().name, binary);
    }

    void takesEachKind() {
        name().setText(QStringLiteral("L"));
        using enum control::OwnLockKind;
        for (const control::OwnLockKind kind :
             {Reentrant, Fair, Fenced, Read, Write, Spin, NonReentrant, NonReentrantFair}) {
            kindBox().setCurrentIndex(kindBox().findData(static_cast<int>(kind)));
            QCOMPARE(clickAndTake().kind, kind);
        }
    }

    void beginsWithTheKindOfTheSelectedLock_data() {
        QTest::addColumn<monitor::LockKind>("of");
        QTest::addColumn<monitor::HoldMode>("mode");
        QTest::addColumn<control::OwnLockKind>("kind");
        using monitor::HoldMode;
        using monitor::LockKind;
        QTest::newRow("plain") << LockKind::Reentrant << HoldMode::Exclusive << control::OwnLockKind::Reentrant;
        QTest::newRow("fair") << LockKind::Fair << HoldMode::Exclusive << control::OwnLockKind::Fair;
        QTest::newRow("fenced") << LockKind::Fenced << HoldMode::Exclusive << control::OwnLockKind::Fenced;
        QTest::newRow("read") << LockKind::ReadWrite << HoldMode::Read << control::OwnLockKind::Read;
        QTest::newRow("written") << LockKind::ReadWrite << HoldMode::Write << control::OwnLockKind::Write;
    }
    void beginsWithTheKindOfTheSelectedLock() {
        QFETCH(monitor::LockKind, of);
        QFETCH(monitor::HoldMode, mode);
        QFETCH(control::OwnLockKind, kind);
        m_dialog->setLock(selected(of, mode), {});
        const control::AcquireRequest request = clickAndTake();
        QCOMPARE(request.name, lockName("L"));
        QCOMPARE(request.kind, kind);
        QVERIFY(!request.extends);
    }

    void extendsALockOfThisConsole() {
        m_dialog->setLock(selected(monitor::LockKind::Fenced, monitor::HoldMode::Exclusive),
                          {own(control::OwnLockKind::Fenced)});
        QVERIFY(extend().isVisible());
        QVERIFY2(find<QLabel>(QStringLiteral("acquireNameHint")).text().contains(QStringLiteral("fencing token 7")),
                 qPrintable(find<QLabel>(QStringLiteral("acquireNameHint")).text()));
        extend().setChecked(true);
        QCOMPARE(button().text(), QStringLiteral("&Extend L"));
        find<QRadioButton>(QStringLiteral("acquireFixed")).setChecked(true);
        const control::AcquireRequest request = clickAndTake();
        QVERIFY(request.extends);
        QCOMPARE(request.lease, Milliseconds(30s));
    }

    void cannotExtendWhatItDoesNotHold() {
        m_dialog->setLock(selected(monitor::LockKind::Reentrant, monitor::HoldMode::Exclusive),
                          {own(control::OwnLockKind::Reentrant)});
        QVERIFY(extend().isVisible());
        name().setText(QStringLiteral("M"));
        QVERIFY(!extend().isVisible());
        // Each hold of a reader has its own lease.
        m_dialog->setLock(selected(monitor::LockKind::ReadWrite, monitor::HoldMode::Read),
                          {own(control::OwnLockKind::Read)});
        QVERIFY(!extend().isVisible());
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

}  // namespace tst_acquiredialog

#include "tst_acquiredialog.moc"
