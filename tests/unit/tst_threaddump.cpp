// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"
#include "jvm/jvmcause.h"
#include "jvm/threadactivity.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QFile>
#include <QProcess>
#include <QStringConverter>
#include <QTest>

namespace tst_threaddump {

using namespace lockkeeper;
using namespace lockkeeper::jvm;

namespace {

QByteArray fileNamed(const QString& name) {
    QFile file(test::places::data() + QStringLiteral("/threads/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<ThreadDump> dumpsIn(const QByteArray& text) {
    const Result<std::vector<ThreadDump>> dumps = threadDumpsIn(text, QTimeZone::utc());
    return dumps ? *dumps : std::vector<ThreadDump>();
}

// One thread of a dump of HotSpot.
QByteArray threadText(const QByteArray& header) {
    return "2026-11-29 16:33:54\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n" + header +
           "\n   java.lang.Thread.State: RUNNABLE\n\tat com.example.A.b(A.java:1)\n\nJNI global refs: 14, weak refs: 0\n";
}

const QByteArray actuatorJson = R"({"threads":[{"threadName":"http-nio-8080-exec-3","threadId":33,"blockedTime":-1,
 "lockName":"java.util.concurrent.Semaphore$NonfairSync@1a2b","lockInfo":{"className":"java.util.concurrent.Semaphore$NonfairSync","identityHashCode":1},
 "daemon":true,"threadState":"TIMED_WAITING","stackTrace":[
 {"methodName":"park","fileName":"Unsafe.java","lineNumber":-2,"className":"jdk.internal.misc.Unsafe","nativeMethod":true},
 {"methodName":"lock","fileName":"RedissonLock.java","lineNumber":131,"className":"org.redisson.RedissonLock","nativeMethod":false},
 {"methodName":"pay","fileName":"Payments.java","lineNumber":7,"className":"shop.Payments","nativeMethod":false}]}]})";

const QByteArray actuatorText = R"(2026-11-29 16:33:54
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

"http-nio-8080-exec-3" - Thread t@33
   java.lang.Thread.State: TIMED_WAITING
	at java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)
	- parking to wait for <1a2b> (a java.util.concurrent.Semaphore$NonfairSync)
	at app//org.redisson.RedissonLock.lock(RedissonLock.java:131)
	at app//shop.Payments.pay(Payments.java:7)

   Locked ownable synchronizers:
	- None
)";

const QByteArray arthasThread = R"([arthas@1234]$ thread 33
"http-nio-8080-exec-3" Id=33 TIMED_WAITING on java.util.concurrent.Semaphore$NonfairSync@1a2b
    at java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)
    -  waiting on java.util.concurrent.Semaphore$NonfairSync@1a2b
    at org.redisson.RedissonLock.lock(RedissonLock.java:131)
    at shop.Payments.pay(Payments.java:7)
)";

const QByteArray fileText = R"(4711
2026-11-29T16:35:27.701674783Z
21.0.4+7-LTS

#1 "main"
      java.base/java.lang.Thread.sleep0(Native Method)
      shop.Main.main(Main.java:3)

#33 "http-nio-8080-exec-3" virtual
      java.base/java.lang.VirtualThread.park(VirtualThread.java:596)
      org.redisson.RedissonLock.lock(RedissonLock.java:131)
      shop.Payments.pay(Payments.java:7)
      java.base/java.lang.VirtualThread.run(VirtualThread.java:309)

)";

const QByteArray javacore = R"(0SECTION       TITLE subcomponent dump routine
1TIDATETIME    Date: 2026/11/29 at 16:33:54:123
1CIJAVAVERSION JRE 17 Linux amd64-64 (build 17.0.9+9)
1CIPROCESSID   Process ID: 4711 (0x1267)
3XMTHREADINFO      "http-nio-8080-exec-3" J9VMThread:0x00000000016E5500, omrthread_t:0x00007F, java/lang/Thread:0x00000007, state:CW, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x21, isDaemon:true)
3XMJAVALTHRCCL            sun/misc/Launcher$AppClassLoader(0x00000007)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at jdk/internal/misc/Unsafe.park(Native Method)
4XESTACKTRACE                at org/redisson/RedissonLock.lock(RedissonLock.java:131(Compiled Code))
4XESTACKTRACE                at shop/Payments.pay(Payments.java:7(Compiled Code))
1XMEND         ========
)";

QByteArray packed(const QByteArray& bytes) {
    QProcess gzip;
    gzip.start(QStringLiteral("gzip"), {QStringLiteral("-c")});
    gzip.write(bytes);
    gzip.closeWriteChannel();
    return gzip.waitForFinished() ? gzip.readAllStandardOutput() : QByteArray();
}

}  // namespace

class TestThreadDump : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTheDumpsOfARealClient_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<qint64>("id");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("activity");
        QTest::addColumn<QString>("code");
        struct Row {
            const char* file;
            qint64 id;
            const char* name;
            Activity activity;
            const char* code;
        };
        const QList<Row> rows{
            {"jstack-17.txt", 17, "report-scheduler-1", Activity::Sleeps, "com.example.Jobs.sleep"},
            {"jstack-17.txt", 18, "http-nio-8080-exec-3", Activity::WaitsForRedisson, "com.example.Jobs.lambda$main$1"},
            {"jstack-17.txt", 20, "payment-worker-1", Activity::ReadsSocket, "com.example.Jobs.query"},
            {"jstack-17.txt", 22, "fair-waiter", Activity::WaitsForRedisson, "com.example.Jobs.lambda$main$5"},
            {"jstack-17.txt", 28, "sem-waiter", Activity::WaitsForRedisson, "com.example.Jobs.lambda$main$11"},
            {"jstack-17.txt", 15, "redisson-3-1", Activity::Idle, ""},
            {"thread-print-17.txt", 17, "report-scheduler-1", Activity::Sleeps, "com.example.Jobs.sleep"},
            {"thread-print-17.txt", 26, "deadlock-a", Activity::WaitsForRedisson, "com.example.Jobs.lambda$main$9"},
            {"stdout-with-dump-17.txt", 24, "catalog-writer", Activity::WaitsForRedisson,
             "com.example.Jobs.lambda$main$7"},
            {"thread-dump-21-virtual.json", 18, "report-scheduler-1", Activity::Sleeps, "com.example.Jobs.sleep"},
            {"thread-dump-21-virtual.json", 24, "payment-worker-1", Activity::ReadsSocket, "com.example.Jobs.query"},
            {"thread-dump-21-virtual.json", 30, "fair-waiter", Activity::WaitsForRedisson,
             "com.example.Jobs.lambda$main$5"}};
        for (const Row& row : rows)
            QTest::addRow("%s: %s", row.file, row.name)
                << QString::fromLatin1(row.file) << row.id << QString::fromLatin1(row.name)
                << static_cast<int>(row.activity) << QString::fromLatin1(row.code);
    }
    void readsTheDumpsOfARealClient() {
        QFETCH(QString, file);
        QFETCH(qint64, id);
        const std::vector<ThreadDump> dumps = dumpsIn(fileNamed(file));
        QCOMPARE(dumps.size(), 1U);
        QVERIFY(dumps.front().isWhole);
        const JavaThread* thread = dumps.front().thread(id);
        QVERIFY(thread);
        QTEST(thread->name, "name");
        const ThreadActivity found = activityOf(*thread);
        QTEST(static_cast<int>(found.activity), "activity");
        QTEST(found.code ? found.code->method : QString(), "code");
    }

    void saysWhenAndByWhichJvm() {
        const ThreadDump hotSpot = dumpsIn(fileNamed(QStringLiteral("thread-print-17.txt"))).front();
        QCOMPARE(hotSpot.at, WallTime(std::chrono::sys_days(std::chrono::November / 29 / 2026)) +
                                 std::chrono::hours(16) + std::chrono::minutes(33) + std::chrono::seconds(55));
        QVERIFY(!hotSpot.isZoneGiven);
        QCOMPARE(hotSpot.javaVersion, 17);
        QCOMPARE(hotSpot.processId, 11823);
        QVERIFY(hotSpot.hasAllThreads());
        const ThreadDump json = dumpsIn(fileNamed(QStringLiteral("thread-dump-21-virtual.json"))).front();
        QVERIFY(json.isZoneGiven);
        QCOMPARE(json.processId, 15459);
        QVERIFY(json.hasAllThreads());
    }

    void hasNoVirtualThreadsInJstackOfNewJvms() {
        const ThreadDump dump = dumpsIn(fileNamed(QStringLiteral("jstack-21-virtual.txt"))).front();
        QCOMPARE(dump.javaVersion, 21);
        QVERIFY(!dump.thread(18));
        QVERIFY(!dump.hasAllThreads());
    }

    void readsTheFormsOfOtherTools_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("form");
        QTest::addColumn<bool>("hasAllThreads");
        QTest::addRow("Actuator, JSON") << actuatorJson << static_cast<int>(DumpForm::Actuator) << false;
        QTest::addRow("Actuator, text") << actuatorText << static_cast<int>(DumpForm::Actuator) << false;
        QTest::addRow("Arthas") << arthasThread << static_cast<int>(DumpForm::ThreadInfo) << false;
        QTest::addRow("dump_to_file, text") << fileText << static_cast<int>(DumpForm::DumpToFile) << false;
        QTest::addRow("javacore") << javacore << static_cast<int>(DumpForm::Javacore) << true;
        QTest::addRow("packed") << packed(fileText) << static_cast<int>(DumpForm::DumpToFile) << false;
        QTest::addRow("CRLF") << QByteArray(actuatorText).replace("\n", "\r\n") << static_cast<int>(DumpForm::Actuator)
                              << false;
    }
    void readsTheFormsOfOtherTools() {
        QFETCH(QByteArray, text);
        const std::vector<ThreadDump> dumps = dumpsIn(text);
        QCOMPARE(dumps.size(), 1U);
        QTEST(static_cast<int>(dumps.front().form), "form");
        QTEST(dumps.front().hasAllThreads(), "hasAllThreads");
        const JavaThread* thread = dumps.front().thread(33);
        QVERIFY(thread);
        QCOMPARE(thread->name, QStringLiteral("http-nio-8080-exec-3"));
        const ThreadActivity found = activityOf(*thread);
        QCOMPARE(found.activity, Activity::WaitsForRedisson);
        QCOMPARE(found.call, RedissonCall::Lock);
        QCOMPARE(found.code, (Frame{QStringLiteral("shop.Payments.pay"), QStringLiteral("Payments.java:7")}));
    }

    void readsArthassTable() {
        const std::vector<ThreadDump> dumps = dumpsIn(
            "ID   NAME                 GROUP   PRIORITY  STATE          %CPU  DELTA_TIME TIME\n"
            "-1   C2 CompilerThread0   -       -1        -              1.6   0.003      0:0.3\n"
            "17   report scheduler 1   main    5         TIMED_WAITING  0.0   0.000      0:0.0\n");
        QCOMPARE(dumps.size(), 1U);
        QCOMPARE(dumps.front().thread(17)->name, QStringLiteral("report scheduler 1"));
        QCOMPARE(dumps.front().thread(17)->state, ThreadState::TimedWaiting);
        const std::vector<ThreadDump> narrow =
            dumpsIn("17   report scheduler 1   main    5         TIMED_WA  0.0   0.000      0:0.0\n");
        QCOMPARE(narrow.front().thread(17)->state, ThreadState::TimedWaiting);
    }

    void readsHeaders_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<qint64>("id");
        QTest::addColumn<QString>("name");
        const QByteArray rest = " prio=5 os_prio=0 cpu=1.00ms elapsed=2.50s tid=0x0a nid=0x1 runnable  [0x0b]";
        QTest::addRow("plain") << "\"worker\" #17" + rest << qint64{17} << "worker";
        QTest::addRow("daemon, Java 21") << "\"worker\" #17 [4711] daemon" + rest << qint64{17} << "worker";
        QTest::addRow("Java 8") << QByteArray("\"worker\" #17 prio=5 os_prio=0 tid=0x0a nid=0x1 runnable [0x0b]")
                                << qint64{17} << "worker";
        QTest::addRow("quotes in the name") << "\"a \"b\" c\" #17" + rest << qint64{17} << "a \"b\" c";
        QTest::addRow("a number in the name") << "\"pool #3\" #17" + rest << qint64{17} << "pool #3";
        QTest::addRow("a header in the name")
            << "\"x\" #3 prio=5 tid=0x\" #17" + rest << qint64{17} << "x\" #3 prio=5 tid=0x";
        QTest::addRow("a line end in the name") << "\"a\nb\" #17" + rest << qint64{17} << "a\nb";
        QTest::addRow("numbers as a German machine has them, and a header in the name")
            << QByteArray(
                   "\"x\" #3 prio=5 tid=0x\" #17 prio=5 os_prio=0 cpu=0,11ms elapsed=2,50s tid=0x0a nid=0x1 runnable")
            << qint64{17} << "x\" #3 prio=5 tid=0x";
    }
    void readsHeaders() {
        QFETCH(QByteArray, header);
        QFETCH(qint64, id);
        const ThreadDump dump = dumpsIn(threadText(header)).front();
        QVERIFY(dump.thread(id));
        QTEST(dump.thread(id)->name, "name");
        QCOMPARE(dump.thread(id)->frames.size(), 1U);
    }

    void readsAnAgeAsAGermanMachineHasIt() {
        const ThreadDump dump = dumpsIn(threadText("\"w\" #17 prio=5 cpu=0,11ms elapsed=2,06s tid=0x1")).front();
        QCOMPARE(dump.thread(17)->age, Milliseconds(2060));
    }

    // A thread whose header cannot be read may be any, so the dump does not show that one is missing.
    void isNotWholeWithoutAHeader_data() {
        QTest::addColumn<QByteArray>("before");  // within jstack-17.txt
        QTest::addColumn<QByteArray>("after");
        const QByteArray header = "\"report-scheduler-1\" #17 ";
        QTest::addRow("a name of many lines") << header << "\"report" + QByteArray("\n").repeated(6) + "\" #17 ";
        QTest::addRow("a name of 5,000 characters") << header << '"' + QByteArray(5000, 'x') + "\" #17 ";
        QTest::addRow("a line of a log before it") << header << "order 4711 is paid " + header;
        QTest::addRow("without its begin") << header << QByteArray("scheduler-1\" #17 ");
        QTest::addRow("a forged one within the name, and none that is known")
            << header << QByteArray("\"x\" #3 prio=5 tid=0x0 \" #17 new=1 ");
    }
    void isNotWholeWithoutAHeader() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const QByteArray text = fileNamed(QStringLiteral("jstack-17.txt"));
        QVERIFY(text.contains(before));
        const ThreadDump whole = dumpsIn(text).front();
        for (const bool isCounted : {true, false}) {  // Java 8 does not count its threads
            QByteArray changed = QByteArray(text).replace(before, after);
            if (!isCounted)
                changed.replace("_java_thread_list=", "");
            const ThreadDump dump = dumpsIn(changed).front();
            QVERIFY(!dump.isWhole);
            // Its frames are not those of the thread before.
            for (const JavaThread& thread : dump.threads) {
                if (thread.id && whole.thread(*thread.id))
                    QVERIFY(thread.frames.size() <= whole.thread(*thread.id)->frames.size());
            }
        }
    }

    void isNotWholeWithFewerThreadsThanItCounts() {
        QByteArray text = fileNamed(QStringLiteral("jstack-17.txt"));
        const qsizetype at = text.indexOf("\"report-scheduler-1\"");
        const qsizetype next = text.indexOf("\n\n", at) + 2;
        QVERIFY(!dumpsIn(text.remove(at, next - at)).front().isWhole);
    }

    // A logger may leave out zeros at the end of a second.
    void isNotWholeWhenAPrefixIsShorter() {
        QByteArray prefixed;
        for (const QByteArray& line : fileNamed(QStringLiteral("jstack-17.txt")).split('\n')) {
            const bool isShort = line.startsWith("\"report-scheduler-1");
            prefixed += (isShort ? "16:33:54.12 " : "16:33:54.123 ") + line + '\n';
        }
        const ThreadDump dump = dumpsIn(prefixed).front();
        QVERIFY(dump.thread(18));
        QVERIFY(dump.thread(17) || !dump.isWhole);
    }

    void readsTheNameOfAnyJvm() {
        const QByteArray text = fileNamed(QStringLiteral("jstack-17.txt"))
                                    .replace("OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1",
                                             "Java HotSpot(TM) 64-Bit Server VM (17.0.9+11-LTS-201");
        const ThreadDump dump = dumpsIn(text).front();
        QCOMPARE(dump.jvm, QStringLiteral("Java HotSpot(TM) 64-Bit Server VM 17.0.9+11-LTS-201"));
        QCOMPARE(dump.javaVersion, 17);
        QVERIFY(dump.hasAllThreads());
    }

    void readsOtherEncodings_data() {
        QTest::addColumn<QByteArray>("file");
        const QString text = QString::fromUtf8(fileText);
        QStringEncoder utf16(QStringEncoder::Utf16LE, QStringConverter::Flag::WriteBom);
        QTest::addRow("UTF-16") << QByteArray(utf16(text));
        QTest::addRow("two members of gzip")
            << packed(fileText.first(fileText.size() / 2)) + packed(fileText.sliced(fileText.size() / 2));
        QTest::addRow("a log whose first line is JSON") << "{\"level\":\"info\"}\n" + fileText;
        QTest::addRow("JSON behind many blanks") << QByteArray(300, ' ') + actuatorJson;
    }
    void readsOtherEncodings() {
        QFETCH(QByteArray, file);
        const std::vector<ThreadDump> dumps = dumpsIn(file);
        QCOMPARE(dumps.size(), 1U);
        QVERIFY(dumps.front().thread(33));
        QCOMPARE(activityOf(*dumps.front().thread(33)).activity, Activity::WaitsForRedisson);
    }

    // Others only wait for an answer of the server.
    void knowsTheCallsThatWaitForALock_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<RedissonCall>("call");
        QTest::addRow("lock") << "RedissonLock.lock" << RedissonCall::Lock;
        QTest::addRow("tryLock") << "RedissonFairLock.tryLock" << RedissonCall::Lock;
        QTest::addRow("with a token") << "RedissonFencedLock.lockAndGetToken" << RedissonCall::Lock;
        QTest::addRow("unlock") << "RedissonBaseLock.unlock" << RedissonCall::Other;
        QTest::addRow("a count") << "RedissonLock.getHoldCount" << RedissonCall::Other;
        QTest::addRow("a question") << "RedissonLock.isHeldByCurrentThread" << RedissonCall::Other;
        QTest::addRow("a force") << "RedissonLock.forceUnlock" << RedissonCall::Other;
        QTest::addRow("acquire") << "RedissonSemaphore.tryAcquire" << RedissonCall::Semaphore;
        QTest::addRow("release") << "RedissonSemaphore.release" << RedissonCall::Other;
        QTest::addRow("await") << "RedissonCountDownLatch.await" << RedissonCall::Latch;
        QTest::addRow("count down") << "RedissonCountDownLatch.countDown" << RedissonCall::Other;
        QTest::addRow("unlock of a multi lock") << "RedissonMultiLock.unlock" << RedissonCall::Other;
    }
    void knowsTheCallsThatWaitForALock() {
        QFETCH(QString, method);
        JavaThread thread;
        thread.state = ThreadState::Waiting;
        thread.frames = {{QStringLiteral("jdk.internal.misc.Unsafe.park"), {}},
                         {QStringLiteral("org.redisson.") + method, {}},
                         {QStringLiteral("shop.Payments.pay"), {}}};
        QCOMPARE(activityOf(thread).activity, Activity::WaitsForRedisson);
        QTEST(*activityOf(thread).call, "call");
    }

    void takesNoTimeThatNoClockHas_data() {
        QTest::addColumn<QByteArray>("dump");
        const QByteArray hotSpot =
            "%1 16:33:54\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n"
            "\"w\" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=%2s tid=0x1 nid=0x1 runnable  [0x1]\n"
            "   java.lang.Thread.State: RUNNABLE\n";
        QTest::addRow("a day") << QByteArray(hotSpot).replace("%1", "9826-11-29").replace("%2", "27041531635");
        QTest::addRow("no day") << QByteArray(hotSpot).replace("%1", "2026-99-99").replace("%2", "1.2.3");
        QTest::addRow("an age") << QByteArray(hotSpot).replace("%1", "9826-11-29").replace("%2", QByteArray(400, '9'));
        QTest::addRow("JSON") << QByteArray(
            R"({"threadDump":{"processId":"1","time":"9826-11-29T16:33:54Z","runtimeVersion":"21.0.1",)"
            R"("threadContainers":[{"container":"<root>","threads":[{"tid":"1","name":"w","stack":[]}]}]}})");
        QTest::addRow("javacore") << QByteArray(
            "1TIDATETIME    Date:                 9826/11/29 at 16:33:54\n"
            "3XMTHREADINFO      \"w\" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:R, prio=5\n"
            "3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)\n");
    }
    void takesNoTimeThatNoClockHas() {
        QFETCH(QByteArray, dump);
        const ThreadDump read = dumpsIn(dump).front();
        QVERIFY(!read.at);
        QVERIFY(read.thread(1));
        QVERIFY(!read.thread(1)->age);
    }

    void readsSeveralDumpsOfOneFile() {
        const QByteArray text = fileNamed(QStringLiteral("stdout-with-dump-17.txt"));
        QCOMPARE(dumpsIn(text + "order 4711 is paid\n" + text).size(), 2U);
    }

    void readsDumpsBehindThePrefixOfALogger() {
        const QByteArray text = fileNamed(QStringLiteral("jstack-17.txt"));
        QByteArray prefixed;
        for (const QByteArray& line : text.split('\n'))
            prefixed += "app-1  | " + line + '\n';
        const std::vector<ThreadDump> dumps = dumpsIn(prefixed);
        QCOMPARE(dumps.size(), 1U);
        QVERIFY(dumps.front().thread(17));
        QCOMPARE(activityOf(*dumps.front().thread(17)).activity, Activity::Sleeps);
    }

    // A thread may be missing only because the file ends before it.
    void isNotWholeWhenCut() {
        const QByteArray text = fileNamed(QStringLiteral("jstack-17.txt"));
        for (qsizetype length = 0; length < text.size() - 20; length += 97) {
            for (const ThreadDump& dump : dumpsIn(text.first(length)))
                QVERIFY2(!dump.isWhole, QByteArray::number(length).constData());
        }
        QVERIFY(dumpsIn(text).front().isWhole);
    }

    void takesTheApplicationsPackages() {
        const ThreadDump dump = dumpsIn(fileNamed(QStringLiteral("jstack-17.txt"))).front();
        const ThreadActivity found = activityOf(*dump.thread(18), {QStringLiteral("org.redisson.")});
        QCOMPARE(found.code->method, QStringLiteral("org.redisson.RedissonLock.lock"));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("cause");
        const auto add = [](const char* name, const QByteArray& text, JvmCause cause) {
            QTest::addRow("%s", name) << text << static_cast<int>(cause);
        };
        add("nothing", "", JvmCause::NoDump);
        add("a log", "2026-11-29 16:33:54 INFO all is well\n", JvmCause::NoDump);
        add("another JSON", R"({"locks":[]})", JvmCause::NoDump);
        add("a cut JSON", actuatorJson.first(100), JvmCause::Syntax);
        add("a damaged gzip", QByteArray("\x1f\x8b\x08rubbish that is no deflate stream"), JvmCause::NotUnpacked);
        add("a bomb", packed(QByteArray(largestDumpFile + 1, ' ')), JvmCause::TooLarge);
    }
    void refuses() {
        QFETCH(QByteArray, text);
        const Result<std::vector<ThreadDump>> dumps = threadDumpsIn(text, QTimeZone::utc());
        QVERIFY(!dumps);
        QTEST(static_cast<int>(dumps.error().cause.as<JvmCause>().value_or(JvmCause{})), "cause");
    }

    void boundsThreadsAndFrames() {
        QByteArray text = "2026-11-29 16:33:54\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n";
        for (size_t id = 1; id <= mostThreads + 10; ++id)
            text += "\"w\" #" + QByteArray::number(static_cast<qulonglong>(id)) + " prio=5 tid=0x1\n";
        text += "JNI global refs: 1\n";
        const ThreadDump dump = dumpsIn(text).front();
        QCOMPARE(dump.threads.size(), mostThreads);
        QVERIFY(!dump.isWhole);
        QByteArray deep = threadText("\"w\" #1 prio=5 tid=0x1");
        deep.insert(deep.indexOf("\tat"), QByteArray("\tat com.example.A.b(A.java:1)\n").repeated(1000));
        QCOMPARE(dumpsIn(deep).front().threads.front().frames.size(), mostFrames);
        QVERIFY(dumpsIn(deep).front().threads.front().areFramesCut);
    }
};

LOCKKEEPER_TEST(TestThreadDump, Guiless)

}  // namespace tst_threaddump

#include "tst_threaddump.moc"
