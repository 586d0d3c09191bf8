// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace lockkeeper::ui {

// Keeps a panel as high as its layout needs at its width, where buttons and texts take more lines. Needed in a main
// window, which asks only how high its docks and its middle are at their widest.
void keepHighEnough(QWidget& panel);

}  // namespace lockkeeper::ui
