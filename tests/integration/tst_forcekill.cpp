// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditjson.h"
#include "control/audit/readaudit.h"
#include "platform/filelock.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <csignal>

namespace tst_forcekill {

using namespace lockkeeper;
using namespace std::chrono_literals;
using control::AuditLine;
using control::AuditOutcome;
using control::AuditRecord;
using control::AuditStep;

namespace {

const QString worker = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
// In ms: beside other programs a disk may take its time for each fsync.
constexpr int diskTime = 90000;

}  // namespace

// The program is killed at each step of a force-release: no lock is broken without a line in the audit, and the audit
// stays usable.
class TestForceKill : public QObject {
    Q_OBJECT

private:
    QString folder() const { return m_data->filePath(QStringLiteral("lockkeeper/lockkeeper/audit")); }
    bool isHeld() { return m_server.cli({"EXISTS", "L"}) == "1"; }

    // limit: the largest size of a file in bytes. The system kills a program that writes more.
    void start(rlim_t limit = RLIM_INFINITY) {
        m_program = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_data->path());
        m_program->setProcessEnvironment(environment);
        m_program->setChildProcessModifier([limit] {
            const rlimit bytes{limit, limit};
            const rlimit noDump{0, 0};
            setrlimit(RLIMIT_FSIZE, &bytes);
            setrlimit(RLIMIT_CORE, &noDump);
        });
        m_program->start(test::places::program(),
                         {"force-release", QStringLiteral("unix://") + m_server.socketPath(), "L", "--holder", worker,
                          "--reason", "worker-7 crashed", "--confirm", "L"});
    }
    void kill() {
        m_program->kill();
        QVERIFY(m_program->waitForFinished(diskTime));
        QCOMPARE(m_program->exitStatus(), QProcess::CrashExit);
    }
    // Whether the lock was read before the confirmation and after it. The first script is sent by its hash, then by
    // its text.
    bool isReadTwice() {
        test::ServerHand hand(m_server);
        return hand.calls(QStringLiteral("eval_ro")) == 1 && hand.calls(QStringLiteral("evalsha_ro")) == 2;
    }
    int commandsThatBreak() { return test::ServerHand(m_server).calls(QStringLiteral("del")); }

    // "intent", "outcome done", "torn", "broken"
    QStringList audit() const {
        const Result<control::AuditReading> reading = control::readAudit(folder());
        if (!reading)
            return {QStringLiteral("not readable")};
        QStringList words;
        for (const AuditLine& line : reading->lines)
            words += line.record->step == AuditStep::Intent
                         ? QStringLiteral("intent")
                         : QStringLiteral("outcome ") + wordFor(line.record->outcome);
        for (const AuditLine& line : reading->faults)
            words += line.standing == AuditLine::Standing::Torn ? QStringLiteral("torn") : QStringLiteral("broken");
        return words;
    }
    // The next force-release appends to what the killed program has left.
    void breaksAnotherLockAfterwards(const QStringList& before) {
        m_server.cli({"HSET", "L", worker, "1"});
        start();
        QVERIFY(m_program->waitForFinished(diskTime));
        QCOMPARE(m_program->exitCode(), 0);
        QStringList lines = before;
        lines.removeAll(QStringLiteral("torn"));
        lines += {QStringLiteral("intent"), QStringLiteral("outcome done")};
        if (before.contains(QStringLiteral("torn")))
            lines += QStringLiteral("torn");
        QCOMPARE(audit(), lines);
    }

    test::RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_data;
    std::unique_ptr<platform::FileLock> m_lock;  // of the audit
    std::unique_ptr<QProcess> m_program;

    void lockAudit() {
        QVERIFY(QDir().mkpath(folder()));
        m_lock = std::make_unique<platform::FileLock>(folder() + QStringLiteral("/lock"));
        QVERIFY(m_lock->acquire(1s));
    }

private Q_SLOTS:
    void init() {
        m_data = std::make_unique<QTemporaryDir>();
        QVERIFY(m_server.start());
        m_server.cli({"HSET", "L", worker, "1"});
    }
    void cleanup() {
        m_program.reset();
        m_lock.reset();
        m_server.stop();
    }

    void beforeItsIntentIsWritten() {
        lockAudit();
        start();
        QTRY_VERIFY(isReadTwice());
        QCOMPARE(commandsThatBreak(), 0);
        kill();
        m_lock.reset();
        QVERIFY(isHeld());
        QCOMPARE(audit(), QStringList());
        breaksAnotherLockAfterwards({});
    }

    // As the case before, but nothing kills this program: it writes the line that was missing.
    void onlyAfterItsIntentIsWritten() {
        lockAudit();
        start();
        QTRY_VERIFY(isReadTwice());
        QCOMPARE(commandsThatBreak(), 0);
        m_lock.reset();
        QVERIFY(m_program->waitForFinished(diskTime));
        QCOMPARE(m_program->exitCode(), 0);
        QVERIFY(!isHeld());
        QCOMPARE(audit(), (QStringList{QStringLiteral("intent"), QStringLiteral("outcome done")}));
    }

    void inTheMiddleOfItsIntent() {
        start(100);
        QVERIFY(m_program->waitForFinished(diskTime));
        QCOMPARE(m_program->exitStatus(), QProcess::CrashExit);
        QVERIFY(isHeld());
        QCOMPARE(commandsThatBreak(), 0);
        QCOMPARE(audit(), QStringList{QStringLiteral("torn")});
        breaksAnotherLockAfterwards({QStringLiteral("torn")});
    }

    // The server has received the command, and has not executed it yet.
    void beforeTheServerAnswers() {
        lockAudit();
        start();
        QTRY_VERIFY(isReadTwice());
        m_server.freeze();
        m_lock.reset();
        QTRY_COMPARE_WITH_TIMEOUT(audit(), QStringList{QStringLiteral("intent")}, diskTime);
        kill();
        m_server.thaw();
        // The line is there, whether the command was sent in time or not.
        QCOMPARE(audit(), QStringList{QStringLiteral("intent")});
        breaksAnotherLockAfterwards({QStringLiteral("intent")});
    }

    void betweenTheAnswerAndItsOutcome() {
        lockAudit();
        start();
        QTRY_VERIFY(isReadTwice());
        m_server.freeze();
        m_lock.reset();
        QTRY_COMPARE_WITH_TIMEOUT(audit(), QStringList{QStringLiteral("intent")}, diskTime);
        lockAudit();
        m_server.thaw();
        QTRY_VERIFY(!isHeld());
        kill();
        m_lock.reset();
        QCOMPARE(audit(), QStringList{QStringLiteral("intent")});
        breaksAnotherLockAfterwards({QStringLiteral("intent")});
    }

    void inTheMiddleOfItsOutcome() {
        start();
        QVERIFY(m_program->waitForFinished(diskTime));
        QStringList lines{QStringLiteral("intent"), QStringLiteral("outcome done")};
        QCOMPARE(audit(), lines);
        // Another force-release writes an intent that is as long, and 50 bytes more.
        const std::vector<AuditLine> written = control::readAudit(folder())->lines;
        const qsizetype size = 2 * (written[0].bytes.size() + 1) + written[1].bytes.size() + 1;
        m_server.cli({"HSET", "L", worker, "1"});
        start(static_cast<rlim_t>(size + 50));
        QVERIFY(m_program->waitForFinished(diskTime));
        QCOMPARE(m_program->exitStatus(), QProcess::CrashExit);
        QVERIFY(!isHeld());
        lines += {QStringLiteral("intent"), QStringLiteral("torn")};
        QCOMPARE(audit(), lines);
        breaksAnotherLockAfterwards(lines);
    }

    // The kill may hit any step.
    void atAnyMoment_data() {
        QTest::addColumn<int>("milliseconds");
        for (int milliseconds = 20; milliseconds <= 400; milliseconds += 20)
            QTest::addRow("%d ms", milliseconds) << milliseconds;
    }
    void atAnyMoment() {
        QFETCH(int, milliseconds);
        start();
        (void)m_program->waitForFinished(milliseconds);
        m_program->kill();
        (void)m_program->waitForFinished(diskTime);
        QVERIFY(isHeld() || audit().contains(QStringLiteral("intent")));
        QVERIFY(!audit().contains(QStringLiteral("broken")));
    }
};

LOCKKEEPER_TEST(TestForceKill, Guiless)

}  // namespace tst_forcekill

#include "tst_forcekill.moc"
