// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "locks/synchronizers/permitsemaphore.h"

#include <QStringList>

namespace lockkeeper::app {

// What `lockkeeper semaphore` or `lockkeeper latch` is to do.
struct SynchronizerRequest {
    enum class Of { Semaphore, Latch };
    // Run: holds permits while a command runs.
    enum class Action { Run, Permits, Set, Add, Remove, Acquire, Release, Drain, Wait, CountDown, Count, Delete };
    // Expirable: permits with ids and leases.
    enum class Permits { Plain, Expirable };

    Of of = Of::Semaphore;
    Action action = Action::Run;
    Permits permits = Permits::Plain;
    qint64 number = 1;
    locks::PermitId permit;  // Release of an expirable one

    // words: what stands behind the name. Errors: InvalidArgument with a sentence for stderr.
    [[nodiscard]] static Result<SynchronizerRequest> parse(Of of, Permits permits, const QStringList& words);
    // Whether it holds permits while a command runs.
    [[nodiscard]] bool runsCommand() const { return action == Action::Run; }
    [[nodiscard]] bool isExpirable() const { return permits == Permits::Expirable; }
};

}  // namespace lockkeeper::app
