// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"
#include "jvm/holderthread.h"
#include "jvm/threadjson.h"
#include "support/places.h"
#include "support/testprogram.h"
#include "ui/words/threadtext.h"

#include <QFile>
#include <QTest>

#include <tuple>
#include <utility>

namespace tst_holderthread {

using namespace lockkeeper;
using namespace lockkeeper::jvm;
using monitor::HoldMode;
using monitor::LockKind;
using Role = ClientThreads::Role;

namespace {

const ClientId client(QByteArrayLiteral("97b87f0b-0c5d-4043-bd00-c2b44039227f"));
const ClientId otherClient(QByteArrayLiteral("11111111-0c5d-4043-bd00-c2b44039227f"));

std::vector<ThreadDump> dumpsNamed(const QString& name) {
    QFile file(test::places::data() + QStringLiteral("/threads/") + name);
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    const Result<std::vector<ThreadDump>> dumps = threadDumpsIn(bytes, QTimeZone::utc());
    return dumps ? *dumps : std::vector<ThreadDump>();
}

// Of a dump whose zone is known, so that it can be compared with the server's times.
std::vector<ThreadDump> datedDumps(const QString& name) {
    std::vector<ThreadDump> dumps = dumpsNamed(name);
    for (ThreadDump& dump : dumps)
        dump.isZoneGiven = true;
    return dumps;
}

// The same JVM, which has gone on.
ThreadDump later(ThreadDump dump, Milliseconds by) {
    dump.at = dump.at.value_or(WallTime()) + by;
    for (JavaThread& thread : dump.threads)
        thread.age = thread.age ? std::optional(*thread.age + by) : std::nullopt;
    return dump;
}

WallTime atTheDump() {
    return dumpsNamed(QStringLiteral("jstack-17.txt")).front().at.value_or(WallTime());
}

HolderId holder(qint64 thread, const ClientId& whose = client) {
    return {whose, ThreadId{thread}};
}

monitor::SharedRow held(const char* name, qint64 thread, LockKind kind = LockKind::Reentrant, int waiters = 0,
                        WallTime since = atTheDump() - std::chrono::seconds(30), const ClientId& whose = client) {
    monitor::LockRow row;
    row.lock.name = LockName(name);
    row.lock.kind = kind;
    row.lock.holders = {{holder(thread, whose)}};
    row.lock.waiters = waiters;
    row.lock.seenAtWall = atTheDump() + std::chrono::seconds(5);
    row.hold.sinceWall = since;
    return std::make_shared<monitor::LockRow>(row);
}

// As the server has had it: server-17.txt.
std::vector<monitor::SharedRow> server() {
    monitor::LockRow fair = *held("export:daily", 21, LockKind::Fair);
    fair.lock.fairQueue = {{holder(22), std::nullopt}};
    return {held("A", 26, LockKind::Reentrant, 1),    held("B", 27, LockKind::Reentrant, 1),
            held("async:job", 830040972163392702),    held("catalog:prices", 23, LockKind::ReadWrite, 1),
            std::make_shared<monitor::LockRow>(fair), held("order:4711", 25),
            held("payment:customer:17", 20),          held("report:weekly", 17, LockKind::Reentrant, 1)};
}

DumpReading read(std::vector<ThreadDump> dumps, const std::vector<monitor::SharedRow>& rows = server(),
                 const std::optional<ClientId>& given = std::nullopt, const DumpClock& clock = {}) {
    return readDumps(dumps, rows, given, {}, clock);
}

HolderThread of(const DumpReading& reading, const char* lock, Role role = Role::Holds) {
    for (const HolderThread& found : reading.holders)
        if (found.lock == LockName(lock) && found.role == role)
            return found;
    return {};
}

}  // namespace

class TestHolderThread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatEachThreadDoes_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("lock");
        QTest::addColumn<int>("role");
        QTest::addColumn<QString>("text");
        const auto add = [](const char* file, const char* lock, Role role, const char* text) {
            QTest::addRow("%s: %s", file, lock)
                << QString::fromLatin1(file) << QByteArray(lock) << static_cast<int>(role) << QString::fromLatin1(text);
        };
        add("jstack-17.txt", "report:weekly", Role::Holds,
            "Thread \"report-scheduler-1\" sleeps, in com.example.Jobs.sleep (Jobs.java:6).");
        add("jstack-17.txt", "payment:customer:17", Role::Holds,
            "Thread \"payment-worker-1\" is blocked in a read from a socket, in com.example.Jobs.query (Jobs.java:8).");
        add("jstack-17.txt", "export:daily", Role::Waits,
            "Thread \"fair-waiter\" waits for this lock, in com.example.Jobs.lambda$main$5 (Jobs.java:26).");
        add("jstack-17.txt", "A", Role::Holds,
            "Thread \"deadlock-a\" waits for another lock of Redisson: one of B, catalog:prices, report:weekly, in "
            "com.example.Jobs.lambda$main$9 (Jobs.java:30).");
        add("jstack-17.txt", "order:4711", Role::Holds,
            "Its thread has ended: nobody will release the lock while its client renews it.");
        add("jstack-17.txt", "async:job", Role::Holds,
            "Its number is no thread's: the program has made it up, as lockAsync(number) and reactive calls do.");
    }
    void saysWhatEachThreadDoes() {
        QFETCH(QString, file);
        QFETCH(QByteArray, lock);
        QFETCH(int, role);
        const DumpReading reading = read(datedDumps(file));
        QTEST(ui::threadText(of(reading, lock.constData(), static_cast<Role>(role))), "text");
    }

    void fitsByTheNumbersOfThreads() {
        const DumpReading reading = read(dumpsNamed(QStringLiteral("jstack-17.txt")));
        QCOMPARE(reading.matches.size(), 1U);
        QCOMPARE(reading.matches.front().fit, Fit::Strong);
        QCOMPARE(reading.matches.front().present, 7U);
        QCOMPARE(reading.matches.front().missing, 1U);
        QCOMPARE(reading.matches.front().noThreads, 1U);
    }

    // Low numbers are threads of every JVM.
    void doesNotFitTheDumpOfAnotherJvmThatHasTheNumbers() {
        const DumpReading reading = read(dumpsNamed(QStringLiteral("thread-dump-21-virtual.json")));
        QCOMPARE(reading.matches.front().fit, Fit::Contradicts);
        std::vector<monitor::SharedRow> some{held("a", 18), held("b", 23), held("c", 24), held("d", 16)};
        QCOMPARE(read(dumpsNamed(QStringLiteral("thread-dump-21-virtual.json")), some).matches.front().fit, Fit::Weak);
    }

    // The JVM may have been restarted since, with the same threads under another client.
    void fitsWeaklyLongAfterTheDump() {
        std::vector<monitor::SharedRow> rows;
        for (const monitor::SharedRow& row : server()) {
            monitor::LockRow later = *row;
            later.lock.seenAtWall = atTheDump() + std::chrono::hours(1);
            rows.push_back(std::make_shared<monitor::LockRow>(later));
        }
        QCOMPARE(read(dumpsNamed(QStringLiteral("jstack-17.txt")), rows).matches.front().fit, Fit::Weak);
    }

    // A hold of another JVM names a number that is the JVM's own here, or another thread's.
    void doesNotFitAnotherJvm_data() {
        QTest::addColumn<qint64>("thread");
        QTest::addColumn<int>("fit");
        QTest::addRow("a thread of the JVM itself") << qint64{2} << static_cast<int>(Fit::Contradicts);
        QTest::addRow("above the newest, and held at the dump") << qint64{4000} << static_cast<int>(Fit::Contradicts);
        QTest::addRow("one thread alone proves little") << qint64{17} << static_cast<int>(Fit::Weak);
        QTest::addRow("missing only") << qint64{25} << static_cast<int>(Fit::Contradicts);
    }
    void doesNotFitAnotherJvm() {
        QFETCH(qint64, thread);
        const WallTime longAgo = atTheDump() - std::chrono::hours(1);
        // Its thread is younger than the hold in one case; here the others decide.
        const bool isYoung = thread == 17;
        const WallTime since = isYoung ? atTheDump() - std::chrono::seconds(10) : longAgo;
        const DumpReading reading = read(datedDumps(QStringLiteral("jstack-17.txt")),
                                         {held("x", thread, LockKind::Reentrant, 0, since, otherClient)});
        QTEST(static_cast<int>(reading.matches.front().fit), "fit");
    }

    void aThreadYoungerThanItsHoldIsAnothers() {
        const WallTime before = atTheDump() - std::chrono::hours(1);
        const DumpReading reading = read(datedDumps(QStringLiteral("jstack-17.txt")),
                                         {held("x", 17, LockKind::Reentrant, 0, before, otherClient)});
        QCOMPARE(reading.matches.front().fit, Fit::Contradicts);
        QVERIFY(reading.holders.empty());
    }

    void takesTheUsersWordForTheClient() {
        const DumpReading reading = read(
            datedDumps(QStringLiteral("jstack-17.txt")),
            {held("x", 25, LockKind::Reentrant, 0, atTheDump() - std::chrono::seconds(10), otherClient)}, otherClient);
        QCOMPARE(reading.matches.front().fit, Fit::Given);
        QCOMPARE(of(reading, "x").fate, Fate::Ended);
        QCOMPARE(of(reading, "x").certainty, Certainty::Certain);
    }

    // Only a dump that must have the thread shows for certain that it has ended.
    void isCertainOnlyOfAThreadThatTheDumpMustHave_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<qint64>("since");  // seconds before the dump
        QTest::addColumn<bool>("isDated");
        QTest::addColumn<int>("fate");
        QTest::addColumn<bool>("isCertain");
        const auto row = [](const char* name, const char* file, qint64 since, bool isDated, Fate fate, bool certain) {
            QTest::addRow("%s", name) << QString::fromLatin1(file) << since << isDated << static_cast<int>(fate)
                                      << certain;
        };
        row("taken while it held", "jstack-17.txt", 30, true, Fate::Ended, true);
        row("taken before it began to hold", "jstack-17.txt", -30, true, Fate::Later, false);
        row("taken in an unknown zone", "jstack-17.txt", 30, false, Fate::Ended, false);
        row("a JVM that may have virtual threads", "jstack-21-virtual.txt", 30, true, Fate::NotInDump, false);
    }
    void isCertainOnlyOfAThreadThatTheDumpMustHave() {
        QFETCH(QString, file);
        QFETCH(qint64, since);
        QFETCH(bool, isDated);
        std::vector<ThreadDump> dumps = isDated ? datedDumps(file) : dumpsNamed(file);
        const WallTime at = dumps.front().at.value_or(WallTime());
        const DumpReading reading =
            read(std::move(dumps), {held("x", 25, LockKind::Reentrant, 0, at - std::chrono::seconds(since))}, client);
        QTEST(static_cast<int>(of(reading, "x").fate), "fate");
        QTEST(of(reading, "x").certainty == Certainty::Certain, "isCertain");
    }

    // A clock of the JVM's machine that is hours ahead, or a zone that is not its own.
    void aDumpOfTheFutureIsNotOfThisHold_data() {
        QTest::addColumn<int>("ahead");  // of its reading, in seconds
        QTest::addColumn<bool>("isAhead");
        QTest::addRow("nine hours") << 9 * 3600 << true;
        QTest::addRow("more than clocks differ") << 11 << true;
        QTest::addRow("no more than clocks differ") << 10 << false;
        QTest::addRow("read afterwards") << -30 << false;
    }
    void aDumpOfTheFutureIsNotOfThisHold() {
        QFETCH(int, ahead);
        QFETCH(bool, isAhead);
        const WallTime at = atTheDump();
        DumpClock clock;
        clock.readAt = at - std::chrono::seconds(ahead);
        const DumpReading reading =
            read(datedDumps(QStringLiteral("jstack-17.txt")),
                 {held("x", 25, LockKind::Reentrant, 0, at - std::chrono::hours(10))}, client, clock);
        QCOMPARE(reading.isTimeAhead, isAhead);
        QCOMPARE(of(reading, "x").fate, Fate::Ended);
        QCOMPARE(of(reading, "x").certainty, isAhead ? Certainty::Likely : Certainty::Certain);
        QCOMPARE(of(reading, "x").taken, isAhead ? TakenWhen::NotKnown : TakenWhen::DuringHold);
        const QByteArray json = toJsonLine(reading.matches.front(), dumpsNamed(QStringLiteral("jstack-17.txt")).front(),
                                           reading.isTimeAhead);
        QCOMPARE(json.contains("\"taken_ahead\":true"), isAhead);
    }
    void theNameOfTheProgramIsBesideTheKey() {
        HolderThread thread;
        thread.lock = LockName("app:job");
        QVERIFY(toJsonLine(thread, {QByteArrayLiteral("app:"), {}}).contains("\"program_name\":\"job\""));
        QVERIFY(!toJsonLine(thread, {QByteArrayLiteral("x:"), {}}).contains("program_name"));
    }
    void theTextSaysHowSureItIs() {
        HolderThread thread;
        thread.fate = Fate::Ended;
        thread.certainty = Certainty::Certain;
        QVERIFY(ui::surenessText(thread).endsWith(QStringLiteral(" (certain)")));
        thread.certainty = Certainty::Likely;
        QVERIFY(ui::surenessText(thread).endsWith(QStringLiteral(" (likely)")));
        thread.fate = Fate::Later;  // says nothing of it
        QCOMPARE(ui::surenessText(thread), ui::threadText(thread));
    }

    void saysNothingAboutAThreadThatTheDumpMayLack() {
        std::vector<ThreadDump> cut = datedDumps(QStringLiteral("jstack-17.txt"));
        cut.front().isWhole = false;
        QCOMPARE(of(read(cut), "order:4711").fate, Fate::NotInDump);
        std::vector<ThreadDump> whole = datedDumps(QStringLiteral("jstack-17.txt"));
        const DumpReading later = read(
            std::move(whole), {held("x", 40, LockKind::Reentrant, 0, atTheDump() + std::chrono::seconds(90))}, client);
        QCOMPARE(of(later, "x").fate, Fate::Later);
    }

    void saysWhatHasNotMovedBetweenTwoDumps() {
        std::vector<ThreadDump> dumps = datedDumps(QStringLiteral("jstack-17.txt"));
        dumps.push_back(later(dumps.front(), std::chrono::seconds(10)));
        const DumpReading reading = read(std::move(dumps));
        QCOMPARE(reading.jvms, 1U);
        QCOMPARE(of(reading, "payment:customer:17").dumpsWithSameFrames, 2U);
        QVERIFY(ui::threadText(of(reading, "payment:customer:17")).endsWith(QStringLiteral("in the last 2 dumps.")));
    }

    // The same dump twice, and dumps of different JVMs, show nothing about the time between them.
    void comparesOnlyLaterDumpsOfOneJvm() {
        const ThreadDump first = datedDumps(QStringLiteral("jstack-17.txt")).front();
        QCOMPARE(of(read({first, first}), "payment:customer:17").dumpsWithSameFrames, 1U);
        ThreadDump restarted = first;
        restarted.at = *first.at + std::chrono::seconds(60);  // with threads as young as before
        const DumpReading reading = read({first, restarted});
        QCOMPARE(of(reading, "payment:customer:17").dumpsWithSameFrames, 1U);
        QCOMPARE(reading.jvms, 2U);
        ThreadDump other = later(first, std::chrono::seconds(10));
        std::tie(restarted.processId, other.processId) = std::pair(1, 2);
        QCOMPARE(of(read({restarted, other}), "payment:customer:17").dumpsWithSameFrames, 1U);
    }

    // Of a file with two JVMs the one that fits is read, also if it is not the last one.
    void readsTheDumpThatFits() {
        const ThreadDump fitting = datedDumps(QStringLiteral("jstack-17.txt")).front();
        ThreadDump other = datedDumps(QStringLiteral("jstack-21-virtual.txt")).front();
        other.threads.resize(5);
        const DumpReading reading = read({fitting, other});
        QCOMPARE(reading.jvms, 2U);
        QCOMPARE(reading.matches.front().dump, 0U);
        QCOMPARE(of(reading, "report:weekly").thread, QStringLiteral("report-scheduler-1"));
    }

    // Replicas of a service have equal numbers of threads.
    void numbersThatOtherClientsHaveShowLittle() {
        std::vector<monitor::SharedRow> rows;
        const WallTime since = atTheDump() - std::chrono::seconds(10);
        for (const ClientId& whose : {client, otherClient}) {
            for (const qint64 thread : {17, 20, 21, 23, 25})
                rows.push_back(held(whose == client ? "a" : "b", thread, LockKind::Reentrant, 0, since, whose));
        }
        const DumpReading reading = read(datedDumps(QStringLiteral("jstack-17.txt")), rows);
        QCOMPARE(reading.matches.at(0).fit, Fit::Weak);
        QCOMPARE(reading.matches.at(1).fit, Fit::Weak);
        QVERIFY(reading.kept.empty());
        for (const HolderThread& found : reading.holders) {
            if (found.fate == Fate::Ended)
                QCOMPARE(found.certainty, Certainty::Suspected);
        }
        QVERIFY(std::ranges::any_of(reading.holders, [](const auto& found) { return found.fate == Fate::Ended; }));
    }

    // A dump of Java 21 has no virtual threads, so it may be of a client that has only those.
    void aClientOfVirtualThreadsIsNotContradicted() {
        const DumpReading reading = read(datedDumps(QStringLiteral("jstack-21-virtual.txt")), {held("x", 25)});
        QCOMPARE(reading.matches.front().fit, Fit::Weak);
        QCOMPARE(of(reading, "x").fate, Fate::NotInDump);
    }

    // An asynchronous call may lock in a thread of Redisson.
    void aThreadOfRedissonMayHold() {
        const DumpReading reading = read(datedDumps(QStringLiteral("jstack-17.txt")), {held("x", 13)});
        QCOMPARE(reading.matches.front().fit, Fit::Weak);
        QCOMPARE(of(reading, "x").thread, QStringLiteral("redisson-netty-1-1"));
    }

    void aDumpOfTheFutureIsNotRecent() {
        std::vector<ThreadDump> dumps = dumpsNamed(QStringLiteral("jstack-17.txt"));
        dumps.front().at = *dumps.front().at + std::chrono::years(70);
        QCOMPARE(read(std::move(dumps)).matches.front().fit, Fit::Weak);
    }

    // What contradicts the client outweighs that somebody has named it, or has asked for its dump.
    void toldClients_data() {
        QTest::addColumn<QList<qint64>>("threads");
        QTest::addColumn<int>("fitOfNamed");
        QTest::addColumn<int>("fitOfAsked");
        const auto row = [](const char* name, const QList<qint64>& threads, Fit named, Fit asked) {
            QTest::addRow("%s", name) << threads << static_cast<int>(named) << static_cast<int>(asked);
        };
        row("all are there", {17, 20}, Fit::Given, Fit::Strong);
        row("one of two has ended", {17, 25}, Fit::Given, Fit::Strong);
        row("all are missing", {25}, Fit::Given, Fit::Weak);
        row("a thread of the JVM itself", {17, 20, 2}, Fit::Contradicts, Fit::Contradicts);
    }
    void toldClients() {
        QFETCH(QList<qint64>, threads);
        std::vector<monitor::SharedRow> rows;
        for (const qint64 thread : threads)
            rows.push_back(held("x", thread, LockKind::Reentrant, 0, atTheDump() - std::chrono::seconds(10)));
        const std::vector<ThreadDump> dumps = datedDumps(QStringLiteral("jstack-17.txt"));
        const DumpReading named = readDumps(dumps, rows, client, {}, {}, ClientBy::User);
        const DumpReading asked = readDumps(dumps, rows, client, {}, {}, ClientBy::Asked);
        QTEST(static_cast<int>(named.matches.front().fit), "fitOfNamed");
        QTEST(static_cast<int>(asked.matches.front().fit), "fitOfAsked");
        QCOMPARE(named.kept.empty(), named.matches.front().fit == Fit::Contradicts);
        QCOMPARE(asked.kept.empty(), asked.matches.front().fit == Fit::Contradicts);
    }

    void namesTheLockThatAThreadWaitsForIfThereIsOneOnly() {
        const DumpReading reading = read(
            datedDumps(QStringLiteral("jstack-17.txt")),
            {held("A", 26, LockKind::Reentrant, 0), held("B", 27, LockKind::Reentrant, 1), held("report:weekly", 17)});
        QCOMPARE(of(reading, "A").mayWaitFor, QList<LockName>{LockName("B")});
    }

    void holdersOfOtherProgramsHaveNoThreads() {
        monitor::LockRow row = *held("x", 1);
        row.lock.holders = {{HolderId::parseAny("svc:1").value_or(HolderId())}};
        const std::vector<monitor::SharedRow> rows{std::make_shared<monitor::LockRow>(row)};
        QVERIFY(clientThreadsIn(rows).empty());
    }
};

LOCKKEEPER_TEST(TestHolderThread, Guiless)

}  // namespace tst_holderthread

#include "tst_holderthread.moc"
