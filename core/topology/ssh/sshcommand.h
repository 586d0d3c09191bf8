// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "topology/ssh/jumphost.h"

#include <QStringList>

namespace lockkeeper::topology {

// The program, as the user's PATH finds it.
[[nodiscard]] LOCKKEEPER_EXPORT QString sshProgram();

// Arguments of the process that logs in and lends its connection to others by the socket at controlPath. It reads the
// user's configuration; nothing here switches a check off.
[[nodiscard]] LOCKKEEPER_EXPORT QStringList sshMasterArguments(const JumpHost& jump, const QString& controlPath);

// Arguments of a process that connects its standard input and output to a server, over the master's connection alone.
[[nodiscard]] LOCKKEEPER_EXPORT QStringList sshConnectionArguments(const JumpHost& jump, const QString& controlPath,
                                                                   const redis::Endpoint& server);

// Arguments of a process that logs in to a session and leaves it at once, over the master's connection alone.
[[nodiscard]] LOCKKEEPER_EXPORT QStringList sshSessionArguments(const JumpHost& jump, const QString& controlPath);

// What ssh has written on its standard error, on one line: its own words without the frame of its warnings.
[[nodiscard]] LOCKKEEPER_EXPORT QString sshWords(const QByteArray& written);

}  // namespace lockkeeper::topology
