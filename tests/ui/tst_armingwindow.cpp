// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/badge.h"
#include "ui/base/messagebar.h"
#include "ui/locks/lockspage.h"
#include "ui/operate/armingbadge.h"
#include "ui/session/sessionpage.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTest>

namespace tst_armingwindow {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// How the window shows whether a connection may write, and how it is armed and disarmed.
class TestArmingWindow : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        begin();
        m_engine->armsWhatConnects = false;
        makeWindow();
        connectWithLocks();
    }
    void cleanup() { end(); }

    void whatWritesIsRefusedUntilItIsArmed() {
        QCOMPARE(badge(), QStringLiteral("READ-ONLY"));
        table().setCurrentLock(lockName("orders"));
        for (const QString& name : {QStringLiteral("actionAcquire"), QStringLiteral("actionForceRelease")}) {
            QVERIFY(!action(name).isEnabled());
            QVERIFY2(action(name).toolTip().contains(QStringLiteral("Ctrl+Shift+A")),
                     qPrintable(action(name).toolTip()));
        }
        m_engine->report(armedFor(10min));
        QVERIFY(action(QStringLiteral("actionAcquire")).isEnabled());
        QVERIFY(action(QStringLiteral("actionForceRelease")).isEnabled());
    }

    void itIsArmedForTheTimeThatIsChosen() {
        action(QStringLiteral("actionArm")).trigger();
        QDialog* arm = dialog(QStringLiteral("armDialog"));
        QVERIFY(arm);
        QVERIFY(arm->findChild<QLabel*>(QStringLiteral("armWhat"))
                    ->text()
                    .contains(QStringLiteral("cache.example:6379/0")));
        QTest::keyClick(arm, Qt::Key_Return);
        arm = nullptr;
        QCOMPARE(m_engine->armings, std::vector<std::chrono::minutes>{10min});
        action(QStringLiteral("actionArm")).trigger();
        arm = dialog(QStringLiteral("armDialog"));
        arm->findChild<QAbstractButton*>(QStringLiteral("armMinutes30"))->click();
        auto* button = arm->findChild<QAbstractButton*>(QStringLiteral("armButton"));
        QCOMPARE(button->text(), QStringLiteral("&Arm for 30 minutes"));
        button->click();
        QCOMPARE(m_engine->armings.back(), 30min);
    }

    void aClickOnTheBadgeArmsAndDisarms() {
        QTest::mouseClick(&armingBadge(), Qt::LeftButton);
        QVERIFY(dialog(QStringLiteral("armDialog")));
        dialog(QStringLiteral("armDialog"))->reject();
        m_engine->report(armedFor(10min));
        QTest::mouseClick(&armingBadge(), Qt::LeftButton);
        QCOMPARE(m_engine->disarmings, 1);
    }

    void anActionDisarms() {
        QVERIFY(!action(QStringLiteral("actionDisarm")).isVisible());
        m_engine->report(armedFor(10min));
        QVERIFY(!action(QStringLiteral("actionArm")).isVisible());
        action(QStringLiteral("actionDisarm")).trigger();
        QCOMPARE(m_engine->disarmings, 1);
    }

    void theTimeThatIsLeftIsCountedInSight() {
        m_engine->report(armedFor(10min));
        QCOMPARE(badge(), QStringLiteral("ARMED 10:00"));
        m_clock.advance(19s);
        QCOMPARE(badge(), QStringLiteral("ARMED 9:41"));
        QVERIFY(armingBadge().isCounting());
        m_window->hide();
        QVERIFY(!armingBadge().isCounting());
        m_clock.advance(1min);
        m_window->show();
        QCOMPARE(badge(), QStringLiteral("ARMED 8:41"));
    }

    void nothingTicksWhileNothingCounts_data() {
        QTest::addColumn<Arming>("arming");
        QTest::newRow("read-only") << Arming();
        QTest::newRow("release only") << ended(ArmingState::Draining, ArmingEnd::ByHand);
        Arming endless;
        endless.state = ArmingState::Armed;
        QTest::newRow("without an end") << endless;
    }
    void nothingTicksWhileNothingCounts() {
        QFETCH(const Arming, arming);
        m_engine->report(armedFor(10min));
        m_engine->report(arming);
        QVERIFY(!armingBadge().isCounting());
    }

    void theEndIsSaid_data() {
        QTest::addColumn<ArmingEnd>("why");
        QTest::addColumn<QString>("words");
        QTest::newRow("by hand") << ArmingEnd::ByHand << "";
        QTest::newRow("time") << ArmingEnd::TimeOver << "the time is over";
        QTest::newRow("lost") << ArmingEnd::ConnectionLost << "the one that writes was lost";
    }
    void theEndIsSaid() {
        QFETCH(const ArmingEnd, why);
        QFETCH(const QString, words);
        m_engine->report(armedFor(10min));
        m_engine->report(ended(ArmingState::Draining, why));
        m_engine->report(ended(ArmingState::ReadOnly, why));
        const QStringList texts = m_window->currentPage().messages().texts();
        QCOMPARE(texts.size(), words.isEmpty() ? 0 : 1);
        QVERIFY(words.isEmpty() || texts.first().contains(words));
        // Then the message is no longer true.
        m_engine->report(armedFor(10min));
        QVERIFY(m_window->currentPage().messages().texts().isEmpty());
    }

    void whatIsHeldMayBeReleasedAfterIt() {
        m_engine->report(
            QList<control::OwnLock>{control::OwnLock{lockName("orders"), holder(clientA, 33).id, 1, true}});
        m_engine->report(ended(ArmingState::Draining, ArmingEnd::TimeOver));
        QCOMPARE(badge(), QStringLiteral("RELEASE ONLY"));
        table().setCurrentLock(lockName("orders"));
        QVERIFY(action(QStringLiteral("actionRelease")).isEnabled());
        QVERIFY(!action(QStringLiteral("actionAcquire")).isEnabled());
        QVERIFY(!action(QStringLiteral("actionForceRelease")).isEnabled());
    }

    void aDialogThatIsOpenLosesItsPermission() {
        m_engine->report(armedFor(10min));
        table().setCurrentLock(lockName("orders"));
        action(QStringLiteral("actionForceRelease")).trigger();
        QDialog* force = dialog(QStringLiteral("forceReleaseDialog"));
        QVERIFY(force);
        m_engine->report(ended(ArmingState::ReadOnly, ArmingEnd::TimeOver));
        QVERIFY(!force->findChild<QAbstractButton*>(QStringLiteral("forceButton"))->isEnabled());
        const auto why = [force] { return force->findChild<QLabel*>(QStringLiteral("forceMissing"))->text(); };
        const QString ofReason = QStringLiteral("The reason is kept when you cancel.");
        QVERIFY2(!why().contains(ofReason), qPrintable(why()));
        force->findChild<QLineEdit*>(QStringLiteral("forceReason"))->setText(QStringLiteral("it hangs"));
        QVERIFY2(why().endsWith(ofReason), qPrintable(why()));
        force->reject();
        m_engine->report(armedFor(10min));
        action(QStringLiteral("actionForceRelease")).trigger();
        QCOMPARE(
            dialog(QStringLiteral("forceReleaseDialog"))->findChild<QLineEdit*>(QStringLiteral("forceReason"))->text(),
            QStringLiteral("it hangs"));
    }

    void oneThatNeverWritesCannotBeArmed() {
        ConnectionStatus never = connectedStatus();
        never.readOnly = true;
        m_engine->report(never);
        QCOMPARE(badge(), QStringLiteral("READ-ONLY"));
        QVERIFY(!action(QStringLiteral("actionArm")).isEnabled());
        QVERIFY(action(QStringLiteral("actionArm")).toolTip().contains(QStringLiteral("never writes")));
    }

    void theTabShowsItToo() {
        auto* tabs = m_window->findChild<QTabWidget*>(QStringLiteral("sessionTabs"));
        QCOMPARE(tabs->findChild<Badge*>(QStringLiteral("tabBadge"))->text(), QStringLiteral("READ-ONLY"));
        m_engine->report(armedFor(10min));
        const Badge* tab = tabs->findChild<Badge*>(QStringLiteral("tabBadge"));
        QCOMPARE(tab->text(), QStringLiteral("ARMED"));
        QCOMPARE(tab->background(), armedColor());
    }

    void theDemoIsArmedAndSaysThatItIsTheDemo() {
        ConnectionStatus demo = connectedStatus();
        demo.isDemo = true;
        m_engine->report(demo);
        m_engine->sayArmed();
        QCOMPARE(badge(), QStringLiteral("DEMO, ARMED"));
    }

    void noConnectionHasNoBadge() {
        ConnectionStatus status = connectedStatus();
        status.phase = ConnectionPhase::Disconnected;
        m_engine->report(status);
        QCOMPARE(badge(), QString());
        QVERIFY(!action(QStringLiteral("actionArm")).isEnabled());
    }

    // ---- rights ----

    void whatIsMissingAndTheRightsToCopyAreShown() {
        profile::ConnectionProfile two =
            profile::ConnectionProfile::fromUrl(QStringLiteral("redis://watcher@cache.example")).value();
        two.writing.user = "writer";
        m_window->connectTo(two);
        m_engine->report(connectedStatus());
        action(QStringLiteral("actionRights")).trigger();
        const QDialog* rights = dialog(QStringLiteral("rightsDialog"));
        QVERIFY(rights);
        const auto* missing = rights->findChild<QLabel*>(QStringLiteral("rightsMissing"));
        monitor::MonitorBatch batch;
        batch.stats = monitor::MonitorStats();
        m_engine->report(batch);
        QCOMPARE(missing->text(), QStringLiteral("Nothing that was tried so far was refused."));
        batch.stats->denied = {
            {monitor::Denied::Command, QStringLiteral("SCAN"), monitor::Consequence::LocksPolled, {}}};
        m_engine->report(batch);
        QVERIFY2(missing->text().contains(QStringLiteral("SCAN")), qPrintable(missing->text()));
        for (const auto& [copy, user] : {std::pair("rightsCopy0", "watcher"), std::pair("rightsCopy1", "writer")}) {
            rights->findChild<QAbstractButton*>(QLatin1String(copy))->click();
            const QString line = QApplication::clipboard()->text();
            QVERIFY2(line.startsWith(QStringLiteral("ACL SETUSER %1 on >PASSWORD").arg(QLatin1String(user))),
                     qPrintable(line));
            QCOMPARE(line.contains(QStringLiteral("%RW~*")), user == QByteArrayView("writer"));
        }
    }

    void whatIsRefusedToTheUserWhoWritesIsKnownOnceItIsAsked() {
        action(QStringLiteral("actionRights")).trigger();
        const auto* refused =
            dialog(QStringLiteral("rightsDialog"))->findChild<QLabel*>(QStringLiteral("rightsRefused"));
        QCOMPARE(refused->text(), QStringLiteral("Not known until this connection is armed."));
        Arming arming = armedFor(10min);
        m_engine->report(arming);
        QCOMPARE(refused->text(), QStringLiteral("Nothing that was tried so far was refused."));
        arming.rightsInAdvance = control::RightsInAdvance::NotOffered;
        m_engine->report(arming);
        QVERIFY2(refused->text().endsWith(QStringLiteral("does not say in advance what it refuses.")),
                 qPrintable(refused->text()));
        arming.rightsInAdvance = control::RightsInAdvance::Known;
        m_engine->report(arming);
        QCOMPARE(refused->text(), QStringLiteral("The server refuses no command that is needed."));
        arming.denied = {
            {control::RefusedRight::Command, QStringLiteral("publish"), control::WritingCost::WaitersNotWoken},
            {control::RefusedRight::Command, QStringLiteral("client|caching"), control::WritingCost::LossesSeenLate}};
        m_engine->report(arming);
        QCOMPARE(
            refused->text(),
            QStringLiteral(
                "CLIENT CACHING: that a lock of this console was taken away is noticed up to 10 s late\n"
                "PUBLISH: a release does not wake those who wait; they sleep until the lease that they read has passed"));
        arming.denied = {{control::RefusedRight::UnknownCommand, QStringLiteral("client|kill"),
                          control::WritingCost::OperationsRefused},
                         {control::RefusedRight::UnknownScriptCommand, {}, control::WritingCost::OperationsRefused}};
        arming.rightsInAdvance = control::RightsInAdvance::Unknown;
        m_engine->report(arming);
        QCOMPARE(
            refused->text(),
            QStringLiteral(
                "A command of a script, which the server does not have (renamed or switched off): the operations that "
                "need it are refused\n"
                "CLIENT KILL, which the server does not have (renamed, switched off, or too new for it): the operations "
                "that need it are refused\n"
                "More may be refused when it is tried."));
    }

    void aConnectionThatNeverWritesHasNobodyToRefuseItTo() {
        profile::ConnectionProfile never =
            profile::ConnectionProfile::fromUrl(QStringLiteral("redis://cache.example")).value();
        never.access = redis::AccessMode::ReadOnly;
        m_window->connectTo(never);
        m_engine->report(connectedStatus());
        action(QStringLiteral("actionRights")).trigger();
        QVERIFY(
            dialog(QStringLiteral("rightsDialog"))->findChild<QLabel*>(QStringLiteral("rightsRefused"))->isHidden());
    }

    // ---- the check of the server ----

    void theServerIsCheckedWhenTheDialogOpensAndAgain() {
        action(QStringLiteral("actionCheck")).trigger();
        const QDialog* check = dialog(QStringLiteral("checkDialog"));
        QVERIFY(check);
        QCOMPARE(m_engine->checks, 1);
        const auto* result = check->findChild<QPlainTextEdit*>(QStringLiteral("checkResult"));
        auto* again = check->findChild<QAbstractButton*>(QStringLiteral("checkAgain"));
        auto* copy = check->findChild<QAbstractButton*>(QStringLiteral("checkCopy"));
        QVERIFY(!again->isEnabled());
        QVERIFY(!copy->isEnabled());
        control::NodeCheck node;
        node.address = QStringLiteral("cache.example:6379");
        node.findings = {{control::LockLimit::NoWait, {{QStringLiteral("COMMAND INFO wait"), QStringLiteral("nil")}}}};
        m_engine->report(ServerChecked{std::make_shared<const control::ServerCheck>(control::ServerCheck{{node}}), {}});
        const QString text = result->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("The server does not have WAIT.")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("Evidence: COMMAND INFO wait: nil")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("known from documents alone")), qPrintable(text));
        copy->click();
        QCOMPARE(QApplication::clipboard()->text(), text);
        again->click();
        QCOMPARE(m_engine->checks, 2);
        m_engine->report(ServerChecked{nullptr, Error(ErrorCode::ConnectionRefused, QStringLiteral("refused"))});
        QVERIFY2(result->toPlainText().startsWith(QStringLiteral("Not checked: ")), qPrintable(result->toPlainText()));
    }
    void aCheckEndsWithTheSession() {
        action(QStringLiteral("actionCheck")).trigger();
        const QDialog* check = dialog(QStringLiteral("checkDialog"));
        const auto* result = check->findChild<QPlainTextEdit*>(QStringLiteral("checkResult"));
        m_engine->report(SessionClosed());
        QCOMPARE(result->toPlainText(), QStringLiteral("Not checked: not connected"));
        QVERIFY(check->findChild<QAbstractButton*>(QStringLiteral("checkAgain"))->isEnabled());
    }

    // ---- a lock of this console that is lost ----

    void aLossStaysInSightUntilItIsDismissed() {
        QWidget& banner = find<QWidget>(QStringLiteral("lossBanner"));
        QVERIFY(!banner.isVisible());
        m_engine->report(OwnLockLost{lockName("orders"), locks::LossReason::TakenOver});
        const auto* text = banner.findChild<QLabel*>(QStringLiteral("messageText"));
        QVERIFY(banner.isVisible());
        QVERIFY(text->text().contains(
            QStringLiteral("orders is not held by this console any more: another holder has it now")));
        QVERIFY(text->text().contains(QStringLiteral("Stop what you were doing under it")));
        QVERIFY(m_window->currentPage().hasLoss());
        QVERIFY(tabToolTip().contains(QStringLiteral("A lock of this console was lost.")));
        find<QAbstractButton>(QStringLiteral("lossDismiss")).click();
        QVERIFY(!banner.isVisible());
        QVERIFY(!tabToolTip().contains(QStringLiteral("was lost")));
    }

    // Such a message would contradict the banner.
    void nothingSaysThatALostLockIsHeld_data() {
        QTest::addColumn<control::Outcome>("outcome");
        QTest::addColumn<control::ChangeKind>("change");
        using control::ChangeKind;
        QTest::newRow("acquired") << control::Outcome::Acquired << ChangeKind::ReleaseLock;
        QTest::newRow("extended") << control::Outcome::Extended << ChangeKind::ReleaseLock;
        QTest::newRow("one hold released") << control::Outcome::ReleasedOnce << ChangeKind::ReleaseLock;
        QTest::newRow("in quarantine") << control::Outcome::ForceReleased << ChangeKind::Quarantine;
    }
    void nothingSaysThatALostLockIsHeld() {
        QFETCH(const control::Outcome, outcome);
        QFETCH(const control::ChangeKind, change);
        acquire("orders");
        control::OperationResult result = control::resultOf(lockName("orders"), outcome);
        result.change.kind = change;
        m_engine->finishLast(result);
        acquire("stock");
        m_engine->finishLast(control::resultOf(lockName("stock"), control::Outcome::Acquired));
        QCOMPARE(messages().size(), 2);
        m_engine->report(OwnLockLost{lockName("orders"), locks::LossReason::TakenOver});
        QCOMPARE(messages(), QStringList("stock is held by this console now."));
    }

    // The server's answer arrives with what was read after it.
    void whatIsLostBeforeItsAnswerIsNotSaidToBeHeld_data() {
        QTest::addColumn<bool>("isHeldAgain");
        QTest::newRow("lost") << false;
        QTest::newRow("it was an earlier hold") << true;
    }
    void whatIsLostBeforeItsAnswerIsNotSaidToBeHeld() {
        QFETCH(const bool, isHeldAgain);
        acquire("orders");
        m_engine->report(OwnLockLost{lockName("orders"), locks::LossReason::TakenOver});
        control::OwnLock own;
        own.name = lockName("orders");
        m_engine->report(isHeldAgain ? QList<control::OwnLock>{own} : QList<control::OwnLock>());
        m_engine->finishLast(control::resultOf(lockName("orders"), control::Outcome::Acquired));
        QCOMPARE(messages().size(), isHeldAgain ? 1 : 0);
    }

    void manyLossesAreCounted() {
        for (const char* name : {"a", "b", "c", "d", "e"})
            m_engine->report(OwnLockLost{lockName(name), locks::LossReason::Gone});
        const QString text =
            find<QWidget>(QStringLiteral("lossBanner")).findChild<QLabel*>(QStringLiteral("messageText"))->text();
        QVERIFY2(text.startsWith(QStringLiteral("e is not held")) && text.contains(QStringLiteral("And 2 more.")),
                 qPrintable(text));
    }

    void aReleaseThatTheServerRefusesLaterIsReported() {
        m_engine->report(ReleaseRefused{lockName("orders"),
                                        Error(ErrorCode::NotPermitted, QStringLiteral("NOPERM no permissions"))});
        const QStringList texts = find<MessageBar>(QStringLiteral("messageBar")).texts();
        QCOMPARE(texts.size(), 1);
        QVERIFY2(texts.first().startsWith(QStringLiteral("orders may stay locked by this console")),
                 qPrintable(texts.first()));
        QVERIFY(texts.first().contains(QStringLiteral("NOPERM no permissions")));
        QVERIFY(texts.first().contains(QStringLiteral("force its release")));
    }

    void theLostLockIsShown() {
        m_engine->report(OwnLockLost{lockName("orders"), locks::LossReason::TakenOver});
        find<QAbstractButton>(QStringLiteral("lossShow")).click();
        QCOMPARE(m_window->currentPage().lockForActions(), QStringLiteral("orders"));
    }

private:
    void acquire(const char* name) {
        m_engine->report(armedFor(10min));
        action(QStringLiteral("actionAcquire")).trigger();
        dialog(QStringLiteral("acquireDialog"))
            ->findChild<QLineEdit*>(QStringLiteral("acquireName"))
            ->setText(QString::fromLatin1(name));
        dialog(QStringLiteral("acquireDialog"))->findChild<QAbstractButton*>(QStringLiteral("acquireButton"))->click();
    }
    QStringList messages() const { return find<MessageBar>(QStringLiteral("messageBar")).texts(); }
    ArmingBadge& armingBadge() const { return find<ArmingBadge>(QStringLiteral("armingBadge")); }
    QString badge() const { return armingBadge().text(); }
    QString tabToolTip() const { return find<QTabWidget>(QStringLiteral("sessionTabs")).tabToolTip(0); }

    static ConnectionStatus connectedStatus() {
        ConnectionStatus status;
        status.phase = ConnectionPhase::Connected;
        status.server = QStringLiteral("cache.example:6379/0");
        return status;
    }
    void connectWithLocks() {
        m_engine->report(connectedStatus());
        m_engine->report(Arming());
        m_engine->report(batchOf({heldRow(m_clock, lockName("orders"), 12s)}));
    }
    Arming armedFor(Milliseconds time) const {
        Arming armed;
        armed.state = ArmingState::Armed;
        armed.until = m_clock.now() + time;
        return armed;
    }
    static Arming ended(ArmingState state, ArmingEnd why) {
        Arming over;
        over.state = state;
        over.ended = why;
        if (why == ArmingEnd::ConnectionLost)
            over.error = Error(ErrorCode::ConnectionLost, Cause::ClosedByServer);
        return over;
    }
};

LOCKKEEPER_TEST(TestArmingWindow, Gui)

}  // namespace tst_armingwindow

#include "tst_armingwindow.moc"
