// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticepacing.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_noticepacing {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// One bundle of notices at a time, however much happens.
class TestNoticePacing : public QObject {
    Q_OBJECT

private:
    static NoticeChange change(NoticeChange::Phase phase, int lock) {
        return {phase,
                Notice{NoticeKind::HeldLonger, LockName(QByteArray::number(lock)), std::nullopt, std::nullopt, 1s}};
    }
    void begin(int first, int count = 1) {
        std::vector<NoticeChange> changes;
        for (int lock = first; lock < first + count; ++lock)
            changes.push_back(change(NoticeChange::Phase::Begun, lock));
        m_pacing.add(changes);
    }
    void end(int lock) { m_pacing.add({change(NoticeChange::Phase::Ended, lock)}); }
    // "0 1 2 3 4 +7"; empty if no bundle is due.
    QString bundle() {
        const std::optional<NoticeBundle> bundle = m_pacing.take(m_clock.now());
        if (!bundle)
            return {};
        QStringList parts;
        for (const Notice& notice : bundle->named)
            parts << notice.lock.display();
        if (bundle->more > 0)
            parts << QStringLiteral("+%1").arg(bundle->more);
        return parts.join(u' ');
    }

    ManualClock m_clock;
    NoticePacing m_pacing;

private Q_SLOTS:
    void init() { m_pacing = NoticePacing(); }

    void theFirstComesAtOnceAndTheNextTogether() {
        QVERIFY(!m_pacing.nextDue(m_clock.now()));
        begin(0);
        QCOMPARE(m_pacing.nextDue(m_clock.now()), std::optional(m_clock.now()));
        QCOMPARE(bundle(), QStringLiteral("0"));
        begin(1, 3);
        QCOMPARE(bundle(), QString());
        QCOMPARE(m_pacing.nextDue(m_clock.now()), std::optional(m_clock.now() + NoticePacing::interval));
        m_clock.advance(NoticePacing::interval);
        QCOMPARE(bundle(), QStringLiteral("1 2 3"));
        QCOMPARE(bundle(), QString());
        m_clock.advance(1h);
        begin(4);
        QCOMPARE(bundle(), QStringLiteral("4"));
    }

    void namesFiveAndCountsTheRest() {
        begin(0, 19);
        QCOMPARE(bundle(), QStringLiteral("0 1 2 3 4 +14"));
    }

    void ofAFloodOnlyTheNumberIsKept() {
        for (int i = 0; i < 5; ++i)
            begin(i * 1000, 1000);
        QCOMPARE(bundle(), QStringLiteral("0 1 2 3 4 +4995"));
    }

    void whatHasEndedIsNotShown() {
        begin(0);
        QCOMPARE(bundle(), QStringLiteral("0"));
        begin(1, 2);
        end(1);
        m_clock.advance(NoticePacing::interval);
        QCOMPARE(bundle(), QStringLiteral("2"));
        begin(3);
        end(3);
        QVERIFY(!m_pacing.nextDue(m_clock.now()));
        // The episode has ended and started again.
        begin(4);
        end(4);
        begin(4);
        m_clock.advance(NoticePacing::interval);
        QCOMPARE(bundle(), QStringLiteral("4"));
    }

    void aLostConnectionTakesThemAway() {
        begin(0, 2000);
        m_pacing.clear();
        QCOMPARE(bundle(), QString());
    }
};

LOCKKEEPER_TEST(TestNoticePacing, Guiless)

}  // namespace tst_noticepacing

#include "tst_noticepacing.moc"
