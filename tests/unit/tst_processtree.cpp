// SPDX-License-Identifier: Apache-2.0
#include "platform/posix/processtree.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QTest>

#include <unistd.h>

#include <fstream>

namespace tst_processtree {

using namespace lockkeeper;

// What a guard knows of the processes that it must end.
class TestProcessTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_process = std::make_unique<QProcess>();
        m_process->start("cat", QStringList());
        QVERIFY(m_process->waitForStarted());
        m_id = static_cast<pid_t>(m_process->processId());
    }
    void cleanup() { end(); }

    void aChildIsADescendant() {
        const std::vector<platform::RunningProcess> found = platform::descendants();
        QCOMPARE(found.size(), size_t{1});
        QCOMPARE(found.front().id, m_id);
        QCOMPARE(found.front().parent, ::getpid());
        QVERIFY(!found.front().isStopped);
    }

    // The system refuses to read further then. A guard that failed here would leave its work running.
    void oneThatEndsWhileItIsReadIsNone() {
        std::ifstream stat("/proc/" + std::to_string(m_id) + "/stat");
        QVERIFY(stat.is_open());
        end();
        QVERIFY(!platform::readProcess(stat, m_id));
    }

private:
    void end() {
        m_process->kill();
        m_process->waitForFinished();
    }

    std::unique_ptr<QProcess> m_process;
    pid_t m_id = 0;
};

LOCKKEEPER_TEST(TestProcessTree, Guiless)

}  // namespace tst_processtree

#include "tst_processtree.moc"
