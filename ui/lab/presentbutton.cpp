// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/presentbutton.h"

#include "ui/base/fontchange.h"
#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"

#include <QApplication>
#include <QEvent>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSplitter>
#include <QToolBar>

namespace lockkeeper::ui {

namespace {

constexpr double presentingScale = 1.5;
constexpr int textWidth = 17;  // heights of a line

QFont presentedFont(bool isLarge) {
    QFont font;  // the font of the window
    if (isLarge)
        font.setPointSizeF(QApplication::font().pointSizeF() * presentingScale);
    return font;
}

}  // namespace

PresentButton::PresentButton(QWidget& page, QSplitter& columns) : m_page(page), m_columns(columns) {
    setObjectName(QStringLiteral("labPresent"));
    setCheckable(true);
    QWidget* texts = columns.widget(0);
    keepFitted(*texts, [texts] { texts->setMinimumWidth(texts->fontMetrics().height() * textWidth); });
    connect(this, &QPushButton::toggled, this, &PresentButton::present);
    page.installEventFilter(this);
    keepTranslated(*this, [this] { retranslate(); });
}

bool PresentButton::eventFilter(QObject* page, QEvent* event) {
    const bool comesToFront = event->type() == QEvent::Show;
    if (isChecked() && (comesToFront || event->type() == QEvent::Hide))
        fitWindow(comesToFront);
    return QPushButton::eventFilter(page, event);
}

void PresentButton::retranslate() {
    setText(tr("Prese&nt"));
    setToolTip(helpTip(tr("Large type, for a projector")));
}

void PresentButton::present(bool isLarge) {
    if (isLarge)
        m_sizes = m_columns.sizes();
    m_page.setFont(presentedFont(isLarge));
    fitWindow(isLarge);
    if (!isLarge)
        m_columns.setSizes(m_sizes);
}

// A menu is a window of its own, so it does not take over the font of its bar.
void PresentButton::fitWindow(bool isLarge) const {
    const auto* window = qobject_cast<QMainWindow*>(m_page.window());
    if (!window)
        return;
    const QFont font = presentedFont(isLarge);
    for (QWidget* bar : window->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (!qobject_cast<QMenuBar*>(bar) && !qobject_cast<QToolBar*>(bar))
            continue;
        bar->setFont(font);
        for (QMenu* menu : bar->findChildren<QMenu*>())
            menu->setFont(font);
    }
}

}  // namespace lockkeeper::ui

#include "moc_presentbutton.cpp"
