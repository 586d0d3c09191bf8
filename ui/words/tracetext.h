// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/monitortrace/tracenotes.h"

#include <QStringList>

namespace lockkeeper::ui {

// What a text of MONITOR or redis-cli does not show, in clauses without a full stop, the most important first.
[[nodiscard]] QStringList traceNotes(const recording::TraceNotes& notes);

// The same in sentences.
[[nodiscard]] QString traceNotesText(const recording::TraceNotes& notes);

}  // namespace lockkeeper::ui
