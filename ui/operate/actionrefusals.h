// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/absencetext.h"

#include <QString>

namespace lockkeeper::ui {

class ViewTime;

// What may be done at the moment; a refusal is the reason why not, in words, and empty when it may.
struct ActionRefusals {
    QString disconnect;
    QString arm;
    QString pauseDiscovery;
    QString acquire;
    QString release;
    QString forceRelease;
    QString wakeWaiters;
    QString copyName;
    QString report;
};

// Why nothing may be written now; empty when it may.
[[nodiscard]] QString writeRefusal(const ConnectionStatus& status, const Arming& arming, const ViewTime& time);
// Why nothing may be written to this lock now, for example because its node is not reached; empty when it may.
[[nodiscard]] QString writeRefusal(const ConnectionStatus& status, const Arming& arming, const ViewTime& time,
                                   const monitor::LockSnapshot& lock);
// Why the connection cannot be armed; empty when it can.
[[nodiscard]] QString armRefusal(const ConnectionStatus& status, const ViewTime& time);
// selected: null when no lock is selected, or when the selected one has no row; absence says why. ownership: of that
// lock. A report is about what was known of the lock, so it needs no row.
[[nodiscard]] ActionRefusals actionRefusals(const ConnectionStatus& status, const Arming& arming, const ViewTime& time,
                                            const monitor::LockRow* selected, Ownership ownership,
                                            Absence absence = Absence::None);

}  // namespace lockkeeper::ui
