// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lab/session/labframe.h"

#include <functional>

class QMenu;

namespace lockkeeper::ui {

using LabAct = std::function<void(const lab::Step&)>;

// What a person can do to an actor: use the locks of the experiment, if it may now, and everything that can go wrong with it.
// stretch: of the run, see lab::Variation; so many times as long is what a person does, too.
struct LabLocks {
    const std::vector<lab::LockPlan>& plans;
    bool mayBeUsed = false;
    int stretch = 1;
};
void fillActorMenu(QMenu& menu, const lab::LabActor& actor, const LabLocks& locks, const LabAct& act);
// The same for one of the servers, or the Sentinel, and for the key if it is not empty.
struct LabPlace {
    lab::ServerNumber server{};
    QByteArray key;
};
void fillServerMenu(QMenu& menu, const std::vector<lab::LabServer>& servers, const LabPlace& place, lab::ServersPlan::Form form,
                    const LabAct& act);

// At an earlier moment nothing can be done: that, and the way to the latest one.
void fillEarlierMenu(QMenu& menu, const std::function<void()>& goToLatest);

}  // namespace lockkeeper::ui
