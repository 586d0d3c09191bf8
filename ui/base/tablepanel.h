// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/inlinemessage.h"
#include "ui/base/timedtablemodel.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QAction;
class QLabel;
class QStackedWidget;
class QTableView;

namespace lockkeeper::ui {

// A sorted table under a note, and a text in its place while it is empty.
class TablePanel : public QWidget {
    Q_OBJECT
public:
    // To be called after the window's ViewTime has followed the status.
    void follow(const ConnectionStatus& status);

protected:
    // name: begins the object names of its parts: "nodeTable", "nodeEmpty", "nodeNote", "nodeCopy".
    TablePanel(const QString& name, QWidget* parent);
    // The column that gets the room that is left. This much of its texts stays in sight; beyond that the table scrolls
    // sideways.
    struct WidestColumn {
        int column = 0;
        QString least;
    };
    // The end of a subclass's set-up. model: a member of the subclass; sorted: by this column at first.
    void setUp(TimedTableModel& model, int sorted, const WidestColumn& widest);

    [[nodiscard]] QTableView& view() const { return *m_view; }
    [[nodiscard]] const QSortFilterProxyModel& shown() const { return m_shown; }
    [[nodiscard]] bool isConnected() const;
    // Shows only the rows with this text in a cell. Empty: all rows.
    void setFilter(const QString& text) { m_shown.setFilterFixedString(text); }
    // To be called after a change of the rows, or of what is known about them.
    void refresh();
    // Makes room for the longest usual texts; the titles have theirs.
    virtual void widenColumns() = 0;
    [[nodiscard]] virtual QString accessibleTitle() const = 0;
    [[nodiscard]] virtual QString help() const = 0;
    [[nodiscard]] virtual QString emptyText() const = 0;
    // Only asked for while there are rows.
    [[nodiscard]] virtual Message note() const = 0;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void fitWidest();

    TimedTableModel* m_model = nullptr;
    QSortFilterProxyModel m_shown;
    WidestColumn m_widest;
    ConnectionPhase m_phase = ConnectionPhase::Disconnected;
    InlineMessage* m_note;
    QStackedWidget* m_stack;
    QTableView* m_view;
    QLabel* m_empty;
    QAction* m_copy;
};

}  // namespace lockkeeper::ui
