// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/samplesynchronizers.h"
#include "ui/help/helptexts.h"
#include "ui/locks/synchronizers/synchronizermodel.h"
#include "ui/words/timetext.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>
#include <QTest>

namespace tst_synchronizermodel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestSynchronizerModel : public QObject {
    Q_OBJECT

private:
    QString text(int row, SynchronizerModel::Column column, int role = Qt::DisplayRole) const {
        return m_model->index(row, column).data(role).toString();
    }
    QStringList names() const {
        QStringList shown;
        for (int row = 0; row < m_model->rowCount(); ++row)
            shown << text(row, SynchronizerModel::Name);
        return shown;
    }
    QString clock(Milliseconds later) const { return clockText(m_clock.wallNow() + later, m_clock.wallNow()); }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<SynchronizerModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_model = std::make_unique<SynchronizerModel>(*m_time);
        m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup() {
        m_tester.reset();
        m_model.reset();
    }

    void showsWhatIsKnown() {
        m_model->apply({latch(m_clock, "begin", 3, 12), leased(m_clock, semaphore(m_clock, "pool", 0, 2), 1234, 9s)});
        QCOMPARE(text(0, SynchronizerModel::Name), QStringLiteral("begin"));
        QCOMPARE(text(0, SynchronizerModel::Kind), QStringLiteral("Count-down latch"));
        QCOMPARE(text(0, SynchronizerModel::Counter), QStringLiteral("3"));
        QCOMPARE(text(0, SynchronizerModel::Leased), QString());
        QCOMPARE(text(0, SynchronizerModel::Leased, Qt::AccessibleTextRole), QStringLiteral("none"));
        QCOMPARE(text(0, SynchronizerModel::Clients), QStringLiteral("12"));
        QCOMPARE(text(0, SynchronizerModel::Since), clock(0s));
        QCOMPARE(text(1, SynchronizerModel::Kind), QStringLiteral("Semaphore"));
        QCOMPARE(text(1, SynchronizerModel::Counter), QStringLiteral("0"));
        QCOMPARE(text(1, SynchronizerModel::Leased),
                 QStringLiteral("%1, first until %2").arg(QLocale().toString(1234), clock(9s)));
    }

    void saysWhyThereIsNoNumber_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("shown");
        QTest::newRow("no key") << int(monitor::CounterState::Missing) << "0 (no key)";
        QTest::newRow("no number") << int(monitor::CounterState::NoCounter) << "no number";
        QTest::newRow("not for us") << int(monitor::CounterState::NotReadable) << "not readable";
    }
    void saysWhyThereIsNoNumber() {
        QFETCH(const int, state);
        monitor::Synchronizer odd = semaphore(m_clock, "odd", 0);
        odd.kind = monitor::SynchronizerKind::Unknown;
        odd.state = static_cast<monitor::CounterState>(state);
        odd.count.reset();
        odd.leased.reset();
        m_model->apply({odd});
        QTEST(text(0, SynchronizerModel::Counter), "shown");
        QVERIFY(text(0, SynchronizerModel::Counter, Qt::ToolTipRole).contains(counterHelp(odd.state)));
        QCOMPARE(text(0, SynchronizerModel::Kind), QStringLiteral("Not known"));
        QCOMPARE(text(0, SynchronizerModel::Leased), QStringLiteral("not readable"));
    }

    void saysWhatMayBeWrong() {
        monitor::Synchronizer pool = semaphore(m_clock, "pool", 2, 3);
        pool.diagnoses = {
            {monitor::Certainty::Suspected, monitor::PermitsUnclaimed{2, 3, m_clock.wallNow()}},
            {monitor::Certainty::Suspected, monitor::PermitLeaseOver{"00ff", m_clock.wallNow() - 1min, 1, 3}}};
        m_model->apply({pool});
        const QString shown = text(0, SynchronizerModel::DiagnosisColumn);
        QVERIFY2(shown.startsWith(QStringLiteral("Permits free, and clients wait")), qPrintable(shown));
        const QString tip = text(0, SynchronizerModel::DiagnosisColumn, Qt::ToolTipRole);
        // Both explanations, because nothing on the server distinguishes them.
        QVERIFY2(tip.contains(QStringLiteral("a wake-up was lost, or they want more permits at once")),
                 qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("The lease of permit 00ff ended at ") + clock(-1min)), qPrintable(tip));
    }

    void shownSinceWhenPermitsAreLeased() {
        monitor::Synchronizer pool = leased(m_clock, semaphore(m_clock, "pool", -2, 0), 2, 9s);
        pool.leases[1].since = m_clock.wallNow() - 3s;
        m_model->apply({pool});
        QCOMPARE(text(0, SynchronizerModel::Counter), QLocale().toString(-2));
        const QString tip = text(0, SynchronizerModel::Leased, Qt::ToolTipRole);
        QCOMPARE(tip.count(QStringLiteral("seen since")), 1);  // the other one may be older than the first read
        QVERIFY2(tip.contains(QStringLiteral(" until %1, seen since %2").arg(clock(10s), clock(-3s))), qPrintable(tip));
    }

    void tellsTheLeasesThatEndFirst() {
        m_model->apply({leased(m_clock, semaphore(m_clock, "pool", 0), 12, -1s)});
        QCOMPARE(text(0, SynchronizerModel::Leased), QStringLiteral("12, first ran out at %1").arg(clock(-1s)));
        const QString tip = text(0, SynchronizerModel::Leased, Qt::ToolTipRole);
        QVERIFY2(tip.contains(QString(QStringLiteral("61")).repeated(16) + QStringLiteral(" ran out at ") + clock(-1s)),
                 qPrintable(tip));
        QVERIFY2(tip.contains(QString(QStringLiteral("64")).repeated(16) + QStringLiteral(" until ") + clock(2s)),
                 qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("and 2 more")), qPrintable(tip));
        QVERIFY(text(0, SynchronizerModel::Leased, Qt::WhatsThisRole).contains(QStringLiteral("and 2 more")));
        monitor::Synchronizer endless = semaphore(m_clock, "pool", 0);
        endless.leased = 1;
        endless.leases = {{"id", {}}};
        m_model->apply({endless});
        QCOMPARE(text(0, SynchronizerModel::Leased), QStringLiteral("1, first without end"));
    }

    void rowsComeAndGoWhereTheyStand() {
        m_model->apply({semaphore(m_clock, "b", 1), semaphore(m_clock, "d", 1), semaphore(m_clock, "f", 1)});
        const QPersistentModelIndex kept(m_model->index(1, SynchronizerModel::Name));
        const QSignalSpy resets(m_model.get(), &QAbstractItemModel::modelReset);
        m_model->apply({semaphore(m_clock, "a", 1), semaphore(m_clock, "d", 1), semaphore(m_clock, "e", 1),
                        semaphore(m_clock, "f", 1), semaphore(m_clock, "g", 1)});
        QCOMPARE(names().join(' '), QStringLiteral("a d e f g"));
        QCOMPARE(kept.row(), 1);
        m_model->apply({});
        QCOMPARE(m_model->rowCount(), 0);
        QVERIFY(!kept.isValid());
        QCOMPARE(resets.size(), 0);
    }

    void announcesOnlyWhatChanged() {
        m_model->apply({semaphore(m_clock, "a", 1), semaphore(m_clock, "b", 1)});
        QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);
        m_model->apply({semaphore(m_clock, "a", 1), semaphore(m_clock, "b", 2)});
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 1);
        QCOMPARE(changes[0][1].toModelIndex().row(), 1);
    }

    void isMarkedOldWhenTheConnectionIsLost() {
        m_model->apply({semaphore(m_clock, "a", 1)});
        const QModelIndex name = m_model->index(0, SynchronizerModel::Name);
        QVERIFY(!name.data(Qt::FontRole).isValid());
        const QString heard = clock(0s);
        m_time->follow(reconnecting(m_clock.wallNow()));
        m_clock.advance(5s);
        m_model->refreshAll();
        QVERIFY(name.data(Qt::FontRole).value<QFont>().italic());
        QVERIFY(name.data(Qt::ForegroundRole).isValid());
        QVERIFY(name.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Old: as last seen at ") + heard));
    }

    void numbersAreSortedAsNumbers() {
        m_model->apply({semaphore(m_clock, "a", 10), semaphore(m_clock, "b", 9)});
        const auto value = [this](int row) {
            return m_model->index(row, SynchronizerModel::Counter).data(SynchronizerModel::SortRole);
        };
        QVERIFY(QVariant::compare(value(1), value(0)) == QPartialOrdering::Less);
    }
};

LOCKKEEPER_TEST(TestSynchronizerModel, Gui)

}  // namespace tst_synchronizermodel

#include "tst_synchronizermodel.moc"
