// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "monitor/analyse/lookup/lookup.h"
#include "ui/words/holderaliases.h"

namespace lockkeeper::ui {

// What a look-up could not reach, besides the times when nothing was watched.
struct LookupLimits {
    bool isLive = true;      // false: the connection is lost, and what is shown is old
    bool isComplete = true;  // false: the disk holds more than is read
    bool isKept = true;      // false: the events of this session are in this window only
    // Whose node is not reached, and when it last answered.
    QHash<LockName, WallTime> oldLocks = {};
    bool textCut = false;        // of the pasted text only the beginning was read
    std::optional<Error> error;  // why the disk could not be read
};

// "Thread 33 of client 8f14e45f-...", "Client orders-a", "Lock orders/{42}"; with "unlock failed" where it did.
[[nodiscard]] QString subjectText(const monitor::LookupSubject& subject, const HolderAliases& aliases, WallTime now);
[[nodiscard]] QString holdEndText(monitor::HoldEnd end);
// What is known of the subject, in a sentence or two.
[[nodiscard]] QString lookupHeadline(const monitor::LookupReport& report, const LookupLimits& limits);
// Since when the subject is known, and what is not known.
[[nodiscard]] QString lookupLimitsText(const monitor::LookupReport& report, const LookupLimits& limits);

}  // namespace lockkeeper::ui
