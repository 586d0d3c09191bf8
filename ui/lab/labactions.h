// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lab/run/labframe.h"

#include <functional>

class QMenu;

namespace lockkeeper::ui {

using LabAct = std::function<void(const lab::Step&)>;

// What a person can do to an actor: use the locks of the experiment, if the actor may now, and cause everything that
// can go wrong with it. stretch: of the run, see lab::Variation; the times of these acts are stretched, too.
struct LabLocks {
    const std::vector<lab::LockPlan>& plans;
    bool mayBeUsed = false;
    int stretch = 1;
};
void fillActorMenu(QMenu& menu, const lab::LabActor& actor, const LabLocks& locks, const LabAct& act);
// What a person can do to one of the servers, or to the Sentinel; and to the key if it is not empty.
struct LabPlace {
    lab::ServerNumber server{};
    QByteArray key;
};
void fillServerMenu(QMenu& menu, const std::vector<lab::LabServer>& servers, const LabPlace& place,
                    lab::ServersPlan::Form form, const LabAct& act);

// The menu at an earlier moment, where nothing can be done: it says so, and leads to the latest moment.
void fillEarlierMenu(QMenu& menu, const std::function<void()>& goToLatest);

}  // namespace lockkeeper::ui
