// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::app {

// The program as ssh starts it to ask its user: `lockkeeper QUESTION`, with the window's process named in the
// environment.
[[nodiscard]] bool isAskpass(int argc);
// Lets the window ask, and prints the answer for ssh. Exit code 1: there is no answer.
[[nodiscard]] int runAskpass(int argc, char* argv[]);

}  // namespace lockkeeper::app
