// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/session/connectionbanner.h"
#include "ui/words/viewtime.h"

#include <QPushButton>
#include <QTest>

namespace tst_connectionbanner {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

// A clock that moves on between two calls, as real time does.
class MovingClock final : public Clock {
public:
    [[nodiscard]] SteadyTime now() const override { return m_clock.now() + std::chrono::nanoseconds(++m_calls); }
    [[nodiscard]] WallTime wallNow() const override { return m_clock.wallNow(); }
    [[nodiscard]] TimerId schedule(SteadyTime when, std::function<void()> handler) override {
        return m_clock.schedule(when, std::move(handler));
    }
    void cancel(TimerId timer) override { m_clock.cancel(timer); }
    [[nodiscard]] bool hasTimers() const { return m_clock.hasTimers(); }

private:
    ManualClock m_clock;
    mutable int m_calls = 0;
};

}  // namespace

// The window's tests check the text of the banner. This test checks its count-down with a clock that does not stand
// still.
class TestConnectionBanner : public QObject {
    Q_OBJECT

private:
    QString retryText() const { return m_banner.findChild<QPushButton*>(QStringLiteral("bannerRetryNow"))->text(); }
    void follow(const ConnectionStatus& status) {
        m_time.follow(status);
        m_banner.follow(status, m_time, 0);
    }

    MovingClock m_clock;
    ViewTime m_time{m_clock};
    ConnectionBanner m_banner{m_clock};

private Q_SLOTS:
    void withoutANextAttemptNothingIsCountedDown_data() {
        QTest::addColumn<ConnectionStatus>("status");
        QTest::newRow("connecting") << connecting();
        QTest::newRow("connected") << connected();
        QTest::newRow("reconnecting, at once") << reconnecting(m_clock.wallNow());
    }
    void withoutANextAttemptNothingIsCountedDown() {
        QFETCH(const ConnectionStatus, status);
        follow(status);
        QCOMPARE(retryText(), QStringLiteral("&Retry now"));
        QVERIFY(!m_clock.hasTimers());
    }

    void aNextAttemptIsCountedDownUntilTheConnectionIsBack() {
        ConnectionStatus status = reconnecting(m_clock.wallNow());
        status.nextAttempt = m_clock.now() + 3s;
        follow(status);
        QCOMPARE(retryText(), QStringLiteral("&Retry now (in 3 s)"));
        QVERIFY(m_clock.hasTimers());
        follow(connected());
        QCOMPARE(retryText(), QStringLiteral("&Retry now"));
        QVERIFY(!m_clock.hasTimers());
    }
};

LOCKKEEPER_TEST(TestConnectionBanner, Gui)

}  // namespace tst_connectionbanner

#include "tst_connectionbanner.moc"
