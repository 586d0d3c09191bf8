// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "recording/recordingstatus.h"

#include <QObject>
#include <QPointer>

class QAction;
class QFileDialog;

namespace lockkeeper {
class ReplayEngine;
}

namespace lockkeeper::ui {

class CaptureDialog;
class MainWindow;
class SessionPage;
class SessionTab;
class SessionTabs;

// Records the session in front into a file, and opens such files: by menu, or dropped on the window.
class RecordingController final : public QObject {
    Q_OBJECT
public:
    // Outlives it.
    explicit RecordingController(MainWindow& window);

    [[nodiscard]] QList<QAction*> actions() const { return {m_open, m_paste, m_record, m_capture}; }
    // Follows the page that is in front now.
    void update();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void askForFile();
    void openPasted();
    void toggle();
    void askWhereTo();
    void askToCapture();
    void capture(SessionPage& page, const LockName& lock);
    void retranslate();

    MainWindow& m_window;
    QAction* m_open;
    QAction* m_paste;
    QAction* m_record;
    QAction* m_capture;
    QPointer<QFileDialog> m_dialog;
    QPointer<CaptureDialog> m_question;
};

// For a recording whose page was just added. When it is open, the page takes the place of the tab that was in front
// before, if nothing was ever connected there. If it cannot be opened, the page is closed, and that tab says why.
void followOpening(ReplayEngine& recording, SessionPage& page, SessionTab& before, SessionTabs& tabs);

}  // namespace lockkeeper::ui
