#pragma once

class QWidget;

namespace lockkeeper::ui {

// Shows the What's This text of the place where the keyboard focus is: the current cell of a table, else the nearest widget that
// explains itself. Does nothing when there is none.
void explainFocus(const QWidget& window);

}  // namespace lockkeeper::ui
