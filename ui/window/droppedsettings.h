// SPDX-License-Identifier: Apache-2.0
#pragma once

class QSettings;

namespace lockkeeper::ui {

class MainWindow;

// Reports once which settings were not plausible, those that an earlier run has found included. See storedvalues.h.
void postDroppedSettings(QSettings& settings, MainWindow& window);

}  // namespace lockkeeper::ui
