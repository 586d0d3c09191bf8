// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/programrun.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>
#include <QTest>

namespace tst_threadscommand {

using namespace lockkeeper;
using namespace lockkeeper::test;

namespace {

const ClientId client(QByteArrayLiteral("97b87f0b-0c5d-4043-bd00-c2b44039227f"));

QString dumpNamed(const QString& name) {
    return places::data() + QStringLiteral("/threads/") + name;
}

// "fate activity" of the holder or waiter with that thread.
QString foundOf(const QByteArray& lines, qint64 thread) {
    for (const QByteArray& line : lines.trimmed().split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        const bool isIt = object["holder"].toString() == HolderId(client, ThreadId{thread}).display();
        if (object["event"].toString() == "thread" && isIt)
            return object["fate"].toString() + ' ' + object["activity"].toString();
    }
    return {};
}

}  // namespace

// The locks of a real server beside dumps of a real JVM whose client has held them: tests/data/threads/server-17.txt.
class TestThreadsCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_server.start());
        ServerHand hand(m_server);
        const QList<std::pair<QString, qint64>> holds{{"A", 26},
                                                      {"B", 27},
                                                      {"async:job", 830040972163392702},
                                                      {"export:daily", 21},
                                                      {"order:4711", 25},
                                                      {"payment:customer:17", 20},
                                                      {"report:weekly", 17}};
        for (const auto& [name, thread] : holds)
            hand.take(name, {client, ThreadId{thread}}, 600000);
        hand.queueUp("export:daily", {client, ThreadId{22}});
    }

    void saysWhatEachThreadDoes_data() {
        QTest::addColumn<qint64>("thread");
        QTest::addColumn<QString>("found");
        QTest::addRow("works on") << qint64{17} << "lives sleeps";
        QTest::addRow("blocked in a read") << qint64{20} << "lives reads_socket";
        QTest::addRow("waits in a queue") << qint64{22} << "lives waits_for_redisson";
        QTest::addRow("holds one lock and waits for another") << qint64{26} << "lives waits_for_redisson";
        QTest::addRow("has ended") << qint64{25} << "ended ";
        QTest::addRow("a made-up number") << qint64{830040972163392702} << "no_thread ";
    }
    void saysWhatEachThreadDoes() {
        QFETCH(qint64, thread);
        const ProgramRun threads =
            runProgram({"threads", m_server.url(), "--dump", dumpNamed("jstack-17.txt"), "--json"});
        QCOMPARE(threads.err, QByteArray());
        QCOMPARE(threads.exitCode, 0);
        QTEST(foundOf(threads.out, thread), "found");
    }

    void namesTheLineOfCode() {
        const ProgramRun threads = runProgram({"threads", m_server.url(), "--dump", dumpNamed("thread-print-17.txt")});
        QVERIFY2(threads.out.contains("com.example.Jobs.query (Jobs.java:8)"), threads.out.constData());
        QCOMPARE(threads.exitCode, 0);
    }

    void saysHowSureItIsAndWhatTheProgramCallsTheLock() {
        const ProgramRun threads = runProgram(
            {"threads", m_server.url() + "?name-prefix=payment:", "--dump", dumpNamed("thread-print-17.txt")});
        QCOMPARE(threads.exitCode, 0);
        QVERIFY2(threads.out.contains("\ncustomer:17  key payment:customer:17  "), threads.out.constData());
        QVERIFY2(threads.out.contains(". (certain)\n"), threads.out.constData());
        QVERIFY2(threads.out.contains(". (likely)\n"), threads.out.constData());
    }

    // An error names the client, and its locks are read: the dump says what their threads do.
    void explainTakesADump() {
        QTemporaryFile log;
        QVERIFY(log.open());
        log.write(
            "java.lang.IllegalMonitorStateException: attempt to unlock lock, not locked by current thread by node id: " +
            client.bytes() + " thread-id: 33\n");
        log.close();
        const QStringList arguments{"explain", m_server.url(), log.fileName(), "--dump", dumpNamed("jstack-17.txt")};
        const ProgramRun text = runProgram(arguments);
        QCOMPARE(text.exitCode, 0);
        QVERIFY2(text.out.contains("com.example.Jobs.query (Jobs.java:8)"), text.out.constData());
        QVERIFY2(text.out.contains("has ended, if the dump is of this client"), text.out.constData());
        const ProgramRun json = runProgram(arguments + QStringList{"--json"});
        bool isEnded = false;
        const QJsonObject line = QJsonDocument::fromJson(json.out.trimmed().split('\n').first()).object();
        for (const QJsonValue& thread : line["threads"].toArray())
            isEnded = isEnded || (thread["id"].toString().endsWith(":25") && thread["fate"].toString() == "ended");
        QVERIFY2(isEnded, json.out.constData());
        QCOMPARE(runProgram({"explain", "--dump", dumpNamed("jstack-17.txt"), log.fileName()}).exitCode, 2);
        QCOMPARE(runProgram({"explain", m_server.url(), log.fileName(), "--dump", dumpNamed("README.md")}).exitCode,
                 66);
    }

    void writesNothing() {
        const QStringList before = ServerHand(m_server).state();
        QCOMPARE(runProgram({"threads", m_server.url(), "--dump", dumpNamed("jstack-17.txt")}).exitCode, 0);
        QCOMPARE(ServerHand(m_server).state(), before);
    }

    void refusesADumpOfAnotherJvm() {
        const ProgramRun threads =
            runProgram({"threads", m_server.url(), "--dump", dumpNamed("thread-dump-21-virtual.json")});
        QCOMPARE(threads.exitCode, 12);
        QVERIFY2(threads.out.contains("the dump is not of this client"), threads.out.constData());
        QVERIFY2(!threads.out.contains("Jobs.java"), threads.out.constData());
    }

    void refusesAFileThatIsNoDump() {
        const ProgramRun threads = runProgram({"threads", m_server.url(), "--dump", dumpNamed("README.md")});
        QCOMPARE(threads.exitCode, 66);
        QVERIFY2(threads.err.contains("no thread dump in it"), threads.err.constData());
    }

private:
    RedisServer m_server;
};

LOCKKEEPER_TEST(TestThreadsCommand, Guiless)

}  // namespace tst_threadscommand

#include "tst_threadscommand.moc"
