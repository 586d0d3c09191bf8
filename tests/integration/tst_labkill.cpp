// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "lab/experiment/catalogue.h"
#include "lab/experiment/experimentrun.h"
#include "lab/experiment/wording.h"
#include "support/labanswers.h"
#include "support/labprogram.h"
#include "support/places.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_labkill {

using namespace lockkeeper;
using namespace lockkeeper::lab::wording;

// What a laboratory does by signals.
class TestLabKill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killedItLeavesNoServerAndNoFile_data() {
        QTest::addColumn<QString>("experiment");
        for (const lab::Experiment& experiment : lab::experiments())
            QTest::newRow(experiment.id.constData()) << QString::fromLatin1(experiment.id);
    }
    void killedItLeavesNoServerAndNoFile() {
        QFETCH(const QString, experiment);
        test::LabProgram program(test::places::program(), {"run", experiment});
        const auto isAtWork = [&program] {
            const QStringList answers = test::answersBelow(program.folder(), {"INFO", "commandstats"});
            return !answers.filter(QStringLiteral("cmdstat_eval")).isEmpty();
        };
        // Once: it may have ended when it is asked again.
        QVERIFY(test::becomesTrue([&] { return isAtWork() || program.process().state() == QProcess::NotRunning; }));
        const QList<qint64> children = test::childrenOf(program.process().processId());
        program.process().kill();
        program.process().waitForFinished();
        // 'Z': its parent has not waited for it yet.
        const auto isGone = [](qint64 process) { return QByteArrayView("?Z").contains(test::stateOfProcess(process)); };
        QTRY_VERIFY(std::ranges::all_of(children, isGone));
        QTRY_COMPARE(program.leftFiles().join(u' '), QString());
    }

    void aFrozenServerIsSilentUntilItIsResumed() {
        lab::Scenario scenario;
        scenario.actors = {"a"};
        scenario.locks = {lock("L")};
        scenario.steps = {fault(lab::FreezeServer{}),
                          begin("a", acquire("a", "L")),
                          pause(300ms),
                          fault(lab::ResumeServer{}),
                          join("a"),
                          observe("after", "L")};
        SystemClock clock;
        lab::ExperimentRun run(scenario, clock, qEnvironmentVariable("LOCKKEEPER_TEST_SERVER"));
        const lab::Outcome outcome = test::waitFor(run.run());
        QCOMPARE(lab::textOf(std::optional(outcome.facts.value("a.answer"))), "acquired");
        QVERIFY(std::get<qint64>(outcome.facts.value("a.ms")) >= 300);
        QCOMPARE(lab::textOf(std::optional(outcome.facts.value("after.holders"))), "a:1");
    }
};

LOCKKEEPER_TEST(TestLabKill, Guiless)

}  // namespace tst_labkill

#include "tst_labkill.moc"
