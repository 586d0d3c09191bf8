// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "ui/window/notices/noticesettings.h"

#include <QWidget>

class QCheckBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace lockkeeper::ui {

class DurationEdit;

// The fields of which notifications the user wants while the window is out of sight, and how.
class NoticeForm final : public QWidget {
    Q_OBJECT
public:
    explicit NoticeForm(const NoticeSettings& settings, QWidget* parent = nullptr);

    [[nodiscard]] NoticeSettings chosen() const;
    void setSettings(const NoticeSettings& settings);
    // Nothing: the desktop shows notifications.
    void setDesktopProblem(const std::optional<Error>& problem);

Q_SIGNALS:
    // A field has changed, by the user or by setSettings(); one that is typed in, once the user is done with it: a
    // limit that is half typed would notify of many locks.
    void changed();
    // A notification by these settings is to be shown, to see whether it arrives.
    void testWanted(const lockkeeper::ui::NoticeSettings& settings);

private:
    void makeRules();
    void makeDiagnoses();
    void makeWays();
    void fill(const NoticeSettings& settings);
    void followFields();
    void makeLayout();
    void retranslate();
    void showDesktopState();
    void showState();
    void copyForNotify() const;
    // Needs settings in which anything is chosen.
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
    QPushButton* m_copy;
    QLabel* m_summary;
};

}  // namespace lockkeeper::ui
