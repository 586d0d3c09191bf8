// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/csv/csvline.h"
#include "monitor/format/csv/synchronizercsv.h"
#include "support/manualclock.h"
#include "support/samplesynchronizers.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

ManualClock standing;

QByteArray now() {
    return "2025-12-18T00:00:00.000Z";
}

Synchronizer keyIs(CounterState state) {
    Synchronizer made = semaphore(standing, "pool", 0);
    made.state = state;
    made.count.reset();
    made.leased.reset();
    return made;
}

}  // namespace

// The cells for semaphores and latches.
class TestSynchronizerCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRecordStandsUnderItsHeader_data() {
        QTest::addColumn<Synchronizer>("synchronizer");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const Synchronizer& synchronizer, const QByteArray& cells) {
            QTest::newRow(name) << synchronizer << now() + ',' + cells + "\r\n";
        };
        row("semaphore", semaphore(standing, "pool", 7, 2), "pool,,semaphore,7,,,,0,,2");
        row("latch", latch(standing, "start", 3), "start,,count_down_latch,,3,,,,,1");
        Synchronizer both = latch(standing, "both", 5, 2);
        both.kind = SynchronizerKind::Unknown;
        row("waited for as both", both, "both,,unknown,,,5,,,,2");
        row("no key", keyIs(CounterState::Missing), "pool,,semaphore,,,,missing,,,1");
        row("another type", keyIs(CounterState::NoCounter), "pool,,semaphore,,,,no_counter,,,1");
        row("no right to read", keyIs(CounterState::NotReadable), "pool,,semaphore,,,,not_readable,,,1");
        row("not UTF-8", semaphore(standing, "\xff", 1), ",/w==,semaphore,1,,,,0,,1");
        Synchronizer leases = leased(standing, semaphore(standing, "pool", 0), 2, 1500ms);
        leases.leases[1].ends.reset();
        row("leases", leases,
            "pool,,semaphore,0,,,,2,61616161616161616161616161616161 until 2025-12-18T00:00:01.500Z; "
            "62626262626262626262626262626262,1");
    }
    void aRecordStandsUnderItsHeader() {
        QFETCH(Synchronizer, synchronizer);
        QFETCH(QByteArray, line);
        QCOMPARE(toCsvLine(synchronizer), line);
        QCOMPARE(synchronizerCsvHeader(),
                 QByteArray("at,name,name_base64,kind,free_permits,count,value,key,leased,leases,waiters\r\n"));
    }
};

LOCKKEEPER_TEST(TestSynchronizerCsv, Appless)
#include "tst_synchronizercsv.moc"
