// SPDX-License-Identifier: Apache-2.0
#include "ui/window/palette/menuactions.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace lockkeeper::ui {

namespace {

void collect(const QList<QAction*>& actions, const QString& menu, QList<MenuAction>& found) {
    for (QAction* action : actions) {
        const QString text = plainActionText(action->text());
        if (action->isSeparator() || !action->isVisible() || text.isEmpty())
            continue;
        if (const auto* submenu = action->menu<QMenu*>())
            collect(submenu->actions(), menu.isEmpty() ? text : menu + QStringLiteral(" > ") + text, found);
        else
            found << MenuAction{action, text, menu};
    }
}

}  // namespace

QList<MenuAction> menuActions(const QMenuBar& bar) {
    QList<MenuAction> found;
    collect(bar.actions(), QString(), found);
    return found;
}

// "&&" stands for an ampersand.
QString plainActionText(const QString& text) {
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text.at(i) == u'&' && i + 1 < text.size())
            ++i;
        plain += text.at(i);
    }
    return plain.remove(u'…').trimmed();
}

}  // namespace lockkeeper::ui
