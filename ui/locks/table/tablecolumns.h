// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/table/columnarrangement.h"

#include <QList>
#include <QObject>

#include <array>

class QAction;
class QSettings;
class QTableView;

namespace lockkeeper::ui {

// Which columns of the table of locks are shown, and how wide they are. Names get the room that the others leave, and
// a quarter at least; then the others get narrower, as long as their titles can be read. Beyond that the table
// scrolls sideways. Only the waiters come and go by themselves, until the user shows or hides them: they are left out
// where a usual diagnosis could not be read beside them. Thread: the GUI's.
class TableColumns final : public QObject {
    Q_OBJECT
public:
    // The parent, with its model set.
    explicit TableColumns(QTableView& table);

    // One a column, checked when it is shown; name and state always are.
    [[nodiscard]] const QList<QAction*>& actions() const noexcept { return m_actions; }
    // shown: there are nodes, as in a Cluster. Their column can be chosen then, and is remembered for later Clusters.
    void setNodesShown(bool shown);
    // Some locks are not read: what is left of a TTL needs more words then, and the name has a little less room for
    // them.
    void setTimesOld(bool old);
    // The width of the table has changed.
    void fit();
    // The language has changed. Columns that the user has made wider stay so.
    void retranslate();

    // Which are shown, in which order, how wide each is where there is room, and which one sorts the table.
    void save(QSettings& settings) const;
    void restore(QSettings& settings);
    // The columns become as before any restore().
    void reset();

private:
    using Column = LockTableModel::Column;

    void makeActions();
    [[nodiscard]] ColumnArrangement arrangement() const;
    void arrange(const ColumnArrangement& wanted);
    void onResized(int column, int width);
    void noteChoice(int column, bool shown);
    // Sums over the columns beside the name.
    struct Widths {
        int least = 0;
        int usual = 0;
        int wanted = 0;
    };
    [[nodiscard]] Widths widths() const;
    [[nodiscard]] int roomBesideName(const Widths& widths) const;
    void setWidths();
    void setShown(int column, bool shown);
    void setWidth(int column, int width);
    // Where there is little room. A width that the user chose may be less than the title needs.
    [[nodiscard]] int leastWidth(int column) const;
    // Of a cell that has no more room than this short text needs.
    [[nodiscard]] int closeWidthOf(int column, const QString& text) const;
    [[nodiscard]] int titleWidth(int column) const;
    // Between the least and the wanted one.
    [[nodiscard]] int usualWidth(int column) const;
    // Each 0 to 1: of the way from the least width to the usual one, and from that to the wanted one.
    struct Ease {
        double toUsual;
        double toWanted;
    };
    [[nodiscard]] int easedWidth(int column, const Ease& ease) const;
    // For a cell with this text.
    [[nodiscard]] int widthFor(Column column, const QString& text) const;
    // For the longest usual texts in the present language.
    [[nodiscard]] int neededWidth(Column column) const;
    // Moves the column from the end to beside the name, where it is seen.
    void placeNodeColumn();

    QTableView& m_table;
    QList<QAction*> m_actions;
    ColumnArrangement m_first;
    std::array<int, LockTableModel::ColumnCount> m_wanted{};  // widths, if there is room
    bool m_areNodesWanted = false;                            // where there are nodes
    bool m_areTimesOld = false;
    bool m_isFitting = false;  // widths are changed by fit(), not by the user
};

}  // namespace lockkeeper::ui
