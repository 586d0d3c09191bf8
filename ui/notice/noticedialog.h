// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "ui/notice/noticesettings.h"

#include <QDialog>

class QCheckBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace lockkeeper::ui {

class DurationEdit;

// Which notifications the user wants while the window is out of sight, and how.
class NoticeDialog final : public QDialog {
    Q_OBJECT
public:
    explicit NoticeDialog(const NoticeSettings& settings, QWidget* parent = nullptr);

    // Why the desktop shows none; empty when it does.
    // Nothing: the desktop shows notifications.
    void setDesktopProblem(const std::optional<Error>& problem);

Q_SIGNALS:
    void settingsChosen(const lockkeeper::ui::NoticeSettings& settings);
    // Show one by these settings, to see whether it arrives.
    void testWanted(const lockkeeper::ui::NoticeSettings& settings);

private:
    void makeRules(const NoticeSettings& settings);
    void makeDiagnoses(const NoticeSettings& settings);
    void makeWays(const NoticeSettings& settings);
    void makeLayout();
    void retranslate();
    void showDesktopState();
    void showState();
    [[nodiscard]] NoticeSettings chosen() const;
    // While anything is chosen.
    [[nodiscard]] QString summary() const;

    bool m_desktopAnswered = false;
    std::optional<Error> m_desktopProblem;
    QGroupBox* m_when;
    QGroupBox* m_how;
    QCheckBox* m_held;
    DurationEdit* m_heldTime;
    QCheckBox* m_ttl;
    DurationEdit* m_ttlTime;
    QLabel* m_diagnosesLabel;
    QListWidget* m_diagnoses;
    QLabel* m_namesLabel;
    QLineEdit* m_names;
    QCheckBox* m_desktop;
    QLabel* m_desktopState;
    QCheckBox* m_sound;
    QPushButton* m_test;
    QLabel* m_summary;
};

}  // namespace lockkeeper::ui
