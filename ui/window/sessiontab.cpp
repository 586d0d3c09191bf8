// SPDX-License-Identifier: Apache-2.0
#include "ui/window/sessiontab.h"

#include "ui/connections/startpage.h"
#include "ui/lab/labpage.h"
#include "ui/session/sessionpage.h"

#include <QAction>

namespace lockkeeper::ui {

SessionTab::SessionTab(StartPage& start, SessionPage& page, QWidget* parent)
    : QStackedWidget(parent), m_start(start), m_page(page) {
    addWidget(&m_start);
    addWidget(&m_page);
    showPanels(false);
    connect(&m_page, &SessionPage::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionPhase::Disconnected)
            return;
        setCurrentWidget(&m_page);
        showPanels(true);
    });
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

bool SessionTab::isStart() const {
    return currentWidget() == &m_start;
}

MessageBar& SessionTab::messages() {
    if (m_lab)
        return m_lab->messages();
    return currentWidget() == &m_page ? m_page.messages() : m_start.messages();
}

}  // namespace lockkeeper::ui

#include "moc_sessiontab.cpp"
