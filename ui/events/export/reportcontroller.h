// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/events/export/incidentreport.h"

#include <QObject>

#include <optional>

namespace lockkeeper::ui {

class AuditWatch;
class EventLogModel;
class HolderController;
class LocksPage;
class MessageBar;
class TimelinePanel;

// Gathers what is known of the selected lock, and copies it as a report.
class ReportController final : public QObject {
    Q_OBJECT
public:
    struct Sources {
        LocksPage& page;
        const EventLogModel& log;
        const ViewTime& time;
        const HolderController& holders;
        const profile::ProfileLabel& label;
        TimelinePanel& timeline;
        const AuditWatch& audit;
    };

    // All outlive the controller.
    ReportController(const Sources& sources, MessageBar& messages, QObject* parent);

    void setServer(const QString& server) { m_server = server; }
    // Markdown on the clipboard; a program that takes pictures finds that of the timeline there, too.
    void copy();
    // Nothing when no lock is selected.
    [[nodiscard]] std::optional<Incident> incident() const;

private:
    Sources m_sources;
    MessageBar& m_messages;
    QString m_server;
};

}  // namespace lockkeeper::ui
