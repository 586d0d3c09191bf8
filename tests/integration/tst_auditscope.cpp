// SPDX-License-Identifier: Apache-2.0
#include "blocking/client.h"
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QDir>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

namespace tst_auditscope {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// The audit records what an operator does, not what programs do with their locks, and not locks of a laboratory.
class TestAuditScope : public QObject {
    Q_OBJECT

private:
    static QString pathIn(const QTemporaryDir& data) {
        return data.filePath(QStringLiteral("lockkeeper/lockkeeper/audit"));
    }
    bool isAudited() const { return QDir(pathIn(*m_data)).exists(); }
    QString url() const { return QStringLiteral("unix://") + m_server.socketPath(); }
    int run(const QStringList& arguments) {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_data->path());
        program.setProcessEnvironment(environment);
        program.start(places::program(), arguments);
        return program.waitForFinished(60'000) ? program.exitCode() : -1;
    }

    RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_data;

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_data = std::make_unique<QTemporaryDir>();
    }
    void cleanup() { m_server.stop(); }

    // Shows that the other tests check the right folder.
    void aForceReleaseOfAnOperatorIsAudited() {
        const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
        m_server.cli({"HSET", "L", holder, "1"});
        QCOMPARE(run({"force-release", url(), "L", "--holder", holder, "--reason", "it crashed", "--confirm", "L"}), 0);
        QVERIFY(isAudited());
    }

    void aLockOfACommandIsNot_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("taken and released") << QStringList{"--", "true"} << 0;
        QTest::newRow("lost") << QStringList{"--lease", "0.4", "--", "sleep", "1"} << int{exitcode::lostWhileRunning};
    }
    void aLockOfACommandIsNot() {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, exitCode);
        QCOMPARE(run(QStringList{"lock", url(), "L"} + arguments), exitCode);
        QVERIFY(!isAudited());
    }

    void aLockOfTheLaboratoryIsNot() {
        QCOMPARE(run({"lab", "run", "reentry"}), 0);
        QVERIFY(!isAudited());
    }

    void aLockOfTheLibraryIsNot() {
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        const auto restore = qScopeGuard(
            [&before] { before.isEmpty() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before); });
        qputenv("XDG_DATA_HOME", m_data->path().toUtf8());
        {
            blocking::Client client(m_server.options());
            blocking::Lock lock = client.reentrantLock(LockName("L"));
            lock.lock();
            QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
            lock.unlock();
        }
        QVERIFY2(m_data->isValid() && QDir(m_data->path()).isEmpty(), "the library has written files");
    }
};

LOCKKEEPER_TEST(TestAuditScope, Guiless)

}  // namespace tst_auditscope

#include "tst_auditscope.moc"
