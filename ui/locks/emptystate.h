// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockkeeper::ui {

class IconLabel;

// Why there is no row to see.
enum class Emptiness { None, NotConnected, Connecting, NoLocks, AllFiltered };

// rows: known; shown: left by the filter.
[[nodiscard]] Emptiness emptinessOf(const ConnectionStatus& status, int rows, int shown);

// Stands in the table's place and says why it is empty and what to do.
class EmptyState final : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);

    // Why locks are hidden: several may be true.
    struct Hiding {
        bool byFilter = false;
        bool asFree = false;
        bool asSound = false;  // nothing is wrong with them
    };
    void explain(Emptiness emptiness, const ConnectionStatus& status, const monitor::MonitorStats& stats, int rows,
                 const Hiding& hiding);

Q_SIGNALS:
    void connectWanted();
    void filterClearWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void retranslate();
    [[nodiscard]] QString hidingText() const;
    void makeRoom();
    void set(const QString& iconName, const QString& headline, const QString& text, const QString& button);

    Emptiness m_emptiness = Emptiness::None;
    ConnectionStatus m_status;
    monitor::MonitorStats m_stats;
    int m_rows = 0;
    Hiding m_hiding;
    IconLabel* m_icon;
    QLabel* m_headline;
    QLabel* m_text;
    QPushButton* m_button;
};

}  // namespace lockkeeper::ui
