// SPDX-License-Identifier: Apache-2.0
#include "platform/terminationsignals.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

#include <cerrno>
#include <csignal>

namespace tst_terminationsignals {

using namespace lockkeeper;
using platform::TerminationSignals;

class TestTerminationSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The last signal before the event loop runs again decides.
    void theLastOneSaysWhetherToStop_data() {
        QTest::addColumn<QList<int>>("sent");
        QTest::addColumn<bool>("isToStop");
        QTest::newRow("stop") << QList{SIGTSTP} << true;
        QTest::newRow("go on") << QList{SIGCONT} << false;
        QTest::newRow("stop, go on") << QList{SIGTSTP, SIGCONT} << false;
        QTest::newRow("go on, stop") << QList{SIGCONT, SIGTSTP} << true;
        QTest::newRow("stop, go on, stop") << QList{SIGTSTP, SIGCONT, SIGTSTP} << true;
    }
    void theLastOneSaysWhetherToStop() {
        QFETCH(QList<int>, sent);
        QFETCH(bool, isToStop);
        const QSignalSpy stops(&m_signals, &TerminationSignals::stopRequested);
        const QSignalSpy continued(&m_signals, &TerminationSignals::continued);
        for (const int signal : sent)
            ::raise(signal);
        QVERIFY(TerminationSignals::arePending());
        QTRY_COMPARE(stops.size() + continued.size(), 1);
        QCOMPARE(stops.size(), isToStop ? 1 : 0);
        QVERIFY(!TerminationSignals::arePending());
    }

    // The interrupted code may be about to read errno. So many signals fill the pipe that one more cannot be written.
    void anInterruptedCallKeepsItsError() {
        const QSignalSpy passedOn(&m_signals, &TerminationSignals::passedOn);
        constexpr int bytesInPipe = 65536;
        errno = ENOENT;
        for (int i = 0; i < bytesInPipe + 1; ++i)
            ::raise(SIGUSR1);
        QCOMPARE(errno, ENOENT);
        QTRY_COMPARE(passedOn.size(), 1);
    }

private:
    TerminationSignals m_signals{TerminationSignals::Taken::ForCommand};
};

LOCKKEEPER_TEST(TestTerminationSignals, Guiless)

}  // namespace tst_terminationsignals

#include "tst_terminationsignals.moc"
