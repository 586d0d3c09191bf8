// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper {
class ReplayEngine;
}

namespace lockkeeper::ui {

class SessionPage;
class SessionTab;
class SessionTabs;

// For a recording whose page was just added. When it is open, the page takes the place of the tab that was in front
// before, if nothing was ever connected there. If it cannot be opened, the page is closed, and that tab says why.
void followOpening(ReplayEngine& recording, SessionPage& page, SessionTab& before, SessionTabs& tabs);

}  // namespace lockkeeper::ui
