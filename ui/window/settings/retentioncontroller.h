// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QObject>

#include <functional>

class QSettings;
class QWidget;

namespace lockkeeper::ui {

class HistoryPage;
class MessageBar;

// "history/days" (0 keeps nothing) and "history/rows"; a week and a million events when nothing is set.
[[nodiscard]] history::Retention retentionFrom(QSettings& settings);
void saveRetention(QSettings& settings, const history::Retention& retention);

// What is kept on disk: asks the user, sets it in the engine, and saves it. It is the program's, not a session's: the
// engine of a replay keeps nothing.
class RetentionController final : public QObject {
    Q_OBJECT
public:
    using FindMessages = std::function<MessageBar&()>;

    // All outlive the controller. messages: finds the bar that is in sight.
    RetentionController(Engine& engine, FindMessages messages, QSettings& settings, QObject* parent);

    // The page of the settings. front: of the session in front, whose history may be deleted.
    [[nodiscard]] HistoryPage* makePage(const ConnectionStatus& front, QWidget* parent);

private:
    void keep(const history::Retention& retention);
    void forget(const profile::ProfileId& profile, const QString& server);
    void reportForgotten(OperationId operation, const std::optional<Error>& error);

    Engine& m_engine;
    FindMessages m_messages;
    QSettings& m_settings;
    QHash<quint64, QString> m_forgetting;
};

}  // namespace lockkeeper::ui
