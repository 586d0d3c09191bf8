// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/base/statusfield.h"
#include "ui/session/statusbar.h"

#include <QTest>

namespace tst_statusbar {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

class TestStatusBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTheMasterWhereItMayChange() {
        StatusBar bar;
        ConnectionStatus status = connected();
        const auto* connection = bar.findChild<StatusField*>(QStringLiteral("statusConnection"));
        bar.setStatus(status);
        QVERIFY2(!connection->text().contains(QStringLiteral("master")), qPrintable(connection->text()));
        status.master = QStringLiteral("10.0.0.7:6379");
        bar.setStatus(status);
        QVERIFY2(connection->text().endsWith(QStringLiteral("master 10.0.0.7:6379")), qPrintable(connection->text()));
    }

    void aPinnedCertificateIsShownAllTheTime() {
        StatusBar bar;
        const auto* pinned = bar.findChild<StatusField*>(QStringLiteral("statusPinned"));
        ConnectionStatus status = connected();
        bar.setStatus(status);
        QCOMPARE(pinned->text(), QString());
        status.pinned = true;
        for (const ConnectionPhase phase :
             {ConnectionPhase::Connecting, ConnectionPhase::Connected, ConnectionPhase::Reconnecting}) {
            status.phase = phase;
            bar.setStatus(status);
            QCOMPARE(pinned->text(), QStringLiteral("Certificate pinned, not verified"));
        }
    }

    // All figures may be 0.
    void figuresAreShownOnceSomeAreKnown() {
        StatusBar bar;
        bar.setStatus(connected());
        const auto* locks = bar.findChild<StatusField*>(QStringLiteral("statusLocks"));
        QCOMPARE(locks->text(), QString());
        bar.setStats(monitor::MonitorStats());
        QCOMPARE(locks->text(), QStringLiteral("0 held of 0 known"));
        bar.setStats(std::nullopt);
        QCOMPARE(locks->text(), QString());
    }

    void manyLeftOverTokensAreReported() {
        StatusBar bar;
        bar.setStatus(connected());
        monitor::MonitorStats stats;
        const auto* litter = bar.findChild<StatusField*>(QStringLiteral("statusLitter"));
        stats.tokenLitter = monitor::TokenLitter{100'000, 2'000, 100'000, 20, 3, WallTime()};
        bar.setStats(stats);
        QCOMPARE(litter->text(), QString());  // tokens of locks that are held
        stats.tokenLitter->leftOver = 20;
        bar.setStats(stats);
        QVERIFY2(litter->text().startsWith(QStringLiteral("About 100")), qPrintable(litter->text()));
        QVERIFY2(litter->toolTip().contains(QStringLiteral("6510")), qPrintable(litter->toolTip()));
        stats.leaseLitter = monitor::LeaseLitter{40'000, 20, 15, WallTime()};
        bar.setStats(stats);
        QVERIFY2(litter->text().endsWith(QStringLiteral("left-over sets of leases")), qPrintable(litter->text()));
        QVERIFY2(litter->toolTip().contains(QStringLiteral(":timeout")), qPrintable(litter->toolTip()));
        bar.setStatus(reconnecting(WallTime()));
        QCOMPARE(litter->text(), QString());
    }

    void aScriptStormNamesItsNodeAndTheRemedy() {
        StatusBar bar;
        bar.setStatus(connected());
        const auto* storm = bar.findChild<StatusField*>(QStringLiteral("statusStorm"));
        monitor::MonitorStats stats;
        bar.setStats(stats);
        QCOMPARE(storm->text(), QString());
        stats.scriptStorms = {{QStringLiteral("10.0.0.7:7000"), 13'500, 1'350, WallTime(), WallTime()}};
        bar.setStats(stats);
        QCOMPARE(storm->text(), QStringLiteral("Script storm on 1 node"));
        QVERIFY2(storm->toolTip().contains(QStringLiteral("10.0.0.7:7000")), qPrintable(storm->toolTip()));
        QVERIFY2(storm->toolTip().contains(QStringLiteral("SCRIPT LOAD")), qPrintable(storm->toolTip()));
        bar.setStatus(reconnecting(WallTime()));
        QCOMPARE(storm->text(), QString());
    }
};

LOCKKEEPER_TEST(TestStatusBar, Gui)

}  // namespace tst_statusbar

#include "tst_statusbar.moc"
