// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/recordingstatus.h"

#include <QObject>
#include <QPointer>

class QAction;
class QFileDialog;

namespace lockkeeper::ui {

class MainWindow;

// Records the session in front into a file, and opens such files: by menu, or dropped on the window.
class RecordingController final : public QObject {
    Q_OBJECT
public:
    // Outlives it.
    explicit RecordingController(MainWindow& window);

    [[nodiscard]] QList<QAction*> actions() const { return {m_open, m_record}; }
    // Follows the page that is in front now.
    void update();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void askForFile();
    void toggle();
    void askWhereTo();
    void retranslate();

    MainWindow& m_window;
    QAction* m_open;
    QAction* m_record;
    QPointer<QFileDialog> m_dialog;
};

}  // namespace lockkeeper::ui
