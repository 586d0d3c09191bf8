// SPDX-License-Identifier: Apache-2.0
#include "metrics/targetfigures.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_targetfigures {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using metrics::FigureOptions;
using metrics::TargetFigures;
using monitor::EventType;

class TestTargetFigures : public QObject {
    Q_OBJECT

private:
    static FigureOptions grouped(int most = 50) {
        FigureOptions options;
        options.groupBy = ":";
        options.mostGroups = most;
        return options;
    }
    [[nodiscard]] QByteArray textOf(const TargetFigures& figures) const {
        metrics::Samples samples;
        figures.write(samples, m_clock.now());
        return samples.text(metrics::TextForm::Prometheus);
    }
    // The value of the sample with these labels besides the target; empty if there is none.
    [[nodiscard]] QByteArray value(const TargetFigures& figures, const QByteArray& name,
                                   const QByteArray& labels = {}) const {
        const QByteArray begin =
            '\n' + name + "{target=\"t\"" + (labels.isEmpty() ? QByteArray() : ',' + labels) + "} ";
        const QByteArray text = '\n' + textOf(figures);
        const qsizetype at = text.indexOf(begin);
        return at < 0 ? QByteArray() : text.sliced(at + begin.size(), text.indexOf('\n', at + 1) - at - begin.size());
    }
    [[nodiscard]] monitor::MonitorBatch stats(quint64 sweeps = 1, QList<monitor::NodeStatus> nodes = {}) const {
        monitor::MonitorBatch batch;
        batch.at = m_clock.wallNow();
        batch.stats = monitor::MonitorStats();
        batch.stats->sweepsDone = sweeps;
        batch.stats->nodes = std::move(nodes);
        return batch;
    }
    [[nodiscard]] monitor::MonitorBatch eventsOf(std::vector<monitor::LockEvent> events) const {
        monitor::MonitorBatch batch;
        batch.at = m_clock.wallNow();
        batch.events = std::move(events);
        return batch;
    }
    // Connected, and swept once.
    [[nodiscard]] TargetFigures watched(const FigureOptions& options = FigureOptions()) const {
        TargetFigures figures("t", options, m_clock.now());
        figures.apply(connected(), m_clock.now());
        figures.apply(stats(), m_clock.now());
        return figures;
    }
    void apply(TargetFigures& figures, const monitor::MonitorBatch& batch) const {
        figures.apply(batch, m_clock.now());
    }
    static monitor::NodeStatus node(quint32 shard, const QString& address, monitor::NodePhase phase) {
        monitor::NodeStatus status;
        status.shard = topology::ShardId(shard);
        status.address = address;
        status.phase = phase;
        return status;
    }
    [[nodiscard]] monitor::LockRow onNode(quint32 shard, monitor::LockRow row) const {
        row.lock.node = monitor::NodePointer(new monitor::Node(topology::ShardId(shard), QStringLiteral("h:1")));
        return row;
    }

private Q_SLOTS:
    void countsLocksByKindAndState() {
        TargetFigures figures = watched();
        monitor::LockRow fair = heldRow(m_clock, lockName("b"), 30s);
        fair.lock.kind = monitor::LockKind::Fair;
        apply(figures, batchOf({heldRow(m_clock, lockName("a"), 30s), fair, freeRow(m_clock, lockName("c"))}));
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"reentrant\",state=\"held\""), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"fair\",state=\"held\""), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"reentrant\",state=\"free\""), QByteArray("1"));
        apply(figures, batchOf({freeRow(m_clock, lockName("a"))}));
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"reentrant\",state=\"held\""), QByteArray("0"));
        apply(figures, removalOf({lockName("a"), lockName("b"), lockName("c")}));
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"reentrant\",state=\"free\""), QByteArray("0"));
    }

    void anythingUnknownIsNotZero() {
        TargetFigures figures("t", FigureOptions(), m_clock.now());
        QCOMPARE(value(figures, "lockkeeper_up"), QByteArray("0"));
        const QByteArray gauges[]{"lockkeeper_locks", "lockkeeper_waiters", "lockkeeper_diagnoses",
                                  "lockkeeper_clients"};
        for (const QByteArray& gauge : gauges)
            QVERIFY2(!textOf(figures).contains('\n' + gauge + '{'), gauge.constData());
        figures.apply(connected(), m_clock.now());
        apply(figures, stats(0));
        QCOMPARE(value(figures, "lockkeeper_up"), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_complete"), QByteArray("0"));
        for (const QByteArray& gauge : gauges)
            QVERIFY2(!textOf(figures).contains('\n' + gauge + '{'), "before the first sweep nothing is known to be 0");
        apply(figures, stats(1));
        QCOMPARE(value(figures, "lockkeeper_complete"), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_waiters"), QByteArray("0"));
        QCOMPARE(value(figures, "lockkeeper_diagnoses", "diagnosis=\"deadlock\",certainty=\"certain\""),
                 QByteArray("0"));
    }

    // Half of a Cluster is lost: its locks are not counted, and nothing of it is taken for well.
    void aLostNodeIsNotZero() {
        const QString one = QStringLiteral("h:1");
        const QString two = QStringLiteral("h:2");
        using Phase = monitor::NodePhase;
        TargetFigures figures = watched();
        apply(figures, stats(1, {node(1, one, Phase::Watching), node(2, two, Phase::Watching)}));
        apply(figures, batchOf({onNode(1, diagnosedRow(m_clock, lockName("a"), {fixedLease(m_clock)})),
                                onNode(2, diagnosedRow(m_clock, lockName("b"), {watchdogStopped(m_clock)}))}));
        const QByteArray stopped = "diagnosis=\"watchdog_stopped\",certainty=\"likely\"";
        const QByteArray fixed = "diagnosis=\"fixed_lease\",certainty=\"likely\"";
        QCOMPARE(value(figures, "lockkeeper_diagnoses", stopped), QByteArray("1"));
        apply(figures, stats(1, {node(1, one, Phase::Watching), node(2, two, Phase::Reconnecting)}));
        QCOMPARE(value(figures, "lockkeeper_up"), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_complete"), QByteArray("0"));
        QCOMPARE(value(figures, "lockkeeper_node_up", "node=\"h:1\""), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_node_up", "node=\"h:2\""), QByteArray("0"));
        QCOMPARE(value(figures, "lockkeeper_diagnoses", stopped), QByteArray());
        QCOMPARE(value(figures, "lockkeeper_diagnoses", fixed), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"reentrant\",state=\"held\""), QByteArray("1"));
        apply(figures, stats(1, {node(1, one, Phase::Watching), node(2, two, Phase::Watching)}));
        QCOMPARE(value(figures, "lockkeeper_diagnoses", stopped), QByteArray("1"));
    }

    void aLostServerIsNotZero() {
        TargetFigures figures = watched();
        apply(figures, batchOf({renewedRow(m_clock, lockName("a"))}));
        QCOMPARE(value(figures, "lockkeeper_waiters"), QByteArray("4"));
        figures.apply(reconnecting(m_clock.wallNow()), m_clock.now());
        QCOMPARE(value(figures, "lockkeeper_up"), QByteArray("0"));
        QCOMPARE(value(figures, "lockkeeper_waiters"), QByteArray());
        QCOMPARE(value(figures, "lockkeeper_acquired_total"), QByteArray("0"));
    }

    void unwatchedTimeGrows() {
        TargetFigures figures = watched();
        QCOMPARE(value(figures, "lockkeeper_unwatched_seconds_total"), QByteArray("0"));
        m_clock.advance(10s);
        QCOMPARE(value(figures, "lockkeeper_unwatched_seconds_total"), QByteArray("0"));
        figures.apply(reconnecting(m_clock.wallNow()), m_clock.now());
        m_clock.advance(5s);
        QCOMPARE(value(figures, "lockkeeper_unwatched_seconds_total"), QByteArray("5"));
        figures.apply(connected(), m_clock.now());
        m_clock.advance(5s);
        QCOMPARE(value(figures, "lockkeeper_unwatched_seconds_total"), QByteArray("5"));
    }

    void countsEvents_data() {
        QTest::addColumn<EventType>("type");
        QTest::addColumn<monitor::ReleaseSign>("sign");
        QTest::addColumn<bool>("isSuspect");
        QTest::addColumn<QByteArray>("metric");
        QTest::addColumn<QByteArray>("labels");
        using Sign = monitor::ReleaseSign;
        const auto row = [](const char* name, EventType type, Sign sign, bool isSuspect, const char* metric,
                            const char* labels) {
            QTest::addRow("%s", name) << type << sign << isSuspect << QByteArray(metric) << QByteArray(labels);
        };
        row("acquired", EventType::Acquired, Sign::Message, false, "lockkeeper_acquired_total", "");
        row("released", EventType::Released, Sign::Message, false, "lockkeeper_released_total", "how=\"announced\"");
        row("quietly", EventType::Released, Sign::NoMessage, false, "lockkeeper_released_total", "how=\"unannounced\"");
        row("inferred", EventType::Released, Sign::Inferred, false, "lockkeeper_released_total", "how=\"inferred\"");
        row("gone", EventType::Gone, Sign::Message, false, "lockkeeper_released_total", "how=\"unknown\"");
        row("expired", EventType::Expired, Sign::Message, false, "lockkeeper_expired_total", "");
        row("expired is lost", EventType::Expired, Sign::Message, false, "lockkeeper_lost_total", "how=\"expired\"");
        row("deleted is lost", EventType::Deleted, Sign::Message, false, "lockkeeper_lost_total", "how=\"deleted\"");
        row("renewed", EventType::Renewed, Sign::Message, false, "lockkeeper_renewals_total", "");
        row("handed over", EventType::HandedOver, Sign::Message, false, "lockkeeper_handed_over_total", "");
        row("which is acquired", EventType::HandedOver, Sign::Message, false, "lockkeeper_acquired_total", "");
        row("taken over", EventType::HandedOver, Sign::Message, true, "lockkeeper_lost_total", "how=\"taken_over\"");
        row("not watched", EventType::NotWatched, Sign::Message, false, "lockkeeper_not_watched_total",
            "reason=\"unknown\"");
    }
    void countsEvents() {
        QFETCH(EventType, type);
        QFETCH(monitor::ReleaseSign, sign);
        QFETCH(bool, isSuspect);
        QFETCH(QByteArray, metric);
        QFETCH(QByteArray, labels);
        TargetFigures figures = watched();
        monitor::LockEvent event = eventOf(m_clock, type, freeRow(m_clock, lockName("a")));
        event.releaseSign = sign;
        event.suspect = isSuspect;
        apply(figures, eventsOf({event, event}));
        QCOMPARE(value(figures, metric, labels), QByteArray("2"));
    }

    // Steady times: a clock that is set in between has no effect.
    void measuresHolds() {
        TargetFigures figures = watched();
        const LockName name = lockName("a");
        apply(figures, eventsOf({eventOf(m_clock, EventType::Acquired, heldRow(m_clock, name, 30s))}));
        m_clock.advance(2s);
        m_clock.jumpWall(-1h);
        m_clock.advance(1s);
        apply(figures, eventsOf({eventOf(m_clock, EventType::Released, freeRow(m_clock, name))}));
        QCOMPARE(value(figures, "lockkeeper_hold_seconds_count"), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_hold_seconds_sum"), QByteArray("3"));
        QCOMPARE(value(figures, "lockkeeper_hold_seconds_bucket", "le=\"1.0\""), QByteArray("0"));
        QCOMPARE(value(figures, "lockkeeper_hold_seconds_bucket", "le=\"5.0\""), QByteArray("1"));
    }

    // The begin of a hold that was found, or of one with a gap, is not known.
    void measuresOnlyWholeHolds() {
        TargetFigures figures = watched();
        const LockName name = lockName("a");
        apply(figures, eventsOf({eventOf(m_clock, EventType::Found, heldRow(m_clock, name, 30s))}));
        apply(figures, eventsOf({eventOf(m_clock, EventType::Released, freeRow(m_clock, name))}));
        apply(figures, eventsOf({eventOf(m_clock, EventType::Acquired, heldRow(m_clock, name, 30s)),
                                 eventOf(m_clock, EventType::NotWatched, heldRow(m_clock, name, 30s)),
                                 eventOf(m_clock, EventType::Released, freeRow(m_clock, name))}));
        QCOMPARE(value(figures, "lockkeeper_hold_seconds_count"), QByteArray("0"));
    }

    void measuresEndedWaits() {
        TargetFigures figures = watched();
        monitor::MonitorBatch batch;
        batch.endedWaits.push_back({lockName("a"), {2s, 3s}});
        apply(figures, batch);
        QCOMPARE(value(figures, "lockkeeper_wait_seconds_count"), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_wait_seconds_sum"), QByteArray("2"));
    }

    void oldestHoldByTheSteadyClock() {
        TargetFigures figures = watched();
        QCOMPARE(value(figures, "lockkeeper_oldest_hold_seconds"), QByteArray());
        apply(figures, batchOf({heldRow(m_clock, lockName("a"), 30s)}));
        m_clock.advance(60s);
        apply(figures, batchOf({heldRow(m_clock, lockName("b"), 30s)}));
        m_clock.jumpWall(5h);
        QCOMPARE(value(figures, "lockkeeper_oldest_hold_seconds"), QByteArray("60"));
        apply(figures, batchOf({freeRow(m_clock, lockName("a"))}));
        QCOMPARE(value(figures, "lockkeeper_oldest_hold_seconds"), QByteArray("0"));
    }

    // As often as it is shown again: a lock counts once.
    void aRowCountsOnce() {
        TargetFigures figures = watched();
        for (int i = 0; i < 5; ++i) {
            m_clock.advance(1s);
            apply(figures, batchOf({renewedRow(m_clock, lockName("a"))}));
        }
        QCOMPARE(value(figures, "lockkeeper_waiters"), QByteArray("4"));
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"reentrant\",state=\"held\""), QByteArray("1"));
    }

    void groupsAreBounded() {
        TargetFigures figures = watched(grouped(2));
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 500; ++i)
            rows.push_back(heldRow(m_clock, LockName(QByteArray::number(i) + ":lock"), 30s));
        apply(figures, batchOf(std::move(rows)));
        const QByteArray held = ",kind=\"reentrant\",state=\"held\"";
        QCOMPARE(value(figures, "lockkeeper_locks", "group=\"0\"" + held), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_locks", "group=\"1\"" + held), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_locks", "group=\"other\"" + held), QByteArray("498"));
        QCOMPARE(value(figures, "lockkeeper_left_out_locks", "from=\"groups\""), QByteArray("498"));
        QCOMPARE(textOf(figures).count("\nlockkeeper_acquired_total{"), 3);
    }

    // A group that has ended makes room, and its counters end with it.
    void anEndedGroupMakesRoom() {
        TargetFigures figures = watched(grouped(1));
        apply(figures, eventsOf({eventOf(m_clock, EventType::Acquired, heldRow(m_clock, lockName("a:1"), 30s))}));
        apply(figures, batchOf({heldRow(m_clock, lockName("a:1"), 30s)}));
        QCOMPARE(value(figures, "lockkeeper_acquired_total", "group=\"a\""), QByteArray("1"));
        apply(figures, removalOf({lockName("a:1")}));
        apply(figures, batchOf({heldRow(m_clock, lockName("b:1"), 30s)}));
        QCOMPARE(value(figures, "lockkeeper_acquired_total", "group=\"a\""), QByteArray());
        QCOMPARE(value(figures, "lockkeeper_acquired_total", "group=\"b\""), QByteArray("0"));
    }

    void singleLocksAreBounded() {
        FigureOptions options;
        options.lockPatterns = {"job:*"};
        TargetFigures figures = watched(options);
        std::vector<monitor::LockRow> rows{heldRow(m_clock, lockName("other"), 30s)};
        for (int i = 0; i < 150; ++i)
            rows.push_back(renewedRow(m_clock, LockName("job:" + QByteArray::number(i))));
        apply(figures, batchOf(std::move(rows)));
        QCOMPARE(textOf(figures).count("\nlockkeeper_lock_held{"), 100);
        QCOMPARE(value(figures, "lockkeeper_left_out_locks", "from=\"locks\""), QByteArray("50"));
        QCOMPARE(value(figures, "lockkeeper_lock_held", "lock=\"other\""), QByteArray());
        QCOMPARE(value(figures, "lockkeeper_lock_waiters", "lock=\"job:0\""), QByteArray("4"));
        m_clock.advance(7s);
        QCOMPARE(value(figures, "lockkeeper_lock_hold_seconds", "lock=\"job:0\""), QByteArray("7"));
        apply(figures, removalOf({lockName("job:0")}));
        QCOMPARE(value(figures, "lockkeeper_lock_held", "lock=\"job:0\""), QByteArray());
        QCOMPARE(textOf(figures).count("\nlockkeeper_lock_held{"), 99);
    }

    void noLabelHasANameByDefault() {
        TargetFigures figures = watched();
        apply(figures, batchOf({diagnosedRow(m_clock, lockName("secret-name"), {watchdogStopped(m_clock)})}));
        apply(figures,
              eventsOf({eventOf(m_clock, EventType::Acquired, heldRow(m_clock, lockName("secret-name"), 1s))}));
        QVERIFY(!textOf(figures).contains("secret-name"));
        QVERIFY(!textOf(figures).contains(clientA));
    }

    void awkwardNamesAreLabels() {
        FigureOptions options;
        options.lockPatterns = {"*"};
        TargetFigures figures = watched(options);
        apply(figures, batchOf({heldRow(m_clock, lockName("a\"b\\c\nd\xff"), 30s)}));
        const QByteArray text = textOf(figures);
        // The name is shown escaped, and the backslashes of that are escaped once more.
        QVERIFY2(text.contains("lock=\"a\\\"b\\\\\\\\c\\\\nd\\\\xff\""), text.constData());
    }

    void clientsByState() {
        TargetFigures figures = watched();
        const auto client = [](const char* id, qsizetype held, qsizetype waitsFor) {
            monitor::ClientRow row;
            row.id = ClientId(id);
            row.held = held;
            row.waitsFor = waitsFor;
            return std::make_shared<const monitor::ClientRow>(row);
        };
        monitor::MonitorBatch batch;
        batch.clients = {client("a", 1, 1), client("b", 0, 2), client("c", 0, 0), client("d", 2, 0)};
        apply(figures, batch);
        QCOMPARE(value(figures, "lockkeeper_clients", "state=\"holding\""), QByteArray("2"));
        QCOMPARE(value(figures, "lockkeeper_clients", "state=\"waiting\""), QByteArray("1"));
        QCOMPARE(value(figures, "lockkeeper_clients", "state=\"idle\""), QByteArray("1"));
    }

    void permitsOfSemaphores() {
        TargetFigures figures = watched(grouped());
        monitor::MonitorBatch batch;
        batch.synchronizers = monitor::SynchronizerReading();
        monitor::Synchronizer one;
        one.name = lockName("pool:db");
        one.kind = monitor::SynchronizerKind::Semaphore;
        one.count = 3;
        one.leased = 2;
        one.clients = 1;
        batch.synchronizers->seen = {one};
        apply(figures, batch);
        // Locks have not made the group, so it has none of its own.
        QCOMPARE(value(figures, "lockkeeper_semaphore_permits", "group=\"other\",state=\"free\""), QByteArray("3"));
        QCOMPARE(value(figures, "lockkeeper_semaphore_permits", "group=\"other\",state=\"leased\""), QByteArray("2"));
        QCOMPARE(value(figures, "lockkeeper_synchronizer_waiters", "group=\"other\""), QByteArray("1"));
    }

    void anotherServerBeginsWithoutLocks() {
        TargetFigures figures = watched();
        apply(figures, eventsOf({eventOf(m_clock, EventType::Acquired, heldRow(m_clock, lockName("a"), 30s))}));
        apply(figures, batchOf({heldRow(m_clock, lockName("a"), 30s)}));
        monitor::MonitorBatch reset = stats(1);
        reset.reset = true;
        apply(figures, reset);
        QCOMPARE(value(figures, "lockkeeper_locks", "kind=\"reentrant\",state=\"held\""), QByteArray("0"));
        QCOMPARE(value(figures, "lockkeeper_acquired_total"), QByteArray("1"));
    }

    void waitersThatMayNotBeCountedAreAbsent() {
        TargetFigures figures = watched();
        monitor::MonitorBatch batch = stats();
        batch.stats->denied = {
            {monitor::Denied::Command, QStringLiteral("pubsub"), monitor::Consequence::WaitersUnknown, Error()}};
        apply(figures, batch);
        QCOMPARE(value(figures, "lockkeeper_waiters"), QByteArray());
        QCOMPARE(value(figures, "lockkeeper_denials"), QByteArray("1"));
    }

    // An event about a lock that is not known leaves nothing behind.
    void eventsOfForgottenLocksCostNoMemory() {
        TargetFigures figures = watched();
        for (int i = 0; i < 1000; ++i)
            apply(figures, eventsOf({eventOf(m_clock, EventType::Diagnosed,
                                             freeRow(m_clock, LockName("gone:" + QByteArray::number(i))))}));
        QCOMPARE(figures.knownLocks(), 0);
    }

private:
    ManualClock m_clock;
};

LOCKKEEPER_TEST(TestTargetFigures, Appless)

}  // namespace tst_targetfigures

#include "tst_targetfigures.moc"
