// SPDX-License-Identifier: Apache-2.0
#include "support/brittleline.h"
#include "support/places.h"
#include "support/processtable.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_lockattack {

using namespace lockkeeper;
using test::childOf;

namespace {

// Descriptor 9 is inherited by all that the work starts, and the system lets only one work at a time have this lock. A
// contender that acquires it while anything of the work before still runs is noted. Some of what the work starts is in
// a session of its own, and some ignores signals. Several readers may have it together.
const QByteArray work = R"(
exec 9>> "$FOLDER/one"
flock --nonblock $SHARED 9 || echo "$1" >> "$FOLDER/violations"
(trap '' TERM INT HUP QUIT; setsid sleep 60 & sleep 60) &
echo "$1" >> "$FOLDER/entered"
trap '' USR1
while :; do sleep 60; done
)";

enum class Attack {
    Terminate,
    HangUp,
    ManySignals,
    StopAndGoOn,
    Kill,
    KillGuard,
    KillKeeper,
    KillCommand,
    Freeze,
    FreezeGuard,
    CutTheLine
};

// The words before the URL, and those after it.
using Words = std::pair<QString, QString>;
const Words lock{"lock", "L --watchdog 2"};

}  // namespace

// Contenders run `lockkeeper lock`, and the one whose work runs is attacked. Whatever happens to it, nothing of its
// work may run when the next one enters.
class TestLockAttack : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_isOver = false;
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_server.start());
        m_line = std::make_unique<test::BrittleLine>(m_server.port());
        QFile script(m_folder->filePath("work"));
        QVERIFY(script.open(QIODevice::WriteOnly) && script.write(work) == work.size());
    }
    void cleanup() {
        m_isOver = true;
        for (const auto& contender : m_contenders)
            contender->terminate();
        m_line->mend();
        const bool ended = test::becomesTrue([this] { return nothingWorks(); }, 15000);
        m_contenders.clear();
        m_server.stop();
        QVERIFY(ended);
    }

    void onlyOneWorks_data() {
        QTest::addColumn<QList<Attack>>("attacks");
        QTest::newRow("SIGTERM") << QList{Attack::Terminate, Attack::Terminate, Attack::Terminate};
        QTest::newRow("SIGHUP") << QList{Attack::HangUp};
        QTest::newRow("a burst of signals") << QList{Attack::ManySignals};
        QTest::newRow("SIGTSTP and SIGCONT, again and again") << QList{Attack::StopAndGoOn};
        QTest::newRow("SIGKILL") << QList{Attack::Kill};
        QTest::newRow("SIGKILL to the guard") << QList{Attack::KillGuard, Attack::KillGuard};
        QTest::newRow("SIGKILL to its keeper") << QList{Attack::KillKeeper};
        QTest::newRow("SIGKILL to the command") << QList{Attack::KillCommand};
        QTest::newRow("longer frozen than the lease") << QList{Attack::Freeze};
        QTest::newRow("a frozen guard") << QList{Attack::FreezeGuard};
        QTest::newRow("the connections of all") << QList{Attack::CutTheLine};
        QTest::newRow("one after another")
            << QList{Attack::Kill,       Attack::KillGuard,  Attack::Freeze, Attack::Terminate,
                     Attack::KillKeeper, Attack::CutTheLine, Attack::HangUp};
    }
    void onlyOneWorks() {
        QFETCH(QList<Attack>, attacks);
        // Where the messages of the programs go: somewhere, nowhere, to a full pipe that nobody reads, to a full
        // device.
        const QString pipe = "pipe=$FOLDER/pipe$2; [ -p $pipe ] || mkfifo $pipe; exec 3<>$pipe; ";
        const QStringList outputs{"", "exec >&- 2>&-", pipe + "exec 2>$pipe 3<&-",
                                  pipe + "head -c 65536 /dev/zero >&3; exec 2>&3", "exec >/dev/full 2>&1"};
        for (const QString& output : outputs)
            addContender(lock, output);
        attackEach(attacks);
    }

    // Two contenders each, so that they take turns.
    void onlyOneWorksUnderEachKind_data() {
        QTest::addColumn<QList<Words>>("contenders");
        QTest::addColumn<QList<Attack>>("attacks");
        const auto twice = [](const QString& word, const QString& options) {
            return QList<Words>{{word, options}, {word, options}};
        };
        QTest::newRow("a fixed lease") << twice("lock", "L --lease 2") << QList{Attack::Freeze, Attack::Kill};
        QTest::newRow("--on-lost warn, a grace longer than the lease")
            << twice("lock", "L --watchdog 2 --on-lost warn --grace 3") << QList{Attack::Kill};
        QTest::newRow("fair") << twice("lock", "L --watchdog 2 --kind fair") << QList{Attack::Kill, Attack::CutTheLine};
        QTest::newRow("write") << twice("lock", "L --watchdog 2 --kind write")
                               << QList{Attack::Terminate, Attack::Freeze};
        QTest::newRow("read and write") << QList<Words>{{"lock", "L --watchdog 2 --kind read"},
                                                        {"lock", "L --watchdog 2 --kind write"}}
                                        << QList{Attack::Terminate, Attack::Kill, Attack::Kill};
        QTest::newRow("a permit") << twice("semaphore", "S --expirable --watchdog 2")
                                  << QList{Attack::Kill, Attack::Freeze};
    }
    void onlyOneWorksUnderEachKind() {
        QFETCH(QList<Words>, contenders);
        QFETCH(QList<Attack>, attacks);
        m_server.cli({"SET", "S", "1"});
        for (const Words& words : contenders)
            addContender(words, {});
        attackEach(attacks);
    }

private:
    void attackEach(const QList<Attack>& attacks) {
        qsizetype entries = 1;
        QVERIFY(test::becomesTrue([&] { return entered().size() >= entries; }, 10000));
        for (const Attack attack : attacks) {
            const QByteArray target = entered().last();
            entries = entered().size();
            strike(attack, *m_contenders.at(target.toUInt()));
            const bool hasNext = test::becomesTrue([&] { return entered().size() > entries; }, 15000);
            QVERIFY2(hasNext, "attack " + QByteArray::number(static_cast<int>(attack)) + " on " + target);
            calmDown(*m_contenders.at(target.toUInt()));
        }
        QCOMPARE(linesOf("violations"), QByteArrayList());
    }

    void addContender(const Words& words, const QString& output) {
        auto contender = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("FOLDER", m_folder->path());
        environment.insert("SHARED", words.second.contains("--kind read") ? "--shared" : "--exclusive");
        contender->setProcessEnvironment(environment);
        const QString endings =
            words.second.contains("--on-lost") ? QString() : QStringLiteral(" --grace 0.5 --on-lost kill");
        contender->setProgram("bash");
        contender->setArguments({"-c",
                                 output + "\nexec \"$0\" " + words.first + " \"$1\" " + words.second + endings +
                                     " -- bash \"$FOLDER/work\" \"$2\"",
                                 test::places::program(), m_line->address(), QString::number(m_contenders.size())});
        // A contender that was killed starts again.
        connect(contender.get(), &QProcess::finished, contender.get(), [this, again = contender.get()] {
            if (!m_isOver)
                again->start();
        });
        contender->start();
        m_contenders.push_back(std::move(contender));
    }

    void strike(Attack attack, QProcess& contender) {
        const qint64 program = contender.processId();
        const qint64 keeper = childOf(program);
        const qint64 guard = childOf(keeper);
        switch (attack) {
            case Attack::Terminate:
                return send(program, SIGTERM);
            case Attack::HangUp:
                return send(program, SIGHUP);
            case Attack::ManySignals:
                for (int i = 0; i < 5000; ++i)
                    send(program, SIGUSR1);
                return send(program, SIGTERM);
            // One signal after the other, as fast as they arrive.
            case Attack::StopAndGoOn:
                for (int i = 0; i < 100; ++i) {
                    send(program, SIGTSTP);
                    QVERIFY(test::becomesTrue([program] { return !test::isSignalPending(program); }));
                    send(program, SIGCONT);
                }
                return send(program, SIGTERM);
            case Attack::Kill:
                return send(program, SIGKILL);
            case Attack::KillGuard:
                return send(guard, SIGKILL);
            case Attack::KillKeeper:
                return send(keeper, SIGKILL);
            case Attack::KillCommand:
                send(childOf(guard), SIGKILL);
                return send(program, SIGTERM);  // processes that the command has left keep the lock
            case Attack::Freeze:
                return send(program, SIGSTOP);
            case Attack::FreezeGuard:
                send(guard, SIGSTOP);
                return send(program, SIGTERM);
            case Attack::CutTheLine:
                m_line->cut();
                QVERIFY(test::becomesTrue([this] { return m_server.cli({"EXISTS", "L"}) == "0"; }, 10000));
                m_line->mend();
        }
    }
    void calmDown(QProcess& contender) { send(contender.processId(), SIGCONT); }

    static void send(qint64 process, int signal) {
        if (process > 0)
            ::kill(static_cast<pid_t>(process), signal);
    }
    [[nodiscard]] QByteArrayList linesOf(const QString& name) const {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        QByteArrayList lines = file.readAll().split('\n');
        lines.removeLast();
        return lines;
    }
    [[nodiscard]] QByteArrayList entered() const { return linesOf("entered"); }
    [[nodiscard]] bool nothingWorks() const {
        const bool allEnded =
            std::ranges::all_of(m_contenders, [](const auto& one) { return one->state() == QProcess::NotRunning; });
        return allEnded && QProcess::execute("flock", {"--nonblock", m_folder->filePath("one"), "true"}) == 0;
    }

    test::RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::BrittleLine> m_line;
    std::vector<std::unique_ptr<QProcess>> m_contenders;
    bool m_isOver = false;
};

LOCKKEEPER_TEST(TestLockAttack, Guiless)

}  // namespace tst_lockattack

#include "tst_lockattack.moc"
