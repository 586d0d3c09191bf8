#pragma once

class QWidget;

namespace lockkeeper::ui {

// Opens what the program says of itself; goes when it is closed.
void openAboutBox(QWidget& parent);

}  // namespace lockkeeper::ui
