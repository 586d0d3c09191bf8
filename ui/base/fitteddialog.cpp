// SPDX-License-Identifier: Apache-2.0
#include "ui/base/fitteddialog.h"

#include "ui/base/tallarea.h"

#include <QEvent>
#include <QScreen>
#include <QShowEvent>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockkeeper::ui {

FittedDialog::FittedDialog(QWidget* parent) : QDialog(parent) {}

void FittedDialog::setContent(QLayout* content, const QList<QWidget*>& fixed) {
    auto* body = new QWidget(this);
    content->setContentsMargins(0, 0, 0, 0);
    body->setLayout(content);
    m_content = new TallArea(*body, this);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(content->spacing());
    layout->addWidget(m_content, 1);
    for (QWidget* part : fixed)
        layout->addWidget(part);
}

void FittedDialog::setUsualWidth(int lineHeights) {
    m_content->setUsualWidth(lineHeights);
}

// At its first show Qt makes a window at most two thirds as high as the screen, whatever it needs.
void FittedDialog::setVisible(bool visible) {
    if (visible && !isVisible()) {
        layout()->activate();
        if (!testAttribute(Qt::WA_Resized))
            adjustSize();
        m_needed = neededHeight();
        setHeight(std::max(m_needed, height()));
    }
    QDialog::setVisible(visible);
}

// Qt ignores the frame when it places the dialog.
void FittedDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    if (!event->spontaneous())
        moveOntoScreen();
}

bool FittedDialog::event(QEvent* event) {
    const bool isHandled = QDialog::event(event);
    if (event->type() == QEvent::LayoutRequest && isVisible())
        growToFit();
    return isHandled;
}

void FittedDialog::growToFit() {
    const int before = std::exchange(m_needed, neededHeight());
    // The dialog stays as low and where the user has put it, also partly below the screen, until it needs more.
    if (m_needed > before && m_needed > height())
        setHeight(m_needed);
}

void FittedDialog::shrinkToFit() {
    m_needed = neededHeight();
    setHeight(m_needed);
}

int FittedDialog::neededHeight() {
    if (m_content)
        m_content->measure();
    layout()->activate();
    return layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width())
                                         : layout()->totalMinimumSize().height();
}

// Until the window system has made a frame, the usual one counts.
QSize FittedDialog::frame() const {
    const QSize usual(2 * style()->pixelMetric(QStyle::PM_MdiSubWindowFrameWidth, nullptr, this),
                      style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, this));
    return (frameGeometry().size() - size()).expandedTo(usual);
}

void FittedDialog::setHeight(int wanted) {
    const QSize room = screen()->availableSize() - frame();
    resize(std::min(width(), room.width()), std::min(wanted, room.height()));
    // Qt places the dialog at its first show.
    if (isVisible())
        moveOntoScreen();
}

void FittedDialog::moveOntoScreen() {
    const QRect room = screen()->availableGeometry();
    const QSize whole = size() + frame();
    const QPoint last(room.right() + 1 - whole.width(), room.bottom() + 1 - whole.height());
    move(std::max(room.left(), std::min(x(), last.x())), std::max(room.top(), std::min(y(), last.y())));
}

// QDialog would press the default button, which is Cancel.
void FittedDialog::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    auto* button = qobject_cast<QAbstractButton*>(focusWidget());
    if (!m_guarded || !isEnter)
        QDialog::keyPressEvent(event);
    else if (!button)
        focusNextChild();
    else if (button != m_guarded)
        button->click();
}

}  // namespace lockkeeper::ui

#include "moc_fitteddialog.cpp"
