// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/orderhold.h"

#include "ui/base/plainlabel.h"
#include "ui/locks/filter/lockfiltermodel.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QLabel>

#include <utility>

namespace lockkeeper::ui {

OrderHold::OrderHold(QAbstractItemView& view, LockFilterModel& rows, Clock& clock)
    : QObject(&view), m_view(view), m_rows(rows), m_clock(clock), m_sign(plainLabel(view.viewport())) {
    m_sign->setObjectName(QStringLiteral("orderHoldSign"));
    m_sign->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_sign->setAutoFillBackground(true);
    m_sign->setBackgroundRole(QPalette::ToolTipBase);
    m_sign->setForegroundRole(QPalette::ToolTipText);
    m_sign->setMargin(3);
    m_sign->hide();
    retranslate();
    view.setMouseTracking(true);
    view.installEventFilter(this);
    view.viewport()->installEventFilter(this);
    connect(&rows, &LockFilterModel::orderKept, this, &OrderHold::showSign);
}

OrderHold::~OrderHold() {
    m_clock.cancel(m_sinceKey);
}

void OrderHold::retranslate() {
    m_sign->setText(tr("Order kept", "of the rows, while the pointer is over them"));
    m_sign->adjustSize();
}

bool OrderHold::eventFilter(QObject* watched, QEvent* event) {
    const bool isViewport = watched == m_view.viewport();
    // A window that opens under a pointer at rest is entered, too: only a movement shows that somebody points at a row.
    if (isViewport && (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave)) {
        const bool isOver = event->type() == QEvent::MouseMove;
        if (std::exchange(m_isPointerOver, isOver) != isOver)
            refresh();
    } else if (isViewport && event->type() == QEvent::Resize && m_sign->isVisible()) {
        showSign();
    } else if (!isViewport && event->type() == QEvent::Hide) {
        m_isPointerOver = false;
        refresh();
    } else if (!isViewport && event->type() == QEvent::KeyPress) {
        onKey();
    }
    return QObject::eventFilter(watched, event);
}

void OrderHold::onKey() {
    m_clock.cancel(m_sinceKey);
    m_sinceKey = m_clock.schedule(m_clock.now() + afterKey, [this] {
        m_sinceKey = Clock::TimerId::None;
        refresh();
    });
    refresh();
}

void OrderHold::refresh() {
    const bool isHeld = m_isPointerOver || m_sinceKey != Clock::TimerId::None;
    if (!isHeld)
        m_sign->hide();
    m_rows.setOrderKept(isHeld);
}

void OrderHold::showSign() {
    const QSize room = m_view.viewport()->size();
    m_sign->adjustSize();
    m_sign->move(room.width() - m_sign->width() - 2, room.height() - m_sign->height() - 2);
    m_sign->show();
    m_sign->raise();
}

}  // namespace lockkeeper::ui

#include "moc_orderhold.cpp"
