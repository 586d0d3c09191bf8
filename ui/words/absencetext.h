// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::ui {

// Why the selected lock has no row in the table.
enum class Absence {
    None,    // it has one
    Hidden,  // known, but the filter leaves it out
    Released,
    Expired,
    Deleted,
    Forced,     // by this console
    Ended,      // free, and how its hold ended was not seen
    Forgotten,  // free for so long that the monitor dropped it
    Unlisted    // not seen since the connection began again
};

// For the details of the lock; empty for None.
[[nodiscard]] QString absenceText(Absence absence);
// Why an action on the selected lock is off; empty for None.
[[nodiscard]] QString absenceRefusal(Absence absence);

}  // namespace lockkeeper::ui
