// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/serverwindowtest.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

namespace tst_breakingrules {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The rules for breaking a lock of others, with the real window, its engine and a real server.
class TestBreakingRules : public ServerWindowTest {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(begin()); }
    void cleanup() { end(); }

    // ---- 1: compare and release ----

    // The window has not read the new holder yet when the button is pressed.
    void whatHasChangedMeanwhileIsNotBroken() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        handOver();
        QVERIFY(force().isEnabled());
        force().click();
        QTRY_VERIFY2(said().contains(QStringLiteral("Nothing was done")), qPrintable(said()));
        QVERIFY2(said().contains(QStringLiteral("c9f0f895")), qPrintable(said()));
        QCOMPARE(m_server.cli({"HGET", "orders", second}), "1");
        QCOMPARE(audit().constLast().outcome, control::AuditOutcome::OtherHolder);
    }

    // A change that is visible must be read and confirmed again.
    void aChangeThatIsSeenMustBeReadAgain() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        handOver();
        QTRY_VERIFY(!force().isEnabled());
        QVERIFY2(facts().contains(second), qPrintable(facts()));
        inForce<QAbstractButton>("forceReadAgain").click();
        QVERIFY(force().isEnabled());
        force().click();
        QTRY_COMPARE(m_server.cli({"EXISTS", "orders"}), "0");
    }

    // ---- 2: what must be known before ----

    void whoSinceWhenHowLongAndWhoWaitsIsSaidBefore() {
        hold(worker, 600'000);
        QVERIFY(listen(channel));
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        QTRY_VERIFY2(facts().contains(QStringLiteral("1 client")), qPrintable(facts()));
        for (const char* fact : {"Held by", "since", "TTL", "renew", "woken"})
            QVERIFY2(facts().contains(QLatin1String(fact), Qt::CaseInsensitive),
                     qPrintable(QLatin1String(fact) + u'\n' + facts()));
        QVERIFY(facts().contains(worker));
        const QString warning = textOf("forceWarning");
        for (const char* words : {"does not stop", "two workers", "unlock"})
            QVERIFY2(warning.contains(QLatin1String(words), Qt::CaseInsensitive), qPrintable(warning));
    }

    // ---- 3: a ladder, and buttons that say what they do ----

    void waitingAndTheOwnerComeFirstAndCancelIsTheDefault() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        const QString ladder = inForce<QLabel>("forceLadder").text();
        const QStringList steps = ladder.split(u'\n');
        QCOMPARE(steps.size(), 4);
        QVERIFY2(steps[1].contains(QStringLiteral("ends by itself in")), qPrintable(ladder));
        QVERIFY2(steps[2].contains(QStringLiteral("owner")), qPrintable(ladder));
        QVERIFY2(steps[3].startsWith(QStringLiteral("3. Force")), qPrintable(ladder));
        QVERIFY(inForce<QAbstractButton>("forceFindOut").isEnabled());
        QVERIFY(inForce<QPushButton>("forceCancel").isDefault());
        QCOMPARE(force().text(), QStringLiteral("Force-release orders"));
        giveReason();
        QTest::keyClick(&inForce<QLineEdit>("forceReason"), Qt::Key_Return);
        QVERIFY(dialog("forceReleaseDialog"));
        dialog("forceReleaseDialog")->reject();
        QCOMPARE(m_server.cli({"EXISTS", "orders"}), "1");
    }

    // ---- 4: production ----

    void onProductionTheNameIsTypedAndAReasonGiven() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Production));
        QVERIFY(openForce());
        const QList<QCheckBox*> boxes = dialog("forceReleaseDialog")->findChildren<QCheckBox*>();
        QVERIFY(std::ranges::none_of(boxes, &QCheckBox::isVisible));
        giveReason();
        QVERIFY(!force().isEnabled());
        inForce<QLineEdit>("forceName").setText(QStringLiteral("order"));
        QVERIFY(!force().isEnabled());
        inForce<QLineEdit>("forceName").setText(QStringLiteral("orders"));
        QVERIFY(force().isEnabled());
        inForce<QLineEdit>("forceReason").setText(QStringLiteral("  "));
        QVERIFY(!force().isEnabled());
        giveReason();
        force().click();
        QTRY_COMPARE(m_server.cli({"EXISTS", "orders"}), "0");
        QTRY_COMPARE(audit().constLast().outcome, control::AuditOutcome::Done);
        QCOMPARE(audit().constLast().place.environment, QStringLiteral("production"));
    }

    // The label of the connection was changed while it was open and armed.
    void theAuditHasTheEnvironmentOfTheMoment() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        page().setLabel(
            {QStringLiteral("Orders"), profile::Environment::Production, profile::LabelColor::OfEnvironment});
        QVERIFY(openForce());
        giveReason();
        inForce<QLineEdit>("forceName").setText(QStringLiteral("orders"));
        force().click();
        QTRY_COMPARE(m_server.cli({"EXISTS", "orders"}), "0");
        QTRY_COMPARE(audit().constLast().outcome, control::AuditOutcome::Done);
        for (const control::AuditRecord& line : audit()) {
            QCOMPARE(line.place.profile, QStringLiteral("Orders"));
            QCOMPARE(line.place.environment, QStringLiteral("production"));
        }
    }

    // ---- 5: a release like the owner's ----

    void theHeadOfAFairQueueIsWokenOnItsOwnChannel() {
        hold(worker, 600'000);
        const QString deadline = QString::number(QDateTime::currentMSecsSinceEpoch() + 600'000);
        m_server.cli({"RPUSH", "redisson_lock_queue:{orders}", second});
        m_server.cli({"ZADD", "redisson_lock_timeout:{orders}", deadline, second});
        QVERIFY(listen(channel + u':' + second));
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        force().click();
        QVERIFY(isWoken());
        QCOMPARE(m_server.cli({"EXISTS", "orders"}), "0");
        QCOMPARE(m_server.cli({"LRANGE", "redisson_lock_queue:{orders}", "0", "-1"}), second);
    }

    void theKeysOfReadersAreRemovedToo() {
        hold(worker, 600'000);
        m_server.cli({"HSET", "orders", "mode", "read"});
        m_server.cli({"SET", QStringLiteral("{orders}:%1:rwlock_timeout:1").arg(worker), "1", "PX", "600000"});
        QVERIFY(listen(QStringLiteral("redisson_rwlock:{orders}")));
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        force().click();
        QVERIFY(isWoken());
        QCOMPARE(m_server.cli({"KEYS", "*orders*"}), QString());
    }

    // ---- 6: quarantine ----

    void inAQuarantineNobodyElseGetsInAndTheWakeUpComesAtItsEnd() {
        hold(worker, 600'000);
        QVERIFY(listen(channel));
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        QVERIFY(choose("Quarantine"));
        auto& time = *inForce<QWidget>("forceTime").findChild<QSpinBox*>();
        time.setValue(2);
        force().click();
        QTRY_COMPARE(page().ownLocks().size(), 1);
        QCOMPARE(m_server.cli({"HEXISTS", "orders", worker}), "0");
        // The lock outlives the quarantine a little, so that the quarantine ends with a release.
        const int left = m_server.cli({"PTTL", "orders"}).toInt();
        QVERIFY2(left > 0 && left < 10'000, qPrintable(QString::number(left)));
        QCOMPARE(m_listener.bytesAvailable(), 0);
        QVERIFY(isWoken());
        QTRY_VERIFY(page().ownLocks().isEmpty());
        QCOMPARE(m_server.cli({"EXISTS", "orders"}), "0");
    }

    // One of two holders of a faster multi lock is put into quarantine.
    void inAQuarantineOfValuesTheOtherHolderKeepsItsOwn() {
        const QString end = QString::number(QDateTime::currentMSecsSinceEpoch() + 600'000);
        for (const auto& [value, owner] : {std::pair{u"x"_qs, worker}, std::pair{u"y"_qs, second}}) {
            const QString part = value + u':' + owner;
            m_server.cli(
                {"HSET", "orders", value, owner, part + u":expire_time"_qs, end, part + u":lock_count"_qs, "1"});
        }
        QVERIFY(listen(channel));
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        QVERIFY(choose("Quarantine 0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33 alone"));
        inForce<QWidget>("forceTime").findChild<QSpinBox*>()->setValue(2);
        force().click();
        QTRY_COMPARE(page().ownLocks().size(), 1);
        QCOMPARE(m_server.cli({"HGET", "orders", "x"}), page().ownLocks().first().holder.display());
        QCOMPARE(m_listener.bytesAvailable(), 0);
        QVERIFY(isWoken());
        QTRY_VERIFY(page().ownLocks().isEmpty());
        QCOMPARE(m_server.cli({"HEXISTS", "orders", "x"}), "0");
        QCOMPARE(m_server.cli({"HGET", "orders", "y"}), second);
        QCOMPARE(audit().constFirst().change.kind, control::ChangeKind::QuarantineHolder);
    }

    // ---- 7: audited before it is sent ----

    void theIntentIsOnTheDiskBeforeTheCommandCounts() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        m_server.cli({"CLIENT", "PAUSE", "600000", "WRITE"});
        force().click();
        QTRY_VERIFY(isHeldUp());
        QCOMPARE(audit().size(), 1);
        const control::AuditRecord intent = audit().constFirst();
        QCOMPARE(intent.step, control::AuditStep::Intent);
        QCOMPARE(intent.reason, QStringLiteral("worker-7 crashed"));
        QCOMPARE(intent.place.profile, QStringLiteral("Shop"));
        QCOMPARE(intent.state->holders.constFirst().id.display(), worker);
        m_server.cli({"CLIENT", "UNPAUSE"});
        QTRY_COMPARE(audit().size(), 2);
        QCOMPARE(audit().constLast().id, intent.id);
        QCOMPARE(audit().constLast().outcome, control::AuditOutcome::Done);
    }

    void withoutAnAuditNothingIsSent() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QFile blocked(auditFolder());  // no folder can be made there
        QDir(auditFolder()).removeRecursively();
        QVERIFY(blocked.open(QIODevice::WriteOnly));
        QVERIFY(openForce());
        giveReason();
        force().click();
        QTRY_VERIFY2(said().contains(QStringLiteral("nothing was sent")), qPrintable(said()));
        QCOMPARE(m_server.cli({"HGET", "orders", worker}), "1");
        QVERIFY(blocked.remove());
    }

    // The answer is lost with the connection; the server goes on reading.
    void anOutcomeThatIsUnknownIsReadAgainBeforeAnythingIsOffered() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        m_server.cli({"CLIENT", "PAUSE", "600000", "WRITE"});
        force().click();
        QTRY_VERIFY(isHeldUp());
        killWritingConnection();
        m_server.cli({"CLIENT", "UNPAUSE"});
        QTRY_VERIFY2(said().contains(QStringLiteral("The answer was lost")), qPrintable(said()));
        QTRY_COMPARE(audit().constLast().outcome, control::AuditOutcome::Unknown);
        const bool isGone = m_server.cli({"EXISTS", "orders"}) == QStringLiteral("0");
        const QString found = isGone ? QStringLiteral("it was done") : QStringLiteral("nothing was done so far");
        QVERIFY2(said().contains(found), qPrintable(said()));
    }

    // ---- 8: one at a time, and never by itself ----

    void oneLockAtATimeAndOneChangeOfIt() {
        hold(worker, 600'000);
        m_server.cli({"HSET", "stock", worker, "1"});
        m_server.cli({"PEXPIRE", "stock", "600000"});
        QVERIFY(open(profile::Environment::Staging));
        page().locksPage().table().selectAll();
        QVERIFY(page().locksPage().table().selectionModel()->selectedRows().size() <= 1);
        QVERIFY(openForce());
        giveReason();
        m_server.cli({"CLIENT", "PAUSE", "600000", "WRITE"});
        force().click();
        QTRY_VERIFY(isHeldUp());
        QVERIFY(openForce());
        giveReason();
        QVERIFY(!force().isEnabled());
        dialog("forceReleaseDialog")->reject();
        m_server.cli({"CLIENT", "UNPAUSE"});
        QTRY_COMPARE(m_server.cli({"EXISTS", "orders"}), "0");
        QCOMPARE(m_server.cli({"EXISTS", "stock"}), "1");
        QCOMPARE(audit().size(), 2);
    }
};

LOCKKEEPER_TEST(TestBreakingRules, Gui)

}  // namespace tst_breakingrules

#include "tst_breakingrules.moc"
