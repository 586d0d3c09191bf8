// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/who/holderidentity.h"
#include "ui/words/holderaliases.h"
#include "ui/words/programnames.h"

namespace lockkeeper::ui {

// What is known of clients beyond their UUIDs, and of how they name locks. A value, for every view that shows holders.
struct HolderKnowledge {
    HolderAliases aliases;
    ProgramNames names;
    QHash<ClientId, monitor::HolderIdentity> identities;
    std::optional<ClientId> searching;  // the client that a MONITOR waits for now
    WallTime searchEnds{};              // at the latest
};

}  // namespace lockkeeper::ui
