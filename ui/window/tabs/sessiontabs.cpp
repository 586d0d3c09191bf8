// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tabs/sessiontabs.h"

#include "ui/session/sessionpage.h"
#include "ui/window/tabs/tablook.h"

#include <QTabBar>

namespace lockkeeper::ui {

SessionTabs::SessionTabs(QWidget* parent) : QTabWidget(parent) {
    setObjectName(QStringLiteral("sessionTabs"));
    setDocumentMode(true);
    setTabsClosable(true);
    setMovable(true);
    setTabBarAutoHide(true);
    setElideMode(Qt::ElideMiddle);
    connect(this, &QTabWidget::tabCloseRequested, this, [this](int index) { Q_EMIT closeWanted(tabAt(index).page()); });
}

void SessionTabs::retranslate() {
    tabBar()->setAccessibleName(tr("Connections"));
    for (const SessionPage* page : pages())
        showTab(*page);
}

SessionTab& SessionTabs::currentTab() const {
    return tabAt(currentIndex());
}

SessionPage& SessionTabs::currentPage() const {
    return currentTab().page();
}

SessionTab& SessionTabs::tabAt(int index) const {
    return *qobject_cast<SessionTab*>(widget(index));
}

int SessionTabs::indexOfPage(const SessionPage& page) const {
    return indexOf(page.parentWidget());
}

QList<SessionPage*> SessionTabs::pages() const {
    QList<SessionPage*> all;
    for (int index = 0; index < count(); ++index)
        all << &tabAt(index).page();
    return all;
}

void SessionTabs::bringToFront(const SessionPage& page) {
    setCurrentIndex(indexOfPage(page));
}

bool SessionTabs::bringLabToFront() {
    return bringToFront([](const SessionTab& tab) { return tab.isLab(); });
}

bool SessionTabs::bringStartToFront() {
    return bringToFront([](const SessionTab& tab) { return tab.isStart(); });
}

bool SessionTabs::bringToFront(const std::function<bool(const SessionTab&)>& isWanted) {
    for (int index = 0; index < count(); ++index) {
        if (!isWanted(tabAt(index)))
            continue;
        setCurrentIndex(index);
        return true;
    }
    return false;
}

void SessionTabs::showTab(const SessionPage& page) {
    const int index = indexOfPage(page);
    if (index >= 0 && tabAt(index).isLab())
        showLabTab(*this, index);
    else if (index >= 0 && tabAt(index).isLabReplay())
        showLabReplayTab(*this, index, page);
    else if (index >= 0)
        ui::showTab(*this, index, page);
}

}  // namespace lockkeeper::ui

#include "moc_sessiontabs.cpp"
