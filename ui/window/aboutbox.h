// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace lockkeeper::ui {

// What a report of a fault should name: the versions of the program, of Qt and of the system.
[[nodiscard]] QString versionsText();
// Opens the name, version and licence of the program; deleted when it is closed.
void openAboutBox(QWidget& parent);

}  // namespace lockkeeper::ui
