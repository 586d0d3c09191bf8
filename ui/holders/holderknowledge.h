#pragma once

#include "monitor/analyse/who/holderidentity.h"
#include "ui/words/holderaliases.h"

namespace lockkeeper::ui {

// What is known of clients beyond their UUIDs. A value, handed to whoever shows holders.
struct HolderKnowledge {
    HolderAliases aliases;
    QHash<ClientId, monitor::HolderIdentity> identities;
    std::optional<ClientId> searching;  // whom a MONITOR listens for now
    WallTime searchEnds{};              // at the latest
};

}  // namespace lockkeeper::ui
