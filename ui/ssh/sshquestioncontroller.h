// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QObject>
#include <QPointer>

#include <map>

namespace lockkeeper::ui {

class SshQuestionDialog;

// Opens a dialog for each question of ssh, of whichever session, and closes it when the question is over.
class SshQuestionController final : public QObject {
    Q_OBJECT
public:
    // Both outlive it; the window owns it.
    SshQuestionController(Engine& engine, QWidget& window);

private:
    using Key = std::pair<SessionId, topology::SshQuestionId>;

    void open(SessionId session, const topology::SshQuestion& question);
    void close(const Key& key);
    void closeAllOf(SessionId session);

    Engine& m_engine;
    QWidget& m_window;
    std::map<Key, QPointer<SshQuestionDialog>> m_dialogs;
};

}  // namespace lockkeeper::ui
