// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"

#include <QString>

namespace lockkeeper::ui {

// What must have been seen before the diagnosis is given. What may be done is adviceText()'s.
[[nodiscard]] QString diagnosisHelp(monitor::DiagnosisKind kind);

}  // namespace lockkeeper::ui
