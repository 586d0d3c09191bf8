// SPDX-License-Identifier: Apache-2.0
#include "lab/demostory.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/inlinemessage.h"
#include "ui/session/sessionpage.h"

#include <QPushButton>
#include <QTest>

namespace tst_demoguide {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

const LockName story = lab::demo::lockOfTheDyingWorker();

ConnectionStatus demo() {
    ConnectionStatus status = connected();
    status.isDemo = true;
    return status;
}

}  // namespace

// The line above the demo's table.
class TestDemoGuide : public WindowTest {
    Q_OBJECT

private:
    InlineMessage& guide() const { return find<InlineMessage>("demoGuide"); }
    void showRow(const QList<monitor::Diagnosis>& diagnoses) {
        m_engine->report(batchOf({diagnosedRow(m_clock, story, diagnoses)}));
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_window->connectToDemo(redis::AccessMode::ReadWrite);
    }
    void cleanup() { end(); }

    void pointsAtTheLockAndSaysWithWhichTimesItRuns() {
        m_engine->report(demo());
        QVERIFY(guide().isVisible());
        QVERIFY(guide().text().contains(QStringLiteral("report:weekly")));
        QVERIFY2(guide().text().contains(QStringLiteral("a lease of 9 s; Redisson's sets 30 s by default")),
                 qPrintable(guide().text()));
    }

    void saysWhatHappensToIt() {
        m_engine->report(demo());
        const QString before = guide().text();
        showRow({fixedLease(m_clock)});
        QCOMPARE(guide().text(), before);
        showRow({watchdogStopped(m_clock)});
        QVERIFY2(guide().text().contains(QStringLiteral("has just died")), qPrintable(guide().text()));
        m_engine->report(batchOf({freeRow(m_clock, story)}));
        QVERIFY2(guide().text().contains(QStringLiteral("has ended")), qPrintable(guide().text()));
        showRow({watchdogStopped(m_clock)});
        QVERIFY2(guide().text().contains(QStringLiteral("has just died")), qPrintable(guide().text()));
    }

    void aRenewalThatIsOnlyLateIsNoDeath() {
        m_engine->report(demo());
        const QString before = guide().text();
        showRow({watchdogStopped(m_clock)});
        showRow({});
        QCOMPARE(guide().text(), before);
    }

    void anotherLockIsNotTheStory() {
        m_engine->report(demo());
        const QString before = guide().text();
        m_engine->report(batchOf({diagnosedRow(m_clock, lockName("orders/{42}"), {watchdogStopped(m_clock)})}));
        QCOMPARE(guide().text(), before);
    }

    void leadsToTheLock() {
        m_engine->report(demo());
        showRow({});
        find<QPushButton>("demoGuideShow").click();
        QCOMPARE(m_window->currentPage().lockForActions(), QStringLiteral("report:weekly"));
    }

    void isGoneOnceDismissed() {
        m_engine->report(demo());
        find<QPushButton>("demoGuideDismiss").click();
        QVERIFY(!guide().isVisible());
        showRow({watchdogStopped(m_clock)});
        QVERIFY(!guide().isVisible());
    }

    void isOfTheDemoAlone() {
        m_engine->report(connected());
        showRow({watchdogStopped(m_clock)});
        QVERIFY(!guide().isVisible());
    }

    void saysNothingOfALostConnection() {
        m_engine->report(demo());
        showRow({watchdogStopped(m_clock)});
        ConnectionStatus lost = reconnecting(m_clock.wallNow());
        lost.isDemo = true;
        m_engine->report(lost);
        QVERIFY(!guide().isVisible());
    }
};

LOCKKEEPER_TEST(TestDemoGuide, Gui)

}  // namespace tst_demoguide

#include "tst_demoguide.moc"
