// SPDX-License-Identifier: Apache-2.0
#include "ui/help/manualcontroller.h"

#include "ui/help/manualpages.h"
#include "ui/help/manualwindow.h"

#include <QApplication>
#include <QDialog>
#include <QShortcut>

namespace lockkeeper::ui {

ManualController::ManualController(QWidget& window) : QObject(&window), m_window(window) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { serveDialogOf(now); });
}

ManualController::~ManualController() = default;

void ManualController::openForFocus() {
    openFor(m_window);
}

void ManualController::openFor(const QWidget& window) {
    if (!m_manual)
        m_manual = std::make_unique<ManualWindow>();
    const QWidget* focus = window.focusWidget();
    m_manual->showPlace(manualPlaceOf(focus ? focus : &window));
}

void ManualController::serveDialogOf(QWidget* focus) {
    const auto shortcutName = QStringLiteral("manualShortcut");
    auto* dialog = focus ? qobject_cast<QDialog*>(focus->window()) : nullptr;
    if (!dialog || !dialog->parentWidget() || dialog->parentWidget()->window() != &m_window ||
        dialog->findChild<QShortcut*>(shortcutName, Qt::FindDirectChildrenOnly))
        return;
    auto* shortcut = new QShortcut(QKeySequence::HelpContents, dialog);
    shortcut->setObjectName(shortcutName);
    connect(shortcut, &QShortcut::activated, this, [this, dialog] { openFor(*dialog); });
}

}  // namespace lockkeeper::ui
