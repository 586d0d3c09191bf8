// SPDX-License-Identifier: Apache-2.0
#include "ui/help/explain.h"

#include <QAbstractItemView>
#include <QWhatsThis>

namespace lockkeeper::ui {

namespace {

bool explainCell(const QAbstractItemView& view) {
    const QModelIndex current = view.currentIndex();
    const QString text = current.data(Qt::WhatsThisRole).toString();
    if (text.isEmpty())
        return false;
    QWidget* viewport = view.viewport();
    QWhatsThis::showText(viewport->mapToGlobal(view.visualRect(current).center()), text, viewport);
    return true;
}

}  // namespace

void explainFocus(const QWidget& window) {
    for (QWidget* widget = window.focusWidget(); widget; widget = widget->parentWidget()) {
        if (const auto* view = qobject_cast<QAbstractItemView*>(widget); view && explainCell(*view))
            return;
        if (widget->whatsThis().isEmpty())
            continue;
        QWhatsThis::showText(widget->mapToGlobal(widget->rect().center()), widget->whatsThis(), widget);
        return;
    }
}

}  // namespace lockkeeper::ui
