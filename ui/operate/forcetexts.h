// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "control/operations.h"
#include "monitor/model/lockrow.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/locktext.h"
#include "ui/words/viewtime.h"

#include <QString>

namespace lockkeeper::ui {

// What would happen to this lock if nobody did anything; one sentence.
[[nodiscard]] QString waitingAdvice(const monitor::LockRow& row, const ViewTime& time);
// The steps to try before a change by force, in their order.
[[nodiscard]] QString ladderText(const monitor::LockRow& row, const ViewTime& time, Ownership ownership);

// Whether the dead waiters of the lock's queue are removed together with the change.
enum class DeadWaiters { Stay, Removed };

// What an operator reads of a lock before it is changed, in lines: its holders, since when, its TTL, its last renewal,
// and whom the change wakes.
[[nodiscard]] QString forceFacts(const monitor::LockRow& row, const control::LockChange& change,
                                 const ViewTime& viewTime, const HolderKnowledge& knowledge,
                                 DeadWaiters dead = DeadWaiters::Stay);

// What a user types to confirm which lock is meant.
struct NameProof {
    QString expected;
    // Of six characters, to be shown beside the field: the name cannot be typed, or has over 64 bytes.
    bool isCode = false;
};

// The code depends on each byte of the name, and is the same each time.
[[nodiscard]] NameProof nameProof(const LockName& name);

}  // namespace lockkeeper::ui
