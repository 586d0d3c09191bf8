// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "recording/labreports.h"
#include "support/exitcodes.h"
#include "support/labprogram.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace tst_labcommand {

using namespace lockkeeper;

namespace {

test::LabProgram::Ended run(const QStringList& arguments) {
    return test::LabProgram(test::places::program(), arguments).end();
}

test::LabProgram::Ended replay(const QStringList& arguments, bool isJson = false) {
    QProcess process;
    process.start(test::places::program(),
                  QStringList(QStringLiteral("replay")) + arguments + (isJson ? QStringList{"--json"} : QStringList()));
    process.waitForFinished(60000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QList<QJsonObject> linesOf(const QByteArray& output) {
    QList<QJsonObject> lines;
    for (const QByteArray& line : output.trimmed().split('\n'))
        lines += QJsonDocument::fromJson(line).object();
    return lines;
}

}  // namespace

// `lockkeeper lab`: tests of the program itself.
class TestLabCommand : public QObject {
    Q_OBJECT

private:
    // The name of a folder below that of a test, so that the whole path has this many bytes.
    static QString nameUpTo(qsizetype bytes) {
        const QTemporaryDir sample;
        return QString(bytes - QFile::encodeName(sample.path()).size() - 1, u'x');
    }

    const QTemporaryDir m_directory;

private Q_SLOTS:
    void listsEveryExperiment() {
        const test::LabProgram::Ended ended = run({"list"});
        QCOMPARE(ended.exitCode, 0);
        QCOMPARE(ended.output.count('\n'), static_cast<qsizetype>(lab::experiments().size()));
        QVERIFY(ended.output.contains("\nshort-lease           watchdog  A lease shorter than the work\n"));
    }

    void listsThemAsJson() {
        const QList<QJsonObject> lines = linesOf(run({"list", "--json"}).output);
        QCOMPARE(lines.first()[u"experiment"].toString(), "reentry");
        QCOMPARE(lines.first()[u"family"].toString(), "basics");
        QVERIFY(!lines.first()[u"title"].toString().isEmpty());
        QVERIFY(lines.first()[u"question"].toString().endsWith(u'?'));
    }

    void showsTheQuestionBeforeTheAnswer() {
        const test::LabProgram::Ended ended = run({"show", "short-lease"});
        QCOMPARE(ended.exitCode, 0);
        QVERIFY(ended.output.startsWith("A lease shorter than the work\n\n`a` takes the lock"));
        const qsizetype choice = ended.output.indexOf("\n  2. Two: ");
        QVERIFY(choice > 0);
        QVERIFY(ended.output.indexOf("\nAnswer: 2. The server") > choice);
    }

    void showsTheTimesOfAStretchedRun() {
        const test::LabProgram::Ended ended = run({"show", "short-lease", "--stretch", "2"});
        QCOMPARE(ended.exitCode, 0);
        QVERIFY2(ended.output.contains("a lease of 1.6 s and works for 3.2 s"), ended.output.constData());
        QVERIFY2(ended.output.contains("lockkeeper lab run short-lease --stretch 2\n"), ended.output.constData());
    }

    // A recording of the run is judged by the same times.
    void aStretchedRunExpectsLongerTimes() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("times-out.lkrec"));
        const test::LabProgram::Ended ended =
            run({"run", "try-times-out", "--stretch", "2", "--record", file, "--json"});
        const QJsonObject line = linesOf(ended.output).first();
        QVERIFY2(ended.exitCode == 0, ended.output.constData());
        QCOMPARE(line[u"stretch"].toInt(), 2);
        QCOMPARE(line[u"expectations"][1][u"expected"].toInt(), 600);
        QCOMPARE(replay({file}, true).output, ended.output);
    }

    void runsOneAndPrintsATable() {
        const test::LabProgram::Ended ended = run({"run", "wrong-thread"});
        QCOMPARE(ended.complaints, "");
        QCOMPARE(ended.exitCode, 0);
        const QByteArrayList lines = ended.output.split('\n');
        QVERIFY2(lines.at(0).startsWith("experiment            fact"), ended.output.constData());
        QVERIFY2(lines.at(1).startsWith("wrong-thread          unlock.answer          NotHeld         NotHeld"),
                 ended.output.constData());
        QVERIFY2(lines.at(3).startsWith("1 of 1 as expected"), ended.output.constData());
    }

    void anotherOutcomeIsItsExitCode() {
        const test::LabProgram::Ended ended = run({"run", "wrong-thread", "--without-cause"});
        QCOMPARE(ended.exitCode, test::exitcode::otherOutcome);
        QVERIFY2(ended.output.contains("differs"), ended.output.constData());
        QVERIFY2(ended.output.contains("0 of 1 as expected"), ended.output.constData());
    }

    void printsAnOutcomeAsJson() {
        const test::LabProgram::Ended ended = run({"run", "reentry", "--json"});
        QCOMPARE(ended.exitCode, 0);
        const QList<QJsonObject> lines = linesOf(ended.output);
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines.first()[u"as_expected"].toBool(), true);
        QCOMPARE(lines.first()[u"facts"][u"inside.holders"].toString(), "a:1 x2");
        QVERIFY(!lines.first()[u"moments"].toArray().isEmpty());
    }

    // The rows are in the order of the list, although two experiments run at the same time.
    void runsAllOfThem() {
        const test::LabProgram::Ended ended = run({"run", "all", "--json"});
        const QList<QJsonObject> lines = linesOf(ended.output);
        QCOMPARE(lines.size(), static_cast<qsizetype>(lab::experiments().size()));
        for (size_t i = 0; i < lab::experiments().size(); ++i) {
            const QJsonObject& line = lines.at(static_cast<qsizetype>(i));
            QCOMPARE(line[u"experiment"].toString().toUtf8(), lab::experiments()[i].id);
            QVERIFY2(line[u"as_expected"].toBool(), QJsonDocument(line).toJson().constData());
        }
        QCOMPARE(ended.exitCode, 0);
    }

    void withoutAServerProgramNothingIsRun_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("one") << QStringList{"reentry"};
        QTest::newRow("all") << QStringList{"all"};
        QTest::newRow("as JSON") << QStringList{"all", "--json"};
        QTest::newRow("recorded") << QStringList{"reentry", "--record",
                                                 m_directory.filePath(QStringLiteral("none.lkrec"))};
    }
    void withoutAServerProgramNothingIsRun() {
        QFETCH(const QStringList, arguments);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), QStringLiteral("/nowhere"));
        const test::LabProgram::Ended ended =
            test::LabProgram(test::places::program(), QStringList("run") + arguments, environment).end();
        QCOMPARE(ended.exitCode, test::exitcode::noConnection);
        QCOMPARE(
            ended.complaints,
            "lockkeeper: no experiment can be run: redis-server or valkey-server is needed, and neither is in the PATH: "
            "install one of them\n");
        QCOMPARE(ended.output, "");
        QVERIFY(QDir(m_directory.path()).isEmpty());
    }

    // Nothing was measured, so nothing differs.
    void anExperimentWithoutServersHasNoOutcome() {
        const QTemporaryDir programs;
        QFile program(programs.filePath(QStringLiteral("redis-server")));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\necho broken\nexit 1\n");
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), programs.path());
        const test::LabProgram::Ended ended =
            test::LabProgram(test::places::program(), {"run", "reentry"}, environment).end();
        QCOMPARE(ended.exitCode, test::exitcode::noConnection);
        QCOMPARE(ended.complaints, "lockkeeper: reentry: redis-server ended: broken\\n\n");
        QVERIFY2(ended.output.contains("\nreentry               not started\n0 of 1 as expected"),
                 ended.output.constData());
        QVERIFY2(!ended.output.contains("differs"), ended.output.constData());
    }

    // Redis itself reports a path that is too long for a socket in another way.
    void aFolderForTemporaryFilesMayHaveALongName() {
        test::LabProgram program(test::places::program(), {"run", "wrong-thread"},
                                 QProcessEnvironment::systemEnvironment(), nameUpTo(64));
        const test::LabProgram::Ended ended = program.end();
        QCOMPARE(ended.complaints, "");
        QCOMPARE(ended.exitCode, 0);
        QCOMPARE(program.leftFiles(), QStringList());
    }

    void aNameThatIsTooLongIsRefusedBeforeAnythingIsStarted() {
        test::LabProgram program(test::places::program(), {"run", "all"}, QProcessEnvironment::systemEnvironment(),
                                 nameUpTo(65));
        const test::LabProgram::Ended ended = program.end();
        QCOMPARE(ended.exitCode, test::exitcode::noConnection);
        QCOMPARE(ended.complaints,
                 "lockkeeper: no experiment can be run: the name of the folder " + program.folder().toUtf8() +
                     " is too long for the sockets of servers in it: set the variable TMPDIR to a folder whose "
                     "name has at most 64 bytes\n");
        QCOMPARE(ended.output, "");
        QCOMPARE(program.leftFiles(), QStringList());
    }

    void aFolderThatIsMissingIsReportedOnce() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TMPDIR"), QStringLiteral("/nowhere"));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(test::places::program(), {"lab", "run", "all"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), test::exitcode::noConnection);
        const QByteArray complaints = process.readAllStandardError();
        QCOMPARE(complaints,
                 "lockkeeper: no experiment can be run: cannot write /nowhere: No such file or directory\n");
        QCOMPARE(process.readAllStandardOutput(), "");
    }

    void recordsARunIntoAFile() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("lab.lkrec"));
        const test::LabProgram::Ended ended = run({"run", "wrong-thread", "--record", path, "--mask"});
        QCOMPARE(ended.complaints, "");
        QCOMPARE(ended.exitCode, 0);
        QVERIFY2(ended.output.contains("1 of 1 as expected"), ended.output.constData());
        const recording::RecordingFile::Opened opened = recording::RecordingFile::open(path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, recording::FileEnd::Kind::Whole);
        QCOMPARE(opened.file->info().experiment->id, "wrong-thread");
        QVERIFY(opened.file->info().isMasked);
        const std::vector<recording::LabReport> reports = recording::labReportsIn(*opened.file);
        QCOMPARE(reports.back().update->phase, lab::LabPhase::Free);
        QVERIFY(reports.back().update->outcome);
    }

    void aRecordedRunIsPrintedAgain_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("as a table") << QStringList();
        QTest::newRow("as JSON") << QStringList{"--json"};
        QTest::newRow("without its cause") << QStringList{"--without-cause"};
    }
    void aRecordedRunIsPrintedAgain() {
        QFETCH(const QStringList, options);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("lab.lkrec"));
        const test::LabProgram::Ended ran = run(QStringList{"run", "wrong-thread", "--record", path} + options);
        const bool isJson = options.contains("--json");
        const test::LabProgram::Ended replayed = replay({path}, isJson);
        QCOMPARE(replayed.complaints, "");
        QCOMPARE(replayed.exitCode, 0);
        const QByteArray summary =
            isJson ? QByteArray() : ran.output.sliced(ran.output.chopped(1).lastIndexOf('\n') + 1);
        QVERIFY(!replayed.output.isEmpty());
        QCOMPARE(replayed.output + summary, ran.output);
    }

    void aRecordingWithoutTheEndOfTheRunPrintsNothing() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("lab.lkrec"));
        QCOMPARE(run({"run", "wrong-thread", "--record", path}).exitCode, 0);
        const test::LabProgram::Ended replayed = replay({path, "--to", "2026-01-01T00:00:00Z"});
        QCOMPARE(replayed.complaints,
                 "lockkeeper: " + path.toUtf8() + " does not have the end of the experiment: show it with --window\n");
        QCOMPARE(replayed.output, "");
        QCOMPARE(replayed.exitCode, 0);
    }

    void whatCannotBeRecordedIsNotRun() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("nowhere/lab.lkrec"));
        const test::LabProgram::Ended ended = run({"run", "reentry", "--record", path});
        QCOMPARE(ended.exitCode, test::exitcode::outputFailed);
        QVERIFY2(ended.complaints.startsWith("lockkeeper: cannot record: "), ended.complaints.constData());
        QCOMPARE(ended.complaints.count('\n'), 1);
    }

    void aSignalEndsARecordedRunWithAWholeFile() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("lab.lkrec"));
        test::LabProgram program(test::places::program(), {"run", "renewal", "--record", path});
        QTRY_VERIFY(!program.servers().isEmpty());
        program.process().terminate();
        QCOMPARE(program.end().exitCode, test::exitcode::signalled + 15);
        QCOMPARE(program.leftFiles(), QStringList());
        QCOMPARE(recording::RecordingFile::open(path).file->end().kind, recording::FileEnd::Kind::Whole);
    }

    void wrongUsageIsRefused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList();
        QTest::newRow("another word") << QStringList{"show"};
        QTest::newRow("list and a name") << QStringList{"list", "reentry"};
        QTest::newRow("no name") << QStringList{"run"};
        QTest::newRow("two names") << QStringList{"run", "reentry", "barging"};
        QTest::newRow("an unknown name") << QStringList{"run", "reentri"};
        QTest::newRow("a list without cause") << QStringList{"list", "--without-cause"};
        QTest::newRow("an option of watch") << QStringList{"run", "all", "--for", "3"};
        QTest::newRow("the text of all") << QStringList{"show", "all"};
        QTest::newRow("a text as JSON") << QStringList{"show", "reentry", "--json"};
        QTest::newRow("a recording of all") << QStringList{"run", "all", "--record", "x"};
        QTest::newRow("a recording of a text") << QStringList{"show", "reentry", "--record", "x"};
        QTest::newRow("a recording without a name") << QStringList{"run", "reentry", "--record", ""};
        QTest::newRow("a mask without a recording") << QStringList{"run", "reentry", "--mask"};
        QTest::newRow("the demo") << QStringList{"run", "all", "--demo"};
    }
    void wrongUsageIsRefused() {
        QFETCH(const QStringList, arguments);
        const test::LabProgram::Ended ended = run(arguments);
        QCOMPARE(ended.exitCode, test::exitcode::usage);
        QVERIFY(ended.complaints.startsWith("lockkeeper: "));
        QCOMPARE(ended.output, "");
    }

    void itsServersAreInAFolderOfThisUser() {
        test::LabProgram program(test::places::program(), {"run", "renewal"});
        QTRY_VERIFY(!program.servers().isEmpty());
        QCOMPARE(program.leftFiles().size(), 1);
        const QFileInfo folder(program.folder() + u'/' + program.leftFiles().first());
        QCOMPARE(folder.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther |
                                         QFile::WriteOther | QFile::ExeOther),
                 QFile::Permissions());
    }

    void aSignalEndsItInOrder() {
        test::LabProgram program(test::places::program(), {"run", "all"});
        QTRY_VERIFY(!program.servers().isEmpty());
        const QList<qint64> servers = program.servers();
        program.process().terminate();
        const test::LabProgram::Ended ended = program.end();
        QCOMPARE(ended.exitCode, test::exitcode::signalled + 15);
        for (const qint64 server : servers)
            QCOMPARE(test::stateOfProcess(server), '?');
        QCOMPARE(program.leftFiles(), QStringList());
    }
};

LOCKKEEPER_TEST(TestLabCommand, Guiless)

}  // namespace tst_labcommand

#include "tst_labcommand.moc"
