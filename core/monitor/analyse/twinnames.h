// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/knownlocks.h"

#include <QHash>

#include <optional>

namespace lockkeeper::monitor {

// Known locks of which one has the name of another with the prefix of that name once more: "app:app:orders" beside
// "app:orders". Such a prefix ends with a separator. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT TwinNames {
public:
    struct Twin {
        LockName other;
        QByteArray prefix;
    };

    // known: all locks; outlives it.
    explicit TwinNames(const KnownLocks& known) : m_known(known) {}

    // Call it when the lock is known.
    void note(const LockName& name);
    void forget(const LockName& name);
    // Nothing for most locks.
    [[nodiscard]] std::optional<Twin> of(const LockName& name) const;

private:
    void join(const LockName& shorter, const LockName& longer, const QByteArray& prefix);

    const KnownLocks& m_known;
    QHash<LockName, Twin> m_twins;
};

}  // namespace lockkeeper::monitor
