// SPDX-License-Identifier: Apache-2.0
#include "support/exitcodes.h"
#include "support/lateanswers.h"
#include "support/places.h"
#include "support/processtable.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <csignal>

namespace tst_waitingcommands {

using namespace lockkeeper;
using namespace lockkeeper::test::exitcode;

namespace {

// What the program takes, and the words of its command line for it.
struct Taking {
    QByteArray words;
    QString face;
    QStringList options;
    bool isWaiter = false;  // another client holds the lock
};

const QString stranger = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
const QStringList command{"--", "true"};

std::vector<Taking> allTakings() {
    std::vector<Taking> takings;
    for (const char* kind :
         {"reentrant", "fair", "read", "write", "fenced", "spin", "nonreentrant", "nonreentrant-fair"})
        takings.push_back({kind, "lock", QStringList{"--kind", kind} + command});
    takings.push_back({"fair, in the queue", "lock", QStringList{"--kind", "fair"} + command, true});
    takings.push_back(
        {"nonreentrant-fair, in the queue", "lock", QStringList{"--kind", "nonreentrant-fair"} + command, true});
    takings.push_back({"two permits", "semaphore", QStringList{"run", "2"} + command});
    takings.push_back({"a permit with an id", "semaphore", QStringList{"--expirable"} + command});
    takings.push_back({"acquire", "semaphore", {"acquire"}});
    takings.push_back({"acquire a permit with an id", "semaphore", {"acquire", "--expirable"}});
    return takings;
}

enum class Server { Runs, StandsStill };
enum class GoesOn { WhenTheWaitIsOver, WhenConnectedAgain, WhenTheProgramHasEnded };

// The program, and a server of its own whose answers it waits for.
class WaitingProgram {
public:
    explicit WaitingProgram(Taking taking) : m_taking(std::move(taking)) {}

    [[nodiscard]] bool start(const QStringList& options, Server behaviour = Server::Runs) {
        if (!m_server.start())
            return false;
        if (!isLock())
            m_server.cli({"SET", "L", "3"});
        if (m_taking.isWaiter)
            m_server.cli({"HSET", "L", stranger, "1"});
        m_before = state();
        m_line = std::make_unique<test::LateAnswers>(m_server.port());
        if (behaviour == Server::StandsStill)
            m_line->beforeScript = [this] { freeze(); };
        m_program.start(test::places::program(),
                        QStringList{m_taking.face, m_line->address(), "L"} + options + m_taking.options);
        return m_program.waitForStarted();
    }
    // The signal is handled before the answer comes.
    [[nodiscard]] bool terminate() {
        const qint64 before = test::sleepsOfProcess(m_program.processId());
        m_program.terminate();
        return test::becomesTrue(
            [this, before] { return hasEnded() || test::hasHandledSignal(m_program.processId(), before); });
    }
    void letAnswersPass() { m_line->letPass(); }
    void loseTheAnswers() { m_line->cut(); }
    // To be called again and again until it is true: then the program has ended.
    [[nodiscard]] bool resumeWhen(GoesOn when) {
        m_complaint += m_program.readAllStandardError();
        const bool isTime = when == GoesOn::WhenTheWaitIsOver    ? !m_complaint.isEmpty()
                            : when == GoesOn::WhenConnectedAgain ? m_line->connections() > 1
                                                                 : false;
        if ((isTime || hasEnded()) && std::exchange(m_isFrozen, false))
            m_server.thaw();
        return hasEnded();
    }

    [[nodiscard]] QByteArray words() const { return m_taking.words; }
    [[nodiscard]] bool hasEnded() const { return m_program.state() == QProcess::NotRunning; }
    [[nodiscard]] int exitCode() const {
        return m_program.exitStatus() == QProcess::NormalExit ? m_program.exitCode() : -2;
    }
    [[nodiscard]] QByteArray complaint() {
        m_complaint += m_program.readAllStandardError();
        return m_complaint;
    }

    [[nodiscard]] bool hasChangedTheServer() { return state() != m_before; }
    // Whether the message has the lock's name, its holder, and how long it may stay.
    [[nodiscard]] bool namesWhatIsLeft() {
        if (isLock())
            return QString::fromUtf8(complaint())
                .contains(QRegularExpression("'L' may be held by " + holder() + ", for up to 30 s"));
        return complaint().contains("'L' may stay taken " + until());
    }
    // Whether it has an id by which the program finds it after a lost answer. Permits without ids are only a number.
    [[nodiscard]] bool hasId() const { return isLock() || m_taking.options.contains("--expirable"); }
    [[nodiscard]] bool isWaiter() const { return m_taking.isWaiter; }

private:
    [[nodiscard]] bool isLock() const { return m_taking.face == u"lock"; }
    void freeze() {
        m_isFrozen = true;
        m_server.freeze();
        m_line->letPass();
    }
    // All keys but the last token, which stays for ever after a fenced lock.
    [[nodiscard]] QStringList state() {
        static const QRegularExpression others("^(?!redisson_lock_token:)");
        return test::ServerHand(m_server).state().filter(others);
    }
    // The holder as the server shows it, without the mode of a read/write lock. A place in a queue may have been left
    // already.
    [[nodiscard]] QString holder() {
        const QString anyHolder = QStringLiteral("[0-9a-f-]{36}:1");
        return isWaiter() ? anyHolder : QRegularExpression(anyHolder).match(m_server.cli({"HKEYS", "L"})).captured();
    }
    [[nodiscard]] QByteArray until() const {
        const bool hasLease = m_taking.options.contains("--expirable") && m_taking.options.contains("--");
        return hasLease ? "until its lease of 30 s ends" : "until somebody releases as many";
    }

    const Taking m_taking;
    test::RedisServer m_server;
    std::unique_ptr<test::LateAnswers> m_line;
    QStringList m_before;
    QProcess m_program;
    QByteArray m_complaint;
    bool m_isFrozen = false;
};

}  // namespace

// What `lockkeeper lock` and `lockkeeper semaphore` leave on the server when they end while an answer is on its way:
// nothing, or exit code 77 and a message that names it.
class TestWaitingCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasTakenMeanwhileIsReleased_data() { addTakings(); }
    void whatWasTakenMeanwhileIsReleased() {
        WaitingProgram program(taking());
        QVERIFY(program.start({}));
        QTRY_VERIFY(program.hasChangedTheServer());
        QVERIFY(program.terminate());
        program.letAnswersPass();
        QTRY_VERIFY(program.hasEnded());
        QCOMPARE(program.exitCode(), signalled + SIGTERM);
        QVERIFY(!program.hasChangedTheServer());
    }

    // Only what has an id can be released afterwards.
    void whatWasTakenByALostAnswerIsReleasedOrNamed_data() { addTakings(); }
    void whatWasTakenByALostAnswerIsReleasedOrNamed() {
        WaitingProgram program(taking());
        QVERIFY(program.start({}));
        QTRY_VERIFY(program.hasChangedTheServer());
        QVERIFY(program.terminate());
        program.loseTheAnswers();
        QTRY_VERIFY(program.hasEnded());
        QCOMPARE(program.exitCode(), program.hasId() ? signalled + SIGTERM : mayBeLeft);
        QCOMPARE(program.hasChangedTheServer(), !program.hasId());
        QVERIFY2(program.hasId() || program.namesWhatIsLeft(), program.complaint());
    }

    void whatMayBeLeftIsNamed_data() { addTakings(); }
    void whatMayBeLeftIsNamed() {
        WaitingProgram program(taking());
        QVERIFY(program.start({"--grace", "0.2"}));
        QTRY_VERIFY(program.hasChangedTheServer());
        QVERIFY(program.terminate());
        QTRY_VERIFY(program.hasEnded());
        QCOMPARE(program.exitCode(), mayBeLeft);
        QVERIFY2(program.namesWhatIsLeft(), program.complaint());
    }

    // The acquire is in the buffer of a frozen server, and is executed when the server continues.
    void aServerThatStandsStill_data() {
        QTest::addColumn<GoesOn>("goesOn");
        QTest::newRow("goes on when the wait is over") << GoesOn::WhenTheWaitIsOver;
        QTest::newRow("goes on when the client has connected again") << GoesOn::WhenConnectedAgain;
        QTest::newRow("does not go on in time") << GoesOn::WhenTheProgramHasEnded;
    }
    void aServerThatStandsStill() {
        QFETCH(GoesOn, goesOn);
        std::vector<std::unique_ptr<WaitingProgram>> programs;
        for (const Taking& taking : allTakings()) {
            programs.push_back(std::make_unique<WaitingProgram>(taking));
            const QString grace = goesOn == GoesOn::WhenTheProgramHasEnded ? "0.2" : "20";
            QVERIFY(programs.back()->start({"--wait", "0.2", "--grace", grace}, Server::StandsStill));
        }
        QVERIFY(test::becomesTrue([&] { return allHaveEnded(programs, goesOn); }, 25000));
        for (const auto& program : programs) {
            // The answer of an acquire without an id is lost with its connection.
            const bool isTooLate =
                goesOn == GoesOn::WhenTheProgramHasEnded || (goesOn == GoesOn::WhenConnectedAgain && !program->hasId());
            QTRY_VERIFY2(program->isWaiter() || program->hasChangedTheServer() == isTooLate, program->words());
            QVERIFY2(!isTooLate || program->namesWhatIsLeft(), program->words() + ": " + program->complaint());
            const int expected = isTooLate || !program->hasId() ? mayBeLeft : notInTime;
            QVERIFY2(program->exitCode() == expected,
                     program->words() + ": " + QByteArray::number(program->exitCode()));
        }
    }

private:
    static bool allHaveEnded(const std::vector<std::unique_ptr<WaitingProgram>>& programs, GoesOn goesOn) {
        bool areAll = true;
        for (const auto& program : programs)
            areAll = program->resumeWhen(goesOn) && areAll;
        return areAll;
    }
    static void addTakings() {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const Taking& taking : allTakings())
            QTest::newRow(taking.words) << index++;
    }
    static Taking taking() {
        QFETCH(int, index);
        return allTakings().at(static_cast<size_t>(index));
    }
};

LOCKKEEPER_TEST(TestWaitingCommands, Guiless)

}  // namespace tst_waitingcommands

#include "tst_waitingcommands.moc"
