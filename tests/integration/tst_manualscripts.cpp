// SPDX-License-Identifier: Apache-2.0
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace tst_manualscripts {

using namespace lockkeeper;

namespace {

const QString stranger = QStringLiteral("5f0a3c8e-0000-4000-8000-000000000001:7");

QString chapter() {
    QFile manual(test::places::manual() + QStringLiteral("/command-line.md"));
    if (!manual.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(manual.fileName()));
    return QString::fromUtf8(manual.readAll());
}

// The indented lines of the manual's section "In a script", from the line that begins so to the next text.
QByteArray exampleThatBegins(const QString& beginning) {
    const QString text = chapter();
    const qsizetype section = text.indexOf(QStringLiteral("## In a script"));
    const qsizetype begin = text.indexOf(QStringLiteral("\n    ") + beginning, section);
    if (section < 0 || begin < 0)
        qFatal("the manual has no such example: %s", qPrintable(beginning));
    QString example = text.mid(begin + 1);
    static const QRegularExpression nextText(QStringLiteral("\n(?! {4}|\n)"));
    example.truncate(example.indexOf(nextText));
    static const QRegularExpression indentation(QStringLiteral("^ {4}"), QRegularExpression::MultilineOption);
    return example.remove(indentation).toUtf8() + '\n';
}

}  // namespace

// The examples of the manual, run as they are printed there, and its table of exit codes.
class TestManualScripts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QVERIFY(m_server.start());
    }
    void init() { m_server.cli({"FLUSHALL"}); }

    void theShellScriptWorksOnOneMachine_data() {
        QTest::addColumn<bool>("isHeldByAnother");
        QTest::addColumn<QByteArray>("output");
        QTest::newRow("this one") << false << QByteArray("making the report\n");
        QTest::newRow("another one") << true << QByteArray("another machine does it\n");
    }
    void theShellScriptWorksOnOneMachine() {
        QFETCH(bool, isHeldByAnother);
        QFETCH(QByteArray, output);
        if (isHeldByAnother)
            m_server.cli({"HSET", "nightly-report", stranger, "1"});
        run(fileOf("report.sh", exampleThatBegins(u"#!/bin/sh"_qs)), {});
        QCOMPARE(m_process.exitCode(), 0);
        QCOMPARE(m_process.readAllStandardOutput(), output);
        QCOMPARE(m_server.cli({"DBSIZE"}), isHeldByAnother ? "1" : "0");
    }

    void thePythonProgramHoldsItWhileItWorks_data() {
        QTest::addColumn<bool>("isHeldByAnother");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QByteArray>("complaint");
        QTest::newRow("free") << false << 0 << QByteArray("working under the lock\n") << QByteArray();
        QTest::newRow("held") << true << 1 << QByteArray()
                              << QByteArray(
                                     "lockkeeper: 'nightly-report' was not acquired in time: it is held by others\n"
                                     "not acquired, exit code 75\n");
    }
    void thePythonProgramHoldsItWhileItWorks() {
        QFETCH(bool, isHeldByAnother);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, output);
        QFETCH(QByteArray, complaint);
        if (isHeldByAnother)
            m_server.cli({"HSET", "nightly-report", stranger, "1"});
        run(test::tool("python3", "python3-minimal"),
            {fileOf("report.py", exampleThatBegins(u"import subprocess"_qs)), url()});
        QCOMPARE(m_process.exitCode(), exitCode);
        QCOMPARE(m_process.readAllStandardOutput(), output);
        QCOMPARE(m_process.readAllStandardError(), complaint);
        QCOMPARE(m_server.cli({"DBSIZE"}), isHeldByAnother ? "1" : "0");
    }

    void theTableSaysWhatEachExitCodeMeansAndWhatToDo_data() {
        QTest::addColumn<QString>("heading");
        QTest::addColumn<int>("code");
        using namespace test::exitcode;
        const QString ofOperators = QStringLiteral("### Exit codes of force-release");
        for (const int code : {usage, noConnection, otherHolder, outcomeUnknown, auditNotPossible, denied, alreadyFree,
                               refused, chainBroken, outputFailed})
            QTest::addRow("force-release and audit, %d", code) << ofOperators << code;
        for (const int code : {unchanged, usage, noConnection, denied, outputFailed, notInTime, lostWhileRunning,
                               mayBeLeft, notExecutable, notFound})
            QTest::addRow("%d", code) << QStringLiteral("## Exit codes\n") << code;
    }
    void theTableSaysWhatEachExitCodeMeansAndWhatToDo() {
        QFETCH(QString, heading);
        QFETCH(int, code);
        const QString text = chapter();
        const qsizetype begin = text.indexOf(heading);
        QVERIFY(begin > 0);
        const QString table = text.mid(begin, text.indexOf(QStringLiteral("\n#"), begin + heading.size()) - begin);
        const QRegularExpression row(QStringLiteral(R"(^\| %1 \| [^|]+ \| [^|]+ \|$)").arg(code),
                                     QRegularExpression::MultilineOption);
        QVERIFY(table.contains(row));
    }

private:
    [[nodiscard]] QString url() const { return "unix://" + m_server.socketPath(); }

    [[nodiscard]] QString fileOf(const QString& name, const QByteArray& content) const {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
        file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
        return file.fileName();
    }

    // With this build's program first on the PATH.
    void run(const QString& program, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        const QString folder = QFileInfo(test::places::program()).path();
        environment.insert("PATH", folder + ':' + environment.value("PATH"));
        environment.insert("LOCKS", url());
        m_process.setProcessEnvironment(environment);
        m_process.start(program, arguments);
        QVERIFY2(m_process.waitForFinished(), qPrintable(m_process.errorString()));
        QCOMPARE(m_process.exitStatus(), QProcess::NormalExit);
    }

    const QTemporaryDir m_folder;
    test::RedisServer m_server;
    QProcess m_process;
};

LOCKKEEPER_TEST(TestManualScripts, Guiless)

}  // namespace tst_manualscripts

#include "tst_manualscripts.moc"
