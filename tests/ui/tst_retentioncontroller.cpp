// SPDX-License-Identifier: Apache-2.0
#include "support/emptysettings.h"
#include "support/fakeengine.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/messagebar.h"
#include "ui/window/settings/historypage.h"
#include "ui/window/settings/retentioncontroller.h"

#include <QCheckBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

namespace tst_retentioncontroller {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

const QString server = QStringLiteral("redis.example.com:6379/0");

}  // namespace

class TestRetentionController : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_window; }
    void open(const ConnectionStatus& front) { m_controller->makePage(front, m_window.get())->show(); }
    void apply() const { find<QPushButton>("settingsApplyRetention").click(); }

    QTemporaryDir m_directory;
    std::unique_ptr<QSettings> m_settings;
    ManualClock m_clock;
    std::unique_ptr<FakeEngine> m_engine;
    std::unique_ptr<QWidget> m_window;
    MessageBar* m_messages = nullptr;
    RetentionController* m_controller = nullptr;
    ConnectionStatus m_connected;

private Q_SLOTS:
    void initTestCase() {
        m_connected.profile = profile::ProfileId(QStringLiteral("@") + server);
        m_connected.server = server;
    }
    void init() {
        m_settings = emptySettings(m_directory);
        m_engine = std::make_unique<FakeEngine>();
        m_window = std::make_unique<QWidget>();
        m_messages = new MessageBar(m_clock, m_window.get());
        m_controller = new RetentionController(
            *m_engine, [this]() -> MessageBar& { return *m_messages; }, *m_settings, m_window.get());
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void showsWhatIsSetAndTakesWhatIsChosen() {
        open({});
        QVERIFY(find<QCheckBox>("retentionKeep").isChecked());
        QCOMPARE(find<QSpinBox>("retentionDays").value(), 7);
        QCOMPARE(find<QSpinBox>("retentionEvents").value(), 1'000'000);
        find<QSpinBox>("retentionDays").setValue(30);
        find<QSpinBox>("retentionEvents").setValue(50'000);
        QVERIFY(find<QLabel>("retentionRoom").text().contains(QStringLiteral("MB")));
        apply();
        const history::Retention chosen{24h * 30, 50'000};
        QCOMPARE(m_engine->retentions.size(), size_t{1});
        QVERIFY(m_engine->retentions[0] == chosen);
        QVERIFY(retentionFrom(*m_settings) == chosen);
    }

    // Lower limits delete events at once.
    void nothingChangesWithoutTheButton() {
        open({});
        find<QSpinBox>("retentionDays").setValue(1);
        QVERIFY(m_engine->retentions.empty());
        QVERIFY(retentionFrom(*m_settings) == history::Retention());
    }

    void keepingNothingSaysWhatBecomesOfTheRest() {
        open({});
        find<QCheckBox>("retentionKeep").setChecked(false);
        QVERIFY(!find<QSpinBox>("retentionDays").isEnabled());
        QVERIFY(find<QLabel>("retentionMeaning").text().contains(QStringLiteral("stays until you delete it")));
        apply();
        QVERIFY(!m_engine->retentions.at(0).keepsAnything());
        QVERIFY(!retentionFrom(*m_settings).keepsAnything());
    }

    void deletingAsksAndCancelIsTheDefault() {
        open(m_connected);
        find<QPushButton>("retentionForget").click();
        auto& question = find<QMessageBox>("retentionQuestion");
        QVERIFY(question.text().contains(server));
        QCOMPARE(question.defaultButton(), question.button(QMessageBox::Cancel));
        QTest::keyClick(&question, Qt::Key_Escape);
        QVERIFY(m_engine->forgottenProfiles.isEmpty());
        QTRY_VERIFY(!m_window->findChild<QMessageBox*>());
        find<QPushButton>("retentionForget").click();
        find<QPushButton>("retentionForgetConfirmed").click();
        QCOMPARE(m_engine->forgottenProfiles, QStringList{QStringLiteral("@") + server});
        m_engine->finishForgetting({});
        QVERIFY(m_messages->texts().last().contains(QStringLiteral("is deleted")));
    }

    void aFailureToDeleteIsReported() {
        open(m_connected);
        find<QPushButton>("retentionForget").click();
        find<QPushButton>("retentionForgetConfirmed").click();
        m_engine->finishForgetting(Error(ErrorCode::Storage, QStringLiteral("disk is full")));
        QVERIFY(m_messages->texts().last().contains(QStringLiteral("disk is full")));
    }

    void withoutAServerThereIsNothingToDelete() {
        open({});
        QVERIFY(!find<QPushButton>("retentionForget").isEnabled());
        QVERIFY(!find<QPushButton>("retentionForget").toolTip().isEmpty());
    }

    // Nobody has asked to keep no history, or to delete what is older, where the settings are damaged.
    void strangeSettingsAreTakenAsFarAsTheyGo_data() {
        QTest::addColumn<QVariant>("days");
        QTest::addColumn<QVariant>("rows");
        QTest::addColumn<bool>("keeps");
        QTest::newRow("nothing set") << QVariant() << QVariant() << true;
        QTest::newRow("no days") << QVariant(0) << QVariant() << false;
        QTest::newRow("negative") << QVariant(-3) << QVariant(5000) << true;
        QTest::newRow("no rows") << QVariant(7) << QVariant(0) << false;
        QTest::newRow("no number") << QVariant(QStringLiteral("x")) << QVariant() << true;
        QTest::newRow("more days than there are") << QVariant(qint64{1} << 60) << QVariant() << true;
    }
    void strangeSettingsAreTakenAsFarAsTheyGo() {
        QFETCH(const QVariant, days);
        QFETCH(const QVariant, rows);
        if (days.isValid())
            m_settings->setValue(QStringLiteral("history/days"), days);
        if (rows.isValid())
            m_settings->setValue(QStringLiteral("history/rows"), rows);
        QTEST(retentionFrom(*m_settings).keepsAnything(), "keeps");
        open({});  // with values that the page can show
        QVERIFY(find<QSpinBox>("retentionDays").value() > 0);
    }
};

LOCKKEEPER_TEST(TestRetentionController, Gui)

}  // namespace tst_retentioncontroller

#include "tst_retentioncontroller.moc"
