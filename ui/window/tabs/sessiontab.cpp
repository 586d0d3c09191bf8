// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tabs/sessiontab.h"

#include "ui/base/messagebar.h"
#include "ui/lab/labpage.h"
#include "ui/lab/labreplaypage.h"
#include "ui/session/sessionpage.h"
#include "ui/window/start/startpage.h"
#include "ui/window/tabs/panecycle.h"

#include <QAction>

namespace lockkeeper::ui {

SessionTab::SessionTab(StartPage& start, SessionPage& page, QWidget* parent)
    : QStackedWidget(parent), m_start(start), m_page(page) {
    addWidget(&m_start);
    addWidget(&m_page);
    showPanels(false);
    connect(&m_page, &SessionPage::statusChanged, this, &SessionTab::followStatus);
    if (const ReplayEngine* replay = m_page.replay())
        connect(replay, &ReplayEngine::labLoaded, this, &SessionTab::showLabReplay);
}

void SessionTab::followStatus(const ConnectionStatus& status) {
    if (status.phase == ConnectionPhase::Disconnected || m_labReplay)
        return;
    setCurrentWidget(&m_page);
    showPanels(true);
}

void SessionTab::showLabReplay(const ReplayedLab& lab) {
    m_labReplay = new LabReplayPage(*m_page.replay(), lab, this);
    addWidget(m_labReplay);
    setCurrentWidget(m_labReplay);
    showPanels(false);
    Q_EMIT labReplayShown();
}

void SessionTab::showPanels(bool areThere) {
    for (QAction* toggle : m_page.pageActions().panels)
        toggle->setEnabled(areThere);
}

void SessionTab::showLab(LabPage& lab) {
    m_lab = &lab;
    addWidget(m_lab);
    setCurrentWidget(m_lab);
}

bool SessionTab::isFree() const {
    return !isLab() && m_page.isFree();
}

bool SessionTab::isStart() const {
    return currentWidget() == &m_start;
}

MessageBar& SessionTab::messages() {
    if (m_lab)
        return m_lab->messages();
    if (m_labReplay)
        return m_labReplay->messages();
    return currentWidget() == &m_page ? m_page.messages() : m_start.messages();
}

Recordable& SessionTab::recordable() {
    return m_lab ? static_cast<Recordable&>(*m_lab) : m_page;
}

QList<QWidget*> SessionTab::panes() {
    if (m_lab)
        return m_lab->panes();
    if (m_labReplay)
        return m_labReplay->panes();
    return isStart() ? QList<QWidget*>() : panesOf(m_page);
}

}  // namespace lockkeeper::ui

#include "moc_sessiontab.cpp"
