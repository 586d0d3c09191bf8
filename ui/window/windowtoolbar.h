// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/profilelabel.h"

#include <QToolBar>

namespace lockkeeper::ui {

class ArmingBadge;
class Badge;

// The window's tool bar. Its right end shows what the connection of the page in front is known by, and whether it may
// write.
class WindowToolBar final : public QToolBar {
    Q_OBJECT
public:
    // Each group of actions is followed by a separator, but for the last.
    explicit WindowToolBar(const QList<QList<QAction*>>& groups, QWidget* parent = nullptr);

    void showConnection(const profile::ProfileLabel& label);
    // To be called again when the language changes.
    void showArming(const ConnectionStatus& status, const Arming& arming, Clock& clock);

Q_SIGNALS:
    // The badge that says whether the connection may write.
    void armingClicked();

private:
    void addBadges();

    Badge* m_environment = nullptr;
    ArmingBadge* m_arming = nullptr;
};

}  // namespace lockkeeper::ui
