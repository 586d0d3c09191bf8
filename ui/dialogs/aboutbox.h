#pragma once

class QWidget;

namespace lockkeeper::ui {

// Opens the name, version and licence of the program; deleted when it is closed.
void openAboutBox(QWidget& parent);

}  // namespace lockkeeper::ui
