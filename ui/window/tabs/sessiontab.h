// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>

namespace lockkeeper {
struct ConnectionStatus;
struct ReplayedLab;
}  // namespace lockkeeper

namespace lockkeeper::ui {

class LabPage;
class LabReplayPage;
class MessageBar;
class Recordable;
class SessionPage;
class StartPage;

// One tab of the window: the start page, until something is connected in it, then the page of the session; or the lab.
// A recording of a lab has its page in the place of that of the session.
class SessionTab final : public QStackedWidget {
    Q_OBJECT
public:
    // Takes ownership of both pages.
    SessionTab(StartPage& start, SessionPage& page, QWidget* parent);

    [[nodiscard]] StartPage& start() noexcept { return m_start; }
    [[nodiscard]] SessionPage& page() noexcept { return m_page; }
    // Takes ownership of the page, and shows it for the life of the tab.
    void showLab(LabPage& lab);
    [[nodiscard]] bool isLab() const noexcept { return m_lab != nullptr; }
    // Whether it shows a recording of a lab.
    [[nodiscard]] bool isLabReplay() const noexcept { return m_labReplay != nullptr; }
    // nullptr unless the tab shows a lab.
    [[nodiscard]] LabPage* lab() const noexcept { return m_lab; }
    // A connection can be opened in it: there is none, and it shows no lab.
    [[nodiscard]] bool isFree() const;
    // Nothing was connected in it yet.
    [[nodiscard]] bool isStart() const;
    // The messages of the page in sight.
    [[nodiscard]] MessageBar& messages();
    [[nodiscard]] Recordable& recordable();
    // The parts of the page in sight that take the keyboard, in reading order; the start page has none.
    [[nodiscard]] QList<QWidget*> panes();

Q_SIGNALS:
    void labReplayShown();

private:
    // Enables the actions of the session's panels while that page is in sight.
    void showPanels(bool areThere);
    void followStatus(const ConnectionStatus& status);
    void showLabReplay(const ReplayedLab& lab);

    StartPage& m_start;
    SessionPage& m_page;
    LabPage* m_lab = nullptr;
    LabReplayPage* m_labReplay = nullptr;
};

}  // namespace lockkeeper::ui
