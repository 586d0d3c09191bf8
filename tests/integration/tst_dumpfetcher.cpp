// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpreader.h"
#include "jvm/fetch/dumpfetcher.h"
#include "jvm/fetch/fetchcause.h"
#include "support/files.h"
#include "support/heldlocksjvm.h"
#include "support/httpserver.h"
#include "support/manualclock.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/sshserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDir>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <unistd.h>

namespace tst_dumpfetcher {

using namespace lockkeeper;
using namespace lockkeeper::jvm;
using namespace lockkeeper::test;

namespace {

const ClientId client(QByteArrayLiteral("97b87f0b-0c5d-4043-bd00-c2b44039227f"));

// A fetcher with its last answer.
struct Fetching {
    explicit Fetching(const FetchContext& context = {}) : fetcher(context, clock) {
        QObject::connect(&fetcher, &DumpFetcher::processesFound, &fetcher,
                         [this](OperationId, const Result<QList<RemoteProcess>>& found) { processes = found; });
        QObject::connect(&fetcher, &DumpFetcher::firstFetched, &fetcher, [this] { isFirstThere = true; });
        QObject::connect(&fetcher, &DumpFetcher::fetched, &fetcher,
                         [this](OperationId, const Result<QByteArrayList>& taken) { dumps = taken; });
    }
    [[nodiscard]] bool hasDumps() {
        return becomesTrue([this] { return dumps.has_value(); });
    }
    [[nodiscard]] bool hasProcesses() {
        return becomesTrue([this] { return processes.has_value(); });
    }
    [[nodiscard]] bool failsWith(FetchCause cause) {
        return hasDumps() && !dumps->ok() && dumps->error().cause == AnyCause(cause);
    }

    ManualClock clock;
    DumpFetcher fetcher;
    std::optional<Result<QList<RemoteProcess>>> processes;
    std::optional<Result<QByteArrayList>> dumps;
    bool isFirstThere = false;
};

const OperationId operation{1};

// Programs in front of those in PATH. kubectl is played: no cluster of the test would show more than that the arguments
// arrive as they are.
class PlayedPrograms {
public:
    PlayedPrograms() : m_before(qgetenv("PATH")) {
        qputenv("PATH", QFile::encodeName(m_folder.path()) + ':' + m_before);
    }
    ~PlayedPrograms() { qputenv("PATH", m_before); }

    void play(const QString& name, const QByteArray& script) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script) < 0)
            qFatal("%s cannot be written", qPrintable(file.fileName()));
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

private:
    const QByteArray m_before;
    QTemporaryDir m_folder;
};

DumpOrder ofPod(DumpCount count = DumpCount::Once) {
    return {PodDump{QStringLiteral("orders-0"), QStringLiteral("shop"), {}}, count};
}

}  // namespace

class TestDumpFetcher : public QObject {
    Q_OBJECT

private:
    RedisServer m_server;
    HeldLocksJvm m_jvm;

    // The port of the JVM's connection, as the server sees it.
    quint16 portOfJvm() {
        static const QRegularExpression evaluating(QStringLiteral(R"( addr=127\.0\.0\.1:([0-9]+) .* cmd=eval )"));
        return evaluating.match(m_server.cli({"CLIENT", "LIST"})).captured(1).toUShort();
    }

    // No client has this port.
    static ProcessSearch anySearch() {
        return {*topology::JumpHost::parse("jump"), ClientPlace{QHostAddress(QHostAddress::LocalHost), 1}, false};
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_server.start());
        QVERIFY(m_jvm.start(m_server.port(), client));
    }

    // A real sshd, the real ss and jcmd, a real JVM.
    void dumpsAJvmThroughSsh() {
        SshServer ssh;
        QVERIFY(ssh.start());
        profile::DumpSettings settings;
        settings.login = QStringLiteral("jump");
        const ClientPlace place{QHostAddress(QHostAddress::LocalHost), portOfJvm()};
        const Result<ProcessSearch> search = processSearchOf(settings, place);
        QVERIFY(search.ok());

        Fetching fetching;
        fetching.fetcher.search(operation, *search);
        QVERIFY(fetching.hasProcesses());
        QVERIFY2(fetching.processes->ok(),
                 fetching.processes->ok() ? "" : qPrintable(fetching.processes->error().text));
        const QList<RemoteProcess> expected{{m_jvm.processId(), QStringLiteral("java"), qint64{getuid()}}};
        QCOMPARE(**fetching.processes, expected);

        fetching.fetcher.fetch(operation, {*sshDumpOf(*search, expected.first()), DumpCount::Once});
        QVERIFY(fetching.hasDumps());
        QVERIFY2(fetching.dumps->ok(), fetching.dumps->ok() ? "" : qPrintable(fetching.dumps->error().text));
        const Result<std::vector<ThreadDump>> dumps =
            threadDumpsIn(fetching.dumps->value().first(), QTimeZone::systemTimeZone());
        QVERIFY(dumps.ok());
        QCOMPARE(dumps->back().processId, std::optional(m_jvm.processId()));
        QVERIFY(std::ranges::any_of(dumps->back().threads, [](const JavaThread& thread) {
            return thread.name == QLatin1String("sleeper") && thread.state == ThreadState::TimedWaiting;
        }));
        QCOMPARE(ssh.sessions(), 2);
    }

    void saysThatNoProcessHasThePort() {
        SshServer ssh;
        QVERIFY(ssh.start());
        Fetching fetching;
        fetching.fetcher.search(operation, anySearch());
        QVERIFY(fetching.hasProcesses());
        QVERIFY(!fetching.processes->ok());
        QCOMPARE(fetching.processes->error().cause, AnyCause(FetchCause::NoSuchPort));
    }

    void saysWhyTheLoginFailed() {
        SshServer ssh;
        ssh.forgetUser();
        QVERIFY(ssh.start());
        Fetching fetching;
        fetching.fetcher.search(operation, anySearch());
        QVERIFY(fetching.hasProcesses());
        QVERIFY(!fetching.processes->ok());
        QCOMPARE(fetching.processes->error().cause, AnyCause(FetchCause::ProgramFailed));
        QVERIFY(fetching.processes->error().text.contains("Permission denied"));
    }

    void passesTheWordsToKubectl() {
        PlayedPrograms programs;
        programs.play("kubectl", "printf '%s\\n' \"$@\" >> \"$0.arguments\"\ncat '" +
                                     QFile::encodeName(places::data()) + "/threads/thread-print-17.txt'\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        QVERIFY(fetching.hasDumps());
        QVERIFY(fetching.dumps->ok());
        QVERIFY(threadDumpsIn(fetching.dumps->value().first(), QTimeZone::utc()).ok());
        QCOMPARE(contentOf(programs.path("kubectl.arguments")),
                 QByteArray("exec\n--namespace=shop\norders-0\n--\njcmd\n0\nThread.print\n-l\n"));
    }

    void takesTwoWithAPause() {
        PlayedPrograms programs;
        programs.play("kubectl", "echo dump\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod(DumpCount::Twice));
        QVERIFY(becomesTrue([&fetching] { return fetching.isFirstThere; }));
        fetching.clock.advance(timeBetweenDumps - std::chrono::milliseconds(1));
        QVERIFY(fetching.clock.hasTimersWithin(std::chrono::milliseconds(1)));
        QVERIFY(!fetching.dumps);
        fetching.clock.advance(std::chrono::milliseconds(1));
        QVERIFY(fetching.hasDumps());
        QCOMPARE(fetching.dumps->value(), QByteArrayList({"dump\n", "dump\n"}));
    }

    void mixesNoJvms() {
        PlayedPrograms programs;
        programs.play("kubectl", "printf '1:\\na\\n7:\\nb\\n'\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        QVERIFY(fetching.failsWith(FetchCause::SeveralJvms));
    }

    void saysWhatTheProgramSays() {
        PlayedPrograms programs;
        programs.play("kubectl", "echo 'pods \"orders-0\" not found' >&2\nexit 1\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        QVERIFY(fetching.failsWith(FetchCause::ProgramFailed));
        QCOMPARE(fetching.dumps->error().arguments, QStringList({"kubectl", "pods \"orders-0\" not found", "1"}));
    }

    void saysThatAProgramIsMissing() {
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", "/nonexistent");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        const bool isSaid = fetching.failsWith(FetchCause::ProgramNotStarted);
        qputenv("PATH", before);
        QVERIFY(isSaid);
    }

    void endsAProgramWithoutEnd() {
        PlayedPrograms programs;
        programs.play("kubectl", "exec yes dump\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        QVERIFY(fetching.failsWith(FetchCause::TooMuch));
    }

    void endsASilentProgramInTime() {
        PlayedPrograms programs;
        programs.play("kubectl", "exec sleep 600\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        fetching.clock.advance(std::chrono::minutes(3));
        QVERIFY(fetching.hasDumps());
        QCOMPARE(fetching.dumps->error().code, ErrorCode::Timeout);
    }

    void canBeCancelled() {
        PlayedPrograms programs;
        programs.play("kubectl", "exec sleep 600\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        fetching.fetcher.cancel(OperationId{2});
        QVERIFY(!fetching.dumps);
        fetching.fetcher.cancel(operation);
        QVERIFY(fetching.hasDumps());
        QCOMPARE(fetching.dumps->error().code, ErrorCode::Cancelled);
    }

    void takesOneAtATime() {
        PlayedPrograms programs;
        programs.play("kubectl", "exec sleep 600\n");
        Fetching fetching;
        fetching.fetcher.fetch(operation, ofPod());
        fetching.fetcher.fetch(OperationId{2}, ofPod());
        QVERIFY(fetching.failsWith(FetchCause::Busy));
    }

    void sendsThePasswordOnlyToListedHosts() {
        HttpServer server;
        server.answerOk("{}");
        FetchContext context;
        context.settings.credentials = {"admin", "s3cret"};
        const QUrl url(server.url());
        Fetching refused(context);
        refused.fetcher.fetch(operation, {WebDump{url, false}, DumpCount::Once});
        QVERIFY(refused.failsWith(FetchCause::PasswordNotAllowed));
        QVERIFY(server.requests().isEmpty());

        Fetching confirmed(context);
        confirmed.fetcher.fetch(operation, {WebDump{url, true}, DumpCount::Once});
        QVERIFY(confirmed.hasDumps());
        QVERIFY(confirmed.dumps->ok());
        context.settings.hosts = {"127.0.0.1"};
        Fetching listed(context);
        listed.fetcher.fetch(operation, {WebDump{url, false}, DumpCount::Once});
        QVERIFY(listed.hasDumps());
        QVERIFY(listed.dumps->ok());
        QCOMPARE(server.requests().size(), 2);
    }

    void endsASlowBodyInTime() {
        HttpServer server;
        server.answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", HttpServer::After::Waits);
        Fetching fetching;
        fetching.fetcher.fetch(operation, {WebDump{QUrl(server.url()), false}, DumpCount::Once});
        QVERIFY(becomesTrue([&server] { return !server.requests().isEmpty(); }));
        fetching.clock.advance(std::chrono::minutes(2));
        QVERIFY(fetching.hasDumps());
        QCOMPARE(fetching.dumps->error().code, ErrorCode::Timeout);
    }
};

LOCKKEEPER_TEST(TestDumpFetcher, Guiless)

}  // namespace tst_dumpfetcher

#include "tst_dumpfetcher.moc"
