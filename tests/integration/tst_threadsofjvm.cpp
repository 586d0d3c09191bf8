// SPDX-License-Identifier: Apache-2.0
#include "support/heldlocksjvm.h"
#include "support/httpserver.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/sshserver.h"
#include "support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <unistd.h>

namespace tst_threadsofjvm {

using namespace lockkeeper;
using namespace lockkeeper::test;

namespace {

const ClientId client(QByteArrayLiteral("97b87f0b-0c5d-4043-bd00-c2b44039227f"));

struct Run {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

// Without a terminal at which ssh could ask.
Run run(const QStringList& arguments) {
    QProcess program;
    program.setChildProcessModifier([] { setsid(); });
    program.start(places::program(), arguments);
    if (!QTest::qWaitFor([&program] { return program.state() == QProcess::NotRunning; }, 60000))
        return {};
    return {program.exitCode(), program.readAllStandardOutput(), program.readAllStandardError()};
}

// "fate activity" of the thread that holds the lock, and the code it is in.
QString verdictOf(const QByteArray& lines, const QString& lock) {
    for (const QByteArray& line : lines.trimmed().split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (object["event"].toString() == "thread" && object["lock"].toString() == lock)
            return object["fate"].toString() + ' ' + object["activity"].toString();
    }
    return {};
}

}  // namespace

// A real JVM whose threads hold locks of a real server, each in another state, and what is said about each of them.
class TestThreadsOfJvm : public QObject {
    Q_OBJECT

private:
    RedisServer m_server;
    HeldLocksJvm m_jvm;
    QTemporaryDir m_folder;

    QString dumpBy(const QString& program) {
        QFile file(m_folder.filePath(program));
        const QStringList after = program == "jcmd" ? QStringList{"Thread.print", "-l"} : QStringList();
        [&] { QVERIFY(file.open(QIODevice::WriteOnly) && file.write(m_jvm.printedBy(program, after)) > 0); }();
        return file.fileName();
    }
    QString address() {
        static const QRegularExpression evaluating(QStringLiteral(R"( addr=(127\.0\.0\.1:[0-9]+) .* cmd=eval )"));
        return evaluating.match(m_server.cli({"CLIENT", "LIST"})).captured(1);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_server.start());
        QVERIFY(m_jvm.start(m_server.port(), client));
    }

    void saysWhatEachThreadDoes_data() {
        QTest::addColumn<QString>("lock");
        QTest::addColumn<QString>("verdict");
        QTest::addRow("works") << "report:daily"
                               << "lives runs";
        QTest::addRow("sleeps") << "report:weekly"
                                << "lives sleeps";
        QTest::addRow("blocked in a read") << "payment:17"
                                           << "lives reads_socket";
        QTest::addRow("waits for another lock") << "stock:4711"
                                                << "lives waits_for_redisson";
        QTest::addRow("has ended, and its lock is renewed") << "order:4711"
                                                            << "ended ";
    }
    void saysWhatEachThreadDoes() {
        QFETCH(QString, lock);
        QFETCH(QString, verdict);
        for (const char* program : {"jcmd", "jstack"}) {
            const Run threads = run({"threads", m_server.url(), "--dump", dumpBy(program), "--json"});
            QCOMPARE(threads.exitCode, 0);
            QCOMPARE(verdictOf(threads.out, lock), verdict);
        }
    }

    void takesTheDumpThroughSsh() {
        SshServer ssh;
        QVERIFY(ssh.start());
        const QStringList words{"threads", m_server.url(), "--ssh", "jump", "--address", address(), "--json"};
        const Run search = run(words);
        const QByteArray process = QByteArray::number(m_jvm.processId());
        QCOMPARE(search.exitCode, 9);
        QVERIFY2(search.err.contains("process " + process + " has the connection: java"), search.err.constData());
        QCOMPARE(search.out, QByteArray());

        const Run threads = run(words + QStringList{"--pid", QString::fromLatin1(process)});
        QVERIFY2(threads.exitCode == 0, threads.err.constData());
        QCOMPARE(verdictOf(threads.out, "order:4711"), QStringLiteral("ended "));
        QCOMPARE(verdictOf(threads.out, "payment:17"), QStringLiteral("lives reads_socket"));
    }

    // Another process than that of the port is not asked.
    void asksNoProcessThatDoesNotHaveThePort() {
        SshServer ssh;
        QVERIFY(ssh.start());
        const Run threads = run({"threads", m_server.url(), "--ssh", "jump", "--address", address(), "--pid",
                                 QString::number(QCoreApplication::applicationPid())});
        QCOMPARE(threads.exitCode, 9);
        QCOMPARE(ssh.sessions(), 1);
    }

    void printsWhatWouldRun() {
        const Run ssh = run({"threads", m_server.url(), "--ssh", "deploy@{host}", "--address", "10.0.0.7:53422",
                             "--pid", "4711", "--print"});
        QCOMPARE(ssh.exitCode, 0);
        QCOMPARE(ssh.out.count('\n'), 2);
        QVERIFY2(ssh.out.contains("-l deploy -- 10.0.0.7 'ss -Htnpe sport = :53422'\n"), ssh.out.constData());
        QVERIFY2(ssh.out.endsWith("-l deploy -- 10.0.0.7 'jcmd 4711 Thread.print -l'\n"), ssh.out.constData());
        QCOMPARE(run({"threads", m_server.url(), "--kubectl", "orders-0", "--namespace", "shop", "--print"}).out,
                 QByteArray("kubectl exec --namespace=shop orders-0 -- jcmd 0 Thread.print -l\n"));
        const Run web = run({"threads", m_server.url(), "--actuator", "http://{host}:8081/threaddump", "--address",
                             "10.0.0.7:53422", "--print"});
        QVERIFY2(web.out.endsWith(" -- http://10.0.0.7:8081/threaddump\n"), web.out.constData());
    }

    void refusesWhatIsNoPlan_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("reason");
        QTest::addRow("no address") << QStringList{"--ssh", "{host}"}
                                    << QByteArray("address of the client is not known");
        QTest::addRow("an option") << QStringList{"--kubectl", "--all"} << QByteArray("no name of Kubernetes");
        QTest::addRow("of the link") << QStringList{"--actuator", "http://169.254.169.254/"}
                                     << QByteArray("nothing is sent there");
        QTest::addRow("two ways") << QStringList{"--kubectl", "a", "--ssh", "b"} << QByteArray("one of --get");
        QTest::addRow("no way saved") << QStringList{"--get"} << QByteArray("--get needs --profile");
        QTest::addRow("an option of another way")
            << QStringList{"--kubectl", "a", "--sudo"} << QByteArray("go with --ssh");
    }
    void refusesWhatIsNoPlan() {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, reason);
        const Run refused = run(QStringList{"threads", m_server.url()} + words + QStringList{"--print"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains(reason), refused.err.constData());
    }

    // The password comes from the environment, and is not printed.
    void takesTheDumpFromAnActuator() {
        HttpServer actuator;
        actuator.answerOk(m_jvm.printedBy("jstack"));
        qputenv("LOCKKEEPER_ACTUATOR_PASSWORD", "s3cret");
        const Run threads = run({"threads", m_server.url(), "--actuator", actuator.url(), "--actuator-user", "admin",
                                 "--json", "--client", QString::fromLatin1(client.bytes())});
        qunsetenv("LOCKKEEPER_ACTUATOR_PASSWORD");
        QVERIFY2(threads.exitCode == 0, threads.err.constData());
        QCOMPARE(verdictOf(threads.out, "stock:4711"), QStringLiteral("lives waits_for_redisson"));
        QCOMPARE(actuator.requests().size(), 1);
        QVERIFY(actuator.requests().first().contains(QByteArray("admin:s3cret").toBase64()));
        QVERIFY(!threads.out.contains("s3cret") && !threads.err.contains("s3cret"));
    }

    void saysWhyThereIsNoDump() {
        HttpServer actuator;
        actuator.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        const Run threads = run({"threads", m_server.url(), "--actuator", actuator.url()});
        QCOMPARE(threads.exitCode, 66);
        QVERIFY2(threads.err.contains("management.endpoints.web.exposure.include"), threads.err.constData());
    }
};

LOCKKEEPER_TEST(TestThreadsOfJvm, Guiless)

}  // namespace tst_threadsofjvm

#include "tst_threadsofjvm.moc"
