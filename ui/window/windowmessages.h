// SPDX-License-Identifier: Apache-2.0
#pragma once

class QSettings;

namespace lockkeeper {
class Engine;
}

namespace lockkeeper::ui {

class MainWindow;

// Reports once which settings were not plausible, those that an earlier run has found included. See storedvalues.h.
void postDroppedSettings(QSettings& settings, MainWindow& window);

// From now on the window says when the history on disk cannot be used. Both outlive the other's signals.
void postHistoryProblems(const Engine& engine, MainWindow& window);

}  // namespace lockkeeper::ui
