// SPDX-License-Identifier: Apache-2.0
#include "async/whendone.h"
#include "base/systemclock.h"
#include "support/lockprogram.h"
#include "support/monitorprobe.h"
#include "support/serverhand.h"
#include "support/slotmover.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"
#include "topology/shardconnections.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_clusterslots {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

constexpr int movedSlots = 500;
constexpr int slotsAtOnce = 25;
constexpr Milliseconds changePause = 4ms;  // a lock is acquired or released after each pause
constexpr int mostAtOnce = 20;             // of the changes that are due
constexpr int changesBetweenMoves = 20;    // of slots
const ThreadId worker{7};

// Names of locks in the first slots, which move, or in slots of other masters, which stay.
QByteArrayList namesIn(topology::HashSlot first, topology::HashSlot end, const QByteArray& prefix, int count) {
    QByteArrayList names;
    for (int i = 0; names.size() < count; ++i) {
        const QByteArray name = prefix + QByteArray::number(i);
        const topology::HashSlot slot = topology::hashSlotOf(name);
        if (slot >= first && slot < end)
            names += name;
    }
    return names;
}

// The true state of a lock that is acquired and released by turns, by the answers of the server.
struct Truth {
    quint64 acquired = 0;
    quint64 released = 0;
    bool isHeld = false;
    bool isBusy = false;  // a call is under way

    [[nodiscard]] bool isKnown() const { return !isBusy; }
};

// Acquires and releases its locks by turns, 250 a second of each, until it is stopped.
class Changes : public QObject {
public:
    Changes(LockProgram& program, const QByteArrayList& names, Clock& clock)
        : m_program(program), m_names(names), m_clock(clock), m_truths(static_cast<size_t>(names.size())) {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] { changeDue(); });
    }
    void start() {
        m_since.start();
        m_timer.start(changePause);
    }
    // Waits for the answers that are under way.
    [[nodiscard]] bool stop() {
        m_timer.stop();
        return becomesTrue([this] { return std::ranges::all_of(m_truths, &Truth::isKnown); }, 20000);
    }
    [[nodiscard]] const Truth& of(qsizetype index) const { return m_truths[static_cast<size_t>(index)]; }
    [[nodiscard]] int changes() const { return m_changes; }
    [[nodiscard]] qint64 milliseconds() const { return m_since.elapsed(); }
    QStringList errors;

private:
    // Makes as many changes as are due: steps of a slot's move may keep the event loop for a while. A machine that is
    // too slow for all of them does not make up for the rest, or the slots would hardly move.
    void changeDue() {
        const qint64 due = m_since.elapsed() * 2 / changePause.count();
        m_started = std::max(m_started, due - mostAtOnce);
        while (m_started < due)
            changeOne();
    }
    void changeOne() {
        ++m_started;
        Truth& truth = m_truths[static_cast<size_t>(m_next)];
        const QByteArray& name = m_names[m_next];
        m_next = (m_next + 1) % m_names.size();
        if (truth.isBusy)
            return;
        truth.isBusy = true;
        if (truth.isHeld)
            release(name, truth);
        else
            acquire(name, truth);
    }
    void acquire(const QByteArray& name, Truth& truth) {
        const AnyLock lock = m_program.lock(Kind::Reentrant, name);
        whenDone(lock.tryLock(worker, Deadline::in(m_clock, 10s), 60s), this, [this, &truth](const auto& taken) {
            truth.isBusy = false;
            truth.isHeld = taken && taken->acquired();
            truth.acquired += truth.isHeld ? 1 : 0;
            note(taken);
        });
    }
    void release(const QByteArray& name, Truth& truth) {
        const AnyLock lock = m_program.lock(Kind::Reentrant, name);
        whenDone(lock.unlock(worker), this, [this, &truth](const auto& released) {
            truth.isBusy = false;
            truth.isHeld = !released;
            truth.released += released ? 1 : 0;
            note(released);
        });
    }
    template <typename T>
    void note(const Result<T>& result) {
        ++m_changes;
        if (!result)
            errors += result.error().text;
    }

    LockProgram& m_program;
    const QByteArrayList m_names;
    Clock& m_clock;
    std::vector<Truth> m_truths;
    qsizetype m_next = 0;
    qint64 m_started = 0;
    int m_changes = 0;
    QTimer m_timer;
    QElapsedTimer m_since;
};

}  // namespace

// 500 slots of a real Cluster move away and back while locks in them change 500 times a second.
class TestClusterSlots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_cluster = std::make_unique<ClusterSetup>(3);
        QVERIFY(m_cluster->start());
        m_mover = std::make_unique<SlotMover>(*m_cluster, m_clock);
        QVERIFY(m_mover->connect());
        locks::LockClientOptions options;
        options.commandTimeout = 5s;
        m_mine = std::make_unique<LockProgram>(m_cluster->address(0), m_clock, options);
        options.id = ClientId::random();
        m_other = std::make_unique<LockProgram>(m_cluster->address(2), m_clock, options);
        m_shards = std::make_unique<topology::ClusterSource>(
            QList<topology::Address>{{QStringLiteral("127.0.0.1"), m_cluster->master(0).port()}},
            LockProgram::connectionOptions(), topology::Dialer(), m_clock);
    }
    void cleanup() {
        m_probe.reset();
        m_shards.reset();
        m_other.reset();
        m_mine.reset();
        m_mover.reset();
        m_cluster.reset();
    }

    void nothingIsInventedAndNobodyIsForgotten() {
        const QByteArrayList held = namesIn(0, movedSlots, "held:", 20);
        const QByteArrayList staying = namesIn(movedSlots, topology::hashSlots - 1, "staying:", 10);
        const QByteArrayList changing = namesIn(0, movedSlots, "changing:", 200);
        const QByteArrayList plain = namesIn(0, movedSlots, "plain:", 8);
        const QByteArrayList sharded = namesIn(0, movedSlots, "sharded:", 8);
        const QByteArrayList contended = namesIn(0, movedSlots, "contended:", 8);
        m_keys = held + changing + plain + sharded + contended;
        for (const QByteArray& name : held + staying + contended)
            QVERIFY(takes(*m_mine, name));
        for (const QByteArray& name : plain + sharded)
            ServerHand(m_cluster->master(0)).take(QString::fromLatin1(name), alice, 120000);
        m_probe = std::make_unique<MonitorProbe>(*m_shards);
        QVERIFY(m_probe->waitForSweep());
        QTRY_VERIFY(rowsAreHeld(m_keys.size() + staying.size() - changing.size()));
        m_probe->events.clear();
        Waits waits;
        for (const QByteArray& name : plain + sharded + contended)
            waits[name] = start(m_other->lock(Kind::Reentrant, name).tryLock(worker, Deadline::in(m_clock, 60s), 60s));
        QTRY_COMPARE(subscribers(0, plain.last()), 1);

        Changes changes(*m_mine, changing, m_clock);
        changes.start();
        QVERIFY(moveAll(0, 2, changes));
        // Half of the waiters while the slots are away: by the message of either kind alone.
        for (int i = 0; i < plain.size() / 2; ++i) {
            publishRelease(2, "PUBLISH", plain[i]);
            publishRelease(2, "SPUBLISH", sharded[i]);
        }
        for (int i = 0; i < contended.size() / 2; ++i)
            m_releases.push_back(start(m_mine->lock(Kind::Reentrant, contended[i]).unlock(worker)));
        QVERIFY(moveAll(2, 0, changes));
        for (auto i = plain.size() / 2; i < plain.size(); ++i) {
            publishRelease(0, "PUBLISH", plain[i]);
            publishRelease(0, "SPUBLISH", sharded[i]);
        }
        for (auto i = contended.size() / 2; i < contended.size(); ++i)
            m_releases.push_back(start(m_mine->lock(Kind::Reentrant, contended[i]).unlock(worker)));
        const double perSecond = 1000.0 * changes.changes() / static_cast<double>(changes.milliseconds());
        QVERIFY(changes.stop());
        qInfo("%.0f changes a second for %lld ms", perSecond, changes.milliseconds());
        QCOMPARE(changes.errors, QStringList());
        QVERIFY(changes.changes() > movedSlots);

        for (const auto& [name, wait] : waits) {
            QVERIFY2(becomesTrue([&wait = wait] { return wait->has_value(); }), name.constData());
            QVERIFY2((*wait)->ok() && (*wait)->value().acquired(), name.constData());
        }
        for (const auto& release : m_releases) {
            QVERIFY(becomesTrue([&release] { return release->has_value(); }));
            QVERIFY((*release)->ok());
        }
        QVERIFY2(m_mine->losses.empty(), m_mine->lossWords());
        QVERIFY2(m_other->losses.empty(), m_other->lossWords());

        // Each row is true again, and live.
        const HolderId mine(m_mine->client().id(), worker);
        for (qsizetype i = 0; i < changing.size(); ++i)
            QTRY_VERIFY2(isTrue(changing[i], changes.of(i).isHeld, mine), changing[i].constData());
        expectOnly(held + staying, {EventType::NotWatched, EventType::Renewed, EventType::Waiters});
        expectOnly(changing, {EventType::NotWatched, EventType::Found, EventType::Acquired, EventType::Released,
                              EventType::Gone});
        for (qsizetype i = 0; i < changing.size(); ++i) {
            QVERIFY(count(changing[i], {EventType::Acquired, EventType::Found}) <= changes.of(i).acquired);
            QVERIFY(count(changing[i], {EventType::Released, EventType::Gone}) <= changes.of(i).released);
        }
        for (const QByteArray& name : staying)
            QCOMPARE(count(name, {EventType::NotWatched}), quint64{0});
        for (const QByteArray& name : held) {
            QVERIFY2(count(name, {EventType::NotWatched}) > 0, name.constData());
            QTRY_VERIFY2(isReadAt(0, name), name.constData());
        }
        for (const QByteArray& name : held + staying) {
            QVERIFY2(isTrue(name, true, mine), name.constData());
            QVERIFY(takes(*m_mine, name));
            QTRY_VERIFY2(count(name, {EventType::Reentered}) == 1, eventsOf(name).constData());
        }
        QVERIFY2(m_heldRowsWrong.isEmpty(), m_heldRowsWrong.value(0).constData());
        QCOMPARE(m_probe->stats.denied.size(), 0);
    }

private:
    using Waits = std::map<QByteArray, Running<Result<locks::LockAttempt>>>;

    bool takes(LockProgram& program, const QByteArray& name) {
        const Result<locks::LockAttempt> taken =
            test::waitFor(program.lock(Kind::Reentrant, name).tryLock(worker, Deadline::in(m_clock, 10s), 120s));
        return taken && taken->acquired();
    }
    [[nodiscard]] bool rowsAreHeld(qsizetype count) const {
        return std::ranges::count_if(m_probe->rows, [](const LockRow& row) { return row.lock.isHeld(); }) == count;
    }
    // While slots move, a row of a lock that is held all the time must not say anything else.
    void checkHeldRows() {
        for (auto row = m_probe->rows.cbegin(); row != m_probe->rows.cend(); ++row) {
            if ((row.key().startsWith("held:") || row.key().startsWith("staying:")) && !row->lock.isHeld())
                m_heldRowsWrong += row.key();
        }
    }
    [[nodiscard]] bool moveAll(size_t from, size_t to, const Changes& changes) {
        for (int first = 0; first < movedSlots; first += slotsAtOnce) {
            QList<topology::HashSlot> together;
            for (int slot = first; slot < first + slotsAtOnce; ++slot)
                together += static_cast<topology::HashSlot>(slot);
            QByteArrayList keys;
            std::ranges::copy_if(m_keys, std::back_inserter(keys), [&together](const QByteArray& key) {
                return together.contains(topology::hashSlotOf(key));
            });
            if (!m_mover->move(together, keys, from, to))
                return false;
            const int before = changes.changes();
            if (!becomesTrue([&changes, before] { return changes.changes() >= before + changesBetweenMoves; }))
                return false;
            checkHeldRows();
        }
        return true;
    }
    [[nodiscard]] static QString channelOf(const QByteArray& name) {
        return QStringLiteral("redisson_lock__channel:{%1}").arg(QString::fromLatin1(name));
    }
    int subscribers(size_t master, const QByteArray& name) {
        return m_cluster->master(master).cli({"PUBSUB", "NUMSUB", channelOf(name)}).section(u'\n', 1).toInt();
    }
    void publishRelease(size_t master, const QString& command, const QByteArray& name) {
        m_cluster->master(master).cli({"DEL", QString::fromLatin1(name)});
        m_cluster->master(master).cli({command, channelOf(name), "0"});
    }
    [[nodiscard]] bool isTrue(const QByteArray& name, bool isHeld, const HolderId& holder) const {
        const LockRow* row = m_probe->row(name);
        return row ? row->lock.isHeldBy(holder) == isHeld : !isHeld;
    }
    [[nodiscard]] quint64 count(const QByteArray& name, std::initializer_list<EventType> types) const {
        return static_cast<quint64>(std::ranges::count_if(m_probe->events, [&](const LockEvent& event) {
            return event.lock.name.bytes() == name && std::ranges::count(types, event.type) > 0;
        }));
    }
    [[nodiscard]] bool isReadAt(size_t master, const QByteArray& name) const {
        const LockRow* row = m_probe->row(name);
        const QString port = QStringLiteral(":%1").arg(m_cluster->master(master).port());
        return row && row->lock.node && row->lock.node->address.endsWith(port);
    }
    [[nodiscard]] QByteArray eventsOf(const QByteArray& name) const {
        std::vector<LockEvent> events;
        std::ranges::copy_if(m_probe->events, std::back_inserter(events),
                             [&name](const LockEvent& event) { return event.lock.name.bytes() == name; });
        return name + ": " + described(events).join(", ");
    }
    // There are thousands of events, and the leases go on: the words of a failure are made only for a failure.
    void expectOnly(const QByteArrayList& names, std::initializer_list<EventType> types) {
        const auto isWrong = [&](const LockEvent& event) {
            return names.contains(event.lock.name.bytes()) &&
                   (std::ranges::count(types, event.type) == 0 || event.suspect);
        };
        const auto wrong = std::ranges::find_if(m_probe->events, isWrong);
        if (wrong != m_probe->events.end())
            QFAIL(eventsOf(wrong->lock.name.bytes()).constData());
    }

    SystemClock m_clock;
    std::unique_ptr<ClusterSetup> m_cluster;
    std::unique_ptr<SlotMover> m_mover;
    std::unique_ptr<LockProgram> m_mine;
    std::unique_ptr<LockProgram> m_other;
    std::unique_ptr<topology::ClusterSource> m_shards;
    std::unique_ptr<MonitorProbe> m_probe;
    QByteArrayList m_keys;  // in the slots that move
    QByteArrayList m_heldRowsWrong;
    std::vector<Running<Result<locks::ReleaseOutcome>>> m_releases;
};

LOCKKEEPER_TEST(TestClusterSlots, Guiless)

}  // namespace tst_clusterslots

#include "tst_clusterslots.moc"
