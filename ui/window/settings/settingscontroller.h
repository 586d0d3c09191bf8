// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>

class QSettings;

namespace lockkeeper::ui {

class Appearance;
class DiagnosisBadge;
class MainWindow;
class RetentionController;
class SettingsDialog;

// Opens the settings of the program, and gives what changes to the part of the window that uses it.
class SettingsController final : public QObject {
    Q_OBJECT
public:
    // All outlive it.
    SettingsController(Appearance& appearance, DiagnosisBadge& badge, RetentionController& retention,
                       QSettings& settings, MainWindow& window);

    void open();

private:
    void addPages();
    void addArrangement();
    void addTimeline();
    void addDiscovery();
    void addTray();
    void addAliases();

    Appearance& m_appearance;
    DiagnosisBadge& m_badge;
    RetentionController& m_retention;
    QSettings& m_settings;
    MainWindow& m_window;
    QPointer<SettingsDialog> m_dialog;
};

}  // namespace lockkeeper::ui
