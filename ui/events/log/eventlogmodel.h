// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"
#include "ui/events/audit/auditentry.h"
#include "ui/events/log/loggedevent.h"
#include "ui/words/holderaliases.h"
#include "ui/words/programnames.h"
#include "ui/words/viewtime.h"

#include <QAbstractTableModel>

#include <QSet>

#include <deque>
#include <memory>
#include <vector>

namespace lockkeeper::ui {

class ClientColors;

// The last events, newest first. Beyond the capacity the oldest are dropped. The ends of discovery sweeps are shown in
// the status bar only. Thread: the GUI's.
class EventLogModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Event, Lock, HolderColumn, Detail, ColumnCount };
    enum Role { FilterRole = Qt::UserRole };  // any column: the texts of the event, a line each
    enum class Flow { Running, Paused };

    static constexpr size_t defaultCapacity = 10000;

    // time: outlives the model.
    explicit EventLogModel(const ViewTime& time, size_t capacity = defaultCapacity, QObject* parent = nullptr);

    // Oldest first. While paused they are held back, at most as many as the capacity.
    void append(const std::vector<monitor::LockEvent>& events);
    void setFlow(Flow flow);
    // Shown instead of UUIDs; the tool tip has the id itself.
    void setAliases(const HolderAliases& aliases);
    void setNames(const ProgramNames& names);
    [[nodiscard]] const HolderAliases& aliases() const noexcept { return m_aliases; }
    // Mark the event's client; outlive the model.
    void setClientColors(const ClientColors& colors) { m_colors = &colors; }
    // To be called after a change of language: texts are made when they are asked for.
    void retranslate();
    // Forgets what is shown and what is held back.
    void clear();
    // As clear(), for another server or its whole history. Changes of earlier times may be added again by
    // addChanges().
    void startOver();
    // entries: what operators of this machine have changed in the last 24 hours, as the audit has it, the newest
    // first. A force that is in the log already gets the operator and the reason of the entry nearest in time. For
    // any other change an event is added. Does nothing while paused.
    void addChanges(const std::vector<AuditEntry>& entries);

    [[nodiscard]] Flow flow() const noexcept { return m_flow; }
    // Events that came while paused, including those dropped since.
    [[nodiscard]] quint64 heldBack() const noexcept { return m_heldBackCount; }
    [[nodiscard]] const LoggedEvent& eventAt(int row) const { return m_events[static_cast<size_t>(row)]; }
    // The newest events of the lock, at most so many, oldest first.
    [[nodiscard]] std::vector<LoggedEvent> eventsOf(const LockName& name, size_t most) const;
    // The newest event about the lock that happened then; nothing when there is none.
    [[nodiscard]] std::optional<int> find(const LockName& name, WallTime at) const;
    // Why find() does not find such an event: a sentence.
    [[nodiscard]] QString whyNotFound(const LockName& name, WallTime at) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void heldBackChanged();
    // An operator's quarantine has made this hand-over, so it is no longer suspect.
    void handOverExplained(const lockkeeper::monitor::LockEvent& event);
    // An event of an operator that only the audit knows was added.
    void changeAdded(const lockkeeper::monitor::LockEvent& event);

private:
    [[nodiscard]] bool nameOperator(const std::shared_ptr<const AuditEntry>& entry);
    void explainHandOver(const std::shared_ptr<const AuditEntry>& entry);
    [[nodiscard]] monitor::LockEvent explained(monitor::LockEvent event);
    void insertChange(const std::shared_ptr<const AuditEntry>& entry);
    void show(std::vector<monitor::LockEvent> newestFirst);
    void holdBack(std::vector<monitor::LockEvent> newestFirst);
    [[nodiscard]] QVariant decoration(const LoggedEvent& event, Column column) const;
    [[nodiscard]] QString display(const LoggedEvent& event, Column column) const;
    [[nodiscard]] static QString title(Column column);
    [[nodiscard]] QString toolTip(const LoggedEvent& event, Column column) const;

    const ViewTime& m_time;
    size_t m_capacity;
    Flow m_flow = Flow::Running;
    HolderAliases m_aliases;
    ProgramNames m_names;
    const ClientColors* m_colors = nullptr;
    std::deque<LoggedEvent> m_events;           // newest first
    std::deque<monitor::LockEvent> m_heldBack;  // newest first
    quint64 m_heldBackCount = 0;
    QSet<QString> m_changes;  // ids of actions that are in the log, or were
    WallTime m_cleared{};
};

// What a column of the event log shows.
[[nodiscard]] QString columnHelp(EventLogModel::Column column);

}  // namespace lockkeeper::ui
