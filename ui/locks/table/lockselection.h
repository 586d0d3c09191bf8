// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/monitorbatch.h"
#include "ui/words/absencetext.h"

#include <QObject>

#include <optional>

namespace lockkeeper::ui {

class LockFilterModel;
class LockTableModel;

// The selected lock of one table, kept by its name: rows come, go and move, and the selection never becomes another
// lock by itself. Keeps what was known last of a lock that has no row any more, and why it has none.
class LockSelection final : public QObject {
    Q_OBJECT
public:
    // Both outlive the selection.
    LockSelection(const LockTableModel& locks, const LockFilterModel& shown, QObject* parent = nullptr);

    [[nodiscard]] const std::optional<LockName>& name() const noexcept { return m_name; }
    void select(const LockName& name);
    void clear();

    // The selected lock as of the last refresh: as it is, or as it was known last; null when nothing is selected.
    [[nodiscard]] const monitor::LockRow* row() const noexcept { return m_name ? &m_row : nullptr; }
    // row(), while the lock has a row in the table: what an action may be about.
    [[nodiscard]] const monitor::LockRow* actionRow() const noexcept { return m_isShown ? row() : nullptr; }
    // What was known last of its hold, when that has ended while it was selected; null otherwise.
    [[nodiscard]] const monitor::LockRow* lastHeld() const noexcept { return m_lastHeld ? &*m_lastHeld : nullptr; }
    [[nodiscard]] Absence absence() const noexcept { return m_absence; }
    // The lock has no row, and would have one without the filter.
    [[nodiscard]] bool canBeShown() const noexcept { return m_isListed && !m_isShown; }

    // To be called after the models have taken the batch. Cost: the number of its events.
    void follow(const monitor::MonitorBatch& batch);
    // To be called after anything else that may have changed what is in the table. O(1).
    void refresh();

Q_SIGNALS:
    // Another lock is selected, or none.
    void changed();

private:
    void note(const monitor::LockEvent& event);
    void keepLastHeld(const monitor::LockRow* now);
    [[nodiscard]] Absence findAbsence(const monitor::LockRow* now);
    [[nodiscard]] Absence endOfHold() const;

    const LockTableModel& m_locks;
    const LockFilterModel& m_shown;
    std::optional<LockName> m_name;
    monitor::LockRow m_row;
    std::optional<monitor::LockRow> m_lastHeld;
    std::optional<monitor::EventType> m_end;  // how its last hold ended, if that was seen while it was selected
    bool m_hasEnded = false;                  // its hold has ended, and it had no row in the table since
    bool m_isUnlisted = false;                // a reset took it away
    bool m_isListed = false;
    bool m_isShown = false;
    Absence m_absence = Absence::None;
};

}  // namespace lockkeeper::ui
