// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/sweeppace.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_sweeppace {

using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

SweepPace firstSweep(qint64 keys, std::chrono::nanoseconds roundTrip, int percent) {
    return SweepPace(keys < 0 ? std::nullopt : std::optional(keys), roundTrip, percent, SweepPace::Sweep::First);
}

SweepPace laterSweep(qint64 keys, std::chrono::nanoseconds roundTrip, int percent) {
    return SweepPace(keys, roundTrip, percent, SweepPace::Sweep::Later);
}

}  // namespace

class TestSweepPace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pausesByTheMeasuredCost_data() {
        QTest::addColumn<qint64>("keys");
        QTest::addColumn<qint64>("roundTripUs");
        QTest::addColumn<qint64>("callUs");
        QTest::addColumn<int>("percent");
        QTest::addColumn<qint64>("pauseUs");
        QTest::newRow("a small keyspace runs through")
            << qint64{9999} << qint64{100} << qint64{15000} << 5 << qint64{0};
        QTest::newRow("a big one takes 5 %") << qint64{10000} << qint64{0} << qint64{10000} << 5 << qint64{190000};
        QTest::newRow("or 20 %") << qint64{10000} << qint64{0} << qint64{10000} << 20 << qint64{40000};
        QTest::newRow("or all of it") << qint64{10000} << qint64{0} << qint64{10000} << 100 << qint64{0};
        QTest::newRow("never none") << qint64{10000} << qint64{0} << qint64{10000} << 0 << qint64{990000};
        QTest::newRow("the network's part is not the server's")
            << qint64{1000000} << qint64{30000} << qint64{40000} << 5 << qint64{190000};
        QTest::newRow("some part always is") << qint64{1000000} << qint64{40000} << qint64{40000} << 5 << qint64{95000};
        QTest::newRow("of unknown size: taken to be big")
            << qint64{-1} << qint64{0} << qint64{1000} << 5 << qint64{19000};
    }
    void pausesByTheMeasuredCost() {
        QFETCH(const qint64, keys);
        QFETCH(const qint64, roundTripUs);
        QFETCH(const qint64, callUs);
        QFETCH(const int, percent);
        QFETCH(const qint64, pauseUs);
        SweepPace pace = firstSweep(keys, std::chrono::microseconds(roundTripUs), percent);
        QCOMPARE(pace.pauseAfter(std::chrono::microseconds(callUs)),
                 std::chrono::nanoseconds(std::chrono::microseconds(pauseUs)));
    }

    void goesOverAsManyKeysAsAShortPausePaysFor_data() {
        QTest::addColumn<qint64>("keys");
        QTest::addColumn<qint64>("roundTripUs");
        QTest::addColumn<qint64>("callUs");
        QTest::addColumn<int>("percent");
        QTest::addColumn<int>("count");
        // 0.5 ms allow 26.3 us of server time at 5 %, 125 us at 20 %.
        QTest::newRow("a key takes 1 us") << qint64{1000000} << qint64{0} << qint64{500} << 5 << 26;
        QTest::newRow("or 2 us") << qint64{1000000} << qint64{0} << qint64{1000} << 5 << 13;
        QTest::newRow("at 20 %") << qint64{1000000} << qint64{0} << qint64{500} << 20 << 125;
        QTest::newRow("without the network's part") << qint64{1000000} << qint64{1000} << qint64{1500} << 5 << 78;
        QTest::newRow("a distant server") << qint64{1000000} << qint64{20000} << qint64{20500} << 5 << 210;
        QTest::newRow("at most as many as at first") << qint64{1000000} << qint64{0} << qint64{5} << 5 << 500;
        QTest::newRow("at least a few") << qint64{1000000} << qint64{0} << qint64{500000} << 5 << 10;
        QTest::newRow("over in a hundredth of the time to the next")
            << qint64{14000} << qint64{0} << qint64{500} << 5 << 500;
        QTest::newRow("or not") << qint64{16000} << qint64{0} << qint64{500} << 5 << 26;
        QTest::newRow("of unknown size") << qint64{-1} << qint64{0} << qint64{500} << 5 << 26;
        QTest::newRow("a small keyspace") << qint64{9999} << qint64{0} << qint64{500} << 5 << 500;
        QTest::newRow("not paced") << qint64{1000000} << qint64{0} << qint64{500} << 100 << 500;
    }
    void goesOverAsManyKeysAsAShortPausePaysFor() {
        QFETCH(const qint64, keys);
        QFETCH(const qint64, roundTripUs);
        QFETCH(const qint64, callUs);
        QFETCH(const int, percent);
        QFETCH(const int, count);
        SweepPace pace = firstSweep(keys, std::chrono::microseconds(roundTripUs), percent);
        QCOMPARE(pace.count(), 500);
        (void)pace.pauseAfter(std::chrono::microseconds(callUs));
        QCOMPARE(pace.count(), count);
    }

    void aShortCallIsPaidForByItsKeys() {
        SweepPace pace = firstSweep(1000000, 30us, 5);
        (void)pace.pauseAfter(530us);
        QCOMPARE(pace.count(), 27);
        // A round trip is not only network time: the server also reads and answers the command.
        QCOMPARE(pace.pauseAfter(57us), (27us + 30us) * 19);
        QCOMPARE(pace.pauseAfter(40us), (10us + 30us) * 19);
        // The machine was busy: only the cost of the keys counts.
        QCOMPARE(pace.pauseAfter(200us), (27us + 30us) * 19);
        // This part of a call always counts.
        QCOMPARE(pace.pauseAfter(2400us), (300us + 30us) * 19);
        QCOMPARE(pace.count(), 27);
    }

    void measuresAgainOnceInManyCalls() {
        SweepPace pace = firstSweep(1000000, 0ns, 5);
        const auto measure = [&](std::chrono::nanoseconds call) {
            QCOMPARE(pace.count(), 500);
            QCOMPARE(pace.pauseAfter(call), call * 19);
            for (int i = 0; i < 255; ++i) {
                QVERIFY(pace.count() < 500);
                (void)pace.pauseAfter(1us);
            }
        };
        const auto keysAfter = [&](std::chrono::nanoseconds call) {
            SweepPace then = pace;
            (void)then.pauseAfter(call);
            return then.count();
        };
        measure(500us);
        QCOMPARE(keysAfter(1000us), 13);
        QCOMPARE(keysAfter(250us), 52);
        // A single disturbed measurement has a limited effect.
        QCOMPARE(keysAfter(50ms), 13);
        measure(50ms);
        QCOMPARE(keysAfter(500us), 26);
    }

    // A million keys in 90 s, in steps of which other clients notice little.
    void laterSweepsNeedNotBeFast_data() {
        QTest::addColumn<qint64>("roundTripUs");
        QTest::addColumn<qint64>("keyNs");
        QTest::addColumn<int>("percent");
        QTest::addColumn<int>("count");
        QTest::addColumn<qint64>("pauseUs");
        QTest::newRow("a call of 50 us, and what is left of the time for its keys")
            << qint64{0} << qint64{500} << 5 << 100 << qint64{9000 - 50};
        QTest::newRow("the share allows a longer one") << qint64{0} << qint64{500} << 20 << 250 << qint64{22500 - 125};
        QTest::newRow("a distant server: as long as the way to it")
            << qint64{200} << qint64{500} << 5 << 400 << qint64{36000 - 400};
        QTest::newRow("a slow server: the share is the most")
            << qint64{0} << qint64{5000} << 5 << 10 << qint64{50 * 19};
        QTest::newRow("a server of small share") << qint64{0} << qint64{1000} << 1 << 50 << qint64{50 * 99};
    }
    void laterSweepsNeedNotBeFast() {
        QFETCH(const qint64, roundTripUs);
        QFETCH(const qint64, keyNs);
        QFETCH(const int, percent);
        QFETCH(const int, count);
        QFETCH(const qint64, pauseUs);
        const std::chrono::microseconds roundTrip(roundTripUs);
        SweepPace pace = laterSweep(1000000, roundTrip, percent);
        QCOMPARE(pace.count(), 500);
        (void)pace.pauseAfter(roundTrip + std::chrono::nanoseconds(500 * keyNs));
        QCOMPARE(pace.count(), count);
        const std::chrono::nanoseconds pause = pace.pauseAfter(roundTrip + std::chrono::nanoseconds(count * keyNs));
        QCOMPARE(std::chrono::round<std::chrono::microseconds>(pause), std::chrono::microseconds(pauseUs));
    }

    void alsoTheLongCallsOfALaterSweepAreFollowedByThatTime() {
        SweepPace pace = laterSweep(1000000, 0ns, 5);
        QCOMPARE(std::chrono::round<std::chrono::microseconds>(pace.pauseAfter(250us)), 45000us - 250us);
    }

    // Timers are late, and a sweep has thousands of pauses.
    void aLaterSweepMakesUpForALongPause_data() {
        QTest::addColumn<qint64>("lateUs");
        QTest::addColumn<qint64>("pauseUs");
        QTest::newRow("in time") << qint64{0} << qint64{9000 - 50};
        QTest::newRow("late") << qint64{900} << qint64{9000 - 50 - 900};
        QTest::newRow("very late: the share is the most") << qint64{100000} << qint64{50 * 19};
    }
    void aLaterSweepMakesUpForALongPause() {
        QFETCH(const qint64, lateUs);
        QFETCH(const qint64, pauseUs);
        SweepPace pace = laterSweep(1000000, 0ns, 5);
        (void)pace.pauseAfter(250us);
        const std::chrono::nanoseconds pause = pace.pauseAfter(50us, std::chrono::microseconds(lateUs));
        QCOMPARE(std::chrono::round<std::chrono::microseconds>(pause), std::chrono::microseconds(pauseUs));
    }

    // The first sweep takes the whole share, however late it was.
    void theFirstSweepMakesUpForNothing() {
        SweepPace pace = firstSweep(1000000, 0ns, 5);
        QCOMPARE(pace.pauseAfter(1ms, 5ms), 19ms);
    }

    // 500 keys each 15 ms, so ten thousand take 300 ms, whatever a call costs.
    void aLaterSweepOfASmallKeyspaceIsSpread_data() {
        QTest::addColumn<qint64>("callUs");
        QTest::addColumn<qint64>("lateUs");
        QTest::addColumn<qint64>("pauseUs");
        QTest::newRow("quick") << qint64{300} << qint64{0} << qint64{14700};
        QTest::newRow("it makes up for a long pause") << qint64{300} << qint64{5000} << qint64{9700};
        QTest::newRow("slower than that: no pause") << qint64{16000} << qint64{0} << qint64{-1000};
    }
    void aLaterSweepOfASmallKeyspaceIsSpread() {
        QFETCH(const qint64, callUs);
        QFETCH(const qint64, lateUs);
        QFETCH(const qint64, pauseUs);
        SweepPace pace = laterSweep(9999, 0ns, 5);
        QVERIFY(pace.isPaced());
        QVERIFY(!pace.isMeasured());
        for (int call = 0; call < 3; ++call) {
            QCOMPARE(pace.count(), 500);
            QCOMPARE(pace.pauseAfter(std::chrono::microseconds(callUs), std::chrono::microseconds(lateUs)),
                     std::chrono::nanoseconds(std::chrono::microseconds(pauseUs)));
        }
    }

    void withAllTheTimeThereIsNoPauseLaterEither_data() {
        QTest::addColumn<qint64>("keys");
        QTest::newRow("a big keyspace") << qint64{1000000};
        QTest::newRow("a small one") << qint64{9999};
    }
    void withAllTheTimeThereIsNoPauseLaterEither() {
        QFETCH(const qint64, keys);
        QVERIFY(!laterSweep(keys, 0ns, 100).isPaced());
        QCOMPARE(laterSweep(keys, 0ns, 100).pauseAfter(1ms), 0ns);
    }

    void readsTheProgressOutOfACursor_data() {
        QTest::addColumn<QByteArray>("cursor");
        QTest::addColumn<double>("share");
        QTest::newRow("start, or end") << QByteArray("0") << 0.0;
        QTest::newRow("half") << QByteArray("1") << 0.5;
        QTest::newRow("a quarter") << QByteArray("2") << 0.25;
        QTest::newRow("three quarters") << QByteArray("3") << 0.75;
        QTest::newRow("5 of 8 buckets of 8") << QByteArray("5") << 0.625;
        QTest::newRow("not a number") << QByteArray("x") << 0.0;
    }
    void readsTheProgressOutOfACursor() {
        QFETCH(const QByteArray, cursor);
        QFETCH(const double, share);
        QCOMPARE(scannedShare(cursor), share);
    }
};

LOCKKEEPER_TEST(TestSweepPace, Guiless)

}  // namespace tst_sweeppace

#include "tst_sweeppace.moc"
