// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::ui {

class SessionPage;

enum class PaneStep { Next, Previous };

// Moves the keyboard to the table or a panel of the page that is in sight: that after the one it is in, as they are read,
// or that before it. There it goes where it was last.
void focusPane(SessionPage& page, PaneStep step);

}  // namespace lockkeeper::ui
