// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/events/lookup/lookupdialog.h"

#include <QObject>
#include <QPointer>

namespace lockkeeper::ui {

class EventLogModel;
class LockTableModel;

// Looks up what the user pastes: asks the disk for the past, and the table for the present.
class LookupController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. The window owns the dialog.
    LookupController(Engine& engine, const LockTableModel& locks, const EventLogModel& log, const ViewTime& time,
                     QWidget& window);

    // A new dialog begins with the text of the clipboard, if that names a client or a lock.
    void open();
    void setStatus(const ConnectionStatus& status);
    void setKnowledge(const HolderKnowledge& knowledge);

Q_SIGNALS:
    void lockChosen(const lockkeeper::LockName& name);

private:
    void makeDialog();
    void ask(const monitor::LookupSubject& subject);
    void explainText(const QString& text);
    void explainFile(const QString& path);
    void showErrors(quint64 search, const Result<monitor::ErrorReport>& report);
    void answer(OperationId operation, const history::HistoryExcerpt& excerpt);
    [[nodiscard]] monitor::LookupSources sources(const history::HistoryExcerpt& excerpt) const;
    void addSession(monitor::LookupSources& sources) const;
    [[nodiscard]] std::vector<monitor::LockRow> rowsAbout(const std::vector<monitor::LockEvent>& events) const;

    Engine& m_engine;
    const LockTableModel& m_locks;
    const EventLogModel& m_log;
    const ViewTime& m_time;
    QWidget& m_window;
    HolderKnowledge m_knowledge;
    QString m_server;              // the last one, also when it is disconnected
    profile::ProfileId m_profile;  // of that server
    std::optional<OperationId> m_reading;
    quint64 m_search = 0;  // the number of the last search for errors
    std::optional<monitor::LookupSubject> m_subject;
    QPointer<LookupDialog> m_dialog;
};

}  // namespace lockkeeper::ui
