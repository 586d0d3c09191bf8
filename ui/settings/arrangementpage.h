// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockkeeper::ui {

// The page of the settings for panels, columns and the timeline: they are arranged in the window itself, and here as they
// were at first.
class ArrangementPage final : public QWidget {
    Q_OBJECT
public:
    explicit ArrangementPage(QWidget* parent = nullptr);

Q_SIGNALS:
    void resetWanted();
    void unpinWanted();

private:
    void retranslate();

    QLabel* m_meaning;
    QPushButton* m_reset;
    QLabel* m_pins;
    QPushButton* m_unpin;
};

}  // namespace lockkeeper::ui
