// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QProcess>

#include <memory>

namespace lockkeeper::platform {

// Call it before the child is started. The system kills the child when this program has ended without it, for example
// in a crash. The child is bound to the thread that starts it.
// Portable: does nothing; an orphan continues to run.
LOCKKEEPER_EXPORT void endWithParent(QProcess& child);

// Call it before the child is started. As endWithParent(), and the child becomes the leader of its own process group.
// Ctrl+C in the terminal does not reach it, and killGroup() also ends the processes that it has started.
// Portable: does nothing.
LOCKKEEPER_EXPORT void leadOwnGroup(QProcess& child);

// Call it before the child is started, if it may ask the user at the terminal. As endWithParent(); Ctrl+C and the end
// of the terminal reach the child but do not end it. Portable: does nothing.
LOCKKEEPER_EXPORT void stayAtTerminal(QProcess& child);

// Starts a child whose program and arguments are set, as leadOwnGroup() does, with one end of a socket as its standard
// input and output. Returns the descriptor of the other end, which the caller owns; -1 with the reason if there is
// none. Portable: always -1.
[[nodiscard]] LOCKKEEPER_EXPORT qintptr startOnSocket(QProcess& child, QString& whyNot);

// Ends a child of leadOwnGroup() at once, and the processes that it has started. Portable: the child alone.
LOCKKEEPER_EXPORT void killGroup(QProcess& child);

// Stops a child of leadOwnGroup() and the processes that it has started, by SIGSTOP, or continues them. Returns false
// if this is not possible. Portable: always false.
[[nodiscard]] LOCKKEEPER_EXPORT bool freezeGroup(const QProcess& child);
[[nodiscard]] LOCKKEEPER_EXPORT bool resumeGroup(const QProcess& child);

// Starts a process that removes this folder with its content, if the folder exists, as soon as the program has ended in
// any way, also by SIGKILL. Call it before the folder is made, and kill the process after the folder is removed. A
// signal of the terminal does not end the process. Portable: null; the folder stays after a crash.
[[nodiscard]] LOCKKEEPER_EXPORT std::unique_ptr<QProcess> removeFolderAtEnd(const QString& folder);

}  // namespace lockkeeper::platform
