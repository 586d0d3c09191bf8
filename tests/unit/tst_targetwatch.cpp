// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitoroptions.h"
#include "serve/targetwatch.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_targetwatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What is not known neither begins nor ends anything; that it is not known is said once.
class TestTargetWatch : public QObject {
    Q_OBJECT

private:
    static NoticeRules heldLonger(Milliseconds limit) {
        NoticeRules rules;
        rules.heldLonger = limit;
        return rules;
    }
    LockRow held(const char* name) const { return heldRow(m_clock, lockName(name), 30s); }
    void apply(const MonitorBatch& batch) { m_watch->apply(batch, m_clock.now(), m_clock.wallNow()); }
    void setStatus(const ConnectionStatus& status) { m_watch->setStatus(status, m_clock.now(), m_clock.wallNow()); }
    MonitorBatch nodesBatch(const QList<std::pair<QString, NodePhase>>& nodes) const {
        MonitorStats stats;
        for (const auto& [address, phase] : nodes) {
            NodeStatus node;
            node.address = address;
            node.phase = phase;
            stats.nodes.append(node);
        }
        MonitorBatch batch;
        batch.stats = stats;
        return batch;
    }
    MonitorBatch sweptBatch() const {
        MonitorBatch batch;
        LockEvent swept;
        swept.type = EventType::Swept;
        batch.events = {swept};
        return batch;
    }
    // "+L, -M, !N, +away, +away a:1"
    QString changes() {
        QStringList all;
        for (const auto& [phase, subject] : m_watch->take(m_clock.now(), m_clock.wallNow())) {
            const QString sign = phase == NoticeChange::Phase::Begun   ? QStringLiteral("+")
                                 : phase == NoticeChange::Phase::Ended ? QStringLiteral("-")
                                                                       : QStringLiteral("!");
            all << sign + (subject.notice ? subject.notice->lock.display()
                                          : QStringLiteral("away %1").arg(subject.node).trimmed());
        }
        all.sort();
        return all.join(QStringLiteral(", "));
    }

    ManualClock m_clock;
    std::unique_ptr<TargetWatch> m_watch;

private Q_SLOTS:
    void init() {
        m_watch = std::make_unique<TargetWatch>(QStringLiteral("a"));
        m_watch->setRules({heldLonger(60s)});
        setStatus(connected());
    }

    void rulesApply() {
        apply(batchOf({held("L")}));
        QCOMPARE(*m_watch->nextDue(), m_clock.now() + 61s);
        m_clock.advance(61s);
        QCOMPARE(changes(), QStringLiteral("+L"));
        apply(batchOf({freeRow(m_clock, lockName("L"))}));
        QCOMPARE(changes(), QStringLiteral("-L"));
    }

    void whileItIsAwayNothingBeginsOrEnds() {
        apply(batchOf({held("L"), held("M")}));
        m_clock.advance(50s);
        setStatus(reconnecting(m_clock.wallNow()));
        QCOMPARE(*m_watch->nextDue(), m_clock.now() + TargetWatch::blindGrace);
        QCOMPARE(changes(), QString());
        m_clock.advance(TargetWatch::blindGrace);
        QCOMPARE(changes(), QStringLiteral("+away"));
        m_clock.advance(1h);
        setStatus(reconnecting(m_clock.wallNow()));
        QCOMPARE(changes(), QString());
        QVERIFY(!m_watch->nextDue());
        setStatus(connected());
        QCOMPARE(changes(), QStringLiteral("-away"));
        // Only what is read again is known.
        LockRow again = held("L");
        again.hold.since = m_clock.now() - 2h;
        apply(batchOf({again}));
        QCOMPARE(changes(), QStringLiteral("+L"));
    }

    void aShortLossIsNotSaid() {
        setStatus(reconnecting(m_clock.wallNow()));
        m_clock.advance(TargetWatch::blindGrace - 1ms);
        setStatus(connected());
        m_clock.advance(1h);
        QCOMPARE(changes(), QString());
    }

    // A Cluster that is connected, and serves no keys.
    void itMayWatchNothing() {
        ConnectionStatus status = connected();
        status.watchesNothing = true;
        setStatus(status);
        m_clock.advance(TargetWatch::blindGrace);
        QCOMPARE(changes(), QStringLiteral("+away"));
    }

    // The user may not SCAN: nothing is found there.
    void theSearchMayBeRefused() {
        MonitorBatch batch = nodesBatch({});
        batch.stats->discovery = DiscoveryState::Refused;
        apply(batch);
        m_clock.advance(TargetWatch::blindGrace);
        QCOMPARE(changes(), QStringLiteral("+away"));
        setStatus(connected());
        QCOMPARE(changes(), QString());
        apply(nodesBatch({}));
        QCOMPARE(changes(), QStringLiteral("-away"));
    }

    void eachNodeIsSaid() {
        const QString a = QStringLiteral("a:1");
        const QString b = QStringLiteral("b:1");
        LockRow ofA = held("A");
        ofA.lock.node = NodePointer(new Node(topology::ShardId(), a));
        LockRow ofB = held("B");
        ofB.lock.node = NodePointer(new Node(topology::ShardId(), b));
        apply(batchOf({ofA, ofB}));
        apply(nodesBatch({{a, NodePhase::Reconnecting}, {b, NodePhase::Watching}}));
        QVERIFY(!m_watch->isWhole());
        m_clock.advance(TargetWatch::blindGrace);
        QCOMPARE(changes(), QStringLiteral("+away a:1"));
        m_clock.advance(1h);
        QCOMPARE(changes(), QStringLiteral("+B"));
        // Another node has its slots: the one that is gone is not away any more.
        apply(nodesBatch({{QStringLiteral("c:1"), NodePhase::Watching}, {b, NodePhase::Watching}}));
        QCOMPARE(changes(), QStringLiteral("-away a:1"));
    }

    void allNodesAwayAreOneCase() {
        apply(nodesBatch({{QStringLiteral("a:1"), NodePhase::Reconnecting}}));
        setStatus(reconnecting(m_clock.wallNow()));
        m_clock.advance(1h);
        QCOMPARE(changes(), QStringLiteral("+away"));
    }

    void itIsWholeOnceAllLocksAreRead() {
        QVERIFY(m_watch->takeReset());
        QVERIFY(!m_watch->takeReset());
        apply(sweptBatch());
        QVERIFY(!m_watch->isWhole());
        apply(sweptBatch());
        QVERIFY(m_watch->isWhole());
        setStatus(reconnecting(m_clock.wallNow()));
        QVERIFY(!m_watch->isWhole());
        setStatus(connected());
        MonitorBatch reset;
        reset.reset = true;
        apply(reset);
        QVERIFY(m_watch->takeReset());
        QVERIFY(!m_watch->isWhole());
    }

    // A case of an earlier run of the program, in which the hold was seen to last.
    void whatAnEarlierRunReported() {
        const auto standing = [this](NoticeKind kind, const char* lock, std::optional<HolderId> holder = {}) {
            NoticeFacts notice;
            notice.kind = kind;
            notice.lock = lockName(lock);
            notice.limit = 60s;
            notice.holder = std::move(holder);
            return m_watch->standingOf({QStringLiteral("a"), notice, {}, m_clock.wallNow()});
        };
        using Standing = TargetWatch::Standing;
        apply(batchOf({held("L"), held("M"), freeRow(m_clock, lockName("free"))}));
        QCOMPARE(standing(NoticeKind::HeldLonger, "L", holder(clientA, 33).id), Standing::GoesOn);
        QCOMPARE(standing(NoticeKind::HeldLonger, "M", holder(clientB, 1).id), Standing::Ended);  // another hold
        QCOMPARE(standing(NoticeKind::HeldLonger, "free"), Standing::Ended);
        QCOMPARE(standing(NoticeKind::HeldLonger, "unknown"), Standing::Ended);
        QCOMPARE(standing(NoticeKind::Diagnosed, "L"), Standing::NotClear);
        QCOMPARE(standing(NoticeKind::Diagnosed, "free"), Standing::Ended);
        QCOMPARE(m_watch->standingOf({QStringLiteral("a"), std::nullopt, {}, {}}), Standing::Ended);
        // What goes on does not begin again, and ends.
        m_clock.advance(5s);
        apply(batchOf({freeRow(m_clock, lockName("L"))}));
        QCOMPARE(changes(), QStringLiteral("-L"));
        m_clock.advance(1h);
        QCOMPARE(changes(), QStringLiteral("+M"));
    }

    // A case that an earlier rule and a new one cover is begun again, for the book to know that it lasts.
    void otherRulesApplyToWhatIsKnown() {
        apply(batchOf({held("L"), held("M")}));
        m_clock.advance(2min);
        QCOMPARE(changes(), QStringLiteral("+L, +M"));
        (void)m_watch->takeReset();
        NoticeRules onlyL = heldLonger(60s);
        onlyL.names = {"L"};
        m_watch->setRules({onlyL});
        QVERIFY(m_watch->takeReset());
        QCOMPARE(changes(), QStringLiteral("+L"));
    }

    void theWallClockMayJump() {
        apply(batchOf({held("L")}));
        m_clock.jumpWall(Milliseconds(24h));
        m_clock.advance(59s);
        QCOMPARE(changes(), QString());
        m_clock.jumpWall(Milliseconds(-48h));
        m_clock.advance(2s);
        QCOMPARE(changes(), QStringLiteral("+L"));
    }
};

LOCKKEEPER_TEST(TestTargetWatch, Appless)

}  // namespace tst_targetwatch

#include "tst_targetwatch.moc"
