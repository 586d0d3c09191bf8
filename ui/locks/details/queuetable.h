// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/words/holderaliases.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

class ClientColors;

// The queue of a fair lock, a line for each waiter: its place, who it is, since when it waits, until when it keeps its
// place, and whether it is proven dead. Then a button offers to remove it.
class QueueTable final : public QWidget {
    Q_OBJECT
public:
    explicit QueueTable(QWidget* parent = nullptr);

    // Outlive the table.
    void setClientColors(const ClientColors& colors) { m_colors = &colors; }
    // Hidden as long as the lock has had no queue. The chosen waiter stays chosen.
    void show(const monitor::LockRow& row, WallTime now, const HolderAliases& aliases);
    using QWidget::show;
    // To be called for another lock.
    void startOver();
    void retranslate();

Q_SIGNALS:
    // The reader wants to remove this dead waiter.
    void removalWanted(const lockkeeper::HolderId& waiter);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeLayout();
    void fill(const QList<monitor::FairWaiter>& shown, WallTime now, const HolderAliases& aliases);
    void fillLine(QTreeWidgetItem& line, int place, const monitor::FairWaiter& waiter, WallTime now,
                  const HolderAliases& aliases);
    void choose(const std::optional<HolderId>& chosen);
    [[nodiscard]] std::optional<HolderId> chosenWaiter() const;
    [[nodiscard]] const monitor::FairWaiter* chosenDead() const;
    void refreshButton();
    void fit();
    void fitWidths();

    const ClientColors* m_colors = nullptr;
    monitor::LockRow m_row;
    QList<monitor::FairWaiter> m_dead;
    qsizetype m_mostLines = 0;  // of this lock
    QLabel* m_caption;
    QTreeWidget* m_lines;
    QLabel* m_more;
    QToolButton* m_remove;
};

}  // namespace lockkeeper::ui
