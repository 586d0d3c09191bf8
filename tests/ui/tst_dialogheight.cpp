// SPDX-License-Identifier: Apache-2.0
#include "support/dialogchecks.h"
#include "support/emptysettings.h"
#include "support/fakesecretstore.h"
#include "support/guitestprogram.h"
#include "support/layoutfonts.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/connections/connectdialog.h"
#include "ui/connections/knownconnections.h"
#include "ui/operate/armdialog.h"
#include "ui/operate/forcereleasedialog.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_dialogheight {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// Dialogs that become higher while they are open stay on the screen, with all their buttons.
class TestDialogHeight : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    // The window gets its frame with the first events.
    void show() {
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
        QCoreApplication::processEvents();
    }
    void moveToTheEndOfTheScreen() const {
        const QRect screen = m_dialog->screen()->availableGeometry();
        m_dialog->move(m_dialog->x(), screen.y() + screen.height() - m_dialog->frameGeometry().height());
        QCoreApplication::processEvents();
    }
    void press(const char* button) const {
        QTest::mouseClick(&find<QAbstractButton>(button), Qt::LeftButton);
        QCoreApplication::processEvents();
    }
    monitor::LockRow row() const { return renewedRow(m_clock, lockName("orders/{42}")); }
    void setFont(const QFont& font) {
        m_font = std::make_unique<LayoutFont>(font);
        QVERIFY(m_font->isInstalled());
    }
    ForceReleaseDialog& openForce(const QFont& font = QFont(QStringLiteral("DejaVu Sans"), 10)) {
        setFont(font);
        auto dialog = std::make_unique<ForceReleaseDialog>(row(), *m_time, m_clock);
        ForceReleaseDialog& force = *dialog;
        m_dialog = std::move(dialog);
        show();
        return force;
    }
    ConnectDialog& openConnect(const QFont& font = QFont(QStringLiteral("DejaVu Sans"), 10)) {
        setFont(font);
        auto dialog = std::make_unique<ConnectDialog>(*m_known, m_secrets, m_files);
        ConnectDialog& connect = *dialog;
        m_dialog = std::move(dialog);
        show();
        return connect;
    }
    // Fills every field that the dialog can have.
    void typeALongConnection() const {
        find<QComboBox>("connectUrl")
            .setEditText(QStringLiteral("rediss-sentinel://s1.example,s2.example/mymaster?cert=/c.pem&key=/k.pem"));
        find<QLineEdit>("connectWriter").setText(QStringLiteral("operator"));
        QCoreApplication::processEvents();
    }
    static ConnectionStatus failed() {
        ConnectionStatus status = connected();
        status.phase = ConnectionPhase::Failed;
        status.error = Error(ErrorCode::Tls,
                             QStringLiteral("The certificate is not trusted, because its issuer is not known here."));
        return status;
    }

    QTemporaryDir m_directory;
    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<QSettings> m_settings;
    profile::ProfileStore m_profiles{m_directory.filePath(QStringLiteral("profiles.json"))};
    std::unique_ptr<KnownConnections> m_known;
    FileThread m_files;
    FakeSecretStore m_secrets;
    std::unique_ptr<QDialog> m_dialog;
    std::unique_ptr<LayoutFont> m_font;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_settings = emptySettings(m_directory);
        m_known = std::make_unique<KnownConnections>(*m_settings, m_profiles, m_clock);
    }
    void cleanup() {
        m_dialog.reset();
        m_font.reset();
    }

    void aForceDialogStaysOnTheScreen_data() { addFontRows(); }
    void aForceDialogStaysOnTheScreen() {
        QFETCH(const QFont, font);
        ForceReleaseDialog& force = openForce(font);
        QCOMPARE(whatDoesNotFit(force), QString());
        force.setConnection({QStringLiteral("Orders"), profile::Environment::Production, {}},
                            QStringLiteral("cache.example:6379"));
        QCoreApplication::processEvents();
        QCOMPARE(whatDoesNotFit(force), QString());
        moveToTheEndOfTheScreen();
        press("forceShowCommands");
        QCOMPARE(whatDoesNotFit(force), QString());
        QVERIFY(find<QPlainTextEdit>("forceCommands").height() >= 2 * force.fontMetrics().height());
        monitor::LockRow other = row();
        other.lock.holders = {holder(clientB, 7)};
        force.follow(other);
        QCoreApplication::processEvents();
        QCOMPARE(whatDoesNotFit(force), QString());
    }

    void itBecomesLowerWhenTheCommandsAreFolded() {
        const ForceReleaseDialog& force = openForce();
        press("forceShowCommands");
        press("forceShowCommands");
        const int before = force.height();
        press("forceShowCommands");
        QVERIFY(force.height() > before + 50);
        press("forceShowCommands");
        QCOMPARE(force.height(), before);
        QCOMPARE(whatDoesNotFit(force), QString());
    }

    // The dialog stays where the user has put it.
    void itIsNotMovedWithoutNeed() {
        ForceReleaseDialog& force = openForce();
        moveToTheEndOfTheScreen();
        force.move(force.x(), force.y() + 60);
        const QPoint place = force.pos();
        force.follow(row());
        QCoreApplication::processEvents();
        QCOMPARE(force.pos(), place);
    }

    void aConnectDialogStaysOnTheScreen_data() { addFontRows(); }
    void aConnectDialogStaysOnTheScreen() {
        QFETCH(const QFont, font);
        ConnectDialog& connect = openConnect(font);
        QCOMPARE(whatDoesNotFit(connect), QString());
        moveToTheEndOfTheScreen();
        typeALongConnection();
        QVERIFY(find<QLineEdit>("connectSentinelPassword").isVisible());
        QCOMPARE(whatDoesNotFit(connect), QString());
        press("connectTest");
        connect.followTest(failed());
        QCoreApplication::processEvents();
        QCOMPARE(whatDoesNotFit(connect), QString());
    }

    void itsFieldsAreNotScrolledWhileThereIsRoom() {
        const ConnectDialog& connect = openConnect();
        const QScrollBar& bar = *connect.findChild<QScrollArea*>()->verticalScrollBar();
        QCOMPARE(bar.maximum(), 0);
        find<QComboBox>("connectUrl").setEditText(QStringLiteral("redis-sentinel://s1.example/mymaster"));
        QCoreApplication::processEvents();
        QCOMPARE(bar.maximum(), 0);
    }

    void whatHasTheKeyboardIsScrolledIntoSight_data() { addFontRows({16}); }
    void whatHasTheKeyboardIsScrolledIntoSight() {
        QFETCH(const QFont, font);
        const ConnectDialog& connect = openConnect(font);
        typeALongConnection();
        QScrollBar& bar = *connect.findChild<QScrollArea*>()->verticalScrollBar();
        QVERIFY(bar.maximum() > 0);
        for (const auto& [field, scrolled] : {std::pair("connectAsk", 0), std::pair("connectUrl", bar.maximum())}) {
            auto& now = find<QWidget>(field);
            bar.setValue(scrolled);
            QVERIFY2(now.visibleRegion() != QRegion(now.rect()), field);
            now.setFocus();
            QCoreApplication::processEvents();
            QVERIFY2(now.visibleRegion() == QRegion(now.rect()), field);
        }
    }

    void aRefusalToArmIsReadWhole_data() { addFontRows(); }
    void aRefusalToArmIsReadWhole() {
        QFETCH(const QFont, font);
        setFont(font);
        auto dialog = std::make_unique<ArmDialog>();
        ArmDialog& arm = *dialog;
        m_dialog = std::move(dialog);
        arm.setConnection({QStringLiteral("Orders"), profile::Environment::Production, {}},
                          QStringLiteral("cache.example:6379"));
        show();
        QCOMPARE(whatDoesNotFit(arm), QString());
        arm.setRefusal(
            QStringLiteral(
                "The audit cannot be written: the disk of this computer is full. Without it nothing is changed on a server. ")
                .repeated(3));
        QCoreApplication::processEvents();
        QCOMPARE(whatDoesNotFit(arm), QString());
        QVERIFY(find<QLabel>("armRefusal").isVisible());
    }
};

LOCKKEEPER_TEST(TestDialogHeight, GuiOnSmallScreen)

}  // namespace tst_dialogheight

#include "tst_dialogheight.moc"
