// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "locks/hold.h"

// The stable English words of a moment. Sentences for people are in ui.
namespace lockkeeper::lab {

// The actor that acts, or that a fault hits; empty: the laboratory.
[[nodiscard]] QByteArray actorOf(const Step& step);
// The subject of a moment of this action: a lock, a name, a command; often empty.
[[nodiscard]] QByteArray subjectOf(const Action& action);
[[nodiscard]] QByteArray wordOf(const Action& action);
// The values of the answer, and of the step: "server", its number, and "time" of a pause in milliseconds. For an error:
// "error", its text, "error-reply", the word of its ReplyKind, and "fault", the word of a fault that was not possible.
[[nodiscard]] Facts factsOf(const Action& action, const Answer& answer);
[[nodiscard]] Answer answerOf(const Fault& applied);
[[nodiscard]] QByteArray wordOf(locks::LossReason why);

}  // namespace lockkeeper::lab
