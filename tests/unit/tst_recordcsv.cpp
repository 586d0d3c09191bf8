// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/csv/recordcsv.h"
#include "support/awkwardnames.h"
#include "support/samplelocks.h"
#include "support/samplesynchronizers.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_recordcsv {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const WallTime start(24h * 20'833);

// The cells of one record, taken apart as RFC 4180 says.
QStringList parsed(const QByteArray& record) {
    QStringList result{QString()};
    bool inQuotes = false;
    const QString text = QString::fromUtf8(record).chopped(2);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isDoubled = inQuotes && text.mid(i, 2) == QStringLiteral("\"\"");
        if (isDoubled)
            result.last() += text[i++];
        else if (text[i] == u'"')
            inQuotes = !inQuotes;
        else if (text[i] == u',' && !inQuotes)
            result << QString();
        else
            result.last() += text[i];
    }
    return result;
}

// The record with its header, as "column=cell" for each cell that is not empty.
QStringList cells(const QByteArray& header, const QByteArray& line) {
    const QStringList names = parsed(header);
    const QStringList values = parsed(line);
    QStringList result;
    for (qsizetype i = 0; i < std::max(names.size(), values.size()); ++i) {
        if (!values.value(i).isEmpty())
            result << QStringLiteral("%1=%2").arg(names.value(i), values.value(i));
    }
    return result;
}

// The name as a script reads it: from the base64 column if it has a value.
QByteArray nameOf(const QByteArray& header, const QByteArray& record) {
    const QStringList columns = parsed(header);
    const QStringList found = parsed(record);
    const QString base64 = found.value(columns.indexOf(QStringLiteral("lock_base64")));
    return base64.isEmpty() ? found.value(columns.indexOf(QStringLiteral("lock"))).toUtf8()
                            : QByteArray::fromBase64(base64.toLatin1());
}

LockSnapshot heldLock(const QByteArray& name) {
    LockSnapshot lock;
    lock.name = LockName(name);
    lock.kind = LockKind::Fenced;
    lock.holders = {holder("A", 33, 2), holder("B", 7, 1, HoldMode::Read)};
    lock.ttl = 29'950ms;
    lock.waiters = 3;
    lock.token = 17;
    lock.seenAtWall = start + 1s;
    return lock;
}

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

class TestRecordCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLock() {
        LockRow row;
        row.lock = heldLock("orders/{42}");
        row.hold.sinceWall = start;
        row.hold.begin = HoldBegin::NotSeen;
        row.hold.renewals = 4;
        row.diagnoses = {{Certainty::Likely, WaitersAsleep{}}, {Certainty::Suspected, ReentryLeak{}}};
        QCOMPARE(cells(lockCsvHeader(), toCsvLine(row)),
                 (QStringList{QStringLiteral("at=2027-01-15T00:00:01.000Z"), QStringLiteral("lock=orders/{42}"),
                              QStringLiteral("kind=fenced"), QStringLiteral("holders=A:33 exclusive 2; B:7 read 1"),
                              QStringLiteral("ttl_ms=29950"), QStringLiteral("waiters=3"), QStringLiteral("token=17"),
                              QStringLiteral("held_since=2027-01-15T00:00:00.000Z"), QStringLiteral("or_before=true"),
                              QStringLiteral("renewals=4"),
                              QStringLiteral("diagnoses=waiters_asleep likely; reentry_leak suspected")}));
    }

    void aHoldThatWasSeenBeforeAGap() {
        LockRow row;
        row.lock = heldLock("L");
        row.hold.begin = HoldBegin::NotSeen;
        row.hold.seenBefore = SeenBefore{start - 600s, start - 60s, start};
        const QStringList found = cells(lockCsvHeader(), toCsvLine(row));
        QCOMPARE(found.last(), QStringLiteral("not_watched_to=2027-01-15T00:00:00.000Z"));
        QVERIFY(found.contains(QStringLiteral("seen_since=2027-01-14T23:50:00.000Z")));
        QVERIFY(found.contains(QStringLiteral("not_watched_from=2027-01-14T23:59:00.000Z")));
        row.lock.holders.clear();
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row)).filter(QStringLiteral("watched")).isEmpty());
    }

    void ofVeryManyReadersSomeAreNamed() {
        LockRow row;
        row.lock = heldLock("L");
        LockParts parts;
        parts.moreHolders = 1498;
        row.lock.parts = std::make_shared<const LockParts>(parts);
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row))
                    .contains(QStringLiteral("holders=A:33 exclusive 2; B:7 read 1; and 1498 more")));
    }

    void upToSoManyWait() {
        LockRow row;
        row.lock = heldLock("L");
        row.lock.monitorsAmongWaiters = 2;
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row)).contains(QStringLiteral("monitors_among_waiters=2")));
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row)).filter(QStringLiteral("node=")).isEmpty());
        row.lock.node = NodePointer(new Node(topology::ShardId(1), QStringLiteral("h:7001")));
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row)).contains(QStringLiteral("node=h:7001")));
        LockEvent event;
        event.lock = row.lock;
        QVERIFY(cells(eventCsvHeader(), toCsvLine(event)).contains(QStringLiteral("monitors_among_waiters=2")));
    }

    void aFreeLockAndOneWithoutExpiry() {
        LockRow row;
        row.lock.name = lockName("L");
        row.lock.kind = LockKind::Reentrant;
        row.lock.seenAtWall = start;
        QCOMPARE(cells(lockCsvHeader(), toCsvLine(row)),
                 (QStringList{QStringLiteral("at=2027-01-15T00:00:00.000Z"), QStringLiteral("lock=L"),
                              QStringLiteral("kind=reentrant")}));
        row.lock.holders = {holder("A", 1)};
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row)).contains(QStringLiteral("ttl_ms=-1")));
    }

    void anEvent() {
        LockEvent event;
        event.at = start + 2s;
        event.type = EventType::HandedOver;
        event.lock = heldLock("L");
        event.holder = holder("B", 7, 1, HoldMode::Read);
        event.suspect = true;
        const QStringList found = cells(eventCsvHeader(), toCsvLine(event));
        for (const char* cell :
             {"at=2027-01-15T00:00:02.000Z", "event=handed_over", "holder=B:7 read 1", "suspect=true"})
            QVERIFY2(found.contains(QLatin1String(cell)), cell);
        event.type = EventType::NotWatched;
        event.gap = 4s;
        QVERIFY(cells(eventCsvHeader(), toCsvLine(event)).contains(QStringLiteral("gap_ms=4000")));
        event.notWritten = true;
        QVERIFY(cells(eventCsvHeader(), toCsvLine(event)).contains(QStringLiteral("not_written=true")));
        event = forcedOut(heldLock("L"), start).front();
        const QStringList forced = cells(eventCsvHeader(), toCsvLine(event));
        QVERIFY(forced.contains(QStringLiteral("event=forced")));
        QVERIFY(forced.contains(QStringLiteral("holder=A:33 exclusive 2")));
    }

    void theAliasesOfItsHolders() {
        const auto aliasOf = [](const ClientId& client) {
            return client.bytes() == "B" ? QStringLiteral("=orders") : QString();
        };
        LockRow row;
        row.lock = heldLock("L");
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row, aliasOf)).contains(QStringLiteral("aliases=; =orders")));
        LockEvent event;
        event.lock = row.lock;
        event.holder = row.lock.holders.last();
        // A spreadsheet must not read it as a formula.
        QVERIFY(cells(eventCsvHeader(), toCsvLine(event, aliasOf)).contains(QStringLiteral("holder_alias='=orders")));
    }

    void aDiagnosisWithItsEvidence() {
        LockEvent event;
        event.type = EventType::Diagnosed;
        event.lock.name = lockName("L");
        event.phase = DiagnosisPhase::Ended;
        event.diagnosis = Diagnosis{Certainty::Likely, WaitersAsleep{2, start}};
        const QByteArray line = toCsvLine(event);
        QVERIFY2(line.endsWith("waiters_asleep,end,likely,\"{\"\"clients\"\":2,\"\"free_since\"\":\"\"2027-01-15T00:00:"
                               "00.000Z\"\",\"\"hold_seen\"\":true}\",\r\n"),
                 line.constData());
    }

    void aReleaseWithoutAMessage_data() {
        QTest::addColumn<ReleaseSign>("sign");
        QTest::addColumn<QByteArray>("cell");
        QTest::newRow("message") << ReleaseSign::Message << QByteArray("");
        QTest::newRow("no message") << ReleaseSign::NoMessage << QByteArray("no_message");
        QTest::newRow("inferred") << ReleaseSign::Inferred << QByteArray("inferred");
    }
    void aReleaseWithoutAMessage() {
        QFETCH(ReleaseSign, sign);
        QFETCH(QByteArray, cell);
        LockEvent event;
        event.type = EventType::Released;
        event.releaseSign = sign;
        QVERIFY(eventCsvHeader().endsWith(",release\r\n"));
        QVERIFY(toCsvLine(event).endsWith(',' + cell + "\r\n"));
    }

    void everyNameComesBackAsItWas_data() { addAwkwardNames(); }
    void everyNameComesBackAsItWas() {
        QFETCH(const QByteArray, name);
        LockRow row;
        row.lock = heldLock(name);
        QCOMPARE(nameOf(lockCsvHeader(), toCsvLine(row)), name);
        QVERIFY(!toCsvLine(row).contains('\0'));
        LockEvent event;
        event.lock = row.lock;
        QCOMPARE(nameOf(eventCsvHeader(), toCsvLine(event)), name);
    }

    void aNameOfAnyBytes() {
        LockRow row;
        row.lock.name = LockName(QByteArray("\xff\x00x", 3));
        QVERIFY(cells(lockCsvHeader(), toCsvLine(row)).contains(QStringLiteral("lock_base64=/wB4")));
        row.lock.name = lockName("=1+2,\"x\"\n");
        // The cell for a spreadsheet has an apostrophe; the cell for a script has the name in base64.
        QVERIFY(toCsvLine(row).contains(",\"'=1+2,\"\"x\"\"\n\",PTErMiwieCIK,"));
    }

    void aSynchronizerStandsUnderItsHeader_data() {
        QTest::addColumn<Synchronizer>("synchronizer");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const Synchronizer& synchronizer, const QByteArray& cells) {
            QTest::newRow(name) << synchronizer << now() + ',' + cells + "\r\n";
        };
        row("semaphore", semaphore(standing, "pool", 7, 2), "pool,,semaphore,7,,,,0,,2,");
        row("latch", latch(standing, "start", 3), "start,,count_down_latch,,3,,,,,1,");
        Synchronizer both = latch(standing, "both", 5, 2);
        both.kind = SynchronizerKind::Unknown;
        row("waited for as both", both, "both,,unknown,,,5,,,,2,");
        row("no key", keyIs(CounterState::Missing), "pool,,semaphore,,,,missing,,,1,");
        row("another type", keyIs(CounterState::NoCounter), "pool,,semaphore,,,,no_counter,,,1,");
        row("no right to read", keyIs(CounterState::NotReadable), "pool,,semaphore,,,,not_readable,,,1,");
        row("not UTF-8", semaphore(standing, "\xff", 1), ",/w==,semaphore,1,,,,0,,1,");
        Synchronizer leases = leased(standing, semaphore(standing, "pool", 0), 2, 1500ms);
        leases.leases[1].ends.reset();
        row("leases", leases,
            "pool,,semaphore,0,,,,2,\"61616161616161616161616161616161 until 2025-12-18T00:00:01.500Z; "
            "62626262626262626262626262626262\",1,");
        Synchronizer diagnosed = semaphore(standing, "pool", 2, 3);
        diagnosed.diagnoses = {{Certainty::Suspected, PermitsUnclaimed{2, 3, start}}};
        row("diagnosed", diagnosed, "pool,,semaphore,2,,,,0,,3,permits_unclaimed suspected");
    }
    void aSynchronizerStandsUnderItsHeader() {
        QFETCH(Synchronizer, synchronizer);
        QFETCH(QByteArray, line);
        QCOMPARE(toCsvLine(synchronizer), line);
        QCOMPARE(
            synchronizerCsvHeader(),
            QByteArray("at,name,name_base64,kind,free_permits,count,value,key,leased,leases,waiters,diagnoses\r\n"));
    }
};

LOCKKEEPER_TEST(TestRecordCsv, Appless)

}  // namespace tst_recordcsv

#include "tst_recordcsv.moc"
