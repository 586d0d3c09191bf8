// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/readaudit.h"
#include "ui/words/holderaliases.h"
#include "ui/words/tone.h"

#include <QString>

namespace lockkeeper::ui {

// "force-release", "set TTL to 30 s", "lost".
[[nodiscard]] QString actionText(const control::AuditRecord& record, const HolderAliases& aliases = {});
[[nodiscard]] QString outcomeText(control::AuditOutcome outcome);
// Empty for a loss: nobody asked for it.
[[nodiscard]] QString outcomeText(const control::AuditRecord& record, control::AuditOutcome outcome);
[[nodiscard]] Tone outcomeTone(control::AuditOutcome outcome);
// "ann@bastion"
[[nodiscard]] QString operatorText(const control::AuditRecord& record);
// What the chain of all lines proves.
[[nodiscard]] QString chainText(const control::AuditReading& reading);
[[nodiscard]] Tone chainTone(const control::AuditReading& reading);

}  // namespace lockkeeper::ui
