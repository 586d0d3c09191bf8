// SPDX-License-Identifier: Apache-2.0
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/programs.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_programs {

using namespace lockkeeper;

namespace {

// Copies of the programs in a folder of their own, as installed: bin/ and the folder of the helpers, at first with
// `lockkeeper` alone.
class Installation {
public:
    Installation() { copy(test::places::program()); }

    void addHelper(const QString& name) { copy(test::places::helper(name)); }
    // A script in place of the window, in the folder of `lockkeeper` or elsewhere.
    void addWindow(const QByteArray& script, const QString& folder = QStringLiteral("bin")) {
        QVERIFY(QDir(m_folder.path()).mkpath(folder));
        QFile file(m_folder.filePath(folder + QStringLiteral("/lockkeeper-gui")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script);
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    void removeHelper(const QString& name) { QVERIFY(QFile::remove(pathOf(test::places::helper(name)))); }

    [[nodiscard]] QString program() const { return pathOf(test::places::program()); }
    [[nodiscard]] QString folder(const QString& name) const { return m_folder.filePath(name); }

private:
    // The same place below this folder as in the folder above the program's.
    [[nodiscard]] QString pathOf(const QString& original) const {
        return QDir::cleanPath(
            m_folder.path() + u'/' +
            QDir(QFileInfo(test::places::program()).path() + QStringLiteral("/..")).relativeFilePath(original));
    }
    void copy(const QString& original) {
        QVERIFY(QDir().mkpath(QFileInfo(pathOf(original)).path()));
        QVERIFY(QFile::copy(original, pathOf(original)));
    }

    QTemporaryDir m_folder;
};

struct Ended {
    int exitCode = -1;
    QByteArray output;
    QByteArray complaints;
};

}  // namespace

// `lockkeeper` and the programs that it starts.
class TestPrograms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_installation = std::make_unique<Installation>(); }

    // The real window of this build, beside the real program.
    void theWindowOpens() {
        const QString picture = m_installation->folder("window.png");
        QProcess program;
        program.start(test::places::program(), {url(), "--screenshot", picture});
        QVERIFY(program.waitForFinished(60000));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(QFileInfo(picture).size() > 0);
    }

    void theWindowGetsArgumentsEnvironmentAndInput() {
        m_installation->addWindow("printf '%s|' \"$@\" \"$LOCKKEEPER_PASSWORD\"; cat; exit 9");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKKEEPER_PASSWORD", "s3cret");
        const Ended ended = run({"redis://h", "--read-only", "--options", "a b"}, environment, "typed");
        QCOMPARE(ended.output, "redis://h|--read-only|--options|a b|s3cret|typed");
        QCOMPARE(ended.exitCode, 9);
    }
    // So a service manager or a test that ends the program ends the window.
    void theWindowIsTheSameProcess() {
        m_installation->addWindow("echo $$");
        QProcess program;
        program.start(m_installation->program(), {"--demo"});
        const qint64 process = program.processId();
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.readAllStandardOutput().trimmed(), QByteArray::number(process));
    }
    void theWindowMayBeElsewhere() {
        m_installation->addWindow("echo elsewhere", "other");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", m_installation->folder("other") + ':' + environment.value("PATH"));
        QCOMPARE(run({}, environment).output, "elsewhere\n");
        m_installation->addWindow("echo beside");
        QCOMPARE(run({}, environment).output, "beside\n");
    }
    void withoutTheWindowThePackageIsNamed_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("a URL") << QStringList{"redis://h"};
        QTest::newRow("the demo") << QStringList{"--demo"};
        QTest::newRow("a recording") << QStringList{"replay", "a.lkrec", "--window"};
    }
    void withoutTheWindowThePackageIsNamed() {
        QFETCH(const QStringList, arguments);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", m_installation->folder("nothing"));
        const Ended ended = run(arguments, environment);
        QCOMPARE(ended.exitCode, test::exitcode::notFound);
        QVERIFY2(ended.complaints.startsWith("lockkeeper: ") &&
                     ended.complaints.contains("install the package lockkeeper-gui"),
                 ended.complaints.constData());
        QCOMPARE(ended.output, "");
    }

    void aCommandNeedsNoWindow() {
        m_installation->addHelper("lockkeeper-tools");
        QCOMPARE(run({"lab", "list"}).exitCode, 0);
    }
    void lockAndItsSynchronizersNeedNoTools() {
        m_installation->addHelper("lockkeeper-guard");
        QCOMPARE(run({"lock", url(), "L", "--", "echo", "locked"}).output, "locked\n");
        QCOMPARE(run({"semaphore", url(), "S", "set", "3"}).exitCode, 0);
        QCOMPARE(run({"latch", url(), "T", "count"}).output, "0\n");
    }
    void aMissingHelperIsNamed() {
        m_server.cli({"CONFIG", "RESETSTAT"});
        const Ended list = run({"list", url()});
        QCOMPARE(list.exitCode, test::exitcode::notFound);
        QVERIFY2(list.complaints.contains("/lockkeeper-tools: No such file"), list.complaints.constData());
        const Ended lock = run({"lock", url(), "L", "--", "true"});
        QCOMPARE(lock.exitCode, test::exitcode::notExecutable);
        QVERIFY2(lock.complaints.contains("/lockkeeper-guard: No such file"), lock.complaints.constData());
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QVERIFY(!m_server.cli({"INFO", "commandstats"}).contains("eval"));  // it was not even taken
    }

    // Another version may be installed while a program waits for its lock.
    void theGuardOfItsStartIsUsed() {
        m_installation->addHelper("lockkeeper-guard");
        m_server.cli({"HSET", "taken", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        QProcess program;
        program.start(m_installation->program(), {"lock", url(), "taken", "--", "echo", "locked"});
        QTRY_COMPARE(m_server.cli({"PUBSUB", "NUMSUB", "redisson_lock__channel:{taken}"}).section('\n', 1, 1), "1");
        m_installation->removeHelper("lockkeeper-guard");
        m_server.cli({"DEL", "taken"});
        m_server.cli({"PUBLISH", "redisson_lock__channel:{taken}", "0"});
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.readAllStandardOutput(), "locked\n");
        QCOMPARE(program.exitCode(), 0);
    }

    // Its arguments are numbers of descriptors.
    void theGuardIsNotStartedByHand() {
        QProcess guard;
        guard.start(test::places::helper("lockkeeper-guard"), {"--help"});
        QVERIFY(guard.waitForFinished());
        QCOMPARE(guard.exitCode(), test::exitcode::usage);
        QVERIFY(guard.readAllStandardError().contains("only lockkeeper starts this program"));
    }

private:
    [[nodiscard]] QString url() const { return "unix://" + m_server.socketPath(); }
    [[nodiscard]] Ended run(const QStringList& arguments,
                            const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment(),
                            const QByteArray& input = {}) const {
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(m_installation->program(), arguments);
        program.write(input);
        program.closeWriteChannel();
        if (!program.waitForFinished(60000) || program.exitStatus() != QProcess::NormalExit)
            return {};
        return {program.exitCode(), program.readAllStandardOutput(), program.readAllStandardError()};
    }

    test::RedisServer m_server;
    std::unique_ptr<Installation> m_installation;
};

LOCKKEEPER_TEST(TestPrograms, Guiless)

}  // namespace tst_programs

#include "tst_programs.moc"
