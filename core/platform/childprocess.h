// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QProcess>

#include <memory>

namespace lockkeeper::platform {

// For a child that has not been started yet: the system kills it when this program has ended without it, for example in
// a crash. The child is linked to the thread that starts it.
// Portable: does nothing; an orphan continues to run.
LOCKKEEPER_EXPORT void endWithParent(QProcess& child);

// For a child that has not been started yet: as endWithParent(), and the child becomes the leader of its own
// process group. Ctrl+C in the terminal does not reach it, and killGroup() also ends the processes that it has started.
// Portable: does nothing.
LOCKKEEPER_EXPORT void leadOwnGroup(QProcess& child);

// For a child that has not been started yet and that may ask the user at the terminal: as endWithParent(), and
// Ctrl+C or the end of the terminal, which reach it, too, do not end it. Portable: does nothing.
LOCKKEEPER_EXPORT void stayAtTerminal(QProcess& child);

// Starts a child whose program and arguments are set, as leadOwnGroup() does, with one end of a socket as its standard
// input and output. Returns the descriptor of the other end, which the caller owns; -1 with the reason if there is
// none. Portable: always -1.
[[nodiscard]] LOCKKEEPER_EXPORT qintptr startOnSocket(QProcess& child, QString& whyNot);

// Ends a child of leadOwnGroup() at once, and the processes that it has started. Portable: the child alone.
LOCKKEEPER_EXPORT void killGroup(QProcess& child);

// Stops a child of leadOwnGroup() and the processes that it has started, by SIGSTOP, and continues them. Returns false
// if that is not possible. Portable: always false.
[[nodiscard]] LOCKKEEPER_EXPORT bool freezeGroup(const QProcess& child);
[[nodiscard]] LOCKKEEPER_EXPORT bool resumeGroup(const QProcess& child);

// Starts a process that removes this folder, if there is one, with all that is in it as soon as the program has ended in
// any way, also by SIGKILL. So call it before the folder is made, and kill the process after it is removed. A signal of
// the terminal does not end it. Portable: null; the folder stays after a crash.
[[nodiscard]] LOCKKEEPER_EXPORT std::unique_ptr<QProcess> removeFolderAtEnd(const QString& folder);

}  // namespace lockkeeper::platform
