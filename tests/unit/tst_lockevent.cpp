// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/lockevent.h"
#include "support/eventstory.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockevent {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const WallTime start(24h * 20'833);
const Holder alice = holder(clientA, 33);

std::vector<LockEvent> together(const std::vector<std::vector<LockEvent>>& parts) {
    std::vector<LockEvent> all;
    for (const std::vector<LockEvent>& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::vector<LockEvent> taken(Milliseconds at) {
    return EventStory("L", start).event(EventType::Acquired, at, {alice}).events();
}

std::vector<LockEvent> unwatched(Milliseconds from, Milliseconds to) {
    return {notWatchedSince(start + from, start + to)};
}

std::vector<LockEvent> watchedUpTo(Milliseconds at) {
    return unwatched(at, at);
}

std::vector<LockEvent> unwritten(Milliseconds from, Milliseconds to) {
    std::vector<LockEvent> events = unwatched(from, to);
    events.front().notWritten = true;
    return events;
}

// "L@1 gap 2-5 lost 6-7": seconds since the start; a gap of a single lock has its name.
QString told(const std::vector<LockEvent>& events) {
    const auto second = [](WallTime time) { return (time - start) / 1s; };
    QStringList words;
    for (const LockEvent& event : events) {
        if (event.type != EventType::NotWatched)
            words << QStringLiteral("%1@%2").arg(event.lock.name.display()).arg(second(event.at));
        else
            words << QStringLiteral("%1%2 %3-%4")
                         .arg(event.lock.name.display(),
                              event.notWritten ? QStringLiteral("lost") : QStringLiteral("gap"))
                         .arg(second(event.at - event.gap))
                         .arg(second(event.at));
    }
    return words.join(QLatin1Char(' '));
}

}  // namespace

class TestLockEvent : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void closesTheGapBehindWatching_data() {
        QTest::addColumn<std::vector<LockEvent>>("events");
        QTest::addColumn<QString>("closed");
        const auto row = [](const char* name, const std::vector<std::vector<LockEvent>>& parts, const char* closed) {
            QTest::newRow(name) << together(parts) << QString::fromLatin1(closed);
        };
        row("nothing", {}, "");
        row("no end of watching", {taken(1s), taken(2s)}, "L@1 L@2");
        row("one before an event", {taken(1s), watchedUpTo(2s), taken(5s)}, "L@1 gap 2-5 L@5");
        row("the first", {watchedUpTo(2s), taken(5s)}, "gap 2-5 L@5");
        row("the earliest of several", {watchedUpTo(2s), watchedUpTo(3s), watchedUpTo(4s), taken(5s)}, "gap 2-5 L@5");
        row("each of them", {watchedUpTo(1s), taken(2s), watchedUpTo(3s), taken(4s)}, "gap 1-2 L@2 gap 3-4 L@4");
        row("the gap is reported", {taken(1s), watchedUpTo(2s), unwatched(2s, 5s), taken(6s)}, "L@1 gap 2-5 L@6");
        row("the gap is reported, from before", {watchedUpTo(2s), unwatched(1s, 5s)}, "gap 1-5");
        row("another gap, later", {watchedUpTo(2s), unwatched(3s, 5s)}, "gap 2-5");
        row("attempts to connect, one after the other",
            {taken(1s), unwatched(1s, 5s), unwatched(5s, 5s), unwatched(5s, 7s)}, "L@1 gap 1-7");
        row("a gap that nothing was watched before", {unwatched(1s, 2s), taken(3s), unwatched(3s, 4s)},
            "gap 1-2 L@3 gap 3-4");
        row("before what was not written", {watchedUpTo(2s), unwritten(3s, 5s), taken(5s)}, "gap 2-3 lost 3-5 L@5");
        row("not written, and no end of watching", {unwritten(3s, 3s), taken(5s)}, "lost 3-3 L@5");
        row("the last", {taken(1s), watchedUpTo(2s)}, "L@1");
        row("several at the end", {taken(1s), watchedUpTo(2s), watchedUpTo(3s)}, "L@1");
        row("a gap of one lock is an event like others",
            {watchedUpTo(2s), EventStory("L", start).gap(5s, 1s, {alice}).events()}, "gap 2-5 Lgap 4-5");
        row("a lock's own gap stays, however short", {EventStory("L", start).gap(5s, 0s, {alice}).events(), taken(6s)},
            "Lgap 5-5 L@6");
        row("the clock was set back", {taken(8s), watchedUpTo(9s), taken(5s)}, "L@8 gap 5-5 L@5");
    }
    void closesTheGapBehindWatching() {
        QFETCH(std::vector<LockEvent>, events);
        closeGaps(events);
        QTEST(told(events), "closed");
        const size_t closed = events.size();
        closeGaps(events);
        QVERIFY(events.size() <= closed);
    }

    void whatIsDroppedLeavesAMark_data() {
        QTest::addColumn<std::vector<LockEvent>>("events");
        QTest::addColumn<QString>("kept");
        QTest::newRow("nothing") << std::vector<LockEvent>() << QString();
        QTest::newRow("as many as may be")
            << together({taken(1s), taken(2s), taken(3s)}) << QStringLiteral("L@1 L@2 L@3");
        QTest::newRow("one more") << together({taken(1s), taken(2s), taken(3s), taken(4s)})
                                  << QStringLiteral("lost 1-3 L@3 L@4");
        QTest::newRow("again") << together({unwritten(1s, 3s), taken(3s), taken(4s), taken(5s)})
                               << QStringLiteral("lost 1-4 L@4 L@5");
    }
    void whatIsDroppedLeavesAMark() {
        QFETCH(std::vector<LockEvent>, events);
        dropOldest(events, 3);
        QTEST(told(events), "kept");
    }

    void theForcedOutHolderIsReported() {
        LockSnapshot broken;
        broken.name = lockName("L");
        broken.kind = LockKind::ReadWrite;
        broken.holders = {holder(clientA, 1, 2, HoldMode::Read), holder(clientB, 2, 1, HoldMode::Read)};
        const std::vector<LockEvent> events = forcedOut(broken, start);
        QCOMPARE(events.size(), size_t{2});
        for (size_t i = 0; i < events.size(); ++i) {
            QCOMPARE(events[i].type, EventType::Forced);
            QCOMPARE(events[i].at, start);
            QCOMPARE(*events[i].holder, broken.holders[static_cast<qsizetype>(i)]);
            QCOMPARE(events[i].lock.name, broken.name);
            QCOMPARE(events[i].lock.kind, broken.kind);
            QVERIFY(!events[i].lock.isHeld());
        }
    }
};

LOCKKEEPER_TEST(TestLockEvent, Guiless)

}  // namespace tst_lockevent

#include "tst_lockevent.moc"
