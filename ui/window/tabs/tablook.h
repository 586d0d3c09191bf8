// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QTabWidget;

namespace lockkeeper::ui {

class SessionPage;

// The title of the window while the page is in front.
[[nodiscard]] QString titleOf(const SessionPage& page);
// Name, state and badge of the page on its tab.
void showTab(QTabWidget& tabs, int index, const SessionPage& page);

// The title of the window while the lab is in front.
[[nodiscard]] QString labTitle();
void showLabTab(QTabWidget& tabs, int index);
// Name and state of a recording of a lab on its tab.
void showLabReplayTab(QTabWidget& tabs, int index, const SessionPage& page);

}  // namespace lockkeeper::ui
