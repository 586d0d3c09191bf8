// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowtoolbar.h"

#include "ui/base/badge.h"
#include "ui/connections/labelcolor.h"
#include "ui/operate/armingbadge.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"

#include <QHBoxLayout>

namespace lockkeeper::ui {

WindowToolBar::WindowToolBar(const QList<QList<QAction*>>& groups, QWidget* parent) : QToolBar(parent) {
    setObjectName(QStringLiteral("toolBar"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(18, 18));
    // The tool bar cannot be hidden: whether the connection is armed must always be visible.
    toggleViewAction()->setVisible(false);
    for (const QList<QAction*>& group : groups) {
        if (!actions().isEmpty())
            addSeparator();
        addActions(group);
    }
    addBadges();
}

// All badges are in one widget, because a tool bar does not hide the widgets that it was given.
void WindowToolBar::addBadges() {
    auto* badges = new QWidget(this);
    m_environment = new Badge(badges);
    m_environment->setObjectName(QStringLiteral("environmentBadge"));
    m_arming = new ArmingBadge(badges);
    m_arming->setObjectName(QStringLiteral("armingBadge"));
    connect(m_arming, &ArmingBadge::clicked, this, &WindowToolBar::armingClicked);
    auto* layout = new QHBoxLayout(badges);
    layout->setContentsMargins(6, 0, 6, 0);
    layout->addStretch(1);
    layout->addWidget(m_environment);
    layout->addWidget(m_arming);
    addWidget(badges);
}

void WindowToolBar::showConnection(const profile::ProfileLabel& label) {
    constexpr qsizetype longestBadge = 32;
    const bool isLabelled = !label.name.isEmpty() || label.environment != profile::Environment::None;
    m_environment->set(isLabelled ? shortened(connectionText(label, QString()), longestBadge) : QString(),
                       labelColor(label));
}

void WindowToolBar::showArming(const ConnectionStatus& status, const Arming& arming, Clock& clock) {
    m_arming->set(status, arming, clock);
}

}  // namespace lockkeeper::ui

#include "moc_windowtoolbar.cpp"
