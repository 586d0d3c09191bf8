// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayList>

#include <optional>
#include <vector>

namespace lockkeeper::lab {

// One reply of a server to a command of a script.
struct Reply {
    enum class Kind { Missing, Integer, Text, Status, List, Error };

    Kind kind = Kind::Missing;
    qint64 integer = 0;
    QByteArrayList texts;
};

// For each path that a script of the locks may choose by the reply, at least one reply that leads to it. Nothing for
// other commands, and for commands that answer a list.
// command: in upper case. texts: the texts to which the script may compare a reply.
[[nodiscard]] std::optional<std::vector<Reply>> possibleReplies(const QByteArray& command, const QByteArrayList& texts);
// Whether the server may refuse the command only after MONITOR has shown it, because the key has another type.
[[nodiscard]] bool mayFailWhenShown(const QByteArray& command);

}  // namespace lockkeeper::lab
