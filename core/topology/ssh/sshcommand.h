// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "topology/ssh/jumphost.h"

#include <QStringList>

namespace lockkeeper::topology {

// The name of the ssh program, which is found by the user's PATH.
[[nodiscard]] LOCKKEEPER_EXPORT QString sshProgram();

// Arguments of the master process. It logs in and shares its connection with other processes by the socket at
// controlPath. It reads the user's configuration; no argument switches a check off.
[[nodiscard]] LOCKKEEPER_EXPORT QStringList sshMasterArguments(const JumpHost& jump, const QString& controlPath);

// Arguments of a process that connects its standard input and output to a server. It uses only the master's connection.
[[nodiscard]] LOCKKEEPER_EXPORT QStringList sshConnectionArguments(const JumpHost& jump, const QString& controlPath,
                                                                   const redis::Endpoint& server);

// Arguments of a process that opens a session and ends it at once. It uses only the master's connection.
[[nodiscard]] LOCKKEEPER_EXPORT QStringList sshSessionArguments(const JumpHost& jump, const QString& controlPath);

// What ssh has written to its standard error, on one line, without the frame of its warnings.
[[nodiscard]] LOCKKEEPER_EXPORT QString sshWords(const QByteArray& written);

}  // namespace lockkeeper::topology
