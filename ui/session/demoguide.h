// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "session/connectionstatus.h"

#include <QWidget>

class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;

// Stands above the demo's table and points at the lock whose worker dies again and again: what happens to it now.
// Hidden for other connections, and once the user has dismissed it.
class DemoGuide final : public QWidget {
    Q_OBJECT
public:
    explicit DemoGuide(QWidget* parent = nullptr);

    void setStatus(const ConnectionStatus& status);
    // row: of lab::demo::lockOfTheDyingWorker(); null while it is not known.
    void follow(const monitor::LockRow* row);

Q_SIGNALS:
    void lockChosen(const lockkeeper::LockName& lock);

private:
    enum class Scene { BeforeDeath, Dead, AfterDeath };

    void retranslate();
    void showScene();
    [[nodiscard]] QString text() const;

    bool m_isDemo = false;  // and connected
    bool m_isDismissed = false;
    Scene m_scene = Scene::BeforeDeath;
    HolderId m_deadWorker;  // while m_scene is Dead
    InlineMessage* m_message;
    QPushButton* m_show;
    QPushButton* m_dismiss;
};

}  // namespace lockkeeper::ui
