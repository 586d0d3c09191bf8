// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QObject>
#include <QPointer>

class QSettings;
class QWidget;

namespace lockkeeper::ui {

class HistoryPage;
class MessageBar;
class RetentionDialog;

// "history/days" (0 keeps nothing) and "history/rows"; a week and a million events when nothing is set.
[[nodiscard]] history::Retention retentionFrom(const QSettings& settings);
void saveRetention(QSettings& settings, const history::Retention& retention);

// What is kept on disk: asks the user, sets it in the engine, and saves it.
class RetentionController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. The window owns the dialog.
    RetentionController(Engine& engine, MessageBar& messages, QSettings& settings, QWidget& window);

    void open();
    // A page of the settings with the same fields.
    [[nodiscard]] HistoryPage* makePage(QWidget* parent);
    // Whose history may be deleted; server: its name for the eye. Empty when there is none.
    void setProfile(const profile::ProfileId& profile, const QString& server);

private:
    void keep(const history::Retention& retention);
    void forget(const profile::ProfileId& profile, const QString& server);
    void reportForgotten(OperationId operation, const std::optional<Error>& error);

    Engine& m_engine;
    MessageBar& m_messages;
    QSettings& m_settings;
    QWidget& m_window;
    profile::ProfileId m_profile;
    QString m_server;
    QHash<quint64, QString> m_forgetting;
    QPointer<RetentionDialog> m_dialog;
};

}  // namespace lockkeeper::ui
