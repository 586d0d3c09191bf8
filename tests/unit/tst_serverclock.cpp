// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/serverclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_serverclock {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

// Whether the server's clock has jumped, by what INFO says of it.
class TestServerClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isReadFromInfo_data() {
        QTest::addColumn<QByteArray>("info");
        QTest::addColumn<std::optional<ServerTime>>("time");
        QTest::newRow("Redis 7") << QByteArray(
                                        "# Server\r\nserver_time_usec:1764444444123456\r\nuptime_in_seconds:77\r\n")
                                 << std::optional(ServerTime{1764444444123456us, 1us});
        QTest::newRow("before") << QByteArray("# Server\r\nuptime_in_seconds:77\r\n")
                                << std::optional(ServerTime{77s, 1s});
        QTest::newRow("neither") << QByteArray("# Server\r\nredis_version:9\r\n") << std::optional<ServerTime>();
    }
    void isReadFromInfo() {
        QFETCH(const QByteArray, info);
        QFETCH(const std::optional<ServerTime>, time);
        QCOMPARE(parseServerTime(info), time);
    }

    void aJumpIsNoticed_data() {
        QTest::addColumn<Milliseconds>("passed");    // by our clock, between the readings
        QTest::addColumn<Milliseconds>("atServer");  // by the server's
        QTest::addColumn<Milliseconds>("step");      // in which the server shows its clock
        QTest::addColumn<bool>("jumped");
        const auto row = [](const char* name, Milliseconds passed, Milliseconds atServer, Milliseconds step,
                            bool jumped) { QTest::newRow(name) << passed << atServer << step << jumped; };
        row("as fast as ours", 10s, 10s, 0ms, false);
        row("the answers took some time", 10s, 10015ms, 0ms, false);
        row("slowed to adjust it", 1000s, 999'500ms, 0ms, false);
        row("set ahead", 10s, 13s, 0ms, true);
        row("set back", 10s, 7s, 0ms, true);
        row("its machine stood still", 60s, 10s, 0ms, true);
        row("in whole seconds", 10s, 11s, 1s, false);
        row("in whole seconds, set ahead", 10s, 20s, 1s, true);
    }
    void aJumpIsNoticed() {
        QFETCH(const Milliseconds, passed);
        QFETCH(const Milliseconds, atServer);
        QFETCH(const Milliseconds, step);
        QFETCH(const bool, jumped);
        ServerClock clock;
        clock.note({5000s, step}, start, start + way);
        clock.note({5000s + atServer, step}, start + passed, start + passed + way);
        QCOMPARE(clock.hasKeptPaceSince(start + way), !jumped);
        QCOMPARE(clock.hasKeptPaceSince(start + passed + way), true);
    }

    void aJumpIsNotForgotten() {
        ServerClock clock;
        note(clock, 0s, 0s);
        note(clock, 10s, 40s);
        note(clock, 20s, 50s);
        QVERIFY(!clock.hasKeptPaceSince(start + 5s));
        QVERIFY(clock.hasKeptPaceSince(start + 15s));
    }

    void beforeTheFirstReadingNothingIsKnown() {
        ServerClock clock;
        QVERIFY(!clock.hasKeptPaceSince(start));
        QVERIFY(clock.readAt() < start);
        note(clock, 1s, 1s);
        QVERIFY(!clock.hasKeptPaceSince(start));
        QVERIFY(clock.hasKeptPaceSince(start + 1s + way));
        QCOMPARE(clock.readAt(), start + 1s);
    }

private:
    static constexpr SteadyTime start{1h};
    static constexpr Milliseconds way{10};

    static void note(ServerClock& clock, std::chrono::seconds at, std::chrono::seconds atServer) {
        clock.note({5000s + atServer, 1us}, start + at, start + at + way);
    }
};

LOCKKEEPER_TEST(TestServerClock, Appless)

}  // namespace tst_serverclock

#include "tst_serverclock.moc"
