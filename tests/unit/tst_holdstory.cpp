// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lookup/holdstory.h"
#include "support/eventstory.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_holdstory {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const WallTime start(24h * 20'833);
const Holder alice = holder(clientA, 33);
const Holder bob = holder(clientB, 7);

const char* endText(HoldEnd end) {
    switch (end) {
        case HoldEnd::StillHeld:
            return "held";
        case HoldEnd::Released:
            return "released";
        case HoldEnd::Expired:
            return "expired";
        case HoldEnd::Deleted:
            return "deleted";
        case HoldEnd::HandedOver:
            return "handed over";
        case HoldEnd::TakenOver:
            return "taken over";
        case HoldEnd::Gone:
            return "gone";
        case HoldEnd::NotWatched:
            return "not watched";
    }
    return "";
}

// "33 0-5 released": thread and seconds; "?" if the beginning was not observed.
QString shown(const std::vector<LockEvent>& events) {
    const auto seconds = [](WallTime at) {
        return QString::number(std::chrono::duration_cast<std::chrono::seconds>(at - start).count());
    };
    QStringList all;
    for (const PastHold& hold : holdStory(events, [](const PastHold&) { return true; })) {
        all << QStringLiteral("%1 %2%3-%4 %5")
                   .arg(static_cast<qint64>(hold.holder.id.thread()))
                   .arg(hold.begin == HoldBegin::Seen ? QString() : QStringLiteral("?"), seconds(hold.from),
                        hold.isOpen() ? QString() : seconds(hold.to), QString::fromLatin1(endText(hold.end)));
    }
    return all.join(QStringLiteral(", "));
}

EventStory story() {
    return EventStory("L", start);
}

LockEvent handedOver(const std::vector<LockEvent>& events, bool suspect) {
    LockEvent event = events.back();
    event.suspect = suspect;
    return event;
}

}  // namespace

class TestHoldStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsHowAStayEnded_data() {
        QTest::addColumn<std::vector<LockEvent>>("events");
        QTest::addColumn<QString>("holds");
        const auto row = [](const char* name, const std::vector<LockEvent>& events, const char* holds) {
            QTest::newRow(name) << events << QString::fromLatin1(holds);
        };
        const EventStory taken = story().event(EventType::Acquired, 0s, {alice});
        row("held", taken.events(), "33 0- held");
        for (const auto& [type, text] : {std::pair(EventType::Released, "33 0-5 released"),
                                         {EventType::Expired, "33 0-5 expired"},
                                         {EventType::Deleted, "33 0-5 deleted"},
                                         {EventType::Gone, "33 0-5 gone"}})
            row(text, EventStory(taken).ends(type, 5s, alice).events(), text);
        std::vector<LockEvent> silent = EventStory(taken).ends(EventType::Released, 5s, alice).events();
        silent.back().releaseSign = ReleaseSign::NoMessage;
        row("released without a message, or deleted", silent, "33 0-5 gone");
        std::vector<LockEvent> over = EventStory(taken).event(EventType::HandedOver, 5s, {bob}).events();
        row("handed over", over, "33 0-5 handed over, 7 5- held");
        over.back() = handedOver(over, true);
        row("taken over", over, "33 0-5 taken over, 7 5- held");
        row("released and taken again between two reads",
            EventStory(taken)
                .ends(EventType::Released, 5s, alice, {alice})
                .event(EventType::Acquired, 5s, {alice})
                .events(),
            "33 0-5 released, 33 5- held");
        row("one of two readers leaves",
            story()
                .event(EventType::Acquired, 0s, {alice})
                .event(EventType::Acquired, 2s, {alice, bob})
                .ends(EventType::Released, 5s, alice, {bob})
                .events(),
            "33 0-5 released, 7 2- held");
        std::vector<LockEvent> forced = EventStory(taken).event(EventType::HandedOver, 5s, {bob}).events();
        forced.push_back(forcedOut(taken.events().back().lock, start + 6s).front());
        row("forced, which does not show who holds it now", forced, "33 0-5 handed over, 7 5- held");
        row("missing without a word", EventStory(taken).event(EventType::Renewed, 5s, {bob}).events(),
            "33 0-5 gone, 7 5- held");
    }
    void tellsHowAStayEnded() {
        QFETCH(const std::vector<LockEvent>, events);
        QTEST(shown(events), "holds");
    }

    void saysOnlyWhatWasWatched_data() {
        QTest::addColumn<std::vector<LockEvent>>("events");
        QTest::addColumn<QString>("holds");
        const auto row = [](const char* name, const std::vector<LockEvent>& events, const char* holds) {
            QTest::newRow(name) << events << QString::fromLatin1(holds);
        };
        row("held before the first read", story().event(EventType::Found, 0s, {alice}).events(), "33 ?0- held");
        row("the beginning was dropped", story().event(EventType::Renewed, 10s, {alice}).events(), "33 ?10- held");
        row("of two at the first word one has come", story().event(EventType::Acquired, 10s, {alice, bob}).events(),
            "33 ?10- held, 7 10- held");
        row("a gap of this lock",
            story()
                .event(EventType::Acquired, 0s, {alice})
                .gap(20s, 10s, {alice})
                .ends(EventType::Released, 25s, alice)
                .events(),
            "33 0-10 not watched, 33 ?20-25 released");
        std::vector<LockEvent> restart = story().event(EventType::Acquired, 0s, {alice}).events();
        restart.push_back(notWatchedSince(start + 10s, start + 20s));
        row("a gap of all", restart, "33 0-10 not watched");
        restart.push_back(story().event(EventType::Renewed, 21s, {alice}).events().front());
        row("still there behind it", restart, "33 0-10 not watched, 33 ?21- held");
    }
    void saysOnlyWhatWasWatched() {
        QFETCH(const std::vector<LockEvent>, events);
        QTEST(shown(events), "holds");
    }

    void countsRenewalsAndKeepsTheLease() {
        const std::vector<LockEvent> events = story()
                                                  .event(EventType::Acquired, 0s, {alice}, 30s)
                                                  .event(EventType::Renewed, 10s, {alice}, 30s)
                                                  .event(EventType::Reentered, 15s, {holder(clientA, 33, 2)}, 30s)
                                                  .event(EventType::Renewed, 20s, {holder(clientA, 33, 2)}, 29s)
                                                  .events();
        const std::vector<PastHold> holds = holdStory(events, [](const PastHold&) { return true; });
        QCOMPARE(holds.size(), size_t{1});
        QCOMPARE(holds[0].renewals, 2U);
        QCOMPARE(holds[0].holder.count, 2);
        QCOMPARE(holds[0].lease, std::optional<Milliseconds>(30s));
    }

    // The lock of such a diagnosis may be forgotten: only its name is left.
    void aDiagnosisOfAClientSaysNothingAboutTheLock() {
        std::vector<LockEvent> events = story().event(EventType::Acquired, 0s, {alice}).events();
        LockEvent ended;
        ended.at = start + 5s;
        ended.type = EventType::Diagnosed;
        ended.diagnosis = Diagnosis{Certainty::Likely, ClientRenewsNothing{}};
        ended.phase = DiagnosisPhase::Ended;
        ended.lock.name = lockName("L");
        events.push_back(ended);
        QCOMPARE(shown(events), QStringLiteral("33 0- held"));
    }

    void keepsOnlyWhatIsWanted() {
        const std::vector<LockEvent> events =
            story().event(EventType::Acquired, 0s, {alice}).event(EventType::HandedOver, 5s, {bob}).events();
        const auto holds = holdStory(events, [](const PastHold& hold) { return hold.holder.id == bob.id; });
        QCOMPARE(holds.size(), size_t{1});
        QCOMPARE(holds[0].holder.id, bob.id);
    }
};

LOCKKEEPER_TEST(TestHoldStory, Guiless)

}  // namespace tst_holdstory

#include "tst_holdstory.moc"
