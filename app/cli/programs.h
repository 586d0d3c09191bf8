// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

// `lockkeeper` starts with few libraries, because `lock` often runs for a moment only. It does itself what needs no
// more than liblockkeeper-core, and becomes another program for the rest:
// - lockkeeper-tools: all other commands, and those with a saved connection or a file of Redisson
// - lockkeeper-gui: the window, a package of its own
// - lockkeeper-guard: not this process but a child, see platform::GuardedCommand
namespace lockkeeper::app {

enum class Program { Itself, Tools, Gui };

// The program for this command line. Arguments that cannot be parsed are refused by `lockkeeper` itself.
[[nodiscard]] Program programFor(const QStringList& arguments);

// Make this process the other program. Return only if that fails: the exit code, after a message.
[[nodiscard]] int becomeTools(char* argv[]);
[[nodiscard]] int becomeGui(char* argv[]);

// The path of the guard.
[[nodiscard]] QString guardProgram();

}  // namespace lockkeeper::app
