// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QHash>

#include <deque>
#include <optional>

namespace lockkeeper::monitor {

// Unknown names: locks that are not watched although messages about them come. The number is bounded; further unknown
// names are left to the sweeps.
class LOCKKEEPER_MONITOR_EXPORT UnknownNames {
public:
    enum class Report { First, Repeated };

    // Counts a message. Report::First: it is the first one, or the first one a second after dismiss(). Never First if
    // there are too many unknown names.
    Report count(const LockName& name, SteadyTime now);
    // The name is not a lock, or could not be read. A busy channel that belongs to no lock must not cause a read for
    // every message.
    void dismiss(const LockName& name, SteadyTime now);
    // Messages since the first one.
    [[nodiscard]] int messages(const LockName& name) const { return m_names.value(name).messages; }
    // Returns the number of messages and forgets the name.
    int take(const LockName& name);
    void clear();

    [[nodiscard]] qsizetype size() const { return m_names.size(); }

private:
    struct Name {
        int messages = 0;
        std::optional<SteadyTime> dismissedAt;
    };

    struct Dismissed {
        SteadyTime at{};
        LockName name;
    };

    void forgetDismissed(SteadyTime now);

    QHash<LockName, Name> m_names;
    std::deque<Dismissed> m_dismissed;  // in the order of time
    qsizetype m_weight = 0;             // weight of all names, see weightOf()
};

}  // namespace lockkeeper::monitor
