// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/synchronizer.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool mayBeBeyondTheBound(const LockName& name, const SynchronizerReading& reading) {
    return reading.isCutOff() && (reading.seen.empty() || name > reading.seen.back().name);
}

}  // namespace

QList<Diagnosis> Synchronizer::allDiagnoses() const {
    QList<Diagnosis> all = diagnoses;
    if (deaf)
        all.prepend(Diagnosis{Certainty::Suspected, *deaf});
    return all;
}

bool isSameState(const Synchronizer& one, const Synchronizer& other) {
    Synchronizer atTheSameTime = one;
    atTheSameTime.seenAt = other.seenAt;
    atTheSameTime.seenAtWall = other.seenAtWall;
    return atTheSameTime == other;
}

SynchronizerReading together(const QList<SynchronizerReading>& readings) {
    using Sight = SynchronizerReading::Sight;
    SynchronizerReading all;
    const bool isSeen = std::ranges::any_of(readings, [](const auto& each) { return each.sight == Sight::Clear; });
    all.sight = isSeen ? Sight::Clear : Sight::Refused;
    for (const SynchronizerReading& each : readings) {
        all.seen.insert(all.seen.end(), each.seen.begin(), each.seen.end());
        all.inAll += each.inAll;
    }
    std::ranges::sort(all.seen, {}, &Synchronizer::name);
    if (all.seen.size() > static_cast<size_t>(SynchronizerReading::mostSeen))
        all.seen.resize(static_cast<size_t>(SynchronizerReading::mostSeen));
    return all;
}

std::vector<SynchronizerChange> changesBetween(const SynchronizerReading& before, const SynchronizerReading& after) {
    std::vector<SynchronizerChange> changes;
    const auto end = [&](Synchronizer gone) {
        if (mayBeBeyondTheBound(gone.name, after))
            return;
        // What was refused to be seen may still have its waiters.
        if (after.sight == SynchronizerReading::Sight::Clear)
            gone.clients = 0;
        gone.diagnoses.clear();
        changes.push_back({SynchronizerPhase::Ended, std::move(gone)});
    };
    auto old = before.seen.begin();
    for (const Synchronizer& now : after.seen) {
        for (; old != before.seen.end() && old->name < now.name; ++old)
            end(*old);
        const bool known = old != before.seen.end() && old->name == now.name;
        if (!known)
            changes.push_back({SynchronizerPhase::Begun, now});
        else if (!isSameState(*old, now))
            changes.push_back({SynchronizerPhase::Changed, now});
        if (known)
            ++old;
    }
    for (; old != before.seen.end(); ++old)
        end(*old);
    return changes;
}

QString wordFor(SynchronizerKind kind) {
    switch (kind) {
        case SynchronizerKind::Semaphore:
            return QStringLiteral("semaphore");
        case SynchronizerKind::CountDownLatch:
            return QStringLiteral("count_down_latch");
        case SynchronizerKind::Unknown:
            return QStringLiteral("unknown");
    }
    return {};
}

QString wordFor(CounterState state) {
    switch (state) {
        case CounterState::Read:
            return {};
        case CounterState::Missing:
            return QStringLiteral("missing");
        case CounterState::NoCounter:
            return QStringLiteral("no_counter");
        case CounterState::NotReadable:
            return QStringLiteral("not_readable");
    }
    return {};
}

QString countField(SynchronizerKind kind) {
    switch (kind) {
        case SynchronizerKind::Semaphore:
            return QStringLiteral("free_permits");
        case SynchronizerKind::CountDownLatch:
            return QStringLiteral("count");
        case SynchronizerKind::Unknown:
            return QStringLiteral("value");
    }
    return {};
}

}  // namespace lockkeeper::monitor
