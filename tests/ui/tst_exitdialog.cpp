// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/window/exitdialog.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

namespace tst_exitdialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

class TestExitDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    std::vector<control::OwnLocksAtExit> click(const QString& button) const {
        std::vector<control::OwnLocksAtExit> choices;
        const auto connection = connect(m_dialog.get(), &ExitDialog::chosen, m_dialog.get(),
                                        [&choices](control::OwnLocksAtExit choice) { choices.push_back(choice); });
        find<QPushButton>(button).click();
        disconnect(connection);
        return choices;
    }
    static QList<ExitDialog::HeldAt> locks(int count, const char* server = "one:6379") {
        QList<control::OwnLock> result;
        for (int i = 0; i < count; ++i)
            result << control::OwnLock{LockName(QByteArrayLiteral("own:") + QByteArray::number(i)), HolderId(), 1,
                                       true};
        if (result.isEmpty())
            return {};
        return {
            {{QStringLiteral("Orders"), profile::Environment::Production, {}}, QString::fromLatin1(server), result}};
    }

    std::unique_ptr<ExitDialog> m_dialog;

private Q_SLOTS:
    void init() {
        m_dialog = std::make_unique<ExitDialog>(ExitDialog::Leaving::Program);
        m_dialog->setLocks(locks(2), ExitDialog::Connection::Live);
        m_dialog->show();
    }
    void cleanup() { m_dialog.reset(); }

    void listsTheLocks() {
        QVERIFY(find<QLabel>(QStringLiteral("exitHeadline")).text().contains(QStringLiteral("2 locks")));
        QVERIFY(find<QLabel>(QStringLiteral("exitLocks")).text().contains(QStringLiteral("own:1")));
    }

    void namesTheConnection() {
        const auto& badge = find<QWidget>(QStringLiteral("connectionBadge"));
        QVERIFY(badge.isVisible());
        m_dialog->setLocks(locks(2, "one:6379") + locks(1, "two:6379"), ExitDialog::Connection::Live);
        QVERIFY(!badge.isVisible());
        const QStringList lines = find<QLabel>(QStringLiteral("exitLocks")).text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5);
        QVERIFY2(lines[0].contains(QStringLiteral("one:6379")), qPrintable(lines[0]));
        QVERIFY2(lines[3].contains(QStringLiteral("two:6379")), qPrintable(lines[3]));
        QVERIFY(find<QLabel>(QStringLiteral("exitHeadline")).text().contains(QStringLiteral("3 locks")));
    }

    void listsAFewOfMany() {
        m_dialog->setLocks(locks(500), ExitDialog::Connection::Live);
        const QString text = find<QLabel>(QStringLiteral("exitLocks")).text();
        QVERIFY2(text.contains(QStringLiteral("and 492 more")), qPrintable(text));
        QVERIFY(text.count(QLatin1Char('\n')) < 12);
    }

    void eachButtonIsOneChoice_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<std::vector<control::OwnLocksAtExit>>("choices");
        using Choices = std::vector<control::OwnLocksAtExit>;
        QTest::newRow("release") << QStringLiteral("exitRelease") << Choices{control::OwnLocksAtExit::Release};
        QTest::newRow("keep") << QStringLiteral("exitKeep") << Choices{control::OwnLocksAtExit::LeaveToLease};
        QTest::newRow("cancel") << QStringLiteral("exitCancel") << Choices{};
    }
    void eachButtonIsOneChoice() {
        QFETCH(QString, button);
        QFETCH(std::vector<control::OwnLocksAtExit>, choices);
        QVERIFY(click(button) == choices);
        QVERIFY(!m_dialog->isVisible());
    }

    void cancelIsTheDefault() { QVERIFY(find<QPushButton>(QStringLiteral("exitCancel")).isDefault()); }

    void cannotReleaseWithoutAConnectionAndSaysSo() {
        m_dialog->setLocks(locks(1), ExitDialog::Connection::Lost);
        QVERIFY(!find<QPushButton>(QStringLiteral("exitRelease")).isEnabled());
        QVERIFY(find<QLabel>(QStringLiteral("exitNote")).text().contains(QStringLiteral("Not connected")));
        QVERIFY(find<QPushButton>(QStringLiteral("exitKeep")).isEnabled());
    }

    void followsLocksThatRanOutMeanwhile() {
        m_dialog->setLocks({}, ExitDialog::Connection::Live);
        QVERIFY(find<QLabel>(QStringLiteral("exitHeadline")).text().contains(QStringLiteral("no lock any more")));
    }
};

LOCKKEEPER_TEST(TestExitDialog, Gui)

}  // namespace tst_exitdialog

#include "tst_exitdialog.moc"
