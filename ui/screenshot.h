// SPDX-License-Identifier: Apache-2.0
#pragma once

class QString;
class QWidget;

namespace lockkeeper::ui {

// Writes what the window shows at this moment, at the screen's own resolution, as a PNG. False when the file cannot be
// written.
[[nodiscard]] bool saveScreenshot(QWidget& window, const QString& path);

}  // namespace lockkeeper::ui
