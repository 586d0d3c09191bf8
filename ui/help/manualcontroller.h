// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <memory>

class QWidget;

namespace lockkeeper::ui {

class ManualWindow;

// Opens the manual at the page about the widget that has the keyboard focus. F1 does so in the dialogs of the window,
// too; in the window itself an action of its menu has that key.
class ManualController final : public QObject {
    Q_OBJECT
public:
    explicit ManualController(QWidget& window);
    ~ManualController() override;

    void openForFocus();

private:
    void openFor(const QWidget& window);
    void serveDialogOf(QWidget* focus);

    QWidget& m_window;
    // No child of the window: a modal dialog of the window would block it, just when the dialog's help is wanted.
    std::unique_ptr<ManualWindow> m_manual;
};

}  // namespace lockkeeper::ui
