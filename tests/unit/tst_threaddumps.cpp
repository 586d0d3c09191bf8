// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"
#include "jvm/holderthread.h"
#include "jvm/threadchange.h"
#include "monitor/store/lockstore.h"
#include "support/locksnapshots.h"
#include "support/places.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"

#include <QFile>
#include <QTest>

namespace tst_threaddumps {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using Role = ThreadVerdict::Role;

namespace {

const ClientId client("97b87f0b-0c5d-4043-bd00-c2b44039227f");

HolderId threadOf(qint64 number, const ClientId& whose = client) {
    return {whose, ThreadId{number}};
}

// Taken 20 s after the begin of each test, by a clock that is known.
ClientDump dumpOf(std::vector<qint64> ids, Fit fit = Fit::Strong) {
    ClientDump dump;
    dump.client = client;
    dump.fit = fit;
    dump.at = WallTime(20s);
    dump.taken = {WallTime(20s), WallTime(20s)};
    dump.hasOthers = dump.hasAll = true;
    dump.ids = std::move(ids);
    for (const qint64 id : dump.ids) {
        DumpedThread thread;
        thread.id = id;
        thread.name = QStringLiteral("worker-%1").arg(id);
        thread.stack = static_cast<quint64>(id);
        dump.threads.push_back(thread);
    }
    return dump;
}

// These threads wait in RedissonLock.lock().
ClientDump waiting(ClientDump dump, const QList<qint64>& ids) {
    for (DumpedThread& thread : dump.threads) {
        if (ids.contains(thread.id))
            thread.activity = {Activity::WaitsForRedisson, RedissonCall::Lock,
                               Frame{QStringLiteral("com.example.Jobs.run"), QStringLiteral("Jobs.java:7")}};
    }
    return dump;
}

SharedDump shared(ClientDump dump) {
    return std::make_shared<const ClientDump>(std::move(dump));
}

LockSnapshot heldBy(const char* name, const HolderId& holder, Milliseconds at = 0ms) {
    return snapshot(at, LockKind::Reentrant, {exclusive(holder)}, 30000ms, name);
}

// A store after its first sweep, so that the begin of each hold is seen.
void beginWatching(LockStore& store) {
    store.endSweepOf({});
    store.endSweep(0, WallTime(0ms));
}

// One client waits for each of these locks.
void contend(LockStore& store, const QList<QByteArray>& names) {
    WaitingCounts::Waiting waiting;
    for (const QByteArray& name : names)
        waiting.insert(LockName(name), Listeners{1});
    store.setWaiting(waiting, SteadyTime(2h), WallTime(1h));
}

// After a batch, with which the locks are judged together.
QList<ThreadVerdict> verdictsOf(LockStore& store, const char* name) {
    (void)store.take();
    const std::optional<LockRow> row = store.row(LockName(name));
    return row ? *row->threads : QList<ThreadVerdict>();
}

std::optional<Diagnosis> diagnosisOf(LockStore& store, const char* name, DiagnosisKind kind) {
    (void)store.take();
    const std::optional<LockRow> row = store.row(LockName(name));
    const auto found = std::ranges::find(row->diagnoses, kind, &Diagnosis::kind);
    return found == row->diagnoses.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

// What the dumps of clients say about the locks of a session.
class TestThreadDumps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Each row weakens one condition.
    void theHoldersThreadHasEnded_data() {
        QTest::addColumn<int>("heldAt");  // seconds
        QTest::addColumn<bool>("isBeginSeen");
        QTest::addColumn<bool>("hasAll");
        QTest::addColumn<bool>("hasOthers");
        QTest::addColumn<int>("fit");
        QTest::addColumn<bool>("isDated");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, int heldAt, bool begin, bool hasAll, bool hasOthers, Fit fit, bool dated,
                            const char* found) {
            QTest::addRow("%s", name) << heldAt << begin << hasAll << hasOthers << static_cast<int>(fit) << dated
                                      << QString::fromLatin1(found);
        };
        row("the dump must have it", 5, true, true, true, Fit::Strong, true, "certain");
        row("the user has named the client", 5, true, true, true, Fit::Given, true, "certain");
        row("held before it was watched", 5, false, true, true, Fit::Strong, true, "certain");
        row("virtual threads may be missing", 5, true, false, true, Fit::Strong, true, "none");
        row("its begin is not known, and may be later", 30, false, true, true, Fit::Strong, true, "likely");
        row("the dump's time is not known", 5, true, true, true, Fit::Strong, false, "likely");
        row("it may be of another client", 5, true, true, true, Fit::Weak, true, "suspected");
        row("the hold is later than the dump", 30, true, true, true, Fit::Strong, true, "none");
        row("cut, or single threads", 5, true, false, false, Fit::Strong, true, "none");
    }
    void theHoldersThreadHasEnded() {
        QFETCH(int, heldAt);
        QFETCH(bool, isBeginSeen);
        QFETCH(bool, hasAll);
        QFETCH(bool, hasOthers);
        QFETCH(int, fit);
        QFETCH(bool, isDated);
        LockStore store;
        if (isBeginSeen)
            beginWatching(store);
        const Milliseconds begun = std::chrono::seconds(heldAt);
        if (isBeginSeen)
            store.apply(snapshot(begun - 1ms, LockKind::Reentrant, {}, std::nullopt), {});
        store.apply(heldBy("L", threadOf(25), begun), {});
        ClientDump dump = dumpOf({17, 26}, static_cast<Fit>(fit));
        dump.hasAll = hasAll;
        dump.hasOthers = hasOthers;
        if (!isDated)
            dump.taken = {};
        (void)store.feed(DumpKnown{shared(dump), WallTime(40s)});
        const std::optional<Diagnosis> found = diagnosisOf(store, "L", DiagnosisKind::HolderThreadEnded);
        QTEST(found ? wordFor(found->certainty) : QStringLiteral("none"), "found");
    }

    void itBeginsAndEndsAsAnEvent() {
        LockStore store;
        beginWatching(store);
        store.apply(heldBy("L", threadOf(25)), {});
        (void)store.take();
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        MonitorBatch batch = store.take();
        QCOMPARE(batch.events.size(), size_t(2));
        QCOMPARE(batch.events[0].diagnosis->kind(), DiagnosisKind::HolderThreadEnded);
        QCOMPARE(batch.events[1].type, EventType::ThreadSeen);
        QCOMPARE(batch.events[1].holder->id, threadOf(25));
        QCOMPARE(batch.events[1].thread->fate, Fate::Ended);
        QCOMPARE(batch.changed.size(), size_t(1));
        LockSnapshot freed = test::free(22s);
        store.apply(freed, {});
        batch = store.take();
        QCOMPARE(batch.changed.front()->diagnoses.size(), 0);
        QVERIFY(!batch.changed.front()->threads);
    }

    void aLaterLockOfTheClientGetsItsVerdict() {
        LockStore store;
        beginWatching(store);
        store.apply(heldBy("first", threadOf(26)), {});
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        store.apply(snapshot(29999ms, LockKind::Reentrant, {}, std::nullopt, "second"), {});
        store.apply(heldBy("second", threadOf(17), 30s), {});
        const QList<ThreadVerdict> found = verdictsOf(store, "second");
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().fate, Fate::Lives);
        QCOMPARE(found.first().thread()->name, QStringLiteral("worker-17"));
        QCOMPARE(found.first().taken, TakenWhen::BeforeHold);
        QCOMPARE(verdictsOf(store, "first").first().taken, TakenWhen::DuringHold);
    }

    // A restart makes another client.
    void aRestartedClientGetsNone() {
        LockStore store;
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        store.apply(heldBy("L", threadOf(25, bob.client()), 30s), {});
        QVERIFY(verdictsOf(store, "L").isEmpty());
        QVERIFY(store.row(LockName("L"))->diagnoses.isEmpty());
    }

    void aThreadThatIsNewerThanTheDumpIsNotEnded() {
        LockStore store;
        store.apply(heldBy("L", threadOf(40)), {});
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        QCOMPARE(verdictsOf(store, "L").first().fate, Fate::Later);
        QVERIFY(!diagnosisOf(store, "L", DiagnosisKind::HolderThreadEnded));
    }

    // Such a dump leaves threads out, so a high number says nothing.
    void aHighNumberIsNotLaterThanADumpThatMayLackIt() {
        LockStore store;
        store.apply(heldBy("L", threadOf(40)), {});
        ClientDump dump = dumpOf({17, 26});
        dump.hasAll = false;
        (void)store.feed(DumpKnown{shared(dump), WallTime(21s)});
        QCOMPARE(verdictsOf(store, "L").first().fate, Fate::NotInDump);
    }

    void theNewestDumpCounts() {
        LockStore store;
        beginWatching(store);
        store.apply(heldBy("L", threadOf(17)), {});
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        QCOMPARE(verdictsOf(store, "L").first().fate, Fate::Lives);
        ClientDump later = dumpOf({26});
        later.at = WallTime(30s);
        later.taken = {WallTime(30s), WallTime(30s)};
        (void)store.feed(DumpKnown{shared(later), WallTime(31s)});
        QCOMPARE(verdictsOf(store, "L").first().fate, Fate::Ended);
        // An older one changes nothing.
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(32s)});
        QCOMPARE(verdictsOf(store, "L").first().fate, Fate::Ended);
    }

    // Such dumps have no virtual threads, so one that was in it is none.
    void aThreadThatAnEarlierDumpHadHasEnded() {
        LockStore store;
        beginWatching(store);
        store.apply(heldBy("L", threadOf(17)), {});
        ClientDump first = dumpOf({17, 26});
        first.hasAll = false;
        (void)store.feed(DumpKnown{shared(first), WallTime(21s)});
        ClientDump later = dumpOf({26});
        later.hasAll = false;
        later.at = WallTime(30s);
        later.taken = {WallTime(30s), WallTime(30s)};
        (void)store.feed(DumpKnown{shared(later), WallTime(31s)});
        QCOMPARE(verdictsOf(store, "L").first().fate, Fate::Ended);
        QCOMPARE(verdictsOf(store, "L").first().certainty, Certainty::Likely);
    }

    // Single threads, as Arthas prints them, do not take back what a whole dump has shown.
    void aDumpOfSingleThreadsDoesNotHideAWholeOne() {
        LockStore store;
        beginWatching(store);
        store.apply(heldBy("L", threadOf(25)), {});
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        ClientDump single = dumpOf({26});
        single.at = WallTime(30s);
        single.hasOthers = single.hasAll = false;
        (void)store.feed(DumpKnown{shared(single), WallTime(31s)});
        QCOMPARE(verdictsOf(store, "L").first().fate, Fate::Ended);
    }

    void twoDumpsShowWhatHasNotMoved() {
        ThreadDumps dumps;
        (void)dumps.note(shared(dumpOf({17, 26})));
        ClientDump later = dumpOf({17, 26});
        later.at = WallTime(30s);
        later.threads.back().stack = 99;
        const SharedDump kept = dumps.note(shared(later));
        QCOMPARE(kept->thread(17)->stillSince, std::optional(WallTime(20s)));
        QVERIFY(!kept->thread(26)->stillSince);
        // The same file once more is no third dump.
        QCOMPARE(dumps.note(shared(later))->thread(17)->stillSince, std::optional(WallTime(20s)));
        ClientDump third = dumpOf({17, 26});
        third.at = WallTime(40s);
        QCOMPARE(dumps.note(shared(third))->thread(17)->stillSince, std::optional(WallTime(20s)));
        QCOMPARE(dumps.all().size(), ThreadDumps::perClient);
    }

    void theOldestClientMakesRoom() {
        ThreadDumps dumps;
        for (int i = 0; i <= ThreadDumps::clients; ++i) {
            ClientDump dump = dumpOf({1});
            dump.client = ClientId(QByteArray::number(i));
            (void)dumps.note(shared(dump));
        }
        QCOMPARE(dumps.all().size(), static_cast<size_t>(ThreadDumps::clients));
        QVERIFY(!dumps.newest(ClientId("0")));
        QVERIFY(dumps.newest(ClientId("1")));
    }

    void nobodyIsNamedAsTheHolderOfAManyReaderHold() {
        LockStore store;
        LockSnapshot lock = readWrite(0ms, {reader(threadOf(25)), reader(threadOf(17))});
        lock.name = LockName("L");
        store.apply(lock, {});
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        const QList<ThreadVerdict> found = verdictsOf(store, "L");
        QCOMPARE(found.size(), 2);
        QCOMPARE(found.at(0).fate, Fate::Ended);
        QCOMPARE(found.at(0).certainty, Certainty::Likely);  // since when each of them reads is not known
    }

    // ---- who waits for a lock whose channel alone shows that somebody does ----

    void aThreadWaitsForTheOnlyLockThatItCan() {
        LockStore store;
        store.apply(heldBy("mine", threadOf(17)), {});
        store.apply(heldBy("other", alice), {});
        contend(store, {"mine", "other"});
        (void)store.feed(DumpKnown{shared(waiting(dumpOf({17, 26}), {17})), WallTime(21s)});
        QCOMPARE(verdictsOf(store, "mine").first().mayWaitFor, QList<LockName>{LockName("other")});
        const QList<ThreadVerdict> waiters = verdictsOf(store, "other");
        QCOMPARE(waiters.size(), 1);
        QCOMPARE(waiters.first().id, threadOf(17));
        QCOMPARE(waiters.first().role, Role::MayWait);
        // With one more, it is one of two.
        store.apply(heldBy("third", bob, 30s), {});
        contend(store, {"mine", "other", "third"});
        QCOMPARE(verdictsOf(store, "mine").first().mayWaitFor, (QList<LockName>{LockName("other"), LockName("third")}));
        QCOMPARE(verdictsOf(store, "third").size(), 1);
        store.apply(snapshot(31s, LockKind::Reentrant, {}, std::nullopt, "third"), {});
        QCOMPARE(verdictsOf(store, "mine").first().mayWaitFor, QList<LockName>{LockName("other")});
    }

    void twoThreadsThatWaitForEachOtherAreADeadlock() {
        LockStore store;
        beginWatching(store);
        store.apply(heldBy("A", threadOf(26)), {});
        store.apply(heldBy("B", threadOf(27)), {});
        contend(store, {"A", "B"});
        (void)store.feed(DumpKnown{shared(waiting(dumpOf({17, 26, 27}), {26, 27})), WallTime(21s)});
        const std::optional<Diagnosis> found = diagnosisOf(store, "A", DiagnosisKind::Deadlock);
        QVERIFY(found);
        QCOMPARE(found->certainty, Certainty::Likely);
        const auto deadlock = std::get<Deadlock>(found->evidence);
        QCOMPARE(deadlock.holder, threadOf(26));
        QCOMPARE(deadlock.waitsFor, LockName("B"));
        QCOMPARE(deadlock.heldBy, threadOf(27));
        QCOMPARE(deadlock.holders, 2);
        QVERIFY(deadlock.byThreads);
        QVERIFY(diagnosisOf(store, "B", DiagnosisKind::Deadlock));
        // It ends at both when one of them is released.
        store.apply(snapshot(31s, LockKind::Reentrant, {}, std::nullopt, "B"), {});
        QVERIFY(!diagnosisOf(store, "A", DiagnosisKind::Deadlock));
    }

    void noDeadlockIsSaidWhereAnotherExplanationIs_data() {
        QTest::addColumn<int>("contended");  // other locks that are waited for
        QTest::addColumn<int>("heldAt");
        QTest::addColumn<int>("fit");
        QTest::addColumn<bool>("bothWait");
        QTest::addRow("one more lock that they may wait for") << 1 << 0 << static_cast<int>(Fit::Strong) << true;
        QTest::addRow("held since after the dump") << 0 << 30 << static_cast<int>(Fit::Strong) << true;
        QTest::addRow("perhaps another client's dump") << 0 << 0 << static_cast<int>(Fit::Weak) << true;
        QTest::addRow("one of them works") << 0 << 0 << static_cast<int>(Fit::Strong) << false;
    }
    void noDeadlockIsSaidWhereAnotherExplanationIs() {
        QFETCH(int, contended);
        QFETCH(int, heldAt);
        QFETCH(int, fit);
        QFETCH(bool, bothWait);
        LockStore store;
        beginWatching(store);
        store.apply(heldBy("A", threadOf(26), std::chrono::seconds(heldAt)), {});
        store.apply(heldBy("B", threadOf(27), std::chrono::seconds(heldAt)), {});
        if (contended > 0)
            store.apply(heldBy("C", alice), {});
        contend(store, {"A", "B", "C"});
        const ClientDump dump =
            waiting(dumpOf({17, 26, 27}, static_cast<Fit>(fit)), bothWait ? QList<qint64>{26, 27} : QList<qint64>{26});
        (void)store.feed(DumpKnown{shared(dump), WallTime(40s)});
        QVERIFY(!diagnosisOf(store, "A", DiagnosisKind::Deadlock));
        QVERIFY(!diagnosisOf(store, "B", DiagnosisKind::Deadlock));
    }

    // Thousands of contended locks that change all the time cost no more for it.
    void nobodyIsNamedAmongManyContendedLocks() {
        LockStore store;
        store.apply(heldBy("mine", threadOf(17)), {});
        (void)store.feed(DumpKnown{shared(waiting(dumpOf({17, 26}), {17})), WallTime(21s)});
        QList<QByteArray> names{"mine"};
        for (int i = 0; i <= ThreadDumps::mostContended + 10; ++i) {
            names += QByteArray::number(i);
            store.apply(heldBy(names.last().constData(), alice), {});
        }
        contend(store, names);
        QVERIFY(verdictsOf(store, "mine").first().mayWaitFor.isEmpty());
        QVERIFY(verdictsOf(store, "7").isEmpty());
    }

    // ---- a replay shows the same ----

    void aStoreThatBeginsWithTheInputsHasTheVerdicts() {
        LockStore store;
        store.apply(heldBy("L", threadOf(17)), {});
        (void)store.feed(DumpKnown{shared(dumpOf({17, 26})), WallTime(21s)});
        PresentInputs present = store.presentInputs();
        LockStore second;
        for (size_t i = 0; i < present.size(); ++i)
            (void)second.feed(present.at(i));
        QCOMPARE(verdictsOf(second, "L").first().thread()->name, QStringLiteral("worker-17"));
    }

    // ---- when a dump was taken ----

    void theTimeOfADumpIsBoundedByTheClockOfThisMachine_data() {
        QTest::addColumn<bool>("isZoneGiven");
        QTest::addColumn<bool>("isFetched");
        QTest::addColumn<int>("readAt");  // seconds; -1: not known
        QTest::addColumn<QString>("taken");
        QTest::addRow("by the clock of the JVM's machine") << true << false << -1 << "990..1010";
        QTest::addRow("it was taken before it was read") << true << false << 1005 << "990..1005";
        QTest::addRow("a clock that is far ahead says nothing") << true << false << 900 << "?..900";
        QTest::addRow("it may be ahead by what clocks differ") << true << false << 995 << "990..995";
        QTest::addRow("an unknown zone") << false << false << 5000 << "?..5000";
        QTest::addRow("nothing is known") << false << false << -1 << "?..?";
        QTest::addRow("fetched by Lockkeeper") << false << true << 5000 << "700..710";
        QTest::addRow("fetched, whatever the JVM's clock says") << true << true << 5000 << "700..710";
    }
    void theTimeOfADumpIsBoundedByTheClockOfThisMachine() {
        QFETCH(bool, isZoneGiven);
        QFETCH(bool, isFetched);
        QFETCH(int, readAt);
        jvm::ThreadDump dump;
        dump.at = WallTime(1000s);
        dump.isZoneGiven = isZoneGiven;
        jvm::DumpClock clock;
        if (isFetched) {
            clock.askedAt = WallTime(700s);
            clock.receivedAt = WallTime(710s);
        }
        if (readAt >= 0)
            clock.readAt = WallTime(std::chrono::seconds(readAt));
        const DumpTime taken = jvm::takenTime(dump, clock);
        const auto text = [](const std::optional<WallTime>& at) {
            return at ? QString::number(
                            std::chrono::duration_cast<std::chrono::seconds>(at->time_since_epoch()).count())
                      : QStringLiteral("?");
        };
        QTEST(text(taken.earliest) + QStringLiteral("..") + text(taken.latest), "taken");
    }

    // ---- two dumps ----

    void comparesAThreadInTwoDumps_data() {
        QTest::addColumn<QString>("before");  // the line of the application, and what it calls; empty: no thread
        QTest::addColumn<QString>("after");
        QTest::addColumn<int>("change");
        const auto row = [](const char* name, const char* before, const char* after, jvm::ThreadChange change) {
            QTest::addRow("%s", name) << QString::fromLatin1(before) << QString::fromLatin1(after)
                                      << static_cast<int>(change);
        };
        row("the same stack", "7 read", "7 read", jvm::ThreadChange::SameStack);
        row("another call from the same line", "7 read", "7 write", jvm::ThreadChange::SameCode);
        row("another line", "7 read", "9 read", jvm::ThreadChange::Moved);
        row("ended", "7 read", "", jvm::ThreadChange::HasEnded);
        row("begun", "", "7 read", jvm::ThreadChange::HasBegun);
    }
    void comparesAThreadInTwoDumps() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        const auto dumpWith = [](const QString& text, qint64 newest) {
            jvm::ThreadDump dump;
            dump.javaVersion = 17;
            dump.isWhole = true;
            if (!text.isEmpty()) {
                jvm::JavaThread thread;
                thread.id = 20;
                thread.frames = {{QStringLiteral("java.io.Stream.") + text.section(u' ', 1), {}},
                                 {QStringLiteral("com.example.Jobs.run"), text.section(u' ', 0, 0)}};
                dump.threads.push_back(thread);
            }
            jvm::JavaThread other;
            other.id = newest;
            dump.threads.push_back(other);
            std::ranges::stable_sort(dump.threads, {}, &jvm::JavaThread::id);
            return dump;
        };
        const jvm::ThreadDump first = dumpWith(before, before.isEmpty() ? 10 : 30);
        const jvm::ThreadDump second = dumpWith(after, 30);
        QTEST(static_cast<int>(jvm::threadChange(first, second, 20)), "change");
    }

    // ---- from the bytes of a real JVM to the verdict ----

    void keepsWhatARealDumpShows() {
        QFile file(places::data() + QStringLiteral("/threads/jstack-17.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        Result<std::vector<jvm::ThreadDump>> dumps = jvm::threadDumpsIn(file.readAll(), QTimeZone::utc());
        QVERIFY(dumps);
        dumps.value().front().isZoneGiven = true;
        const WallTime at = dumps->front().at.value_or(WallTime());
        LockStore store;
        const auto apply = [&store, at](const char* name, qint64 thread) {
            LockSnapshot lock = heldBy(name, threadOf(thread));
            lock.seenAtWall = at - 60s;
            store.apply(lock, {});
        };
        apply("order:4711", 25);
        apply("payment", 20);
        std::vector<SharedRow> rows;
        for (const LockName& name : store.names())
            rows.push_back(std::make_shared<LockRow>(*store.row(name)));
        const jvm::DumpReading reading = jvm::readDumps(*dumps, rows, client, {});
        QCOMPARE(reading.kept.size(), size_t(1));
        (void)store.feed(DumpKnown{reading.kept.front(), at});
        const ThreadVerdict payment = verdictsOf(store, "payment").first();
        QCOMPARE(payment.thread()->activity.activity, Activity::ReadsSocket);
        QCOMPARE(payment.thread()->activity.code->place, QStringLiteral("Jobs.java:8"));
        QVERIFY(!payment.thread()->frames.empty());
        QCOMPARE(payment.taken, TakenWhen::DuringHold);
        const std::optional<Diagnosis> ended = diagnosisOf(store, "order:4711", DiagnosisKind::HolderThreadEnded);
        QVERIFY(ended);
        QCOMPARE(ended->certainty, Certainty::Certain);
    }

    // Little evidence for several clients is none.
    void twoClientsThatFitWeaklyGetNoDump() {
        QFile file(places::data() + QStringLiteral("/threads/jstack-17.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Result<std::vector<jvm::ThreadDump>> dumps = jvm::threadDumpsIn(file.readAll(), QTimeZone::utc());
        QVERIFY(dumps);
        std::vector<SharedRow> rows;
        for (const ClientId& whose : {client, bob.client()}) {
            LockRow row;
            row.lock = heldBy(whose == client ? "a" : "b", threadOf(17, whose));
            rows.push_back(std::make_shared<LockRow>(row));
        }
        const jvm::DumpReading reading = jvm::readDumps(*dumps, rows, std::nullopt, {});
        QCOMPARE(reading.matches.at(0).fit, Fit::Weak);
        QCOMPARE(reading.matches.at(1).fit, Fit::Weak);
        QVERIFY(reading.kept.empty());
        rows.pop_back();
        QCOMPARE(jvm::readDumps(*dumps, rows, std::nullopt, {}).kept.size(), size_t(1));
    }
};

LOCKKEEPER_TEST(TestThreadDumps, Guiless)

}  // namespace tst_threaddumps

#include "tst_threaddumps.moc"
