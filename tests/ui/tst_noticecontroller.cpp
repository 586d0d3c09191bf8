// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticeruletext.h"
#include "support/emptysettings.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/messagebar.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/window/notices/noticecontroller.h"
#include "ui/window/notices/noticeform.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace tst_noticecontroller {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::DiagnosisKind;

namespace {

class FakeNotifier final : public Notifier {
public:
    void show(const QString& title, const QString& text) override {
        lastTitle = title;
        shown << text;
    }
    void probe() override { ++probes; }
    void answerProbe(const std::optional<Error>& problem) { Q_EMIT probed(problem); }
    void fail(const Error& problem) { Q_EMIT failed(problem); }

    QString lastTitle;
    QStringList shown;
    int probes = 0;
};

}  // namespace

// From the rules in the settings to the notices that are shown, played as a sound, or suppressed.
class TestNoticeController : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_window; }
    void makeController() {
        m_window = std::make_unique<QWidget>();
        m_messages = new MessageBar(m_clock, m_window.get());
        auto notifier = std::make_unique<FakeNotifier>();
        m_notifier = notifier.get();
        m_beeps = 0;
        m_choice = new NoticeChoice(*m_settings, m_window.get());
        m_controller = new NoticeController({std::move(notifier), [this] { ++m_beeps; }}, *m_locks, *m_messages,
                                            *m_choice, m_clock, *m_window);
        m_window->show();
    }
    void save(const monitor::NoticeRules& rules, bool onDesktop = true, bool withSound = false) const {
        NoticeSettings settings;
        settings.rules = rules;
        settings.onDesktop = onDesktop;
        settings.withSound = withSound;
        settings.save(*m_settings);
    }
    static monitor::NoticeRules heldLonger(Milliseconds limit) {
        monitor::NoticeRules rules;
        rules.heldLonger = limit;
        return rules;
    }
    void openForm() { m_controller->makeForm(m_window.get())->show(); }
    void report(const std::vector<monitor::LockRow>& rows) {
        m_locks->apply(batchOf(rows));
        m_controller->apply(batchOf(rows));
    }

    QTemporaryDir m_directory;
    std::unique_ptr<QSettings> m_settings;
    ManualClock m_clock;
    ViewTime m_time{m_clock};
    std::unique_ptr<LockTableModel> m_locks;
    std::unique_ptr<QWidget> m_window;
    MessageBar* m_messages = nullptr;
    FakeNotifier* m_notifier = nullptr;
    NoticeChoice* m_choice = nullptr;
    NoticeController* m_controller = nullptr;
    int m_beeps = 0;

private Q_SLOTS:
    void init() {
        m_settings = emptySettings(m_directory);
        m_locks = std::make_unique<LockTableModel>(m_time);
    }
    void cleanup() { m_window.reset(); }

    void allIsOffAtFirst() {
        makeController();
        m_controller->setStatus(connected());
        report({diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)})});
        QVERIFY(!m_clock.hasTimers());
        m_clock.advance(24h);
        QVERIFY(m_notifier->shown.isEmpty());
        QCOMPARE(m_beeps, 0);
    }

    void aLossIsShownOnTheDesktopWhateverTheRules() {
        save({}, false);
        makeController();
        m_controller->setStatus(connected());
        m_controller->notifyOfLoss(QStringLiteral("orders is lost"));
        QCOMPARE(m_notifier->shown.size(), 1);
        QVERIFY2(m_notifier->shown.first().contains(QStringLiteral("orders is lost")),
                 qPrintable(m_notifier->shown.first()));
        m_notifier->fail(Error(ErrorCode::ConnectionLost, DesktopCause::NoSessionBus));
        QVERIFY2(m_messages->texts().isEmpty(), "the window's banner shows it");
    }

    void tellsByOneTimer() {
        save(heldLonger(60s), true, true);
        makeController();
        m_controller->setStatus(connected());
        report({heldRow(m_clock, lockName("orders/{42}"), 30s)});
        QVERIFY(m_clock.hasTimers());
        m_clock.advance(60s);
        QVERIFY(m_notifier->shown.isEmpty());
        m_clock.advance(2s);
        QCOMPARE(m_notifier->shown.size(), 1);
        QCOMPARE(m_notifier->lastTitle, QStringLiteral("Lockkeeper: redis.example.com:6379/0"));
        QVERIFY2(
            m_notifier->shown.first().startsWith(QStringLiteral("orders/{42}: held longer than 1 min 00 s, by 8f14")),
            qPrintable(m_notifier->shown.first()));
        QCOMPARE(m_beeps, 1);
        QVERIFY(!m_clock.hasTimers());
    }

    void manyAreReportedTogether() {
        save(heldLonger(1s));
        makeController();
        m_controller->setStatus(connected());
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 20; ++i)
            rows.push_back(heldRow(m_clock, LockName(QByteArray::number(i)), 30s));
        report(rows);
        m_clock.advance(3s);
        QCOMPARE(m_notifier->shown.size(), 1);
        QVERIFY(m_notifier->shown.first().endsWith(QStringLiteral("and 15 more")));
        report({heldRow(m_clock, lockName("later"), 30s)});
        m_clock.advance(3s);
        QCOMPARE(m_notifier->shown.size(), 1);
        m_clock.advance(10s);
        QCOMPARE(m_notifier->shown.size(), 2);
    }

    void aDiagnosisIsReportedAtOnce() {
        monitor::NoticeRules rules;
        rules.diagnoses = {DiagnosisKind::WatchdogStopped};
        save(rules);
        makeController();
        m_controller->setStatus(connected());
        report({diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)})});
        QCOMPARE(m_notifier->shown, QStringList{QStringLiteral("L: Watchdog stopped (likely)")});
    }

    void withALostConnectionNothingIsDue() {
        save(heldLonger(60s));
        makeController();
        m_controller->setStatus(connected());
        report({heldRow(m_clock, lockName("L"), 30s)});
        m_controller->setStatus(reconnecting(m_clock.wallNow()));
        QVERIFY(!m_clock.hasTimers());
        m_clock.advance(1h);
        QVERIFY(m_notifier->shown.isEmpty());
    }

    void locksMayComeBeforeTheWordThatItIsConnected() {
        save(heldLonger(60s));
        makeController();
        report({heldRow(m_clock, lockName("L"), 30s)});
        QVERIFY(!m_clock.hasTimers());
        m_controller->setStatus(connected());
        m_clock.advance(62s);
        QCOMPARE(m_notifier->shown.size(), 1);
    }

    void theWindowReportsWhatTheDesktopDoesNot() {
        save(heldLonger(1s));
        makeController();
        m_controller->setStatus(connected());
        report({heldRow(m_clock, lockName("L"), 30s)});
        m_clock.advance(3s);
        m_notifier->fail(Error(ErrorCode::ConnectionLost, QStringLiteral("no bus")));
        QVERIFY(m_messages->texts().last().startsWith(QStringLiteral("L: held longer")));
        QVERIFY(m_messages->texts().last().contains(QStringLiteral("no bus")));
        save(heldLonger(1s), false);
        makeController();
        m_controller->setStatus(connected());
        report({heldRow(m_clock, lockName("M"), 30s)});
        m_clock.advance(3s);
        QVERIFY(m_notifier->shown.isEmpty());
        QVERIFY(m_messages->texts().last().startsWith(QStringLiteral("M: held longer")));
    }

    void theFormChoosesAndRemembers() {
        makeController();
        m_controller->setStatus(connected());
        m_locks->apply(batchOf({diagnosedRow(m_clock, lockName("orders"), {watchdogStopped(m_clock)})}));
        openForm();
        QVERIFY(!find<QCheckBox>("noticeHeld").isChecked());
        QVERIFY(!find<QCheckBox>("noticeTtl").isChecked());
        auto& list = find<QListWidget>("noticeDiagnoses");
        QListWidgetItem* item = list.findItems(QStringLiteral("Watchdog stopped"), Qt::MatchExactly).value(0);
        QVERIFY(item && item->checkState() == Qt::Unchecked);
        QVERIFY(list.findItems(QStringLiteral("Unlocked from another thread"), Qt::MatchExactly).isEmpty());
        auto& names = find<QLineEdit>("noticeNames");
        names.setText(QStringLiteral(" orders*  job:? "));
        Q_EMIT names.editingFinished();
        find<QCheckBox>("noticeSound").setChecked(true);
        item->setCheckState(Qt::Checked);
        QCOMPARE(m_notifier->shown, QStringList{QStringLiteral("orders: Watchdog stopped (likely)")});
        QCOMPARE(m_beeps, 1);
        const NoticeSettings kept = NoticeSettings::load(*m_settings);
        QCOMPARE(kept.rules.diagnoses, QList<DiagnosisKind>{DiagnosisKind::WatchdogStopped});
        QCOMPARE(kept.rules.names, (QList<QByteArray>{"orders*", "job:?"}));
        QVERIFY(kept.withSound);
        QVERIFY(!kept.rules.heldLonger);
    }

    // The rules are the program's, whichever session's page they were changed on.
    void aChangeOfAnotherSessionCounts() {
        makeController();
        m_controller->setStatus(connected());
        report({diagnosedRow(m_clock, lockName("orders"), {watchdogStopped(m_clock)})});
        NoticeSettings chosen;
        chosen.rules.diagnoses = {DiagnosisKind::WatchdogStopped};
        m_choice->choose(chosen);
        QCOMPARE(m_notifier->shown, QStringList{QStringLiteral("orders: Watchdog stopped (likely)")});
    }

    void limitsAreKept() {
        makeController();
        openForm();
        find<QCheckBox>("noticeHeld").setChecked(true);
        find<QCheckBox>("noticeTtl").setChecked(true);
        const NoticeSettings kept = NoticeSettings::load(*m_settings);
        QCOMPARE(kept.rules.heldLonger, std::optional<Milliseconds>(5min));
        QCOMPARE(kept.rules.ttlUnder, std::optional<Milliseconds>(10s));
    }

    // What is copied is a file of options, which `lockkeeper notify` reads as the same rules.
    void theRulesAreCopiedForNotify() {
        makeController();
        openForm();
        const auto& copy = find<QPushButton>("noticeCopy");
        QVERIFY(!copy.isEnabled());
        find<QCheckBox>("noticeHeld").setChecked(true);
        find<QCheckBox>("noticeTtl").setChecked(true);
        find<QListWidget>("noticeDiagnoses").item(1)->setCheckState(Qt::Checked);
        find<QLineEdit>("noticeNames").setText(QStringLiteral("orders/* a?b"));
        QVERIFY(copy.isEnabled());
        find<QPushButton>("noticeCopy").click();
        QStringList rules;
        for (const QString& line : QGuiApplication::clipboard()->text().split(u'\n')) {
            if (!line.isEmpty() && !line.startsWith(u'#'))
                rules << line;
        }
        QCOMPARE(rules.size(), 1);
        QVERIFY(rules.first().startsWith(QStringLiteral("rule = ")));
        const Result<monitor::NoticeRules> read = monitor::noticeRulesFrom(rules.first().mid(7));
        QVERIFY(read.ok());
        QCOMPARE(read->heldLonger, std::optional<Milliseconds>(5min));
        QCOMPARE(read->ttlUnder, std::optional<Milliseconds>(10s));
        QCOMPARE(read->diagnoses, QList<DiagnosisKind>{monitor::noticeableDiagnoses().at(1)});
        QCOMPARE(read->names, (QList<QByteArray>{"orders/*", "a?b"}));
    }

    void saysWhetherTheDesktopShowsThem() {
        makeController();
        openForm();
        QCOMPARE(m_notifier->probes, 1);
        const auto& state = find<QLabel>("noticeDesktopState");
        m_notifier->answerProbe({});
        QVERIFY(state.text().contains(QStringLiteral("shows notifications")));
        m_notifier->answerProbe(Error(ErrorCode::ConnectionLost, QStringLiteral("no such service")));
        QVERIFY(state.text().contains(QStringLiteral("no such service")));
        find<QPushButton>("noticeTest").click();
        QCOMPARE(m_notifier->shown.size(), 1);
    }
};

LOCKKEEPER_TEST(TestNoticeController, Gui)

}  // namespace tst_noticecontroller

#include "tst_noticecontroller.moc"
