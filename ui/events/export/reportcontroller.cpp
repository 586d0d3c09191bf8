// SPDX-License-Identifier: Apache-2.0
#include "ui/events/export/reportcontroller.h"

#include "ui/base/messagebar.h"
#include "ui/events/audit/auditwatch.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/words/locktext.h"
#include "ui/words/utctext.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

namespace lockkeeper::ui {

ReportController::ReportController(const Sources& sources, MessageBar& messages, QObject* parent)
    : QObject(parent), m_sources(sources), m_messages(messages) {}

std::optional<Incident> ReportController::incident() const {
    const monitor::LockRow* row = m_sources.page.selection().row();
    if (!row)
        return std::nullopt;
    const ViewTime& time = m_sources.time.of(row->lock);
    Incident incident;
    incident.lock = *row;
    if (const monitor::LockRow* held = m_sources.page.selection().lastHeld())
        incident.lastHeld = *held;
    incident.events = m_sources.log.eventsOf(row->lock.name, Incident::mostEvents);
    incident.knowledge = m_sources.holders.knowledge();
    incident.actions = m_sources.audit.linesOf(row->lock.name, incident.knowledge.aliases, utcText);
    incident.server = m_server;
    incident.label = m_sources.label;
    incident.at = time.wallMoment();
    incident.moment = time.moment();
    incident.isLive = time.isLive();
    return incident;
}

void ReportController::copy() {
    const std::optional<Incident> found = incident();
    if (!found)
        return;
    auto* content = new QMimeData;  // the clipboard takes it
    const QString report = incidentReport(*found);
    content->setText(report);
    content->setData(QStringLiteral("text/markdown"), report.toUtf8());
    if (const QImage timeline = m_sources.timeline.picture(ClockZone::Utc); !timeline.isNull())
        content->setImageData(timeline);
    QGuiApplication::clipboard()->setMimeData(content);
    m_messages.post([name = plainName(found->lock.lock.name, shortName)] {
        return Message{Tone::Good, tr("The incident report of %1 was copied, as Markdown.").arg(name)};
    });
}

}  // namespace lockkeeper::ui

#include "moc_reportcontroller.cpp"
