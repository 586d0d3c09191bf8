// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QWidget;

namespace lockkeeper::ui {

class SessionPage;

enum class PaneStep { Next, Previous };

// The table and the panels that are in sight, in reading order.
[[nodiscard]] QList<QWidget*> panesOf(SessionPage& page);
// Moves the keyboard to the pane after the one it is in, or to that before it. There it goes where it was last. Nothing
// happens without panes; one where nothing takes the keyboard is passed over.
void focusPane(const QList<QWidget*>& panes, PaneStep step);

}  // namespace lockkeeper::ui
