// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lab/labids.h"

namespace lockkeeper::lab {

// The properties of an actor in a scenario.
struct ActorPlan {
    ActorName name;
    Milliseconds watchdogTimeout{30000};
    Milliseconds fairLockWaitTimeout{300000};
    int replicasToWaitFor = 0;

    ActorPlan(const char* actor, Milliseconds watchdog = Milliseconds(30000))
        : name(actor), watchdogTimeout(watchdog) {}
};

}  // namespace lockkeeper::lab
