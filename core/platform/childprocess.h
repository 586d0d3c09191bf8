// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

class QProcess;

namespace lockkeeper::platform {

// How the system ends a child process whose parent, this program, has ended without it, for example in a crash.
enum class OrphanEnd { Terminate, Kill };

// For a child that has not been started yet. The system links the child to the thread that starts it.
// Portable: does nothing; an orphan continues to run.
LOCKKEEPER_EXPORT void endWithParent(QProcess& child, OrphanEnd end);

// For a child that has not been started yet: as endWithParent(Kill), and the child becomes the leader of its own
// process group. Ctrl+C in the terminal does not reach it, and killGroup() also ends the processes that it has started.
// Portable: does nothing.
LOCKKEEPER_EXPORT void leadOwnGroup(QProcess& child);

// Ends a child of leadOwnGroup() at once, and the processes that it has started. Portable: the child alone.
LOCKKEEPER_EXPORT void killGroup(QProcess& child);

// Portable: asks the child to end, whatever the signal is.
LOCKKEEPER_EXPORT void sendSignal(QProcess& child, int signal);

}  // namespace lockkeeper::platform
