// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <optional>

namespace lockkeeper::monitor {

// Ids, keys and commands of locks in text that people paste. A terminal wraps a line anywhere, and some programs indent
// the rest, so each of these may be wrapped.

// "node id: UUID thread-id: N", with the UUID and the thread as groups 1 and 2.
[[nodiscard]] const QRegularExpression& failedUnlockPattern();
// "UUID:THREAD", with both as groups 1 and 2.
[[nodiscard]] const QRegularExpression& holderPattern();
// A UUID alone, as group 1.
[[nodiscard]] const QRegularExpression& clientPattern();

// A client's id without the blanks of a wrap.
[[nodiscard]] QByteArray unwrappedId(QString uuid);
// The holder in groups 1 and 2 of a match; nothing if the number is none of a thread.
[[nodiscard]] std::optional<HolderId> holderIn(const QRegularExpressionMatch& match);

// A channel or helper key of a lock.
struct LockKeyInText {
    LockName lock;
    qsizetype end = 0;
    bool isClosed = false;  // by the braces around the name, so it is whole
};
// All of them, in the order of the text; also the channels of Redisson 2. A name ends at its closing brace, or with the
// word, without the punctuation behind it.
[[nodiscard]] QList<LockKeyInText> lockKeysIn(const QString& text);
// The lock of a text that is one channel or helper key; nothing for other texts.
[[nodiscard]] std::optional<LockName> lockOfKey(const QString& key);

// A command with its parameters, as Redisson's errors print them: "command: (EVAL), params: [script, 1, name, ...]".
struct CommandInText {
    QString command;  // upper case
    QString script;   // as far as it is printed
    QStringList keys;
    // The lock's name, if its channel or queue follows it in the list: then it is certain where the name ends.
    std::optional<LockName> confirmedLock;
    QStringList arguments;  // behind the keys; without keys: all parameters. Without a last one that may be cut
    bool isWhole = false;   // the closing bracket is there
    // What follows the keys is what a lock's script has there, so no name with a comma was taken for two.
    bool areKeysSure = false;
};
[[nodiscard]] QList<CommandInText> commandsIn(const QString& text);

}  // namespace lockkeeper::monitor
