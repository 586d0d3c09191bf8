// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

namespace lockkeeper::ui {

// "READ-ONLY", "ARMED" or "RELEASE ONLY"; empty while there is no connection.
[[nodiscard]] QString armingWord(const ConnectionStatus& status, const Arming& arming);
// armingWord() with the time that is left: "ARMED 9:41".
[[nodiscard]] QString armingBadgeText(const ConnectionStatus& status, const Arming& arming, SteadyTime now);
// What armingWord() means.
[[nodiscard]] QString armingToolTip(const ConnectionStatus& status, const Arming& arming);
// Why nothing may be written, and what to do; empty when something may.
[[nodiscard]] QString armingRefusal(const ConnectionStatus& status, const Arming& arming);
// That the arming is over, and why; empty if the user has ended it.
[[nodiscard]] QString armingEndText(const Arming& arming);
// What the server refuses to the user who writes, and what that costs: a line each, in the order of the alphabet.
[[nodiscard]] QStringList writingDenialTexts(const QList<control::WritingDenial>& denials);
// What the server has refused to the user who writes since the session was armed last, and what that costs, a line
// each; or that there is nothing, or that it is not known.
[[nodiscard]] QString writingRefusalsText(const Arming& arming);

}  // namespace lockkeeper::ui
