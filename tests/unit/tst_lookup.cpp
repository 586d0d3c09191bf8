// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lookup/lookup.h"
#include "support/eventstory.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lookup {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const WallTime start(24h * 20'833);
const Holder caller = holder(clientA, 33);
const Holder neighbour = holder(clientA, 7);
const Holder stranger = holder(clientB, 7);

LookupSubject failure(std::optional<Milliseconds> after = std::nullopt) {
    return {caller.id, LookupOccasion::UnlockFailed, after ? std::optional(start + *after) : std::nullopt};
}

LockRow rowOf(const char* name, const QList<Holder>& holders) {
    LockRow row;
    row.lock.name = lockName(name);
    row.lock.holders = holders;
    row.lock.seenAtWall = start + 60s;
    row.hold.sinceWall = start + 1s;
    return row;
}

// The sources at one minute after the start.
LookupSources sources(std::vector<LockEvent> events, std::vector<LockRow> rows = {}) {
    std::stable_sort(events.begin(), events.end(), [](const LockEvent& a, const LockEvent& b) { return a.at < b.at; });
    return {std::move(events), start, std::move(rows), start + 60s};
}

std::vector<LockEvent> operator+(std::vector<LockEvent> a, const std::vector<LockEvent>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// A client that takes the lock, and releases or loses it in the end.
std::vector<LockEvent> stay(const char* lock, const Holder& by, Milliseconds from) {
    return EventStory(lock, start).event(EventType::Acquired, from, {by}).events();
}
std::vector<LockEvent> stay(const char* lock, const Holder& by, Milliseconds from, Milliseconds to, EventType how) {
    return EventStory(lock, start).event(EventType::Acquired, from, {by}).ends(how, to, by).events();
}

QString shown(const LookupReport& report) {
    QStringList all;
    for (const LookupDiagnosis& found : report.diagnoses)
        all << QStringLiteral("%1 of %2: %3")
                   .arg(wordFor(found.diagnosis.kind()), found.lock.display(), wordFor(found.diagnosis.certainty));
    return all.join(QStringLiteral(", "));
}

}  // namespace

// What is said about a failed unlock and, more often, what must not be said.
class TestLookup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void suspectsAnotherThreadOnlyWithEvidence_data() {
        QTest::addColumn<LookupSubject>("subject");
        QTest::addColumn<LookupSources>("sources");
        QTest::addColumn<QString>("found");
        const QString suspected = QStringLiteral("unlock_from_other_thread of L: suspected");
        const QString nothing;
        const auto row = [](const char* name, const LookupSubject& subject, const LookupSources& in,
                            const QString& found) { QTest::newRow(name) << subject << in << found; };
        const std::vector<LockEvent> held = stay("L", neighbour, 10s);
        const std::vector<LockEvent> over = stay("L", neighbour, 10s, 20s, EventType::Released);

        row("a neighbour holds it now", failure(), sources(held), suspected);
        row("and did when it failed", failure(30s), sources(held), suspected);
        row("and did then, and not any more", failure(15s), sources(over), suspected);
        row("from before the events, in the table", failure(), sources({}, {rowOf("L", {neighbour})}), suspected);
        row("the caller released another one correctly", failure(30s),
            sources(held + stay("M", caller, 1s, 2s, EventType::Released)), suspected);
        row("the caller lost one, and has had another since", failure(30s),
            sources(held + stay("M", caller, 1s, 2s, EventType::Expired) +
                    stay("N", caller, 3s, 4s, EventType::Released)),
            suspected);

        row("near miss: only mentioned", {caller.id, LookupOccasion::Mentioned, std::nullopt}, sources(held), nothing);
        row("near miss: another client", failure(), sources(stay("L", stranger, 10s)), nothing);
        row("near miss: released before", failure(30s), sources(over), nothing);
        row("near miss: released, time not known", failure(), sources(over), nothing);
        row("near miss: taken later", failure(5s), sources(held), nothing);
        row("near miss: the caller reads it too", failure(),
            sources(EventStory("L", start)
                        .event(EventType::Acquired, 9s, {caller})
                        .event(EventType::Acquired, 10s, {caller, neighbour})
                        .events()),
            nothing);
        row("near miss: the caller lost its own to a deletion", failure(30s),
            sources(held + stay("M", caller, 1s, 29s, EventType::Deleted)), nothing);
        row("near miss: before what is known", failure(-10s), sources(held), nothing);
        row("near miss: nobody watched then", failure(15s),
            sources(
                EventStory("L", start).event(EventType::Acquired, 10s, {neighbour}).gap(20s, 8s, {neighbour}).events()),
            nothing);
        row("near miss: in a future", failure(600s), sources(held), nothing);
        row("near miss: neighbours with many locks", failure(),
            sources(held + stay("M", neighbour, 1s) + stay("N", neighbour, 2s) + stay("O", neighbour, 3s)), nothing);
        row("near miss: the table says it is free", failure(), sources(held, {rowOf("L", {})}), nothing);
    }
    void suspectsAnotherThreadOnlyWithEvidence() {
        QFETCH(const LookupSubject, subject);
        QFETCH(const LookupSources, sources);
        QTEST(shown(lookUp(subject, sources)), "found");
    }

    void itsEvidenceNamesBothThreadsAndTheTimes() {
        const LookupReport report = lookUp(failure(15s), sources(stay("L", neighbour, 10s, 20s, EventType::Released)));
        const auto& evidence = std::get<UnlockFromOtherThread>(report.diagnoses.at(0).diagnosis.evidence);
        QCOMPARE(evidence, (UnlockFromOtherThread{caller.id, neighbour.id, start + 10s, start + 20s, start + 15s}));
        QCOMPARE(report.ofOthers.size(), size_t{1});
        QVERIFY(report.holds.empty());
    }

    void aLeaseThatRanOutExplainsIt_data() {
        QTest::addColumn<LookupSubject>("subject");
        QTest::addColumn<LookupSources>("sources");
        QTest::addColumn<QString>("found");
        const QString ranOut = QStringLiteral("lease_ran_out of M: likely");
        const QString nothing;
        const std::vector<LockEvent> expired = stay("M", caller, 1s, 31s, EventType::Expired);
        const auto row = [](const char* name, const LookupSubject& subject, const LookupSources& in,
                            const QString& found) { QTest::newRow(name) << subject << in << found; };
        row("just before", failure(33s), sources(expired), ranOut);
        row("and a neighbour holds one", failure(33s), sources(expired + stay("L", neighbour, 2s)), ranOut);
        row("time not known", failure(), sources(expired), QStringLiteral("lease_ran_out of M: suspected"));
        row("clocks differ a little", failure(30s), sources(expired), ranOut);
        row("near miss: later than that", failure(20s), sources(expired), nothing);
        row("near miss: renewed, so it is no fixed lease", failure(45s),
            sources(EventStory("M", start)
                        .event(EventType::Acquired, 1s, {caller})
                        .event(EventType::Renewed, 11s, {caller})
                        .ends(EventType::Expired, 41s, caller)
                        .events()),
            nothing);
        row("near miss: since when it held it is not known", failure(33s),
            sources(EventStory("M", start)
                        .event(EventType::Found, 1s, {caller})
                        .ends(EventType::Expired, 31s, caller)
                        .events()),
            nothing);
        row("near miss: of another thread", failure(33s), sources(stay("M", neighbour, 1s, 31s, EventType::Expired)),
            nothing);
        row("near miss: no failure", {caller.id, LookupOccasion::Mentioned, std::nullopt}, sources(expired), nothing);
    }
    void aLeaseThatRanOutExplainsIt() {
        QFETCH(const LookupSubject, subject);
        QFETCH(const LookupSources, sources);
        QTEST(shown(lookUp(subject, sources)), "found");
    }

    void aHolderIsShownWithItsOwnStaysNewestFirst() {
        const LookupReport report = lookUp(
            {caller.id, LookupOccasion::Mentioned, std::nullopt},
            sources(stay("M", caller, 1s, 2s, EventType::Released) + stay("L", caller, 3s) + stay("N", neighbour, 4s) +
                    stay("O", neighbour, 5s, 6s, EventType::Released) + stay("P", stranger, 7s)));
        QCOMPARE(report.holds.size(), size_t{2});
        QCOMPARE(report.holds[0].lock, lockName("L"));
        QCOMPARE(report.holds[1].end, HoldEnd::Released);
        QCOMPARE(report.ofOthers.size(), size_t{1});
        QCOMPARE(report.ofOthers[0].lock, lockName("N"));
    }

    void aClientIsShownWithAllItsThreadsAndALockWithAllItsHolders() {
        const LookupSources in = sources(stay("L", caller, 1s) + stay("M", neighbour, 2s) +
                                         stay("L", stranger, 3s, 4s, EventType::Released));
        QCOMPARE(lookUp({ClientId(clientA), LookupOccasion::Mentioned, std::nullopt}, in).holds.size(), size_t{2});
        const LookupReport lock = lookUp({lockName("L"), LookupOccasion::Mentioned, std::nullopt}, in);
        QVERIFY(lock.ofOthers.empty());
        QVERIFY(std::ranges::all_of(lock.holds, [](const PastHold& hold) { return hold.lock == lockName("L"); }));
    }

    void theTableIsNewerThanTheEvents() {
        const LookupReport report =
            lookUp(failure(), sources(stay("L", caller, 1s), {rowOf("L", {stranger}), rowOf("M", {caller})}));
        QCOMPARE(report.holds.size(), size_t{2});
        for (const PastHold& hold : report.holds)
            QCOMPARE(hold.end, hold.lock == lockName("L") ? HoldEnd::Gone : HoldEnd::StillHeld);
    }

    void saysWhatWasNotWatched() {
        std::vector<LockEvent> events =
            EventStory("L", start).event(EventType::Acquired, 1s, {caller}).gap(20s, 5s, {caller}).events() +
            EventStory("M", start).gap(21s, 5s, {}).events();
        events.push_back(notWatchedSince(start + 40s, start + 50s));
        const LookupReport report = lookUp(failure(45s), sources(events));
        QCOMPARE(report.gaps, (std::vector<UnwatchedTime>{{start + 40s, start + 50s}, {start + 15s, start + 21s}}));
        QVERIFY(!report.isTimeKnown);
        QCOMPARE(report.knownFrom, std::optional(start));
        QVERIFY(lookUp(failure(30s), sources(events)).isTimeKnown);
        QVERIFY(!lookUp(failure(30s), LookupSources{}).isTimeKnown);
    }

    void isBounded() {
        EventStory story("L", start);
        for (int i = 0; i < 1500; ++i)
            story.event(EventType::Acquired, 10ms * i, {caller}).ends(EventType::Released, 10ms * i + 5ms, caller);
        const LookupReport report = lookUp(failure(), sources(story.events()));
        QCOMPARE(report.holds.size(), mostHoldsInReport);
        QCOMPARE(report.holdsLeftOut, size_t{500});
        QCOMPARE(report.holds.front().from, start + 10ms * 1499);
    }
};

LOCKKEEPER_TEST(TestLookup, Guiless)

}  // namespace tst_lookup

#include "tst_lookup.moc"
