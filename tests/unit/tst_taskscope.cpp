// SPDX-License-Identifier: Apache-2.0
#include "async/completion.h"
#include "async/taskscope.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_taskscope {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

using Log = std::shared_ptr<QStringList>;

Task<void> waitAndNote(Completion<int> completion, Deadline deadline, std::stop_token stop, Log log, QString name) {
    const Result<int> answer = co_await completion.wait(deadline, stop);
    log->append(name + (answer ? QStringLiteral(" answered") : QStringLiteral(" ") + wordFor(answer.error().code)));
}

Task<void> noteAtOnce(Log log) {
    log->append(QStringLiteral("ran"));
    co_return;
}

Task<void> spawnAnother(TaskScope* scope, Completion<int> completion, Deadline deadline, std::stop_token stop,
                        Log log) {
    const Result<int> answer = co_await completion.wait(deadline, stop);
    Q_UNUSED(answer)
    scope->spawn(waitAndNote(Completion<int>(), deadline, stop, log, QStringLiteral("child")));
}

}  // namespace

class TestTaskScope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTaskStartsAtOnce() {
        TaskScope scope;
        scope.spawn(noteAtOnce(m_log));
        QCOMPARE(m_log->takeLast(), "ran");
        QCOMPARE(scope.running(), 0);
    }

    void countsWhatRuns() {
        TaskScope scope;
        const Completion<int> first;
        const Completion<int> second;
        spawn(scope, first, QStringLiteral("first"));
        spawn(scope, second, QStringLiteral("second"));
        QCOMPARE(scope.running(), 2);
        second.complete(1);
        QCOMPARE(scope.running(), 1);
        first.complete(1);
        QCOMPARE(scope.running(), 0);
        QCOMPARE(*m_log, (QStringList{QStringLiteral("second answered"), QStringLiteral("first answered")}));
    }

    void stopCancelsAndJoins() {
        TaskScope scope;
        spawn(scope, Completion<int>(), QStringLiteral("a"));
        spawn(scope, Completion<int>(), QStringLiteral("b"));
        scope.stop();
        QCOMPARE(scope.running(), 0);
        m_log->sort();
        QCOMPARE(*m_log, (QStringList{QStringLiteral("a Cancelled"), QStringLiteral("b Cancelled")}));
    }

    void noTaskOutlivesItsScope() {
        const Completion<int> completion;
        {
            TaskScope scope;
            spawn(scope, completion, QStringLiteral("a"));
        }
        QCOMPARE(*m_log, QStringList{QStringLiteral("a Cancelled")});
        completion.complete(1);
        QCOMPARE(m_log->size(), 1);
    }

    void whatATaskSpawnsWhileItIsStoppedEndsToo() {
        TaskScope scope;
        scope.spawn(spawnAnother(&scope, Completion<int>(), Deadline::never(m_clock), scope.stopToken(), m_log));
        scope.stop();
        QCOMPARE(*m_log, QStringList{QStringLiteral("child Cancelled")});
        QCOMPARE(scope.running(), 0);
    }

    void init() { m_log = std::make_shared<QStringList>(); }

private:
    void spawn(TaskScope& scope, const Completion<int>& completion, const QString& name) {
        scope.spawn(waitAndNote(completion, Deadline::in(m_clock, 1h), scope.stopToken(), m_log, name));
    }

    test::ManualClock m_clock;
    Log m_log;
};

LOCKKEEPER_TEST(TestTaskScope, Guiless)

}  // namespace tst_taskscope

#include "tst_taskscope.moc"
