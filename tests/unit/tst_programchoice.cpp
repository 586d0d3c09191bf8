// SPDX-License-Identifier: Apache-2.0
#include "app/cli/programs.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_programchoice {

using namespace lockkeeper;
using app::Program;

// Which program executes a command line: `lockkeeper` itself only if that needs few libraries.
class TestProgramChoice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theProgramFollowsFromTheCommandLine_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<Program>("program");
        const auto row = [](const char* line, Program program) {
            QTest::newRow(*line ? line : "nothing") << QString::fromLatin1(line) << program;
        };
        row("lock redis://h L -- true", Program::Itself);
        row("--wait 1 lock h L -- true", Program::Itself);
        row("semaphore redis://h S permits", Program::Itself);
        row("latch redis://h T count", Program::Itself);
        row("--help", Program::Itself);
        row("list --version", Program::Itself);

        row("lock --profile Orders L -- true", Program::Tools);
        row("lock --redisson-config redisson.yaml L -- true", Program::Tools);
        row("latch --profile Orders T wait", Program::Tools);
        row("list redis://h", Program::Tools);
        row("watch --demo", Program::Tools);
        row("force-release redis://h L --holder x --reason y", Program::Tools);
        row("wake redis://h L --reason y", Program::Tools);
        row("set-ttl redis://h L --ttl 5", Program::Tools);
        row("audit", Program::Tools);
        row("lab run all", Program::Tools);
        row("replay file.lkrec", Program::Tools);

        row("", Program::Gui);
        row("redis://h", Program::Gui);
        row("--demo --read-only", Program::Gui);
        row("--profile Orders", Program::Gui);
        row("file.lkrec", Program::Gui);
        row("replay file.lkrec --window", Program::Gui);
        row("lisst redis://h", Program::Itself);
        row("lok redis://h L -- make", Program::Itself);
        row("--screenshot lock.png --demo", Program::Gui);
    }
    void theProgramFollowsFromTheCommandLine() {
        QFETCH(const QString, line);
        QTEST(app::programFor(line.split(u' ', Qt::SkipEmptyParts)), "program");
    }

    void theWordsOfTheUsersCommandDoNotCount() {
        QCOMPARE(app::programFor({"lock", "h", "L", "--", "mysql", "--profile", "x"}), Program::Itself);
        QCOMPARE(app::programFor({"--", "lock"}), Program::Gui);
    }

    // It prints why, without starting another program.
    void whatCannotBeParsedIsRefusedAtOnce() { QCOMPARE(app::programFor({"list", "--colour"}), Program::Itself); }
};

LOCKKEEPER_TEST(TestProgramChoice, Appless)

}  // namespace tst_programchoice

#include "tst_programchoice.moc"
