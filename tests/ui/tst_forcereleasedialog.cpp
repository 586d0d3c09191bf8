// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/dialogs/forcereleasedialog.h"
#include "ui/message/inlinemessage.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestForceReleaseDialog : public QObject {
    Q_OBJECT

private:
    template <typename Widget>
    Widget& find(const QString& name) const {
        return *m_dialog->findChild<Widget*>(name);
    }
    QPushButton& force() const { return find<QPushButton>(QStringLiteral("forceButton")); }
    QPushButton& readAgain() const { return find<QPushButton>(QStringLiteral("forceReadAgain")); }
    QString facts() const { return find<QPlainTextEdit>(QStringLiteral("forceFacts")).toPlainText(); }
    QString ladder() const { return find<QLabel>(QStringLiteral("forceLadder")).text(); }
    QString missing() const { return find<QLabel>(QStringLiteral("forceMissing")).text(); }
    QString change() const { return find<InlineMessage>(QStringLiteral("forceChange")).text(); }
    void giveReason() const {
        find<QLineEdit>(QStringLiteral("forceReason")).setText(QStringLiteral(" crashed, ticket 12 "));
    }
    monitor::LockRow row() const {
        monitor::LockRow row = heldRow(m_clock, lockName("orders/{42}"), 12s, holder(clientA, 33, 2));
        row.hold.peakTtl = 30s;
        row.hold.renewals = 5;
        row.hold.lastRenewal = m_clock.now() - 3s;
        row.lock.waiters = 4;
        row.hold.sinceWall -= 10min;
        row.hold.since -= 10min;
        return row;
    }
    monitor::LockRow heldByAnother() const {
        monitor::LockRow other = row();
        other.lock.holders = {holder(clientB, 7)};
        return other;
    }
    std::vector<control::ForceReleaseRequest> clickAndTake() const {
        std::vector<control::ForceReleaseRequest> taken;
        const auto connection =
            connect(m_dialog.get(), &ForceReleaseDialog::forceReleaseRequested, m_dialog.get(),
                    [&taken](const control::ForceReleaseRequest& request) { taken.push_back(request); });
        force().click();
        disconnect(connection);
        return taken;
    }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<ForceReleaseDialog> m_dialog;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_dialog = std::make_unique<ForceReleaseDialog>(row(), *m_time, m_clock);
        m_dialog->show();
    }
    void cleanup() { m_dialog.reset(); }

    void showsWhoSinceWhenAndWhoWaits() {
        QVERIFY2(facts().contains(QString::fromLatin1(clientA + ":33 (exclusive, count 2)")), qPrintable(facts()));
        QVERIFY2(facts().contains(QStringLiteral("10 min 00 s")), qPrintable(facts()));
        QVERIFY2(facts().contains(QStringLiteral("TTL: 12 s")), qPrintable(facts()));
        QVERIFY2(facts().contains(QStringLiteral("Last renewal: 3.0 s ago")), qPrintable(facts()));
        QVERIFY2(facts().contains(QStringLiteral("4 client instances, which will be woken")), qPrintable(facts()));
    }

    void howLongItIsHeldDoesNotFollowTheWallClock() {
        const monitor::LockRow held = row();
        m_clock.jumpWall(Milliseconds(1h));
        m_dialog->follow(held);
        QVERIFY2(facts().contains(QStringLiteral("(for 10 min 00 s)")), qPrintable(facts()));
    }

    void ofAQueueOnlyTheHeadIsWoken() {
        monitor::LockRow fair = row();
        fair.lock.kind = monitor::LockKind::Fair;
        fair.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        fair.lock.waiters = 10;
        m_dialog->follow(fair);
        QVERIFY2(facts().contains(QStringLiteral("Waiting: 10 queued; the head of the queue will be woken")),
                 qPrintable(facts()));
    }

    void namesTheHoldersProcessWhereItIsKnown() {
        HolderKnowledge knowledge;
        knowledge.aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        monitor::HolderIdentity& identity = knowledge.identities[ClientId(clientA)];
        identity.address = "10.0.0.7:53422";
        identity.basis = monitor::IdentityBasis::OnlyHost;
        m_dialog->setKnowledge(knowledge);
        QVERIFY2(facts().contains(QString::fromLatin1("orders-a (" + clientA + ":33)")), qPrintable(facts()));
        QVERIFY2(facts().contains(QStringLiteral(", at perhaps 10.0.0.7:53422")), qPrintable(facts()));
        identity.basis = monitor::IdentityBasis::Monitor;
        m_dialog->setKnowledge(knowledge);
        QVERIFY2(facts().contains(QStringLiteral(", at 10.0.0.7:53422")), qPrintable(facts()));
        m_dialog->follow(heldByAnother());
        QVERIFY2(!facts().contains(QStringLiteral("10.0.0.7")), qPrintable(facts()));
    }

    void warnsInPlainWords() {
        const QString warning = find<InlineMessage>(QStringLiteral("forceWarning")).text();
        QVERIFY(warning.contains(QStringLiteral("does not stop the holder")));
        QVERIFY(warning.contains(QStringLiteral("Two workers may run at once")));
        QVERIFY(warning.contains(QStringLiteral("own unlock will fail")));
    }

    void offersTheLadderFirst() {
        QVERIFY2(ladder().contains(QStringLiteral("expires by itself in 12 s")), qPrintable(ladder()));
        m_clock.advance(5s);
        QVERIFY2(ladder().contains(QStringLiteral("expires by itself in 7.0 s")), qPrintable(ladder()));
    }

    void saysWhenWaitingDoesNotHelp() {
        m_dialog = std::make_unique<ForceReleaseDialog>(neverExpiringRow(m_clock, lockName("L")), *m_time, m_clock);
        QVERIFY2(ladder().contains(QStringLiteral("Waiting does not help")), qPrintable(ladder()));
    }

    void namesVerbAndObjectAndHasCancelAsDefault() {
        QCOMPARE(force().text(), QStringLiteral("&Force-release orders/{42}"));
        QVERIFY(!force().isDefault() && !force().autoDefault());
        QVERIFY(find<QPushButton>(QStringLiteral("forceCancel")).isDefault());
    }

    void needsAReason_data() {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<bool>("enough");
        QTest::newRow("none") << QString() << false;
        QTest::newRow("blanks") << QStringLiteral("   ") << false;
        QTest::newRow("words") << QStringLiteral("crashed") << true;
    }
    void needsAReason() {
        QFETCH(QString, reason);
        find<QLineEdit>(QStringLiteral("forceReason")).setText(reason);
        QTEST(force().isEnabled(), "enough");
        QCOMPARE(missing().isEmpty(), force().isEnabled());
    }

    void asksToBreakExactlyWhatWasShown() {
        giveReason();
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{1});
        QCOMPARE(requests[0].confirmed.name, lockName("orders/{42}"));
        QCOMPARE(requests[0].confirmed.holders, row().lock.holders);
        QCOMPARE(requests[0].reason, QStringLiteral("crashed, ticket 12"));
    }

    void aRenewalChangesTheNumbersOnly() {
        giveReason();
        monitor::LockRow renewed = row();
        renewed.lock.ttl = 30s;
        renewed.lock.expiry = monitor::Expiry{m_clock.now() + 30s, m_clock.now() + 30s};
        m_dialog->follow(renewed);
        QVERIFY(force().isEnabled());
        QVERIFY(change().isEmpty());
        QVERIFY2(facts().contains(QStringLiteral("TTL: 30 s")), qPrintable(facts()));
    }

    void aChangeMustBeConfirmedAgain_data() {
        QTest::addColumn<monitor::LockRow>("changed");
        monitor::LockRow changed = row();
        changed.lock.holders = {holder(clientB, 7, 2)};
        QTest::newRow("another holder") << changed;
        changed.lock.holders = {holder(clientA, 34, 2)};
        QTest::newRow("another thread") << changed;
        changed.lock.holders = {holder(clientA, 33, 3)};
        QTest::newRow("another count") << changed;
        changed.lock.holders = {holder(clientA, 33, 2, monitor::HoldMode::Write)};
        QTest::newRow("another mode") << changed;
        changed = row();
        changed.lock.token = 8;
        QTest::newRow("another token") << changed;
    }
    void aChangeMustBeConfirmedAgain() {
        QFETCH(monitor::LockRow, changed);
        giveReason();
        m_dialog->follow(changed);
        QVERIFY(!force().isEnabled());
        QVERIFY(change().contains(QStringLiteral("has changed")));
        QVERIFY(readAgain().isVisible());
        readAgain().click();
        QVERIFY(force().isEnabled());
        QVERIFY(change().isEmpty());
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{1});
        QCOMPARE(requests[0].confirmed.holders, changed.lock.holders);
        QCOMPARE(requests[0].confirmed.token, changed.lock.token);
    }

    void aSecondChangeMustBeConfirmedToo() {
        giveReason();
        m_dialog->follow(heldByAnother());
        readAgain().click();
        m_dialog->follow(row());
        QVERIFY(!force().isEnabled());
    }

    void theOrderOfReadersDoesNotMatter() {
        monitor::LockRow readers = row();
        readers.lock.holders = {holder(clientA, 1), holder(clientB, 2)};
        m_dialog = std::make_unique<ForceReleaseDialog>(readers, *m_time, m_clock);
        giveReason();
        std::reverse(readers.lock.holders.begin(), readers.lock.holders.end());
        m_dialog->follow(readers);
        QVERIFY(force().isEnabled());
    }

    void ofReadersThatWereNotAllReadNothingCanBeForced() {
        monitor::LockRow readers = row();
        readers.lock.kind = monitor::LockKind::ReadWrite;
        readers.lock.holders = {holder(clientA, 1, 1, monitor::HoldMode::Read)};
        monitor::LockParts parts;
        parts.moreHolders = 499;
        readers.lock.parts = std::make_shared<const monitor::LockParts>(parts);
        m_dialog = std::make_unique<ForceReleaseDialog>(readers, *m_time, m_clock);
        giveReason();
        QVERIFY(!force().isEnabled());
        QVERIFY2(missing().startsWith(QStringLiteral("It has too many readers")), qPrintable(missing()));
        QVERIFY2(facts().contains(QStringLiteral("and by 499 more")), qPrintable(facts()));
    }

    void hasNothingToDoOnceTheLockIsFree() {
        giveReason();
        m_dialog->follow(freeRow(m_clock, lockName("orders/{42}")));
        QVERIFY(!force().isEnabled());
        QVERIFY(change().contains(QStringLiteral("free now")));
        QVERIFY(!readAgain().isVisible());
    }

    void aLockThatIsNoLongerKnownCannotBeBroken() {
        giveReason();
        m_dialog->forget();
        QVERIFY(!force().isEnabled());
    }

    void refusesWithTheReasonWhileNotPermitted() {
        giveReason();
        m_dialog->setPermission({QStringLiteral("The connection is lost.")});
        QVERIFY(!force().isEnabled());
        QCOMPARE(missing(), QStringLiteral("The connection is lost."));
        m_dialog->setPermission({});
        QVERIFY(force().isEnabled());
    }
};

LOCKKEEPER_TEST(TestForceReleaseDialog, Gui)
#include "tst_forcereleasedialog.moc"
