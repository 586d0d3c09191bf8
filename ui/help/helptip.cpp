#include "ui/help/helptip.h"

#include <QStringList>

namespace lockkeeper::ui {

QString helpTip(const QString& paragraphs) {
    QString html;
    for (const QString& paragraph : paragraphs.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        html += QStringLiteral("<p>%1</p>").arg(paragraph.toHtmlEscaped());
    return html;
}

}  // namespace lockkeeper::ui
