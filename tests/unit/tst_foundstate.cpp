// SPDX-License-Identifier: Apache-2.0
#include "control/foundstate.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_foundstate {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

using After = std::optional<LockSnapshot>;

LockChange changeOf(ChangeKind kind) {
    LockChange change;
    change.kind = kind;
    if (kind == ChangeKind::ReleaseReader)
        change.reader = reader(alice);
    if (kind == ChangeKind::ReleaseHolder || kind == ChangeKind::QuarantineHolder)
        change.holder = alice;
    if (kind == ChangeKind::RemoveWaiter)
        change.waiter = FairWaiter{alice, std::nullopt};
    if (isQuarantine(kind))
        change.newHolder = carol;
    return change;
}

LockSnapshot queued(const QList<HolderId>& waiters) {
    LockSnapshot lock = test::free(0ms, LockKind::Fair);
    for (const HolderId& waiter : waiters)
        lock.fairQueue += FairWaiter{waiter, std::nullopt};
    return lock;
}

// A faster multi lock with these values.
LockSnapshot values(const QList<HeldValue>& held) {
    LockSnapshot lock = snapshot(0ms, LockKind::FasterMulti, {}, std::nullopt);
    LockParts parts;
    parts.values = held;
    for (const HeldValue& value : held)
        lock.holders += exclusive(value.owner, value.count);
    lock.parts = std::make_shared<const LockParts>(parts);
    return lock;
}

}  // namespace

// What a lock shows when it is read again because the answer to a change was lost.
class TestFoundState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatTheLockShows_data() {
        QTest::addColumn<ChangeKind>("kind");
        QTest::addColumn<LockSnapshot>("confirmed");
        QTest::addColumn<After>("after");
        QTest::addColumn<Found>("found");
        const auto row = [](const char* name, ChangeKind kind, const LockSnapshot& confirmed, const After& after,
                            Found found) { QTest::newRow(name) << kind << confirmed << after << found; };
        using enum ChangeKind;
        const LockSnapshot byAlice = held(0ms, alice, 1, std::nullopt);
        const LockSnapshot readers = readWrite(0ms, {reader(alice), reader(bob)});
        row("not readable", ReleaseLock, byAlice, std::nullopt, Found::Unknown);
        row("released", ReleaseLock, byAlice, test::free(1s), Found::Done);
        row("not released", ReleaseLock, byAlice, held(1s, alice), Found::NotDone);
        row("another holder", ReleaseLock, byAlice, held(1s, bob), Found::Other);
        row("another count", ReleaseLock, byAlice, held(1s, alice, 2), Found::Other);
        row("a reader released", ReleaseReader, readers, readWrite(1s, {reader(bob)}), Found::Done);
        row("a reader stays", ReleaseReader, readers, readWrite(1s, {reader(alice)}), Found::NotDone);
        row("a reader has more", ReleaseReader, readers, readWrite(1s, {reader(alice, 2)}), Found::Other);
        const HeldValue x{"x", alice, 1, WallTime(1s)};
        const HeldValue y{"y", bob, 1, WallTime(1s)};
        row("a holder released", ReleaseHolder, values({x, y}), values({y}), Found::Done);
        row("a holder stays", ReleaseHolder, values({x, y}), values({x}), Found::NotDone);
        row("a holder has renewed", ReleaseHolder, values({x}), values({HeldValue{"x", alice, 1, WallTime(9s)}}),
            Found::NotDone);
        row("a holder has another value", ReleaseHolder, values({x}), values({HeldValue{"z", alice, 1, WallTime(1s)}}),
            Found::Other);
        row("a holder has it twice", ReleaseHolder, values({x}), values({HeldValue{"x", alice, 2, WallTime(1s)}}),
            Found::Other);
        row("a waiter removed", RemoveWaiter, queued({alice, bob}), queued({bob}), Found::Done);
        row("a waiter stays", RemoveWaiter, queued({alice, bob}), queued({alice, bob}), Found::NotDone);
        row("woken", WakeWaiters, test::free(0ms), test::free(1s), Found::Unknown);
        row("an expiry set", SetExpiry, byAlice, held(1s, alice, 1, 60s), Found::Done);
        row("no expiry", SetExpiry, byAlice, byAlice, Found::NotDone);
        row("an expiry of another", SetExpiry, byAlice, held(1s, bob, 1, 60s), Found::Other);
        row("in quarantine", Quarantine, byAlice, held(1s, carol), Found::Done);
        row("not in quarantine", Quarantine, byAlice, byAlice, Found::NotDone);
        const HeldValue twice{"w", alice, 2, WallTime(1s)};
        const auto taken = [](const char* value, qint64 count) { return HeldValue{value, carol, count, WallTime(9s)}; };
        row("values in quarantine", QuarantineHolder, values({x, y, twice}), values({taken("x", 1), y, taken("w", 1)}),
            Found::Done);
        row("values not in quarantine", QuarantineHolder, values({x, y}), values({x}), Found::NotDone);
        row("one value in quarantine", QuarantineHolder, values({x, y, twice}), values({taken("x", 1), twice}),
            Found::Other);
        row("values with another count", QuarantineHolder, values({x}), values({taken("x", 2)}), Found::Other);
        row("values free instead", QuarantineHolder, values({x}), values({y}), Found::Other);
        row("free instead", Quarantine, byAlice, test::free(1s), Found::Other);
    }
    void saysWhatTheLockShows() {
        QFETCH(ChangeKind, kind);
        QFETCH(LockSnapshot, confirmed);
        QFETCH(After, after);
        ForceReleaseRequest request;
        request.confirmed = confirmed;
        request.change = changeOf(kind);
        QTEST(foundAfter(request, after), "found");
    }
};

LOCKKEEPER_TEST(TestFoundState, Guiless)

}  // namespace tst_foundstate

#include "tst_foundstate.moc"
