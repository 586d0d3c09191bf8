// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/sampledump.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/helptip.h"
#include "ui/base/wrappedtext.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/locks/details/detailpanel.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>
#include <QTreeWidget>

namespace tst_detailpanel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestDetailPanel : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_panel; }
    QString text(const char* field) const { return find<QPlainTextEdit>(field).toPlainText(); }
    QTreeWidget& queue() const { return find<QTreeWidget>("detailQueueTable"); }
    QStringList queued(int place) const {
        QStringList cells;
        for (int column = 0; column < queue().columnCount(); ++column)
            cells << queue().topLevelItem(place)->text(column);
        return cells;
    }
    QString label(const char* name) const { return find<QLabel>(name).text(); }
    QScrollBar& scrollBar() const { return *find<QScrollArea>("detailScroll").verticalScrollBar(); }
    bool isShown(const char* field) const { return find<QWidget>(field).isVisible(); }
    void show(const monitor::LockRow& row) { m_panel->showLock(row, OwnLease::None); }
    // The width that its lines were broken for.
    static qreal widestLine(const QPlainTextEdit& field) {
        qreal widest = 0;
        for (QTextBlock block = field.document()->begin(); block.isValid(); block = block.next()) {
            for (int line = 0; line < block.layout()->lineCount(); ++line)
                widest = std::max(widest, block.layout()->lineAt(line).width());
        }
        return widest;
    }
    monitor::LockRow row(Milliseconds left = 20s) const {
        monitor::LockRow row = heldRow(m_clock, lockName("orders/{42}"), left);
        row.hold.peakTtl = 30s;
        return row;
    }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<DetailPanel> m_panel;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_panel = std::make_unique<DetailPanel>(*m_time, m_clock);
        m_panel->resize(360, 700);
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void saysWhatToDoWhenNothingIsSelected() {
        QVERIFY(isShown("detailNothing"));
        show(row());
        QVERIFY(!isShown("detailNothing"));
        m_panel->showNothing();
        QVERIFY(isShown("detailNothing"));
        QVERIFY(!isShown("detailHolders"));
    }

    // ---- the threads of the holders ----

    void saysWhatTheHoldersThreadDoes() {
        monitor::LockRow known = row();
        show(known);
        QVERIFY(!isShown("detailThreads"));
        known.threads = QList<monitor::ThreadVerdict>{verdictOf(holder(clientA, 33).id, m_clock.wallNow() - 3min)};
        show(known);
        QVERIFY(isShown("detailThreads"));
        const QString shown = text("detailThreads");
        for (const char* part : {"Thread \"report-1\" sleeps, in com.example.Jobs.report (Jobs.java:7).",
                                 "(3 min 00 s ago)", "\n    java.lang.Thread.sleep (Native Method)\n",
                                 "2 frames of the JDK", "\n    com.example.Jobs.report (Jobs.java:7)\n"})
            QVERIFY2(shown.contains(QString::fromUtf8(part)), qPrintable(shown));
    }

    void aHoldLaterThanTheDumpIsNotExplainedByIt() {
        monitor::LockRow known = row();
        known.threads = QList<monitor::ThreadVerdict>{verdictOf(holder(clientA, 33).id, m_clock.wallNow() - 3min,
                                                                monitor::Fate::Lives, monitor::TakenWhen::BeforeHold)};
        show(known);
        const QString shown = text("detailThreads");
        QVERIFY2(shown.contains(QStringLiteral("This hold has begun since the dump, which says nothing about it.")),
                 qPrintable(shown));
        QVERIFY2(!shown.contains(QStringLiteral("Jobs.java")), qPrintable(shown));
    }

    void manyActionsMakeItTallerNotWider() {
        QList<QAction*> actions;
        for (int i = 0; i < 6; ++i) {
            actions << new QAction(QStringLiteral("Do something with it"), m_panel.get());
            actions.last()->setObjectName(QStringLiteral("action%1").arg(i));
        }
        show(row());
        const int width = m_panel->minimumSizeHint().width();
        m_panel->offerActions(actions);
        QCOMPARE(m_panel->minimumSizeHint().width(), width);
        m_panel->resize(360, 701);
        for (const QAction* action : actions) {
            const auto* button =
                m_panel->findChild<QToolButton*>(QStringLiteral("detailButton_") + action->objectName());
            QVERIFY2(button->geometry().right() <= 360, qPrintable(action->objectName()));
        }
    }

    void theKeyStandsBelowTheNameOfTheProgram() {
        show(row());
        QVERIFY(!isShown("detailKey"));
        HolderKnowledge knowledge;
        knowledge.names = ProgramNames({QByteArrayLiteral("ord"), QByteArrayLiteral("}")});
        m_panel->setKnowledge(knowledge);
        QCOMPARE(text("detailName"), QStringLiteral("ers/{42"));
        QVERIFY(isShown("detailKey"));
        QCOMPARE(label("detailKey"), QStringLiteral("Key on the server: orders/{42}"));
    }

    // ---- the header ----

    void theHeaderSaysWhatIsNeeded_data() {
        QTest::addColumn<bool>("held");
        QTest::addColumn<monitor::HoldBegin>("begin");
        QTest::addColumn<QString>("holder");
        QTest::addColumn<QString>("age");
        QTest::addColumn<QString>("ttl");
        const QString id = QString::fromLatin1(clientA + ":33");
        QTest::newRow("held") << true << monitor::HoldBegin::Seen << id << QStringLiteral("Held for 5.0 s")
                              << QStringLiteral("TTL 15 s");
        QTest::newRow("held before") << true << monitor::HoldBegin::NotSeen << id
                                     << QStringLiteral("Held for 5.0 s or longer") << QStringLiteral("TTL 15 s");
        QTest::newRow("free") << false << monitor::HoldBegin::Seen << QStringLiteral("Nobody holds it")
                              << QStringLiteral("Last read %1") << QString();
    }
    void theHeaderSaysWhatIsNeeded() {
        QFETCH(const bool, held);
        QFETCH(const monitor::HoldBegin, begin);
        QFETCH(QString, age);
        monitor::LockRow lock = held ? row() : freeRow(m_clock, lockName("L"));
        lock.hold.begin = begin;
        if (age.contains(u'%'))
            age = age.arg(clockText(lock.lock.seenAtWall, m_clock.wallNow()));
        m_clock.advance(5s);
        m_panel->resize(700, 700);
        show(lock);
        QTEST(label("detailHolder"), "holder");
        QCOMPARE(label("detailAge"), age);
        QTEST(label("detailTtl"), "ttl");
    }

    // Age and TTL have one line, at the width that the details have in a window of 1024 pixels.
    void theHeaderShortensItsTimesInANarrowPanel_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("age");
        QTest::addColumn<QString>("ttl");
        QTest::newRow("narrow") << 240 << QStringLiteral("Held 9 min or longer") << QStringLiteral("TTL 7 min");
        QTest::newRow("wide") << 700 << QStringLiteral("Held for 9 min 05 s or longer")
                              << QStringLiteral("TTL 7 min 05 s");
    }
    void theHeaderShortensItsTimesInANarrowPanel() {
        QFETCH(const int, width);
        monitor::LockRow lock = heldRow(m_clock, lockName("L"), 16min + 10s);
        lock.hold.begin = monitor::HoldBegin::NotSeen;
        m_clock.advance(9min + 5s);
        m_panel->resize(width, 700);
        show(lock);
        QCoreApplication::processEvents();
        QTEST(label("detailAge"), "age");
        QTEST(label("detailTtl"), "ttl");
    }

    // The times are as after a lost connection, at the width that the details have in a window of 1024 pixels.
    void theTimesOfAnOldLockAreNotCut() {
        monitor::LockRow lock = heldRow(m_clock, lockName("L"), 29min + 19s);
        lock.hold.begin = monitor::HoldBegin::NotSeen;
        m_clock.advance(37s);
        m_time->follow(reconnecting(m_clock.wallNow()));
        m_panel->resize(246, 700);
        show(lock);
        QCoreApplication::processEvents();
        QCOMPARE(label("detailAge"), QStringLiteral("Held 37 s or longer"));
        QCOMPARE(label("detailTtl"), QStringLiteral("TTL was 28 min"));
        for (const char* name : {"detailAge", "detailTtl"}) {
            const auto* shown = m_panel->findChild<QLabel*>(QLatin1String(name));
            QVERIFY2(shown->fontMetrics().horizontalAdvance(shown->text()) <= shown->width(), name);
        }
        QCOMPARE(find<QLabel>("detailTtl").toolTip(), helpTip(QStringLiteral("TTL was 28 min 42 s")));
    }

    void anAgeThatDoesNotFitIsElided() {
        monitor::LockRow lock = heldRow(m_clock, lockName("L"), 29min + 19s);
        lock.hold.begin = monitor::HoldBegin::NotSeen;
        m_panel->resize(180, 700);
        show(lock);
        QCoreApplication::processEvents();
        const auto* age = m_panel->findChild<QLabel*>(QStringLiteral("detailAge"));
        QVERIFY2(age->text().endsWith(u'…'), qPrintable(age->text()));
        QVERIFY(age->fontMetrics().horizontalAdvance(age->text()) <= age->width());
        QCOMPARE(age->toolTip(), helpTip(QStringLiteral("Held for 0.0 s or longer")));
    }

    void theHeaderShortensAHolderThatIsTooLong() {
        m_panel->resize(200, 700);
        show(row());
        QCoreApplication::processEvents();
        const auto* holder = m_panel->findChild<QLabel*>(QStringLiteral("detailHolder"));
        QVERIFY2(holder->text().contains(QChar(0x2026)), qPrintable(holder->text()));
        QVERIFY(holder->fontMetrics().horizontalAdvance(holder->text()) <= holder->width());
        QVERIFY(holder->toolTip().contains(QString::fromLatin1(clientA + ":33")));
    }

    void theHeaderNamesTheHolderByItsAlias() {
        HolderKnowledge knowledge;
        knowledge.aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        m_panel->setKnowledge(knowledge);
        show(row());
        QCOMPARE(label("detailHolder"), QStringLiteral("orders-a:33"));
    }

    void theHeaderDoesNotScroll() {
        m_panel->resize(340, 300);
        show(diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock), fixedLease(m_clock)}));
        QCoreApplication::processEvents();
        const auto* header = m_panel->findChild<QWidget*>(QStringLiteral("detailHeader"));
        const QRect before = header->geometry();
        QVERIFY(scrollBar().maximum() > 0);
        scrollBar().setValue(scrollBar().maximum());
        QCOMPARE(header->geometry(), before);
        QCOMPARE(m_panel->childAt(before.center())->window(), m_panel.get());
        QVERIFY(header->isAncestorOf(m_panel->childAt(header->mapTo(m_panel.get(), QPoint(20, 20)))));
    }

    void theHeaderKeepsItsHeightWhileFactsComeAndGo() {
        const auto* header = m_panel->findChild<QWidget*>(QStringLiteral("detailHeader"));
        show(row());
        QCoreApplication::processEvents();
        const int height = header->height();
        for (const monitor::LockRow& next :
             {neverExpiringRow(m_clock, row().lock.name), freeRow(m_clock, row().lock.name), row()}) {
            show(next);
            QCoreApplication::processEvents();
            QCOMPARE(header->height(), height);
        }
    }

    void theHeaderOffersWhatTheWindowCanDo() {
        QAction force(QStringLiteral("&Force-release…"));
        force.setObjectName(QStringLiteral("actionForceRelease"));
        m_panel->offerActions({&force});
        show(row());
        QSignalSpy triggered(&force, &QAction::triggered);
        find<QToolButton>("detailButton_actionForceRelease").click();
        QCOMPARE(triggered.size(), 1);
    }

    // ---- sections ----

    void aSectionStaysWhileTheLockIsShown() {
        monitor::LockRow fair = row();
        fair.lock.kind = monitor::LockKind::Fair;
        fair.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        show(fair);
        QCoreApplication::processEvents();
        QHash<QString, int> places;
        for (const QPlainTextEdit* field : m_panel->findChildren<QPlainTextEdit*>())
            if (field->isVisible())
                places[field->objectName()] = field->y();
        const int top = queue().mapTo(m_panel.get(), QPoint()).y();
        const int height = queue().height();
        show(freeRow(m_clock, fair.lock.name));
        QCoreApplication::processEvents();
        for (const char* field : {"detailHolders", "detailSince", "detailLease", "detailRenewals"}) {
            QVERIFY2(isShown(field), field);
            QCOMPARE(text(field), QStringLiteral("None"));
            QCOMPARE(find<QWidget>(field).y(), places.value(QLatin1String(field)));
        }
        QVERIFY(queue().isVisible());
        QCOMPARE(queue().topLevelItemCount(), 0);
        QCOMPARE(queue().mapTo(m_panel.get(), QPoint()).y(), top);
        QCOMPARE(queue().height(), height);
        show(freeRow(m_clock, lockName("another")));
        QVERIFY(!queue().isVisible());
    }

    void aCardThatComesDoesNotMoveWhatIsRead() {
        m_panel->resize(340, 320);
        show(row());
        QCoreApplication::processEvents();
        const auto* read = m_panel->findChild<QWidget*>(QStringLiteral("detailChannel"));
        scrollBar().setValue(read->y() - 30);
        QVERIFY(scrollBar().value() > 0);
        const int before = read->mapTo(m_panel.get(), QPoint()).y();
        monitor::LockRow worse = row();
        worse.diagnoses = {watchdogStopped(m_clock), fixedLease(m_clock)};
        show(worse);
        QCoreApplication::processEvents();
        QCOMPARE(read->mapTo(m_panel.get(), QPoint()).y(), before);
        show(row());
        QCoreApplication::processEvents();
        QCOMPARE(read->mapTo(m_panel.get(), QPoint()).y(), before);
    }

    // Tests every height, so that the panel's own scroll bar comes and goes while texts are laid out.
    void noTextIsCutAtTheRight() {
        monitor::LockRow held = row();
        held.lock.kind = monitor::LockKind::Fair;
        held.lock.fairQueue = {{holder(clientB, 7).id, std::nullopt}, {holder(clientB, 8).id, std::nullopt}};
        for (int height = 200; height <= 900; height += 50) {
            m_panel->showNothing();
            m_panel->resize(326, height);
            QCoreApplication::processEvents();
            show(held);
            QTRY_VERIFY(find<QPlainTextEdit>("detailKind").isVisible());
            QCoreApplication::processEvents();
            for (const QPlainTextEdit* field : m_panel->findChildren<QPlainTextEdit*>()) {
                if (field->isVisible())
                    QVERIFY2(widestLine(*field) <= field->viewport()->width(), qPrintable(field->objectName()));
            }
        }
    }

    void howLongItIsHeldDoesNotFollowTheWallClock_data() {
        QTest::addColumn<Milliseconds>("jump");
        QTest::newRow("an hour ahead") << Milliseconds(1h);
        QTest::newRow("an hour back") << Milliseconds(-1h);
    }
    void howLongItIsHeldDoesNotFollowTheWallClock() {
        QFETCH(const Milliseconds, jump);
        const monitor::LockRow held = row();
        m_clock.advance(5s);
        m_clock.jumpWall(jump);
        show(held);
        // The date is that of the wall clock at that time.
        QCOMPARE(text("detailSince"),
                 QStringLiteral("%1 (for 5.0 s)").arg(clockText(held.hold.sinceWall, m_clock.wallNow())));
    }

    void showsAllThatIsKnown() {
        monitor::LockRow full = row();
        full.lock.kind = monitor::LockKind::Fenced;
        full.lock.holders = {holder(clientA, 33, 2)};
        full.lock.token = 1718;
        full.lock.waiters = 3;
        full.hold.renewals = 132;
        full.hold.lastRenewal = m_clock.now() - 4s;
        show(full);
        QCOMPARE(text("detailName"), QStringLiteral("orders/{42}"));
        QVERIFY(text("detailHolders").contains(QString::fromLatin1(clientA + ":33")));
        QVERIFY(text("detailHolders").contains(QStringLiteral("exclusive, count 2")));
        QVERIFY(text("detailLease").contains(QStringLiteral("20 s")));
        QCOMPARE(text("detailRenewals"), QStringLiteral("132 renewals, the last 4.0 s ago"));
        QCOMPARE(text("detailToken"), QStringLiteral("1718"));
        QVERIFY(text("detailWaiters").startsWith(QStringLiteral("3 ")));
        QVERIFY(text("detailKind").startsWith(QStringLiteral("Fenced.")));
        QCOMPARE(text("detailChannel"), QStringLiteral("redisson_lock__channel:orders/{42}"));
    }

    void eachClientHasItsMark() {
        ClientColors colors;
        m_panel->setClientColors(colors);
        monitor::LockRow shared = row();
        shared.lock.kind = monitor::LockKind::ReadWrite;
        shared.lock.holders = {holder(clientA, 1, 1, monitor::HoldMode::Read),
                               holder(clientB, 2, 1, monitor::HoldMode::Read)};
        colors.note(shared.lock);
        show(shared);
        auto* holders =
            qobject_cast<WrappedText*>(m_panel->findChild<QPlainTextEdit*>(QStringLiteral("detailHolders")));
        QCOMPARE(holders->marks(), (QList<int>{colors.of(ClientId(clientA)), -1, colors.of(ClientId(clientB)), -1}));
        const QColor mark = clientColor(holders->palette(), colors.of(ClientId(clientA)));
        const QImage image = holders->grab().toImage();
        QCOMPARE(image.pixelColor(7, holders->fontMetrics().lineSpacing() / 2), mark);
        monitor::LockRow free = row();
        free.lock.holders.clear();
        show(free);
        QVERIFY(holders->marks().isEmpty());
    }

    void showsAFairQueueInItsOrder() {
        monitor::LockRow fair = row();
        fair.lock.kind = monitor::LockKind::Fair;
        fair.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt},
                               {holder(clientA, 2).id, m_clock.wallNow() + 300s}};
        show(fair);
        const WallTime now = m_clock.wallNow();
        monitor::Waits waits;
        waits.present = {{1, std::nullopt, now - 60s, fair.lock.fairQueue[0].id},
                         {1, now - 5s, now - 5s, fair.lock.fairQueue[1].id}};
        fair.waits = waits;
        show(fair);
        const QString first = clockText(now - 60s, now);
        const QString second = clockText(now - 5s, now);
        QCOMPARE(queued(0), (QStringList{QStringLiteral("1"), QString::fromLatin1(clientB.first(8) + ":1"),
                                         QStringLiteral("≤ ") + first, QStringLiteral("not known"), QString()}));
        QCOMPARE(queued(1), (QStringList{QStringLiteral("2"), QString::fromLatin1(clientA.first(8) + ":2"), second,
                                         clockText(now + 300s, now), QString()}));
        QVERIFY(queue().topLevelItem(0)->toolTip(1).contains(QString::fromLatin1(clientB + ":1")));
        fair.lock.fairQueue[0].hasNoDeadline = true;
        show(fair);
        QCOMPARE(queued(0).at(3), QStringLiteral("no end"));
        QVERIFY(text("detailChannel").endsWith(QString::fromLatin1(":" + clientB + ":1")));
    }

    // A reader who finds out here that a waiter is dead can have it removed from here.
    void offersToRemoveADeadWaiter() {
        monitor::LockRow fair = row();
        fair.lock.kind = monitor::LockKind::Fair;
        fair.lock.fairQueue = {{holder(clientB, 1).id, m_clock.wallNow() + 300s},
                               {holder(clientA, 2).id, m_clock.wallNow() + 600s},
                               {holder(clientA, 3).id, m_clock.wallNow() + 900s}};
        show(fair);
        auto& remove = find<QToolButton>("detailRemoveWaiter");
        QVERIFY(!remove.isVisible());
        fair.queueFacts = deadOf({fair.lock.fairQueue[1], fair.lock.fairQueue[2]});
        show(fair);
        QVERIFY(remove.isVisible() && remove.isEnabled());
        QVERIFY(text("detailWaiters").contains(QStringLiteral("a release wakes the head")));
        QVERIFY2(remove.text().contains(QStringLiteral("waiter 2")), qPrintable(remove.text()));
        QCOMPARE(queued(0).last(), QString());
        QCOMPARE(queued(1).last(), QStringLiteral("yes"));
        QSignalSpy wanted(m_panel.get(), &DetailPanel::removalWanted);
        remove.click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().at(0).value<LockName>(), fair.lock.name);
        QCOMPARE(wanted.first().at(1).value<HolderId>(), fair.lock.fairQueue[1].id);
        queue().setCurrentItem(queue().topLevelItem(2));
        QVERIFY2(remove.text().contains(QStringLiteral("waiter 3")), qPrintable(remove.text()));
        queue().setCurrentItem(queue().topLevelItem(0));
        QVERIFY(!remove.isEnabled());
        // The line that was chosen stays chosen, wherever it is now.
        queue().setCurrentItem(queue().topLevelItem(2));
        fair.lock.fairQueue.removeFirst();
        show(fair);
        QCOMPARE(queue().indexOfTopLevelItem(queue().currentItem()), 1);
    }

    void saysSinceWhenClientsWaitAndHowLongItTook() {
        monitor::LockRow waited = row();
        const WallTime now = m_clock.wallNow();
        show(waited);
        QVERIFY(!isShown("detailWaits"));
        monitor::Waits waits;
        waits.present = {{1, now - 302s, now - 300s, {}}, {2, now - 100s, now - 20s, {}}};
        waits.past = monitor::WaitTimes{3, std::nullopt, std::nullopt, {4s, 6s}, 12s, 7s};
        waited.waits = waits;
        waited.lock.waiters = 3;
        show(waited);
        QCOMPARE(text("detailWaiters").section(u'\n', 1, 1),
                 QStringLiteral("1 since %1, 2 since %2 or later")
                     .arg(clockText(now - 300s, now), clockText(now - 100s, now)));
        QVERIFY(text("detailWaiters").endsWith(QStringLiteral("nor which of them got in.")));
        QCOMPARE(
            text("detailWaits"),
            QStringLiteral("The longest 4 s to 6 s, of the last 3 waits that were seen from begin to end\n"
                           "In 12 s of waiting the lock was free for 7 s: nobody woke the waiter, or a dead waiter "
                           "was before it in the queue"));
    }

    // As clients of Redisson before 3.52 with a NameMapper wait.
    void showsTheQueueUnderTheUnmappedName_data() {
        QTest::addColumn<bool>("hasOwn");
        QTest::newRow("alone") << false;
        QTest::newRow("besides the queue under its own name") << true;
    }
    void showsTheQueueUnderTheUnmappedName() {
        QFETCH(bool, hasOwn);
        monitor::LockRow fair = row();
        fair.lock.kind = monitor::LockKind::Fair;
        if (hasOwn)
            fair.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        monitor::QueueFacts facts;
        facts.unmapped = std::make_shared<const monitor::UnmappedQueue>(
            monitor::UnmappedQueue{lockName("42"), {{holder(clientA, 2).id, std::nullopt}}});
        fair.queueFacts = facts;
        show(fair);
        const QString text = this->text("detailQueue");
        const QString other =
            QStringLiteral("in a queue under the name 42:\n1. ") + QString::fromLatin1(clientA + ":2");
        QCOMPARE(queue().topLevelItemCount(), hasOwn ? 1 : 0);
        QVERIFY2(text.contains(other), qPrintable(text));
    }
    void aQueueNamesTheLockThatItBelongsTo() {
        monitor::LockRow queue = freeRow(m_clock, lockName("42"));
        queue.lock.fairQueue = {{holder(clientA, 2).id, std::nullopt}};
        monitor::QueueFacts facts;
        facts.queueOf = lockName("app:42");
        queue.queueFacts = facts;
        show(queue);
        QVERIFY2(text("detailQueue").startsWith(QStringLiteral("These clients wait for the lock app:42.")),
                 qPrintable(text("detailQueue")));
        QCOMPARE(queued(0).at(3), QStringLiteral("not known"));
    }

    void whoIsQueuedIsNoListenerForTheRelease() {
        monitor::LockRow fair = row();
        fair.lock.kind = monitor::LockKind::Fair;
        fair.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        fair.lock.waiters = 12;  // the read returned only the first ones
        show(fair);
        QCOMPARE(text("detailWaiters"), QStringLiteral("12 queued; a release wakes the head of the queue"));
    }

    void aReleaseDoesNotWakeADeadHead() {
        monitor::LockRow fair = row();
        fair.lock.kind = monitor::LockKind::Fair;
        fair.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        fair.queueFacts = deadOf(fair.lock.fairQueue);
        show(fair);
        QCOMPARE(text("detailWaiters"),
                 QStringLiteral("1 queued; the head of the queue is dead, so a release wakes nobody"));
    }

    void showsEachReaderWithItsLeases() {
        monitor::LockRow shared = row();
        shared.lock.kind = monitor::LockKind::ReadWrite;
        shared.lock.holders = {holder(clientA, 1, 2, monitor::HoldMode::Read),
                               holder(clientA, 1, 1, monitor::HoldMode::Write)};
        auto parts = std::make_shared<monitor::LockParts>();
        const SteadyTime end = shared.lock.seenAt + 12s;
        parts->readLeases = {{shared.lock.holders[0].id, 1, monitor::Expiry{end, end}},
                             {shared.lock.holders[0].id, 2, std::nullopt}};
        shared.lock.parts = parts;
        show(shared);
        const QString expected = clockText(shared.lock.seenAtWall + 12s, m_clock.wallNow());
        QVERIFY2(text("detailHolders")
                     .contains(QStringLiteral("read, count 2, the writer itself; by its own leases until %1, never")
                                   .arg(expected)),
                 qPrintable(text("detailHolders")));
    }

    void ofVeryManyReadersItSaysHowManyWereNotRead() {
        monitor::LockRow shared = row();
        shared.lock.kind = monitor::LockKind::ReadWrite;
        shared.lock.holders = {holder(clientA, 1, 1, monitor::HoldMode::Read)};
        auto parts = std::make_shared<monitor::LockParts>();
        parts->moreHolders = 499;
        shared.lock.parts = parts;
        show(shared);
        QVERIFY2(text("detailHolders").startsWith(QStringLiteral("500 readers, too many to read them all\n")),
                 qPrintable(text("detailHolders")));
        QVERIFY2(text("detailHolders").endsWith(QStringLiteral("\nand 499 more")), qPrintable(text("detailHolders")));
    }

    void showsTheValuesOfAFasterMultiLock() {
        monitor::LockRow multi = row();
        QVERIFY(!isShown("detailValues"));
        multi.lock.kind = monitor::LockKind::FasterMulti;
        auto parts = std::make_shared<monitor::LockParts>();
        parts->values = {{"h1", multi.lock.holders.first().id, 2, std::nullopt}};
        multi.lock.parts = parts;
        show(multi);
        QVERIFY2(text("detailValues").startsWith(QStringLiteral("h1\n  ")), qPrintable(text("detailValues")));
        QVERIFY(text("detailValues").endsWith(QStringLiteral("count 2, end not known")));
        QVERIFY(text("detailKind").startsWith(QStringLiteral("Faster multi.")));
    }

    void saysWhatOfTheThroughputIsASample() {
        monitor::LockRow busy = row();
        show(busy);
        QVERIFY(!isShown("detailThroughput"));
        monitor::Throughput throughput;
        throughput.until = m_clock.wallNow();
        throughput.window = 10s;
        throughput.releases = 49'800;
        throughput.acquisitions = 49'801;
        throughput.reads = 150;
        throughput.heldShare = monitor::Throughput::Share{0.402, 0.56};
        throughput.holds = 128;
        throughput.median = 0ms;
        throughput.ninetyNinth = 3ms;
        busy.throughput = throughput;
        show(busy);
        QCOMPARE(
            text("detailThroughput"),
            QStringLiteral("Releases a second, counted by their messages: 4,980; as many acquisitions\n"
                           "Held 40 to 56 % of the time, by a sample of 150 reads\n"
                           "Half of the holds take less than 1 ms, and 99 % less than 4 ms, by a sample of 128 holds\n"
                           "In the 10 s up to %1")
                .arg(clockText(throughput.until, m_clock.wallNow())));
    }

    // "0 holds seen" stood beside a lane full of holds.
    void saysNothingOfWhatTooFewReadsShow() {
        monitor::LockRow busy = row();
        monitor::Throughput throughput;
        throughput.until = m_clock.wallNow();
        throughput.window = 10s;
        throughput.releases = 50;
        throughput.acquisitions = 50;
        throughput.reads = 10;
        busy.throughput = throughput;
        show(busy);
        QCOMPARE(text("detailThroughput"),
                 QStringLiteral("Releases a second, counted by their messages: 5.0; as many acquisitions\n"
                                "In the 10 s up to %1")
                     .arg(clockText(throughput.until, m_clock.wallNow())));
    }

    void listsTheFirstOfAThousandReaders() {
        monitor::LockRow readers = row();
        readers.lock.holders.clear();
        for (int i = 0; i < 1000; ++i)
            readers.lock.holders << holder(clientA, i, 1, monitor::HoldMode::Read);
        show(readers);
        QVERIFY(text("detailHolders").endsWith(QStringLiteral("and 900 more")));
    }

    void saysAtLeastSince() {
        monitor::LockRow old = row();
        old.hold.begin = monitor::HoldBegin::NotSeen;
        show(old);
        QVERIFY(text("detailSince").startsWith(QStringLiteral("At least since ")));
    }

    void concludesNoMoreThanWasSeen_data() {
        QTest::addColumn<monitor::LockRow>("lock");
        QTest::addColumn<QString>("conclusion");
        QTest::newRow("no renewal yet") << row(29s) << QStringLiteral("proves nothing so far");
        QTest::newRow("a third run off without a renewal") << row(10s) << QStringLiteral("The keys do not show which");
        monitor::LockRow renewed = row(25s);
        renewed.hold.renewals = 3;
        renewed.hold.lastRenewal = m_clock.now() - 5s;
        QTest::newRow("renewed") << renewed << QStringLiteral("the holder's client was alive 5.0 s ago");
        // Before Redisson 4.4 each client renews the leases of all readers.
        monitor::LockRow reader = renewed;
        reader.lock.kind = monitor::LockKind::ReadWrite;
        reader.lock.holders[0].mode = monitor::HoldMode::Read;
        QTest::newRow("a reader") << reader << QStringLiteral("This proves nothing about a certain reader");
        reader.lock.holders += holder(clientB, 2, 1, monitor::HoldMode::Read);
        QTest::newRow("several readers") << reader << QStringLiteral("dead ones, too");
        monitor::LockRow other = renewed;
        auto parts = std::make_shared<monitor::LockParts>();
        parts->otherProgram = {{"svc:1", "1"}};
        other.lock.kind = monitor::LockKind::Unknown;
        other.lock.parts = parts;
        QTest::newRow("another program") << other << QStringLiteral("Its TTL went up 5.0 s ago");
        QTest::newRow("free") << freeRow(m_clock, lockName("L")) << QStringLiteral("It was free when it was last read");
        monitor::LockRow asleep = freeRow(m_clock, lockName("L"));
        asleep.lock.waiters = 2;
        QTest::newRow("free, with listeners") << asleep << QStringLiteral("clients still wait for it");
        monitor::LockRow queue = freeRow(m_clock, lockName("L"));
        queue.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        queue.lock.waiters = 1;
        QTest::newRow("free, with a queue") << queue << QStringLiteral("only the head of the queue may take it");
    }
    void concludesNoMoreThanWasSeen() {
        QFETCH(monitor::LockRow, lock);
        QFETCH(QString, conclusion);
        show(lock);
        QVERIFY2(text("detailConclusions").contains(conclusion), qPrintable(text("detailConclusions")));
    }

    void saysWhatThisConsoleKnowsOfItsOwnLease_data() {
        QTest::addColumn<int>("own");
        QTest::addColumn<QString>("conclusion");
        QTest::newRow("renewed") << int(OwnLease::Renewed) << QStringLiteral("This console holds it, and renews");
        QTest::newRow("fixed") << int(OwnLease::Fixed) << QStringLiteral("with a fixed lease: nothing renews it");
        QTest::newRow("quarantine") << int(OwnLease::Quarantine) << QStringLiteral("in quarantine: nothing renews it");
    }
    void saysWhatThisConsoleKnowsOfItsOwnLease() {
        QFETCH(const int, own);
        QFETCH(const QString, conclusion);
        m_panel->showLock(row(10s), static_cast<OwnLease>(own));
        QVERIFY2(text("detailConclusions").contains(conclusion), qPrintable(text("detailConclusions")));
        QVERIFY(!text("detailConclusions").contains(QStringLiteral("The keys do not show which")));
    }

    void namesTheObjectWhoseLockRedissonTakes() {
        monitor::LockRow queue = row();
        queue.lock.name = lockName("redisson_sortedset_lock:{INBOUND}");
        show(queue);
        QVERIFY2(text("detailKind").contains(QStringLiteral("priority queue or sorted set INBOUND")),
                 qPrintable(text("detailKind")));
    }

    // A reader that released, a leased reentry or a watchdog that is slightly late have the same symptom.
    void aLeaseThatRunsOffIsLeftToTheDiagnoses_data() {
        QTest::addColumn<monitor::LockRow>("lock");
        QTest::addColumn<bool>("saysNotRenewed");
        QTest::newRow("one holder") << row(1s) << true;
        monitor::LockRow readers = row(1s);
        readers.lock.holders = {holder(clientA, 1, 1, monitor::HoldMode::Read),
                                holder(clientB, 2, 1, monitor::HoldMode::Read)};
        QTest::newRow("several") << readers << false;
        monitor::LockRow diagnosed = row(1s);
        diagnosed.diagnoses = {fixedLease(m_clock)};
        QTest::newRow("with a card that says more") << diagnosed << false;
    }
    void aLeaseThatRunsOffIsLeftToTheDiagnoses() {
        QFETCH(monitor::LockRow, lock);
        show(lock);
        const QString said = text("detailConclusions");
        QTEST(said.startsWith(QStringLiteral("No renewal seen yet in this hold.")), "saysNotRenewed");
        QVERIFY2(!said.contains(QStringLiteral("third of its TTL")), qPrintable(said));
    }

    void givesEachDiagnosisACard() {
        show(diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock), fixedLease(m_clock)}));
        QVERIFY(isShown("diagnosisCards"));
        const QList<QLabel*> titles = m_panel->findChildren<QLabel*>(QStringLiteral("diagnosisTitle"));
        QCOMPARE(titles.size(), 2);
        QCOMPARE(titles[0]->text(), QStringLiteral("Watchdog stopped (likely)"));
        QCOMPARE(titles[1]->text(), QStringLiteral("Fixed lease (likely)"));
        QVERIFY2(text("diagnosisEvidence").startsWith(QStringLiteral("Renewed 7 times to 30 s")),
                 qPrintable(text("diagnosisEvidence")));
        QVERIFY(text("diagnosisAdvice").contains(QStringLiteral("Check whether the holder's process is alive")));
        const QLabel* issues = m_panel->findChild<QLabel*>(QStringLiteral("diagnosisIssues"));
        QVERIFY(issues->openExternalLinks());
        QVERIFY(issues->text().contains(QStringLiteral("https://github.com/redisson/redisson/issues/5698")));
    }

    void eachCardOffersItsRemedy_data() {
        QTest::addColumn<monitor::LockRow>("lock");
        QTest::addColumn<QString>("button");
        QTest::addColumn<Remedy>("remedy");
        const auto row = [](const char* name, const monitor::LockRow& lock, const char* button, Remedy remedy) {
            QTest::newRow(name) << lock << QString::fromUtf8(button) << remedy;
        };
        row("who is it", diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)}), "Find out who…",
            Remedy::FindOutWho);
        monitor::LockRow endless = neverExpiringRow(m_clock, lockName("L"));
        endless.diagnoses = {{monitor::Certainty::Certain, monitor::NeverExpires()}};
        row("a TTL", endless, "Set a TTL…", Remedy::SetTtl);
        monitor::LockRow blocked = freeRow(m_clock, lockName("L"));
        blocked.lock.fairQueue = {monitor::FairWaiter{holder(clientA, 7).id, std::nullopt}};
        blocked.setQueueFacts({nullptr, std::nullopt, blocked.lock.fairQueue});
        blocked.diagnoses = {{monitor::Certainty::Certain,
                              monitor::FairQueueBlocked{blocked.lock.fairQueue[0].id, {}, m_clock.wallNow(), 1}}};
        row("a dead waiter", blocked, "Remove the dead waiter…", Remedy::RemoveWaiter);
    }
    void eachCardOffersItsRemedy() {
        QFETCH(const monitor::LockRow, lock);
        QFETCH(const Remedy, remedy);
        const QSignalSpy wanted(m_panel.get(), &DetailPanel::remedyWanted);
        show(lock);
        auto& button = find<QPushButton>("diagnosisRemedy");
        QTEST(button.text(), "button");
        button.click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().at(0).value<Remedy>(), remedy);
        QCOMPARE(wanted.first().at(1).value<LockName>(), lock.lock.name);
    }

    // The dialog would not offer it.
    void aWaiterThatIsNotProvenDeadIsNotOfferedForRemoval() {
        monitor::LockRow blocked = freeRow(m_clock, lockName("L"));
        blocked.lock.fairQueue = {monitor::FairWaiter{holder(clientA, 7).id, std::nullopt}};
        blocked.diagnoses = {{monitor::Certainty::Likely,
                              monitor::FairQueueBlocked{blocked.lock.fairQueue[0].id, {}, m_clock.wallNow(), 1}}};
        show(blocked);
        QVERIFY(isShown("diagnosisCards"));
        QVERIFY(!m_panel->findChild<QPushButton*>(QStringLiteral("diagnosisRemedy")));
    }

    void callsAClientInTheEvidenceByItsAlias() {
        const monitor::Diagnosis ranOut{monitor::Certainty::Certain,
                                        monitor::LeaseRanOut{holder(clientA, 33).id, 30s, {}, {}}};
        show(diagnosedRow(m_clock, lockName("L"), {ranOut}));
        const QString byId = text("diagnosisEvidence");
        QVERIFY2(byId.startsWith(holder(clientA, 33).id.display()), qPrintable(byId));
        HolderKnowledge knowledge;
        knowledge.aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        m_panel->setKnowledge(knowledge);
        QCOMPARE(text("diagnosisEvidence"),
                 QStringLiteral("orders-a (%1)").arg(holder(clientA, 33).id.display()) + byId.mid(byId.indexOf(u' ')));
    }

    void leavesACardAloneWhileItsDiagnosisStays() {
        const monitor::LockRow diagnosed = diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)});
        show(diagnosed);
        const QPointer<QLabel> title = m_panel->findChild<QLabel*>(QStringLiteral("diagnosisTitle"));
        m_clock.advance(1s);
        show(diagnosed);
        QVERIFY(title);
        monitor::LockRow other = row();
        other.lock.name = lockName("another");
        show(other);
        QVERIFY(!title);
        QVERIFY(!isShown("diagnosisCards"));
    }

    void aCardWhoseDiagnosisHasEndedStaysInItsPlace() {
        const LockName name = lockName("L");
        show(diagnosedRow(m_clock, name, {watchdogStopped(m_clock), fixedLease(m_clock)}));
        const auto below = [this] {
            const QWidget* section = m_panel->findChild<QWidget*>(QStringLiteral("detailConclusions"));
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            return section->mapTo(m_panel.get(), QPoint()).y();
        };
        const int before = below();
        show(diagnosedRow(m_clock, name, {fixedLease(m_clock)}));
        QCOMPARE(below(), before);
        const auto titles = [this] { return m_panel->findChildren<QLabel*>(QStringLiteral("diagnosisTitle")); };
        QCOMPARE(titles().size(), 2);
        QCOMPARE(titles()[0]->text(), QStringLiteral("Watchdog stopped (no longer)"));
        QVERIFY(!titles()[0]->isEnabled());
        QVERIFY(titles()[1]->isEnabled());
        show(diagnosedRow(m_clock, name, {watchdogStopped(m_clock)}));
        QCOMPARE(titles()[0]->text(), QStringLiteral("Watchdog stopped (likely)"));
        QCOMPARE(titles()[1]->text(), QStringLiteral("Fixed lease (no longer)"));
        QVERIFY(titles()[0]->isEnabled() && !titles()[1]->isEnabled());
    }

    void countsDownWhileItIsSeen() {
        show(row());
        m_clock.advance(5s);
        QVERIFY2(text("detailLease").contains(QStringLiteral("15 s")), qPrintable(text("detailLease")));
    }

    void isIdleWhenNothingRuns_data() {
        QTest::addColumn<monitor::LockRow>("lock");
        QTest::addColumn<bool>("live");
        QTest::addColumn<bool>("idle");
        QTest::newRow("a running lease") << row() << true << false;
        QTest::newRow("never expires") << neverExpiringRow(m_clock, lockName("L")) << true << true;
        QTest::newRow("free") << freeRow(m_clock, lockName("L")) << true << true;
        QTest::newRow("not connected") << row() << false << true;
    }
    void isIdleWhenNothingRuns() {
        QFETCH(monitor::LockRow, lock);
        QFETCH(bool, live);
        if (!live)
            m_time->follow(reconnecting(m_clock.wallNow()));
        show(lock);
        QTEST(!m_clock.hasTimers(), "idle");
    }

    void isIdleOnceItIsHidden() {
        show(row());
        m_panel->hide();
        m_clock.advance(1s);
        QVERIFY(!m_clock.hasTimers());
        m_panel->show();
        QVERIFY(m_clock.hasTimers());
    }

    void standsStillAndSaysSoWhenNotConnected() {
        show(row());
        m_time->follow(reconnecting(m_clock.wallNow()));
        show(row());
        m_clock.advance(60s);
        show(row(20s + 60s));
        QVERIFY(text("detailConclusions").startsWith(QStringLiteral("Old: not connected")));
        QVERIFY(find<QLabel>("detailState").text().contains(QStringLiteral("old")));
    }

    void copiesTheName() {
        show(row());
        find<QToolButton>("detailCopyName").click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("orders/{42}"));
    }
};

LOCKKEEPER_TEST(TestDetailPanel, Gui)

}  // namespace tst_detailpanel

#include "tst_detailpanel.moc"
