// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/pseudotranslator.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/operate/forcereleasedialog.h"
#include "ui/operate/sentcommandsview.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

namespace tst_forcereleasedialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestForceReleaseDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    QPushButton& force() const { return find<QPushButton>(QStringLiteral("forceButton")); }
    QPushButton& readAgain() const { return find<QPushButton>(QStringLiteral("forceReadAgain")); }
    QString facts() const { return find<QPlainTextEdit>(QStringLiteral("forceFacts")).toPlainText(); }
    QString ladder() const { return find<QLabel>(QStringLiteral("forceLadder")).text(); }
    QString missing() const { return find<QLabel>(QStringLiteral("forceMissing")).text(); }
    QString change() const { return find<InlineMessage>(QStringLiteral("forceChange")).text(); }
    void giveReason() const {
        find<QLineEdit>(QStringLiteral("forceReason")).setText(QStringLiteral(" crashed, ticket 12 "));
    }
    QComboBox& choice() const { return find<QComboBox>(QStringLiteral("forceChoice")); }
    QStringList choices() const {
        QStringList texts;
        for (int i = 0; i < choice().count(); ++i)
            texts += choice().itemText(i);
        return texts;
    }
    void choose(const QString& beginning) const {
        choice().setCurrentIndex(choice().findText(beginning, Qt::MatchStartsWith));
    }
    QString commands() const { return find<QPlainTextEdit>(QStringLiteral("forceCommands")).toPlainText(); }
    // The choices between their caption and the line that is always there.
    QStringList branches() const {
        find<QToolButton>(QStringLiteral("forceShowCommands")).setChecked(true);
        const QStringList lines = commands().split(u'\n');
        const qsizetype caption = lines.indexOf(QStringLiteral("Depending on what the server finds then:"));
        const qsizetype last =
            lines.indexOf(QStringLiteral("  If it does not know the script, the whole text is sent, as EVAL."));
        return caption < 0 || last < caption ? QStringList{QStringLiteral("no caption")}
                                             : lines.sliced(caption + 1, last - caption - 1);
    }
    // The keys of the visible and the hidden controls.
    QList<QKeySequence> keysOfControls() const {
        QList<QKeySequence> keys;
        for (const QAbstractButton* button : m_dialog->findChildren<QAbstractButton*>())
            keys << button->shortcut();
        for (const QLabel* label : m_dialog->findChildren<QLabel*>()) {
            if (label->buddy())
                keys << QKeySequence::mnemonic(label->text());
        }
        keys.removeAll(QKeySequence());
        return keys;
    }
    void open(const monitor::LockRow& row) {
        m_dialog = std::make_unique<ForceReleaseDialog>(row, *m_time, m_clock);
        m_dialog->show();
    }
    monitor::LockRow readers() const {
        monitor::LockRow readers = row();
        readers.lock.kind = monitor::LockKind::ReadWrite;
        readers.lock.holders = {holder(clientA, 1, 2, monitor::HoldMode::Read),
                                holder(clientB, 7, 1, monitor::HoldMode::Read)};
        return readers;
    }
    // Two values are held by the first holder, one by the second.
    monitor::LockRow multi() const {
        monitor::LockRow multi = row();
        multi.lock.kind = monitor::LockKind::FasterMulti;
        multi.lock.holders = {holder(clientA, 1), holder(clientB, 7)};
        monitor::LockParts parts;
        parts.values = {{"x", holder(clientA, 1).id, 1, {}},
                        {"y", holder(clientA, 1).id, 1, {}},
                        {"z", holder(clientB, 7).id, 1, {}}};
        multi.lock.parts = std::make_shared<const monitor::LockParts>(parts);
        return multi;
    }
    // The lock is free, and the head of its queue is dead or only suspected to be dead.
    monitor::LockRow blockedQueue(monitor::Certainty certainty) const {
        monitor::LockRow blocked = freeRow(m_clock, lockName("orders/{42}"));
        blocked.lock.kind = monitor::LockKind::Fair;
        blocked.lock.fairQueue = {{holder(clientA, 1).id, m_clock.wallNow() + 5min},
                                  {holder(clientB, 2).id, m_clock.wallNow() + 9min}};
        blocked.diagnoses = {
            {certainty, monitor::FairQueueBlocked{blocked.lock.fairQueue[0].id, {}, m_clock.wallNow(), 2}}};
        if (certainty == monitor::Certainty::Certain)
            blocked.queueFacts = deadOf({blocked.lock.fairQueue[0]});
        return blocked;
    }
    // The lock is held, and a dead waiter is behind one that is alive.
    monitor::LockRow heldWithADeadWaiter() const {
        monitor::LockRow queued = row();
        queued.lock.kind = monitor::LockKind::Fair;
        queued.lock.fairQueue = {{holder(clientA, 1).id, m_clock.wallNow() + 5min},
                                 {holder(clientB, 2).id, m_clock.wallNow() + 9min}};
        queued.lock.waiters = 2;
        queued.queueFacts = deadOf({queued.lock.fairQueue[1]});
        return queued;
    }
    void onProduction() const {
        m_dialog->setConnection({QStringLiteral("Orders"), profile::Environment::Production, {}},
                                QStringLiteral("cache.example:6379"));
    }
    monitor::LockRow row() const {
        monitor::LockRow row = renewedRow(m_clock, lockName("orders/{42}"));
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

    // What is changed is the key, whatever the program calls it.
    void theKeyIsBesideTheNameOfTheProgram() {
        open(row());
        QVERIFY(!facts().contains(QStringLiteral("Key on the server")));
        HolderKnowledge knowledge;
        knowledge.names = ProgramNames({QByteArrayLiteral("ord"), {}});
        m_dialog->setKnowledge(knowledge);
        QVERIFY2(facts().startsWith(QStringLiteral("Key on the server: orders/{42}")), qPrintable(facts()));
        QVERIFY(find<QLabel>(QStringLiteral("forceHeadline")).text().contains(QStringLiteral(" ers/{42}")));
        QVERIFY(force().text().contains(QStringLiteral(" ers/{42}")));
    }

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

    // ---- the advice ----

    void theAdviceIsTrueOfThisLock_data() {
        QTest::addColumn<monitor::LockRow>("held");
        QTest::addColumn<QString>("advice");
        monitor::LockRow held = row();
        QTest::newRow("renews") << held
                                << QStringLiteral(
                                       "Waiting will not help while this client lives: it renews, last 3.0 s ago.");
        monitor::LockRow shared = row();
        shared.lock.kind = monitor::LockKind::ReadWrite;
        shared.lock.holders[0].mode = monitor::HoldMode::Read;
        QTest::newRow("one of the readers renews") << shared << QStringLiteral("The other readers may be dead.");
        monitor::LockRow other = row();
        auto parts = std::make_shared<monitor::LockParts>();
        parts->otherProgram = {{"svc:1", "1"}};
        other.lock.kind = monitor::LockKind::Unknown;
        other.lock.parts = parts;
        QTest::newRow("another program")
            << other << QStringLiteral("Wait: unless the other program prolongs it, it ends by itself in 12 s.");
        held.lock.expiry = monitor::Expiry{m_clock.now() + 8s, m_clock.now() + 8s};
        QTest::newRow("overdue") << held
                                 << QStringLiteral("Wait: nobody renews it any more. It ends by itself in 8.0 s.");
        held = row();
        held.diagnoses = {
            {monitor::Certainty::Likely, monitor::WatchdogStopped{held.lock.holders[0].id, 5, {}, 30s, {}}}};
        QTest::newRow("stopped") << held
                                 << QStringLiteral("Wait: nobody renews it any more. It ends by itself in 12 s.");
        held = row();
        held.hold.renewals = 0;
        QTest::newRow("too young to be renewed")
            << held << QStringLiteral("Wait: unless it is renewed, it ends by itself in 12 s.");
        held.lock.expiry = monitor::Expiry{m_clock.now() + 8s, m_clock.now() + 8s};
        QTest::newRow("not renewed in time")
            << held << QStringLiteral("Wait: nobody has renewed it so far. It ends by itself in 8.0 s.");
        QTest::newRow("never") << neverExpiringRow(m_clock, lockName("L"))
                               << QStringLiteral("Waiting will not help: it has no expiry.");
    }
    void theAdviceIsTrueOfThisLock() {
        QFETCH(monitor::LockRow, held);
        QFETCH(QString, advice);
        open(held);
        QVERIFY2(ladder().contains(advice), qPrintable(ladder()));
    }

    void aLockOfThisConsoleNeedsNoForce() {
        m_dialog->setOwnership(Ownership::Own);
        m_dialog->follow(row());
        QCOMPARE(ladder(), QStringLiteral("This console holds it: Lock > Release gives it up, and needs no force."));
        QVERIFY(find<QPushButton>(QStringLiteral("forceFindOut")).isHidden());
    }

    void nothingIsAdvisedAboutAnOldLock_data() {
        QTest::addColumn<monitor::LockRow>("old");
        QTest::newRow("held") << row();
        QTest::newRow("free") << freeRow(m_clock, lockName("orders/{42}"));
    }
    void nothingIsAdvisedAboutAnOldLock() {
        QFETCH(const monitor::LockRow, old);
        open(old);
        m_time->follow(reconnecting(m_clock.wallNow()));
        m_dialog->follow(old);
        QCOMPARE(ladder(),
                 QStringLiteral("The server does not answer: what is shown is old, and nothing can be advised."));
    }

    void theAdviceCountsDown() {
        monitor::LockRow held = row();
        held.hold.renewals = 0;
        open(held);
        m_clock.advance(5s);
        QVERIFY2(ladder().contains(QStringLiteral("ends by itself in 7.0 s")), qPrintable(ladder()));
    }

    void leadsToTheOwnerFirst() {
        QSignalSpy asked(m_dialog.get(), &ForceReleaseDialog::identityWanted);
        find<QPushButton>(QStringLiteral("forceFindOut")).click();
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].value<ClientId>(), ClientId(clientA));
        QVERIFY(m_dialog->isVisible());
    }

    void nobodyIsLookedForWithoutAConnectionOrTwice() {
        QPushButton& findOut = find<QPushButton>(QStringLiteral("forceFindOut"));
        HolderKnowledge knowledge;
        knowledge.searching = ClientId(clientB);
        m_dialog->setKnowledge(knowledge);
        QVERIFY(!findOut.isEnabled());
        m_dialog->setKnowledge({});
        QVERIFY(findOut.isEnabled());
        m_time->follow(reconnecting(m_clock.wallNow()));
        m_dialog->follow(row());
        QVERIFY(!findOut.isEnabled());
        QVERIFY(!findOut.toolTip().isEmpty());
    }

    // ---- Enter, and text that is typed ----

    void enterInAFieldNeitherCancelsNorForces() {
        giveReason();
        QSignalSpy forced(m_dialog.get(), &ForceReleaseDialog::forceReleaseRequested);
        QLineEdit& reason = find<QLineEdit>(QStringLiteral("forceReason"));
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
            reason.setFocus();
            QTest::keyClick(&reason, key);
        }
        force().setFocus();
        QTest::keyClick(&force(), Qt::Key_Return);
        QVERIFY(m_dialog->isVisible());
        QCOMPARE(forced.size(), 0);
        QCOMPARE(m_dialog->reason(), QStringLiteral(" crashed, ticket 12 "));
    }

    void enterGoesOnFromEveryControlThatTakesAValue_data() {
        QTest::addColumn<QString>("control");
        QTest::newRow("what to do") << QStringLiteral("forceChoice");
        QTest::newRow("for how long") << QStringLiteral("forceTime");
        QTest::newRow("reason") << QStringLiteral("forceReason");
    }
    void enterGoesOnFromEveryControlThatTakesAValue() {
        QFETCH(const QString, control);
        choose(QStringLiteral("Quarantine"));
        QWidget& composite = find<QWidget>(control);
        QWidget* field = composite.findChild<QSpinBox*>();
        field = field ? field : &composite;
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(m_dialog->isVisible());
        QVERIFY(!field->hasFocus());
        QVERIFY(choice().currentText().startsWith(QStringLiteral("Quarantine")));
    }

    void enterPressesTheButtonThatHasTheFocus() {
        QSignalSpy asked(m_dialog.get(), &ForceReleaseDialog::identityWanted);
        QPushButton& findOut = find<QPushButton>(QStringLiteral("forceFindOut"));
        findOut.setFocus();
        QTest::keyClick(&findOut, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QVERIFY(m_dialog->isVisible());
    }

    // Otherwise pressing the key twice would force with the letter as a reason.
    void theKeyOfADisabledButtonTypesNothing_data() {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("refusal");
        QTest::newRow("without a reason") << QString() << QString();
        QTest::newRow("while it may not be forced")
            << QStringLiteral("because it hangs") << QStringLiteral("Not connected.");
    }
    void theKeyOfADisabledButtonTypesNothing() {
        QFETCH(const QString, reason);
        QFETCH(const QString, refusal);
        QSignalSpy forced(m_dialog.get(), &ForceReleaseDialog::forceReleaseRequested);
        m_dialog->setReason(reason);
        m_dialog->setPermission({refusal});
        onProduction();
        for (const char* name : {"forceReason", "forceName"}) {
            QLineEdit& field = find<QLineEdit>(QLatin1String(name));
            const QString before = field.text();
            field.setFocus();
            field.selectAll();
            for (int press = 0; press < 3; ++press) {
                QTest::keyClick(&field, Qt::Key_F, Qt::AltModifier);
                QTest::keyClick(&field, Qt::Key_O, Qt::AltModifier);
            }
            QCOMPARE(field.text(), before);
        }
        QCOMPARE(forced.size(), 0);
        QTest::keyClick(&find<QLineEdit>(QStringLiteral("forceReason")), Qt::Key_F);
        QCOMPARE(m_dialog->reason(), QStringLiteral("f"));
    }

    // ---- room ----

    void theTimeIsSeen_data() {
        QTest::addColumn<bool>("production");
        QTest::newRow("staging") << false;
        QTest::newRow("production") << true;
    }
    void theTimeIsSeen() {
        QFETCH(const bool, production);
        if (production)
            onProduction();
        QCoreApplication::processEvents();
        choose(QStringLiteral("Quarantine"));
        QCoreApplication::processEvents();
        const QWidget& time = find<QWidget>(QStringLiteral("forceTime"));
        QVERIFY(time.isVisible());
        QVERIFY2(time.height() >= time.sizeHint().height(), qPrintable(QString::number(time.height())));
    }

    void aLongNameLeavesTheQuestionWhole() {
        monitor::LockRow held = row();
        held.lock.name = LockName(QByteArray(200, 'W'));
        open(held);
        const QLabel& headline = find<QLabel>(QStringLiteral("forceHeadline"));
        for (const int width : {1200, 560}) {
            m_dialog->resize(width, m_dialog->height());
            QCoreApplication::processEvents();
            QVERIFY2(headline.text().endsWith(QStringLiteral("W?")), qPrintable(headline.text()));
            QVERIFY(headline.fontMetrics().horizontalAdvance(headline.text()) <= headline.width());
            QVERIFY(headline.fontMetrics().horizontalAdvance(headline.text()) > headline.width() * 9 / 10);
        }
    }

    void beginsWithTheReasonThatWasTyped() {
        m_dialog->setReason(QStringLiteral("worker-7 crashed"));
        QVERIFY(force().isEnabled());
    }

    // ---- production ----

    void onProductionTheNameIsTyped() {
        onProduction();
        giveReason();
        QVERIFY(!force().isEnabled());
        QCOMPARE(missing(),
                 QStringLiteral(
                     "Type the name of the lock, because Production · Orders · cache.example:6379 is production."));
        QLineEdit& typed = find<QLineEdit>(QStringLiteral("forceName"));
        typed.setText(QStringLiteral("orders/{41}"));
        QVERIFY(!force().isEnabled());
        typed.setText(QStringLiteral("orders/{42}"));
        QVERIFY(force().isEnabled());
    }

    void elsewhereItIsNot() {
        QVERIFY(find<QLineEdit>(QStringLiteral("forceName")).isHidden());
        m_dialog->setConnection({QStringLiteral("Orders"), profile::Environment::Staging, {}},
                                QStringLiteral("cache.example:6379"));
        giveReason();
        QVERIFY(force().isEnabled());
    }

    void aNameThatCannotBeTypedHasACode_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("isCode");
        QTest::newRow("a name") << QByteArray("orders/{42}") << false;
        QTest::newRow("of another script") << QByteArray("\xe9\x94\x81") << false;
        QTest::newRow("64 bytes") << QByteArray(64, 'x') << false;
        QTest::newRow("65 bytes") << QByteArray(65, 'x') << true;
        QTest::newRow("not UTF-8") << QByteArray("a\xff") << true;
        QTest::newRow("a control character") << QByteArray("a\nb") << true;
        QTest::newRow("a blank at the end") << QByteArray("a ") << true;
        QTest::newRow("two blanks") << QByteArray("a  b") << true;
    }
    void aNameThatCannotBeTypedHasACode() {
        QFETCH(QByteArray, name);
        QFETCH(bool, isCode);
        monitor::LockRow held = row();
        held.lock.name = LockName(name);
        open(held);
        onProduction();
        giveReason();
        const NameProof proof = nameProof(held.lock.name);
        QCOMPARE(proof.isCode, isCode);
        QCOMPARE(find<QLabel>(QStringLiteral("forceNameCaption")).text().contains(proof.expected), isCode);
        QVERIFY(!force().isEnabled());
        find<QLineEdit>(QStringLiteral("forceName")).setText(proof.expected);
        QVERIFY(force().isEnabled());
        if (isCode) {
            QCOMPARE(proof.expected.size(), 6);
            QVERIFY(nameProof(LockName(name + "x")).expected != proof.expected);
        }
    }

    // ---- what to do ----

    void offersWhatFitsTheLock_data() {
        QTest::addColumn<monitor::LockRow>("of");
        QTest::addColumn<QStringList>("beginnings");
        QTest::newRow("held") << row() << QStringList{"Force-release", "Quarantine"};
        QTest::newRow("never expires") << neverExpiringRow(m_clock, lockName("L"))
                                       << QStringList{"Force-release", "Quarantine", "Set an expiry"};
        QTest::newRow("readers") << readers()
                                 << QStringList{"Force-release", "Release one reader", "Release one reader",
                                                "Quarantine"};
        QTest::newRow("a faster multi lock")
            << multi()
            << QStringList{QString::fromLatin1("Force-release " + clientA + ":1 alone"),
                           QString::fromLatin1("Force-release " + clientB + ":7 alone"),
                           QString::fromLatin1("Quarantine " + clientA + ":1 alone"),
                           QString::fromLatin1("Quarantine " + clientB + ":7 alone")};
        QTest::newRow("a dead head") << blockedQueue(monitor::Certainty::Certain)
                                     << QStringList{"Remove the dead waiter", "Wake"};
        QTest::newRow("a dead waiter of a held lock")
            << heldWithADeadWaiter() << QStringList{"Force-release", "Quarantine", "Remove the dead waiter"};
        QTest::newRow("perhaps dead") << blockedQueue(monitor::Certainty::Likely) << QStringList{"Wake"};
    }
    void offersWhatFitsTheLock() {
        QFETCH(monitor::LockRow, of);
        QFETCH(QStringList, beginnings);
        open(of);
        QCOMPARE(choices().size(), beginnings.size());
        for (qsizetype i = 0; i < beginnings.size(); ++i)
            QVERIFY2(choices()[i].startsWith(beginnings[i]), qPrintable(choices()[i]));
    }

    void asksForOneReader() {
        open(readers());
        giveReason();
        choose(QStringLiteral("Release one reader"));
        QVERIFY2(facts().startsWith(QStringLiteral("To be released: %1\n").arg(readers().lock.holders[0].id.display())),
                 qPrintable(facts()));
        QCOMPARE(force().text(), QStringLiteral("Release one reader of orders/{42}"));
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{1});
        QCOMPARE(requests[0].change.kind, control::ChangeKind::ReleaseReader);
        QCOMPARE(requests[0].change.reader, readers().lock.holders[0]);
    }

    void anotherReaderThatComesOrGoesChangesNothing() {
        open(readers());
        giveReason();
        choose(QStringLiteral("Release one reader"));
        monitor::LockRow fewer = readers();
        fewer.lock.holders.removeLast();
        m_dialog->follow(fewer);
        QVERIFY(force().isEnabled());
        fewer.lock.holders[0].count = 3;
        m_dialog->follow(fewer);
        QVERIFY(!force().isEnabled());
        readAgain().click();
        QVERIFY(force().isEnabled());
        QCOMPARE(clickAndTake()[0].change.reader->count, 3);
    }

    void asksForOneHolderOfAFasterMultiLock() {
        open(multi());
        giveReason();
        QVERIFY2(facts().startsWith(QString::fromLatin1("To be released: " + clientA + ":1\n")), qPrintable(facts()));
        QCOMPARE(force().text(), QStringLiteral("Force-release one holder of orders/{42}"));
        monitor::LockRow later = multi();
        monitor::LockParts parts = *later.lock.parts;
        parts.values.removeLast();
        later.lock.holders.removeLast();
        later.lock.parts = std::make_shared<const monitor::LockParts>(parts);
        m_dialog->follow(later);
        QVERIFY(force().isEnabled());
        QCOMPARE(clickAndTake()[0].change.holder, std::optional(holder(clientA, 1).id));
        parts.values[0].count = 2;
        later.lock.parts = std::make_shared<const monitor::LockParts>(parts);
        m_dialog->follow(later);
        QVERIFY(!force().isEnabled());
        later.lock.holders = {holder(clientB, 7)};
        m_dialog->follow(later);
        QVERIFY2(change().contains(QStringLiteral("This holder is gone")), qPrintable(change()));
    }

    void asksForAQuarantineOfOneHolderOfAFasterMultiLock() {
        open(multi());
        giveReason();
        choose(QString::fromLatin1("Quarantine " + clientB + ":7"));
        QVERIFY2(facts().startsWith(QString::fromLatin1("To be put in quarantine: " + clientB + ":7\n")),
                 qPrintable(facts()));
        QVERIFY2(!facts().contains(QStringLiteral("will be woken")), qPrintable(facts()));
        QCOMPARE(force().text(), QStringLiteral("Quarantine one holder of orders/{42}"));
        QSpinBox& seconds = *find<QWidget>(QStringLiteral("forceTime")).findChild<QSpinBox*>(QStringLiteral("number"));
        seconds.setValue(61);
        QVERIFY(!force().isEnabled());
        seconds.setValue(5);
        find<QAbstractButton>(QStringLiteral("forceShowCommands")).click();
        for (const char* words :
             {"control/lua/quarantine_values.lua", "THIS-CONSOLE:2:expire_time\" <the time at which the lease ends>",
              "\"z\" \"THIS-CONSOLE:2\""})
            QVERIFY2(commands().contains(QLatin1String(words)), qPrintable(commands()));
        QVERIFY(!commands().contains(QLatin1String("PUBLISH")));
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{1});
        QCOMPARE(requests[0].change.kind, control::ChangeKind::QuarantineHolder);
        QCOMPARE(requests[0].change.holder, std::optional(holder(clientB, 7).id));
        QCOMPARE(requests[0].change.time, Milliseconds(5s));
        monitor::LockRow gone = multi();
        gone.lock.holders.removeLast();
        m_dialog->follow(gone);
        QVERIFY2(change().contains(QStringLiteral("This holder is gone")), qPrintable(change()));
    }

    void saysWhoIsWokenOnlyIfSomebodyIs() {
        choose(QStringLiteral("Quarantine"));
        QVERIFY2(facts().endsWith(QStringLiteral("Waiting: 4 client instances")), qPrintable(facts()));
        QVERIFY2(!facts().contains(QStringLiteral("will be woken")), qPrintable(facts()));
    }

    void theTimeOfAQuarantineIsAtMostAMinute() {
        giveReason();
        choose(QStringLiteral("Quarantine"));
        QSpinBox& seconds = *find<QWidget>(QStringLiteral("forceTime")).findChild<QSpinBox*>(QStringLiteral("number"));
        seconds.setValue(61);
        QVERIFY(!force().isEnabled());
        seconds.setValue(60);
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{1});
        QCOMPARE(requests[0].change.kind, control::ChangeKind::Quarantine);
        QCOMPARE(requests[0].change.time, Milliseconds(60s));
    }

    void removesAWaiterOnlyWhileItIsTheSameHead() {
        open(blockedQueue(monitor::Certainty::Certain));
        giveReason();
        QVERIFY(force().isEnabled());
        monitor::LockRow moved = blockedQueue(monitor::Certainty::Certain);
        moved.lock.fairQueue.removeFirst();
        m_dialog->follow(moved);
        QVERIFY(!force().isEnabled());
        QVERIFY2(change().contains(QStringLiteral("not in the queue any more")), qPrintable(change()));
    }

    void asksToRemoveTheDeadWaiterOfAHeldLock() {
        open(heldWithADeadWaiter());
        giveReason();
        choose(QStringLiteral("Remove the dead waiter"));
        QVERIFY2(
            facts().startsWith(QString::fromLatin1("To be removed: " + clientB + ":2, place 2 of 2 in the queue\n")),
            qPrintable(facts()));
        QVERIFY2(facts().endsWith(QStringLiteral("Waiting: 2 queued")), qPrintable(facts()));
        QVERIFY(!find<QLabel>(QStringLiteral("forceLadder")).isVisible());
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{1});
        QCOMPARE(requests[0].change.kind, control::ChangeKind::RemoveWaiter);
        QCOMPARE(requests[0].change.waiter, heldWithADeadWaiter().lock.fairQueue[1]);
    }

    // The message of the release would go to the dead head: nobody behind it is promised to wake.
    void aDeadHeadIsNotWoken() {
        monitor::LockRow row = heldWithADeadWaiter();
        row.queueFacts = deadOf({row.lock.fairQueue[0]});
        open(row);
        giveReason();
        QVERIFY2(
            facts().endsWith(QStringLiteral(
                "Waiting: 2 queued; nobody will be woken: the head of the queue is dead, and the others wait for its "
                "place to lapse")),
            qPrintable(facts()));
        auto& along = find<QCheckBox>(QStringLiteral("forceRemoveDead"));
        QVERIFY(along.isVisible() && !along.isChecked());
        along.setChecked(true);
        QVERIFY2(facts().endsWith(QStringLiteral("the next one in the queue will be woken")), qPrintable(facts()));
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{2});
        QCOMPARE(requests[0].change.kind, control::ChangeKind::RemoveWaiter);
        QCOMPARE(requests[0].change.waiter, row.lock.fairQueue[0]);
        QCOMPARE(requests[0].reason, QStringLiteral("crashed, ticket 12"));
        QCOMPARE(requests[1].change.kind, control::ChangeKind::ReleaseLock);
    }

    // The page shows each request at once, also in this dialog.
    void eachDeadWaiterIsRemovedAlthoughEachRequestUpdatesTheDialog() {
        monitor::LockRow row = heldWithADeadWaiter();
        row.queueFacts = deadOf(row.lock.fairQueue);
        open(row);
        giveReason();
        find<QCheckBox>(QStringLiteral("forceRemoveDead")).setChecked(true);
        connect(m_dialog.get(), &ForceReleaseDialog::forceReleaseRequested, m_dialog.get(), [this, row] {
            monitor::LockRow later = row;
            later.queueFacts.reset();
            m_dialog->follow(later);
        });
        const std::vector<control::ForceReleaseRequest> requests = clickAndTake();
        QCOMPARE(requests.size(), size_t{3});
        QCOMPARE(requests[0].change.waiter, row.lock.fairQueue[0]);
        QCOMPARE(requests[1].change.waiter, row.lock.fairQueue[1]);
        QCOMPARE(requests[2].change.kind, control::ChangeKind::ReleaseLock);
    }

    void aLivingHeadIsWoken() {
        open(heldWithADeadWaiter());
        QVERIFY2(facts().endsWith(QStringLiteral("Waiting: 2 queued; the head of the queue will be woken")),
                 qPrintable(facts()));
    }

    void anotherDeadWaiterMustBeAgreedToAgain() {
        const monitor::LockRow row = heldWithADeadWaiter();
        open(row);
        auto& along = find<QCheckBox>(QStringLiteral("forceRemoveDead"));
        along.setChecked(true);
        monitor::LockRow later = row;
        later.queueFacts = deadOf(row.lock.fairQueue);
        m_dialog->follow(later);
        QVERIFY(!along.isChecked());
        along.setChecked(true);
        m_dialog->follow(row);
        QVERIFY(along.isChecked());
    }

    // The change only needs the same waiter, still dead.
    void itsPlaceMayChangeButNotItsDeadlineNorTheProof() {
        open(heldWithADeadWaiter());
        giveReason();
        choose(QStringLiteral("Remove the dead waiter"));
        monitor::LockRow later = heldWithADeadWaiter();
        later.lock.fairQueue.removeFirst();
        later.lock.holders = {holder(clientA, 1)};
        m_dialog->follow(later);
        QVERIFY(force().isEnabled());
        later.lock.fairQueue[0].deadline = m_clock.wallNow() + 4min;
        later.queueFacts = deadOf(later.lock.fairQueue);
        m_dialog->follow(later);
        QVERIFY(!force().isEnabled());
        readAgain().click();
        QVERIFY(force().isEnabled());
        later.queueFacts.reset();
        m_dialog->follow(later);
        QVERIFY(!force().isEnabled());
    }

    void wakesOnlyWhileTheLockIsFree() {
        open(blockedQueue(monitor::Certainty::Likely));
        giveReason();
        QVERIFY(force().isEnabled());
        m_dialog->follow(row());
        QVERIFY(!force().isEnabled());
    }

    // ---- its keys ----

    void altFMakesEachChange_data() {
        QTest::addColumn<monitor::LockRow>("of");
        QTest::addColumn<int>("choice");
        QTest::addColumn<control::ChangeKind>("kind");
        const monitor::LockRow never = neverExpiringRow(m_clock, lockName("orders/{42}"));
        QTest::newRow("force-release") << row() << 0 << control::ChangeKind::ReleaseLock;
        QTest::newRow("quarantine") << row() << 1 << control::ChangeKind::Quarantine;
        QTest::newRow("expiry") << never << 2 << control::ChangeKind::SetExpiry;
        QTest::newRow("one reader") << readers() << 1 << control::ChangeKind::ReleaseReader;
        QTest::newRow("one holder") << multi() << 0 << control::ChangeKind::ReleaseHolder;
        QTest::newRow("quarantine of one holder") << multi() << 2 << control::ChangeKind::QuarantineHolder;
        QTest::newRow("dead waiter") << blockedQueue(monitor::Certainty::Certain) << 0
                                     << control::ChangeKind::RemoveWaiter;
        QTest::newRow("wake") << blockedQueue(monitor::Certainty::Certain) << 1 << control::ChangeKind::WakeWaiters;
    }
    void altFMakesEachChange() {
        QFETCH(const monitor::LockRow, of);
        QFETCH(const int, choice);
        QFETCH(const control::ChangeKind, kind);
        open(of);
        onProduction();
        m_dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
        this->choice().setCurrentIndex(choice);
        find<QLineEdit>(QStringLiteral("forceName")).setText(QStringLiteral("orders/{42}"));
        giveReason();
        PseudoTranslator foreign;
        QVERIFY(QCoreApplication::installTranslator(&foreign));
        QCoreApplication::processEvents();
        QCOMPARE(force().toolTip(), helpTip(QKeySequence(Qt::ALT | Qt::Key_F).toString(QKeySequence::NativeText)));
        QSignalSpy forced(m_dialog.get(), &ForceReleaseDialog::forceReleaseRequested);
        QTest::keyClick(m_dialog.get(), Qt::Key_F, Qt::AltModifier);
        QTRY_COMPARE(forced.size(), 1);  // the button is seen to be pressed
        QCOMPARE(forced[0][0].value<control::ForceReleaseRequest>().change.kind, kind);
    }

    void noKeyIsTakenTwice_data() { altFMakesEachChange_data(); }
    void noKeyIsTakenTwice() {
        QFETCH(const monitor::LockRow, of);
        QFETCH(const int, choice);
        open(of);
        onProduction();
        this->choice().setCurrentIndex(choice);
        const QList<QKeySequence> keys = keysOfControls();
        QVERIFY(keys.contains(QKeySequence(Qt::ALT | Qt::Key_F)));
        QVERIFY(keys.size() > 5);
        for (const QKeySequence& key : keys)
            QVERIFY2(keys.count(key) == 1, qPrintable(key.toString()));
    }

    void theHeadlineAsksForAnExpiry() {
        open(neverExpiringRow(m_clock, lockName("orders/{42}")));
        choose(QStringLiteral("Set an expiry"));
        QCOMPARE(find<QLabel>(QStringLiteral("forceHeadline")).text(),
                 QStringLiteral("Set an expiry for orders/{42}?"));
    }

    // ---- what will be sent ----

    void theCommandsAreShownBeforeTheyRun() {
        QVERIFY(find<QPlainTextEdit>(QStringLiteral("forceCommands")).isHidden());
        find<QToolButton>(QStringLiteral("forceShowCommands")).click();
        QVERIFY(find<QPlainTextEdit>(QStringLiteral("forceCommands")).isVisible());
        const QStringList lines = commands().split(u'\n');
        QVERIFY2(lines[0].startsWith(QStringLiteral("EVALSHA ")) && lines[0].size() == 48, qPrintable(lines[0]));
        QCOMPARE(lines[1], QStringLiteral("control/lua/compare_and_release.lua"));
        QVERIFY(lines.contains(QStringLiteral("  \"orders/{42}\"")));
        QCOMPARE(lines.sliced(3, 2),
                 (QStringList{"  DEL \"orders/{42}\"", "  PUBLISH \"redisson_lock__channel:orders/{42}\" \"0\""}));
    }

    void theyPublishAsTheNodeOfTheLockDoes_data() {
        QTest::addColumn<redis::Publishing>("publishing");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("a Cluster of Redis 6") << redis::Publishing::Plain << QStringList{"PUBLISH"};
        QTest::newRow("a newer one") << redis::Publishing::PlainAndSharded << QStringList{"SPUBLISH", "PUBLISH"};
        QTest::newRow("without older clients") << redis::Publishing::Sharded << QStringList{"SPUBLISH"};
    }
    void theyPublishAsTheNodeOfTheLockDoes() {
        QFETCH(redis::Publishing, publishing);
        monitor::LockRow clustered = row();
        clustered.lock.node =
            monitor::NodePointer(new monitor::Node(topology::ShardId(1), QStringLiteral("h:7001"), publishing));
        open(clustered);
        find<QToolButton>(QStringLiteral("forceShowCommands")).click();
        QStringList words;
        for (const QString& line : commands().split(u'\n')) {
            if (line.contains(QStringLiteral("PUBLISH \"")))
                words << line.trimmed().section(u' ', 0, 0);
        }
        QTEST(words, "words");
    }

    // A script reads more keys than it compares.
    void whatElseMayBeSentIsSaid_data() {
        QTest::addColumn<monitor::LockRow>("of");
        QTest::addColumn<int>("choice");
        QTest::addColumn<QStringList>("lines");
        const QString queue = QStringLiteral("  The queue is read again: waiters may have come, left or died since.");
        const QString other = QStringLiteral(
            "  A waiter that is subscribed but not in this queue is in one of another name. Its message goes there, too:");
        QTest::newRow("force-release") << row() << 0
                                       << QStringList{other,
                                                      "    \"redisson_lock__channel:orders/{42}:<waiter>\" \"0\"",
                                                      queue};
        monitor::LockRow readOnce = readers();
        QTest::newRow("readers as a whole") << readOnce << 0 << QStringList();
        QTest::newRow("one reader")
            << readOnce << 1
            << QStringList{
                   "  The readers are read again: if this is the last one, the lock is deleted and its waiters are woken."};
        QTest::newRow("one holder") << multi() << 0 << QStringList();
        QTest::newRow("dead waiter")
            << heldWithADeadWaiter() << 2
            << QStringList{"  If the lock is free and this waiter is the head of the queue, the next one is woken."};
        QTest::newRow("wake") << blockedQueue(monitor::Certainty::Likely) << 0 << QStringList{queue};
        QTest::newRow("expiry") << neverExpiringRow(m_clock, lockName("L")) << 2
                                << QStringList{other, "    \"redisson_lock__channel:{L}:<waiter>\" \"1\"", queue};
        QTest::newRow("quarantine of one holder")
            << multi() << 2
            << QStringList{
                   "  At the end of its time this console releases what it took by another script, which wakes the waiters."};
        QTest::newRow("quarantine")
            << row() << 1
            << QStringList{
                   "  At the end of its time this console releases what it took by another script, which wakes the waiters."};
    }
    void whatElseMayBeSentIsSaid() {
        QFETCH(const monitor::LockRow, of);
        QFETCH(const int, choice);
        QFETCH(const QStringList, lines);
        open(of);
        this->choice().setCurrentIndex(choice);
        QCOMPARE(branches(), lines);
    }

    void whileASlotMovesBothMessagesAreSent() {
        monitor::LockRow clustered = multi();
        for (const auto publishing :
             {redis::Publishing::Plain, redis::Publishing::PlainAndSharded, redis::Publishing::Sharded}) {
            clustered.lock.node =
                monitor::NodePointer(new monitor::Node(topology::ShardId(1), QStringLiteral("h:7001"), publishing));
            open(clustered);
            const QStringList moving{
                QStringLiteral("  While its slot moves, both messages are sent: SPUBLISH and PUBLISH.")};
            QCOMPARE(branches(), publishing == redis::Publishing::Sharded ? moving : QStringList());
        }
    }

    void theyAreThoseOfWhatWasChosen() {
        open(readers());
        find<QToolButton>(QStringLiteral("forceShowCommands")).click();
        choose(QStringLiteral("Release one reader"));
        QVERIFY2(commands().contains(QStringLiteral("control/lua/release_reader.lua")), qPrintable(commands()));
        QVERIFY2(commands().contains(QStringLiteral("HDEL \"orders/{42}\" \"") + QString::fromLatin1(clientA) +
                                     QStringLiteral(":1\"")),
                 qPrintable(commands()));
        QVERIFY2(commands().contains(QStringLiteral("PEXPIRE \"orders/{42}\" <the longest lease left>")),
                 qPrintable(commands()));
    }

    void namesVerbAndObjectAndHasCancelAsDefault() {
        QCOMPARE(force().text(), QStringLiteral("Force-release orders/{42}"));
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

    // The dialog refuses before anything is typed or noted in the audit.
    void whatNoScriptCanBreakCannotBeForced_data() {
        QTest::addColumn<monitor::LockKind>("kind");
        QTest::addColumn<int>("holds");
        QTest::addColumn<QString>("why");
        QTest::newRow("a lock of an unknown kind")
            << monitor::LockKind::Unknown << 1 << QStringLiteral("not known well enough");
        QTest::newRow("thousands of holds")
            << monitor::LockKind::ReadWrite << 5000 << QStringLiteral("more than one step can break");
    }
    void whatNoScriptCanBreakCannotBeForced() {
        QFETCH(const monitor::LockKind, kind);
        QFETCH(const int, holds);
        QFETCH(const QString, why);
        monitor::LockRow unfit = row();
        unfit.lock.kind = kind;
        unfit.lock.holders = {holder(clientA, 1, holds, monitor::HoldMode::Read)};
        m_dialog = std::make_unique<ForceReleaseDialog>(unfit, *m_time, m_clock);
        giveReason();
        QVERIFY(!force().isEnabled());
        QVERIFY2(missing().contains(why), qPrintable(missing()));
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
        QCOMPARE(missing(), QStringLiteral("The connection is lost. The reason is kept when you cancel."));
        m_dialog->setPermission({});
        QVERIFY(force().isEnabled());
    }
};

LOCKKEEPER_TEST(TestForceReleaseDialog, Gui)

}  // namespace tst_forcereleasedialog

#include "tst_forcereleasedialog.moc"
