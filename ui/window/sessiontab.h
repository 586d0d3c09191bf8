// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>

namespace lockkeeper::ui {

class LabPage;
class MessageBar;
class SessionPage;
class StartPage;

// One tab of the window: the start page, until something is connected in it, then the page of the session; or the lab.
class SessionTab final : public QStackedWidget {
    Q_OBJECT
public:
    // Takes both.
    SessionTab(StartPage& start, SessionPage& page, QWidget* parent);

    [[nodiscard]] StartPage& start() noexcept { return m_start; }
    [[nodiscard]] SessionPage& page() noexcept { return m_page; }
    // Takes it, for the life of the tab.
    void showLab(LabPage& lab);
    [[nodiscard]] bool isLab() const noexcept { return m_lab != nullptr; }
    // nullptr unless it is one.
    [[nodiscard]] LabPage* lab() const noexcept { return m_lab; }
    // Nothing was connected in it yet.
    [[nodiscard]] bool isStart() const;
    // Of what is in sight.
    [[nodiscard]] MessageBar& messages();

private:
    // Where their panels are, too.
    void showPanels(bool areThere);

    StartPage& m_start;
    SessionPage& m_page;
    LabPage* m_lab = nullptr;
};

}  // namespace lockkeeper::ui
