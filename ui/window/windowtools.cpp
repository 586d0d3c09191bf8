#include "ui/window/windowtools.h"

#include "ui/export/exportdesk.h"
#include "ui/holders/holderdesk.h"
#include "ui/lookup/lookupdesk.h"
#include "ui/notice/busnotifier.h"
#include "ui/notice/noticedesk.h"
#include "ui/retention/retentiondesk.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/window/lockspage.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowdocks.h"

#include <QApplication>
#include <QMainWindow>

namespace lockkeeper::ui {

namespace {

NoticeWays usualWays() {
    return {std::make_unique<BusNotifier>(), &QApplication::beep};
}

}  // namespace

WindowTools::WindowTools(const ToolContext& context, QMainWindow& window)
    : QObject(&window),
      m_lookup(new LookupDesk(context.engine, context.locks, context.log, context.time, window)),
      m_export(new ExportDesk(context.page, context.docks.events(), context.docks.synchronizers(),
                              context.docks.timeline().timeline(), context.messages, context.settings, context.clock,
                              window)),
      m_retention(new RetentionDesk(context.engine, context.messages, context.settings, window)),
      m_notices(new NoticeDesk(usualWays(), context.locks, context.messages, context.settings, context.clock, window)) {
    connect(&context.engine, &Engine::connectionChanged, this, &WindowTools::setStatus);
    connect(&context.engine, &Engine::batchReady, m_notices, &NoticeDesk::apply);
    connect(m_lookup, &LookupDesk::lockChosen, &context.page, &LocksPage::reveal);
    connect(&context.holders, &HolderDesk::knowledgeChanged, this,
            [this, holders = &context.holders] { learn(*holders); });
    followActions(context);
    learn(context.holders);
}

void WindowTools::followActions(const ToolContext& context) {
    const WindowActions* actions = &context.actions;
    connect(actions, &WindowActions::lookupWanted, m_lookup, &LookupDesk::open);
    connect(actions, &WindowActions::locksExportWanted, m_export, &ExportDesk::exportLocks);
    connect(actions, &WindowActions::eventsExportWanted, m_export, &ExportDesk::exportEvents);
    connect(actions, &WindowActions::synchronizersExportWanted, m_export, &ExportDesk::exportSynchronizers);
    connect(actions, &WindowActions::timelineExportWanted, m_export, &ExportDesk::exportTimeline);
    connect(actions, &WindowActions::windowExportWanted, m_export, &ExportDesk::exportWindow);
    connect(actions, &WindowActions::retentionWanted, m_retention, &RetentionDesk::open);
    connect(actions, &WindowActions::noticesWanted, m_notices, &NoticeDesk::open);
}

void WindowTools::setStatus(const ConnectionStatus& status) {
    m_lookup->setStatus(status);
    m_export->setServer(status.server);
    m_retention->setServer(status.server);
    m_notices->setStatus(status);
}

void WindowTools::learn(const HolderDesk& holders) {
    m_lookup->setKnowledge(holders.knowledge());
    m_export->setAliases(holders.knowledge().aliases);
    m_notices->setAliases(holders.knowledge().aliases);
}

}  // namespace lockkeeper::ui

#include "moc_windowtools.cpp"
