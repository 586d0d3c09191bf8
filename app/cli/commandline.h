// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>

namespace lockkeeper::app {

// The context of all texts that the commands print for people. Words of the command line itself, JSON, and what is
// written into files are no texts: they stay as they are in each language.
struct CommandLine {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

}  // namespace lockkeeper::app
