// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;

namespace lockkeeper::ui {

class DiagnosisBadge;

// The page of the settings for the icon in the system tray. Applies a change at once.
class TrayPage final : public QWidget {
    Q_OBJECT
public:
    // badge: outlives the page.
    explicit TrayPage(DiagnosisBadge& badge, QWidget* parent = nullptr);

    void reset();

private:
    void retranslate();

    DiagnosisBadge& m_badge;
    QCheckBox* m_shown;
    QLabel* m_meaning;
};

}  // namespace lockkeeper::ui
