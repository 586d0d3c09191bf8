// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/catalogue.h"
#include "ui/lab/labrecording.h"
#include "ui/words/errortext.h"

#include <QString>

namespace lockkeeper::ui {

// What has just happened, as a sentence.
[[nodiscard]] QString captionOf(const lab::LabFrame& frame);
// "3.21 s", since the first step.
[[nodiscard]] QString labTimeText(Milliseconds at);
[[nodiscard]] QString familyText(lab::Family family);
// "Server 1", or "Sentinel"
[[nodiscard]] QString serverName(lab::ServerNumber server);
// "Server 1 · replica · frozen · cut off from Server 2, a"
[[nodiscard]] QString serverText(const ShownServer& server);
// "frozen", "cut off from all", "cut off from Server 2", "crashed" or "running"
[[nodiscard]] QString conditionText(const lab::LabActor& actor);
// "holds L 2 times · token 3 · thread 1": what matters most first, because a narrow pane cuts it short
[[nodiscard]] QString threadText(const lab::LabThread& thread);
// "1.2 s left, renewed"; empty: it does not know
[[nodiscard]] QString leaseText(const lab::LabThread& thread);
// The bytes as the server has them, but with the actors' names in place of the ids of their clients.
[[nodiscard]] QString namedText(const QByteArray& bytes, const std::vector<lab::LabActor>& actors);
// One command. The text of a script is left out.
[[nodiscard]] QString commandText(const lab::WireLine& line, const std::vector<lab::LabActor>& actors);
// Why an experiment has not come to its end.
[[nodiscard]] Message unfinishedMessage(const Error& failure);
// A paragraph of an experiment's Markdown as plain text: without marks, and on one line.
[[nodiscard]] QString plainParagraph(const QString& markdown);

}  // namespace lockkeeper::ui
