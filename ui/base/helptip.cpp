// SPDX-License-Identifier: Apache-2.0
#include "ui/base/helptip.h"

#include "ui/words/locktext.h"

#include <QAbstractItemView>
#include <QStringList>
#include <QWhatsThis>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestTip = 4000;  // characters

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

QString helpTip(const QString& paragraphs) {
    QString html;
    for (const QString& paragraph : shortened(paragraphs, longestTip).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        html += QStringLiteral("<p>%1</p>").arg(paragraph.toHtmlEscaped());
    return html;
}

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
