#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QHash>

#include <optional>

namespace lockkeeper::monitor {

// Unknown names: locks that are not watched although messages about them come. Bounded: further unknown names are left
// to the sweeps.
class LOCKKEEPER_MONITOR_EXPORT Strangers {
public:
    enum class Acquaintance { New, Old };

    // Counts a message. New: the first one, or the first one a second after dismiss(); never if there are too many
    // unknown names.
    Acquaintance hear(const LockName& name, SteadyTime now);
    // The name is no lock, or could not be read: a busy channel that belongs to no lock must not cause a read for every
    // message.
    void dismiss(const LockName& name, SteadyTime now);
    // Messages since the first one.
    [[nodiscard]] int messages(const LockName& name) const { return m_strangers.value(name).messages; }
    // Returns the number of messages and forgets the name.
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
