// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"
#include "monitor/model/lockevent.h"
#include "monitor/model/synchronizer.h"
#include "ui/words/locktext.h"

namespace lockkeeper::ui {

// What the words and columns on screen mean, for What's This and tool tips.

// What the state means, and what proves it.
[[nodiscard]] QString stateHelp(LockState state);

// What was seen when an event is called so (core/locks/protocol.md, "What the seen changes mean").
[[nodiscard]] QString eventHelp(monitor::EventType type);

// What must have been seen before the diagnosis is given. What may be done is adviceText()'s.
[[nodiscard]] QString diagnosisHelp(monitor::DiagnosisKind kind);

// What the key was found to be, for each state.
[[nodiscard]] QString counterHelp(monitor::CounterState state);
// What a client is, and from what it is known.
[[nodiscard]] QString clientsHelp();
// Which semaphores and latches are shown, and why not all.
[[nodiscard]] QString synchronizersHelp();

}  // namespace lockkeeper::ui
