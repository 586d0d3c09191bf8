// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "lockkeeper_export.h"
#include "redis/connectionoptions.h"

#include <QObject>

namespace lockkeeper::topology {

// Knows which server of a deployment is the master. The signal comes from the event loop, so a slot may delete this
// object; a subclass must not emit it inside a task. Thread: the clock's.
class LOCKKEEPER_EXPORT MasterSource : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Asks who the master is now; an earlier answer is never used. Completes within a bounded time.
    [[nodiscard]] virtual Completion<redis::Endpoint> find() = 0;
    // A connection to this server has ended, for any reason: the server may no longer be a master, or may be gone.
    virtual void doubt(const redis::Endpoint& master) { Q_UNUSED(master) }

Q_SIGNALS:
    // This server is the master now. The first master is reported, too. Connections to an earlier master should end.
    void masterChanged(const lockkeeper::redis::Endpoint& master);
};

}  // namespace lockkeeper::topology
