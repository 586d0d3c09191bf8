// SPDX-License-Identifier: Apache-2.0
#include "soak/soakchecker.h"
#include "soak/soaktime.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

namespace tst_soakchecker {

using namespace lockkeeper;
using namespace lockkeeper::soak;
using namespace std::chrono_literals;
using monitor::EventType;
using test::alice;
using test::bob;

namespace {

const LockName lockName("L");

// What the load did to the lock L, what the watch printed, and what the server has at the end.
struct Play {
    std::vector<LogLine> log;
    std::vector<Reading> readings;
    std::vector<Disturbance> disturbances;
    std::optional<Span> flush;
    std::optional<std::pair<Hold, Milliseconds>> end;

    // The answer comes a millisecond later.
    Play& does(Milliseconds time, Deed deed, std::optional<Hold> after, Milliseconds lease = 60s,
               Answer answer = Answer::Done) {
        log.push_back({lockName, deed, std::move(after), lease, {at(time), at(time + 1ms)}, answer});
        return *this;
    }
    Play& sees(Milliseconds time, std::optional<Hold> hold, Milliseconds ttl, std::vector<Reading::Event> events,
               Milliseconds gap = 0ms) {
        Reading reading;
        reading.lock = lockName;
        reading.at = reading.arrived = at(time);
        reading.hold = std::move(hold);
        if (reading.hold)
            reading.ttl = ttl;
        reading.events = std::move(events);
        reading.gap = gap;
        readings.push_back(reading);
        return *this;
    }
    Play& loses(Milliseconds from, Milliseconds to) {
        disturbances.push_back({Disturbance::Kind::Loss, {at(from), at(to)}, at(to + 500ms)});
        return *this;
    }
    Play& ends(const Hold& hold, Milliseconds ttl) {
        end = std::pair(hold, ttl);
        return *this;
    }

    [[nodiscard]] QStringList complaints() const {
        constexpr Milliseconds whole = 30s;
        SoakChecker checker{Tolerances()};
        for (const Disturbance& disturbance : disturbances)
            checker.noteDisturbance(disturbance);
        std::optional<Span> removal = flush;
        for (const LogLine& line : log) {
            if (removal && removal->to <= line.when.from)
                checker.noteRemovalOfAll(*std::exchange(removal, std::nullopt));
            checker.note(line);
        }
        if (removal)
            checker.noteRemovalOfAll(*removal);
        for (const Reading& reading : readings)
            checker.see(reading);
        QHash<LockName, std::pair<Hold, Milliseconds>> server;
        if (end)
            server.insert(lockName, *end);
        checker.finish(at(whole), server);
        QStringList complaints;
        for (int i = 0; i <= static_cast<int>(Complaint::LogContradictory); ++i) {
            if (checker.count(static_cast<Complaint>(i)) > 0)
                complaints += wordsFor(static_cast<Complaint>(i));
        }
        return complaints;
    }
};

// Every kind of change, each with its event 5 ms later.
Play wholePlay() {
    const Hold once{alice, 1};
    const Hold twice{alice, 2};
    const Hold his{bob, 1};
    Play play;
    play.does(0s, Deed::Acquire, once).sees(1s, once, 59s, {{EventType::Found, alice}});
    play.does(4s, Deed::Reenter, twice, 50s).sees(4005ms, twice, 49997ms, {{EventType::Reentered, alice}});
    play.does(7s, Deed::Renew, twice, 70s).sees(7005ms, twice, 69997ms, {{EventType::Renewed, alice}});
    play.does(10s, Deed::ReleaseOnce, once, 60s).sees(10005ms, once, 59997ms, {{EventType::ReleasedOnce, alice}});
    play.does(13s, Deed::Release, {}).sees(13005ms, {}, 0s, {{EventType::Released, alice}});
    play.does(16s, Deed::Acquire, his, 90s).sees(16005ms, his, 89997ms, {{EventType::Acquired, bob}});
    play.does(19s, Deed::Delete, {}).sees(19005ms, {}, 0s, {{EventType::Deleted, bob}});
    play.does(22s, Deed::Acquire, once, 2s).sees(22005ms, once, 1997ms, {{EventType::Acquired, alice}});
    play.sees(24005ms, {}, 0s, {{EventType::Expired, alice}});
    play.does(27s, Deed::Acquire, his, 60s).sees(27005ms, his, 59997ms, {{EventType::Acquired, bob}});
    return play.ends(his, 57s);
}

// Held by alice from the begin, then a change at 10 s.
Play heldPlay() {
    Play play;
    return play.does(0s, Deed::Acquire, Hold{alice, 1}).sees(1s, Hold{alice, 1}, 59s, {{EventType::Found, alice}});
}

// Released and acquired again by alice for this lease, which the watch reports as a renewal.
Play renewedInPlace(Milliseconds lease) {
    const Hold once{alice, 1};
    return heldPlay()
        .does(10s, Deed::Release, {})
        .does(10s, Deed::Acquire, once, lease)
        .sees(10005ms, once, lease - 3ms, {{EventType::Renewed, alice}})
        .ends(once, lease - 20s);
}

// A short hold of bob that no read shows; the lock is read as free at 10,699 ms, and as alice's at 10,850 ms.
Play shortHold(Milliseconds begins, Milliseconds answered) {
    const Hold once{alice, 1};
    Play play;
    play.does(0s, Deed::Acquire, once, 10s).sees(1s, once, 9s, {{EventType::Found, alice}});
    play.does(begins, Deed::Acquire, Hold{bob, 1}).does(begins + 10ms, Deed::Release, {});
    for (LogLine& line : play.log)
        line.when.to = line.when.from < at(begins) ? line.when.to : at(answered);
    play.sees(10699ms, {}, 0s, {{EventType::Expired, alice}}).does(10720ms, Deed::Acquire, once);
    return play.sees(10850ms, once, 59870ms, {{EventType::Acquired, alice}}).ends(once, 40s);
}

QString words(Complaint complaint) {
    return wordsFor(complaint);
}

}  // namespace

class TestSoakChecker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agrees_data();
    void agrees();
    void disagrees_data();
    void disagrees();
    void noLineOfTheLogMayBeMissing();
    void noReadingMayBeMissing();
    void noReadingMayBeOfAnother();
    void releasesInAWindowAreCounted_data();
    void releasesInAWindowAreCounted();
};

void TestSoakChecker::agrees_data() {
    const Hold once{alice, 1};
    const Hold his{bob, 1};
    QTest::addColumn<Play>("play");
    QTest::newRow("each kind of change") << wholePlay();
    QTest::newRow("handed over with a message") << heldPlay()
                                                       .does(10s, Deed::Release, {})
                                                       .does(10s, Deed::Acquire, his)
                                                       .sees(10005ms, his, 59997ms, {{EventType::HandedOver, bob}})
                                                       .ends(his, 40s);
    QTest::newRow("handed over without one") << heldPlay()
                                                    .does(10s, Deed::Delete, {})
                                                    .does(10s, Deed::Acquire, his)
                                                    .sees(10005ms, his, 59997ms, {{EventType::HandedOver, bob, true}})
                                                    .ends(his, 40s);
    QTest::newRow("released and acquired by the same")
        << heldPlay()
               .does(10s, Deed::Release, {})
               .does(10s, Deed::Acquire, once, 90s)
               .sees(10005ms, once, 89997ms, {{EventType::Released, alice}, {EventType::Acquired, alice}})
               .ends(once, 70s);
    QTest::newRow("came and went before a read") << heldPlay()
                                                        .does(10s, Deed::Release, {})
                                                        .does(10s, Deed::Acquire, his)
                                                        .does(10s, Deed::Release, {})
                                                        .sees(10005ms, {}, 0s, {{EventType::Released, alice}});
    Play still = heldPlay().does(12s, Deed::Delete, {}).sees(12100ms, {}, 0s, {{EventType::Gone, alice}});
    still.disturbances.push_back({Disturbance::Kind::Silence, {at(9s), at(12s)}, at(12500ms)});
    QTest::newRow("gone after the server stood still") << still;
    QTest::newRow("a shorter lease is no event") << heldPlay().does(10s, Deed::Renew, once, 40s).ends(once, 20s);
    QTest::newRow("an answer was lost, it was done")
        << heldPlay()
               .loses(9s, 11s)
               .does(10s, Deed::Release, {}, 0s, Answer::Unknown)
               .does(11s, Deed::Read, {})
               .sees(11500ms, {}, 0s, {{EventType::NotWatched}, {EventType::Gone, alice}}, 2s);
    QTest::newRow("an answer was lost, it was not done")
        << heldPlay()
               .loses(9s, 11s)
               .does(10s, Deed::Release, {}, 0s, Answer::Unknown)
               .does(11s, Deed::Read, once, 49s)
               .sees(11500ms, once, 48500ms, {{EventType::NotWatched}}, 2s)
               .ends(once, 30s);
    QTest::newRow("a change in a gap") << heldPlay()
                                              .loses(9s, 11s)
                                              .does(10s, Deed::Release, {})
                                              .does(10500ms, Deed::Acquire, his)
                                              .sees(11500ms, his, 59s,
                                                    {{EventType::NotWatched}, {EventType::HandedOver, bob}}, 2500ms)
                                              .ends(his, 40s);
    QTest::newRow("a release between two leases that end together")
        << heldPlay().does(10s, Deed::Release, {}).does(10s, Deed::Acquire, once, 50s).ends(once, 30s);
    QTest::newRow("the same after the lease became shorter, which is no event")
        << heldPlay()
               .does(5s, Deed::Renew, once, 40s)
               .does(10s, Deed::Release, {})
               .does(10s, Deed::Acquire, once, 35s)
               .ends(once, 15s);
    const Play again = heldPlay().does(10s, Deed::Release, {}).does(10s, Deed::Acquire, once, 50100ms);
    QTest::newRow("or nearly together") << Play(again).ends(once, 30s);
    Play handedOver = Play(again)
                          .does(15500ms, Deed::Acquire, his)
                          .sees(16s, his, 59500ms, {{EventType::HandedOver, bob, true}})
                          .ends(his, 45s);
    handedOver.flush = Span{at(15s), at(15s + 1ms)};
    QTest::newRow("handed over by a flush after such a release") << handedOver;
    Play lost;
    lost.does(0s, Deed::Acquire, once, 10s).sees(1s, once, 9s, {{EventType::Found, alice}});
    lost.does(7500ms, Deed::Acquire, once, 2550ms).sees(10060ms, {}, 0s, {{EventType::Expired, alice}});
    lost.flush = Span{at(7s), at(7s + 1ms)};
    QTest::newRow("expired, and a flush between two leases that end nearly together") << lost;
    Play expired = heldPlay().does(5s, Deed::Renew, once, 5s).sees(10001ms, {}, 0s, {{EventType::Expired, alice}});
    expired.log.back().when.to = at(5200ms);  // so the lease may have ended before the flush, or not
    expired.flush = Span{at(10050ms), at(10060ms)};
    QTest::newRow("a flush just after the end of a lease") << expired;
    QTest::newRow("a short hold between free and held") << shortHold(10701ms, 10712ms);
    QTest::newRow("the same at a server that answers late") << shortHold(10300ms, 10719ms);
    Play flushed = heldPlay().sees(10005ms, {}, 0s, {{EventType::Deleted, alice}});
    flushed.flush = Span{at(10s), at(10s + 1ms)};
    QTest::newRow("a flush") << flushed;
    const Reading::Event withoutMessage{EventType::Released, alice, false, false};
    QTest::newRow("a deletion that looks like the release of a spin lock")
        << heldPlay().does(10s, Deed::Delete, {}).sees(10005ms, {}, 0s, {withoutMessage});
    QTest::newRow("the same, and somebody else takes it: no suspect")
        << heldPlay()
               .does(10s, Deed::Delete, {})
               .does(10s, Deed::Acquire, his)
               .sees(10005ms, his, 59997ms, {{EventType::HandedOver, bob}})
               .ends(his, 40s);
}

void TestSoakChecker::agrees() {
    QFETCH(const Play, play);
    QCOMPARE(play.complaints(), QStringList());
}

void TestSoakChecker::disagrees_data() {
    const Hold once{alice, 1};
    const Hold his{bob, 1};
    QTest::addColumn<Play>("play");
    QTest::addColumn<QString>("complaint");
    const QString unexplained = words(Complaint::Unexplained);
    const QString unseen = words(Complaint::Unseen);
    QTest::newRow("nobody did it") << heldPlay().sees(10s, {}, 0s, {{EventType::Released, alice}}).ends(once, 30s)
                                   << unexplained;
    QTest::newRow("before it was done")
        << heldPlay().does(10s, Deed::Release, {}).sees(9900ms, {}, 0s, {{EventType::Released, alice}}) << unexplained;
    QTest::newRow("long after it was over") << heldPlay()
                                                   .does(10s, Deed::Release, {})
                                                   .does(11s, Deed::Acquire, his)
                                                   .sees(13s, {}, 0s, {{EventType::Released, alice}})
                                                   .ends(his, 41s)
                                            << unexplained;
    QTest::newRow("too late")
        << heldPlay().does(10s, Deed::Release, {}).sees(12100ms, {}, 0s, {{EventType::Released, alice}}) << unseen;
    QTest::newRow("another holder") << heldPlay()
                                           .does(10s, Deed::Release, {})
                                           .does(10s, Deed::Acquire, his)
                                           .sees(10005ms, once, 59997ms,
                                                 {{EventType::Released, alice}, {EventType::Acquired, alice}})
                                           .ends(his, 40s)
                                    << unexplained;
    QTest::newRow("another count") << heldPlay()
                                          .does(10s, Deed::Reenter, Hold{alice, 2})
                                          .sees(10005ms, Hold{alice, 3}, 59997ms, {{EventType::Reentered, alice}})
                                          .ends({alice, 2}, 40s)
                                   << unexplained;
    QTest::newRow("another lease") << heldPlay()
                                          .does(10s, Deed::Renew, once)
                                          .sees(10005ms, once, 58s, {{EventType::Renewed, alice}})
                                          .ends(once, 40s)
                                   << unexplained;
    QTest::newRow("a message without a release")
        << heldPlay().does(10s, Deed::Delete, {}).sees(10005ms, {}, 0s, {{EventType::Released, alice}}) << unexplained;
    QTest::newRow("a release whose message was not counted")
        << heldPlay().does(10s, Deed::Release, {}).sees(10005ms, {}, 0s, {{EventType::Released, alice, false, false}})
        << unexplained;
    QTest::newRow("a release without its message")
        << heldPlay().does(10s, Deed::Release, {}).sees(10005ms, {}, 0s, {{EventType::Deleted, alice}}) << unexplained;
    QTest::newRow("expired with time left")
        << heldPlay().does(10s, Deed::Delete, {}).sees(10005ms, {}, 0s, {{EventType::Expired, alice}}) << unexplained;
    QTest::newRow("a short hold before the lock was read free")
        << shortHold(10500ms, 10511ms) << words(Complaint::ReleaseUnseen);
    Play shortly = heldPlay().does(10s, Deed::Delete, {}).sees(11s, {}, 0s, {{EventType::Gone, alice}});
    shortly.disturbances.push_back({Disturbance::Kind::Silence, {at(9s), at(10500ms)}, at(12s)});
    QTest::newRow("gone while the server answered again soon") << shortly << unexplained;
    QTest::newRow("gone without a gap")
        << heldPlay().does(10s, Deed::Release, {}).sees(10005ms, {}, 0s, {{EventType::Gone, alice}}) << unexplained;
    QTest::newRow("suspect with a message") << heldPlay()
                                                   .does(10s, Deed::Release, {})
                                                   .does(10s, Deed::Acquire, his)
                                                   .sees(10005ms, his, 59997ms, {{EventType::HandedOver, bob, true}})
                                                   .ends(his, 40s)
                                            << unexplained;
    QTest::newRow("a lasting change that is not seen") << heldPlay().does(10s, Deed::Release, {}) << unseen;
    QTest::newRow("a release that is not seen") << renewedInPlace(90s) << words(Complaint::ReleaseUnseen);
    QTest::newRow("a release between two leases that end a second apart")
        << renewedInPlace(51s) << words(Complaint::ReleaseUnseen);
    QTest::newRow("or of which the one before became shorter") << heldPlay()
                                                                      .does(5s, Deed::Renew, once, 40s)
                                                                      .does(10s, Deed::Release, {})
                                                                      .does(10s, Deed::Acquire, once, 36s)
                                                                      .ends(once, 16s)
                                                               << words(Complaint::ReleaseUnseen);
    QTest::newRow("an expiry that is not seen") << wholePlay().does(28s, Deed::Renew, his, 1s) << unseen;
    QTest::newRow("a gap without a lost connection") << heldPlay()
                                                            .does(10s, Deed::Renew, once, 90s)
                                                            .sees(11s, once, 89s, {{EventType::NotWatched}}, 2s)
                                                            .ends(once, 70s)
                                                     << words(Complaint::GapWithoutReason);
    QTest::newRow("a gap excuses nothing after it")
        << heldPlay().loses(9s, 11s).sees(11s, once, 49s, {{EventType::NotWatched}}, 2s).does(15s, Deed::Release, {})
        << unseen;
    QTest::newRow("a gap excuses nothing before it")
        << heldPlay()
               .loses(9s, 11s)
               .does(7s, Deed::Release, {})
               .sees(11s, {}, 0s, {{EventType::NotWatched}, {EventType::Gone, alice}}, 2s)
        << words(Complaint::GapTooShort);
    QTest::newRow("nor what is over in it")
        << heldPlay()
               .loses(9s, 11s)
               .does(7s, Deed::Release, {})
               .does(9500ms, Deed::Acquire, his)
               .sees(11s, his, 58500ms, {{EventType::NotWatched}, {EventType::HandedOver, bob}}, 2s)
               .ends(his, 40s)
        << words(Complaint::GapTooShort);
    Play silent = heldPlay().sees(11s, once, 49s, {{EventType::NotWatched}}, 2s).ends(once, 30s);
    silent.disturbances.push_back({Disturbance::Kind::Silence, {at(9s), at(11s)}, at(12s)});
    QTest::newRow("a silent server loses no connection") << silent << words(Complaint::GapWithoutReason);
    QTest::newRow("renewed in place of released and acquired") << renewedInPlace(90s) << unexplained;
    QTest::newRow("an event across a gap needs a change, too")
        << heldPlay()
               .loses(9s, 11s)
               .sees(11s, his, 49s, {{EventType::NotWatched}, {EventType::HandedOver, bob}}, 2s)
               .ends(once, 30s)
        << unexplained;
    QTest::newRow("the server has another holder at the end")
        << heldPlay().ends(his, 30s) << words(Complaint::WrongAtEnd);
    QTest::newRow("the server has none at the end") << heldPlay() << words(Complaint::WrongAtEnd);
    QTest::newRow("the server has a longer lease at the end")
        << heldPlay().ends(once, 50s) << words(Complaint::WrongAtEnd);
    QTest::newRow("acquired while it is held") << heldPlay()
                                                      .does(10s, Deed::Acquire, his)
                                                      .sees(10005ms, his, 59997ms, {{EventType::HandedOver, bob, true}})
                                                      .ends(his, 40s)
                                               << words(Complaint::LogContradictory);
}

void TestSoakChecker::disagrees() {
    QFETCH(const Play, play);
    QFETCH(const QString, complaint);
    const QStringList complaints = play.complaints();
    QVERIFY2(complaints.contains(complaint), qPrintable(complaints.join(QStringLiteral(", "))));
}

void TestSoakChecker::noLineOfTheLogMayBeMissing() {
    for (size_t i = 0; i < wholePlay().log.size(); ++i) {
        Play play = wholePlay();
        play.log.erase(play.log.begin() + static_cast<std::ptrdiff_t>(i));
        QVERIFY2(!play.complaints().isEmpty(), qPrintable(QStringLiteral("line %1").arg(i)));
    }
}

void TestSoakChecker::noReadingMayBeMissing() {
    for (size_t i = 0; i < wholePlay().readings.size(); ++i) {
        Play play = wholePlay();
        play.readings.erase(play.readings.begin() + static_cast<std::ptrdiff_t>(i));
        QVERIFY2(!play.complaints().isEmpty(), qPrintable(QStringLiteral("reading %1").arg(i)));
    }
}

void TestSoakChecker::noReadingMayBeOfAnother() {
    const HolderId other = *HolderId::parse("c0000000-41d2-4a0e-9c76-0a4f3c1f6f10:3");
    for (size_t i = 1; i < wholePlay().readings.size(); ++i) {
        Play play = wholePlay();
        play.readings[i].events.front().holder = other;
        QVERIFY2(play.complaints().contains(words(Complaint::Unexplained)),
                 qPrintable(QStringLiteral("reading %1").arg(i)));
    }
}

void TestSoakChecker::releasesInAWindowAreCounted_data() {
    QTest::addColumn<quint64>("counted");
    QTest::addColumn<QStringList>("complaints");
    QTest::newRow("two") << quint64{2} << QStringList();
    QTest::newRow("one of two") << quint64{1} << QStringList{words(Complaint::WrongCount)};
    QTest::newRow("three of two") << quint64{3} << QStringList{words(Complaint::WrongCount)};
}

void TestSoakChecker::releasesInAWindowAreCounted() {
    QFETCH(const quint64, counted);
    QFETCH(const QStringList, complaints);
    Play play = heldPlay();
    play.does(10s, Deed::Release, {}).sees(10005ms, {}, 0s, {{EventType::Released, alice}});
    play.does(12s, Deed::Acquire, Hold{bob, 1}).sees(12005ms, Hold{bob, 1}, 59997ms, {{EventType::Acquired, bob}});
    play.does(14s, Deed::Release, {}).sees(14005ms, {}, 0s, {{EventType::Released, bob}});
    play.does(16s, Deed::Acquire, Hold{bob, 1}, 20s).sees(16005ms, Hold{bob, 1}, 19997ms, {{EventType::Acquired, bob}});
    monitor::Throughput throughput;
    throughput.until = at(16005ms);
    throughput.window = 9s;
    throughput.releases = counted;
    play.readings.back().throughput = throughput;
    QCOMPARE(play.ends({bob, 1}, 6s).complaints(), complaints);
}

LOCKKEEPER_TEST(TestSoakChecker, Appless)

}  // namespace tst_soakchecker

#include "tst_soakchecker.moc"
