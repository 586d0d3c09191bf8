#pragma once

class QWidget;

namespace lockkeeper::ui {

// Shows the What's This text of the place where the keyboard focus is: of the current cell of a table, else of the
// nearest widget that has one. Does nothing when there is none.
void explainFocus(const QWidget& window);

}  // namespace lockkeeper::ui
