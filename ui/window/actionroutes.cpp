// SPDX-License-Identifier: Apache-2.0
#include "ui/window/actionroutes.h"

#include "ui/base/helptip.h"
#include "ui/help/manualcontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/session/sessiontools.h"
#include "ui/window/aboutbox.h"
#include "ui/window/mainwindow.h"
#include "ui/window/windowactions.h"

namespace lockkeeper::ui {

namespace {

// Connects signals of the actions to a part of the page that is in front when they are emitted.
template <typename Part>
auto routeTo(Part& (SessionPage::*part)() noexcept, WindowActions& actions, MainWindow& window) {
    return [part, &actions, &window](auto signal, void (Part::*slot)()) {
        QObject::connect(&actions, signal, &window,
                         [part, slot, &window] { ((window.currentPage().*part)().*slot)(); });
    };
}

void routeLockActions(WindowActions& actions, MainWindow& window) {
    const auto route = routeTo(&SessionPage::operations, actions, window);
    route(&WindowActions::armWanted, &PageOperations::openArm);
    route(&WindowActions::disarmWanted, &PageOperations::disarm);
    route(&WindowActions::rightsWanted, &PageOperations::openRights);
    route(&WindowActions::checkWanted, &PageOperations::openCheck);
    route(&WindowActions::acquireWanted, &PageOperations::openAcquire);
    route(&WindowActions::releaseWanted, &PageOperations::releaseCurrent);
    route(&WindowActions::forceReleaseWanted, &PageOperations::openForceRelease);
    route(&WindowActions::wakeWaitersWanted, &PageOperations::openForceRelease);
    QObject::connect(&actions, &WindowActions::copyNameWanted, &window,
                     [&window] { window.currentPage().locksPage().copyCurrentName(); });
    QObject::connect(&actions, &WindowActions::waitsWanted, &window, [&window] { window.currentPage().openWaits(); });
    QObject::connect(&actions, &WindowActions::filterWanted, &window,
                     [&window] { window.currentPage().locksPage().focusFilter(); });
}

void routeTools(WindowActions& actions, MainWindow& window) {
    const auto route = routeTo(&SessionPage::tools, actions, window);
    route(&WindowActions::lookupWanted, &SessionTools::openLookup);
    route(&WindowActions::threadDumpWanted, &SessionTools::openThreadDump);
    route(&WindowActions::locksExportWanted, &SessionTools::exportLocks);
    route(&WindowActions::eventsExportWanted, &SessionTools::exportEvents);
    route(&WindowActions::synchronizersExportWanted, &SessionTools::exportSynchronizers);
    route(&WindowActions::copyReportWanted, &SessionTools::copyReport);
    route(&WindowActions::reportExportWanted, &SessionTools::exportReport);
    route(&WindowActions::timelineExportWanted, &SessionTools::exportTimeline);
    route(&WindowActions::windowExportWanted, &SessionTools::exportWindow);
}

void routeHelp(WindowActions& actions, MainWindow& window) {
    QObject::connect(&actions, &WindowActions::manualWanted, new ManualController(window),
                     &ManualController::openForFocus);
    QObject::connect(&actions, &WindowActions::explainWanted, &window, [&window] { explainFocus(window); });
    QObject::connect(&actions, &WindowActions::aboutWanted, &window, [&window] { openAboutBox(window); });
}

}  // namespace

void routeActions(WindowActions& actions, MainWindow& window) {
    QObject::connect(&actions, &WindowActions::connectWanted, &window, &MainWindow::openConnectDialog);
    QObject::connect(&actions, &WindowActions::demoWanted, &window,
                     [&window] { window.connectToDemo(redis::AccessMode::ReadWrite); });
    QObject::connect(&actions, &WindowActions::labWanted, &window, &MainWindow::openLab);
    QObject::connect(&actions, &WindowActions::disconnectWanted, &window,
                     [&window] { window.currentPage().disconnectFromServer(); });
    QObject::connect(&actions, &WindowActions::newTabWanted, &window, &MainWindow::openStartPage);
    QObject::connect(&actions, &WindowActions::closePageWanted, &window,
                     [&window] { window.closePage(window.currentPage()); });
    QObject::connect(&actions, &WindowActions::discoveryWanted, &window, [&window](monitor::DiscoveryState state) {
        window.currentPage().link().request(SetDiscovery{state});
    });
    QObject::connect(&actions, &WindowActions::quitWanted, &window, &MainWindow::close);
    routeLockActions(actions, window);
    routeTools(actions, window);
    routeHelp(actions, window);
}

}  // namespace lockkeeper::ui
