// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "monitor/model/monitorbatch.h"
#include "ui/words/locktext.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::ui {

// The locks that this console holds, and since when: a read may show such a hold for the first time after it began.
class OwnHolds {
public:
    struct Moment {
        SteadyTime steady{};
        WallTime wall{};
    };

    // The present ones; what is new began at this moment. Returns the names that are own now and were not, or the
    // reverse.
    QSet<LockName> set(const QList<control::OwnLock>& locks, const Moment& now);
    [[nodiscard]] bool contains(const LockName& name) const { return m_holds.contains(name); }
    [[nodiscard]] OwnLease lease(const LockName& name) const { return m_holds.value(name).lease; }
    // The row, with the begin of a hold that no read has seen to begin and that this console alone has. Not of a
    // reader's: others may have read before it.
    [[nodiscard]] monitor::SharedRow completed(const monitor::SharedRow& row) const;

private:
    struct OwnHold {
        HolderId holder;
        Moment since;
        OwnLease lease = OwnLease::None;
    };

    QHash<LockName, OwnHold> m_holds;
};

}  // namespace lockkeeper::ui
