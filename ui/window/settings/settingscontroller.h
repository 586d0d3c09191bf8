// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QObject>
#include <QPointer>

class QSettings;
class QWidget;

namespace lockkeeper::ui {

class Appearance;
class ClientNames;
class DiagnosisBadge;
class NoticeController;
class RetentionController;
class SettingsDialog;
struct TimelineOptions;

// What the settings are about: each keeps a change itself. All outlive the controller.
struct SettingsSubjects {
    Appearance& appearance;
    DiagnosisBadge& badge;
    RetentionController& retention;
    ClientNames& names;
    QSettings& settings;
};

// The session in front when the settings are opened: it shows a notification on request, and its history can be
// deleted.
struct FrontSession {
    NoticeController& notices;
    const ConnectionStatus& status;
};

// Opens the settings of the program. What concerns every session is a signal.
class SettingsController final : public QObject {
    Q_OBJECT
public:
    enum class Subject { First, Notices, History };

    // The window owns the dialog.
    SettingsController(const SettingsSubjects& subjects, QWidget& window);

    void open(const FrontSession& front, Subject subject = Subject::First);

Q_SIGNALS:
    // Panels and columns are to be as they were at first.
    void arrangementResetWanted();
    void lanesUnpinWanted();
    // They are saved already.
    void timelineOptionsChanged(const lockkeeper::ui::TimelineOptions& options);

private:
    void addPages(const FrontSession& front);
    void addArrangement();
    void addTimeline();
    void addDiscovery();

    SettingsSubjects m_subjects;
    QWidget& m_window;
    QPointer<SettingsDialog> m_dialog;
};

}  // namespace lockkeeper::ui
