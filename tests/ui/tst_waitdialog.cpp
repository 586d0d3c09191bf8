// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/sampledump.h"
#include "support/samplenodes.h"
#include "support/widgettest.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/locks/holders/waitdialog.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/timetext.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

namespace tst_waitdialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestWaitDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    QTreeWidget& tree() const { return *m_dialog->findChild<QTreeWidget*>(); }
    QString label(const char* name) const { return find<QLabel>(name).text(); }
    // The groups that are shown and their rows: "33 -A-> 1" by thread ids.
    QStringList groups() const {
        QStringList texts;
        for (int i = 0; i < tree().topLevelItemCount(); ++i) {
            if (!tree().topLevelItem(i)->isHidden())
                texts << tree().topLevelItem(i)->text(0);
        }
        return texts;
    }
    QStringList linesOf(int group) const {
        QStringList lines;
        const QTreeWidgetItem& item = *tree().topLevelItem(group);
        for (int i = 0; i < item.childCount(); ++i)
            lines << QStringList{item.child(i)->text(0), item.child(i)->text(1), item.child(i)->text(2)}.join(u'|');
        return lines;
    }
    monitor::LockRow fair(const char* name, const monitor::Holder& by, const monitor::Holder& waiter) const {
        monitor::LockRow row = heldRow(m_clock, lockName(name), 20s, by);
        row.lock.kind = monitor::LockKind::Fair;
        row.lock.fairQueue = {{waiter.id, std::nullopt}};
        return row;
    }
    void show(const std::vector<monitor::LockRow>& rows) {
        m_locks->apply(batchOf(rows));
        m_clock.advance(500ms);
    }
    // Ten clients wait, each for a different lock.
    std::vector<monitor::LockRow> waits(const char* prefix) const {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 10; ++i) {
            QByteArray waiter = clientB;
            waiter.replace(0, 2, "a" + QByteArray::number(i));
            rows.push_back(fair((prefix + QByteArray::number(i)).constData(), holder(clientA, 1), holder(waiter, 1)));
        }
        return rows;
    }
    void readDeadlock() {
        show({fair("A", holder(clientA, 1), holder(clientB, 2)), fair("B", holder(clientB, 2), holder(clientA, 1))});
    }
    // The second read confirms the deadlock.
    void showDeadlock() {
        readDeadlock();
        readDeadlock();
    }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<LockTableModel> m_locks;
    std::unique_ptr<WaitDialog> m_dialog;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_locks = std::make_unique<LockTableModel>(*m_time);
        m_dialog = std::make_unique<WaitDialog>(*m_locks, *m_time, m_clock);
        m_dialog->show();
    }
    void cleanup() {
        m_dialog.reset();
        QVERIFY(!m_clock.hasTimers());
    }

    void saysWhatCannotBeKnown() {
        QCOMPARE(label("waitSummary"), QStringLiteral("No client is known to wait for a holder."));
        QVERIFY(label("waitLimits").contains(QStringLiteral("Only fair locks name their waiters")));
        monitor::LockRow plain = heldRow(m_clock, lockName("plain"), 20s);
        plain.lock.waiters = 2;
        show({plain});
        QVERIFY2(label("waitLimits").contains(QStringLiteral("nobody can name: 1 (plain).")),
                 qPrintable(label("waitLimits")));
    }

    // Plain locks, whose waiters only thread dumps name.
    void aDeadlockByThreadDumpsIsShownWithItsFrames() {
        const auto plain = [this](const char* name, const monitor::Holder& by, const monitor::Holder& waiter) {
            monitor::LockRow row = heldRow(m_clock, lockName(name), 20s, by);
            row.lock.waiters = 1;
            monitor::ThreadVerdict waits = verdictOf(waiter.id, m_clock.wallNow());
            waits.role = monitor::ThreadVerdict::Role::MayWait;
            waits.mayWaitFor = {lockName(name)};
            row.threads = QList<monitor::ThreadVerdict>{waits};
            return row;
        };
        for (int read = 0; read < 2; ++read)  // reads do not confirm what a dump has shown
            show({plain("A", holder(clientA, 1), holder(clientB, 2)),
                  plain("B", holder(clientB, 2), holder(clientA, 1))});
        QCOMPARE(groups().first(),
                 QStringLiteral("Suspected deadlock 1, by thread dumps: 2 that wait for each other, in a circle"));
        QCOMPARE(linesOf(0), (QStringList{QString::fromLatin1(clientB + ":2|A|" + clientA + ":1"),
                                          QString::fromLatin1(clientA + ":1|B|" + clientB + ":2")}));
        const QTreeWidgetItem& first = *tree().topLevelItem(0)->child(0);
        QStringList frames;
        for (int i = 0; i < first.childCount(); ++i)
            frames << first.child(i)->text(0);
        QVERIFY2(frames.contains(QStringLiteral("com.example.Jobs.report (Jobs.java:7)")),
                 qPrintable(frames.join(u'\n')));
        QCOMPARE(label("waitSummary"), QStringLiteral("1 suspected deadlock. 2 known waits."));
    }

    // Of several locks that a thread may wait for, none is named.
    void aThreadThatMayWaitForSeveralLocksIsNoWaiter() {
        monitor::LockRow row = heldRow(m_clock, lockName("A"), 20s, holder(clientA, 1));
        row.lock.waiters = 1;
        monitor::ThreadVerdict waits = verdictOf(holder(clientB, 2).id, m_clock.wallNow());
        waits.role = monitor::ThreadVerdict::Role::MayWait;
        waits.mayWaitFor = {lockName("A"), lockName("B")};
        row.threads = QList<monitor::ThreadVerdict>{waits};
        show({row});
        QCOMPARE(label("waitSummary"), QStringLiteral("No client is known to wait for a holder."));
    }

    void deadlocksComeFirstAndAreNamed() {
        showDeadlock();
        QCOMPARE(groups().size(), 3);
        QCOMPARE(groups().first(), QStringLiteral("Deadlock 1: 2 that wait for each other, in a circle"));
        QCOMPARE(linesOf(0), (QStringList{QString::fromLatin1(clientB + ":2|A|" + clientA + ":1"),
                                          QString::fromLatin1(clientA + ":1|B|" + clientB + ":2")}));
        QCOMPARE(label("waitSummary"), QStringLiteral("1 deadlock. 2 known waits."));
    }

    void clientsHaveTheirColours() {
        ClientColors colors;
        m_locks->setClientColors(colors);
        showDeadlock();
        const QTreeWidgetItem& line = *tree().topLevelItem(0)->child(0);
        QVERIFY(!line.icon(0).isNull());
        QVERIFY(line.icon(1).isNull());
        QVERIFY(!line.icon(2).isNull());
        m_dialog.reset();  // before the colours
    }

    void theLocksOfALostNodeAreOldAndSaySinceWhen() {
        const QByteArray clientC = QByteArray(clientB).replace(0, 2, "d0");
        const monitor::NodeStatus lost = lostNode(7001, m_clock.wallNow());
        show({onNode(fair("A", holder(clientA, 1), holder(clientB, 2)), watchedNode(7001)),
              onNode(fair("B", holder(clientA, 1), holder(clientC, 3)), watchedNode(7002))});
        m_clock.advance(5s);
        QVERIFY(m_time->follow({lost, watchedNode(7002)}));
        m_locks->refreshAll();
        m_clock.advance(500ms);
        const QString at = clockText(lost.lastHeard, m_clock.wallNow());
        QCOMPARE(linesOf(0), QStringList{QString::fromLatin1(clientB + ":2|A (old: %1)|" + clientA + ":1").arg(at)});
        QCOMPARE(linesOf(1), QStringList{QString::fromLatin1(clientC + ":3|B|" + clientA + ":1")});
        QVERIFY(tree().topLevelItem(0)->child(0)->font(1).italic());
        QVERIFY(!tree().topLevelItem(1)->child(0)->font(1).italic());
        QCOMPARE(label("waitSummary"),
                 QStringLiteral("2 known waits, no deadlock among them. Old: 1 lock, whose node cannot be reached."));
        QVERIFY(m_time->follow({watchedNode(7001), watchedNode(7002)}));
        m_locks->refreshAll();
        m_clock.advance(500ms);
        QCOMPARE(label("waitSummary"), QStringLiteral("2 known waits, no deadlock among them."));
    }

    void whatWasSeenAtDifferentMomentsIsOnlySuspected() {
        show({fair("A", holder(clientA, 1), holder(clientB, 2))});
        m_clock.advance(8s);
        show({fair("B", holder(clientB, 2), holder(clientA, 1))});
        const QString group = groups().value(0);
        QVERIFY2(group.startsWith(QStringLiteral("Suspected deadlock 1 (read between ")), qPrintable(group));
        QVERIFY2(group.endsWith(QStringLiteral("): 2 that wait for each other, in a circle")), qPrintable(group));
        QCOMPARE(label("waitSummary"), QStringLiteral("1 suspected deadlock. 2 known waits."));
        QVERIFY(label("waitLimits").contains(QStringLiteral("The next read of each of their locks decides")));
        tree().topLevelItem(0)->setExpanded(false);
        readDeadlock();
        QCOMPARE(groups().value(0), QStringLiteral("Deadlock 1: 2 that wait for each other, in a circle"));
        QCOMPARE(label("waitSummary"), QStringLiteral("1 deadlock. 2 known waits."));
        QVERIFY(!label("waitLimits").contains(QStringLiteral("The next read")));
        QVERIFY(!tree().topLevelItem(0)->isExpanded());
    }

    void aResetIsNoSecondRead() {
        readDeadlock();
        m_locks->clear();
        readDeadlock();
        QVERIFY(groups().value(0).startsWith(QStringLiteral("Suspected deadlock 1")));
    }

    void saysThatQueuesMayBeSeenLate() {
        QVERIFY(label("waitLimits").contains(QStringLiteral("keyspace events or polling, queues are seen late")));
    }

    void saysThatItIsOldWhenNotConnected() {
        showDeadlock();
        m_time->follow(reconnecting(m_clock.wallNow()));
        m_locks->refreshAll();
        m_clock.advance(500ms);
        QCOMPARE(label("waitSummary"), QStringLiteral("Old: as last seen. 1 deadlock. 2 known waits."));
    }

    void eachClientHasTheLocksItWaitsFor() {
        show({fair("A", holder(clientA, 1), holder(clientB, 2)), fair("B", holder(clientA, 1), holder(clientB, 3))});
        QCOMPARE(groups(), QStringList{QString::fromLatin1("Client " + clientB)});
        QCOMPARE(linesOf(0).size(), 2);
        QCOMPARE(label("waitSummary"), QStringLiteral("2 known waits, no deadlock among them."));
    }

    void isFoundByAddressAndAlias_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("groups");
        QTest::newRow("nothing typed") << QString() << 2;
        QTest::newRow("its address") << QStringLiteral("10.0.0.7") << 1;
        QTest::newRow("its alias") << QStringLiteral("orders-b") << 2;  // the other client waits for it
        QTest::newRow("its UUID") << QString::fromLatin1(clientB) << 2;
        QTest::newRow("a lock") << QStringLiteral("second-lock") << 1;
        QTest::newRow("nobody") << QStringLiteral("nobody") << 0;
    }
    void isFoundByAddressAndAlias() {
        QFETCH(QString, typed);
        HolderKnowledge knowledge;
        knowledge.aliases.set(ClientId(clientB), QStringLiteral("orders-b"));
        monitor::HolderIdentity identity;
        identity.client = ClientId(clientB);
        identity.basis = monitor::IdentityBasis::Monitor;
        identity.address = "10.0.0.7:53422";
        knowledge.identities.insert(identity.client, identity);
        m_dialog->setKnowledge(knowledge);
        const QByteArray clientC = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10";
        show({fair("first-lock", holder(clientA, 1), holder(clientB, 2)),
              fair("second-lock", holder(clientB, 2), holder(clientC, 1))});
        m_dialog->findChild<QLineEdit*>()->setText(typed);
        QTEST(static_cast<int>(groups().size()), "groups");
    }

    void followsTheLocksAtMostTwiceASecond() {
        showDeadlock();
        m_locks->apply(batchOf({freeRow(m_clock, lockName("A"))}));
        m_clock.advance(499ms);
        QCOMPARE(groups().size(), 3);
        m_clock.advance(1ms);
        QCOMPARE(groups().size(), 1);
        QVERIFY(!m_clock.hasTimers());
    }

    void leavesAloneWhatHasNotChanged() {
        showDeadlock();
        const QTreeWidgetItem* before = tree().topLevelItem(0);
        tree().topLevelItem(0)->setExpanded(false);
        show({heldRow(m_clock, lockName("other"), 5s)});
        QCOMPARE(tree().topLevelItem(0), before);
        QVERIFY(!tree().topLevelItem(0)->isExpanded());
    }

    void keepsTheReadersPlaceWhenOtherThingsChange() {
        m_dialog->resize(400, 300);
        show(waits("L"));
        tree().setCurrentItem(tree().topLevelItem(5)->child(0), 1);
        tree().topLevelItem(2)->setExpanded(false);
        tree().scrollToItem(tree().topLevelItem(4), QAbstractItemView::PositionAtTop);
        show({fair("before", holder(clientA, 1), holder(QByteArray(clientB).replace(0, 2, "00"), 1)),
              freeRow(m_clock, lockName("L9"))});
        QCOMPARE(tree().topLevelItemCount(), 10);
        QCOMPARE(tree().currentItem(), tree().topLevelItem(6)->child(0));
        QCOMPARE(tree().currentColumn(), 1);
        QCOMPARE(tree().itemAt(0, 0), tree().topLevelItem(5));
        for (int i = 0; i < 10; ++i)
            QCOMPARE(tree().topLevelItem(i)->isExpanded(), i != 3);
    }

    void namesInTipsAreNoMarkup() {
        HolderKnowledge knowledge;
        knowledge.aliases.set(ClientId(clientA), QStringLiteral("<b>a</b>"));
        knowledge.aliases.set(ClientId(clientB), QStringLiteral("b & c"));
        m_dialog->setKnowledge(knowledge);
        show({fair("<i>L</i>", holder(clientA, 1), holder(clientB, 2))});
        const QTreeWidgetItem& line = *tree().topLevelItem(0)->child(0);
        QCOMPARE(line.toolTip(0), QString::fromLatin1("<p>b &amp; c (" + clientB + ":2)</p>"));
        QCOMPARE(line.toolTip(1), QStringLiteral("<p>&lt;i&gt;L&lt;/i&gt;</p>"));
        QCOMPARE(line.toolTip(2), QString::fromLatin1("<p>&lt;b&gt;a&lt;/b&gt; (" + clientA + ":1)</p>"));
        auto* filter = m_dialog->findChild<QLineEdit*>();
        filter->setText(QStringLiteral("amp"));
        QVERIFY(groups().isEmpty());
        filter->setText(QString::fromLatin1(clientA + ":1"));
        QCOMPARE(groups().size(), 1);
    }

    void aLineLeadsToItsLock() {
        showDeadlock();
        QSignalSpy chosen(m_dialog.get(), &WaitDialog::lockChosen);
        Q_EMIT tree().itemActivated(tree().topLevelItem(0), 0);
        QVERIFY(chosen.isEmpty());
        Q_EMIT tree().itemActivated(tree().topLevelItem(0)->child(1), 0);
        QCOMPARE(chosen.first().first().value<LockName>(), lockName("B"));
    }
};

LOCKKEEPER_TEST(TestWaitDialog, Gui)

}  // namespace tst_waitdialog

#include "tst_waitdialog.moc"
