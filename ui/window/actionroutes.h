// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::ui {

class MainWindow;
class WindowActions;

// Gives each request of the window's actions to the part that does it: the page in front, one of its tools, or the
// window.
void routeActions(WindowActions& actions, MainWindow& window);

}  // namespace lockkeeper::ui
