// SPDX-License-Identifier: Apache-2.0
#include "support/eventcounter.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/locks/filter/attentionstrip.h"
#include "ui/locks/model/locktablemodel.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <array>

namespace tst_attentionstrip {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestAttentionStrip : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_strip; }
    QToolButton& button(Attention attention) const {
        return find<QToolButton>(QStringLiteral("attention_%1").arg(static_cast<int>(attention)));
    }
    QString textAfterCounting(Attention attention) {
        m_clock.advance(1s);
        return button(attention).text();
    }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<LockTableModel> m_model;
    std::unique_ptr<AttentionStrip> m_strip;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_model = std::make_unique<LockTableModel>(*m_time);
        m_strip = std::make_unique<AttentionStrip>(*m_model, m_clock);
        m_strip->resize(1500, 40);
        m_strip->show();
    }
    void cleanup() {
        m_strip.reset();
        m_model.reset();
    }

    void countsWhatNeedsAttention() {
        monitor::LockRow contended = heldRow(m_clock, lockName("contended"), 20s);
        contended.lock.waiters = 2;
        monitor::LockRow old = heldRow(m_clock, lockName("old"), 20s);
        old.hold.since -= 11min;
        m_model->apply(batchOf({contended, old, diagnosedRow(m_clock, lockName("a"), {watchdogStopped(m_clock)}),
                                diagnosedRow(m_clock, lockName("b"), {watchdogStopped(m_clock)}),
                                diagnosedRow(m_clock, lockName("c"), {fixedLease(m_clock)})}));
        QCOMPARE(textAfterCounting(Attention::WatchdogStopped), QStringLiteral("Watchdog stopped: 2"));
        QCOMPARE(button(Attention::Contended).text(), QStringLiteral("Contended: 1"));
        QCOMPARE(button(Attention::LongHeld).text(), QStringLiteral("Held over 10 min: 1"));
        QCOMPARE(button(Attention::NeverExpires).text(), QStringLiteral("No expiry"));
        QVERIFY(!button(Attention::NeverExpires).isEnabled());
        m_model->apply(batchOf({freeRow(m_clock, lockName("a")), freeRow(m_clock, lockName("b"))}));
        QCOMPARE(textAfterCounting(Attention::WatchdogStopped), QStringLiteral("Watchdog stopped"));
    }

    // Every diagnosis of a group counts for its button, and every fault for one of them.
    void countsEveryDiagnosisOfAGroup() {
        constexpr std::array faults{Attention::DoubleHolder,    Attention::Deadlock,    Attention::NeverExpires,
                                    Attention::WatchdogStopped, Attention::LeaseRanOut, Attention::WaitersStuck,
                                    Attention::OtherFault};
        for (const monitor::DiagnosisKind kind :
             {monitor::DiagnosisKind::WaitersAsleep, monitor::DiagnosisKind::DeafWaiters,
              monitor::DiagnosisKind::FairQueueBlocked, monitor::DiagnosisKind::FairQueueStorm,
              monitor::DiagnosisKind::FairWaiterDropped}) {
            const QStringList words =
                filterFor(Attention::WaitersStuck).section(QLatin1Char(':'), 1).split(QLatin1Char(','));
            const QString word = monitor::wordFor(kind);
            QVERIFY2(std::ranges::any_of(words, [&word](const QString& one) { return word.contains(one); }),
                     qPrintable(word));
        }
        for (int kind = 0; kind < static_cast<int>(monitor::DiagnosisKind::FixedLease); ++kind) {
            const auto found = static_cast<monitor::DiagnosisKind>(kind);
            // A lock has none of these: they are of clients and of semaphores.
            if (monitor::isOfClient(found) || found == monitor::DiagnosisKind::PermitsUnclaimed ||
                found == monitor::DiagnosisKind::PermitLeaseOver)
                continue;
            const QString word = monitor::wordFor(found);
            const bool isCounted = std::ranges::any_of(faults, [&word](Attention one) {
                const QStringList words = filterFor(one).section(QLatin1Char(':'), 1).split(QLatin1Char(','));
                return std::ranges::any_of(words, [&word](const QString& part) { return word.contains(part); });
            });
            QVERIFY2(isCounted, qPrintable(word));
        }
        for (const auto& [attention, kind] :
             {std::pair(Attention::Deadlock, monitor::DiagnosisKind::Deadlock),
              std::pair(Attention::NeverExpires, monitor::DiagnosisKind::NeverExpires),
              std::pair(Attention::WatchdogStopped, monitor::DiagnosisKind::WatchdogStopped),
              std::pair(Attention::LeaseRanOut, monitor::DiagnosisKind::LeaseRanOut)})
            QCOMPARE(filterFor(attention), QStringLiteral("diagnosis:%1").arg(monitor::wordFor(kind)));
    }

    void silentClientsAreCountedAndShown() {
        const auto client = [](const QByteArray& id, bool isSilent) {
            monitor::ClientRow row;
            row.id = ClientId(id);
            if (isSilent)
                row.diagnoses = {{monitor::Certainty::Likely, monitor::ClientRenewsNothing{}}};
            return std::make_shared<const monitor::ClientRow>(row);
        };
        QSignalSpy wanted(m_strip.get(), &AttentionStrip::clientWanted);
        QSignalSpy filters(m_strip.get(), &AttentionStrip::filterWanted);
        monitor::MonitorBatch batch;
        batch.clients = {client(clientB, true), client(clientA, true), client("lives", false)};
        m_strip->follow(batch);
        QCOMPARE(button(Attention::ClientSilent).text(), QStringLiteral("Clients without renewals: 2"));
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("b"), {watchdogStopped(m_clock)})}));
        QCOMPARE(textAfterCounting(Attention::WatchdogStopped), QStringLiteral("Watchdog stopped: 1"));
        QCOMPARE(button(Attention::ClientSilent).text(), QStringLiteral("Clients without renewals: 2"));
        button(Attention::ClientSilent).click();
        QCOMPARE(wanted.value(0).value(0).value<ClientId>(), ClientId(clientA));
        QCOMPARE(filters.size(), 0);
        m_strip->follow(QString());
        QVERIFY(!button(Attention::ClientSilent).isChecked());
        batch = {};
        batch.clients = {client(clientA, false)};
        batch.removedClients = {ClientId(clientB)};
        m_strip->follow(batch);
        QCOMPARE(button(Attention::ClientSilent).text(), QStringLiteral("Clients without renewals"));
        QVERIFY(!button(Attention::ClientSilent).isEnabled());
    }

    void aLockBecomesLongHeldByTimeAlone() {
        m_model->apply(batchOf({heldRow(m_clock, lockName("slow"), 20min)}));
        QCOMPARE(textAfterCounting(Attention::LongHeld), QStringLiteral("Held over 10 min"));
        QVERIFY(!m_clock.hasTimersWithin(9min));
        m_clock.advance(10min);
        QCOMPARE(textAfterCounting(Attention::LongHeld), QStringLiteral("Held over 10 min: 1"));
        m_clock.advance(1s);
        QVERIFY(!m_clock.hasTimers());
    }

    void aNameLikeAFilterIsNotCounted() {
        m_model->apply(batchOf({heldRow(m_clock, lockName("diagnosis:deadlock"), 20s)}));
        QCOMPARE(textAfterCounting(Attention::Deadlock), QStringLiteral("Deadlock"));
    }

    // Otherwise the layout would go on without end: fitting changes the height for a moment.
    void anotherHeightIsNotFittedAgain() {
        m_strip->resize(300, 40);
        EventCounter shown(button(Attention::Deadlock), QEvent::ShowToParent);
        EventCounter hidden(button(Attention::Deadlock), QEvent::HideToParent);
        m_strip->resize(300, 60);
        QCOMPARE(shown.count() + hidden.count(), 0);
        m_strip->resize(1500, 60);
        QVERIFY(shown.count() + hidden.count() > 0);
    }

    // What stands below it must not move under the reader's hand, as when a lock is forced.
    void theHeightStaysWhateverIsFound_data() {
        QTest::addColumn<int>("width");
        for (const int width : {90, 250, 718, 1500})
            QTest::addRow("%d pixels", width) << width;
    }
    void theHeightStaysWhateverIsFound() {
        QFETCH(const int, width);
        m_strip->resize(width, 40);
        const int least = m_strip->minimumSizeHint().height();
        const int usual = m_strip->sizeHint().height();
        QVERIFY(least > button(Attention::WatchdogStopped).fontMetrics().height());
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("a"), {watchdogStopped(m_clock)})}));
        m_clock.advance(1s);
        QVERIFY(button(Attention::WatchdogStopped).isVisible());
        QCOMPARE(m_strip->minimumSizeHint().height(), least);
        QCOMPARE(m_strip->sizeHint().height(), usual);
        m_model->apply(batchOf({freeRow(m_clock, lockName("a"))}));
        m_clock.advance(1s);
        QCOMPARE(m_strip->minimumSizeHint().height(), least);
        QCOMPARE(m_strip->sizeHint().height(), usual);
    }

    // More locks than are counted in one turn of the loop.
    void manyLocksAreCounted() {
        std::vector<monitor::LockRow> rows(2 * itemsInATurn + 1, heldRow(m_clock, lockName("awaited"), 20s));
        for (size_t i = 0; i < rows.size(); ++i) {
            rows[i].lock.name = LockName(QByteArray::number(static_cast<qulonglong>(i)));
            rows[i].lock.waiters = 1;
        }
        m_model->apply(batchOf(rows));
        QCOMPARE(textAfterCounting(Attention::Contended),
                 QStringLiteral("Contended: %1").arg(numberText(2 * itemsInATurn + 1)));
        m_model->apply(batchOf({freeRow(m_clock, LockName("7"))}));
        QCOMPARE(textAfterCounting(Attention::Contended),
                 QStringLiteral("Contended: %1").arg(numberText(2 * itemsInATurn)));
    }

    void nothingIsCountedOutOfSight() {
        m_strip->hide();
        m_clock.advance(1s);
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("a"), {watchdogStopped(m_clock)})}));
        QVERIFY(!m_clock.hasTimers());
        m_strip->show();
        QCOMPARE(textAfterCounting(Attention::WatchdogStopped), QStringLiteral("Watchdog stopped: 1"));
    }

    void aButtonSetsTheFilterAndTakesItAway() {
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("a"), {watchdogStopped(m_clock)})}));
        m_clock.advance(1s);
        QSignalSpy wanted(m_strip.get(), &AttentionStrip::filterWanted);
        button(Attention::WatchdogStopped).click();
        QCOMPARE(wanted.takeFirst().first().toString(), QStringLiteral("diagnosis:watchdog_stopped"));
        button(Attention::WatchdogStopped).click();
        QCOMPARE(wanted.first().first().toString(), QString());
    }

    void whereThereIsLittleRoomOnlyWhatIsFoundIsShown_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("found");
        QTest::addColumn<bool>("others");
        QTest::newRow("room for all") << 1500 << QStringLiteral("Watchdog stopped: 1") << true;
        QTest::newRow("room for some") << 250 << QStringLiteral("Watchdog stopped: 1") << false;
        QTest::newRow("room for counts") << 90 << QStringLiteral("1") << false;
    }
    void whereThereIsLittleRoomOnlyWhatIsFoundIsShown() {
        QFETCH(const int, width);
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("a"), {watchdogStopped(m_clock)})}));
        m_clock.advance(1s);
        m_strip->resize(width, 40);
        QTEST(button(Attention::WatchdogStopped).text(), "found");
        QTEST(button(Attention::NeverExpires).isVisible(), "others");
        QCOMPARE(button(Attention::WatchdogStopped).accessibleName(), QStringLiteral("Watchdog stopped: 1"));
        QVERIFY(m_strip->minimumSizeHint().width() <= 90);
    }

    // The button stays when the last such lock is gone, so that it can be switched off.
    void theButtonOfTheFilterInUseIsMarked() {
        m_strip->follow(QStringLiteral("  diagnosis:watchdog_stopped"));
        QVERIFY(button(Attention::WatchdogStopped).isChecked());
        QVERIFY(button(Attention::WatchdogStopped).isEnabled());
        m_strip->follow(QStringLiteral("orders"));
        QVERIFY(!button(Attention::WatchdogStopped).isChecked());
        QVERIFY(!button(Attention::WatchdogStopped).isEnabled());
    }
};

LOCKKEEPER_TEST(TestAttentionStrip, Gui)

}  // namespace tst_attentionstrip

#include "tst_attentionstrip.moc"
