#pragma once

#include "ui/table/lockfiltermodel.h"
#include "ui/table/locktablemodel.h"
#include "ui/time/ticker.h"

#include <QTableView>

#include <optional>

namespace lockkeeper::ui {

// The table of locks. Counts down by repainting the cells that show a running time, and only those that are on screen:
// it stands still while none is, while the window is hidden, and while the connection is not live.
class LockTableView final : public QTableView {
    Q_OBJECT
public:
    // Everything given outlives the view.
    LockTableView(LockTableModel& locks, LockFilterModel& shown, const ViewTime& time, Clock& clock,
                  QWidget* parent = nullptr);

    [[nodiscard]] std::optional<LockName> currentLock() const;
    void setCurrentLock(const LockName& name);
    [[nodiscard]] const Ticker& ticker() const noexcept { return m_ticker; }

Q_SIGNALS:
    void currentLockChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void setUpColumns();
    // Names get what the other columns leave.
    void fitNameColumn();
    void repaintTimes();
    [[nodiscard]] bool isCountingDown() const;

    LockTableModel& m_locks;
    LockFilterModel& m_shown;
    const ViewTime& m_time;
    Ticker m_ticker;
};

}  // namespace lockkeeper::ui
