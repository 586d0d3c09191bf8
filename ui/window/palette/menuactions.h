// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

class QAction;
class QMenuBar;

namespace lockkeeper::ui {

// An action of a menu, as the user reads it there.
struct MenuAction {
    QAction* action = nullptr;
    QString text;  // without mnemonics and "…"
    QString menu;  // "Tools > Export"
};

// All that can be chosen in the menus now, in their order.
[[nodiscard]] QList<MenuAction> menuActions(const QMenuBar& bar);
// A text of an action or a menu without its mnemonic and "…".
[[nodiscard]] QString plainActionText(const QString& text);

}  // namespace lockkeeper::ui
