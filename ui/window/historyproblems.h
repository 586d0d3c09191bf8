// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper {
class Engine;
}

namespace lockkeeper::ui {

class MainWindow;

// From now on the window says when the history on disk cannot be used. Both outlive the other's signals.
void postHistoryProblems(const Engine& engine, MainWindow& window);

}  // namespace lockkeeper::ui
