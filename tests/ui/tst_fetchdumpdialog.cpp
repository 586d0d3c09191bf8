// SPDX-License-Identifier: Apache-2.0
#include "jvm/fetch/fetchcause.h"
#include "support/guitestprogram.h"
#include "support/widgettest.h"
#include "ui/base/inlinemessage.h"
#include "ui/events/threads/fetchdumpdialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

namespace tst_fetchdumpdialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using profile::DumpWay;

// Nothing runs that was not shown and agreed to.
class TestFetchDumpDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    QString plan() const { return find<QPlainTextEdit>("fetchDumpPlan").toPlainText(); }
    QString message() const { return find<InlineMessage>("fetchDumpMessage").text(); }
    QPushButton& run() const { return find<QPushButton>("fetchDumpRun"); }
    QCheckBox& confirmation() const { return find<QCheckBox>("fetchDumpConfirm"); }
    void type(const QString& place) const {
        auto& field = find<QLineEdit>("fetchDumpPlace");
        field.clear();
        QTest::keyClicks(&field, place);
    }
    void open(FetchSubject subject) {
        subject.client = ClientId(QByteArrayLiteral("97b87f0b-0c5d-4043-bd00-c2b44039227f"));
        subject.name = QStringLiteral("reporter-1");
        m_searches.clear();
        m_orders.clear();
        m_cancelled = 0;
        m_dialog = std::make_unique<FetchDumpDialog>(subject);
        connect(m_dialog.get(), &FetchDumpDialog::searchWanted, this,
                [this](const jvm::ProcessSearch& search) { m_searches << search; });
        connect(m_dialog.get(), &FetchDumpDialog::dumpWanted, this,
                [this](const jvm::DumpOrder& order) { m_orders << order; });
        connect(m_dialog.get(), &FetchDumpDialog::cancelWanted, this, [this] { ++m_cancelled; });
        m_dialog->show();
    }
    void openSsh(const QString& place = QStringLiteral("10.0.0.7:53422")) {
        FetchSubject subject;
        subject.settings.way = DumpWay::Ssh;
        subject.place = place;
        open(subject);
    }
    void openActuator() {
        FetchSubject subject;
        subject.settings.way = DumpWay::Actuator;
        subject.settings.url = QStringLiteral("http://{host}:8081/actuator/threaddump");
        subject.settings.credentials.user = "admin";
        subject.settings.hosts = QStringList{QStringLiteral("10.0.0.7")};
        subject.place = QStringLiteral("10.0.0.7:53422");
        open(subject);
    }

    std::unique_ptr<FetchDumpDialog> m_dialog;
    QList<jvm::ProcessSearch> m_searches;
    QList<jvm::DumpOrder> m_orders;
    int m_cancelled = 0;

private Q_SLOTS:
    void showsTheCommandAndThenTheProcess() {
        openSsh();
        QVERIFY2(plan().endsWith("-- 10.0.0.7 'ss -Htnpe sport = :53422'"), qPrintable(plan()));
        QVERIFY(m_searches.isEmpty());
        run().click();
        QCOMPARE(m_searches.size(), 1);
        QVERIFY(!run().isEnabled());

        m_dialog->showProcesses({{4711, QStringLiteral("java"), 1000}});
        QCOMPARE(find<QComboBox>("fetchDumpProcess").currentText(), QStringLiteral("java, number 4711, of user 1000"));
        QVERIFY2(plan().endsWith("'jcmd 4711 Thread.print -l'"), qPrintable(plan()));
        QVERIFY(m_orders.isEmpty());
        find<QCheckBox>("fetchDumpTwice").setChecked(true);
        run().click();
        QCOMPARE(m_orders.size(), 1);
        QCOMPARE(std::get<jvm::SshDump>(m_orders.first().way).process.id, 4711);
        QCOMPARE(m_orders.first().count, jvm::DumpCount::Twice);
    }

    void refusesAProcessThatIsNotJava() {
        openSsh();
        run().click();
        m_dialog->showProcesses({{12, QStringLiteral("haproxy"), 0}, {13, QStringLiteral("java"), 0}});
        QVERIFY(!run().isEnabled());
        QVERIFY2(message().contains("haproxy"), qPrintable(message()));
        find<QComboBox>("fetchDumpProcess").setCurrentIndex(1);
        QVERIFY(run().isEnabled());
    }

    void needsAnAddress() {
        openSsh({});
        QVERIFY(!run().isEnabled());
        QVERIFY2(message().contains("find out who it is first"), qPrintable(message()));
        type(QStringLiteral("app-1:53422"));
        QVERIFY(!run().isEnabled());
        type(QStringLiteral("10.0.0.8:53422"));
        QVERIFY(run().isEnabled());
        QVERIFY(plan().contains("10.0.0.8"));
    }

    void anotherAddressNeedsAnotherSearch() {
        openSsh();
        run().click();
        m_dialog->showProcesses({{4711, QStringLiteral("java"), 1000}});
        type(QStringLiteral("10.0.0.8:53422"));
        QVERIFY(plan().contains("ss -Htnpe"));
    }

    void asksBeforeThePasswordGoesToAnotherHost() {
        openActuator();
        QVERIFY(plan().startsWith("GET http://10.0.0.7:8081/actuator/threaddump\n"));
        QVERIFY(plan().contains("admin"));
        QVERIFY(!confirmation().isVisible());
        QVERIFY(run().isEnabled());
        type(QStringLiteral("10.0.0.8:53422"));
        QVERIFY(confirmation().isVisible());
        QVERIFY(confirmation().text().contains("10.0.0.8"));
        QVERIFY(!run().isEnabled());
        confirmation().click();
        run().click();
        QCOMPARE(m_orders.size(), 1);
        QVERIFY(std::get<jvm::WebDump>(m_orders.first().way).isHostConfirmed);
    }

    void aConfirmationIsForOneHost() {
        openActuator();
        type(QStringLiteral("10.0.0.8:53422"));
        confirmation().click();
        type(QStringLiteral("10.0.0.9:53422"));
        QVERIFY(!run().isEnabled());
    }

    void refusesForbiddenAddresses() {
        openActuator();
        type(QStringLiteral("169.254.169.254:80"));
        QVERIFY(!run().isEnabled());
        QVERIFY2(message().contains("nothing is sent there"), qPrintable(message()));
    }

    void copiesTheCommand() {
        openActuator();
        find<QPushButton>("fetchDumpCopy").click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(
            copied.startsWith("curl ") && copied.endsWith("--user admin -- http://10.0.0.7:8081/actuator/threaddump"),
            qPrintable(copied));
        QVERIFY(m_orders.isEmpty());
    }

    void saysWhatFailed() {
        openSsh();
        run().click();
        m_dialog->showFailure(Error(ErrorCode::InvalidArgument, jvm::FetchCause::NoSuchPort, {"53422"}));
        QVERIFY2(message().contains("no process there has a connection from port 53422"), qPrintable(message()));
        QVERIFY(run().isEnabled());
    }

    void canBeStopped() {
        openSsh();
        run().click();
        m_dialog->reject();
        QCOMPARE(m_cancelled, 1);
        QVERIFY(m_dialog->isVisible());
        m_dialog->showFailure(Error(ErrorCode::Cancelled, Cause::Cancelled));
        QVERIFY(!message().contains("There is no thread dump"));
        m_dialog->reject();
        QCOMPARE(m_cancelled, 1);
        QVERIFY(!m_dialog->isVisible());
    }

    void withoutAWayItOffersAFile() {
        open({});
        QVERIFY(!run().isVisible());
        QVERIFY(find<QPushButton>("fetchDumpFile").isVisible());
        QVERIFY(find<QLabel>("fetchDumpWhat").text().contains("Set one where the connection is edited"));
    }

    void runsNothingInTheDemo() {
        FetchSubject subject;
        subject.server = FetchSubject::Server::Demo;
        open(subject);
        QVERIFY(!find<QPlainTextEdit>("fetchDumpPlan").isVisible());
        run().click();
        QVERIFY(std::holds_alternative<jvm::DemoDump>(m_orders.value(0).way));
    }
};

LOCKKEEPER_TEST(TestFetchDumpDialog, Gui)

}  // namespace tst_fetchdumpdialog

#include "tst_fetchdumpdialog.moc"
