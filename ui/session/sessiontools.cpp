// SPDX-License-Identifier: Apache-2.0
#include "ui/session/sessiontools.h"

#include "ui/base/messagebar.h"
#include "ui/base/retranslating.h"
#include "ui/connections/pageconnection.h"
#include "ui/events/audit/auditwatch.h"
#include "ui/events/export/exportcontroller.h"
#include "ui/events/export/reportcontroller.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/events/lookup/lookupcontroller.h"
#include "ui/events/threads/fetchdumpcontroller.h"
#include "ui/events/threads/threaddumpcontroller.h"
#include "ui/locks/details/detailpanel.h"
#include "ui/locks/filter/filtermenu.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessiondocks.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/words/timetext.h"

#include <QMainWindow>

namespace lockkeeper::ui {

SessionTools::SessionTools(const ToolContext& context, QMainWindow& page)
    : QObject(&page),
      m_locks(context.locks),
      m_holders(context.holders),
      m_clock(context.clock),
      m_window(page),
      m_log(context.log),
      m_page(context.page),
      m_docks(context.docks),
      m_audit(new AuditWatch(context.link.engine(), context.clock, this)),
      m_lookup(new LookupController(context.link.engine(), context.locks, context.log, context.time, page)),
      m_threadDump(new ThreadDumpController(context.link.engine().files(), context.locks, context.clock, page)),
      m_fetchDump(new FetchDumpController(context.link, context.clock, page)),
      m_connection(context.connection),
      m_export(new ExportController(context.link.engine().files(), context.page, context.docks.events(),
                                    context.docks.synchronizers(), context.messages, context.settings, context.clock,
                                    page)),
      m_report(new ReportController(
          {context.page, context.log, context.time, context.holders, context.label, context.docks.timeline(), *m_audit},
          context.messages, &page)) {
    addSavedFilters(context);
    context.link.onReport<ConnectionStatus>(this, &SessionTools::setStatus);
    connect(m_lookup, &LookupController::lockChosen, &context.page, &LocksPage::reveal);
    connect(m_threadDump, &ThreadDumpController::lockChosen, &context.page, &LocksPage::reveal);
    connect(m_threadDump, &ThreadDumpController::dumpsKept, this,
            [&link = context.link](const std::vector<monitor::SharedDump>& dumps) { link.request(KeepDumps{dumps}); });
    connect(m_fetchDump, &FetchDumpController::dumpsTaken, m_threadDump, &ThreadDumpController::readTaken);
    connect(m_fetchDump, &FetchDumpController::fileWanted, m_threadDump, &ThreadDumpController::open);
    connect(&context.holders, &HolderController::knowledgeChanged, this, &SessionTools::learn);
    learn();
    followAudit(context.link);
}

// ---- the audit of this lock ----

// Connected after the page, which has then already taken a history into the log.
void SessionTools::followAudit(SessionLink& link) {
    link.onReport<HistoryLoaded>(this, [this](const HistoryLoaded&) { showAudit(); });
    connect(&m_log, &EventLogModel::heldBackChanged, this, &SessionTools::showAudit);
    connect(m_audit, &AuditWatch::changed, this, &SessionTools::showAudit);
    connect(&m_log, &EventLogModel::changeAdded, this,
            [this](const monitor::LockEvent& change) { m_docks.timeline().addChange(change); });
    connect(&m_log, &EventLogModel::handOverExplained, this,
            [this](const monitor::LockEvent& handOver) { m_docks.timeline().explain(handOver); });
    connect(&m_page.selection(), &LockSelection::changed, this, &SessionTools::showAuditOfLock);
    keepTranslated(m_window, [this] { showAuditOfLock(); });
}

void SessionTools::setAuditFolder(const QString& folder) {
    m_audit->setFolder(folder);
}

void SessionTools::showAudit() {
    m_log.addChanges(m_audit->entries());
    showAuditOfLock();
}

void SessionTools::showAuditOfLock() {
    const std::optional<LockName> lock = m_page.selection().name();
    const auto clock = [now = m_clock.wallNow()](WallTime at) { return clockText(at, now); };
    m_docks.details().setOperatorActions(lock ? m_audit->linesOf(*lock, m_holders.knowledge().aliases, clock)
                                              : QStringList());
}

// ---- tools ----

void SessionTools::addSavedFilters(const ToolContext& context) {
    auto* filters = new FilterMenu(context.settings, &context.page);
    context.page.addFilterTool(*filters);
    connect(filters, &FilterMenu::filterChosen, &context.page, &LocksPage::showOnly);
    connect(&context.page, &LocksPage::filterTyped, filters, &FilterMenu::setTyped);
    connect(filters, &FilterMenu::saveRefused, this, [messages = &context.messages] {
        messages->post([] {
            return Message{Tone::Warning, tr("The filter was not saved: it is too long, or there are 50 already.")};
        });
    });
}

void SessionTools::openLookup() {
    m_lookup->open();
}

void SessionTools::openThreadDump() {
    m_threadDump->open();
}

void SessionTools::getThreadDump(const ClientId& client) {
    const HolderKnowledge& knowledge = m_holders.knowledge();
    FetchSubject subject;
    subject.client = client;
    subject.name = knowledge.aliases.fullDisplay(client);
    const auto known = knowledge.identities.constFind(client);
    // Anything else is a guess, and a guess is no address to log in to.
    if (known != knowledge.identities.cend() && known->basis == monitor::IdentityBasis::Monitor)
        subject.place = QString::fromLatin1(known->address);
    subject.settings = m_connection.profile().withoutSecrets().dumps;
    subject.server = m_isDemo ? FetchSubject::Server::Demo : FetchSubject::Server::Real;
    m_fetchDump->open(subject);
}

void SessionTools::resetArrangement() {
    m_docks.arrangeAsAtFirst();
    m_page.table().columns().reset();
}

void SessionTools::unpinLanes() {
    m_docks.timeline().timeline().setPinned({});
}

void SessionTools::setTimelineOptions(const TimelineOptions& options) {
    m_docks.timeline().timeline().setOptions(options);
}

void SessionTools::exportLocks() {
    m_export->exportLocks();
}

void SessionTools::exportEvents() {
    m_export->exportEvents();
}

void SessionTools::exportSynchronizers() {
    m_export->exportSynchronizers();
}

void SessionTools::exportTimeline() {
    m_export->exportTimeline(m_docks.timeline().picture(clockZone()));
}

void SessionTools::exportWindow() {
    m_export->exportWindow();
}

void SessionTools::copyReport() {
    m_report->copy();
}

void SessionTools::exportReport() {
    if (const std::optional<Incident> incident = m_report->incident())
        m_export->exportReport(*incident, m_docks.timeline().picture(ClockZone::Utc));
}

void SessionTools::setStatus(const ConnectionStatus& status) {
    m_lookup->setStatus(status);
    m_isDemo = status.isDemo;
    m_export->setServer(status.server);
    m_report->setServer(status.server);
    m_audit->setServer(status.isDemo || status.isRecording ? QString() : status.server);
}

void SessionTools::learn() {
    const HolderKnowledge& knowledge = m_holders.knowledge();
    m_lookup->setKnowledge(knowledge);
    m_threadDump->setAliases(knowledge.aliases);
    m_export->setAliases(knowledge.aliases);
    showAuditOfLock();
}

}  // namespace lockkeeper::ui

#include "moc_sessiontools.cpp"
