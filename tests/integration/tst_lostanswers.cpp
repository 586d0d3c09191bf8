// SPDX-License-Identifier: Apache-2.0
#include "support/lockscene.h"
#include "support/owner.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_lostanswers {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::Kind;
using test::LossyLine;
using test::Memory;
using test::owner;

namespace {

// The code of a failure; nothing for a success.
template <typename T>
std::optional<ErrorCode> failureOf(const Result<T>& result) {
    return result ? std::nullopt : std::optional(result.error().code);
}

// What a program is doing when a fault occurs between the sending of its script and the answer.
enum class Step { Take, TakeAgain, WaitFor, GiveBack, GiveBackOneOfTwo, Renew, SetLease, GiveUpWaiting, Force };

// The fault, on every server of the lock.
enum class Harm {
    CommandLost,
    CommandHeldUp,  // a connection without a sign of life; the command arrives when the client has reconnected and
                    // reconciled
    AnswerLost,
    AnswerAndThatOfSettlingLost,
    AnswerLate,
    ServerRestartedBefore,  // the server has lost its data
    ServerRestartedAfter    // the server has kept its data
};

}  // namespace

// Whatever is lost between a script and its answer: soon the program's belief agrees with the server, and no hold stays
// there that no client knows.
class TestLostAnswers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_call.reset();
        m_giving.reset();
        m_forcing.reset();
        m_scene.reset();
    }

    void beliefAndRecordAgreeAgain_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Step>("step");
        QTest::addColumn<int>("passing");
        QTest::addColumn<Harm>("harm");
        for (const Kind kind : test::allKinds()) {
            for (const auto& [step, passing, words] : stepsOf(kind)) {
                for (const auto& [harm, what] : harmsOf(step))
                    QTest::newRow(test::wordFor(kind) + ", " + words + ": " + what) << kind << step << passing << harm;
            }
        }
    }
    void beliefAndRecordAgreeAgain() {
        QFETCH(Kind, kind);
        QFETCH(Step, step);
        QFETCH(int, passing);
        QFETCH(Harm, harm);
        test::LockScene::Options options;
        options.memory = harm == Harm::ServerRestartedAfter ? Memory::Remembers : Memory::Forgets;
        options.commandTimeout = harm == Harm::AnswerLate ? 200ms : 3000ms;
        if (step != Step::Renew)
            options.watchdogTimeout = 1h;  // nothing expires by itself
        m_scene = std::make_unique<test::LockScene>(kind, options);
        QVERIFY(m_scene->start());
        prepare(step);
        for (const auto& line : m_scene->mine().lines())
            loseOn(*line, harm, passing);
        begin(step);
        QVERIFY2(test::becomesTrue([this] { return everythingIsLost(); }), "the script was never sent");
        end(step);
        const AnyLock lock = m_scene->mine().lock();
        agrees(lock);
        if (harm == Harm::CommandHeldUp) {
            deliverHeldUp(lock);
            agrees(lock);
        }
        m_scene->giveEverythingBack(lock, owner);
        m_scene->giveEverythingBack(m_scene->other().rival(), owner);
        QVERIFY2(test::becomesTrue([this] { return m_scene->keys().isEmpty(); }),
                 qPrintable(m_scene->keys().join(u' ')));
        QCOMPARE(m_scene->take(m_scene->other().rival(), owner), QString());
    }

private:
    struct StepOfKind {
        Step step;
        int passing;  // scripts that pass before the lost one
        QByteArray words;
    };
    static std::vector<StepOfKind> stepsOf(Kind kind) {
        std::vector<StepOfKind> steps{{Step::Take, 0, "taking"},
                                      {Step::TakeAgain, 0, "taking it again"},
                                      {Step::WaitFor, 0, "waiting for it"},
                                      {Step::WaitFor, 1, "trying again after subscribing"},
                                      {Step::GiveBack, 0, "releasing"},
                                      {Step::GiveBackOneOfTwo, 0, "releasing one of two holds"},
                                      {Step::Renew, 0, "renewing"}};
        if (kind == Kind::Fair)
            steps.push_back({Step::GiveUpWaiting, 2, "leaving the queue"});
        if (kind == Kind::Multi) {
            steps.push_back({Step::Take, 1, "taking the second"});
            steps.push_back({Step::SetLease, 2, "setting the first lease"});
            steps.push_back({Step::SetLease, 3, "setting the second lease"});
        } else if (kind != Kind::Red) {
            steps.push_back({Step::Force, 0, "forcing"});
        }
        return steps;
    }
    static std::vector<std::pair<Harm, QByteArray>> harmsOf(Step step) {
        std::vector<std::pair<Harm, QByteArray>> harms{{Harm::CommandLost, "the command is lost"},
                                                       {Harm::CommandHeldUp, "the command is held up"},
                                                       {Harm::AnswerLost, "the answer is lost"},
                                                       {Harm::AnswerLate, "the answer is late"},
                                                       {Harm::ServerRestartedBefore, "the server restarts before it"},
                                                       {Harm::ServerRestartedAfter, "the server restarts after it"}};
        if (step != Step::Force)
            harms.emplace_back(Harm::AnswerAndThatOfSettlingLost, "the answer is lost, and that of the reconciliation");
        return harms;
    }

    void loseOn(LossyLine& line, Harm harm, int passing) {
        const bool beforehand = harm == Harm::CommandLost || harm == Harm::ServerRestartedBefore;
        const LossyLine::Loss loss = beforehand                    ? LossyLine::Loss::Command
                                     : harm == Harm::CommandHeldUp ? LossyLine::Loss::HeldUpCommand
                                     : harm == Harm::AnswerLate    ? LossyLine::Loss::LateAnswer
                                                                   : LossyLine::Loss::Answer;
        line.lateness = 300ms;
        line.lose(loss, passing);
        if (harm == Harm::AnswerAndThatOfSettlingLost)
            line.lose(loss);
        if (harm == Harm::ServerRestartedBefore || harm == Harm::ServerRestartedAfter)
            line.whenLost = [this, &line] { restartServerOf(line); };
    }
    // When the client has reconnected, the server has ended the old connections, so that what arrives on them is not
    // executed.
    void deliverHeldUp(const AnyLock& lock) {
        const auto isConnected = [](const Lock& member) {
            return member.client().connections().of(member.name().bytes())->isReady();
        };
        QVERIFY(test::becomesTrue([&] { return std::ranges::all_of(lock.members(), isConnected); }));
        for (const auto& line : m_scene->mine().lines()) {
            line->deliverHeldUp();
            QVERIFY(test::becomesTrue([&] { return line->heldUpHaveEnded(); }));
        }
    }
    // Agrees in the end: while a renewal is under way, the belief may be older than what the server has.
    void agrees(const AnyLock& lock) const {
        QVERIFY2(test::becomesTrue([&] { return m_scene->disagreement(lock, owner).isEmpty(); }),
                 qPrintable(m_scene->disagreement(lock, owner)));
    }
    void restartServerOf(const LossyLine& line) {
        for (size_t i = 0; i < m_scene->servers().size(); ++i) {
            if (m_scene->mine().lines()[i].get() != &line)
                continue;
            m_scene->servers()[i]->kill();
            QVERIFY(m_scene->servers()[i]->start());
        }
    }
    [[nodiscard]] bool everythingIsLost() const {
        return std::ranges::all_of(m_scene->mine().lines(), [](const auto& line) { return line->hasLostAll(); });
    }

    void prepare(Step step) {
        const AnyLock lock = m_scene->mine().lock();
        // Loads the scripts into each server: a script that must be sent again in full is not sent once its caller
        // has stopped waiting.
        // stopped waiting.
        for (const Lock& member : lock.members()) {
            const Result<LockAttempt> taken = test::waitFor(member.tryLock(owner, m_scene->in(0ms)));
            QVERIFY2(taken && taken->acquired(), "a script was not loaded");
        }
        m_scene->giveEverythingBack(lock, owner);
        if (step == Step::WaitFor || step == Step::GiveUpWaiting || step == Step::Force)
            QCOMPARE(m_scene->take(m_scene->other().rival(), owner), QString());
        else if (step != Step::Take && step != Step::SetLease)
            QCOMPARE(m_scene->take(lock, owner), QString());
        if (step == Step::GiveBackOneOfTwo)
            QCOMPARE(m_scene->take(lock, owner), QString());
    }
    void begin(Step step) {
        const AnyLock lock = m_scene->mine().lock();
        if (step == Step::Take || step == Step::TakeAgain)
            m_call = test::start(lock.tryLock(owner, m_scene->in(0ms)));
        else if (step == Step::WaitFor)
            m_call = test::start(lock.tryLock(owner, m_scene->in(10s)));
        else if (step == Step::GiveUpWaiting)
            m_call = test::start(lock.tryLock(owner, m_scene->in(200ms)));
        else if (step == Step::SetLease)
            m_call = test::start(lock.tryLock(owner, m_scene->in(2s), 5s));
        else if (step == Step::GiveBack || step == Step::GiveBackOneOfTwo)
            m_giving = test::start(lock.unlock(owner));
        else if (step == Step::Force)
            m_forcing = test::start(lock.members().front().forceUnlock());
    }
    void end(Step step) {
        if (step == Step::WaitFor)
            m_scene->giveEverythingBack(m_scene->other().rival(), owner);
        QVERIFY(test::becomesTrue([this] {
            return (!m_call || m_call->has_value()) && (!m_giving || m_giving->has_value()) &&
                   (!m_forcing || m_forcing->has_value());
        }));
        if (step == Step::WaitFor)
            QVERIFY((*m_call)->ok() && (*m_call)->value().acquired());
        else if (m_call && step != Step::GiveUpWaiting)
            QCOMPARE(failureOf(**m_call), ErrorCode::OutcomeUnknown);
        else if (m_giving)
            QCOMPARE(failureOf(**m_giving), ErrorCode::OutcomeUnknown);
        else if (m_forcing)
            QCOMPARE(failureOf(**m_forcing), ErrorCode::OutcomeUnknown);
    }

    std::unique_ptr<test::LockScene> m_scene;
    test::Running<Result<LockAttempt>> m_call;
    test::Running<Result<ReleaseOutcome>> m_giving;
    test::Running<Result<bool>> m_forcing;
};

LOCKKEEPER_TEST(TestLostAnswers, Guiless)

}  // namespace tst_lostanswers

#include "tst_lostanswers.moc"
