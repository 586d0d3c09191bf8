// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "locks/hold.h"

namespace lockkeeper::ui {

// A clause; empty for None.
[[nodiscard]] QString causeText(const AnyCause& cause, const QStringList& arguments);
// What an error reply of the server means, as a clause.
[[nodiscard]] QString replyMeaning(const Error& error);
// The same and the server's words, with a full stop.
[[nodiscard]] QString replyText(const Error& error);
// The program's own reason, the system's words, or what an error reply means and the server's words.
[[nodiscard]] QString errorClause(const Error& error);
// The program's own reason, or the server's or system's words. Never empty.
[[nodiscard]] QString reasonText(const Error& error);
// What is wrong with a URL, and what would be right.
[[nodiscard]] QString urlErrorText(const Error& error);
// name: as shown to the user.
[[nodiscard]] QString lossText(const QString& name, locks::LossReason why);

}  // namespace lockkeeper::ui
