// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "monitor/model/lockrow.h"
#include "topology/shardid.h"

#include <map>
#include <set>

namespace lockkeeper::metrics {

// A diagnosis as it is counted.
struct DiagnosisKey {
    monitor::DiagnosisKind kind{};
    monitor::Certainty certainty{};

    friend auto operator<=>(const DiagnosisKey&, const DiagnosisKey&) = default;
};
[[nodiscard]] QList<DiagnosisKey> keysOf(const QList<monitor::Diagnosis>& diagnoses);

// What one lock adds to the sums: as small as possible, because there may be 200,000.
struct LockShare {
    topology::ShardId shard{};
    int group = 0;
    monitor::LockKind kind = monitor::LockKind::Unknown;
    bool isHeld = false;
    bool isLeftOut = false;  // see LockGroups::Place
    int waiters = 0;
    SteadyTime heldSince{};  // valid while held
    QList<DiagnosisKey> diagnoses;

    friend bool operator==(const LockShare&, const LockShare&) = default;
};

// The share of a lock as it is shown now.
[[nodiscard]] LockShare shareOf(const monitor::LockRow& row, int group, bool isLeftOut);

// Sums of the present state of locks in one group on one master. A value.
class PresentSums {
public:
    using States = std::map<std::pair<monitor::LockKind, bool>, qint64>;  // by the kind, and whether it is held

    void add(const LockShare& share) { change(share, 1); }
    void remove(const LockShare& share) { change(share, -1); }
    void add(const PresentSums& other);

    [[nodiscard]] const States& locks() const noexcept { return m_locks; }
    [[nodiscard]] qint64 waiters() const noexcept { return m_waiters; }
    [[nodiscard]] const std::map<DiagnosisKey, qint64>& diagnoses() const noexcept { return m_diagnoses; }
    // The begin of the oldest hold; nothing if no lock is held.
    [[nodiscard]] std::optional<SteadyTime> oldestHold() const;

private:
    void change(const LockShare& share, int by);

    States m_locks;
    qint64 m_waiters = 0;
    std::map<DiagnosisKey, qint64> m_diagnoses;
    std::multiset<SteadyTime> m_holds;
    std::optional<SteadyTime> m_oldestOfOthers;  // of sums that were added as a whole
};

}  // namespace lockkeeper::metrics
