#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QHash>

#include <optional>

namespace lockkeeper::monitor {

// Locks that are not watched, and of which messages are heard. Bounded: a flood of unknown names is left to the sweeps.
class LOCKKEEPER_MONITOR_EXPORT Strangers {
public:
    enum class Acquaintance { New, Old };

    // Counts a message. New: the first one, or the first one since it was dismissed a second ago; never when there are
    // too many strangers already.
    Acquaintance hear(const LockName& name, SteadyTime now);
    // It is no lock, or could not be read: a channel that is busy and no lock's must not be read at every message.
    void dismiss(const LockName& name, SteadyTime now);
    // Messages since it was first heard of.
    [[nodiscard]] int messages(const LockName& name) const { return m_strangers.value(name).messages; }
    // The same, and forgets it.
    int take(const LockName& name) { return m_strangers.take(name).messages; }
    void clear() { m_strangers.clear(); }

private:
    struct Stranger {
        int messages = 0;
        std::optional<SteadyTime> dismissedAt;
    };

    static bool isForgettable(const Stranger& stranger, SteadyTime now);

    QHash<LockName, Stranger> m_strangers;
};

}  // namespace lockkeeper::monitor
