// SPDX-License-Identifier: Apache-2.0
#include "support/files.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QDir>
#include <QProcess>
#include <QTest>

namespace tst_childprocess {

using namespace lockkeeper;
using test::contentOf;

// The program crashes; its child processes must not continue. Only with the platform's POSIX version.
class TestChildProcess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDemosServerEndsWithTheProgram() {
        QProcess program;
        program.start(test::places::program(), {"watch", "--demo"});
        const qint64 server = childOf(program);
        QVERIFY(server > 0);
        program.kill();
        QTRY_COMPARE(program.state(), QProcess::NotRunning);
        QTRY_VERIFY(hasEnded(server));
    }

    void theCommandUnderALockEndsIfAsked() {
        test::RedisServer locks;
        QVERIFY(locks.start());
        QProcess program;
        program.start(test::places::program(),
                      {"lock", "unix://" + locks.socketPath(), "L", "--on-lost", "kill", "--", "sleep", "100"});
        const qint64 command = childOf(program);
        QVERIFY(command > 0);
        program.kill();
        QTRY_COMPARE(program.state(), QProcess::NotRunning);
        QTRY_VERIFY(hasEnded(command));
    }

private:
    // The first child of any thread, once it has started its own program; 0 if there is none in time.
    static qint64 childOf(const QProcess& program) {
        qint64 child = 0;
        const bool found = QTest::qWaitFor([&] {
            const QString tasks = QStringLiteral("/proc/%1/task").arg(program.processId());
            for (const QString& task : QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
                const QByteArray children = contentOf(tasks + u'/' + task + QStringLiteral("/children"));
                child = std::max(child, children.split(' ').first().toLongLong());
            }
            const QByteArray line = commandLineOf(child);
            return !line.isEmpty() && !line.startsWith(test::places::program().toUtf8());
        });
        return found ? child : 0;
    }
    static QByteArray commandLineOf(qint64 process) {
        return contentOf(QStringLiteral("/proc/%1/cmdline").arg(process));
    }
    // A process that nobody has waited for still has an entry, but no command line.
    static bool hasEnded(qint64 process) { return commandLineOf(process).isEmpty(); }
};

LOCKKEEPER_TEST(TestChildProcess, Guiless)

}  // namespace tst_childprocess

#include "tst_childprocess.moc"
