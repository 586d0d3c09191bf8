// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockkeeper::ui {

// The page of the settings for panels and columns: they are arranged in the window itself, and here as they were at
// first.
class ArrangementPage final : public QWidget {
    Q_OBJECT
public:
    explicit ArrangementPage(QWidget* parent = nullptr);

Q_SIGNALS:
    void resetWanted();

private:
    void retranslate();

    QLabel* m_meaning;
    QPushButton* m_reset;
};

}  // namespace lockkeeper::ui
