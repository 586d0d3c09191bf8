// SPDX-License-Identifier: Apache-2.0
#include "ui/screenshot.h"

#include <QPixmap>
#include <QWidget>

namespace lockkeeper::ui {

bool saveScreenshot(QWidget& window, const QString& path) {
    return window.grab().save(path, "PNG");
}

}  // namespace lockkeeper::ui
