// SPDX-License-Identifier: Apache-2.0
#include "ui/window/recordingopening.h"

#include "engine/replayengine.h"
#include "ui/base/messagebar.h"
#include "ui/session/sessionpage.h"
#include "ui/window/tabs/sessiontabs.h"
#include "ui/words/recordingtext.h"

#include <QPointer>

namespace lockkeeper::ui {

namespace {

bool isUnused(SessionTab& tab) {
    return tab.isFree() && tab.page().server().isEmpty();
}

}  // namespace

void followOpening(ReplayEngine& recording, SessionPage& page, SessionTab& before, SessionTabs& tabs) {
    const QPointer<SessionTab> earlier(&before);  // it may be closed meanwhile
    QObject::connect(&recording, &ReplayEngine::loaded, &page, [earlier, &tabs] {
        if (earlier && isUnused(*earlier))
            Q_EMIT tabs.closeWanted(earlier->page());
    });
    const auto refuse = [earlier, &tabs, &page, path = recording.path()](const recording::OpenProblem& problem) {
        const auto report = [earlier, &tabs, path, problem] {
            SessionTab& shown = tabs.indexOf(earlier) < 0 ? tabs.currentTab() : *earlier;
            shown.messages().post([path, problem] { return Message{Tone::Danger, openProblemText(path, problem)}; });
        };
        if (&tabs.currentPage() == &page && tabs.indexOf(earlier) >= 0)
            tabs.setCurrentWidget(earlier);
        // Queued: the page's tab is gone by then.
        QObject::connect(&page, &SessionPage::closed, &tabs, report, Qt::QueuedConnection);
        Q_EMIT tabs.closeWanted(page);
    };
    QObject::connect(&recording, &ReplayEngine::loadFailed, &page, refuse);
}

}  // namespace lockkeeper::ui
