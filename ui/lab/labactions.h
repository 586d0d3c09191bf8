// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lab/session/labframe.h"

#include <functional>

class QMenu;

namespace lockkeeper::ui {

using LabAct = std::function<void(const lab::Step&)>;

// What a person can do to an actor: use the locks of the experiment, if it may now, and everything that can go wrong with it.
struct LabLocks {
    const std::vector<lab::LockPlan>& plans;
    bool mayBeUsed = false;
};
void fillActorMenu(QMenu& menu, const lab::LabActor& actor, const LabLocks& locks, const LabAct& act);
// The same for a server, and for the key if it is not empty.
void fillServerMenu(QMenu& menu, const lab::LabServer& server, const QByteArray& key, lab::ServersPlan::Form form,
                    const LabAct& act);

}  // namespace lockkeeper::ui
