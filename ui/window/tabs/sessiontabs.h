// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/tabs/sessiontab.h"

#include <QTabWidget>

#include <functional>

namespace lockkeeper::ui {

// The window's tabs. Each is a SessionTab, and the window has at least one, but while it is made or ended.
class SessionTabs final : public QTabWidget {
    Q_OBJECT
public:
    explicit SessionTabs(QWidget* parent = nullptr);

    // The tab in front.
    [[nodiscard]] SessionTab& currentTab() const;
    [[nodiscard]] SessionPage& currentPage() const;
    [[nodiscard]] SessionTab& tabAt(int index) const;
    // -1: the page has no tab any more.
    [[nodiscard]] int indexOfPage(const SessionPage& page) const;
    [[nodiscard]] QList<SessionPage*> pages() const;
    void bringToFront(const SessionPage& page);
    // Brings the lab, or a tab where nothing was connected, to the front; false if there is none.
    [[nodiscard]] bool bringLabToFront();
    [[nodiscard]] bool bringStartToFront();
    // The name, state and badge of this page, or of the lab in its place.
    void showTab(const SessionPage& page);
    void retranslate();

Q_SIGNALS:
    void closeWanted(lockkeeper::ui::SessionPage& page);

private:
    [[nodiscard]] bool bringToFront(const std::function<bool(const SessionTab&)>& isWanted);
};

}  // namespace lockkeeper::ui
