// SPDX-License-Identifier: Apache-2.0
#include "support/eventcounter.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/sparkline.h"
#include "ui/locks/clients/clientnames.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/overview/overviewpanel.h"
#include "ui/session/sessionpage.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QTest>
#include <QTreeWidget>

namespace tst_overviewpanel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The overview of a session in the real window.
class TestOverviewPanel : public WindowTest {
    Q_OBJECT

private:
    Sparkline& line(Figure figure) const {
        return find<Sparkline>(qPrintable(QStringLiteral("sparkline_%1").arg(static_cast<int>(figure))));
    }
    QStringList values() const {
        QStringList values;
        for (const Figure figure : {Figure::Held, Figure::Contended, Figure::Waiters, Figure::HandOvers, Figure::Reads})
            values << line(figure).value();
        return values;
    }
    QTreeWidget& list(const char* name) const { return find<QTreeWidget>(name); }
    QStringList rows(const char* name) const {
        QStringList rows;
        for (int i = 0; i < list(name).topLevelItemCount(); ++i)
            rows << list(name).topLevelItem(i)->text(0) + u' ' + list(name).topLevelItem(i)->text(1);
        return rows;
    }
    void click(const char* name, int row) const {
        QTreeWidget& clicked = list(name);
        const QRect place = clicked.visualItemRect(clicked.topLevelItem(row));
        QTest::mouseClick(clicked.viewport(), Qt::LeftButton, {}, place.center());
    }
    void toggle() const { find<QDockWidget>("overviewDock").toggleViewAction()->trigger(); }
    // Long enough for a sample and a painting.
    void wait() { m_clock.advance(3s); }
    void report(const std::vector<monitor::LockRow>& rows, const std::vector<monitor::LockRow>& acquired = {}) {
        monitor::MonitorBatch batch = batchOf(rows);
        for (const monitor::LockRow& row : acquired)
            batch.events.push_back(eventOf(m_clock, monitor::EventType::Acquired, row));
        m_engine->report(batch);
    }
    monitor::LockRow awaitedRow(const char* name, qint64 waiters) const {
        monitor::LockRow row = heldRow(m_clock, lockName(name), 12s);
        row.lock.waiters = waiters;
        return row;
    }
    monitor::LockRow busyRow(const char* name, quint64 acquisitions) const {
        monitor::LockRow row = heldRow(m_clock, lockName(name), 12s);
        monitor::Throughput throughput;
        throughput.window = 1s;
        throughput.acquisitions = acquisitions;
        row.throughput = throughput;
        return row;
    }

private Q_SLOTS:
    void init() { beginConnected(); }
    void cleanup() { end(); }

    void countsTheLocksOfTheTable() {
        toggle();
        monitor::MonitorBatch batch = batchOf({awaitedRow("a", 3), awaitedRow("b", 2),
                                               heldRow(m_clock, lockName("c"), 12s), freeRow(m_clock, lockName("d"))});
        batch.stats = monitor::MonitorStats();
        batch.stats->readsPerSecond = 2.4;
        m_engine->report(batch);
        wait();
        QCOMPARE(values(), (QStringList{"3", "2", "5", "0", "2.4"}));
    }

    void handOversAreEventsAndThroughput() {
        toggle();
        wait();
        const monitor::LockRow quiet = heldRow(m_clock, lockName("quiet"), 12s);
        const monitor::LockRow busy = busyRow("busy", 40);
        m_clock.advance(2s);
        report({quiet, busy}, {quiet, quiet, busy});
        wait();
        // Hand-overs of the busy lock are counted by its throughput alone.
        QCOMPARE(rows("busiestLocks").first().section(u' ', 0, 0), QStringLiteral("busy"));
        QCOMPARE(rows("busiestLocks").last(), QStringLiteral("quiet 2"));
    }

    void theLocksMostWaitedForComeFirst() {
        toggle();
        report({awaitedRow("a", 3), awaitedRow("b", 7), awaitedRow("c", 3)});
        wait();
        QCOMPARE(rows("awaitedLocks"), (QStringList{"b 7", "a 3", "c 3"}));
    }

    void theLocksWithTheLongestWaitsComeFirst() {
        toggle();
        const auto waited = [this](const char* name, Milliseconds longest) {
            monitor::LockRow row = heldRow(m_clock, lockName(name), 12s);
            monitor::Waits waits;
            waits.past = monitor::WaitTimes{1, std::nullopt, std::nullopt, {longest, longest}, longest, 0ms};
            row.waits = waits;
            return row;
        };
        report({waited("a", 3s), waited("b", 75s), heldRow(m_clock, lockName("c"), 12s)});
        wait();
        QCOMPARE(rows("longestWaits"), (QStringList{"b 1 min 15 s", "a 3 s"}));
    }

    void clientsAreCountedByWhatTheyHold() {
        toggle();
        monitor::LockRow shared = heldRow(m_clock, lockName("rw"), 12s, holder(clientB, 1));
        shared.lock.holders.append(holder(clientB, 2));
        report({heldRow(m_clock, lockName("a"), 12s), heldRow(m_clock, lockName("b"), 12s), shared});
        wait();
        QCOMPARE(rows("topClients"),
                 (QStringList{QString::fromLatin1(clientA) + " 2", QString::fromLatin1(clientB) + " 1"}));
    }

    void aClientIsShownByItsAliasAndColour() {
        toggle();
        m_window->findChild<ClientNames*>()->set(ClientId(clientA), QStringLiteral("orders-a"));
        report({heldRow(m_clock, lockName("a"), 12s)});
        wait();
        QCOMPARE(rows("topClients"), QStringList{"orders-a 1"});
        QVERIFY(!list("topClients").topLevelItem(0)->icon(0).isNull());
        QVERIFY(list("topClients").topLevelItem(0)->toolTip(0).contains(QString::fromLatin1(clientA)));
    }

    // At the side of the window there is no room for the lists beside the figures.
    void inAHighPlaceTheListsAreBelow() {
        auto& dock = find<QDockWidget>("overviewDock");
        toggle();
        dock.setFloating(true);
        const auto bottomOfLines = [this] {
            return line(Figure::Reads).mapToGlobal(QPoint(0, line(Figure::Reads).height())).y();
        };
        const auto topOfLists = [this] { return list("topClients").parentWidget()->mapToGlobal(QPoint()).y(); };
        dock.resize(400, 900);
        QTRY_VERIFY(topOfLists() >= bottomOfLines());
        dock.resize(1200, 300);
        QTRY_VERIFY(topOfLists() < bottomOfLines());
    }

    void aClickOnALockSelectsIt() {
        toggle();
        report({awaitedRow("a", 3), awaitedRow("b", 7)});
        wait();
        click("awaitedLocks", 1);
        QCOMPARE(m_window->currentPage().locksPage().table().currentLock(), std::optional(lockName("a")));
    }

    void aClickOnAClientShowsItsLocks() {
        toggle();
        report({heldRow(m_clock, lockName("a"), 12s), heldRow(m_clock, lockName("b"), 12s, holder(clientB, 1))});
        wait();
        click("topClients", 1);
        QCOMPARE(find<QLineEdit>("lockFilter").text(), QStringLiteral("holder:") + QString::fromLatin1(clientB));
    }

    // More locks than are counted in one turn of the loop; the connection may be lost between two turns.
    void manyLocksAreCountedInSeveralTurns() {
        toggle();
        std::vector<monitor::LockRow> rows{awaitedRow("a", 3)};
        for (int i = 0; i < 25'000; ++i)
            rows.push_back(freeRow(m_clock, LockName("many:" + QByteArray::number(i))));
        report(rows);
        wait();
        QCOMPARE(values().first(3), (QStringList{"1", "1", "3"}));
        QCOMPARE(this->rows("awaitedLocks"), QStringList{"a 3"});
        QCOMPARE(this->rows("topClients"), QStringList{QString::fromLatin1(clientA) + " 1"});
    }

    void theClientsThatHoldMostAreFoundAmongMany() {
        toggle();
        std::vector<monitor::LockRow> rows{heldRow(m_clock, lockName("a"), 12s, holder(clientB, 1))};
        for (int i = 0; i < 15'000; ++i) {
            const QByteArray client = QByteArray::number(i).rightJustified(8, '0') + "-ceea-467f-a5d1-09c4ed2b1c33";
            rows.push_back(heldRow(m_clock, LockName("many:" + QByteArray::number(i)), 12s, holder(client, 1)));
        }
        rows.push_back(heldRow(m_clock, lockName("b"), 12s, holder(clientB, 1)));
        report(rows);
        wait();
        QCOMPARE(values().first(), QStringLiteral("15,002"));
        QCOMPARE(list("topClients").topLevelItemCount(), 10);
        QCOMPARE(this->rows("topClients").first(), QString::fromLatin1(clientB) + " 2");
        QCOMPARE(this->rows("topClients").last(), QStringLiteral("00000008-ceea-467f-a5d1-09c4ed2b1c33 1"));
    }

    void aCountThatTheLossOfTheConnectionInterruptsIsNoSample() {
        report({heldRow(m_clock, lockName("a"), 12s)});
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 25'000; ++i)
            rows.push_back(heldRow(m_clock, LockName("many:" + QByteArray::number(i)), 12s));
        m_clock.advance(2s);
        report(rows);
        m_engine->report(reconnecting(m_clock.wallNow()));
        wait();
        toggle();
        QCOMPARE(line(Figure::Held).value(), QStringLiteral("1"));
    }

    // As in a recording that is moved to a time without a connection.
    void aTableThatIsNotLiveIsListed() {
        toggle();
        m_engine->report(reconnecting(m_clock.wallNow()));
        monitor::MonitorBatch batch = batchOf({awaitedRow("a", 3)});
        batch.reset = true;
        m_engine->report(batch);
        QCOMPARE(rows("awaitedLocks"), QStringList{"a 3"});
        report({awaitedRow("b", 7)});
        QCOMPARE(rows("awaitedLocks"), (QStringList{"b 7", "a 3"}));
    }

    // The lists follow before the next sample.
    void theListsFollowTheTable() {
        toggle();
        wait();
        report({awaitedRow("a", 3)});
        m_clock.advance(1s);
        QCOMPARE(rows("awaitedLocks"), QStringList{"a 3"});
        report({awaitedRow("b", 7)});
        m_clock.advance(1s);
        QCOMPARE(rows("awaitedLocks"), (QStringList{"b 7", "a 3"}));
    }

    void withoutAnythingTheListsSaySo() {
        toggle();
        wait();
        QVERIFY(!list("awaitedLocks").isVisible());
        QCOMPARE(values(), (QStringList{"0", "0", "0", "0", "0"}));
    }

    // ---- cost ----

    void hiddenItIsNotPainted() {
        const EventCounter paints(line(Figure::Held), QEvent::Paint);
        report({awaitedRow("a", 3)});
        wait();
        m_engine->report(connected());
        QCOMPARE(paints.count(), 0);
        QCOMPARE(list("awaitedLocks").topLevelItemCount(), 0);
        toggle();
        QCOMPARE(rows("awaitedLocks"), QStringList{"a 3"});
        toggle();
        const int before = paints.count();
        report({awaitedRow("b", 3)});
        wait();
        QCOMPARE(paints.count(), before);
    }

    void isPaintedOnlyWhenSomethingHasChanged() {
        toggle();
        report({heldRow(m_clock, lockName("a"), 12h)});
        // The whole line is at 1.
        for (size_t i = 0; i < OverviewHistory::steps; ++i)
            wait();
        const EventCounter paints(line(Figure::Held), QEvent::Paint);
        const int before = paints.count();
        wait();
        QCOMPARE(paints.count(), before);
        report({heldRow(m_clock, lockName("b"), 12h)});
        wait();
        QVERIFY(paints.count() > before);
    }

    void aLostConnectionStandsStill() {
        toggle();
        report({heldRow(m_clock, lockName("a"), 12s)});
        wait();
        m_engine->report(reconnecting(m_clock.wallNow()));
        wait();
        QCOMPARE(line(Figure::Held).value(), QStringLiteral("1"));
    }

    void anotherServerBeginsAgain() {
        toggle();
        report({awaitedRow("a", 3)});
        wait();
        ConnectionStatus other = connecting();
        other.server = QStringLiteral("other:6379/0");
        m_engine->report(other);
        QCOMPARE(line(Figure::Held).value(), QStringLiteral("–"));
        QCOMPARE(list("awaitedLocks").topLevelItemCount(), 0);
    }
};

LOCKKEEPER_TEST(TestOverviewPanel, Gui)

}  // namespace tst_overviewpanel

#include "tst_overviewpanel.moc"
