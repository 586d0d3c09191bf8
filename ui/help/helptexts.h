// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/events/eventlogmodel.h"
#include "ui/nodes/nodemodel.h"
#include "ui/synchronizers/synchronizermodel.h"
#include "ui/table/locktablemodel.h"

namespace lockkeeper::ui {

// What the words and columns on screen mean, for What's This and tool tips.

// What a column of the table of locks shows, and the facts behind it (core/locks/protocol.md).
[[nodiscard]] QString columnHelp(LockTableModel::Column column);
// What the state means, and what proves it.
[[nodiscard]] QString stateHelp(LockState state);

// What a column of the event log shows.
[[nodiscard]] QString columnHelp(EventLogModel::Column column);
// What was seen when an event is called so (core/locks/protocol.md, "What the seen changes mean").
[[nodiscard]] QString eventHelp(monitor::EventType type);

// What must have been seen before the diagnosis is given. What may be done is adviceText()'s.
[[nodiscard]] QString diagnosisHelp(monitor::DiagnosisKind kind);

// What a column of the semaphores and latches shows, and the facts behind it (core/locks/protocol.md).
[[nodiscard]] QString columnHelp(SynchronizerModel::Column column);
// What the key was found to be, for each state.
[[nodiscard]] QString counterHelp(monitor::CounterState state);
// Which semaphores and latches are shown, and why not all.
[[nodiscard]] QString synchronizersHelp();

// What a column of the nodes of a Cluster shows.
[[nodiscard]] QString columnHelp(NodeModel::Column column);
[[nodiscard]] QString nodesHelp();

}  // namespace lockkeeper::ui
