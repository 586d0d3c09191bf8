// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/presentbutton.h"

#include "ui/help/helptip.h"
#include "ui/look/fontchange.h"
#include "ui/look/retranslating.h"

#include <QApplication>
#include <QSplitter>

namespace lockkeeper::ui {

namespace {

constexpr double presentingScale = 1.5;
constexpr int textWidth = 17;  // heights of a line

}  // namespace

PresentButton::PresentButton(QWidget& page, QSplitter& columns) : m_page(page), m_columns(columns) {
    setObjectName(QStringLiteral("labPresent"));
    setCheckable(true);
    QWidget* texts = columns.widget(0);
    keepFitted(*texts, [texts] { texts->setMinimumWidth(texts->fontMetrics().height() * textWidth); });
    connect(this, &QPushButton::toggled, this, &PresentButton::present);
    keepTranslated(*this, [this] { retranslate(); });
}

void PresentButton::retranslate() {
    setText(tr("Prese&nt"));
    setToolTip(helpTip(tr("Large type, for a projector")));
}

void PresentButton::present(bool isLarge) {
    if (isLarge)
        m_sizes = m_columns.sizes();
    QFont font;  // as that of the window
    if (isLarge)
        font.setPointSizeF(QApplication::font().pointSizeF() * presentingScale);
    m_page.setFont(font);
    if (!isLarge)
        m_columns.setSizes(m_sizes);
}

}  // namespace lockkeeper::ui

#include "moc_presentbutton.cpp"
