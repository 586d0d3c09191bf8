// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "locks/hold.h"

// The stable English words of what a moment says. Sentences for people are in ui.
namespace lockkeeper::lab {

// Who acts, or whom a fault hits; empty: the laboratory.
[[nodiscard]] QByteArray actorOf(const Step& step);
// What a moment of this action is about: a lock, a name, a command; often empty.
[[nodiscard]] QByteArray subjectOf(const Action& action);
[[nodiscard]] QByteArray wordOf(const Action& action);
// Of the answer, and of the step: "server", its number, and "time" of a pause in milliseconds. Of an error: "error", its
// text, "error-reply", the word of its ReplyKind, and "fault", the word of the fault that could not be made.
[[nodiscard]] Facts factsOf(const Action& action, const Answer& answer);
[[nodiscard]] Answer answerOf(const Fault& applied);
[[nodiscard]] QByteArray wordOf(locks::LossReason why);

}  // namespace lockkeeper::lab
